import Foundation
import XCTest

@testable import MCP

/// What a server offers beside tools, and what it says by itself, with a client in the same process.
final class OfferTests: XCTestCase {
    private struct Secret: Error, CustomStringConvertible {
        let description = "the password is 1234"
    }

    func testAResourceIsReadByItsHandler() async throws {
        let server = try Server(name: "test")
        let told = Failures()
        server.onFailure(told.hear)
        try server.addResource(Resource(name: "clock", uri: "clock://now")) { request in
            let uri = try request.parameters(as: ReadResourceRequestParams.self).uri
            return ReadResourceResult(contents: [ResourceContents(uri: uri, text: "noon")])
        }
        try server.addResource(Resource(name: "broken", uri: "clock://broken")) { _ in throw Secret() }
        try server.addResource(Resource(name: "closed", uri: "clock://closed")) { _ in
            throw RequestRefusal(code: 4004, message: "closed today")
        }
        for era in ["legacy", "modern"] {
            let client = try server.client(ClientConfiguration(protocol: [era]))
            let read = try await client.readResource("clock://now")
            XCTAssertEqual(read.text, "noon")
            let broken = await failure { try await client.readResource("clock://broken") }
            XCTAssertEqual(broken?.message, "the server could not answer")
            XCTAssertEqual(told.takeAll(), ["resources/read: the password is 1234"])
            let closed = await failure { try await client.readResource("clock://closed") }
            XCTAssertEqual(closed?.code, 4004)
            XCTAssertEqual(closed?.message, "closed today")
            try await client.close()
        }
        try server.remove(.resource, "clock://now")
        let client = try server.client()
        let gone = await failure { try await client.readResource("clock://now") }
        XCTAssertEqual(gone?.status, .server)
        try await client.close()
        try await server.close()
    }

    func testASubscriberHearsThatAResourceHasChanged() async throws {
        let server = try Server(name: "test")
        try server.addText(Resource(name: "motto", uri: "note://motto"), "be brief")
        try server.addText(Resource(name: "other", uri: "note://other"), "be long")
        for era in ["legacy", "modern"] {
            let client = try server.client(ClientConfiguration(protocol: [era]))
            let updates = client.notifications(MethodName.resourceUpdated)
            try await client.subscribe("note://motto")
            try server.resourceUpdated("note://other")
            try server.resourceUpdated("note://motto")
            let changed = await elements(1, of: updates)
            XCTAssertEqual(changed.map { $0.params["uri"] }, ["note://motto"], era)
            try await client.unsubscribe("note://motto")
            try await client.close()
        }
        XCTAssertThrowsError(try server.resourceUpdated("note://\0")) { error in
            XCTAssertEqual((error as? MCPError)?.status, .invalidArgument)
        }
        try await server.close()
    }

    func testLogMessagesReachTheClientsThatWantTheirLevel() async throws {
        let server = try Server(ServerConfiguration(name: "test", announce: ServerAnnounceConfiguration(logging: true)))
        try server.addTool("tell") { (_: [String: JSONValue], request) -> String in
            try request.log(.warning, ["step": 1], logger: "tool")
            return "told"
        }
        let client = try server.client(ClientConfiguration(protocol: ["legacy"]))
        let messages = client.notifications("notifications/message")
        try await client.setLogLevel(.warning)
        try server.log(.info, "not wanted")
        try server.log(.error, ["disk": "full"], logger: "disks")
        _ = try await client.callTool("tell")
        let heard = await elements(2, of: messages).map(\.params)
        XCTAssertEqual(heard.first, ["level": "error", "logger": "disks", "data": ["disk": "full"]])
        XCTAssertEqual(heard.last, ["level": "warning", "logger": "tool", "data": ["step": 1]])
        try await client.close()
        try await server.close()
    }

