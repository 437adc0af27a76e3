import Foundation

// The writer of JSON for all that is sent, beside the reader in WireDecoder.swift.

/// Writes values of `Encodable` types as JSON text: a `Date` as a text of ISO 8601, `Data` as Base64, numbers with all their digits.
struct WireEncoder {
    func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
        if let json = value as? JSONValue, notFinite(json) == nil {
            var text: [UInt8] = []
            text.reserveCapacity(256)
            put(json, to: &text)
            return text
        }
        let tree = WireTree()
        let root = tree.addRoot()
        try tree.set(root, value)
        return tree.text()
    }
}

/// What is being encoded. Containers may be filled in any order and asked for again, so that only the end has the text.
private final class WireTree {
    enum Kind: UInt8 { case empty, scalar, array, object }

    struct Node {
        var kind = Kind.empty
        /// Of a member: its name.
        var name = ""
        let parent: Int
        /// How many nodes are before it there.
        var index = 0
        /// Where its text is in `scalars`.
        var start = 0
        var end = 0
        /// What it holds, in its order: the numbers of nodes.
        var first = -1
        var last = -1
        var next = -1
        var count = 0
    }

    /// Objects with more members than this find one through a table of their names.
    private static let few = 16

    private(set) var nodes: [Node] = []
    /// The texts of all values that hold no others.
    private var scalars: [UInt8] = []
    private var tables: [Int: [String: Int]] = [:]

    init() {
        nodes.reserveCapacity(16)
        scalars.reserveCapacity(256)
    }

    func addRoot() -> Int {
        nodes.append(Node(parent: -1))
        return 0
    }

    // MARK: Structure

    /// Says what a node holds. Asked twice, it keeps what it has.
    func begin(_ node: Int, _ kind: Kind) {
        if nodes[node].kind == kind { return }
        nodes[node].kind = kind
        nodes[node].first = -1
        nodes[node].last = -1
        nodes[node].count = 0
        tables[node] = nil
    }

    /// The node of a member; a name that comes twice has the value that came last.
    func member(_ name: String, of object: Int) -> Int {
        if nodes[object].count > Self.few {
            if let known = table(of: object)[name] { return known }
        } else {
            var at = nodes[object].first
            while at >= 0 {
                if nodes[at].name == name { return at }
                at = nodes[at].next
            }
        }
        let node = append(to: object)
        nodes[node].name = name
        if tables[object] != nil { tables[object]?[name] = node }
        return node
    }

    private func table(of object: Int) -> [String: Int] {
        if let table = tables[object] { return table }
        var table: [String: Int] = [:]
        var at = nodes[object].first
        while at >= 0 {
            table[nodes[at].name] = at
            at = nodes[at].next
        }
        tables[object] = table
        return table
    }

    func append(to parent: Int) -> Int {
        let node = nodes.count
        nodes.append(Node(parent: parent, index: nodes[parent].count))
        let last = nodes[parent].last
        if last < 0 { nodes[parent].first = node } else { nodes[last].next = node }
        nodes[parent].last = node
        nodes[parent].count += 1
        return node
    }

    /// The names and numbers that lead to a node. Only failures and few types ask.
    func path(to node: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var at = node
        while nodes[at].parent >= 0 {
            let parent = nodes[at].parent
            path.append(nodes[parent].kind == .array ? AnyKey(index: nodes[at].index) : AnyKey(stringValue: nodes[at].name))
            at = parent
        }
        return path.reversed()
    }

    // MARK: Values

    private func setText(_ node: Int, _ write: (inout [UInt8]) throws -> Void) rethrows {
        nodes[node].kind = .scalar
        nodes[node].start = scalars.count
        try write(&scalars)
        nodes[node].end = scalars.count
    }

    func setNull(_ node: Int) { setText(node) { $0.append(contentsOf: "null".utf8) } }
    func set(_ node: Int, _ value: Bool) { setText(node) { put(value, to: &$0) } }
    func set(_ node: Int, _ value: String) { setText(node) { put(value, to: &$0) } }
    func set<Number: FixedWidthInteger>(_ node: Int, integer: Number) { setText(node) { put(integer: integer, to: &$0) } }

    func set(_ node: Int, _ value: Double) throws {
        guard value.isFinite else { throw unfit(value, node) }
        setText(node) { put(value, to: &$0) }
    }

