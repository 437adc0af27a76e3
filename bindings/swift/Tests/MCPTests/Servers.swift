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

/// Waits until something is true, for at most 20 seconds.
func until(_ what: String, _ isTrue: () throws -> Bool) async throws {
    for _ in 0..<4000 {
        if try isTrue() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    XCTFail("waited in vain: \(what)")
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
