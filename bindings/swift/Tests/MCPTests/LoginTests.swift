import Foundation
import XCTest

@testable import MCP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A person with a browser, who does what the page says.
@Sendable private func agree(_ login: Login) async throws {
    guard login.kind == .page, login.listens, let page = URL(string: login.url) else {
        throw RequestRefusal(code: -1, message: "not as expected")
    }
    _ = try await URLSession.shared.data(from: page)
}

/// A store of a program, and a person who agrees.
private actor Keeper: LoginStore {
    private(set) var kept: [String: String] = [:]
    private(set) var asked: [String] = []
    private(set) var locks = 0

    func load(_ key: String) -> String? {
        asked.append("load")
        return kept[key]
    }

    func save(_ text: String, for key: String) {
        asked.append("save")
        kept[key] = text
    }

    func lock(_ key: String) {
        asked.append("lock")
        locks += 1
    }

    func unlock(_ key: String) { locks -= 1 }

    func see(_ login: Login) { asked.append("page") }

    /// What it was asked for since the last time.
    func takeAsked() -> [String] {
        defer { asked = [] }
        return asked
    }
}

private struct Locked: Error {}

/// A store that fails in one of its functions.
private struct Broken: LoginStore {
    let place: String
    let unlocks = Counter()

    func load(_ key: String) async throws -> String? {
        if place == "load" { throw Locked() }
        return place == "text" ? "a\0b" : nil
    }

    func save(_ text: String, for key: String) async throws { if place == "save" { throw Locked() } }
    func lock(_ key: String) async throws { if place == "lock" { throw Locked() } }
    func unlock(_ key: String) async { unlocks.add() }
}

/// A store that answers when the test says so.
private actor Slow: LoginStore {
    private(set) var waiting = 0
    private(set) var unlocks = 0
    private var isOpen = false
    private var gates: [CheckedContinuation<Void, Never>] = []

    func load(_ key: String) -> String? { nil }
    func save(_ text: String, for key: String) {}
    func unlock(_ key: String) { unlocks += 1 }

    func lock(_ key: String) async {
        waiting += 1
        if !isOpen { await withCheckedContinuation { gates.append($0) } }
    }

    func open() {
        isOpen = true
        for gate in gates { gate.resume() }
        gates = []
    }
}

/// A key that the library never has: the program openssl signs.
private final class Key: Sendable {
    private let file: URL
    /// X and y.
    let point: Data

    init() throws {
        file = FileManager.default.temporaryDirectory.appendingPathComponent("mcp-key-\(UUID().uuidString)")
        _ = try Key.openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file.path])
        point = try Key.openssl(["pkey", "-in", file.path, "-pubout", "-outform", "DER"]).suffix(64)
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    /// The server's configuration of it: an uncompressed point.
    var configured: String { LoginSignature.bytes(Data([4]) + point).text }

    var jwk: [String: JSONValue] {
        let half = { (bytes: Data) -> JSONValue in .string(LoginSignature.bytes(bytes).text) }
        return ["kty": "EC", "crv": "P-256", "x": half(point.prefix(32)), "y": half(point.suffix(32))]
    }

    /// 64 bytes, from the ASN.1 that the program writes.
    func sign(_ text: String) throws -> Data {
        let sequence = [UInt8](try Key.openssl(["dgst", "-sha256", "-sign", file.path], input: Data(text.utf8)))
        var at = 2
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            let length = Int(sequence[at + 1])
            let number = sequence[(at + 2)..<(at + 2 + length)].drop { $0 == 0 }
            bytes += [UInt8](repeating: 0, count: 32 - number.count) + number
            at += 2 + length
        }
        return Data(bytes)
    }

    private static func openssl(_ words: [String], input: Data = Data()) throws -> Data {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let places = folders.map { "\($0)/openssl" }
        guard let program = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw XCTSkip("there is no program openssl, which signs for this test")
        }
        let process = Process()
        let (given, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        process.standardInput = given
        process.standardOutput = output
        try process.run()
        given.fileHandleForWriting.write(input)
        given.fileHandleForWriting.closeFile()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw RequestRefusal(code: process.terminationStatus, message: "openssl") }
        return data
    }
}

