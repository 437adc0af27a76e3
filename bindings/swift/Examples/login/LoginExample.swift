// login URL [redirect URI | token TOKEN]: uses a server over HTTP that wants to know who is there. It says which page to open,
// and goes on when the person has logged in there. With "redirect" the browser comes back to the program, which asks where it
// was sent to; with "token" there is no page.
import Foundation
import MCP

@main
struct LoginExample {
    struct GivenUp: Error, CustomStringConvertible {
        let description: String
    }

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let way = words.dropFirst().first
        let value = words.dropFirst(2).first ?? ""
        // A person with a browser; "store_directory" would keep the login.
        var auth: [String: JSONValue] = [:]
        if way == "redirect" { auth["redirect_uri"] = .string(value) }
        if way == "token" { auth["type"] = "bearer" }
        let client = try Client(["url": .string(words.first ?? ""), "auth": .object(auth)])
        client.onLogin { login in
            try LoginExample.logIn(login, token: value)
        }
        do {
            try await client.connect(timeout: .seconds(300))
            let tools = try await client.listTools()
            print("logged in; the server has \(tools.count) tools")
        } catch {
            print("not logged in: \(error)")
        }
        try await client.close()
    }

    /// Does the program's part; what it throws gives the login up.
    static func logIn(_ login: Login, token: String) throws {
        switch login.kind {
        case .token:
            if login.isRefused { throw GivenUp(description: "the server refuses the token") }
            try login.give(token)
        case .page:
            // The whole URL, so that the person sees who asks. A program with windows would open the browser, on a click.
            print("open this page to log in at \(login.issuer):\n\(login.url)")
            if !login.listens { print("then paste the address that the browser was sent to:") }
            // A program that reads this through a pipe needs the address now. (`stdout` itself is not safe to name in Swift 6.)
            fflush(nil)
            if login.listens { return }
            guard let line = readLine(), !line.isEmpty else { throw GivenUp(description: "the person gave up") }
            try login.complete(line)
        default:
            throw GivenUp(description: "this program has no \(login.kind)")
        }
    }
}
