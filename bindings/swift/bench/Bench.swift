import Foundation
import MCP

/// Calls of a tool that echoes 64 bytes, over pipes, one after another and 64 in flight: by the client of this package, by the one in C,
/// and by the floor, which writes requests as prepared bytes; then of a server of this package and of one in C, both called by the
/// client in C. All take turns in each round.
///
///     cargo xtask bench --quick --workload seq --workload serve-seq    # builds the programs in C
///     swift run -c release bench ../../target/release/mcp-bench-server ../../target/bench [CALLS [ROUNDS]]
///
/// Absolute numbers depend on the machine; read the ratios. Started with `--era`, as a server is, the program is the server.
@main
struct Bench {
    private static let many = 64

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == "--era" { return try await serve() }
        guard words.count >= 2 else { throw Failure(text: "usage: bench SERVER FOLDER [CALLS [ROUNDS]]") }
        let (neutral, programs) = (words[0], words[1])
        let calls = words.count > 2 ? Int(words[2]) ?? 20_000 : 20_000
        let rounds = words.count > 3 ? Int(words[3]) ?? 5 : 5
        let own = URL(fileURLWithPath: CommandLine.arguments[0]).path
        for workload in ["seq", "pipe"] {
            var rates: [String: [Double]] = [:]
            for _ in 0..<rounds {
                for name in ["floor", "libmcp"] {
                    rates[name, default: []].append(try rate(of: "\(programs)/\(name)", workload, neutral, calls))
                }
                rates["swift", default: []].append(try await ownRate(workload, neutral, calls))
                rates["served", default: []].append(try rate(of: "\(programs)/libmcp", workload, "\(programs)/libmcp-server", calls))
                rates["served by swift", default: []].append(try rate(of: "\(programs)/libmcp", workload, own, calls))
            }
            print("\(workload): client in C \(of(rates, "libmcp", "floor")) of the floor, in Swift \(of(rates, "swift", "floor")), "
                + "so \(of(rates, "swift", "libmcp")) of the one in C")
            print("\(workload): server in Swift \(of(rates, "served by swift", "served")) of the one in C")
        }
    }

    private struct Echo: Codable { let text: String }

    private static func serve() async throws {
        let server = try Server(name: "bench", version: "1")
        try server.addTool("echo", description: "Says it again") { (echo: Echo, _) in echo.text }
        try await server.serveStandardStreams()
    }

    /// The calls a second of the client of this package. Each answer is looked at.
    private static func ownRate(_ workload: String, _ server: String, _ calls: Int) async throws -> Double {
        let client = try Client(ClientConfiguration(command: server, args: ["--era", "legacy"]))
        try await client.connect()
        let tasks = workload == "seq" ? 1 : many
        try await call(client, tasks: tasks, calls / 10)
        let began = ContinuousClock.now
        try await call(client, tasks: tasks, calls)
        let seconds = (ContinuousClock.now - began) / Duration.seconds(1)
        try await client.close()
        return Double(calls / tasks * tasks) / seconds
    }

    private static func call(_ client: Client, tasks: Int, _ calls: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<tasks {
                group.addTask {
                    let digits = String(number)
                    let text = String(repeating: "x", count: 64 - digits.count) + digits
                    for _ in 0..<calls / tasks {
                        let said = try await client.callTool("echo", ["text": .string(text)]).text
                        if said != text { throw Failure(text: "a wrong answer: \(said)") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The calls a second of a program of benches/contenders, which says when it is ready and done, and waits for a line each time.
    private static func rate(of program: String, _ workload: String, _ server: String, _ calls: Int) throws -> Double {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["workload=\(workload)", "server=\(server)", "calls=\(calls)"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var said = ""
        var result: Double?
        while let more = String(data: output.fileHandleForReading.availableData, encoding: .utf8), !more.isEmpty {
            said += more
            while let end = said.firstIndex(of: "\n") {
                let line = said[..<end]
                said.removeSubrange(...end)
                if line.hasPrefix("done ") {
                    let numbers = line.split(separator: " ").compactMap { Double($0.drop { $0 != "=" }.dropFirst()) }
                    if numbers.count == 2 { result = numbers[0] / numbers[1] * 1e9 }
                }
                if line.hasPrefix("ready") || line.hasPrefix("done ") { input.fileHandleForWriting.write(Data("\n".utf8)) }
            }
        }
        process.waitUntilExit()
        guard let result, process.terminationStatus == 0 else { throw Failure(text: "\(program) failed with \(workload)") }
        return result
    }

    /// The ratio of the rates of a round: the median, the least and the most, and the median rates.
    private static func of(_ rates: [String: [Double]], _ one: String, _ other: String) -> String {
        let (ones, others) = (rates[one] ?? [], rates[other] ?? [])
        let ratios = zip(ones, others).map { $0 / $1 }.sorted()
        func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }
        let (least, middle, most) = (ratios[0], median(ratios), ratios[ratios.count - 1])
        return String(format: "%.2f (%.2f – %.2f; %.0f, %.0f/s)", middle, least, most, median(ones), median(others))
    }
}

private struct Failure: Error { let text: String }
