// sampling SERVER [ARGUMENT...]: lets the server use a language model, here one that counts words.
import MCP

@main
struct Sampling {
    struct Request: Decodable, Sendable {
        struct Message: Decodable, Sendable {
            let content: Content
        }
        let messages: [Message]
    }

    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let arguments = words.dropFirst().map { JSONValue.string($0) }
        let client = try Client([
            "command": .string(words.first ?? ""), "args": .array(arguments), "capabilities": ["sampling": [:]],
        ])
        client.onRequest("sampling/createMessage") { (request: Request) async throws -> JSONValue in
            let prompt = request.messages.compactMap(\.content.text).joined(separator: "\n")
            print("the server asks the model: \(prompt)")
            let count = prompt.split(separator: " ").count
            return [
                "role": "assistant", "model": "word-counter", "stopReason": "endTurn",
                "content": ["type": "text", "text": .string("I read \(count) words.")],
            ]
        }
        let result = try await client.callTool(
            "trigger-sampling-request", ["prompt": "How are you?", "maxTokens": 100])
        print("the tool says: \(result.text)")
        try await client.close()
    }
}
