import Foundation
import XCTest

@testable import MCP

#if canImport(Glibc)
    import Glibc
#endif

/// A request of revision 2026-07-28, as an HTTP server has read it.
func post(_ server: Server, _ tool: String, _ arguments: JSONValue = [:]) async throws -> HTTPAnswer {
    let meta: JSONValue = [
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
        "progressToken": "p",
    ]
    let request: JSONValue = [
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": ["name": .string(tool), "arguments": arguments, "_meta": meta],
    ]
    return try await server.http(
        "POST", "/mcp",
        headers: [
            ("Host", "app.example.com"), ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool),
        ], body: Data(try jsonText(of: request).utf8))
}

private func text(of answer: HTTPAnswer) async throws -> String {
    var all = Data()
    for try await part in answer.body {
        XCTAssertFalse(part.isEmpty)
        all += part
    }
    return String(decoding: all, as: UTF8.self)
}

/// A server inside an HTTP server of the program.
final class HTTPAnswerTests: XCTestCase {
    /// Holds handlers until the test opens it, or their requests are withdrawn.
    private final class Door: Sendable {
        let arrived = Counter()
        let withdrawn = Counter()
        private let opened = Counter()

        func open() { opened.add() }

        func pass() async throws {
            arrived.add()
            do {
                while opened.count == 0 { try await Task.sleep(for: .milliseconds(2)) }
            } catch {
                withdrawn.add()
                throw error
            }
        }
    }

    /// Its event streams stay quiet, so that no sign of life wakes a task that waits.
    private func server(_ door: Door) throws -> Server {
        let timeouts = ServerTimeouts(keepAlive: .seconds(300))
        let server = try Server(ServerConfiguration(name: "app", version: "0", timeouts: timeouts))
        try server.addTool("echo") { (arguments: [String: String], _) in arguments["text"] ?? "" }
        try server.addTool("wait") { (_: [String: JSONValue], _) in
            try await door.pass()
            return "waited"
        }
        try server.addTool("report") { (_: [String: JSONValue], request) in
            for step in 1...3 { request.progress(Double(step), total: 3) }
            try await door.pass()
            return "reported"
        }
        return server
    }

    private let inside = Endpoint(url: "https://app.example.com/mcp", listen: false)

