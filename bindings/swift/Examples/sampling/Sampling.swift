// sampling SERVER [ARGUMENT...] or sampling URL: lets the server use a language model, here one that counts words.
import MCP

@main
struct Sampling {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let server = words.first ?? ""
        let configuration =
            server.hasPrefix("http")
            ? ClientConfiguration(url: server) : ClientConfiguration(command: server, args: Array(words.dropFirst()))
        let client = try Client(configuration) { handlers in
            handlers.onSampling { request in
                let prompt = request.messages.flatMap(\.content).compactMap(\.text).joined(separator: "\n")
                print("the server asks the model: \(prompt)")
                let count = prompt.split(separator: " ").count
                return CreateMessageResult(
                    content: [.text("I read \(count) words.")], model: "word-counter", role: .assistant,
                    stopReason: "endTurn")
            }
        }
        let result = try await client.callTool(
            "trigger-sampling-request", ["prompt": "How are you?", "maxTokens": 100])
        print("the tool says: \(result.text)")
        try await client.close()
    }
}
