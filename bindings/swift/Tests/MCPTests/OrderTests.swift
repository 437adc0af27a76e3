import Foundation
import XCTest

@testable import MCP

/// Whether it ended with a result; an error that neither the library nor a cancelled task gives fails the test.
private func ended(_ operation: () async throws -> Void) async -> Bool {
    do {
        try await operation()
        return true
    } catch is MCPError {
        return false
    } catch is CancellationError {
        return false
    } catch {
        XCTFail("\(error)")
        return false
    }
}

/// Operations on clients and servers in an order that no program should have: used after the close, closed twice and by several tasks,
/// left to the last reference. Each ends as a result or an error, and the process lives. MCP_TEST_SEED=N repeats a sequence.
final class OrderTests: XCTestCase {
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    private static let operations = 5000

    private func server() throws -> Server {
        let server = try Server(name: "any order", version: "1")
        server.onFailure { _, _ in }
        try server.addTool("echo") { (arguments: [String: JSONValue], _) in arguments["text"]?.stringValue ?? "" }
        try server.addTool("ask") { (_: [String: JSONValue], request) -> String in
            try request.elicit("Which size?") { Property("size", .string(values: ["small"])) }.action.rawValue
        }
        return server
    }

    func testOperationsInAnyOrderEndAsResultsOrErrors() async throws {
        let given = ProcessInfo.processInfo.environment["MCP_TEST_SEED"].flatMap(UInt64.init)
        let seed = given ?? UInt64.random(in: 0 ..< 1_000_000_000)
        print("MCP_TEST_SEED=\(seed)")
        var random = Random(state: seed)
        var servers: [Server] = []
        var clients: [Client] = []
        var pending: [Task<Bool, Never>] = []
        var results = 0
        for _ in 0 ..< Self.operations {
            let server = servers.randomElement(using: &random)
            let client = clients.randomElement(using: &random)
            switch Int.random(in: 0 ..< 20, using: &random) {
            case 0:
                if servers.count < 4 { servers.append(try self.server()) }
            case 1, 2:
                guard let server, clients.count < 8 else { continue }
                // A closed server gives no client.
                if let client = try? server.client(ClientConfiguration()) { clients.append(client) }
            case 3:
                if let client { pending.append(Task { await ended { try await client.close() } }) }
            case 4:
                if let server { pending.append(Task { await ended { try await server.close() } }) }
            case 5:
                if !clients.isEmpty { clients.remove(at: Int.random(in: 0 ..< clients.count, using: &random)) }
            case 6:
                if !servers.isEmpty { servers.remove(at: Int.random(in: 0 ..< servers.count, using: &random)) }
            case 7:
                pending.randomElement(using: &random)?.cancel()
            case 8:
                if let client { pending.append(Task { await ended { _ = try await client.callTool("ask") } }) }
            case 9:
                if let client { pending.append(Task { await ended { _ = try await client.listTools() } }) }
            case 10:
                if let server { _ = await ended { try server.addTool("echo") { (_: [String: JSONValue], _) in "again" } } }
            default:
                guard let client else { continue }
                pending.append(Task { await ended { _ = try await client.callTool("echo", ["text": "x"]) } })
            }
            while pending.count > 30 {
                if await pending.removeFirst().value { results += 1 }
            }
        }
        for server in servers { _ = await ended { try await server.close() } }
        for client in clients { _ = await ended { try await client.close() } }
        for task in pending where await task.value { results += 1 }
        XCTAssertGreaterThan(results, 100)
    }
}
