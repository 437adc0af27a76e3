import Foundation
import XCTest

@testable import MCP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server over HTTP that misbehaves by script: mcp-scripted-http, which MCP_SCRIPTED_HTTP names.
private final class Web {
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

    func client(_ more: [String: JSONValue] = [:]) throws -> Client {
        let configuration: [String: JSONValue] = [
            "url": .string("http://127.0.0.1:\(port)/mcp"), "reconnect": ["initial_ms": 10, "max_ms": 100],
        ]
        return try Client(.object(configuration.merging(more) { _, new in new }))
    }
}

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
            let error = await failure {
                try await client.callTool("slow", ["ms": 60_000], options: CallOptions(timeout: .milliseconds(50)))
            }
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
        do {
            _ = try await task.value
            XCTFail("the call did not end")
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

    func testALoginWithABrowserOpensTheServer() async throws {
        let server = try Web("login=yes")
        let client = try server.client(["auth": [:]])
        let logins = Counter()
        client.onLogin { login in
            logins.add()
            guard login.kind == .page, login.listens, let page = URL(string: login.url) else {
                throw RequestRefusal(code: -1, message: "not as expected")
            }
            // A person with a browser, who does what the page says.
            _ = try await URLSession.shared.data(from: page)
        }
        let echo = try await client.callTool("echo", ["text": "in"])
        XCTAssertEqual(echo.text, "in")
        XCTAssertEqual(logins.count, 1)
        try await client.close()
        server.stop()
    }

    func testALoginThatIsGivenUpEndsItsCalls() async throws {
        let server = try Web("login=yes")
        let client = try server.client(["auth": [:]])
        client.onLogin { login in try login.giveUp("closed the window") }
        let error = await failure { try await client.callTool("echo") }
        XCTAssertEqual(error?.status, .auth)
        XCTAssertTrue(error?.message.contains("closed the window") ?? false, error?.message ?? "")
        try await client.close()
        server.stop()
    }

    func testALoginWithoutAHandlerIsGivenUp() async throws {
        let server = try Web("login=yes")
        // A client whose first login failed is closed, so each case needs a client of its own.
        let client = try server.client(["auth": [:]])
        let error = await failure { try await client.callTool("echo") }
        XCTAssertEqual(error?.status, .auth)
        XCTAssertTrue(error?.message.contains("onLogin") ?? false, error?.message ?? "")
        try await client.close()
        server.stop()
    }

    func testATokenOfTheProgramsIsGiven() async throws {
        let server = try Web("token=sesame")
        let client = try server.client(["auth": ["type": "bearer"]])
        client.onLogin { login in try login.give("sesame", lasts: .seconds(3600)) }
        let echo = try await client.callTool("echo", ["text": "in"])
        XCTAssertEqual(echo.text, "in")
        try await client.close()
        server.stop()
    }
}