    func set(_ node: Int, _ value: Float) throws {
        guard value.isFinite else { throw unfit(value, node) }
        setText(node) { $0.append(contentsOf: digits("\(value)").utf8) }
    }

    func set(_ node: Int, _ value: JSONValue) throws {
        if let number = notFinite(value) { throw unfit(number, node) }
        setText(node) { put(value, to: &$0) }
    }

    /// A value of any type. The ones that Foundation's writer treats by itself are treated the same way here.
    func set<Value: Encodable>(_ node: Int, _ value: Value) throws {
        switch value {
        case let text as String: set(node, text)
        case let json as JSONValue: try set(node, json)
        case let date as Date: set(node, time(date))
        case let data as Data: set(node, data.base64EncodedString())
        case let url as URL: set(node, url.absoluteString)
        case let number as Decimal:
            if number.isNaN { throw unfit(number, node) }
            setText(node) { $0.append(contentsOf: number.description.utf8) }
        default:
            try value.encode(to: NodeEncoder(tree: self, node: node))
        }
    }

    private func unfit(_ value: Any, _ node: Int) -> any Error {
        let context = EncodingError.Context(codingPath: path(to: node), debugDescription: "JSON has no number \(value).")
        return EncodingError.invalidValue(value, context)
    }

    // MARK: The text

    func text() -> [UInt8] {
        // One value alone.
        if nodes[0].kind == .scalar, nodes[0].start == 0, nodes[0].end == scalars.count { return scalars }
        var text: [UInt8] = []
        text.reserveCapacity(scalars.count + 16 * nodes.count)
        write(0, to: &text)
        return text
    }

    private func write(_ node: Int, to text: inout [UInt8]) {
        switch nodes[node].kind {
        // A type that encoded nothing is an object without members, as Foundation has it.
        case .empty: text.append(contentsOf: "{}".utf8)
        case .scalar: text.append(contentsOf: scalars[nodes[node].start..<nodes[node].end])
        case .array, .object:
            let isObject = nodes[node].kind == .object
            text.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
            var at = nodes[node].first
            while at >= 0 {
                if isObject {
                    put(nodes[at].name, to: &text)
                    text.append(UInt8(ascii: ":"))
                }
                write(at, to: &text)
                at = nodes[at].next
                if at >= 0 { text.append(UInt8(ascii: ",")) }
            }
            text.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }
}

// MARK: Texts of values

private func put(_ value: Bool, to text: inout [UInt8]) { text.append(contentsOf: (value ? "true" : "false").utf8) }

private func put<Number: FixedWidthInteger>(integer: Number, to text: inout [UInt8]) {
    if integer >= 0 && integer <= 9 {
        text.append(UInt8(ascii: "0") + UInt8(integer))
    } else {
        text.append(contentsOf: String(integer).utf8)
    }
}

/// Whole numbers without a fraction: servers that ask for integers want them so.
private func put(_ value: Double, to text: inout [UInt8]) {
    if let whole = Int64(exactly: value), value != 0 || value.sign == .plus {
        put(integer: whole, to: &text)
    } else {
        text.append(contentsOf: digits("\(value)").utf8)
    }
}

/// What Swift writes of a number as JSON has it: 1.0 is 1.
private func digits(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }

private func put(_ value: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { bytes in
        var done = 0
        for at in 0..<bytes.count {
            let byte = bytes[at]
            if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
            text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[done..<at]))
            done = at + 1
            text.append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(byte)
            case 0x08: text.append(UInt8(ascii: "b"))
            case 0x09: text.append(UInt8(ascii: "t"))
            case 0x0A: text.append(UInt8(ascii: "n"))
            case 0x0C: text.append(UInt8(ascii: "f"))
            case 0x0D: text.append(UInt8(ascii: "r"))
            default:
                text.append(contentsOf: "u00".utf8)
                for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10) }
            }
        }
        text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[done...]))
    }
    text.append(UInt8(ascii: "\""))
}

