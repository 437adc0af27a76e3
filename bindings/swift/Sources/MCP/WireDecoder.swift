import Foundation

// The reader of JSON for all that arrives. Foundation's reader makes several objects for each value and took most of the time of a call;
// this one parses a text once into a list of places, and types read from that.

/// Reads values of `Decodable` types from JSON text: a `Date` with or without fractions of a second, `Data` as Base64, numbers with all
/// their digits.
struct WireDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decode(type, from: [UInt8](data))
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try WireText(parsing: bytes).value(at: 0, as: type)
    }
}

/// A text of JSON and where its values are. The values of a list or an object follow it directly, each before what it holds.
final class WireText {
    enum Kind: UInt8 { case null, yes, no, number, string, escaped, array, object }

    struct Place {
        var kind: Kind
        /// Of an object: two of its names differ, and are the same text for Swift's String.
        var isAmbiguous = false
        /// What holds it, -1 for the whole text, and how many values are before it there: failures tell where they are without a search,
        /// since a type may fail at each element of a list, such as one of several types.
        var parent: Int32
        var index: Int32
        /// Where it begins and ends in the text: of strings without the quotes.
        var start: Int
        var end: Int
        /// The place after all that it holds.
        var next: Int
        /// How many values it holds itself.
        var count: Int
        /// Of a member: its name.
        var name: String
    }

    /// So deep may lists and objects be: what "limits"."json_depth" of the library may be at most.
    static let deepest = 1000
    /// Objects with more members than this are read through a table of their names.
    private static let few = 16

    let bytes: [UInt8]
    private(set) var places: [Place] = []
    private var tables: [Int: [String: Int]] = [:]

    init(parsing bytes: [UInt8]) throws {
        self.bytes = bytes
        var parser = Parser()
        places = try bytes.withUnsafeBufferPointer { try parser.parse($0, reserving: 16 + $0.count / 32) }
    }

    // MARK: Values

    /// The place of a member; the last one where a name comes twice.
    func member(_ name: String, of object: Int) -> Int? {
        if places[object].count > Self.few {
            guard let at = table(of: object)[name], places[at].name.isSame(as: name) else { return nil }
            return at
        }
        var found: Int?
        var at = object + 1
        let end = places[object].next
        while at < end {
            if places[at].name.isSame(as: name) { found = at }
            at = places[at].next
        }
        return found
    }

    private func table(of object: Int) -> [String: Int] {
        if let table = tables[object] { return table }
        var table = [String: Int](minimumCapacity: places[object].count)
        for at in children(of: object) { table[places[at].name] = at }
        tables[object] = table
        return table
    }

    func children(of place: Int) -> [Int] {
        var all: [Int] = []
        all.reserveCapacity(places[place].count)
        var at = place + 1
        let end = places[place].next
        while at < end {
            all.append(at)
            at = places[at].next
        }
        return all
    }

    /// Fails for what is no object, and for one that a dictionary of Swift cannot hold: a schema counts two names that Swift takes for one.
    func needObject(_ type: Any.Type, at: Int) throws {
        guard places[at].kind == .object else { throw mismatch(type, at) }
        if !places[at].isAmbiguous { return }
        var spellings: [String: String] = [:]
        for name in children(of: at).map({ places[$0].name }) {
            if let other = spellings.updateValue(name, forKey: name), !other.isSame(as: name) {
                throw corrupted("it has the names \"\(scalars(of: other))\" and \"\(scalars(of: name))\", which are one for Swift", at)
            }
        }
    }

    func isNull(_ at: Int) -> Bool { places[at].kind == .null }

    func bool(at: Int) throws -> Bool {
        switch places[at].kind {
        case .yes: return true
        case .no: return false
        default: throw mismatch(Bool.self, at)
        }
    }

    func string(at: Int) throws -> String {
        let place = places[at]
        switch place.kind {
        case .string: return String(decoding: bytes[place.start..<place.end], as: UTF8.self)
        case .escaped: return unescaped(bytes[place.start..<place.end])
        default: throw mismatch(String.self, at)
        }
    }

