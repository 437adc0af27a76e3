// quickstart SERVER [ARGUMENT...]: lists a server's tools and calls "echo".
import MCP

@main
struct Quickstart {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let arguments = words.dropFirst().map { JSONValue.string($0) }
        let client = try Client(["command": .string(words.first ?? ""), "args": .array(arguments)])
        for tool in try await client.listTools() {  // starts the server
            print("tool: \(tool.name)")
        }
        let text: JSONValue = "Hello from Swift"
        let result = try await client.callTool("echo", ["text": text, "message": text])
        print(result.text)
        try await client.close()
    }
}
