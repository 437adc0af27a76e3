import Foundation
import XCTest

@testable import MCP

/// The reader and the writer of JSON beside Foundation's: the same values, and a failure where that one fails.
final class WireTests: XCTestCase {
    private struct Inner: Codable, Hashable {
        var name: String
        var list: [Int?]
    }

    private class Base: Codable {
        var one = 1
    }

    private final class Derived: Base {
        var two = ""

        private enum CodingKeys: CodingKey { case two }

        init(_ two: String) {
            super.init()
            self.two = two
        }

        required init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            two = try members.decode(String.self, forKey: .two)
            try super.init(from: try members.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try super.encode(to: members.superEncoder())
            try members.encode(two, forKey: .two)
        }
    }

    /// Fills containers in turns, and one member twice.
    private struct Mixed: Encodable {
        private enum CodingKeys: CodingKey { case a, b, c }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            var list = members.nestedUnkeyedContainer(forKey: .a)
            var inner = members.nestedContainer(keyedBy: CodingKeys.self, forKey: .b)
            try list.encode(1)
            try inner.encode("x", forKey: .a)
            var deeper = list.nestedUnkeyedContainer()
            try members.encode(1.5, forKey: .c)
            try deeper.encodeNil()
            try list.encode(true)
            try inner.encode("y", forKey: .a)
            try members.encode([String: Int](), forKey: .c)
            var again = encoder.container(keyedBy: CodingKeys.self)
            try again.encode(Int8(-3), forKey: .c)
        }
    }

    private struct Nothing: Codable {}

    private func plain() -> (JSONEncoder, JSONDecoder) {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.dateEncodingStrategy = .iso8601
        decoder.dateDecodingStrategy = .iso8601
        return (encoder, decoder)
    }

    /// As JSON without an order of members.
    private func same(_ value: some Encodable, _ line: UInt = #line) throws {
        let ours = try wireEncoder().encode(value)
        let read: (Data) throws -> NSObject? = { try JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) as? NSObject }
        XCTAssertEqual(try read(Data(ours)), try read(plain().0.encode(value)), String(decoding: ours, as: UTF8.self), line: line)
    }

    func testValuesAreWrittenAsFoundationWritesThem() throws {
        try same("plain")
        try same("quote \" backslash \\ / tab \t line \n return \r bell \u{7} form \u{c} back \u{8} nul \0 é 𝄞 \u{2028} \u{7f}")
        try same(true)
        try same([1, -1, 10, Int.max, Int.min])
        try same([UInt64.max, 0])
        try same([0.5, -0.25, 1e300, 1e-300, .leastNonzeroMagnitude, 123456789.125, 1e16, 3])
        try same([Float(0.1), 1, -2.5])
        try same([Decimal(string: "123456789012345678901234567890.5"), nil])
        try same(Inner(name: "n", list: [1, nil, 3]))
        try same(["a": [Inner(name: "", list: [])], "b": []])
        try same([URL(string: "https://a.example/b?c=d")])
        try same(Data([0, 255, 1]))
        try same(Date(timeIntervalSince1970: 1_700_000_000))
        try same(UUID())
        try same(Derived("two"))
        try same(Mixed())
        try same(Nothing())
        try same([Nothing(), Nothing()])
        try same([Int?.none])
        try same(JSONValue.object(["a": [1, 2.5, "x", .null, true, ["b": [:]]], "\n": "\""]))
        try same(Dictionary(uniqueKeysWithValues: (0..<100).map { ("key \($0)", $0) }))
    }

    func testNumbersKeepAllTheirDigits() throws {
        XCTAssertEqual(try jsonText(of: [Int64.max, Int64.min]), "[9223372036854775807,-9223372036854775808]")
        XCTAssertEqual(try jsonText(of: Decimal(string: "0.1234567890123456789")!), "0.1234567890123456789")
        XCTAssertEqual(try jsonText(of: JSONValue.array([.number(3), .number(-0.5), .number(1e20)])), "[3,-0.5,1e+20]")
        let read = try wireDecoder().decode([Decimal].self, from: Data("[12345678901234567890.25]".utf8))
        XCTAssertEqual(read, [Decimal(string: "12345678901234567890.25")!])
    }

    func testWhatJSONCannotHaveIsNotWritten() {
        for value in [Double.nan, .infinity] {
            XCTAssertThrowsError(try jsonText(of: ["a": [value]])) { error in
                guard case EncodingError.invalidValue(_, let context) = error else { return XCTFail("\(error)") }
                XCTAssertEqual(context.codingPath.map(\.stringValue), ["a", "Index 0"])
            }
            XCTAssertThrowsError(try jsonText(of: JSONValue.object(["a": [.number(value)]])))
        }
        XCTAssertThrowsError(try jsonText(of: Float.infinity))
        XCTAssertThrowsError(try jsonText(of: Decimal.nan))
    }

    /// Both read the same value, or neither does.
    private func same<Value: Decodable & Equatable>(_ type: Value.Type, _ texts: String..., line: UInt = #line) {
        for text in texts {
            let ours = try? wireDecoder().decode(type, from: Data(text.utf8))
            XCTAssertEqual(ours, try? plain().1.decode(type, from: Data(text.utf8)), "\(type) of \(text)", line: line)
        }
    }

    func testValuesAreReadAsFoundationReadsThem() {
        same(String.self, "\"\"", "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud834\\udd1e é𝄞\"", "\"\\u12\"", "\"a", "\"\\x\"", "\"\u{1}\"", "1", "null")
        same(Bool.self, "true", " false ", "1", "tru", "truee")
        same(Int.self, "0", "-0", "-1", "9223372036854775807", "9223372036854775808", "1.0", "1e2", "1.5", "01", "-", "+1", "1.", ".5", "\"1\"")
        same(Int8.self, "127", "128", "-128", "-129")
        same(UInt64.self, "18446744073709551615", "-1", "0")
        same(Double.self, "0", "1", "-0.5", "1e308", "1e309", "123456789012345678", "0.1", "1E+2", "1e", "NaN", "Infinity")
        same(Float.self, "0.1", "1e30", "1e39")
        same([Int].self, "[]", "[1]", "[1,2 , 3]", "[,1]", "[1 2]", "[1", "{}", "[1]]")
        same([Int?].self, "[null, 1]")
        same([String: Int].self, "{}", "{\"a\":1}", "{\"a\" 1}", "{a:1}", "{\"a\":1", "{\"a\":}", "{1:1}", "{\"\\u0061\":2}")
        same(Inner.self, #"{"name":"n","list":[1,null]}"#, #"{"name":"n"}"#, #"{"name":null,"list":[]}"#, #"{"list":[],"name":"x","more":{}}"#)
        same(URL.self, "\"https://a.example/\"", "1")
        same(Data.self, "\"AP8B\"", "\"?\"")
        same(Date.self, "\"2026-01-02T03:04:05Z\"", "\"yesterday\"")
        same(UUID.self, "\"9F0C5C7E-6A5B-4C63-8A1E-6D3E1B3B6E0A\"", "\"no\"")
        same(JSONValue.self, "[1,2.5,\"x\",null,true,{\"a\":{}}]", "", " ", "nul", "[[]")
        let many = (0..<100).map { "\"key \($0)\":\($0)" }.joined(separator: ",")
        same([String: Int].self, "{\(many)}")
        // Foundation's reader for Linux takes these.
        for text in ["[1,]", "{\"a\":1,}"] {
            XCTAssertThrowsError(try wireDecoder().decode(JSONValue.self, from: Data(text.utf8)), text)
        }
    }

    func testWhatIsWrittenIsReadAgain() throws {
        func again<Value: Codable & Equatable>(_ value: Value, line: UInt = #line) throws {
            XCTAssertEqual(try wireDecoder().decode(Value.self, from: wireEncoder().encode(value)), value, line: line)
        }
        try again([0.1, 1e-7, 123456.789e10, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
        try again([Date(timeIntervalSince1970: 1.5), Date(timeIntervalSince1970: 2)])
        try again(CallToolResult(content: [.text("a\u{0}b"), .other(["type": "new", "x": 1])], isError: true, additional: ["y": [1]]))
        let derived = try wireDecoder().decode(Derived.self, from: wireEncoder().encode(Derived("two")))
        XCTAssertEqual([derived.two, "\(derived.one)"], ["two", "1"])
    }

    /// Results of tools have a way of their own.
    func testResultsOfToolsAreReadAsFoundationReadsThem() {
        same(
            CallToolResult.self, #"{"content":[{"type":"text","text":"a"},{"text":"b","type":"text"}]}"#, "{}", "[]", "null", #"{"content":null}"#,
            #"{"content":{}}"#, #"{"content":[{"type":"text"}]}"#, #"{"content":[{"type":"text","text":1}]}"#, #"{"content":["x"]}"#,
            #"{"content":[{"type":"text","text":"a","x":1},{"type":"text","text":"a","_meta":{"y":2}},{"type":"new","z":[3]}]}"#,
            #"{"content":[{"type":"image","data":"AA==","mimeType":"image/png"}],"isError":true,"structuredContent":[1,null],"_meta":{"a":1}}"#,
            #"{"content":[],"isError":null,"_meta":null,"structuredContent":null,"resultType":"complete","more":null,"most":{"a":[]}}"#,
            #"{"content":[],"isError":1}"#, #"{"content":[],"_meta":[]}"#, #"{"content":[],"resultType":{}}"#)
    }

    func testAFailureSaysWhere() {
        let cases: [(String, String)] = [
            (#"[{"name":"a","list":[1]},{"name":"b","list":[1,"x"]}]"#, "Index 1.list.Index 1: Expected to decode Int but found a string instead."),
            (#"[{"name":"a"}]"#, "Index 0: No value associated with key list."),
            (#"[{"name":null,"list":[]}]"#, "Index 0.name: Expected to decode String but found null instead."),
            (#"[{"name":"a","list":[99999999999999999999]}]"#, "Index 0.list.Index 0: the number 99999999999999999999 does not fit in Int"),
            (#"[{"name":"a",]"#, "the text is not JSON: expected the name of a member at byte 13 of 14"),
        ]
        for (text, place) in cases {
            XCTAssertThrowsError(try wireDecoder().decode([Inner].self, from: Data(text.utf8)), text) { error in
                XCTAssertEqual((error as? DecodingError)?.place, place)
            }
        }
    }

    /// A type that tries others first, as those of several types do.
    private enum Either: Decodable, Equatable {
        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            self = try (try? value.decode(Int.self)).map(Either.number) ?? .text(value.decode(String.self))
        }
    }

    /// Reads a list of several types with one container, which asks each element where it is.
    private struct Eithers: Decodable {
        private(set) var texts = 0
        private(set) var last: [any CodingKey] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                if (try? list.decode(Int.self)) == nil {
                    last = try list.superDecoder().codingPath
                    texts += 1
                }
            }
        }
    }

    /// A peer chooses the size of a list, and of an object: with a search among the ones before it each failure would make this some
    /// 10^10 steps, which is an hour.
    func testFailuresAtEachElementAreToldInTime() throws {
        let count = 200_000
        let list = Data("{\"x\":[\(String(repeating: "\"a\",", count: count - 1))\"z\"]}".utf8)
        let read = try wireDecoder().decode([String: [Either]].self, from: list)
        XCTAssertEqual(read["x"]?.count, count)
        XCTAssertEqual(read["x"]?.last, .text("z"))
        let asked = try wireDecoder().decode([String: Eithers].self, from: list)
        XCTAssertEqual(asked["x"]?.texts, count)
        XCTAssertEqual(asked["x"]?.last.map(\.stringValue), ["x", "Index \(count - 1)"])
        let members = Data("{\((0..<count).map { "\"\($0)\":\"a\"" }.joined(separator: ","))}".utf8)
        XCTAssertEqual(try wireDecoder().decode([String: Either].self, from: members).count, count)
    }

    private struct Keys: Decodable, Equatable {
        var apiKey: String?
        var more: [String: JSONValue] = [:]

        private enum CodingKeys: String, CodingKey, CaseIterable { case apiKey }

        init(from decoder: any Decoder) throws {
            apiKey = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .apiKey)
            more = try decoder.additional(to: CodingKeys.self)
        }
    }

    /// A schema compares names by their bytes, a String of Swift does not: what was checked is what is read.
    func testNamesAreTheSameOnlyWithTheSameBytes() throws {
        let filler = (0..<40).map { ",\"\($0)\":0" }.joined()
        for more in ["", filler] {
            let other = Data("{\"api\\u212Aey\":\"bad\"\(more)}".utf8)
            let read = try wireDecoder().decode(Keys.self, from: other)
            XCTAssertNil(read.apiKey)
            XCTAssertEqual(read.more.count, more.isEmpty ? 1 : 41)
            let json = try wireDecoder().decode(JSONValue.self, from: other)
            XCTAssertNil(json["apiKey"])
            XCTAssertEqual(json["api\u{212A}ey"], "bad")
            // Composed and not, escaped and not.
            for (name, found) in [("e\u{301}", "\\u00e9"), ("\u{e9}", "e\\u0301"), ("A\u{30a}", "\u{212b}")] {
                let json = try wireDecoder().decode(JSONValue.self, from: Data("{\"\(found)\":1\(more)}".utf8))
                XCTAssertNil(json[name], name)
            }
            let both = ["\"apiKey\":\"good\"", "\"api\\u212Aey\":\"bad\""]
            for (first, second) in [(both[0], both[1]), (both[1], both[0])] {
                let text = Data("[{\(first),\(second)\(more)}]".utf8)
                func fails<Value: Decodable>(_ type: Value.Type) {
                    XCTAssertThrowsError(try wireDecoder().decode(type, from: text), "\(type)") { error in
                        let place = (error as? DecodingError)?.place ?? "\(error)"
                        XCTAssertTrue(place.hasPrefix("Index 0: it has the names \"") && place.contains("api\\u{212A}ey"), place)
                    }
                }
                fails([Keys].self)
                fails([JSONValue].self)
                fails([[String: JSONValue]].self)
                fails([[String: String]].self)
                fails([CallToolResult].self)
            }
        }
        // One name twice, byte by byte: the last one counts, as before.
        XCTAssertEqual(try wireDecoder().decode([String: Int].self, from: Data("{\"é\":1,\"\\u00e9\":2}".utf8)), ["é": 2])
    }

    /// A text cannot use up the stack.
    func testDepthIsBounded() throws {
        func nested(_ depth: Int) -> Data { Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8) }
        // The threads of tasks have 512 KiB on Apple's platforms.
        let (deepest, isOver) = (nested(WireText.deepest), DispatchSemaphore(value: 0))
        let small = Thread {
            if (try? wireDecoder().decode(JSONValue.self, from: deepest)) == nil { XCTFail("the deepest text is not read") }
            isOver.signal()
        }
        small.stackSize = 512 << 10
        small.start()
        isOver.wait()
        XCTAssertEqual(Data(try wireEncoder().encode(wireDecoder().decode(JSONValue.self, from: deepest))), deepest)
        for depth in [WireText.deepest + 1, 1_000_000] {
            XCTAssertThrowsError(try wireDecoder().decode(JSONValue.self, from: nested(depth)))
        }
    }

    /// The time to find a member must not rise with the number of members: it would be some 10^10 comparisons, which is minutes.
    func testLargeObjectsAreReadAndWrittenInTime() throws {
        let large = Dictionary(uniqueKeysWithValues: (0..<150_000).map { ("a key with the number \($0)", [$0]) })
        XCTAssertEqual(try wireDecoder().decode([String: [Int]].self, from: wireEncoder().encode(large)), large)
    }
}