    /// The digits of a number.
    private func digits(_ type: Any.Type, at: Int) throws -> String {
        let place = places[at]
        guard place.kind == .number else { throw mismatch(type, at) }
        return String(decoding: bytes[place.start..<place.end], as: UTF8.self)
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type, at: Int) throws -> Number {
        let place = places[at]
        guard place.kind == .number else { throw mismatch(type, at) }
        if let small = smallInteger(place), let number = Number(exactly: small) { return number }
        let text = try digits(type, at: at)
        if let number = Number(text) { return number }
        // As 1.0 or 1e3. What has 17 digits or more a Double could change.
        if text.contains(where: { $0 == "." || $0 == "e" || $0 == "E" }), let double = Double(text), abs(double) <= 0x20_0000_0000_0000,
            let number = Number(exactly: double)
        {
            return number
        }
        throw unfit(text, type, at)
    }

    /// A number of at most 15 digits and a sign, which is most of them.
    private func smallInteger(_ place: Place) -> Int64? {
        if place.end - place.start > 15 { return nil }
        var value: Int64 = 0
        var at = place.start
        let isNegative = bytes[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        while at < place.end {
            let digit = bytes[at] &- UInt8(ascii: "0")
            if digit > 9 { return nil }
            value = value * 10 + Int64(digit)
            at += 1
        }
        // -0 is a number of its own for a Double.
        return isNegative ? (value == 0 ? nil : -value) : value
    }

    func double(at: Int) throws -> Double {
        let place = places[at]
        guard place.kind == .number else { throw mismatch(Double.self, at) }
        if let small = smallInteger(place) { return Double(small) }
        let text = try digits(Double.self, at: at)
        guard let value = Double(text), value.isFinite else { throw unfit(text, Double.self, at) }
        return value
    }

    func float(at: Int) throws -> Float {
        let text = try digits(Float.self, at: at)
        guard let value = Float(text), value.isFinite else { throw unfit(text, Float.self, at) }
        return value
    }

    /// Without calling itself for what lists and objects hold, since a peer chooses how deep that is: the values are taken from the last
    /// one to the first, and a list or an object finds what it holds at the end of those that are made.
    func json(at: Int) throws -> JSONValue {
        if places[at].kind.rawValue < Kind.array.rawValue { return try scalar(at: at) }
        var made: [JSONValue] = []
        for place in stride(from: places[at].next - 1, through: at, by: -1) {
            let count = places[place].count
            switch places[place].kind {
            case .array:
                let all = Array(made.suffix(count).reversed())
                made.removeLast(count)
                made.append(.array(all))
            case .object:
                try needObject([String: JSONValue].self, at: place)
                var all = [String: JSONValue](minimumCapacity: count)
                var child = place + 1
                for _ in 0..<count {
                    all[places[child].name] = made.removeLast()
                    child = places[child].next
                }
                made.append(.object(all))
            default: made.append(try scalar(at: place))
            }
        }
        return made[0]
    }

    private func scalar(at: Int) throws -> JSONValue {
        switch places[at].kind {
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .number: return .number(try double(at: at))
        case .string, .escaped: return .string(try string(at: at))
        case .null, .array, .object: return .null
        }
    }

    private func members(at: Int) throws -> [String: JSONValue] {
        guard case .object(let all) = try json(at: at) else { throw mismatch([String: JSONValue].self, at) }
        return all
    }

    /// A value of any type. The ones that Foundation's reader treats by itself are treated the same way here.
    func value<Value: Decodable>(at: Int, as type: Value.Type) throws -> Value {
        func same<Known>(_ known: Known) -> Value { known as! Value }
        if type == String.self { return same(try string(at: at)) }
        if type == Bool.self { return same(try bool(at: at)) }
        if type == Int.self { return same(try integer(Int.self, at: at)) }
        if type == Double.self { return same(try double(at: at)) }
        if type == JSONValue.self { return same(try json(at: at)) }
        if type == [String: JSONValue].self { return same(try members(at: at)) }
        if type == Date.self { return same(try date(at: at)) }
        if type == Data.self {
            guard let data = Data(base64Encoded: try string(at: at)) else { throw corrupted("it is not Base64", at) }
            return same(data)
        }
        if type == URL.self {
            guard let url = URL(string: try string(at: at)) else { throw corrupted("it is not a URL", at) }
            return same(url)
        }
        if type == Decimal.self {
            let text = try digits(Decimal.self, at: at)
            guard let number = Decimal(string: text), !number.isNaN else { throw unfit(text, Decimal.self, at) }
            return same(number)
        }
        if type == CallToolResult.self, let result = try toolResult(at: at) { return same(result) }
        return try Value(from: PlaceDecoder(text: self, at: at))
    }

    /// The result of a tool without the containers of `Decodable`, as most calls have one; nil for what is no object.
    private func toolResult(at: Int) throws -> CallToolResult? {
        guard places[at].kind == .object else { return nil }
        try needObject(CallToolResult.self, at: at)
        var result = CallToolResult(content: [])
        var child = at + 1
        while child < places[at].next {
            let isThere = !isNull(child)
            switch places[child].name {
            case "content": result.content = isThere ? try contents(at: child) : []
            case "_meta": result.meta = isThere ? try members(at: child) : nil
            case "isError": result.isError = isThere ? try bool(at: child) : nil
            case "resultType": result.resultType = isThere ? try string(at: child) : nil
            case "structuredContent": result.structuredContent = isThere ? try json(at: child) : nil
            default: result.additional[places[child].name] = try json(at: child)
            }
            child = places[child].next
        }
        return result
    }

    private func contents(at: Int) throws -> [ContentBlock] {
        guard places[at].kind == .array else { throw mismatch([ContentBlock].self, at) }
        var all: [ContentBlock] = []
        all.reserveCapacity(places[at].count)
        var child = at + 1
        while child < places[at].next {
            // A text with nothing beside it.
            if places[child].kind == .object, places[child].count == 2, let type = member("type", of: child),
                let text = member("text", of: child), places[type].kind == .string, try string(at: type) == "text"
            {
                all.append(.text(TextContent(text: try string(at: text))))
            } else {
                all.append(try value(at: child, as: ContentBlock.self))
            }
            child = places[child].next
        }
        return all
    }

    private func date(at: Int) throws -> Date {
        let text = try string(at: at)
        let formatter = ISO8601DateFormatter()
        if let date = formatter.date(from: text) { return date }
        formatter.formatOptions.insert(.withFractionalSeconds)
        if let date = formatter.date(from: text) { return date }
        throw corrupted("it is not a time of ISO 8601, as 2026-01-02T03:04:05Z", at)
    }

    // MARK: Failures

    /// The names and numbers that lead to a place. Only failures and few types ask.
    func path(to place: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var at = place
        while places[at].parent >= 0 {
            let parent = Int(places[at].parent)
            path.append(places[parent].kind == .array ? AnyKey(index: Int(places[at].index)) : AnyKey(stringValue: places[at].name))
            at = parent
        }
        return path.reversed()
    }

    func mismatch(_ type: Any.Type, _ at: Int) -> any Error {
        let found = switch places[at].kind {
        case .null: "null"
        case .yes, .no: "a truth value"
        case .number: "a number"
        case .string, .escaped: "a string"
        case .array: "a list"
        case .object: "an object"
        }
        let context = DecodingError.Context(codingPath: path(to: at), debugDescription: "Expected to decode \(type) but found \(found) instead.")
        return places[at].kind == .null ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
    }

    private func unfit(_ number: String, _ type: Any.Type, _ at: Int) -> any Error {
        corrupted("the number \(number) does not fit in \(type)", at)
    }

    private func corrupted(_ why: String, _ at: Int) -> any Error {
        DecodingError.dataCorrupted(DecodingError.Context(codingPath: path(to: at), debugDescription: why))
    }
}

/// What a type reads a value from.
struct PlaceDecoder: Decoder, SingleValueDecodingContainer {
    fileprivate let text: WireText
    fileprivate let at: Int

