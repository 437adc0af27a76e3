import Foundation
import XCTest

@testable import MCP

/// The server side, with a client in the same process.
final class ServerTests: XCTestCase {
    struct Sum: Codable, Described {
        enum Unit: String, Codable, CaseIterable { case metre, foot }
        var a: Double
        var b: Double
        var unit: Unit?
        static let descriptions = ["a": "the first number"]
    }

    struct Total: Codable, Equatable {
        var total: Double
    }

    /// A server with a tool of each kind.
    private func server() throws -> Server {
        let server = try Server(name: "test", version: "1")
        server.onFailure { _, _ in }
        try server.addTool("add", description: "Adds") { (sum: Sum, _) in Total(total: sum.a + sum.b) }
        try server.addTool("hello") { (_: [String: JSONValue], _) in "hello" }
        try server.addTool("refuse") { (_: [String: JSONValue], _) -> String in
            throw RequestRefusal(code: 4001, message: "not for you")
        }
        try server.addTool("fail") { (_: [String: JSONValue], _) -> String in throw ToolError("no paper\0 left") }
        try server.addTool("break") { (_: [String: JSONValue], _) -> String in throw Secret() }
        try server.addTool("ask") { (_: [String: JSONValue], request) -> String in
            let answer = try request.elicit("Which size?") {
                Property("size", .string(values: ["small", "large"]))
            }
            return answer.content?["size"]?.stringValue ?? answer.action.rawValue
        }
        return server
    }

    struct Secret: Error, CustomStringConvertible {
        let description = "the password is 1234"
    }

    func testAToolOfTypesHasItsSchemaAndGivesItsResultInBothEras() async throws {
        let server = try server()
        for era in ["legacy", "modern"] {
            let client = try server.client(ClientConfiguration(protocol: [era]))
            let tool = try await client.listTools().first { $0.name == "add" }
            let properties = tool?.inputSchema["properties"]
            XCTAssertEqual(properties?["a"]?["description"], "the first number")
            XCTAssertEqual(properties?["unit"]?["enum"], ["metre", "foot"])
            XCTAssertEqual(tool?.inputSchema["required"], ["a", "b"])
            XCTAssertEqual(tool?.outputSchema?["properties"]?["total"]?["type"], "number")
            let total = try await client.callTool("add", Sum(a: 2, b: 3), as: Total.self)
            XCTAssertEqual(total, Total(total: 5))
            // A type without one for the result; a literal of several types; a value.
            let typed = try await client.callTool("add", Sum(a: 2, b: 3)).structured(as: Total.self)
            let mixed = try await client.callTool("add", ["a": 2, "b": 3, "unit": "foot"], as: Total.self)
            let value: JSONValue = ["a": 2, "b": 3]
            let ofValue = try await client.callTool("add", value, as: Total.self)
            XCTAssertEqual([typed, mixed, ofValue], [total, total, total])
            do {
                _ = try await client.callTool("fail", as: Total.self)
                XCTFail("a tool that failed has no result")
            } catch let failed as ToolFailure {
                XCTAssertEqual(failed.result.text, "no paper\0 left")
            }
            let hello = try await client.callTool("hello")
            XCTAssertEqual(hello.text, "hello")
            try await client.close()
        }
        try await server.close()
    }

    func testArgumentsThatDoNotFitNeverReachTheHandler() async throws {
        let server = try Server(name: "test")
        let runs = Counter()
        try server.addTool("measure", input: .object { Property("a", .number()) }) { (_: [String: JSONValue], _) -> String in
            runs.add()
            return "measured"
        }
        let client = try server.client()
        let wrong = try? await client.callTool("measure", ["a": "two"])
        XCTAssertNotEqual(wrong?.isError, false)
        XCTAssertEqual(runs.count, 0)
        let right = try await client.callTool("measure", ["a": 2])
        XCTAssertEqual(right.text, "measured")
        XCTAssertEqual(runs.count, 1)
        try await client.close()
        try await server.close()
    }

    func testWhatHandlersThrowIsAnsweredWithoutTellingMoreThanWasMeant() async throws {
        let server = try server()
        let told = Counter()
        server.onFailure { error, what in if error is Secret, what == "tools/call break" { told.add() } }
        let client = try server.client()
        let error = await failure { try await client.callTool("refuse") }
        XCTAssertEqual(error?.code, 4001)
        XCTAssertEqual(error?.message, "not for you")
        let failed = try await client.callTool("fail")
        XCTAssertEqual(failed.isError, true)
        XCTAssertEqual(failed.text, "no paper\0 left")
        let broken = try await client.callTool("break")
        XCTAssertEqual(broken.isError, true)
        XCTAssertFalse(broken.text.contains("1234"), broken.text)
        XCTAssertEqual(told.count, 1)
        try await client.close()
        try await server.close()
    }

