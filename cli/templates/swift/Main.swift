// A server that greets, over the standard streams.
import Greeter

@main
struct Main {
    static func main() async throws {
        let server = try makeServer()
        try await server.serveStandardStreams()
        try await server.close()
    }
}
