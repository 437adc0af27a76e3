// elicitation SERVER [ARGUMENT...]: lets the server ask the user, here a person who answers every text field.
import MCP

@main
struct Elicitation {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let configuration = ClientConfiguration(command: words.first ?? "", args: Array(words.dropFirst()))
        let client = try Client(configuration) { handlers in
            handlers.onElicitation { request in
                print("the server asks: \(request.message)")
                // The library fills in the defaults.
                let fields = (request.requestedSchema?.properties ?? [:]).filter { $0.value.default == nil }
                return .accept(.object(fields.mapValues(answer)))
            }
        }
        let names = try await client.listTools().map(\.name)
        let tool = names.contains("ask") ? "ask" : "trigger-elicitation-request"
        let result = try await client.callTool(tool, ["question": "What is your favourite colour?"])
        print("the tool says: \(result.text)")
        try await client.close()
    }

    @Sendable static func answer(to field: PrimitiveSchemaDefinition) -> JSONValue {
        if let first = field.enum?.first { return .string(first) }
        if let first = field.oneOf?.first { return .string(first.const) }
        switch field.format?.rawValue ?? field.type {
        case "email": return "ada@example.com"
        case "uri": return "https://example.com/blue"
        case "date": return "1815-12-10"
        case "date-time": return "1815-12-10T12:00:00Z"
        case "boolean": return true
        case "integer", "number": return 42
        case "array": return ["blue"]
        default: return "blue"
        }
    }
}
