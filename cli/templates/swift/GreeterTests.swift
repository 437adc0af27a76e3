import XCTest

@testable import Greeter

final class GreeterTests: XCTestCase {
    func testItGreets() async throws {
        let server = try makeServer()
        let client = try server.client()
        let said = try await client.callTool("greet", ["name": "Ada"])
        XCTAssertEqual(said.text, "Hello, Ada!")
        let about = try await client.readResource("about://{{name}}")
        XCTAssertEqual(about.contents.count, 1)
        try await client.close()
        try await server.close()
    }
}
