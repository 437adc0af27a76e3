import Foundation

/// Any JSON, for what has no type of its own.
public enum JSONValue: Hashable, Sendable, Codable {
    /// Null.
    case null
    /// True or false.
    case bool(Bool)
    /// A number, with the precision of a `Double`: whole ones are exact up to 2^53.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by their names.
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            // Whole numbers without a fraction: servers that ask for integers want them so.
            if let whole = Int64(exactly: value) {
                try container.encode(whole)
            } else {
                try container.encode(value)
            }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The member of an object; nil for anything else. Names are compared byte by byte, as the library does for a schema.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self, let at = members.index(forKey: name), members[at].key.isSame(as: name) else { return nil }
        return members[at].value
    }

    /// The value as a type of the program.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try wireDecoder().decode(type, from: wireEncoder().encode(self))
    }

    /// A value of the program as JSON.
    public init(encoding value: some Encodable) throws {
        self = try wireDecoder().decode(JSONValue.self, from: wireEncoder().encode(value))
    }

    /// The text; nil for anything else.
    public var stringValue: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The number; nil for anything else.
    public var doubleValue: Double? {
        if case .number(let value) = self { return value }
        return nil
    }

    /// True or false; nil for anything else.
    public var boolValue: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The members; nil for anything else. A dictionary of Swift also finds a name that is written otherwise in Unicode, such as "é" in
    /// one or two characters; `self[name]` does not.
    public var objectValue: [String: JSONValue]? {
        if case .object(let value) = self { return value }
        return nil
    }

    /// The list; nil for anything else.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { return value }
        return nil
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

func wireEncoder() -> WireEncoder { WireEncoder() }
func wireDecoder() -> WireDecoder { WireDecoder() }

extension JSONValue: CustomStringConvertible {
    /// The JSON text, with the members of objects in the order of their names, for logs.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // No JSON has them, and a log should show them.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
