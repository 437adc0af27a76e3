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
    } catch is BrokenBody {
        return false
    } catch {
        XCTFail("\(error)")
        return false
    }
}

private struct BrokenBody: Error {}

/// The parts of a body; one that breaks has no end.
private struct Parts: AsyncSequence {
    let parts: [Data]
    let breaks: Bool

    struct Iterator: AsyncIteratorProtocol {
        var left: ArraySlice<Data>
        let breaks: Bool

        mutating func next() async throws -> Data? {
            if left.isEmpty && breaks { throw BrokenBody() }
            return left.popFirst()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(left: parts[...], breaks: breaks) }
}

/// A request that an HTTP server of the program has taken, with a body that may break off, and its answer.
private func begin(_ server: Server, _ tool: String, host: String, size: Int, breaks: Bool?) async throws -> HTTPAnswer {
    let call: JSONValue = [
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": [
            "name": .string(tool), "arguments": ["text": .string(String(repeating: "x", count: size))],
            "_meta": [
                "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
            ],
        ],
    ]
    let headers = [
        ("Host", host), ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool),
    ]
    let body = Data(try jsonText(of: call).utf8)
    guard let breaks else { return try await server.http("POST", "/mcp", headers: headers, body: body) }
    let half = body.count / 2
    let parts = Parts(parts: breaks ? [body.prefix(half)] : [body.prefix(half), Data(), body.suffix(from: half)], breaks: breaks)
    return try await server.http("POST", "/mcp", headers: headers, peer: "192.0.2.7", body: parts)
}

/// A few things that tasks put in: what was there before is released.
private final class Pool<One: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private let most: Int
    private var all: [One] = []
    private var next = 0

    init(_ most: Int) { self.most = most }

    func add(_ one: One) {
        lock.lock()
        defer { lock.unlock() }
        if all.count < most { return all.append(one) }
        all[next] = one
        next = (next + 1) % most
    }

    func any(_ random: inout some RandomNumberGenerator) -> One? {
        lock.lock()
        defer { lock.unlock() }
        return all.randomElement(using: &random)
    }

    func clear() {
        lock.lock()
        defer { lock.unlock() }
        all = []
    }
}

/// Operations on clients, servers, requests and exchanges in an order that no program should have: used after the close, closed twice
/// and by several tasks, left to the last reference. Each ends as a result or an error, and the process lives. MCP_TEST_SEED=N repeats a
/// sequence.
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

    private let requests = Pool<ServerRequest>(20)
    private let answers = Pool<HTTPAnswer>(20)

    private func server() throws -> Server {
        let server = try Server(name: "any order", version: "1")
        let requests = requests
        server.onFailure { _, _ in }
        try server.addTool("echo") { (arguments: [String: JSONValue], _) in arguments["text"]?.stringValue ?? "" }
        try server.addTool("ask") { (_: [String: JSONValue], request) -> String in
            try request.elicit("Which size?") { Property("size", .string(values: ["small"])) }.action.rawValue
        }
        // What is asked of its request meanwhile, and behind its answer, is up to the others.
        try server.addTool("hold") { (_: [String: JSONValue], request) -> String in
            requests.add(request)
            try await Task.sleep(for: .milliseconds(20))
            return "held"
        }
        try server.serve(Endpoint(url: "http://app.example.com/mcp", listen: false))
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
            let answers = answers
            switch Int.random(in: 0 ..< 29, using: &random) {
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
            case 11:
                if let client { pending.append(Task { await ended { _ = try await client.callTool("hold") } }) }
            case 12, 13, 14:
                guard let server else { continue }
                let tool = ["echo", "hold", "ask", "unknown"].randomElement(using: &random) ?? ""
                let host = Int.random(in: 0 ..< 5, using: &random) == 0 ? "evil.example" : "app.example.com"
                let size = Int.random(in: 0 ..< 100_000, using: &random)
                let breaks = [nil, true, false, false].randomElement(using: &random) ?? nil
                pending.append(
                    Task {
                        await ended {
                            let answer = try await begin(server, tool, host: host, size: size, breaks: breaks)
                            answers.add(answer)
                        }
                    })
            case 15, 16:
                if let answer = answers.any(&random) {
                    pending.append(Task { await ended { for try await part in answer.body { _ = part.count } } })
                }
            case 17:
                answers.any(&random)?.cancel()
            case 18:
                if let request = requests.any(&random) {
                    pending.append(
                        Task {
                            await ended {
                                request.progress(1, total: 2, message: "x")
                                _ = request.isCancelled
                                try request.log(.info, "x")
                                _ = try request.closeStream(retry: .zero)
                            }
                        })
                }
            case 19:
                if let request = requests.any(&random) {
                    _ = await ended {
                        _ = try request.context()
                        try request.keep(["a": 1])
                        _ = try request.kept(as: JSONValue.self)
                    }
                    // A second answer, from a thread that has no business with it.
                    _ = await ended { try request.respond(#"{"content":[]}"#) }
                }
            default:
                guard let client else { continue }
                pending.append(Task { await ended { _ = try await client.callTool("echo", ["text": "x"]) } })
            }
            while pending.count > 30 {
                if await pending.removeFirst().value { results += 1 }
            }
        }
        requests.clear()
        for server in servers { _ = await ended { try await server.close() } }
        for client in clients { _ = await ended { try await client.close() } }
        for task in pending where await task.value { results += 1 }
        answers.clear()
        XCTAssertGreaterThan(results, 100)
    }
}
