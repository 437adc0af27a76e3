// compare PROGRAM [ARGUMENT...] or compare URL [FILE]: everything that a program does with a server, on the reference server
// "everything", the test server of the Python SDK, or the example server of this folder: lists, calls, structured output, progress,
// cancelling, notifications, sampling, elicitation, roots, resources, prompts, a hundred calls at once, two clients, and a server
// that dies. Over HTTP the latter needs the file, which has the number of the server's process, and a program that starts it again.
import Foundation
import MCP

struct Failed: Error, CustomStringConvertible { let description: String }

func check(_ what: String, _ isTrue: Bool) throws {
    if !isTrue { throw Failed(description: what) }
    print("ok: \(what)")
}

/// What of these a server is, by the name that it gives itself.
enum Kind: String {
    case reference = "mcp-servers/everything"
    case python = "python-test-server"
    case own = "swift-example"
}

@main
struct Compare {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let isURL = words.first?.hasPrefix("http") ?? false
        let configuration = ClientConfiguration(
            command: isURL ? nil : words.first, url: isURL ? words.first : nil,
            args: isURL ? nil : Array(words.dropFirst()), stderr: .drop,
            reconnect: .with(Reconnect(initial: .milliseconds(10))), whenUnavailable: .wait)

        func connect() throws -> Client {
            try Client(configuration) { handlers in
                handlers.onSampling { request in
                    let prompt = request.messages.flatMap(\.content).compactMap(\.text).joined(separator: "\n")
                    return CreateMessageResult(
                        content: [.text("I read \(prompt.split(separator: " ").count) words")], model: "counter",
                        role: .assistant)
                }
                handlers.onElicitation { request in
                    let required = request.requestedSchema?.required ?? []
                    let fields = (request.requestedSchema?.properties ?? [:]).filter { required.contains($0.key) }
                    return .accept(.object(fields.mapValues { $0.enum?.first.map { .string($0) } ?? "blue" }))
                }
                handlers.onRoots { [Root(uri: "file:///tmp", name: "scratch")] }
            }
        }

        let client = try connect()
        let tools = try await client.listTools().map(\.name)
        try check("lists \(tools.count) tools", !tools.isEmpty)
        let name = try client.info()["server"]?["name"]?.stringValue ?? ""
        guard let kind = Kind(rawValue: name) else { throw Failed(description: "the server \(name) is not one of the three") }
        let isReference = kind == .reference
        let adding = isReference ? "get-sum" : "add"

        // A call, and a structured result as a type.
        let sum = try await client.callTool(adding, ["a": 2, "b": 3])
        try check("calls a tool: \(sum.text)", sum.text.contains("5"))
        if isReference {
            struct Weather: Decodable { let temperature: Double, conditions: String }
            let weather = try await client.callTool(
                "get-structured-content", ["location": "New York"], as: Weather.self)
            try check("has a structured result: \(weather.conditions)", !weather.conditions.isEmpty)
        } else {
            let result = try await client.callTool(adding, ["a": 2, "b": 3]).structuredContent
            try check("has a structured result", result?[kind == .python ? "sum" : "total"] == 5)
        }

        // Progress, and cancelling by the task.
        let steps = Steps()
        let (work, long): ((String, JSONValue), (String, JSONValue))
        switch kind {
        case .reference:
            let tool = "trigger-long-running-operation"
            (work, long) = ((tool, ["duration": 0.2, "steps": 2]), (tool, ["duration": 60, "steps": 2]))
        case .python: (work, long) = (("notify", ["steps": 2]), ("slow", ["seconds": 60]))
        case .own: (work, long) = (("wait", ["ms": 200, "steps": 2]), ("wait", ["ms": 60_000, "steps": 2]))
        }
        let logged = client.notifications("notifications/message")
        _ = try await client.callTool(work.0, work.1) { steps.add($0.progress) }
        try check("hears of progress", steps.last == 2)
        if kind == .python {
            var lines: [String] = []
            for await message in logged where lines.count < 2 {
                lines.append(message.params["data"]?.stringValue ?? "")
                if lines.count == 2 { break }
            }
            try check("hears what the server logs", lines == ["step 1 of 2", "step 2 of 2"])
        }
        let call = Task { try await client.callTool(long.0, long.1) }
        try await Task.sleep(for: .milliseconds(50))
        call.cancel()
        do {
            _ = try await call.value
            throw Failed(description: "the cancelled call gave a result")
        } catch is CancellationError {
            print("ok: gives a call up")
        }

