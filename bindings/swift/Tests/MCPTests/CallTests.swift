import CMCP
import Foundation
import XCTest

@testable import MCP

final class CallTests: XCTestCase {
    func testNumbersAreTheHeadersNumbers() {
        XCTAssertEqual(Status.ok.name, "ok")
        XCTAssertEqual(Status.tooLarge.name, "too_large")
        XCTAssertEqual(Status.internal.name, "internal")
        XCTAssertEqual(ConnectionState.backoff.name, "backoff")
        XCTAssertEqual(mcp_abi_version(), abiVersion)
    }

    func testACallGivesItsResultInBothEras() async throws {
        for era in ["legacy", "modern"] {
            let client = try example(["protocol": .string(era)])
            XCTAssertEqual(client.state, .idle)
            let result = try await client.callTool("echo", ["text": "ünïcödé ☃"])
            XCTAssertEqual(result.text, "ünïcödé ☃")
            XCTAssertEqual(client.state, .ready)
            XCTAssertEqual(try client.info()["era"]?.stringValue, era)
            try await client.close()
            XCTAssertEqual(client.state, .closed)
        }
    }

    func testListsComeWholeOverAllTheirPages() async throws {
        let client = try example(["args": ["--page-size", "1"]])
        let names = try await client.listTools().map(\.name)
        XCTAssertTrue(names.contains("echo") && names.contains("slow"), "\(names)")
        let resources = try await client.listResources()
        XCTAssertEqual(resources.count, 2)
        try await client.close()
    }

    func testAnErrorOfTheServerKeepsItsCodeMessageAndData() async throws {
        let client = try scripted()
        let arguments: JSONValue = ["code": -32123, "message": "not today", "data": ["until": "tomorrow"]]
        let error = await failure { try await client.callTool("error", arguments) }
        XCTAssertEqual(error?.status, .server)
        XCTAssertEqual(error?.code, -32123)
        XCTAssertEqual(error?.message, "not today")
        XCTAssertEqual(error?.data, ["until": "tomorrow"])
        try await client.close()
    }

    func testACallEndsAtItsTimeout() async throws {
        let client = try scripted()
        let options = CallOptions(timeout: .milliseconds(50))
        // That of the configuration is 30 seconds.
        let error = try await failure(of: Task { try await client.callTool("hang", options: options) })
        XCTAssertEqual(error?.status, .timeout)
        try await client.close()
    }

    func testACancelledTaskCancelsItsCallAndTheServerIsTold() async throws {
        let client = try scripted()
        try await client.connect()
        let task = Task { try await client.callTool("hang") }
        try await until("the call is under way") { try client.pendingCalls == 1 }
        task.cancel()
        guard try await hasEnded(task) else { return }
        do {
            _ = try await task.value
            XCTFail("the call was answered")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        let received = try await client.callTool("received")
        XCTAssertEqual(received.structuredContent?["counts"]?["notifications/cancelled"], 1)
        try await client.close()
    }

    func testATaskThatWasCancelledBeforeStartsNothing() async throws {
        let client = try scripted()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await client.callTool("echo", ["text": "too late"])
        }
        task.cancel()
        do {
            try await task.value
            XCTFail("the call was made")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        XCTAssertEqual(client.state, .idle)
        try await client.close()
    }

    func testAThousandConcurrentCallsEachGetTheirOwnAnswer() async throws {
        let client = try example()
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let result = try await client.callTool("echo", ["text": .string("\(number)")])
                    return (number, result.text)
                }
            }
            var count = 0
            for try await (number, text) in group {
                XCTAssertEqual(text, "\(number)")
                count += 1
            }
            XCTAssertEqual(count, 1000)
        }
        try await client.close()
    }

    func testWhatIsWrongWithAConfigurationIsToldAtOnce() {
        XCTAssertThrowsError(try Client(["command": "x", "reconect": false])) { error in
            XCTAssertEqual((error as? MCPError)?.status, .invalidArgument)
            XCTAssertTrue("\(error)".contains("reconnect"), "\(error)")
        }
    }
}
