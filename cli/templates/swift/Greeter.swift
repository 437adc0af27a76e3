import MCP

struct Person: Codable, Described {
    let name: String
    static let descriptions = ["name": "Who is greeted"]
}

/// The server with all that it offers.
public func makeServer() throws -> Server {
    let server = try Server(name: "{{name}}", version: "0.1.0")
    try server.addTool("greet", description: "Greets a person by name") { (person: Person, _) in "Hello, \(person.name)!" }
    let about = Resource(name: "about", uri: "about://{{name}}", description: "What this server is", mimeType: "text/plain")
    try server.addText(about, "A server that greets.")
    return server
}
