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
        try await client.close()
        try await server.close()
        print("macros: well")
    }

    static func check(_ holds: Bool, _ found: Any) {
        if !holds { fatalError("\(found)") }
    }
}