        // What the server asks.
        if isReference {
            let sampled = try await client.callTool("trigger-sampling-request", ["prompt": "How are you?"])
            try check("answers sampling", sampled.text.contains("words"))
            let asked = try await client.callTool("trigger-elicitation-request")
            try check("answers elicitation", asked.text.contains("User provided") && asked.text.contains("blue"))
            let roots = try await client.callTool("get-roots-list")
            try check("tells its roots", roots.text.contains("scratch"))
        } else if kind == .python {
            let asked = try await client.callTool("ask_name")
            try check("answers elicitation: \(asked.text)", asked.text == "hello blue")
        } else {
            let ordered = try await client.callTool("order", ["drink": "tea"])
            try check("answers elicitation: \(ordered.text)", ordered.text == "a small tea")
        }

        // Resources, with their changes, and prompts.
        if let resource = try await client.listResources().first {
            let text = try await client.readResource(resource.uri)
            try check("reads \(resource.uri)", !text.contents.isEmpty)
        }
        if isReference {
            let updates = client.notifications(MethodName.resourceUpdated)
            let uri = try await client.listResources().first?.uri ?? ""
            try await client.subscribe(uri)
            _ = try await client.callTool("toggle-subscriber-updates")
            var changes = 0
            for await _ in updates {
                changes += 1
                break
            }
            try check("hears that a resource has changed", changes == 1)
            _ = try await client.callTool("toggle-subscriber-updates")
        }
        let prompts = try await client.listPrompts()
        if let prompt = prompts.first(where: { $0.arguments?.contains { $0.required == true } ?? false }) {
            let arguments = (prompt.arguments ?? []).map { ($0.name, "Ada") }
            let filled = try await client.getPrompt(prompt.name, Dictionary(arguments, uniquingKeysWith: { one, _ in one }))
            try check("fills in the prompt \(prompt.name)", !filled.messages.isEmpty)
        }

        // A hundred calls at once, by two clients.
        let other = try connect()
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let either = number % 2 == 0 ? client : other
                    return try await either.callTool(adding, ["a": .number(Double(number)), "b": 1]).text.contains("\(number + 1)")
                }
            }
            var right = 0
            for try await isRight in group where isRight { right += 1 }
            return right
        }
        try check("makes a hundred calls at once with two clients", answers == 100)
        try await other.close()

        // A server that dies is started again.
        let file = isURL ? words.dropFirst().first : nil
        @Sendable func process() throws -> pid_t? {
            guard let file else { return try client.info()["pid"]?.doubleValue.map { pid_t($0) } }
            return pid_t(try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines))
        }
        if let pid = try process() {
            kill(pid, SIGKILL)
            let again = try await untilBack { try await client.callTool(adding, ["a": 1, "b": 1]) }
            let isOther = try process() != pid
            try check("goes on after the server has died", again.text.contains("2") && isOther)
        }
        try await client.close()
    }
}

/// Tries again while the failure is that the server is not there.
func untilBack<R: Sendable>(_ work: @Sendable () async throws -> R) async throws -> R {
    while true {
        do {
            return try await work()
        } catch let error as MCPError where error.status == .transport || error.status == .unavailable {
            print("meanwhile: \(error.message)")
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// The last step that a call reported.
final class Steps: @unchecked Sendable {
    private let lock = NSLock()
    private var steps = 0.0

    func add(_ step: Double) { lock.withLock { steps = step } }
    var last: Double { lock.withLock { steps } }
}