    /// The members that keys do not name.
    func others<Key: CodingKey>(than known: Key.Type) throws -> [String: JSONValue] {
        try text.needObject([String: Any].self, at: at)
        var members: [String: JSONValue] = [:]
        for child in text.children(of: at) where Key(same: text.places[child].name) == nil {
            members[text.places[child].name] = try text.json(at: child)
        }
        return members
    }

    /// The string with that name; empty for none.
    func tag(named name: String) throws -> String {
        try text.needObject([String: Any].self, at: at)
        return text.member(name, of: at).flatMap { try? text.string(at: $0) } ?? ""
    }

    var codingPath: [any CodingKey] { text.path(to: at) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try text.needObject([String: Any].self, at: at)
        return KeyedDecodingContainer(Members<Key>(text: text, at: at))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard text.places[at].kind == .array else { throw text.mismatch([Any].self, at) }
        return Elements(text: text, at: at)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { text.isNull(at) }
    func decode(_ type: Bool.Type) throws -> Bool { try text.bool(at: at) }
    func decode(_ type: String.Type) throws -> String { try text.string(at: at) }
    func decode(_ type: Double.Type) throws -> Double { try text.double(at: at) }
    func decode(_ type: Float.Type) throws -> Float { try text.float(at: at) }
    func decode(_ type: Int.Type) throws -> Int { try text.integer(type, at: at) }
    func decode(_ type: Int8.Type) throws -> Int8 { try text.integer(type, at: at) }
    func decode(_ type: Int16.Type) throws -> Int16 { try text.integer(type, at: at) }
    func decode(_ type: Int32.Type) throws -> Int32 { try text.integer(type, at: at) }
    func decode(_ type: Int64.Type) throws -> Int64 { try text.integer(type, at: at) }
    func decode(_ type: UInt.Type) throws -> UInt { try text.integer(type, at: at) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try text.integer(type, at: at) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try text.integer(type, at: at) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try text.integer(type, at: at) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try text.integer(type, at: at) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try text.value(at: at, as: type) }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let text: WireText
    let at: Int

    var codingPath: [any CodingKey] { text.path(to: at) }
    var allKeys: [Key] {
        var seen = Set<String>(minimumCapacity: text.places[at].count)
        return text.children(of: at).compactMap { child in
            let name = text.places[child].name
            guard seen.insert(name).inserted, let key = Key(stringValue: name) else { return nil }
            // Names that an enumeration of keys takes for its own, and that are other ones.
            return key.stringValue == name && !key.stringValue.isSame(as: name) ? nil : key
        }
    }

    func contains(_ key: Key) -> Bool { text.member(key.stringValue, of: at) != nil }

    private func place(_ key: any CodingKey) throws -> Int {
        if let place = text.member(key.stringValue, of: at) { return place }
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "No value associated with key \(key.stringValue).")
        throw DecodingError.keyNotFound(key, context)
    }

