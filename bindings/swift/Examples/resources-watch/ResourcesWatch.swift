// resources-watch SERVER [ARGUMENT...]: reads the first resource, then follows its changes until it has seen one.
import MCP

@main
struct ResourcesWatch {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let arguments = words.dropFirst().map { JSONValue.string($0) }
        let client = try Client(["command": .string(words.first ?? ""), "args": .array(arguments)])
        guard let resource = try await client.listResources().first else {
            print("the server has no resource")
            return try await client.close()
        }
        print("\(resource.uri) reads: \(try await client.readResource(resource.uri).text)")

        // Collects from here on, so that nothing is missed between subscribing and waiting.
        let updates = client.notifications("notifications/resources/updated")
        try await client.subscribe(resource.uri)
        // Servers for demonstrations have a tool for this; with others, change something.
        let names = try await client.listTools().map(\.name)
        if names.contains("notify") {
            _ = try await client.callTool("notify", ["count": 1])
        } else if names.contains("toggle-subscriber-updates") {
            _ = try await client.callTool("toggle-subscriber-updates")
        }
        for await update in updates {
            let uri = update.params["uri"]?.stringValue ?? resource.uri
            print("\(uri) changed and reads: \(try await client.readResource(uri).text)")
            break
        }
        try await client.unsubscribe(resource.uri)
        try await client.close()
    }
}