final class LoginTests: XCTestCase {
    func testALoginWithABrowserOpensTheServer() async throws {
        let server = try Web("login=yes")
        let client = try server.client(["auth": [:]])
        let logins = Counter()
        client.onLogin { login in
            logins.add()
            try await agree(login)
        }
        let echo = try await client.callTool("echo", ["text": "in"])
        XCTAssertEqual(echo.text, "in")
        XCTAssertEqual(logins.count, 1)
        try await client.close()
        server.stop()
    }

    func testALoginThatIsGivenUpEndsItsCalls() async throws {
        let server = try Web("login=yes")
        let client = try server.client(["auth": [:]])
        client.onLogin { login in try login.giveUp("closed the window") }
        let error = await failure { try await client.callTool("echo") }
        XCTAssertEqual(error?.status, .auth)
        XCTAssertTrue(error?.message.contains("closed the window") ?? false, error?.message ?? "")
        try await client.close()
        server.stop()
    }

    func testALoginWithoutAHandlerIsGivenUp() async throws {
        let server = try Web("login=yes")
        // A client whose first login failed is closed, so each case needs a client of its own.
        let client = try server.client(["auth": [:]])
        let error = try await failure(of: Task { try await client.callTool("echo") })
        XCTAssertEqual(error?.status, .auth)
        XCTAssertTrue(error?.message.contains("onLogin") ?? false, error?.message ?? "")
        try await client.close()
        server.stop()
    }

    func testATokenOfTheProgramsIsGiven() async throws {
        let server = try Web("token=sesame")
        let client = try server.client(["auth": ["type": "bearer"]])
        client.onLogin { login in try login.give("sesame", lasts: .seconds(3600)) }
        let echo = try await client.callTool("echo", ["text": "in"])
        XCTAssertEqual(echo.text, "in")
        try await client.close()
        server.stop()
    }

    private func keeping(_ url: String, _ store: any LoginStore, _ told: Failures = Failures()) throws -> Client {
        try Client(ClientConfiguration(url: url, auth: AuthConfiguration())) {
            $0.keepLogins(in: store)
            $0.onLogin(agree)
            $0.onFailure(told.hear)
        }
    }

    func testAProgramKeepsLogins() async throws {
        let server = try Web("login=yes")
        let keeper = Keeper()
        let pages = Counter()
        let open = {
            try Client(ClientConfiguration(url: server.url, auth: AuthConfiguration())) {
                $0.keepLogins(in: keeper)
                $0.onLogin {
                    pages.add()
                    try await agree($0)
                }
            }
        }
        var client = try open()
        let echo = try await client.callTool("echo", ["text": "in"])
        XCTAssertEqual(echo.text, "in")
        try await client.close()
        var kept = await keeper.kept
        let key = try XCTUnwrap(kept.keys.first)
        XCTAssertTrue(key.contains("127.0.0.1"), key)
        XCTAssertTrue(kept[key]?.contains("token-") ?? false)
        XCTAssertEqual(pages.count, 1)
        var asked = await keeper.takeAsked()
        XCTAssertEqual(asked.first, "load")
        XCTAssertTrue(asked.contains("lock") && asked.last == "save", "\(asked)")

        client = try open()
        _ = try await client.callTool("echo", ["text": "in"])
        asked = await keeper.takeAsked()
        XCTAssertEqual(asked, ["load"])
        XCTAssertEqual(pages.count, 1)
        try await client.logout(timeout: patience)
        kept = await keeper.kept
        XCTAssertFalse(kept[key]?.contains("token-") ?? false, "the token is deleted")
        _ = try await client.callTool("echo", ["text": "in"])
        XCTAssertEqual(pages.count, 2)
        try await client.close()
        let locks = await keeper.locks
        XCTAssertEqual(locks, 0)
        server.stop()
    }