    /// The place of a member that is there and not null.
    private func present(_ key: Key) -> Int? {
        guard let place = text.member(key.stringValue, of: at), !text.isNull(place) else { return nil }
        return place
    }

    func decodeNil(forKey key: Key) throws -> Bool { text.isNull(try place(key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try text.bool(at: place(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try text.string(at: place(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try text.double(at: place(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try text.float(at: place(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try text.integer(type, at: place(key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try text.integer(type, at: place(key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try text.integer(type, at: place(key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try text.integer(type, at: place(key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try text.integer(type, at: place(key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try text.integer(type, at: place(key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try text.integer(type, at: place(key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try text.integer(type, at: place(key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try text.integer(type, at: place(key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try text.integer(type, at: place(key)) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try text.value(at: place(key), as: type) }

    // The standard library's own look three times for the member.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key).map { try text.bool(at: $0) } }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key).map { try text.string(at: $0) } }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key).map { try text.double(at: $0) } }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key).map { try text.integer(type, at: $0) } }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try text.value(at: $0, as: type) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try PlaceDecoder(text: text, at: place(key)).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try PlaceDecoder(text: text, at: place(key)).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { PlaceDecoder(text: text, at: try place(AnyKey(stringValue: "super"))) }
    func superDecoder(forKey key: Key) throws -> any Decoder { PlaceDecoder(text: text, at: try place(key)) }
}

private struct Elements: UnkeyedDecodingContainer {
    let text: WireText
    let at: Int
    private var place: Int
    private(set) var currentIndex = 0

    init(text: WireText, at: Int) {
        self.text = text
        self.at = at
        place = at + 1
    }

    var codingPath: [any CodingKey] { text.path(to: at) }
    var count: Int? { text.places[at].count }
    var isAtEnd: Bool { place >= text.places[at].next }

    /// Reads the element; a failure does not go on to the next one.
    private mutating func take<Value>(_ type: Value.Type, _ read: (Int) throws -> Value) throws -> Value {
        if isAtEnd {
            let context = DecodingError.Context(
                codingPath: codingPath + [AnyKey(index: currentIndex)], debugDescription: "Unkeyed container is at end.")
            throw DecodingError.valueNotFound(type, context)
        }
        let value = try read(place)
        place = text.places[place].next
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        let text = text
        if !isAtEnd && !text.isNull(place) { return false }
        return try take(Bool.self) { text.isNull($0) }
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let text = text
        return try take(type) { try text.value(at: $0, as: type) }
    }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        let text = text
        return try take(KeyedDecodingContainer<Nested>.self) { try PlaceDecoder(text: text, at: $0).container(keyedBy: type) }
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let text = text
        return try take((any UnkeyedDecodingContainer).self) { try PlaceDecoder(text: text, at: $0).unkeyedContainer() }
    }
    mutating func superDecoder() throws -> any Decoder {
        let text = text
        return try take((any Decoder).self) { PlaceDecoder(text: text, at: $0) }
    }
}

// MARK: The parser

/// Parses one text (RFC 8259). The library has checked what it gives out; texts of a program are not checked by anything else.
private struct Parser {
    private var at = 0
    private var places: [WireText.Place] = []
    /// The lists and objects that have begun, each in the one before. A function that called itself would need 2 KiB of the stack for each
    /// in a debug build.
    private var open: [Int] = []

    mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>, reserving: Int) throws -> [WireText.Place] {
        if bytes.count > Int32.max { throw broken(bytes, "at most \(Int32.max) bytes") }
        places.reserveCapacity(reserving)
        skip(bytes)
        try value(bytes, name: "")
        while let holder = open.last { try next(bytes, of: holder) }
        skip(bytes)
        if at != bytes.count { throw broken(bytes, "the end of the text") }
        return places
    }

    private mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>) {
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x0A || bytes[at] == 0x0D || bytes[at] == 0x09 { at += 1 }
    }

    private func broken(_ bytes: UnsafeBufferPointer<UInt8>, _ expected: String) -> any Error {
        let context = DecodingError.Context(
            codingPath: [], debugDescription: "the text is not JSON: expected \(expected) at byte \(at) of \(bytes.count)")
        return DecodingError.dataCorrupted(context)
    }

    private mutating func value(_ bytes: UnsafeBufferPointer<UInt8>, name: String) throws {
        guard at < bytes.count else { throw broken(bytes, "a value") }
        let place = places.count
        let holder = open.last
        places.append(
            WireText.Place(
                kind: .null, parent: Int32(holder ?? -1), index: Int32(holder.map { places[$0].count } ?? 0), start: at, end: at,
                next: place + 1, count: 0, name: name))
        if let holder { places[holder].count += 1 }
        switch bytes[at] {
        case UInt8(ascii: "\""):
            let (start, end, isEscaped) = try string(bytes)
            places[place].kind = isEscaped ? .escaped : .string
            places[place].start = start
            places[place].end = end
        case UInt8(ascii: "{"): try begin(bytes, .object, place)
        case UInt8(ascii: "["): try begin(bytes, .array, place)
        case UInt8(ascii: "t"): try word(bytes, "true", .yes, place)
        case UInt8(ascii: "f"): try word(bytes, "false", .no, place)
        case UInt8(ascii: "n"): try word(bytes, "null", .null, place)
        default:
            try number(bytes)
            places[place].kind = .number
            places[place].end = at
        }
    }

    private mutating func word(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString, _ kind: WireText.Kind, _ index: Int) throws {
        for offset in 0..<word.utf8CodeUnitCount {
            guard at < bytes.count, bytes[at] == word.utf8Start[offset] else { throw broken(bytes, "\(word)") }
            at += 1
        }
        places[index].kind = kind
    }

    private mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>, _ kind: WireText.Kind, _ place: Int) throws {
        if open.count >= WireText.deepest { throw broken(bytes, "at most \(WireText.deepest) lists and objects in one another") }
        at += 1
        places[place].kind = kind
        open.append(place)
    }

    /// Takes the next value of a list or an object, or its end.
    private mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, of holder: Int) throws {
        let isObject = places[holder].kind == .object
        skip(bytes)
        guard at < bytes.count else { throw broken(bytes, isObject ? "a comma or }" : "a comma or ]") }
        if bytes[at] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            at += 1
            open.removeLast()
            places[holder].next = places.count
            // It was set for a name that is not ASCII.
            if places[holder].isAmbiguous { places[holder].isAmbiguous = isAmbiguous(holder) }
            return
        }
        if places[holder].count > 0 {
            guard bytes[at] == UInt8(ascii: ",") else { throw broken(bytes, isObject ? "a comma or }" : "a comma or ]") }
            at += 1
            skip(bytes)
        }
        if !isObject { return try value(bytes, name: "") }
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { throw broken(bytes, "the name of a member") }
        let (start, end, isEscaped) = try string(bytes)
        let part = UnsafeBufferPointer(rebasing: bytes[start..<end])
        let name = isEscaped ? unescaped(bytes[start..<end]) : String(decoding: part, as: UTF8.self)
        if !places[holder].isAmbiguous, !name.utf8.allSatisfy({ $0 < 0x80 }) { places[holder].isAmbiguous = true }
        skip(bytes)
        guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { throw broken(bytes, "a colon") }
        at += 1
        skip(bytes)
        try value(bytes, name: name)
    }

    /// Texts of ASCII are the same only with the same bytes.
    private func isAmbiguous(_ object: Int) -> Bool {
        var spellings = [String: String](minimumCapacity: places[object].count)
        var child = object + 1
        while child < places.count {
            let name = places[child].name
            if let other = spellings.updateValue(name, forKey: name), !other.isSame(as: name) { return true }
            child = places[child].next
        }
        return false
    }

    private mutating func number(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        func isDigit(_ at: Int) -> Bool { at < bytes.count && bytes[at] &- UInt8(ascii: "0") <= 9 }
        if at < bytes.count, bytes[at] == UInt8(ascii: "-") { at += 1 }
        guard isDigit(at) else { throw broken(bytes, "a value") }
        if bytes[at] == UInt8(ascii: "0") { at += 1 } else { while isDigit(at) { at += 1 } }
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            at += 1
            guard isDigit(at) else { throw broken(bytes, "a digit") }
            while isDigit(at) { at += 1 }
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            guard isDigit(at) else { throw broken(bytes, "a digit") }
            while isDigit(at) { at += 1 }
        }
    }

    /// From the quote before it to after that behind it: where the text within is, and whether it has escapes.
    private mutating func string(_ bytes: UnsafeBufferPointer<UInt8>) throws -> (start: Int, end: Int, isEscaped: Bool) {
        at += 1
        let start = at
        var isEscaped = false
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                at += 1
                return (start, at - 1, isEscaped)
            }
            if byte < 0x20 { throw broken(bytes, "no control character in a string") }
            if byte == UInt8(ascii: "\\") {
                isEscaped = true
                at += 1
                guard at < bytes.count else { break }
                if bytes[at] == UInt8(ascii: "u") {
                    for _ in 0..<4 {
                        at += 1
                        guard at < bytes.count, hex(bytes[at]) != nil else { throw broken(bytes, "four hexadecimal digits") }
                    }
                } else if !"\"\\/bfnrt".utf8.contains(bytes[at]) {
                    throw broken(bytes, "an escape of JSON")
                }
            }
            at += 1
        }
        throw broken(bytes, "the end of a string")
    }
}

extension String {
    /// Whether the bytes are the same, as names are the same in JSON. For == some others are, too: "\u{212A}" is "K".
    func isSame(as other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }
}

extension CodingKey {
    /// The key with this name, byte by byte: what the compiler writes for an enumeration compares with ==.
    init?(same name: String) {
        self.init(stringValue: name)
        if !stringValue.isSame(as: name) { return nil }
    }
}

/// A text in ASCII, which shows in what two names differ.
private func scalars(of text: String) -> String { text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }

private func hex(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): return UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): return UInt32(byte - UInt8(ascii: "A") + 10)
    default: return nil
    }
}

/// The text of a string with escapes, which the parser has checked. Half of a surrogate pair becomes U+FFFD.
private func unescaped<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes) -> String where Bytes.Index == Int {
    var text = [UInt8]()
    text.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    func unit(_ start: Int) -> UInt32 { (0..<4).reduce(0) { $0 << 4 | (hex(bytes[start + $1]) ?? 0) } }
    while at < bytes.endIndex {
        let byte = bytes[at]
        if byte != UInt8(ascii: "\\") {
            text.append(byte)
            at += 1
            continue
        }
        switch bytes[at + 1] {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = unit(at + 2)
            at += 4
            // The other half follows as \uDC00 to \uDFFF.
            if code & 0xFC00 == 0xD800, at + 8 <= bytes.endIndex, bytes[at + 2] == UInt8(ascii: "\\"), bytes[at + 3] == UInt8(ascii: "u"),
                unit(at + 4) & 0xFC00 == 0xDC00
            {
                code = 0x10000 + (code & 0x3FF) << 10 + unit(at + 4) & 0x3FF
                at += 6
            }
            text.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
        default: text.append(bytes[at + 1])
        }
        at += 2
    }
    return String(decoding: text, as: UTF8.self)
}