    func testClientsOfBothErasAreServedByAnHTTPServerOfTheProgram() async throws {
        let door = Door()
        let server = try server(door)
        let web = try WebLoop { try await server.http($0.method, $0.target, headers: $0.headers, body: $0.body) }
        try server.serve(Endpoint(url: web.url, listen: false))
        for revision in ["2026-07-28", "2025-11-25"] {
            let client = try Client(ClientConfiguration(url: web.url, protocol: [revision]))
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<20 {
                    group.addTask { (number, try await client.callTool("echo", ["text": .string("\(number)")]).text) }
                }
                for try await (number, text) in group { XCTAssertEqual(text, "\(number)") }
            }
            let steps = Counter()
            let report = Task { try await client.callTool("report") { _ in steps.add() } }
            try await until("all steps were reported") { steps.count == 3 }
            report.cancel()
            try await until("the handler was told") { door.withdrawn.count == (revision == "2026-07-28" ? 1 : 2) }
            _ = try? await report.value
            try await client.close()
        }
        try await server.close()
        web.stop()
    }

    func testARequestThatIsNotServedHasAnAnswer() async throws {
        let server = try server(Door())
        let early = await failure { try await post(server, "echo") }
        XCTAssertEqual(early?.status, .invalidArgument)
        try server.serve(inside)
        let elsewhere = try await server.http("POST", "/mcp", headers: [("Host", "elsewhere.example")])
        XCTAssertEqual(elsewhere.status, 403)
        let unreadable = try await server.http("POST", "/mcp", headers: [("Host", "app\0.example.com")])
        XCTAssertEqual(unreadable.status, 400)
        let fine = try await post(server, "echo", ["text": "hi"])
        XCTAssertEqual(fine.status, 200)
        XCTAssertTrue(fine.headers.contains { $0.name == "content-type" }, "\(fine.headers)")
        // What was answered can still be read.
        try await server.close()
        let said = try await text(of: fine)
        XCTAssertTrue(said.contains(#""text":"hi""#), said)
        XCTAssertEqual(fine.length ?? said.utf8.count, said.utf8.count)
        let late = try await post(server, "echo")
        XCTAssertEqual(late.status, 503)
        let why = try await text(of: late)
        XCTAssertEqual(why.utf8.count, late.length)
    }

    /// The parts of a body, and how many of them were asked for.
    private struct Parts: AsyncSequence {
        let parts: [Data]
        let asked: Counter

        struct Iterator: AsyncIteratorProtocol {
            var left: ArraySlice<Data>
            let asked: Counter

            mutating func next() async -> Data? {
                asked.add()
                return left.popFirst()
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(left: parts[...], asked: asked) }
    }

    func testABodyIsAskedForWhenItsHeadIsAccepted() async throws {
        let server = try server(Door())
        try server.serve(inside)
        let json = [(name: "Content-Type", value: "application/json")]
        for (headers, status) in [([("Host", "evil.example.com")], 403), ([("Host", "app.example.com"), ("Content-Length", "100000000")], 413)] {
            let body = Parts(parts: [Data("{}".utf8)], asked: Counter())
            let refused = try await server.http("POST", "/mcp", headers: json + headers, peer: "192.0.2.7", body: body)
            XCTAssertEqual(refused.status, status)
            XCTAssertEqual(body.asked.count, 0)
        }
        let body = Parts(parts: [Data("{\"jsonrpc\":".utf8), Data(), Data("\"2.0\"}".utf8)], asked: Counter())
        let taken = try await server.http("POST", "/mcp", headers: json + [("Host", "app.example.com")], body: body)
        XCTAssertEqual(taken.status, 400)
        XCTAssertEqual(body.asked.count, 4)
        try await server.close()
    }

    func testManyRequestsWaitAndHoldNoThread() async throws {
        let door = Door()
        let server = try server(door)
        try server.serve(inside)
        let waiting = (0..<200).map { _ in Task { try await text(of: try await post(server, "wait")) } }
        try await until("all of them wait") { door.arrived.count == 200 }
        let said = try await text(of: try await post(server, "echo", ["text": "meanwhile"]))
        XCTAssertTrue(said.contains("meanwhile"), said)
        door.open()
        for task in waiting {
            let said = try await task.value
            XCTAssertTrue(said.contains("waited"), said)
        }
        try await server.close()
    }

    func testACancelledTaskGivesItsRequestUp() async throws {
        let door = Door()
        let server = try server(door)
        try server.serve(inside)
        let task = Task { try await post(server, "wait") }
        try await until("it is handled") { door.arrived.count == 1 }
        task.cancel()
        guard try await hasEnded(task) else { return }
        do {
            _ = try await task.value
            XCTFail("it was answered")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        try await until("the handler was told") { door.withdrawn.count == 1 }
        try await server.close()
    }

    func testAnAnswerThatIsGivenUpWithdrawsItsRequest() async throws {
        let door = Door()
        let server = try server(door)
        try server.serve(inside)
        let answer = try await post(server, "report")
        XCTAssertNil(answer.length)
        let began = Counter()
        let reader = Task {
            for try await _ in answer.body { began.add() }
        }
        try await until("the first part has come") { began.count > 0 && door.arrived.count == 1 }
        // The reader is in the body, and waits.
        let second = try await failure(of: Task { try await text(of: answer) })
        XCTAssertEqual(second?.status, .invalidArgument)
        answer.cancel()
        let first = try await failure(of: reader)
        XCTAssertEqual(first?.status, .closed)
        try await until("the handler was told") { door.withdrawn.count == 1 }
        try await server.close()
    }

    func testAnAnswerThatIsForgottenWithdrawsItsRequest() async throws {
        let door = Door()
        let server = try server(door)
        try server.serve(inside)
        do {
            let answer = try await post(server, "report")
            XCTAssertEqual(answer.status, 200)
        }
        try await until("the handler was told") { door.withdrawn.count == 1 }
        XCTAssertEqual(try server.info()["requests"], 0)
        try await server.close()
    }
}

/// What an HTTP server of a program has read.
struct WebRequest: Sendable {
    var method = ""
    var target = ""
    var headers: [(name: String, value: String)] = []
    var body = Data()
}

/// A small HTTP server: one request a connection, which ends with the answer.
final class WebLoop: Sendable {
    typealias Handler = @Sendable (WebRequest) async throws -> HTTPAnswer

    let url: String
    private let listener: Int32
    private let handler: Handler

    init(_ handler: @escaping Handler) throws {
        self.handler = handler
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/mcp"
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0 { return }
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The thread of a connection reads; a task answers.
    private func serve(_ connection: Int32) {
        guard let request = read(connection) else {
            close(connection)
            return
        }
        let done = DispatchSemaphore(value: 0)
        let task = Task {
            if let answer = try? await self.handler(request) { try? await Self.send(answer, on: connection) }
            shutdown(connection, Int32(SHUT_RDWR))
            done.signal()
        }
        // A client that has gone wants no answer.
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
        task.cancel()
        done.wait()
        close(connection)
    }

    private func read(_ connection: Int32) -> WebRequest? {
        var received = Data()
        var part = [UInt8](repeating: 0, count: 4096)
        var head: Range<Data.Index>?
        while head == nil {
            let count = recv(connection, &part, part.count, 0)
            if count <= 0 { return nil }
            received += part[..<count]
            head = received.range(of: Data("\r\n\r\n".utf8))
        }
        guard let head else { return nil }
        let lines = String(decoding: received[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        var request = WebRequest(method: String(words[0]), target: String(words[1]))
        for line in lines.dropFirst() {
            let two = line.split(separator: ":", maxSplits: 1)
            request.headers.append((String(two[0]), two.count > 1 ? two[1].trimmingCharacters(in: .whitespaces) : ""))
        }
        let length = request.headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        request.body = Data(received[head.upperBound...])
        while request.body.count < length {
            let count = recv(connection, &part, part.count, 0)
            if count <= 0 { return nil }
            request.body += part[..<count]
        }
        return request
    }

    private static func send(_ answer: HTTPAnswer, on connection: Int32) async throws {
        var head = "HTTP/1.1 \(answer.status) \r\nConnection: close\r\n"
        for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
        if let length = answer.length { head += "Content-Length: \(length)\r\n" }
        try write(Data((head + "\r\n").utf8), on: connection)
        for try await part in answer.body { try write(part, on: connection) }
    }

    private static func write(_ data: Data, on connection: Int32) throws {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { throw POSIXError(.EPIPE) }
            rest = rest.dropFirst(count)
        }
    }
}
