// progress SERVER [ARGUMENT...]: follows a long call, which may take long as long as it gets on.
import MCP

@main
struct ProgressExample {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let arguments = words.dropFirst().map { JSONValue.string($0) }
        let client = try Client(["command": .string(words.first ?? ""), "args": .array(arguments)])
        let names = try await client.listTools().map(\.name)
        let isSlow = names.contains("slow")
        let work: JSONValue = isSlow ? ["ms": 300, "steps": 3] : ["duration": 0.3, "steps": 3]
        let options = CallOptions(timeout: .seconds(10), maxTotal: .seconds(60), resetOnProgress: true)
        let result = try await client.callTool(
            isSlow ? "slow" : "trigger-long-running-operation", work, options: options
        ) { step in
            print("\(Int(step.progress)) of \(Int(step.total ?? 0))")
        }
        print(result.text)
        try await client.close()
    }
}
