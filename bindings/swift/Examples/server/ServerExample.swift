// server [URL]: a small server: three tools, one resource, one prompt, one question to the person. Without a URL it serves the
// program that started it.
import Foundation
import MCP

struct Sum: Codable, Described {
    let a: Double
    let b: Double
    static let descriptions = ["a": "the first number", "b": "the second number"]
}

struct Total: Codable { let total: Double }

struct Wait: Codable { let ms: Int, steps: Int }

struct Order: Codable { let drink: String }

@main
struct ServerExample {
    static func main() async throws {
        let server = try Server(name: "swift-example", version: "1.0")

        try server.addTool("add", description: "Adds two numbers") { (sum: Sum, _) in Total(total: sum.a + sum.b) }

        try server.addTool("wait", description: "Works for some time and reports progress") { (wait: Wait, request) in
            for step in 1...max(wait.steps, 1) {
                // Throws when the client cancels the call.
                try await Task.sleep(for: .milliseconds(wait.ms / max(wait.steps, 1)))
                request.progress(Double(step), total: Double(wait.steps))
            }
            return "waited \(wait.ms) ms"
        }

        try server.addTool("order", description: "Orders a drink") { (order: Order, request) in
            // The handler runs again with the answer.
            let answer = try request.elicit("Which size of \(order.drink)?") {
                Property("size", .string("the size", values: ["small", "large"]))
            }
            guard answer.action == .accept, let size = answer.content?["size"]?.stringValue else {
                throw ToolError("nothing was ordered")
            }
            return "a \(size) \(order.drink)"
        }

        try server.addText(Resource(name: "menu", uri: "menu://today", mimeType: "text/plain"), "tea, coffee")

        let argument = PromptArgument(name: "guest", required: true)
        try server.addPrompt(Prompt(name: "welcome", arguments: [argument])) { arguments, _ in
            let text = "Welcome \(arguments["guest"] ?? "") and offer what is on the menu."
            return GetPromptResult(messages: [PromptMessage(content: .text(text), role: .user)])
        }
        try server.addCompletion(of: "welcome", argument: "guest", values: ["Ada", "Grace"])

        if let url = CommandLine.arguments.dropFirst().first {
            let bound = try server.serve(Endpoint(url: url))
            print(bound.url ?? "")
            fflush(nil)  // who started this through a pipe needs the address now
            await server.waitUntilEnded()
        } else {
            try await server.serveStandardStreams()
        }
        try await server.close()
    }
}