    func testAStoreThatFailsIsToldAndEndsNoClient() async throws {
        let server = try Web("login=yes")
        for place in ["load", "text"] {
            let told = Failures()
            let client = try keeping(server.url, Broken(place: place), told)
            let error = await failure { try await client.callTool("echo", ["text": "in"]) }
            XCTAssertEqual(error?.status, .auth)
            XCTAssertTrue(error?.message.contains("onFailure") ?? false, error?.message ?? "")
            XCTAssertTrue(told.all.first?.contains(place == "load" ? "login/load: Locked" : "NUL") ?? false, "\(told.all)")
            try await client.close()
        }
        // The login works, although it is not kept.
        for (place, operation) in [("save", "save"), ("lock", "load")] {
            let told = Failures()
            let store = Broken(place: place)
            let client = try keeping(server.url, store, told)
            let echo = try await client.callTool("echo", ["text": "in"])
            XCTAssertEqual(echo.text, "in")
            XCTAssertTrue(told.all.contains("login/\(operation): Locked()"), "\(told.all)")
            try await client.close()
            // The registration, and the login.
            XCTAssertEqual(store.unlocks.count, place == "save" ? 2 : 0)
        }
        server.stop()
    }

    func testWhatIsNotConfiguredIsRefused() async throws {
        let server = try Web("login=yes")
        let url = server.url
        let noStore = Broken(place: "")
        let text = await failure { try Client(ClientConfiguration(url: url)) { $0.keepLogins(in: noStore) } }
        XCTAssertEqual(text?.status, .invalidArgument)
        let auth = AuthConfiguration(storeDirectory: "/tmp/x")
        let both = await failure { try Client(ClientConfiguration(url: url, auth: auth)) { $0.keepLogins(in: noStore) } }
        XCTAssertEqual(both?.status, .invalidArgument)
        let unsigned = await failure {
            try Client(ClientConfiguration(url: url, auth: AuthConfiguration())) { $0.onSign { _ in .token("") } }
        }
        XCTAssertEqual(unsigned?.status, .invalidArgument)
        let plain = try server.client(["auth": [:]])
        let late = await failure { try plain.keepLogins(in: noStore) }
        XCTAssertTrue(late?.message.contains("application") ?? false, late?.message ?? "")
        let alsoLate = await failure { try plain.onSign { _ in .token("") } }
        XCTAssertTrue(alsoLate?.message.contains("dpop_key") ?? false, alsoLate?.message ?? "")
        try await plain.close()

        let client = try server.client(["auth": ["store": "application"]])
        let lacking = await failure { try await client.callTool("echo") }
        XCTAssertEqual(lacking?.status, .auth)
        XCTAssertTrue(lacking?.message.contains("keepLogins") ?? false, lacking?.message ?? "")
        try await client.close()
        let given = try server.client(["auth": ["store": "application"]])
        let keeper = Keeper()
        try given.keepLogins(in: keeper)
        given.onLogin(agree)
        _ = try await given.callTool("echo", ["text": "in"])
        try await given.close()
        let kept = await keeper.kept
        XCTAssertEqual(kept.count, 1)
        server.stop()
    }

    func testALogoutNeedsALogin() async throws {
        let client = try example()
        let without = await failure { try await client.logout() }
        XCTAssertEqual(without?.status, .unsupported)
        try await client.close()
        let closed = await failure { try await client.logout() }
        XCTAssertEqual(closed?.status, .closed)
    }

