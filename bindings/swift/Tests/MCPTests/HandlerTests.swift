import Foundation
import XCTest

@testable import MCP

/// What a server asks of its client, with a server in the same process, and what the client's handlers do wrong.
final class HandlerTests: XCTestCase {
    private struct Secret: Error, CustomStringConvertible {
        let description = "the password is 1234"
    }

    @Sendable private static func form() -> [Property] { [Property("size", .string(values: ["small", "large"]))] }

    /// A server with a tool for each thing that it may ask.
    private func asking() throws -> Server {
        let server = try Server(name: "asking")
        server.onFailure { _, _ in }
        try server.addTool("sample") { (_: [String: JSONValue], request) -> String in
            let message = SamplingMessage(content: [.text("a rhyme")], role: .user)
            let answer = try request.sample(CreateMessageRequestParams(maxTokens: 10, messages: [message]))
            return answer.content.compactMap(\.text).joined()
        }
        try server.addTool("elicit") { (_: [String: JSONValue], request) -> String in
            let answer = try request.elicit("Which size?", fields: HandlerTests.form)
            return answer.content?["size"]?.stringValue ?? answer.action.rawValue
        }
        try server.addTool("roots") { (_: [String: JSONValue], request) -> String in
            try request.roots().map(\.uri).joined(separator: " ")
        }
        // Two questions: what the first run kept is there in the last one.
        try server.addTool("both") { (_: [String: JSONValue], request) -> String in
            let kept: String? = try request.kept()
            if kept == nil { try request.keep("kept") }
            let root = try request.roots(key: "a").first?.uri ?? ""
            let answer = try request.elicit("Which size?", key: "b", fields: HandlerTests.form)
            return "\(root) \(answer.content?["size"]?.stringValue ?? "") \(kept ?? "")"
        }
        return server
    }

    func testWhatAServerAsksIsAnsweredInBothEras() async throws {
        let server = try asking()
        for era in ["legacy", "modern"] {
            let client = try server.client(ClientConfiguration(protocol: [era])) { handlers in
                handlers.onSampling { request in
                    let prompt = request.messages.flatMap(\.content).compactMap(\.text).joined()
                    return CreateMessageResult(content: [.text("you said \(prompt)")], model: "parrot", role: .assistant)
                }
                handlers.onElicitation { _ in .accept(["size": "large"]) }
                handlers.onRoots { [Root(uri: "file:///tmp")] }
            }
            for (tool, answer) in [
                ("sample", "you said a rhyme"), ("elicit", "large"), ("roots", "file:///tmp"), ("both", "file:///tmp large kept"),
            ] {
                let result = try await client.callTool(tool)
                XCTAssertEqual(result.text, answer, era)
            }
            try await client.close()
        }
        try await server.close()
    }

    func testAPersonDeclinesOrClosesTheForm() async throws {
        let server = try asking()
        for (answer, action) in [(ElicitationAnswer.decline, "decline"), (.cancel, "cancel")] {
            let client = try server.client { $0.onElicitation { _ in answer } }
            let result = try await client.callTool("elicit")
            XCTAssertEqual(result.text, action)
            try await client.close()
        }
        try await server.close()
    }

    /// What the caller of a tool reads: the tool's text, or the error in its place.
    private func said(_ client: Client, _ tool: String) async throws -> String {
        do {
            return try await client.callTool(tool, options: CallOptions(timeout: patience)).text
        } catch let error as MCPError {
            XCTAssertNotEqual(error.status, .timeout, "\(tool) hangs")
            return "\(error) \(error.data ?? .null)"
        }
    }

    func testWhatAHandlerThrowsIsToldToTheProgramAloneAndEndsTheRequest() async throws {
        let server = try asking()
        let seen = Failures()
        server.onFailure(seen.hear)
        for era in ["legacy", "modern"] {
            let told = Failures()
            let client = try server.client(ClientConfiguration(protocol: [era])) { handlers in
                handlers.onSampling { _ in throw Secret() }
                handlers.onElicitation { _ in throw Secret() }
                handlers.onRoots { throw Secret() }
                handlers.onFailure(told.hear)
            }
            for (tool, method) in [
                ("sample", MethodName.sampling), ("elicit", MethodName.elicitation), ("roots", MethodName.roots),
            ] {
                let text = try await said(client, tool)
                XCTAssertFalse(text.contains("1234"), text)
                XCTAssertEqual(told.takeAll(), ["\(method): the password is 1234"], era)
            }
            try await client.close()
        }
        let heard = seen.takeAll().joined(separator: "\n")
        XCTAssertFalse(heard.contains("1234"), heard)
        try await server.close()
    }

