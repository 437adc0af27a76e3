import Foundation
import MCP
import SystemPackage

/// The official Swift SDK as benches/languages.py measures it: a client, a server, or one that is only made.
///
///     contender workload=seq|pipe era=legacy server=PROGRAM calls=N
///     contender stdio|load
@main
struct Contender {
    private static let slots = 64

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.count == 1 { return try await serve(words[0]) }
        let options = Dictionary(uniqueKeysWithValues: words.map { word in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        })
        guard let program = options["server"], let calls = options["calls"].flatMap(Int.init) else {
            throw Failure(text: "usage: contender workload=seq|pipe era=legacy server=PROGRAM calls=N, or contender stdio|load")
        }
        // The SDK starts no program.
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--era", options["era"] ?? "legacy"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let client = Client(name: "bench", version: "1")
        _ = try await client.connect(
            transport: StdioTransport(
                input: FileDescriptor(rawValue: output.fileHandleForReading.fileDescriptor),
                output: FileDescriptor(rawValue: input.fileHandleForWriting.fileDescriptor)))
        let at = options["workload"] == "pipe" ? slots : 1
        try await work(client, at, calls / 10 + at)
        say("ready version=0.12.0")
        _ = readLine()
        let began = ContinuousClock.now
        try await work(client, at, calls)
        let took = (ContinuousClock.now - began) / Duration.nanoseconds(1)
        say("done calls=\(calls / at * at) ns=\(Int(took))")
        _ = readLine()
        await client.disconnect()
        process.terminate()
    }

    /// At once: the standard output of `print` is buffered.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private static func serve(_ how: String) async throws {
        let server = Server(name: "bench", version: "1", capabilities: .init(tools: .init()))
        let text: Value = ["type": "object", "properties": ["text": ["type": "string"]], "required": ["text"]]
        await server.withMethodHandler(ListTools.self) { _ in
            .init(tools: [Tool(name: "echo", description: nil, inputSchema: text)])
        }
        await server.withMethodHandler(CallTool.self) { call in
            guard call.name == "echo", let said = call.arguments?["text"]?.stringValue else {
                throw MCPError.invalidParams("there is no tool \(call.name), or its arguments are wrong")
            }
            return .init(content: [.text(text: said, annotations: nil, _meta: nil)])
        }
        if how != "stdio" { return }
        try await server.start(transport: StdioTransport())
        await server.waitUntilCompleted()
    }

    /// Calls from so many tasks. Each answer is looked at.
    private static func work(_ client: Client, _ at: Int, _ calls: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for slot in 0..<at {
                group.addTask {
                    let text = "call \(slot < 10 ? "0" : "")\(slot) of the benchmark, with enough words to be sixty-four now"
                    for _ in 0..<calls / at {
                        let (content, _) = try await client.callTool(name: "echo", arguments: ["text": .string(text)])
                        guard case .text(let said, _, _)? = content.first, said == text else {
                            throw Failure(text: "a wrong answer: \(content)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private struct Failure: Error { let text: String }
}
