// Calls tools of two servers through generated functions: live EXAMPLE URL, where the URL is of the reference server "everything"; without
// arguments those of the broker at MCP_SOCKET.
import Foundation
import MCP
import made_chosen
import made_everything
import made_example

let words = CommandLine.arguments
let socket = ProcessInfo.processInfo.environment["MCP_SOCKET"]
let client = try Client(words.count < 3 ? ClientConfiguration(socket: socket ?? "") : ClientConfiguration(command: words[1]))
print("add", try await ExampleTools.add(client, AddArguments(a: 1.5, b: 2)).sum)
print("echo", try await ExampleTools.echo(client, made_example.EchoArguments(text: "Hello")).text)
print("parsed", try await ChosenTools.parsed(client, ParsedArguments(text: "{\"n\":7}")).n)
do {
    _ = try await ExampleTools.fail(client)
} catch {
    print("fail", error.localizedDescription)
}
try await client.close()
if words.count > 2 {
    // The server may not be there yet.
    let other = try Client(ClientConfiguration(
        url: words[2], reconnect: .with(Reconnect(initial: .milliseconds(10))), whenUnavailable: .wait))
    print("everything", try await EverythingTools.echo(other, made_everything.EchoArguments(message: "Hello")).text)
    try await other.close()
}
