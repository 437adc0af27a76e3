import Foundation
import XCTest

@testable import MCP

/// The servers that the tests talk to: MCP_EXAMPLE_SERVER and MCP_SCRIPTED_SERVER name the programs
/// mcp-example-server and mcp-scripted-server of the libmcp checkout. Without them the tests are skipped.
private func server(_ variable: String) throws -> JSONValue {
    guard let path = ProcessInfo.processInfo.environment[variable] else {
        throw XCTSkip("\(variable) does not name a server")
    }
    return .string(path)
}

func example(_ more: [String: JSONValue] = [:]) throws -> Client {
    let configuration: [String: JSONValue] = ["command": try server("MCP_EXAMPLE_SERVER")]
    return try Client(.object(configuration.merging(more) { _, new in new }))
}

func scripted(_ more: [String: JSONValue] = [:]) throws -> Client {
    let configuration: [String: JSONValue] = ["command": try server("MCP_SCRIPTED_SERVER"), "protocol": "legacy"]
    return try Client(.object(configuration.merging(more) { _, new in new }))
}

/// The server over HTTP that misbehaves by script: mcp-scripted-http, which MCP_SCRIPTED_HTTP names.
final class Web {
    let process = Process()
    let port: String

    init(_ behaviours: String..., port wanted: String = "0") throws {
        guard let path = ProcessInfo.processInfo.environment["MCP_SCRIPTED_HTTP"] else {
            throw XCTSkip("MCP_SCRIPTED_HTTP does not name a server")
        }
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--life", "300", "--port", wanted] + behaviours
        process.standardOutput = output
        try process.run()
        // Two lines: its port, and that of its control.
        var said = ""
        while said.split(separator: "\n", omittingEmptySubsequences: false).count < 3 {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            said += String(decoding: more, as: UTF8.self)
        }
        port = said.split(separator: "\n").first.map { String($0) } ?? ""
    }

    deinit { stop() }

    func stop() {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    var url: String { "http://127.0.0.1:\(port)/mcp" }

    func client(_ more: [String: JSONValue] = [:]) throws -> Client {
        let configuration: [String: JSONValue] = [
            "url": .string(url), "reconnect": ["initial_ms": 10, "max_ms": 100],
        ]
        return try Client(.object(configuration.merging(more) { _, new in new }))
    }
}

/// How long something that must happen may take on a busy machine.
let patience = Duration.seconds(60)

/// Waits until something is true, for as long as that.
func until(_ what: String, _ isTrue: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end {
        if try await isTrue() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    XCTFail("waited in vain: \(what)")
}

/// The first elements of a stream that are wanted: fewer if it ends, or if they do not come in that time.
func elements<Element: Sendable>(
    _ count: Int, of stream: AsyncStream<Element>, where isWanted: @escaping @Sendable (Element) -> Bool = { _ in true }
) async -> [Element] {
    let reader = Task {
        var found: [Element] = []
        for await element in stream where isWanted(element) {
            found.append(element)
            if found.count == count { break }
        }
        return found
    }
    let limit = Task {
        try await Task.sleep(for: patience)
        reader.cancel()
    }
    defer { limit.cancel() }
    return await reader.value
}

extension Client {
    /// Calls that have no outcome yet.
    var pendingCalls: Double {
        get throws { try info()["pending_calls"]?.doubleValue ?? 0 }
    }
}

/// The library's error that something throws.
func failure<R>(_ work: () async throws -> R) async -> MCPError? {
    do {
        _ = try await work()
        XCTFail("did not fail")
        return nil
    } catch {
        XCTAssertTrue(error is MCPError, "\(error)")
        return error as? MCPError
    }
}

/// The same of a task; nil if it does not end in time.
func failure<R: Sendable>(of task: Task<R, any Error>) async throws -> MCPError? {
    try await hasEnded(task) ? await failure { try await task.value } : nil
}

/// Whether a task ends in that time.
func hasEnded<R: Sendable>(_ task: Task<R, any Error>) async throws -> Bool {
    let ends = Counter()
    Task {
        _ = await task.result
        ends.add()
    }
    try await until("the task ends") { ends.count == 1 }
    return ends.count == 1
}

/// Counts from any thread.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    func add() {
        lock.lock()
        defer { lock.unlock() }
        number += 1
    }

    var count: Int {
        lock.lock()
        defer { lock.unlock() }
        return number
    }
}
