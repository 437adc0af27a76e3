import Foundation
import XCTest

@testable import MCP

/// A capability without a handler, and a handler that is never asked, are told before a server asks.
final class DeclaredTests: XCTestCase {
    private func refusal(_ configuration: ClientConfiguration, _ handlers: (inout ClientHandlers) throws -> Void = { _ in }) -> String {
        do {
            _ = try Client(configuration, handlers: handlers)
            XCTFail("the client was made")
            return ""
        } catch {
            XCTAssertEqual((error as? MCPError)?.status, .invalidArgument)
            return "\(error)"
        }
    }

    private func capabilities(_ name: String) throws -> ClientCapabilities { try JSONValue.object([name: [:]]).decode() }

    private let url = "http://127.0.0.1:1/mcp"

    func testACapabilityWithoutAHandlerIsToldWhenTheClientIsMade() throws {
        for (name, function) in [("sampling", "onSampling"), ("elicitation", "onElicitation"), ("roots", "onRoots")] {
            let json: JSONValue = ["url": .string(url), "capabilities": .object([name: [:]])]
            XCTAssertThrowsError(try Client(json) { _ in }) { error in
                XCTAssertEqual((error as? MCPError)?.status, .invalidArgument)
                XCTAssertTrue("\(error)".contains("give one with \(function)"), "\(error)")
            }
            let said = refusal(ClientConfiguration(url: url, capabilities: try capabilities(name)))
            XCTAssertTrue(said.contains("give one with \(function)"), said)
        }
    }

    func testAHandlerThatIsNeverAskedIsToldWhenTheClientIsMade() {
        for (method, function) in [("sampling/createMessage", "onSampling"), ("elicitation/create", "onElicitation"), ("roots/list", "onRoots")] {
            let said = refusal(ClientConfiguration(url: url)) {
                $0.onRequest(method) { (_: JSONValue) async throws -> JSONValue in [:] }
            }
            XCTAssertTrue(said.contains("\(function) declares it"), said)
        }
        let said = refusal(ClientConfiguration(url: url, roots: [Root(uri: "file:///a")])) { $0.onRoots { [] } }
        XCTAssertTrue(said.contains("the library answers"), said)
    }

    func testWhatFitsIsTaken() async throws {
        let fixed = try Client(ClientConfiguration(url: url, capabilities: try capabilities("roots"), roots: [Root(uri: "file:///a")]))
        try await fixed.close()
        let both = try Client(ClientConfiguration(url: url, capabilities: try capabilities("elicitation"))) {
            $0.onElicitation { _ in .decline }
            $0.onRequest("com.example/paint") { (_: JSONValue) async throws -> JSONValue in [:] }
        }
        try await both.close()
    }

    func testAHandlerThatIsGivenLaterIsMissedAtTheFirstUse() async throws {
        let server = try Server(name: "test")
        try server.addTool("hello") { (_: [String: JSONValue], _) in "hello" }
        let bound = try server.serve(Endpoint(url: "http://127.0.0.1:0/mcp"))
        let client = try Client(["url": .string(try XCTUnwrap(bound.url)), "capabilities": ["elicitation": [:]]])
        let call = await failure { try await client.listTools() }
        XCTAssertEqual(call?.status, .invalidArgument)
        XCTAssertTrue(call?.message.contains("onElicitation") == true, "\(String(describing: call))")
        let connection = await failure { try await client.connect() }
        XCTAssertEqual(connection?.status, .invalidArgument)
        try client.onElicitation { _ in .decline }
        let tools = try await client.listTools()
        XCTAssertEqual(tools.count, 1)
        // Taken away, it refuses; the client goes on.
        try client.onElicitation(nil)
        _ = try await client.listTools()
        try await client.close()
        try await server.close()
    }
}