    func testACallBecomesATaskOfTheServer() async throws {
        let server = try Server(name: "test")
        let gate = Gate()
        try server.addTool("work", execution: ToolExecution(taskSupport: .optional)) {
            (_: [String: JSONValue], request) -> String in
            let isTask = try request.startTask(TaskOptions(pollInterval: .milliseconds(10), statusMessage: "at work"))
            if isTask { await gate.pass() }
            return isTask ? "done as \(try request.context()["task"]?.stringValue ?? "")" : "done at once"
        }
        for era in ["legacy", "modern"] {
            let client = try server.client(ClientConfiguration(protocol: [era], tasks: .on))
            let passed = await gate.waiting
            let call = Task { try await client.callTool("work", options: CallOptions(task: true)) }
            try await until("it is a task") { await gate.waiting == passed + 1 }
            await gate.open()
            let result = try await call.value
            let name = try XCTUnwrap(result.text.split(separator: " ").last.map { String($0) })
            let state = try await client.getTask(name)
            XCTAssertEqual(state.status, "completed", era)
            let again = try await client.taskResult(name)
            XCTAssertEqual(again.text, result.text)
            try await client.close()
        }
        // A client without tasks gets the result at once.
        let client = try server.client(ClientConfiguration(protocol: ["legacy"]))
        let result = try await client.callTool("work")
        XCTAssertEqual(result.text, "done at once")
        try await client.close()
        try await server.close()
    }

    func testAHandlerCompletesAnArgument() async throws {
        let server = try Server(name: "test")
        try server.addPrompt(Prompt(name: "greet", arguments: [PromptArgument(name: "name")])) { _, _ in
            GetPromptResult(messages: [])
        }
        try server.addCompletion(of: "greet", argument: "name") { params, _ in
            Completion(values: [params.argument.value + "-1", params.context?.arguments?["tone"] ?? "none"])
        }
        let client = try server.client()
        let greet = Reference.refPrompt(PromptReference(name: "greet"))
        let plain = try await client.complete(greet, argument: "name", typed: "A")
        XCTAssertEqual(plain.values, ["A-1", "none"])
        let settled = try await client.complete(greet, argument: "name", typed: "A", settled: ["tone": "kind"])
        XCTAssertEqual(settled.values, ["A-1", "kind"])
        try await client.close()
        try await server.close()
    }

    func testPagesFollowTheirCursorsToTheEnd() async throws {
        let server = try Server(ServerConfiguration(name: "test", pageSize: 2))
        for number in 0..<5 {
            try server.addTool("tool-\(number)") { (_: [String: JSONValue], _) in "" }
            try server.addText(Resource(name: "text-\(number)", uri: "note://\(number)"), "")
            try server.addTemplate(ResourceTemplate(name: "template-\(number)", uriTemplate: "\(number)://{day}")) { _, _ in
                ReadResourceResult(contents: [])
            }
            try server.addPrompt(Prompt(name: "prompt-\(number)")) { _, _ in GetPromptResult(messages: []) }
        }
        let client = try server.client()
        let (tools, resources) = (Pages(), Pages())
        try await tools.all { page in
            let result = try await client.toolsPage(after: page)
            return (result.tools.map(\.name), result.nextCursor)
        }
        XCTAssertEqual(tools.names, [["tool-0", "tool-1"], ["tool-2", "tool-3"], ["tool-4"]])
        try await resources.all { page in
            let result = try await client.resourcesPage(after: page)
            return (result.resources.map(\.name), result.nextCursor)
        }
        XCTAssertEqual(resources.names, [["text-0", "text-1"], ["text-2", "text-3"], ["text-4"]])
        let (templates, prompts) = (Pages(), Pages())
        try await templates.all { page in
            let result = try await client.resourceTemplatesPage(after: page)
            return (result.resourceTemplates.map(\.name), result.nextCursor)
        }
        XCTAssertEqual(templates.names.map(\.count), [2, 2, 1])
        try await prompts.all { page in
            let result = try await client.promptsPage(after: page)
            return (result.prompts.map(\.name), result.nextCursor)
        }
        XCTAssertEqual(prompts.names.flatMap { $0 }, (0..<5).map { "prompt-\($0)" })
        let whole = try await client.listTools().map(\.name)
        XCTAssertEqual(whole, tools.names.flatMap { $0 })
        let wrong = await failure { try await client.toolsPage(after: "no such page") }
        XCTAssertEqual(wrong?.status, .server)
        try await client.close()
        try await server.close()
    }
}

/// The names on each page of a list.
private final class Pages {
    private(set) var names: [[String]] = []

    /// From the first page to the one without a cursor.
    func all(_ page: (String?) async throws -> ([String], String?)) async throws {
        var cursor: String?
        repeat {
            let (found, next) = try await page(cursor)
            names.append(found)
            cursor = next
        } while cursor != nil && names.count < 10
    }
}
