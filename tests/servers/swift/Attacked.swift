// A server for the attacks of bindings/python/tests/attacks.py. It says its URL, and ends with its input.

import Foundation
import MCP

struct Name: Codable { let name: String }
struct Nothing: Codable {}
struct Secret: Error { let text = "a secret" }

actor Kept {
    private var all: [Data] = []
    func keep() { all.append(Data(count: 1 << 20)) }
}

/// At once: the standard output of `print` is buffered.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

@main
struct Attacked {
    static func main() async throws {
        let server = try Server(ServerConfiguration(name: "attacked", version: "1", limits: ServerLimits(frameBytes: 16 << 20)))
        let kept = Kept()
        server.onFailure { _, _ in }
        try server.addTool("hello") { (who: Name, _) in "Hello, \(who.name)!" }
        try server.addTool("fail") { (_: Nothing, _) -> String in throw Secret() }
        try server.addTool("hang") { (_: Nothing, _) in
            try await Task.sleep(for: .seconds(30))
            return "late"
        }
        try server.addTool("slow") { (_: Nothing, _) in
            try await Task.sleep(for: .milliseconds(500))
            return "slow"
        }
        try server.addTool("keep") { (_: Nothing, _) in
            await kept.keep()
            return "kept"
        }
        try server.addTool("noise") { (_: Nothing, _) in
            say("noise")
            return "quiet"
        }
        say(try server.serve(Endpoint(url: "http://127.0.0.1:0/mcp")).url ?? "")
        while readLine() != nil {}
        try await server.close()
    }
}
