import Foundation
import XCTest

@testable import MCP

final class ConnectionTests: XCTestCase {
    func testNotificationsAreReadInOrder() async throws {
        let client = try example(["protocol": "legacy"])
        let stream = client.notifications("notifications/message")
        _ = try await client.callTool("notify", ["count": 5])
        let numbers = await elements(5, of: stream).map { $0.params["data"]?["number"] }
        XCTAssertEqual(numbers, [1, 2, 3, 4, 5])
        try await client.close()
    }

    func testAStreamEndsWithItsClient() async throws {
        let client = try example()
        let stream = client.messages()
        try await client.connect()
        try await client.close()
        let reader = Task { () async throws -> [ConnectionState] in
            var states: [ConnectionState] = []
            for await case .state(let state, _) in stream { states.append(state) }
            return states
        }
        guard try await hasEnded(reader) else { return }
        let states = try await reader.value
        XCTAssertEqual(states.first, .starting)
        XCTAssertEqual(states.last, .closed)
        for await _ in client.messages() {
            XCTFail("a closed client has no messages")
        }
    }

    func testProgressComesWhileTheCallRuns() async throws {
        let client = try example()
        let steps = Counter()
        _ = try await client.callTool("slow", ["ms": 30, "steps": 3]) { _ in steps.add() }
        XCTAssertEqual(steps.count, 3)
        try await client.close()
    }

    func testTheServerAsksAndGetsItsAnswerInBothEras() async throws {
        for era in ["legacy", "modern"] {
            let client = try example(["protocol": .string(era), "capabilities": ["elicitation": [:]]])
            try client.onRequest("elicitation/create") { (params: JSONValue) async throws -> JSONValue in
                // A program may call the server while it holds the server's request.
                let echo = try await client.callTool("echo", ["text": params["message"] ?? ""])
                return ["action": "accept", "content": ["answer": .string(echo.text)]]
            }
            let result = try await client.callTool("ask", ["question": "why?"])
            XCTAssertEqual(result.text, "why?")
            try await client.close()
        }
    }

    func testAHandlerRefusesWithItsOwnCode() async throws {
        let client = try scripted(["capabilities": ["sampling": [:]]])
        try client.onRequest("sampling/createMessage") { (_: JSONValue) async throws -> JSONValue in
            throw RequestRefusal(code: -1, message: "the user refused")
        }
        let result = try await client.callTool("ask_forever", ["method": "sampling/createMessage"])
        XCTAssertTrue(result.text.contains("the user refused"), result.text)
        try await client.close()
    }

    func testCloseEndsTheCallsUnderWay() async throws {
        let client = try scripted()
        try await client.connect()
        let calls = (0..<100).map { _ in Task { try await client.callTool("hang") } }
        try await until("the calls are under way") { try client.pendingCalls == 100 }
        try await client.close()
        for call in calls {
            let error = await failure { try await call.value }
            XCTAssertEqual(error?.status, .closed)
        }
        let error = await failure { try await client.callTool("echo") }
        XCTAssertEqual(error?.status, .closed)
        try await client.close()
    }

    func testKillOfTheServerEndsAThousandCallsExactlyOnce() async throws {
        let client = try scripted(["reconnect": ["initial_ms": 10]])
        try await client.connect()
        let pid = pid_t(try client.info()["pid"]?.doubleValue ?? 0)
        let ends = Counter()
        try await withThrowingTaskGroup(of: Status.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    do {
                        // Every other one is never answered, so that some certainly are under way.
                        let name = number % 2 == 0 ? "hang" : "echo"
                        _ = try await client.callTool(name, ["text": "x"])
                        ends.add()
                        return .ok
                    } catch let error as MCPError {
                        ends.add()
                        return error.status
                    }
                }
            }
            try await until("some have ended") { ends.count > 100 }
            kill(pid, SIGKILL)
            var lost = 0
            for try await status in group {
                XCTAssertTrue([.ok, .transport, .unavailable].contains(status), "\(status)")
                if status != .ok { lost += 1 }
            }
            XCTAssertGreaterThanOrEqual(lost, 500)
        }
        // A continuation that were resumed twice would have trapped.
        XCTAssertEqual(ends.count, 1000)
        try await client.close()
    }

    #if os(Linux)
        func testMemoryIsFlatOverAHundredThousandCalls() async throws {
            let client = try example()
            try await calls(20_000, on: client)
            let before = try residentKiB()
            try await calls(100_000, on: client)
            let grown = try residentKiB() - before
            print("after 100,000 calls: resident \(before) KiB and \(grown) more")
            XCTAssertLessThan(grown, 8192)
            try await client.close()
        }

        private func calls(_ count: Int, on client: Client) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        for _ in 0..<count / 64 {
                            _ = try await client.callTool("echo", ["text": "x"])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    #endif

    func testAForgottenClientClosesItsServer() async throws {
        let pid: pid_t
        do {
            let client = try scripted()
            try await client.connect()
            pid = pid_t(try client.info()["pid"]?.doubleValue ?? 0)
            withExtendedLifetime(client) { XCTAssertEqual(kill(pid, 0), 0) }
        }
        try await until("the server is gone") { kill(pid, 0) != 0 }
    }
}
