import Foundation
import XCTest

@testable import MCP

/// What a server says and asks outside of requests, and what else it offers.
final class SessionTests: XCTestCase {
    /// A folder with these files, until the test ends.
    private func folder(_ files: [String: String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mcp-\(UUID().uuidString)")
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
        return folder.path
    }

    func testBytesAndFilesAreReadInBothEras() async throws {
        let files = try folder(["guide/intro.md": "read me"])
        let server = try Server(name: "test")
        let bytes = Data([0, 1, 254, 255])
        try server.addBlob(Resource(name: "raw", uri: "data://raw"), bytes)
        try server.addBlob(Resource(name: "empty", uri: "data://empty"), Data())
        try server.addFolder(ResourceTemplate(name: "docs", uriTemplate: "docs:///{+path}"), files)
        try server.addResource(Resource(name: "gone", uri: "note://gone")) { _ in throw NotFound() }
        for era in ["legacy", "modern"] {
            let client = try server.client(ClientConfiguration(protocol: [era]))
            let raw = try await client.readResource("data://raw")
            XCTAssertEqual(raw.contents.first?.bytes, bytes)
            let empty = try await client.readResource("data://empty")
            XCTAssertEqual(empty.contents.first?.bytes, Data())
            let intro = try await client.readResource("docs:///guide/intro.md")
            XCTAssertEqual(intro.text, "read me")
            // The same error as for a URI that no resource has.
            let gone = await failure { try await client.readResource("note://gone") }
            let unknown = await failure { try await client.readResource("note://unknown") }
            XCTAssertEqual(gone?.status, .server)
            XCTAssertEqual(gone?.code, unknown?.code)
            try await client.close()
        }
        XCTAssertThrowsError(try server.addFolder(ResourceTemplate(name: "x", uriTemplate: "x:///{+path}"), files + "/none")) { error in
            XCTAssertEqual((error as? MCPError)?.status, .unavailable)
        }
        try await server.close()
    }

    func testSkillsArePublishedAndTakenBack() async throws {
        let skills = try folder(["review/SKILL.md": "---\nname: review\ndescription: Reviews a text.\n---\nRead it twice.\n"])
        let server = try Server(name: "test")
        try server.addSkills(skills, uriPrefix: "skill://acme")
        let client = try server.client(ClientConfiguration(protocol: ["modern"]))
        let listed = try await client.listSkills()
        XCTAssertEqual(listed.map(\.uri), ["skill://acme/review/SKILL.md"])
        let text = try await client.loadSkill(try XCTUnwrap(listed.first)).text
        XCTAssertTrue(text.contains("Read it twice."), text)
        XCTAssertTrue(try server.remove(.skills, skills))
        let left = try await client.listSkills()
        XCTAssertEqual(left.count, 0)
        try await client.close()
        try await server.close()
    }

    func testAMethodOfAnExtensionIsServed() async throws {
        struct Picture: Codable, Sendable { let size: Int }
        let server = try Server(name: "test")
        try server.addMethod("com.example/render", extension: "com.example/pictures", settings: ["formats": ["png"]]) {
            (picture: Picture, _) in Picture(size: picture.size * 2)
        }
        try server.addMethod("com.example/find") { (_: JSONValue, _) -> JSONValue in throw NotFound() }
        let able: ClientCapabilities = try JSONValue.object(["extensions": ["com.example/pictures": [:]]]).decode()
        for era in ["legacy", "modern"] {
            let client = try server.client(ClientConfiguration(protocol: [era], capabilities: able))
            let picture = try await client.call("com.example/render", ["size": 2], as: Picture.self)
            XCTAssertEqual(picture.size, 4)
            let wrong = await failure { try await client.call("com.example/render", ["size": "big"], as: Picture.self) }
            XCTAssertEqual(wrong?.code, Int(ErrorCode.invalidParams))
            let nothing = await failure { try await client.call("com.example/find", [:], as: JSONValue.self) }
            XCTAssertEqual(nothing?.status, .server)
            XCTAssertEqual(nothing?.code, Int(ErrorCode.invalidParams))
            // Extensions exist in 2026-07-28: earlier revisions cannot announce one, and a client need not have it.
            let announced = try XCTUnwrap(try client.info()["capabilities"]?.objectValue)["extensions"]
            let settings: JSONValue = ["com.example/pictures": ["formats": ["png"]]]
            XCTAssertEqual(announced, era == "modern" ? settings : nil, era)
            try await client.close()
            let unable = try server.client(ClientConfiguration(protocol: [era]))
            if era == "modern" {
                let refused = await failure { try await unable.call("com.example/render", ["size": 2], as: Picture.self) }
                XCTAssertEqual(refused?.code, Int(ErrorCode.missingRequiredClientCapability))
            } else {
                let other = try await unable.call("com.example/render", ["size": 3], as: Picture.self)
                XCTAssertEqual(other.size, 6)
            }
            try await unable.close()
        }
        try await server.close()
    }

    /// A server with a tool that tells its session.
    private func server() throws -> Server {
        let server = try Server(name: "test")
        try server.addTool("session") { (_: [String: JSONValue], request) in
            try request.session().map { "\($0)" } ?? "none"
        }
        return server
    }

    private func session(of client: Client) async throws -> SessionID {
        let text = try await client.callTool("session").text
        return try XCTUnwrap(SessionID(text), text)
    }

    func testNotificationsReachOneSessionOrAll() async throws {
        let server = try server()
        let clients = try (0..<2).map { _ in try server.client(ClientConfiguration(protocol: ["legacy"])) }
        let streams = clients.map { $0.notifications("com.example/changed") }
        let first = try await session(of: clients[0])
        _ = try await session(of: clients[1])
        try server.notify("com.example/changed", ["number": 1], session: first)
        try server.notify("com.example/changed", ["number": 2])
        var heard: [[JSONValue?]] = []
        for (stream, count) in zip(streams, [2, 1]) {
            heard.append(await elements(count, of: stream).map { $0.params["number"] })
        }
        XCTAssertEqual(heard, [[1, 2], [2]])
        XCTAssertThrowsError(try server.notify("com.example/changed", session: 1 << 40)) { error in
            XCTAssertEqual((error as? MCPError)?.status, .unavailable)
        }
        XCTAssertThrowsError(try server.notify("notifications/tools/list_changed")) { error in
            XCTAssertEqual((error as? MCPError)?.status, .invalidArgument)
        }
        for client in clients { try await client.close() }
        try await server.close()
    }

    func testASessionIsCalledOutsideOfRequests() async throws {
        let server = try server()
        let asked = Counter()
        let client = try server.client(ClientConfiguration(protocol: ["legacy"])) {
            $0.onRoots { [Root(uri: "file:///a")] }
            $0.onElicitation { _ in
                asked.add()
                try await Task.sleep(for: .seconds(60))
                return .cancel
            }
        }
        let session = try await session(of: client)
        let roots = try await server.call(session: session, "roots/list", as: ListRootsResult.self)
        XCTAssertEqual(roots.roots.map(\.uri), ["file:///a"])
        let pong = try await server.call(session: session, "ping", as: JSONValue.self, timeout: patience)
        XCTAssertEqual(pong, [:])
        let form: JSONValue = [
            "mode": "form", "message": "Which?", "requestedSchema": ["type": "object", "properties": ["a": ["type": "string"]]],
        ]
        let late = await failure {
            try await server.call(session: session, "elicitation/create", form, as: ElicitResult.self, timeout: .milliseconds(20))
        }
        XCTAssertEqual(late?.status, .timeout)
        let given = Task { try await server.call(session: session, "elicitation/create", form, as: ElicitResult.self) }
        try await until("the person is asked") { asked.count == 2 }
        given.cancel()
        do {
            _ = try await given.value
            XCTFail("the call did not end")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        let left = Task { try await server.call(session: session, "elicitation/create", form, as: ElicitResult.self) }
        try await until("the person is asked again") { asked.count == 3 }
        for (number, method, status) in [
            (session, "sampling/createMessage", Status.unsupported), (1 << 40, "ping", .unavailable), (session, "com.example/x", .invalidArgument),
        ] {
            let error = await failure { try await server.call(session: number, method, [:], as: JSONValue.self) }
            XCTAssertEqual(error?.status, status, "\(method): \(String(describing: error))")
        }
        // A call under way when the server is closed has an outcome, too.
        try await server.close()
        let error = await failure { try await left.value }
        XCTAssertNotNil(error)
        let after = await failure { try await server.call(session: session, "ping", as: JSONValue.self) }
        XCTAssertEqual(after?.status, .closed)
        try await client.close()
    }

    func testAStreamEndsBeforeItsAnswer() async throws {
        let server = try Server(name: "patient")
        try server.addTool("close") { (_: [String: JSONValue], request) in
            let first = try request.closeStream(retry: .zero)
            return "closed: \(first), again: \(try request.closeStream())"
        }
        let bound = try server.serve(Endpoint(url: "http://127.0.0.1:0/mcp"))
        for revision in ["2026-07-28", "2025-11-25"] {
            let client = try Client(ClientConfiguration(url: try XCTUnwrap(bound.url), protocol: [revision]))
            let said = try await client.callTool("close").text
            XCTAssertEqual(said, "closed: \(revision == "2025-11-25"), again: false")
            try await client.close()
        }
        try await server.close()
    }

    func testTheLoggerHearsOfClientsUntilItIsTakenAway() async throws {
        final class Heard: @unchecked Sendable {
            private let lock = NSLock()
            private var records: [LogRecord] = []

            func add(_ record: LogRecord) { lock.withLock { records.append(record) } }
            var all: [LogRecord] { lock.withLock { records } }
        }
        XCTAssertThrowsError(try setLogger(upTo: LogLevel(rawValue: 99)) { _ in }) { error in
            XCTAssertEqual((error as? MCPError)?.status, .invalidArgument)
        }
        weak var gone: Heard?
        do {
            let heard = Heard()
            gone = heard
            try setLogger(upTo: .info) { heard.add($0) }
            let server = try server()
            let client = try server.client()
            _ = try await client.callTool("session")
            try await until("a change of the connection is heard") { heard.all.contains { $0.event == "connection.transition" } }
            XCTAssertTrue(heard.all.allSatisfy { $0.level.rawValue <= LogLevel.info.rawValue && $0.values["level"] != nil })
            try setLogger(nil)
            try await client.close()
            try await server.close()
        }
        try await until("the function was released") { gone == nil }
    }
}