    func testAQuestionRunsTheHandlerAgainInBothEras() async throws {
        let server = try server()
        for era in ["legacy", "modern"] {
            let client = try server.client(ClientConfiguration(protocol: [era])) { handlers in
                handlers.onElicitation { request in
                    XCTAssertEqual(request.message, "Which size?")
                    return .accept(["size": "large"])
                }
            }
            let result = try await client.callTool("ask")
            XCTAssertEqual(result.text, "large")
            try await client.close()
        }
        try await server.close()
    }

    func testACancelledCallCancelsItsHandler() async throws {
        let server = try Server(name: "test")
        let (running, cancelled) = (Counter(), Counter())
        try server.addTool("wait") { (_: [String: JSONValue], _) -> String in
            running.add()
            do {
                try await Task.sleep(for: .seconds(60))
            } catch {
                cancelled.add()
                throw error
            }
            return "late"
        }
        let client = try server.client()
        let call = Task { try await client.callTool("wait") }
        try await until("the handler runs") { running.count == 1 }
        call.cancel()
        try await until("the handler is cancelled") { cancelled.count == 1 }
        _ = try? await call.value
        try await client.close()
        try await server.close()
    }

    func testResourcesPromptsCompletionAndProgress() async throws {
        let server = try Server(name: "test")
        try server.addText(Resource(name: "motto", uri: "note://motto"), "be brief")
        try server.addTemplate(ResourceTemplate(name: "note", uriTemplate: "note://day/{day}")) { variables, _ in
            let day = variables["day"]?.stringValue ?? ""
            return ReadResourceResult(contents: [ResourceContents(uri: "note://day/\(day)", text: "note of \(day)")])
        }
        try server.addPrompt(Prompt(name: "greet", arguments: [PromptArgument(name: "name")])) { arguments, _ in
            GetPromptResult(messages: [PromptMessage(content: .text("Greet \(arguments["name"] ?? "")"), role: .user)])
        }
        try server.addCompletion(of: "greet", argument: "name", values: ["Ada", "Grace"])
        try server.addTool("steps") { (_: [String: JSONValue], request) -> String in
            for step in 1...3 { request.progress(Double(step), total: 3) }
            return "done"
        }
        let client = try server.client()
        let motto = try await client.readResource("note://motto").text
        XCTAssertEqual(motto, "be brief")
        let note = try await client.readResource("note://day/monday").text
        XCTAssertEqual(note, "note of monday")
        let prompt = try await client.getPrompt("greet", ["name": "Ada"])
        XCTAssertEqual(prompt.messages.first?.content.text, "Greet Ada")
        let reference = Reference.refPrompt(PromptReference(name: "greet"))
        let completion = try await client.complete(reference, argument: "name", typed: "G")
        XCTAssertEqual(completion.values, ["Grace"])
        let steps = Counter()
        _ = try await client.callTool("steps") { _ in steps.add() }
        XCTAssertGreaterThanOrEqual(steps.count, 1)
        try server.remove(.tool, "steps")
        XCTAssertFalse(try server.remove(.tool, "steps"))
        try await client.close()
        try await server.close()
    }

    func testAServerIsUsedOverHTTP() async throws {
        let server = try server()
        let bound = try server.serve(Endpoint(url: "http://127.0.0.1:0/mcp"))
        let client = try Client(ClientConfiguration(url: try XCTUnwrap(bound.url)))
        let total = try await client.callTool("add", Sum(a: 1, b: 1), as: Total.self)
        XCTAssertEqual(total.total, 2)
        try await client.close()
        try await server.close()
        await server.waitUntilEnded()
    }

    func testAHandlerWithoutItsCapabilityIsToldAtOnce() async throws {
        let server = try server()
        let client = try server.client()
        XCTAssertThrowsError(try client.onElicitation { _ in .decline }) { error in
            XCTAssertEqual((error as? MCPError)?.status, .invalidArgument)
            XCTAssertTrue("\(error)".contains("elicitation"), "\(error)")
        }
        try await client.close()
        try await server.close()
    }

