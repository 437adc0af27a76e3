import Foundation
import XCTest

@testable import MCP

/// Runs tasks on one thread, so that a function that blocks it is seen.
@available(macOS 15, iOS 18, *)
private final class OneThread: TaskExecutor, @unchecked Sendable {
    private let queue = DispatchQueue(label: "one-thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Whether the thread still takes work: tells false if it does not within the limit.
    func isFree(within limit: DispatchTimeInterval = .seconds(5)) -> Bool {
        let seen = DispatchSemaphore(value: 0)
        queue.async { seen.signal() }
        return seen.wait(timeout: .now() + limit) == .success
    }
}

/// No task waits in a C function: while one waits for the library, the thread that it ran on takes other tasks.
@available(macOS 15, iOS 18, *)
final class ExecutorTests: XCTestCase {
    /// Begins work on one thread, and once it waits, asks that thread for another task. The test itself runs elsewhere.
    private func waits<R: Sendable>(
        _ what: String, begun: @escaping @Sendable () async throws -> Bool, end: () async throws -> Void,
        _ work: @escaping @Sendable () async throws -> R
    ) async throws {
        let thread = OneThread()
        let task = Task(executorPreference: thread) { try await work() }
        try await until("\(what) is under way") { try await begun() }
        let isFree = await onThread { thread.isFree() }
        XCTAssertTrue(isFree, "\(what) blocks the thread of its task")
        try await end()
        _ = try? await task.value
    }

    func testACallDoesNotBlockTheThreadOfItsTask() async throws {
        let client = try scripted()
        try await client.connect()
        try await waits("a call", begun: { try client.pendingCalls == 1 }, end: { try await client.close() }) {
            try await client.callTool("hang")
        }
    }

    func testConnectingAndClosingDoNotBlockTheThreadOfTheirTask() async throws {
        let client = try scripted(["args": ["hang-on-initialize"]])
        try await waits("connect", begun: { client.state != .idle }, end: { try await client.close() }) {
            try await client.connect(timeout: patience)
        }
        // A process that goes on after the end of its input; the time until it is killed is longer than this test may take.
        let stubborn = try scripted(["args": ["ignore-eof"], "timeouts": ["exit_ms": 60_000, "close_ms": 120_000]])
        try await stubborn.connect()
        let pid = pid_t(try stubborn.info()["pid"]?.doubleValue ?? 0)
        try await waits("close", begun: { stubborn.state == .closing }, end: { kill(pid, SIGKILL) }) { try await stubborn.close() }
    }

    /// A server's close waits for handlers that do not end at once.
    func testWhatAServerWaitsForDoesNotBlockTheThreadOfItsTask() async throws {
        let server = try Server(name: "test")
        let gate = Gate()
        try server.addTool("wait") { (_: [String: JSONValue], _) -> String in
            await gate.pass()
            return "late"
        }
        let client = try server.client()
        let call = Task { try await client.callTool("wait") }
        try await waits("waitUntilEnded", begun: { await gate.waiting == 1 }, end: {
            try await client.close()
            await gate.open()
            try await server.close()
        }) { await server.waitUntilEnded() }
        _ = try? await call.value
    }

    func testARequestOfAnHTTPServerDoesNotBlockTheThreadOfItsTask() async throws {
        let server = try Server(name: "test")
        let gate = Gate()
        try server.addTool("wait") { (_: [String: JSONValue], _) -> String in
            await gate.pass()
            return "late"
        }
        try server.serve(Endpoint(url: "https://app.example.com/mcp", listen: false))
        try await waits("http", begun: { await gate.waiting == 1 }, end: { await gate.open() }) { try await post(server, "wait") }
        try await server.close()
    }

    /// All of a conversation with one thread for the caller's tasks: questions, progress, a hundred calls at once, the end.
    func testOneThreadIsEnoughForAConversation() async throws {
        let thread = OneThread()
        let conversation = Task(executorPreference: thread) {
            let server = try Server(name: "test")
            try server.addTool("ask") { (_: [String: JSONValue], request) -> String in
                request.progress(1)
                return try request.roots().map(\.uri).joined()
            }
            let client = try server.client { $0.onRoots { [Root(uri: "file:///tmp")] } }
            let right = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await client.callTool("ask").text } }
                var right = 0
                for try await text in group where text == "file:///tmp" { right += 1 }
                return right
            }
            try await client.close()
            try await server.close()
            return right
        }
        let ends = Counter()
        Task {
            _ = try? await conversation.value
            ends.add()
        }
        try await until("the conversation has ended") { ends.count == 1 }
        if ends.count == 1 {
            let right = try await conversation.value
            XCTAssertEqual(right, 100)
        }
    }
}
