#if os(Linux)
    import Foundation
    import XCTest

    @testable import MCP

    /// The other side is another process, which is killed under load. The programs are this test again, and the example `server`
    /// beside it.
    final class CrashTests: XCTestCase {
        /// Names the server of the client that this test starts, in that client.
        private static let variable = "MCP_TEST_LOAD"

        /// A client that is killed under load leaves nothing in the server: no request, and no handler.
        func testAKilledClientLeavesNothingInTheServer() async throws {
            if let url = ProcessInfo.processInfo.environment[Self.variable] { return try await load(url) }
            let server = try Server(name: "test")
            let (begun, ended) = (Counter(), Counter())
            try server.addTool("wait") { (_: [String: JSONValue], _) -> String in
                begun.add()
                defer { ended.add() }
                try await Task.sleep(for: .seconds(300))
                return "late"
            }
            let url = try XCTUnwrap(try server.serve(Endpoint(url: "http://127.0.0.1:0/mcp")).url)
            for round in 1...3 {
                let client = Process()
                client.executableURL = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe").asFile
                client.arguments = ["MCPTests.CrashTests/testAKilledClientLeavesNothingInTheServer"]
                client.environment = ProcessInfo.processInfo.environment.merging([Self.variable: url]) { _, new in new }
                client.standardOutput = FileHandle.nullDevice
                try client.run()
                defer { if client.isRunning { kill(client.processIdentifier, SIGKILL) } }
                try await until("its calls run") { begun.count == round * 50 }
                XCTAssertEqual(try server.info()["requests"]?.doubleValue, 50)
                kill(client.processIdentifier, SIGKILL)
                try await until("its calls have ended") {
                    try ended.count == round * 50 && server.info()["requests"]?.doubleValue == 0
                }
            }
            let next = try Client(ClientConfiguration(url: url))
            let tools = try await next.listTools()
            XCTAssertEqual(tools.count, 1)
            try await next.close()
            try await server.close()
        }

        /// Fifty calls that do not end.
        private func load(_ url: String) async throws {
            let client = try Client(ClientConfiguration(url: url))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask { _ = try await client.callTool("wait", options: CallOptions(timeout: .seconds(300))) }
                }
                try await group.waitForAll()
            }
        }

        /// A server of this package is killed under load: each call ends once, and the next ones have another process.
        func testAKilledServerOfThisPackageIsStartedAgain() async throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe").asFile
            let program = tests.deletingLastPathComponent().appendingPathComponent("server").path
            guard FileManager.default.isExecutableFile(atPath: program) else {
                throw XCTSkip("the example `server` is not beside the tests")
            }
            let client = try Client(
                ClientConfiguration(command: program, reconnect: .with(Reconnect(initial: .milliseconds(10)))))
            for _ in 0..<3 {
                let waits = CallOptions(whenUnavailable: .wait)
                let before = try await client.callTool("add", ["a": 2, "b": 3], options: waits)
                XCTAssertEqual(before.text, #"{"total":5}"#)
                let pid = pid_t(try client.info()["pid"]?.doubleValue ?? 0)
                let ends = Counter()
                try await withThrowingTaskGroup(of: Status.self) { group in
                    for number in 0..<200 {
                        let isShort = number % 2 == 0
                        group.addTask {
                            defer { ends.add() }
                            do {
                                _ = try await client.callTool("wait", ["ms": isShort ? 0 : 60_000, "steps": 1])
                                return .ok
                            } catch let error as MCPError {
                                return error.status
                            }
                        }
                    }
                    try await until("the short ones have ended") { ends.count == 100 }
                    kill(pid, SIGKILL)
                    var outcomes: [Status: Int] = [:]
                    for try await status in group { outcomes[status, default: 0] += 1 }
                    XCTAssertEqual(outcomes, [.ok: 100, .transport: 100])
                }
                let after = try await client.callTool("add", ["a": 1, "b": 1], options: waits)
                XCTAssertEqual(after.text, #"{"total":2}"#)
                XCTAssertNotEqual(pid_t(try client.info()["pid"]?.doubleValue ?? 0), pid)
            }
            try await client.close()
        }
    }

    extension String {
        fileprivate var asFile: URL { URL(fileURLWithPath: self) }
    }
#endif