    func testResultsOfEachKindArrive() async throws {
        let server = try Server(name: "test")
        struct Nothing: Codable {}
        func give<Output: Codable & Sendable>(_ name: String, _ output: Output) throws {
            try server.addTool(name) { (_: Nothing, _) in output }
        }
        let image = ContentBlock.image(ImageContent(data: "aGk=", mimeType: "image/png"))
        try give("number", 7)
        try give("list", [1, 2])
        try give("day", Date(timeIntervalSince1970: 0))
        try give("nil", Int?.none)
        try give("json", JSONValue.array([true]))
        try give("block", image)
        try give("blocks", [image, .text("a")])
        try give("large", Int64.max)
        try give("larger", UInt64.max)
        let client = try server.client()
        for (name, value) in [
            ("number", 7), ("list", [1, 2]), ("day", "1970-01-01T00:00:00Z"), ("nil", .null), ("json", [true]),
        ] as [(String, JSONValue)] {
            let result = try await client.callTool(name)
            XCTAssertEqual(result.structuredContent, ["result": value], name)
        }
        // As they were given: no Double has these digits.
        for (name, digits) in [("large", "9223372036854775807"), ("larger", "18446744073709551615")] {
            let result = try await client.callTool(name)
            XCTAssertTrue(result.text.contains(digits), result.text)
        }
        let block = try await client.callTool("block")
        XCTAssertEqual(block.content, [image])
        let blocks = try await client.callTool("blocks")
        XCTAssertEqual(blocks.content, [image, .text("a")])
        XCTAssertNil(blocks.structuredContent)
        try await client.close()
        try await server.close()
    }

    func testTypesOfFoundationComeAndGo() async throws {
        struct Things: Codable, Equatable, Sendable {
            let at: Date
            let id: UUID
            let bytes: Data
            let price: Decimal
            let small: Int8
            let few: UInt16?
            let names: Set<String>
        }
        let server = try Server(name: "test")
        try server.addTool("same") { (things: Things, _) in things }
        let client = try server.client()
        let properties = try await client.listTools()[0].inputSchema["properties"]
        XCTAssertEqual(properties?["at"]?["format"], "date-time")
        XCTAssertEqual(properties?["id"]?["format"], "uuid")
        XCTAssertEqual(properties?["bytes"]?["contentEncoding"], "base64")
        XCTAssertEqual(properties?["small"]?["maximum"], 127)
        for seconds in [0, 1.5] {
            let things = Things(
                at: Date(timeIntervalSince1970: seconds), id: UUID(), bytes: Data("hi".utf8), price: 2.5, small: -7, few: nil, names: ["a"])
            let again = try await client.callTool("same", things, as: Things.self)
            XCTAssertEqual(again, things)
        }
        let wrong = try await client.callTool("same", [
            "at": "tomorrow", "id": .string(UUID().uuidString), "bytes": "", "price": 1, "small": 1, "names": [],
        ] as JSONValue)
        XCTAssertEqual(wrong.isError, true)
        XCTAssertEqual(wrong.text.hasPrefix("The arguments do not fit: "), true, wrong.text)
        try await client.close()
        try await server.close()
    }

    func testATypeWithoutASchemaIsToldAtOnce() throws {
        enum Either: Codable { case left(Int), right(String) }
        struct Input: Codable { let either: Either }
        XCTAssertThrowsError(try Schema.of(Input.self)) { error in
            XCTAssertEqual((error as? MCPError)?.status, .invalidArgument)
        }
    }

    func testARefusalWithANULIsSent() async throws {
        let server = try Server(name: "test")
        try server.addTool("refuse") { (_: [String: JSONValue], _) -> String in
            throw RequestRefusal(code: 4001, message: "not\0 now")
        }
        let client = try server.client()
        let error = await failure { try await client.callTool("refuse") }
        XCTAssertEqual(error?.message, "not now")
        try await client.close()
        try await server.close()
    }

    func testNothingIsLeftOfAThousandServersAndClients() async throws {
        func entries(of folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        }
        func once() async throws {
            let server = try Server(name: "test")
            try server.addTool("hello") { (_: [String: JSONValue], _) in "hello" }
            let client = try server.client()
            let result = try await client.callTool("hello")
            XCTAssertEqual(result.text, "hello")
            try await client.close()
            try await server.close()
        }
        for _ in 0..<10 { try await once() }
        let (descriptors, threads) = (entries(of: "/proc/self/fd"), entries(of: "/proc/self/task"))
        // The first half fills what is kept for the next ones, such as the arenas of malloc.
        for _ in 0..<500 { try await once() }
        #if os(Linux)
            let before = try residentKiB()
        #endif
        for _ in 0..<500 { try await once() }
        // Threads end a moment after what they have done; those of the tasks themselves may be more or fewer.
        try await until("no thread and no descriptor is left") {
            entries(of: "/proc/self/fd") <= descriptors + 4 && entries(of: "/proc/self/task") <= threads + 8
        }
        #if os(Linux)
            let grown = try residentKiB() - before
            print("after 500 more servers and clients: resident \(before) KiB and \(grown) more")
            // A client that is closed and not freed leaves 13 KiB, so 500 of them 6.6 MiB.
            XCTAssertLessThan(grown, 4096)
        #endif
    }
}
