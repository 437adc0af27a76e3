// elicitation SERVER [ARGUMENT...]: lets the server ask the user, here a person who answers every text field.
import MCP

@main
struct Elicitation {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let arguments = words.dropFirst().map { JSONValue.string($0) }
        let client = try Client([
            "command": .string(words.first ?? ""), "args": .array(arguments), "capabilities": ["elicitation": [:]],
        ])
        client.onElicitation { (params: JSONValue) async throws -> ElicitationAnswer in
            if params["mode"]?.stringValue == "url" {
                throw RequestRefusal(code: -32602, message: "this program shows forms only")
            }
            print("the server asks: \(params["message"]?.stringValue ?? "")")
            var content: [String: JSONValue] = [:]
            if case .object(let fields)? = params["requestedSchema"]?["properties"] {
                for (name, field) in fields {
                    // The library fills in the defaults.
                    if field["default"] == nil {
                        content[name] = field["enum"]?.arrayValue?.first ?? Elicitation.answer(to: field)
                    }
                }
            }
            return .accept(.object(content))
        }
        let names = try await client.listTools().map(\.name)
        let tool = names.contains("ask") ? "ask" : "trigger-elicitation-request"
        let result = try await client.callTool(tool, ["question": "What is your favourite colour?"])
        print("the tool says: \(result.text)")
        try await client.close()
    }

    static func answer(to field: JSONValue) -> JSONValue {
        switch field["format"]?.stringValue ?? field["type"]?.stringValue {
        case "email": return "ada@example.com"
        case "uri": return "https://example.com/blue"
        case "date": return "1815-12-10"
        case "date-time": return "1815-12-10T12:00:00Z"
        case "boolean": return true
        case "integer", "number": return 42
        default: return "blue"
        }
    }
}
