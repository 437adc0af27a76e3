import Foundation
import XCTest

@testable import MCP

/// What is forgotten, and what is closed, is released with all that its handlers hold.
final class LifetimeTests: XCTestCase {
    /// Something that a handler holds.
    private final class Held: Sendable {}

    /// What a test sees of it.
    private final class Seen: @unchecked Sendable {
        weak var held: Held?
    }

    /// A server with handlers of each kind, which hold something.
    private func server(_ seen: Seen) throws -> Server {
        let server = try Server(name: "test")
        let held = Held()
        seen.held = held
        server.onFailure { _, _ in _ = held }
        try server.addTool("hello") { (_: [String: JSONValue], _) -> String in
            withExtendedLifetime(held) { "hello" }
        }
        try server.addResource(Resource(name: "a", uri: "a://a")) { _ in
            withExtendedLifetime(held) { ReadResourceResult(contents: []) }
        }
        return server
    }

    func testAForgottenServerEndsAndReleasesItsHandlers() async throws {
        let seen = Seen()
        let gate = Gate()
        let client: Client
        let call: Task<ToolResult, any Error>
        do {
            let server = try server(seen)
            try server.addTool("wait") { (_: [String: JSONValue], _) -> String in
                await gate.pass()
                return "late"
            }
            let url = try XCTUnwrap(try server.serve(Endpoint(url: "http://127.0.0.1:0/mcp")).url)
            let opened = try Client(ClientConfiguration(url: url, reconnect: .off))
            let hello = try await opened.callTool("hello")
            XCTAssertEqual(hello.text, "hello")
            call = Task { try await opened.callTool("wait", options: CallOptions(timeout: patience)) }
            try await until("a handler runs") { await gate.waiting == 1 }
            XCTAssertNotNil(seen.held)
            withExtendedLifetime(server) {}
            client = opened
        }
        // The call that is under way ends, although its handler does not.
        let error = await failure { try await call.value }
        XCTAssertNotEqual(error?.status, .timeout)
        await gate.open()
        try await until("the handlers are released") { seen.held == nil }
        try await client.close()
    }

    func testAServerThatNeverServedIsReleased() async throws {
        let seen = Seen()
        do { _ = try server(seen) }
        try await until("the handlers are released") { seen.held == nil }
    }

    func testAClosedServerReleasesItsHandlers() async throws {
        let seen = Seen()
        let server = try server(seen)
        let client = try server.client()
        _ = try await client.callTool("hello")
        try await client.close()
        try await server.close()
        server.onFailure(nil)
        try await until("the handlers are released") { seen.held == nil }
        withExtendedLifetime(server) {}
    }

    func testAnEntryThatIsRemovedIsReleased() async throws {
        let seen = Seen()
        let server = try Server(name: "test")
        do {
            let held = Held()
            seen.held = held
            try server.addTool("hello") { (_: [String: JSONValue], _) -> String in withExtendedLifetime(held) { "hello" } }
        }
        XCTAssertNotNil(seen.held)
        try server.remove(.tool, "hello")
        try await until("the handler is released") { seen.held == nil }
        try await server.close()
    }

    /// Also one whose messages a task still reads: the stream ends.
    func testAForgottenClientEndsItsStreamsAndReleasesItsHandlers() async throws {
        let server = try Server(name: "test")
        let seen = Seen()
        let reader: Task<ConnectionState?, Never>
        let ends = Counter()
        do {
            let held = Held()
            seen.held = held
            let client = try server.client { handlers in
                handlers.onRoots { withExtendedLifetime(held) { [] } }
                handlers.onElicitation { _ in withExtendedLifetime(held) { .decline } }
                handlers.onFailure { _, _ in _ = held }
            }
            let messages = client.messages()
            reader = Task {
                var last: ConnectionState?
                for await case .state(let state, _) in messages { last = state }
                ends.add()
                return last
            }
            try await client.connect()
            XCTAssertNotNil(seen.held)
        }
        try await until("the stream ends") { ends.count == 1 }
        reader.cancel()
        let last = await reader.value
        XCTAssertEqual(last, .closed)
        try await until("the handlers are released") { seen.held == nil }
        try await server.close()
    }

    /// A handler that runs keeps the client's request, but not the client.
    func testAClientIsForgottenWhileItsHandlerRuns() async throws {
        let gate = Gate()
        let server = try Server(name: "test")
        let asked = Failures()
        server.onFailure(asked.hear)
        try server.addTool("ask") { (_: [String: JSONValue], request) -> String in
            try request.roots().map(\.uri).joined()
        }
        do {
            let client = try server.client { handlers in
                handlers.onRoots {
                    await gate.pass()
                    return []
                }
                handlers.onFailure { _, _ in }
            }
            let call = Task { try await client.callTool("ask") }
            try await until("the handler runs") { await gate.waiting == 1 }
            // A call keeps its client, so that it must end first.
            call.cancel()
            _ = try? await call.value
        }
        try await until("the client is gone, and the handler runs") { try server.info()["sessions"] == 0 }
        let passed = await gate.passed
        XCTAssertEqual(passed, 0)
        await gate.open()
        try await until("the answer was dropped") { await gate.passed == 1 }
        try await server.close()
    }

    #if os(Linux)
        /// The names of the threads of this process.
        private func names() throws -> Set<String> {
            let folder = "/proc/self/task"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                // A thread may end meanwhile.
                try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
            }
            return Set(names)
        }
    #endif

    /// How many threads clients and servers have.
    private var threads: [Int] { [RunningThreads.all.count("mcp"), RunningThreads.all.count("mcp-server")] }

    func testEachThreadEndsWithItsClientOrServer() async throws {
        try await until("those of other tests have ended") { self.threads == [0, 0] }
        do {
            let server = try Server(name: "test")
            let clients = try (0..<3).map { _ in try server.client() }
            for client in clients { try await client.connect() }
            try await until("each has its thread") { self.threads == [3, 1] }
            #if os(Linux)
                XCTAssertTrue(try names().isSuperset(of: ["mcp", "mcp-server"]))
            #endif
            try await clients[0].close()
            try await until("one has ended") { self.threads == [2, 1] }
            withExtendedLifetime((server, clients)) {}
        }
        // The others are forgotten.
        try await until("all have ended") { self.threads == [0, 0] }
    }
}
