// What the macro makes of functions, asked by a client of the same process.

import MCPMacros

struct Total: Codable, Sendable { let total: Double }

/// Adds two numbers.
///
/// Both may be negative,
/// or "none".
///
/// - Parameters:
///   - a: the first number,
///     which is needed
///   - b: the second number
/// - Returns: their sum
@Tool
func add(_ a: Double, to b: Double = 10) -> Total { Total(total: a + b) }

struct Desk: Sendable {
    let owner: String

    /**
     * Greets a person.
     *
     * - Parameter name: who it is
     */
    @Tool("say-hello")
    public func hello(name: String, request: ServerRequest) async throws -> String {
        if name.isEmpty { throw ToolError("a person has a name") }
        return "\(owner) greets \(name) by \(request.method)"
    }

    @Tool static func nothing() {}
}

actor Counter {
    private var count = 0

    private struct Step: Decodable, Sendable, Described {
        let size: Int
        static let descriptions = ["size": "how far"]
    }

    /// Counts on.
    @Tool func increment(by size: Int) -> Int {
        count += size
        return count
    }

    @Tool func read() throws -> Int {
        if count == 0 { throw ToolError("nothing was counted") }
        return count
    }

    @Tool private func hidden(_ step: Step) -> Int { increment(by: step.size) }

    func addTools(to server: Server) throws {
        try incrementTool(to: server)
        try readTool(to: server)
        try hiddenTool(to: server)
    }
}

extension Counter {
    @Tool func reset() { count = 0 }
}

private struct Word: Decodable, Sendable, Described {
    let text: String
    static let descriptions: [String: String] = [:]
}

@Tool private func spell(_ word: Word) -> String { word.text.map(String.init).joined(separator: "-") }

@MainActor var shown = ""

@Tool @MainActor func show(text: String) { shown = text }

@MainActor final class Window {
    private var title = "untitled"

    @Tool func rename(to title: String) async -> String {
        self.title = title
        return "\(title), \(shown)"
    }
}

@main
struct MacroProgram {
    static func main() async throws {
        let server = try Server(name: "macros", version: "1")
        try addTool(to: server)
        try Desk(owner: "Ada").helloTool(to: server)
        try Desk.nothingTool(to: server)
        let client = try server.client()
        let tools = try await client.listTools()
        let add = tools.first { $0.name == "add" }!
        check(add.description == "Adds two numbers.\nBoth may be negative, or \"none\".", add.description as Any)
        let properties = add.inputSchema["properties"]!
        check(properties["a"]?["description"] == "the first number, which is needed", properties)
        check(properties["b"]?["description"] == "the second number", properties)
        check(add.inputSchema["required"] == ["a"], add.inputSchema)
        check(tools.first { $0.name == "say-hello" }?.description == "Greets a person.", tools)
        let sum = try await client.callTool("add", ["a": 1, "b": 2], as: Total.self)
        check(sum.total == 3, sum)
        let less = try await client.callTool("add", ["a": 1], as: Total.self)
        check(less.total == 11, less)
        let hello = try await client.callTool("say-hello", ["name": "Grace"]).text
        check(hello == "Ada greets Grace by tools/call", hello)
        let refused = try await client.callTool("say-hello", ["name": ""])
        check(refused.isError == true && refused.text == "a person has a name", refused)
        let nothing = try await client.callTool("nothing", [:])
        check(nothing.isError != true, nothing)
        let counter = Counter()
        try await counter.addTools(to: server)
        try await counter.resetTool(to: server)
        let none = try await client.callTool("read")
        check(none.isError == true && none.text == "nothing was counted", none)
        _ = try await client.callTool("increment", ["size": 2])
        let five = try await client.callTool("hidden", ["step": ["size": 3]])
        check(five.structuredContent == ["result": 5], five)
        _ = try await client.callTool("reset")
        let one = try await client.callTool("increment", ["size": 1])
        check(one.structuredContent == ["result": 1], one)
        try spellTool(to: server)
        let spelled = try await client.callTool("spell", ["word": ["text": "abc"]])
        check(spelled.text == "a-b-c", spelled)
        try showTool(to: server)
        try Window().renameTool(to: server)
        _ = try await client.callTool("show", ["text": "shown"])
        let renamed = try await client.callTool("rename", ["title": "t"])
        check(renamed.text == "t, shown", renamed)
        try await client.close()
        try await server.close()
        print("macros: well")
    }

    static func check(_ holds: Bool, _ found: Any) {
        if !holds { fatalError("\(found)") }
    }
}