    /// A store that does not answer holds up neither the limit, nor a cancellation, nor a close.
    func testALogoutEndsWhenItIsNotWaitedFor() async throws {
        let server = try Web("login=yes")
        let slow = Slow()
        let client = try keeping(server.url, slow)
        let late = try await failure(of: Task { try await client.logout(timeout: .milliseconds(50)) })
        XCTAssertEqual(late?.status, .timeout)
        let isCancelled: (Task<Void, any Error>) async throws -> Void = { task in
            guard try await hasEnded(task) else { return }
            do {
                try await task.value
                XCTFail("the logout did not end")
            } catch {
                XCTAssertTrue(error is CancellationError, "\(error)")
            }
        }
        let waits = Task { try await client.logout() }
        try await until("the store is asked") { await slow.waiting > 0 }
        waits.cancel()
        try await isCancelled(waits)
        let other = Task { try await client.logout() }
        try await client.close()
        let closed = await failure { try await other.value }
        XCTAssertEqual(closed?.status, .closed)
        // What was locked for an answer that comes too late is released.
        await slow.open()
        try await until("each lock is released") { await slow.unlocks == slow.waiting }
        server.stop()
    }

    func testAServiceSignsWithItsOwnKey() async throws {
        let (key, other) = (try Key(), try Key())
        let server = try Web("login=yes", "service-key=\(key.configured)")
        let open = { (told: Failures, sign: @escaping @Sendable (SigningRequest) async throws -> LoginSignature) in
            let auth = AuthConfiguration(
                type: .clientCredentials, clientId: "nightly", keyId: "in the chip", signingAlgorithm: .es256, signer: .application,
                issuer: "http://127.0.0.1:\(server.port)")
            return try Client(ClientConfiguration(url: server.url, auth: auth)) {
                $0.onSign(sign)
                $0.onFailure(told.hear)
            }
        }
        let signatures = Counter()
        let issuer = "http://127.0.0.1:\(server.port)"
        let client = try open(Failures()) { request in
            guard request.purpose == .assertion, request.algorithm == .es256, request.keyID == "in the chip",
                request.clientID == "nightly", request.audience == issuer
            else { throw RequestRefusal(code: -1, message: "\(request)") }
            signatures.add()
            return .bytes(try key.sign(request.input))
        }
        for _ in 0..<2 {
            let echo = try await client.callTool("echo", ["text": "in"])
            XCTAssertEqual(echo.text, "in")
        }
        XCTAssertEqual(signatures.count, 1)
        // The server takes back the token for a signature, too.
        try await client.logout()
        XCTAssertEqual(signatures.count, 2)
        _ = try await client.callTool("echo", ["text": "in"])
        XCTAssertEqual(signatures.count, 3)
        try await client.close()

        let cases: [(String, @Sendable (SigningRequest) async throws -> LoginSignature)] = [
            ("invalid_client", { .bytes(try other.sign($0.input)) }),
            ("signature", { _ in .bytes(Data("short".utf8)) }),
            ("onFailure", { _ in .token("a\0b") }),
            ("onFailure", { _ in throw Locked() }),
        ]
        for (text, sign) in cases {
            let told = Failures()
            let client = try open(told, sign)
            let error = await failure { try await client.callTool("echo", ["text": "in"]) }
            XCTAssertEqual(error?.status, .auth)
            XCTAssertTrue(error?.message.contains(text) ?? false, error?.message ?? "")
            XCTAssertEqual(told.all.isEmpty, text != "onFailure", "\(told.all)")
            try await client.close()
        }
        server.stop()
    }

    func testTheProgramSignsProofsWithItsOwnKey() async throws {
        let key = try Key()
        let server = try Web("login=yes", "dpop")
        let proofs = Counter()
        let client = try Client(ClientConfiguration(url: server.url, auth: AuthConfiguration(dpopKey: key.jwk))) {
            $0.onLogin(agree)
            $0.onSign { request in
                guard request.purpose == .proof, request.clientID == nil, request.audience == nil else {
                    throw RequestRefusal(code: -1, message: "\(request)")
                }
                proofs.add()
                return .bytes(try key.sign(request.input))
            }
        }
        let echo = try await client.callTool("echo", ["text": "in"])
        XCTAssertEqual(echo.text, "in")
        XCTAssertGreaterThan(proofs.count, 1)
        try client.onSign(nil)
        let error = await failure { try await client.callTool("echo", ["text": "in"]) }
        XCTAssertTrue(error?.message.contains("onSign") ?? false, error?.message ?? "")
        try await client.close()
        server.stop()
    }
}
