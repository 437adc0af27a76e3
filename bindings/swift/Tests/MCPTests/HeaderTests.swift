import Foundation
import XCTest

/// Every function of the library is called by the package, or there is a reason why not.
final class HeaderTests: XCTestCase {
    /// Functions that the package does not call, each with the reason. "mcp_x_*" names all that begin so.
    private static let reasons = [
        "mcp_builder_*": "JSON is written by Codable",
        "mcp_value_*": "JSON is read by Codable",
        "mcp_document_*": "JSON is read by Codable",
        "mcp_json_*": "JSON is read and written by Codable",
        "mcp_message_value": "JSON is read by Codable",
        "mcp_message_text": "CallToolResult.text has it",
        "mcp_message_is_tool_error": "CallToolResult.isError has it",
        "mcp_message_error": "MCPError is read from the JSON of the message",
        "mcp_message_client": "each client has a queue of its own",
        "mcp_message_server": "each server is polled by itself",
        "mcp_kind_name": "kinds do not leave the package",
        "mcp_topic_name": "topics do not leave the package",
        "mcp_features": "a function whose feature is not in the build throws .unsupported",
        "mcp_config_servers": "Client(file:server:) loads one by its name",
        "mcp_config_open": "Client(file:server:) loads one by its name, and has a queue for it",
        "mcp_call": "no task waits in a C function: mcp_call_start",
        "mcp_client_poll": "clients have queues: mcp_queue_poll",
        "mcp_poll_notification": "clients have queues: mcp_queue_poll",
        "mcp_client_interrupt": "the thread waits on the queue: mcp_queue_wake",
        "mcp_client_wake": "the thread waits on the queue: mcp_queue_wake",
        "mcp_client_fd": "a thread waits, no loop of the program",
        "mcp_queue_fd": "a thread waits, no loop of the program",
        "mcp_queue_on_ready": "a thread waits, no loop of the program",
        "mcp_server_fd": "a thread waits, no loop of the program",
        "mcp_server_run": "a thread takes the messages, too: mcp_server_poll",
        "mcp_client_connect_start": "mcp_client_connect has its own thread, which ends with it",
        "mcp_client_user": "the owner of the handle knows its client",
        "mcp_client_set_user": "the owner of the handle knows its client",
        "mcp_client_new_with_transport": "transports of the program are not offered in Swift",
        "mcp_server_attach": "transports of the program are not offered in Swift",
        "mcp_transport_*": "transports of the program are not offered in Swift",
    ]

    private func root() throws -> URL {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        guard FileManager.default.fileExists(atPath: root.appendingPathComponent("include/mcp.exports").path) else {
            throw XCTSkip("the package is not in its checkout")
        }
        return root
    }

    private func unmet(exported: Set<String>, called: Set<String>) -> Set<String> {
        exported.filter { name in
            // A function `_start` is the same one, which no task waits in.
            if called.contains(name) || called.contains(name + "_start") { return false }
            return !Self.reasons.keys.contains { reason in
                reason.hasSuffix("*") ? name.hasPrefix(reason.dropLast()) : name == reason
            }
        }
    }

    func testEveryFunctionIsCalledOrHasAReason() throws {
        let root = try root()
        let exports = try String(contentsOf: root.appendingPathComponent("include/mcp.exports"), encoding: .utf8)
        let exported = Set(exports.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty })
        XCTAssertGreaterThan(exported.count, 150)
        var called: Set<String> = []
        let sources = root.appendingPathComponent("bindings/swift/Sources/MCP")
        for file in try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
        where file.pathExtension == "swift" {
            let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            for match in code.matches(of: #/\b(mcp_\w+)\(/#) { called.insert(String(match.1)) }
        }
        XCTAssertEqual(unmet(exported: exported, called: called), [])
        // A reason that no longer holds is taken out.
        let stale = Self.reasons.keys.filter { reason in
            let named = exported.filter { reason.hasSuffix("*") ? $0.hasPrefix(reason.dropLast()) : $0 == reason }
            return named.isEmpty || !named.isDisjoint(with: called)
        }
        XCTAssertEqual(stale, [])
        // What finds nothing missing must be able to.
        XCTAssertEqual(unmet(exported: exported, called: called.subtracting(["mcp_server_http"])), ["mcp_server_http"])
    }
}
