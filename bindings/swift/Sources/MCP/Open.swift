import Foundation

// What the generated types have in common: members that are not known are kept, words and variants that are not known do not fail,
// times are numbers on the wire.

/// A string with known values, to which later revisions may add.
public protocol OpenEnum: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
where RawValue == String, StringLiteralType == String {
    init(rawValue: String)
}

extension OpenEnum {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    public var description: String { rawValue }
}

/// A key of a configuration that is true, false or an object.
public enum Switch<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable, ExpressibleByBooleanLiteral {
    /// True: the defaults of the object hold.
    case on
    /// False.
    case off
    /// The object.
    case with(Value)

    public init(booleanLiteral value: Bool) { self = value ? .on : .off }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = flag ? .on : .off
        } else {
            self = .with(try container.decode(Value.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .on: try container.encode(true)
        case .off: try container.encode(false)
        case .with(let value): try container.encode(value)
        }
    }
}

/// The unit of a time on the wire.
enum TimeUnit {
    case milliseconds
    case seconds

    func duration(_ count: Int64) -> Duration {
        switch self {
        case .milliseconds: return .milliseconds(count)
        case .seconds: return .seconds(count)
        }
    }

    /// What is over a whole unit counts as one, so that a short time does not become none.
    func count(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        switch self {
        case .seconds: return attoseconds > 0 && seconds < Int64.max ? seconds + 1 : seconds
        case .milliseconds:
            let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
            if overflows { return seconds > 0 ? Int64.max : Int64.min }
            let (part, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
            let (sum, isOver) = product.addingReportingOverflow(part + (rest > 0 ? 1 : 0))
            return isOver ? Int64.max : sum
        }
    }
}

/// Any member of an object.
struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) { nil }

    /// An element of a list, as failures name it.
    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }
}

extension Decoder {
    /// The members that the keys do not name.
    func additional<Key: CodingKey & CaseIterable>(to known: Key.Type) throws -> [String: JSONValue] {
        if let own = self as? PlaceDecoder { return try own.others(than: known) }
        let container = try container(keyedBy: AnyKey.self)
        var members: [String: JSONValue] = [:]
        for key in container.allKeys where Key(same: key.stringValue) == nil {
            members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
        }
        return members
    }

    /// The string that tells variants apart; empty for none.
    func tag(_ name: String) throws -> String {
        if let own = self as? PlaceDecoder { return try own.tag(named: name) }
        let container = try container(keyedBy: AnyKey.self)
        return (try? container.decode(String.self, forKey: AnyKey(stringValue: name))) ?? ""
    }
}

extension Encoder {
    /// Writes members beside those that the keys name. One of these names is left out: the property counts.
    func encode<Key: CodingKey & CaseIterable>(_ additional: [String: JSONValue], besides known: Key.Type) throws {
        if additional.isEmpty { return }
        var container = container(keyedBy: AnyKey.self)
        for (name, value) in additional where Key(same: name) == nil {
            try container.encode(value, forKey: AnyKey(stringValue: name))
        }
    }
}

extension KeyedDecodingContainer {
    func duration(_ unit: TimeUnit, forKey key: Key) throws -> Duration? {
        try decodeIfPresent(Int64.self, forKey: key).map(unit.duration)
    }

    func durations(forKey key: Key) throws -> [String: Duration]? {
        try decodeIfPresent([String: Int64].self, forKey: key)?.mapValues(TimeUnit.milliseconds.duration)
    }

    func oneOrMany<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> [Value]? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if var list = try? nestedUnkeyedContainer(forKey: key) {
            var values: [Value] = []
            while !list.isAtEnd { values.append(try list.decode(Value.self)) }
            return values
        }
        return [try decode(Value.self, forKey: key)]
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ duration: Duration?, _ unit: TimeUnit, forKey key: Key) throws {
        try encodeIfPresent(duration.map(unit.count), forKey: key)
    }

    mutating func encodeDurations(_ durations: [String: Duration]?, forKey key: Key) throws {
        try encodeIfPresent(durations?.mapValues(TimeUnit.milliseconds.count), forKey: key)
    }

    /// A list of one is that one: revisions before 2025-11-25 take only one.
    mutating func encodeOneOrMany<Value: Encodable>(_ values: [Value]?, forKey key: Key) throws {
        if let values, values.count == 1 {
            try encode(values[0], forKey: key)
        } else {
            try encodeIfPresent(values, forKey: key)
        }
    }
}
