// multi-server FILE NAME...: uses several servers of an "mcpServers" file at once. What one does holds up no other.
import MCP

@main
struct MultiServer {
    static func main() async throws {
        let file = CommandLine.arguments.dropFirst().first ?? ""
        await withTaskGroup(of: String.self) { group in
            for name in CommandLine.arguments.dropFirst(2) {
                group.addTask {
                    do {
                        let client = try Client(file: file, server: name)
                        let tools = try await client.listTools()
                        try await client.close()
                        return "\(name): \(tools.count) tools"
                    } catch {
                        return "\(name): \(error)"
                    }
                }
            }
            for await line in group {
                print(line)
            }
        }
    }
}
