import Foundation
import MCP

/// This package as benches/languages.py measures it: a client, a server, or one that is only made.
///
///     bench workload=seq|pipe era=legacy server=PROGRAM calls=N
///     bench stdio|http|load
///
/// As a client it speaks the lines of benches/contenders; as a server over HTTP it says its URL, and ends with its input.
@main
struct Bench {
    private static let slots = 64

    private struct Echo: Codable { let text: String }
    private struct Name: Codable { let name: String }
    private struct Number: Codable { let n: Int }
    private struct Records: Codable { let data: [String: JSONValue] }
    private struct Query: Codable { let query: String, delay_ms: Int }

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.count == 1 { return try await serve(words[0]) }
        let options = Dictionary(uniqueKeysWithValues: words.map { word in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        })
        guard let server = options["server"], let calls = options["calls"].flatMap(Int.init) else {
            throw Failure(text: "usage: bench workload=seq|pipe era=legacy server=PROGRAM calls=N, or bench stdio|http|load")
        }
        let client = try Client(ClientConfiguration(command: server, args: ["--era", options["era"] ?? "legacy"]))
        let at = options["workload"] == "pipe" ? slots : 1
        try await work(client, at, calls / 10 + at)
        say("ready version=swift")
        _ = readLine()
        let began = ContinuousClock.now
        try await work(client, at, calls)
        let took = (ContinuousClock.now - began) / Duration.nanoseconds(1)
        say("done calls=\(calls / at * at) ns=\(Int(took))")
        _ = readLine()
        try await client.close()
    }

    /// At once: the standard output of `print` is buffered.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private static func fibonacci(_ n: Int) -> Int { n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2) }

    private static func serve(_ how: String) async throws {
        let server = try Server(name: "bench", version: "1")
        try server.addTool("echo") { (echo: Echo, _) in echo.text }
        try server.addTool("hello") { (who: Name, _) in "Hello, \(who.name)!" }
        try server.addTool("calculate_fibonacci") { (number: Number, _) in String(fibonacci(number.n)) }
        try server.addTool("process_json_data") { (records: Records, _) in
            records.data.mapValues { (value: JSONValue) -> JSONValue in
                if case .string(let text) = value { return .string(text.uppercased()) }
                return value
            }
        }
        try server.addTool("simulate_database_query") { (query: Query, _) in
            try await Task.sleep(for: .milliseconds(query.delay_ms))
            return query.query
        }
        if how == "stdio" { return try await server.serveStandardStreams() }
        if how != "http" { return try await server.close() }
        say(try server.serve(Endpoint(url: "http://127.0.0.1:0/mcp")).url ?? "")
        while readLine() != nil {}
        try await server.close()
    }

    /// Calls from so many tasks. Each answer is looked at.
    private static func work(_ client: Client, _ at: Int, _ calls: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for slot in 0..<at {
                group.addTask {
                    let text = "call \(slot < 10 ? "0" : "")\(slot) of the benchmark, with enough words to be sixty-four now"
                    for _ in 0..<calls / at {
                        let said = try await client.callTool("echo", ["text": .string(text)]).text
                        if said != text { throw Failure(text: "a wrong answer: \(said)") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private struct Failure: Error { let text: String }
}
