import Foundation

/// A JSON Schema, written down or taken from a `Decodable` type.
///
/// ```swift
/// let schema = Schema.object {
///     Property("city", .string("the name of the city"))
///     Property("days", .integer("how many days", from: 1, to: 7), isRequired: false)
/// }
/// ```
public struct Schema: Hashable, Sendable, Codable {
    /// The schema as JSON.
    public var json: [String: JSONValue]

    /// A schema that is written in JSON.
    public init(json: [String: JSONValue]) { self.json = json }

    public init(from decoder: any Decoder) throws { json = try [String: JSONValue](from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    private init(_ type: String, _ description: String?, _ more: [String: JSONValue?] = [:]) {
        json = more.compactMapValues { $0 }
        json["type"] = .string(type)
        if let description { json["description"] = .string(description) }
    }

    /// A string; with `values`, one of these.
    public static func string(_ description: String? = nil, values: [String]? = nil) -> Schema {
        Schema("string", description, ["enum": values.map { .array($0.map { .string($0) }) }])
    }

    /// A whole number.
    public static func integer(_ description: String? = nil, from least: Int? = nil, to most: Int? = nil) -> Schema {
        Schema("integer", description, ["minimum": least.map { .number(Double($0)) }, "maximum": most.map { .number(Double($0)) }])
    }

    /// A number.
    public static func number(_ description: String? = nil, from least: Double? = nil, to most: Double? = nil) -> Schema {
        Schema("number", description, ["minimum": least.map { .number($0) }, "maximum": most.map { .number($0) }])
    }

    /// True or false.
    public static func boolean(_ description: String? = nil) -> Schema { Schema("boolean", description) }

    /// A list.
    public static func array(_ description: String? = nil, of items: Schema) -> Schema {
        Schema("array", description, ["items": .object(items.json)])
    }

    /// An object with these properties.
    public static func object(_ description: String? = nil, @PropertyBuilder _ properties: () -> [Property]) -> Schema {
        let properties = properties()
        let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
        let members = Dictionary(properties.map { ($0.name, JSONValue.object($0.schema.json)) }, uniquingKeysWith: { _, last in last })
        return Schema("object", description, ["properties": .object(members), "required": required.isEmpty ? nil : .array(required)])
    }

    /// The schema of a type of the program, found out by having it decode nothing.
    ///
    /// Structs, optionals, lists, dictionaries of strings and enums that are `CaseIterable` with raw values are understood. Types
    /// that conform to ``Described`` have descriptions.
    ///
    /// - Throws: `.invalidArgument` for a type that cannot be taken apart; write its schema down instead.
    public static func of<Value: Decodable>(_ type: Value.Type) throws -> Schema {
        try SchemaRecorder.schema(of: type).schema
    }
}

/// A property of an object.
public struct Property: Sendable {
    /// The name of the member.
    public let name: String
    /// What its value may be.
    public let schema: Schema
    /// Whether it must be there.
    public let isRequired: Bool

    /// A member with its schema.
    public init(_ name: String, _ schema: Schema, isRequired: Bool = true) {
        self.name = name
        self.schema = schema
        self.isRequired = isRequired
    }
}

/// Makes a list of properties.
@resultBuilder
public enum PropertyBuilder {
    /// All properties of a block.
    public static func buildBlock(_ properties: [Property]...) -> [Property] { properties.flatMap { $0 } }
    /// One property.
    public static func buildExpression(_ property: Property) -> [Property] { [property] }
    /// What `if` gives.
    public static func buildOptional(_ properties: [Property]?) -> [Property] { properties ?? [] }
    /// What `if` gives where there is an `else`.
    public static func buildEither(first properties: [Property]) -> [Property] { properties }
    /// What `else` gives.
    public static func buildEither(second properties: [Property]) -> [Property] { properties }
    /// What `for` gives.
    public static func buildArray(_ properties: [[Property]]) -> [Property] { properties.flatMap { $0 } }
}

/// A type whose properties have descriptions for models.
public protocol Described {
    /// The descriptions by the names of the properties on the wire.
    static var descriptions: [String: String] { get }
}

/// A decoder that gives each property a value that means nothing, and remembers what was asked for.
private final class SchemaRecorder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let depth: Int
    var properties: [Property] = []
    var items: Schema?
    var single: Schema?

    init(depth: Int) { self.depth = depth }

    /// How deep types may nest: a type within itself would never end.
    private static let deepest = 16

    static func unknown(_ type: Any.Type) -> MCPError {
        MCPError(
            status: .invalidArgument, message: "no schema can be made of \(type): write it down with Schema.object",
            operation: "schema")
    }

    static func schema<Value: Decodable>(of type: Value.Type, depth: Int = 0) throws -> (schema: Schema, value: Value) {
        if depth > deepest { throw unknown(type) }
        if let known = known(type) { return known }
        if let cases = type as? any CaseIterable.Type, let found = values(of: cases), let value = found.first as? Value {
            return (schema(of: found), value)
        }
        let recorder = SchemaRecorder(depth: depth)
        let value: Value
        do {
            value = try Value(from: recorder)
        } catch let error as MCPError {
            throw error
        } catch {
            throw unknown(type)
        }
        if let single = recorder.single { return (single, value) }
        if let items = recorder.items { return (.array(of: items), value) }
        // A type that has asked for nothing is a struct without properties.
        let descriptions = (type as? any Described.Type)?.descriptions ?? [:]
        let properties = recorder.properties.map { property -> Property in
            guard let text = descriptions[property.name] else { return property }
            var schema = property.schema
            schema.json["description"] = .string(text)
            return Property(property.name, schema, isRequired: property.isRequired)
        }
        return (Schema.object { for property in properties { property } }, value)
    }

    private static func known<Value>(_ type: Value.Type) -> (schema: Schema, value: Value)? {
        func pair(_ schema: Schema, _ value: Any) -> (schema: Schema, value: Value)? {
            (value as? Value).map { (schema, $0) }
        }
        switch type {
        case is String.Type: return pair(.string(), "")
        case is Bool.Type: return pair(.boolean(), false)
        case is Double.Type: return pair(.number(), 0.0)
        case is Float.Type: return pair(.number(), Float(0))
        case is Int.Type: return pair(.integer(), 0)
        case is Int8.Type: return pair(.integer(from: -128, to: 127), Int8(0))
        case is Int16.Type: return pair(.integer(from: -32768, to: 32767), Int16(0))
        case is Int32.Type: return pair(.integer(), Int32(0))
        case is Int64.Type: return pair(.integer(), Int64(0))
        case is UInt.Type: return pair(.integer(from: 0), UInt(0))
        case is UInt8.Type: return pair(.integer(from: 0, to: 255), UInt8(0))
        case is UInt16.Type: return pair(.integer(from: 0, to: 65535), UInt16(0))
        case is UInt32.Type: return pair(.integer(from: 0), UInt32(0))
        case is UInt64.Type: return pair(.integer(from: 0), UInt64(0))
        case is URL.Type: return pair(Schema(json: ["type": "string", "format": "uri"]), URL(fileURLWithPath: "/"))
        case is Decimal.Type: return pair(.number(), Decimal(0))
        case is Date.Type: return pair(Schema(json: ["type": "string", "format": "date-time"]), Date(timeIntervalSince1970: 0))
        case is UUID.Type: return pair(Schema(json: ["type": "string", "format": "uuid"]), UUID())
        case is Data.Type: return pair(Schema(json: ["type": "string", "contentEncoding": "base64"]), Data())
        case is JSONValue.Type: return pair(Schema(json: [:]), JSONValue.null)
        case is [String: String].Type:
            return pair(Schema(json: ["type": "object", "additionalProperties": ["type": "string"]]), [String: String]())
        case is [String: JSONValue].Type: return pair(Schema(json: ["type": "object"]), [String: JSONValue]())
        default: return nil
        }
    }

    private static func values<Cases: CaseIterable>(of type: Cases.Type) -> [Any]? {
        let all = Array(type.allCases)
        return all.allSatisfy { $0 is any RawRepresentable } ? all : nil
    }

    private static func schema(of cases: [Any]) -> Schema {
        let raw = cases.compactMap { ($0 as? any RawRepresentable).map { $0.rawValue as Any } }
        let texts = raw.compactMap { $0 as? String }
        if texts.count == raw.count { return .string(values: texts) }
        return Schema(json: ["type": "integer", "enum": .array(raw.compactMap { ($0 as? Int).map { .number(Double($0)) } })])
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        return KeyedDecodingContainer(Keyed<Key>(recorder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Items(recorder: self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(recorder: self) }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let recorder: SchemaRecorder
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) throws -> Bool { false }

        private func note<Value: Decodable>(_ type: Value.Type, _ key: Key, isRequired: Bool) throws -> Value {
            let (schema, value) = try SchemaRecorder.schema(of: type, depth: recorder.depth + 1)
            recorder.properties.append(Property(key.stringValue, schema, isRequired: isRequired))
            return value
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try note(type, key, isRequired: true)
        }

        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            try note(type, key, isRequired: false)
        }

        // The ones below have defaults of their own in the standard library, which ask whether the key is there.
        func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try note(type, key, isRequired: false) }
        func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try note(type, key, isRequired: false) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw SchemaRecorder.unknown(type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw SchemaRecorder.unknown(Key.self)
        }
        func superDecoder() throws -> any Decoder { throw SchemaRecorder.unknown(Key.self) }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw SchemaRecorder.unknown(Key.self) }
    }

    /// A list that has one element.
    private struct Items: UnkeyedDecodingContainer {
        let recorder: SchemaRecorder
        var codingPath: [any CodingKey] { [] }
        var count: Int? { 1 }
        var currentIndex = 0
        var isAtEnd: Bool { currentIndex > 0 }

        init(recorder: SchemaRecorder) { self.recorder = recorder }

        mutating func decodeNil() throws -> Bool { false }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            currentIndex += 1
            let (schema, value) = try SchemaRecorder.schema(of: type, depth: recorder.depth + 1)
            recorder.items = schema
            return value
        }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { throw SchemaRecorder.unknown(type) }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw SchemaRecorder.unknown(Int.self) }
        mutating func superDecoder() throws -> any Decoder { throw SchemaRecorder.unknown(Int.self) }
    }

    private struct Single: SingleValueDecodingContainer {
        let recorder: SchemaRecorder
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let (schema, value) = try SchemaRecorder.schema(of: type, depth: recorder.depth + 1)
            recorder.single = schema
            return value
        }
    }
}
