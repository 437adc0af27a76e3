import Foundation
import XCTest

@testable import MCP

final class HTTPTests: XCTestCase {
    func testCallsOverHTTPInBothEras() async throws {
        for era in ["legacy", "modern"] {
            let server = try Web("page-size=3")
            let client = try server.client(["protocol": .string(era)])
            let tools = try await client.listTools()
            XCTAssertGreaterThan(tools.count, 10)
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let result = try await client.callTool("echo", ["text": .string("\(number)")])
                        return (number, result.text)
                    }
                }
                for try await (number, text) in group { XCTAssertEqual(text, "\(number)") }
            }
            let slow = Task { try await client.callTool("slow", ["ms": 60_000], options: CallOptions(timeout: .milliseconds(50))) }
            let error = try await failure(of: slow)
            XCTAssertEqual(error?.status, .timeout)
            try await client.close()
            server.stop()
        }
    }

    func testACancelledTaskCancelsItsCallOverHTTP() async throws {
        let server = try Web()
        let client = try server.client()
        try await client.connect()
        let task = Task { try await client.callTool("never") }
        try await until("the call is under way") { try client.pendingCalls == 1 }
        task.cancel()
        guard try await hasEnded(task) else { return }
        do {
            _ = try await task.value
            XCTFail("the call was answered")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        try await client.close()
        server.stop()
    }

    func testAKilledServerEndsEachCallOnceAndTheNextIsFound() async throws {
        let server = try Web()
        let client = try server.client()
        try await client.connect()
        let calls = (0..<100).map { _ in Task { try await client.callTool("never") } }
        try await until("the calls are under way") { try client.pendingCalls == 100 }
        server.stop()
        for call in calls {
            let error = await failure { try await call.value }
            XCTAssertTrue(error?.status == .transport || error?.status == .unavailable, "\(String(describing: error))")
        }
        let next = try Web(port: server.port)
        var said = ""
        for _ in 0..<500 where said != "back" {
            let options = CallOptions(whenUnavailable: .wait)
            said = (try? await client.callTool("echo", ["text": "back"], options: options).text) ?? ""
            if said != "back" { try await Task.sleep(for: .milliseconds(20)) }
        }
        XCTAssertEqual(said, "back")
        try await client.close()
        next.stop()
    }

    func testCloseEndsTheCallsUnderWayOverHTTP() async throws {
        let server = try Web()
        let client = try server.client()
        try await client.connect()
        let calls = (0..<20).map { _ in Task { try await client.callTool("never") } }
        try await until("the calls are under way") { try client.pendingCalls == 20 }
        try await client.close()
        for call in calls {
            let error = await failure { try await call.value }
            XCTAssertEqual(error?.status, .closed)
        }
        server.stop()
    }

    func testAFormIsCompletedAndChecked() async throws {
        let server = try Web()
        let client = try server.client(["capabilities": ["elicitation": [:]]])
        try client.onElicitation { _ in .accept(["name": "Ada"]) }
        let accepted = try await client.callTool("ask", ["method": "elicitation/create"])
        XCTAssertTrue(accepted.text.contains("Ada"), accepted.text)
        try client.onElicitation { _ in .decline }
        let declined = try await client.callTool("ask", ["method": "elicitation/create"])
        XCTAssertTrue(declined.text.contains("decline"), declined.text)
        try await client.close()
        server.stop()
    }
}
