import XCTest

@testable import MCP

/// Pages of tools, with the messages of docs/guide/apps.md.
final class AppViewTests: XCTestCase {
    private let settings: JSONValue = [
        "hostInfo": ["name": "desk", "version": "1"], "hostCapabilities": ["serverTools": [:], "openLinks": [:]],
        "hostContext": ["theme": "dark"], "tool": ["name": "chart", "inputSchema": ["type": "object"]],
        "tools": [
            ["name": "chart", "inputSchema": ["type": "object"]], ["name": "secret", "_meta": ["ui": ["visibility": ["model"]]]],
        ],
    ]

    private func all(_ view: AppView) throws -> [AppView.Action] {
        var all: [AppView.Action] = []
        while let action = try view.next() { all.append(action) }
        return all
    }

    private func only(_ view: AppView, _ type: String, line: UInt = #line) throws -> AppView.Action {
        let all = try all(view)
        XCTAssertEqual(all.map(\.type), [type], line: line)
        return try XCTUnwrap(all.first, line: line)
    }

    private func call(_ id: Int, _ tool: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":{}}}"#
    }

    func testAViewOfATool() throws {
        let view = try AppView(settings)
        try view.tell("input", ["arguments": ["city": "Paris"]])
        XCTAssertEqual(try all(view), [])
        try view.receive(
            #"{"jsonrpc":"2.0","id":1,"method":"ui/initialize","params":{"protocolVersion":"2026-01-26","appInfo":{"name":"page","version":"1"},"appCapabilities":{}}}"#)
        XCTAssertEqual(try only(view, "message").message["result"]?["hostContext"]?["theme"], "dark")
        try view.receive(#"{"jsonrpc":"2.0","method":"ui/notifications/initialized"}"#)
        let ready = try all(view)
        XCTAssertTrue(ready.contains { $0.type == "ready" }, "\(ready)")
        XCTAssertTrue(ready.contains { $0.message["params"]?["arguments"]?["city"] == "Paris" }, "\(ready)")
        try view.receive(call(2, "chart"))
        let asked = try only(view, "request")
        XCTAssertEqual(asked.method, "tools/call")
        XCTAssertEqual(asked.params["name"], "chart")
        try view.tell("answer", ["id": asked.id, "result": ["content": []]])
        XCTAssertEqual(try only(view, "message").message["result"], ["content": []])
        try view.receive(call(3, "secret"))
        XCTAssertNotNil(try only(view, "message").message["error"])
        try view.tell("teardown", ["reason": "closed"])
        let bye = try only(view, "message").message["id"] ?? .null
        try view.receive(String(decoding: wireEncoder().encode(["jsonrpc": "2.0", "id": bye, "result": [:]] as JSONValue), as: UTF8.self))
        _ = try only(view, "ended")
    }

    func testMistakesNameTheMember() throws {
        XCTAssertThrowsError(try AppView([:])) { XCTAssertTrue("\($0)".contains("hostInfo"), "\($0)") }
        let view = try AppView(settings)
        XCTAssertThrowsError(try view.tell("input", ["arguments": 1])) { XCTAssertTrue("\($0)".contains("arguments"), "\($0)") }
        XCTAssertThrowsError(try view.receive("\0"))
    }

    func testThePolicyOfAFrame() throws {
        let policy = try AppView.policy(
            for: ["csp": ["connectDomains": ["https://api.example", "javascript:x"]], "permissions": ["camera": [:]]])
        XCTAssertTrue(policy.csp.contains("https://api.example"), policy.csp)
        XCTAssertEqual(policy.allow, "camera")
        XCTAssertEqual(policy.refused.count, 1)
        for part in ["https://api.example", "RTCPeerConnection"] { XCTAssertTrue(policy.head.contains(part), policy.head) }
        XCTAssertTrue(try AppView.policy(for: nil).csp.contains("default-src"))
    }
}