    /// The text that the server gets, as it came over the wire.
    func testTheServerHearsANeutralText() async throws {
        for how in ["thrown", "refused"] {
            let told = Failures()
            let client = try scripted(["capabilities": ["sampling": [:]]])
            client.onFailure(told.hear)
            try client.onRequest("sampling/createMessage") { (_: JSONValue) async throws -> JSONValue in
                if how == "thrown" { throw Secret() }
                throw RequestRefusal(code: -1, message: "not\0 now")
            }
            let result = try await client.callTool("ask_forever", ["method": "sampling/createMessage"])
            let text = how == "thrown" ? "the client could not answer" : "not now"
            XCTAssertTrue(result.text.contains(text) && !result.text.contains("1234"), result.text)
            XCTAssertEqual(told.takeAll().count, how == "thrown" ? 1 : 0)
            try await client.close()
        }
    }

    func testAnAnswerThatDoesNotFitItsFormIsToldAndEndsTheRequest() async throws {
        let server = try asking()
        for era in ["legacy", "modern"] {
            let told = Failures()
            let client = try server.client(ClientConfiguration(protocol: [era])) { handlers in
                handlers.onElicitation { _ in .accept(["size": "enormous"]) }
                handlers.onFailure(told.hear)
            }
            let text = try await said(client, "elicit")
            XCTAssertFalse(text.contains("enormous"), text)
            let heard = told.takeAll()
            XCTAssertEqual(heard.count, 1)
            XCTAssertTrue(heard.first?.hasPrefix("elicitation/create: invalid_argument") ?? false, "\(heard)")
            try await client.close()
        }
        try await server.close()
    }

    /// A handler of another method gives what its method does not allow, or cannot read what it is given.
    func testAHandlerOfOtherTypesIsAnswered() async throws {
        struct Other: Codable { let nowhere: Int }
        let client = try scripted(["capabilities": ["sampling": [:]]])
        try client.onRequest("sampling/createMessage") { (_: Other) async throws -> JSONValue in .null }
        let result = try await client.callTool("ask_forever", ["method": "sampling/createMessage"])
        XCTAssertTrue(result.text.contains("nowhere"), result.text)
        client.removeHandler(for: "sampling/createMessage")
        let without = try await client.callTool("ask_forever", ["method": "sampling/createMessage"])
        XCTAssertTrue(without.text.contains("no handler"), without.text)
        try await client.close()
    }

    /// A handler that never ends holds up neither another request, nor a call, nor the end of the client; its late answer is dropped.
    func testAHandlerThatTakesLongHoldsUpNothing() async throws {
        let server = try asking()
        let gate = Gate()
        let told = Failures()
        let client = try server.client { handlers in
            handlers.onRoots {
                await gate.pass()
                return []
            }
            handlers.onElicitation { _ in .accept(["size": "small"]) }
            handlers.onFailure(told.hear)
        }
        let call = Task { try await client.callTool("roots") }
        try await until("the handler runs") { await gate.waiting == 1 }
        let other = Task { try await client.callTool("elicit") }
        guard try await hasEnded(other) else { return }
        let text = try await other.value.text
        XCTAssertEqual(text, "small")
        try await client.close()
        let error = try await failure(of: call)
        XCTAssertEqual(error?.status, .closed)
        await gate.open()
        try await until("the late answer was dropped") { await gate.passed == 1 }
        try await server.close()
    }

    func testALoginHandlerThatThrowsGivesTheLoginUp() async throws {
        let server = try Web("login=yes")
        let told = Failures()
        let client = try Client(ClientConfiguration(url: server.url, auth: AuthConfiguration())) { handlers in
            handlers.onLogin { _ in throw Secret() }
            handlers.onFailure(told.hear)
        }
        let error = await failure { try await client.callTool("echo", ["text": "in"]) }
        XCTAssertEqual(error?.status, .auth)
        XCTAssertFalse(error?.message.contains("1234") ?? true, error?.message ?? "")
        XCTAssertEqual(told.takeAll(), ["login: the password is 1234"])
        try await client.close()
        server.stop()
    }
}