private func put(_ value: JSONValue, to text: inout [UInt8]) {
    switch value {
    case .null: text.append(contentsOf: "null".utf8)
    case .bool(let value): put(value, to: &text)
    case .number(let value): put(value, to: &text)
    case .string(let value): put(value, to: &text)
    case .array(let values):
        text.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            put(value, to: &text)
        }
        text.append(UInt8(ascii: "]"))
    case .object(let members):
        text.append(UInt8(ascii: "{"))
        var isFirst = true
        for (name, value) in members {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            put(name, to: &text)
            text.append(UInt8(ascii: ":"))
            put(value, to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }
}

/// A number that JSON cannot have; nil if all are numbers.
private func notFinite(_ value: JSONValue) -> Double? {
    switch value {
    case .number(let number): return number.isFinite ? nil : number
    case .array(let values):
        for value in values { if let number = notFinite(value) { return number } }
    case .object(let members):
        for value in members.values { if let number = notFinite(value) { return number } }
    case .null, .bool, .string: break
    }
    return nil
}

private func time(_ date: Date) -> String {
    let formatter = ISO8601DateFormatter()
    let isWhole = date.timeIntervalSinceReferenceDate == date.timeIntervalSinceReferenceDate.rounded()
    if !isWhole { formatter.formatOptions.insert(.withFractionalSeconds) }
    return formatter.string(from: date)
}

// MARK: Containers

/// What a type writes a value to.
private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
    let tree: WireTree
    let node: Int

    var codingPath: [any CodingKey] { tree.path(to: node) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tree.begin(node, .object)
        return KeyedEncodingContainer(Members<Key>(tree: tree, node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        tree.begin(node, .array)
        return Elements(tree: tree, node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { tree.setNull(node) }
    func encode(_ value: Bool) { tree.set(node, value) }
    func encode(_ value: String) { tree.set(node, value) }
    func encode(_ value: Double) throws { try tree.set(node, value) }
    func encode(_ value: Float) throws { try tree.set(node, value) }
    func encode(_ value: Int) { tree.set(node, integer: value) }
    func encode(_ value: Int8) { tree.set(node, integer: value) }
    func encode(_ value: Int16) { tree.set(node, integer: value) }
    func encode(_ value: Int32) { tree.set(node, integer: value) }
    func encode(_ value: Int64) { tree.set(node, integer: value) }
    func encode(_ value: UInt) { tree.set(node, integer: value) }
    func encode(_ value: UInt8) { tree.set(node, integer: value) }
    func encode(_ value: UInt16) { tree.set(node, integer: value) }
    func encode(_ value: UInt32) { tree.set(node, integer: value) }
    func encode(_ value: UInt64) { tree.set(node, integer: value) }
    func encode<Value: Encodable>(_ value: Value) throws { try tree.set(node, value) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tree: WireTree
    let node: Int

    var codingPath: [any CodingKey] { tree.path(to: node) }

    private func at(_ key: Key) -> Int { tree.member(key.stringValue, of: node) }

    func encodeNil(forKey key: Key) { tree.setNull(at(key)) }
    func encode(_ value: Bool, forKey key: Key) { tree.set(at(key), value) }
    func encode(_ value: String, forKey key: Key) { tree.set(at(key), value) }
    func encode(_ value: Double, forKey key: Key) throws { try tree.set(at(key), value) }
    func encode(_ value: Float, forKey key: Key) throws { try tree.set(at(key), value) }
    func encode(_ value: Int, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode(_ value: Int8, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode(_ value: Int16, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode(_ value: Int32, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode(_ value: Int64, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode(_ value: UInt, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode(_ value: UInt8, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode(_ value: UInt16, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode(_ value: UInt32, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode(_ value: UInt64, forKey key: Key) { tree.set(at(key), integer: value) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try tree.set(at(key), value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        NodeEncoder(tree: tree, node: at(key)).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        NodeEncoder(tree: tree, node: at(key)).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { NodeEncoder(tree: tree, node: tree.member("super", of: node)) }
    func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(tree: tree, node: at(key)) }
}

private struct Elements: UnkeyedEncodingContainer {
    let tree: WireTree
    let node: Int

    var codingPath: [any CodingKey] { tree.path(to: node) }
    var count: Int { tree.nodes[node].count }

    private func added() -> Int { tree.append(to: node) }

    func encodeNil() { tree.setNull(added()) }
    func encode<Value: Encodable>(_ value: Value) throws { try tree.set(added(), value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        NodeEncoder(tree: tree, node: added()).container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { NodeEncoder(tree: tree, node: added()).unkeyedContainer() }
    func superEncoder() -> any Encoder { NodeEncoder(tree: tree, node: added()) }
}
