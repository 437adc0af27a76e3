// tools SERVER [ARGUMENT...]: shows each tool, and the three ways in which a call can go wrong.
import MCP

@main
struct Tools {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let arguments = words.dropFirst().map { JSONValue.string($0) }
        let client = try Client(["command": .string(words.first ?? ""), "args": .array(arguments)])
        let tools = try await client.listTools()
        for tool in tools {
            print("\(tool.name): \(tool.description ?? "")")
        }

        // The server knows no such tool: either answer is right, an error of the call or a result that says so.
        do {
            let result = try await client.callTool("no-such-tool")
            print("no-such-tool failed: \(result.text)")
        } catch let error as MCPError where error.status == .server {
            print("no-such-tool was refused: \(error.message) (code \(error.code ?? 0))")
        }

        // A tool that fails is not a call that fails: the result says so, for the model to read.
        if let sum = tools.first(where: { $0.name == "add" || $0.name == "get-sum" }) {
            let result = try await client.callTool(sum.name, ["a": 2, "b": 3])
            print("\(sum.name)(2, 3) says \(result.text)")
        }

        // A program gives a call up by cancelling the task, and the library tells the server.
        if let slow = tools.first(where: { $0.name == "slow" || $0.name == "trigger-long-running-operation" }) {
            let name = slow.name
            let task = Task { try await client.callTool(name, ["ms": 60_000, "duration": 60]) }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            do {
                _ = try await task.value
            } catch is CancellationError {
                print("\(name) was given up")
            }
        }
        try await client.close()
    }
}
