import Foundation
import XCTest

@testable import MCP

/// The generated types: what is not known is kept, and times are the language's own.
final class TypeTests: XCTestCase {
    private func roundTrip<Value: Codable>(_ text: String, as type: Value.Type) throws -> (Value, JSONValue) {
        let value = try JSONDecoder().decode(type, from: Data(text.utf8))
        return (value, try JSONValue(encoding: value))
    }

    func testUnknownMembersAndVariantsSurviveARoundTrip() throws {
        let text = #"{"content":[{"type":"text","text":"a","x":1},{"type":"new","y":[2]}],"isError":true,"later":{"z":null}}"#
        let (result, again) = try roundTrip(text, as: CallToolResult.self)
        XCTAssertEqual(again, try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))
        XCTAssertEqual(result.content.first?.text, "a")
        guard case .other(let block) = result.content[1] else { return XCTFail("\(result.content)") }
        XCTAssertEqual(block["y"], [2])
    }

    func testOneContentAndAListOfContentsAreRead() throws {
        let one = #"{"role":"user","content":{"type":"text","text":"a"}}"#
        let (message, again) = try roundTrip(one, as: SamplingMessage.self)
        XCTAssertEqual(message.content.count, 1)
        XCTAssertEqual(again["content"]?["text"], "a")
        let (list, _) = try roundTrip(
            #"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#, as: SamplingMessage.self)
        XCTAssertEqual(list.content.compactMap(\.text), ["a", "b"])
    }

    func testJSONIsShownAsItsText() {
        let value: JSONValue = ["b": [1, 0.5, .null, true], "a": ["path": "a/b", "text": "\"é\""], "c": .number(.infinity)]
        XCTAssertEqual("\(value)", #"{"a":{"path":"a/b","text":"\"é\""},"b":[1,0.5,null,true],"c":"Infinity"}"#)
        XCTAssertEqual("\(JSONValue.string("x"))", #""x""#)
    }

    func testTimesAreDurations() throws {
        let timeouts = Timeouts(call: .seconds(1.5), methods: ["tools/call": .microseconds(1)])
        let json = try JSONValue(encoding: ClientConfiguration(timeouts: timeouts, reconnect: .with(Reconnect(initial: .seconds(2)))))
        XCTAssertEqual(json["timeouts"], ["call_ms": 1500, "methods": ["tools/call": 1]])
        XCTAssertEqual(json["reconnect"], ["initial_ms": 2000])
        let again: ClientConfiguration = try json.decode()
        XCTAssertEqual(again.timeouts?.call, .milliseconds(1500))
        XCTAssertEqual(try JSONValue(encoding: ClientConfiguration(reconnect: .off))["reconnect"], false)
    }
}
