import Foundation

/// Keeps the logins of clients for the program, for example in a keychain: ``ClientHandlers/keepLogins(in:)``.
///
/// A client calls one function at a time. Each may take as long as `auth.patience` of the configuration allows; a store that fails
/// or takes longer ends what needs the login as `.auth`, and never the client. What a function throws goes to `onFailure`.
///
/// ```swift
/// struct Keychain: LoginStore {
///     func load(_ key: String) async throws -> String? { try await items.text(key) }
///     func save(_ text: String, for key: String) async throws { try await items.replace(key, by: text) }
/// }
/// ```
public protocol LoginStore: Sendable {
    /// Gives the text that was saved last for this key.
    ///
    /// - Returns: The text; nil if there is none.
    func load(_ key: String) async throws -> String?

    /// Keeps a text in place of the current one, whole or not at all. It has tokens: do not log it.
    func save(_ text: String, for key: String) async throws

    /// Waits until no other client and no other process changes the text, and has them wait until ``unlock(_:)``. A store that only
    /// one client uses has no need of it: unless it is implemented, nothing is locked.
    func lock(_ key: String) async throws

    /// Ends what ``lock(_:)`` began. It is called once for each `lock` that has returned, also if the client is closed meanwhile.
    func unlock(_ key: String) async
}

extension LoginStore {
    /// Locks nothing.
    public func lock(_ key: String) async throws {}
    /// Unlocks nothing.
    public func unlock(_ key: String) async {}
}

/// What the program signs for a client: ``ClientHandlers/onSign(_:)``.
public struct SigningRequest: Sendable {
    /// What the signature is for.
    public enum Purpose: Sendable, Equatable {
        /// That the client has the key of its token: signed by the key of `auth.dpopKey`.
        case proof
        /// Who the client is: signed by the key that identifies it.
        case assertion
        /// Something that this package does not know.
        case other(String)
    }

    /// What the signature is for.
    public let purpose: Purpose
    /// How it is to be signed.
    public let algorithm: AuthConfiguration.SigningAlgorithm
    /// What is to be signed: ASCII.
    public let input: String
    /// The id of the key at the authorization server, as the configuration says it.
    public let keyID: String?
    /// Who the client is there; nil for a proof.
    public let clientID: String?
    /// Whom an assertion is for; nil for a proof. Sign only for an audience that the program trusts.
    public let audience: String?

    init(_ need: LoginNeed) {
        switch need.purpose {
        case "proof": purpose = .proof
        case "assertion": purpose = .assertion
        default: purpose = .other(need.purpose ?? "")
        }
        algorithm = AuthConfiguration.SigningAlgorithm(rawValue: need.algorithm ?? "")
        input = need.input ?? ""
        keyID = need.key_id
        clientID = need.client_id
        audience = need.audience
    }
}

/// The program's answer to a ``SigningRequest``.
public enum LoginSignature: Sendable {
    /// The bytes of the signature: of ES256 the 64 of r and s, which is `rawRepresentation` of CryptoKit and Swift Crypto; of RS256
    /// as many as the key has.
    case bytes(Data)
    /// For an assertion: a whole signed token about the client, for the audience.
    case token(String)

    /// What the library takes.
    var text: String {
        switch self {
        case .token(let token): return token
        case .bytes(let bytes):
            let base64 = bytes.base64EncodedString().replacingOccurrences(of: "=", with: "")
            return base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        }
    }
}

/// Uses the program's store: one function at a time, in the order in which the library asks, so that the lock of an answer that came
/// too late is released before the next one is wanted. Each lock that was taken is released once.
final class LoginKeeper: @unchecked Sendable {
    enum Operation: Sendable {
        case load(String, locks: Bool)
        case save(String, text: String)
        case unlock(String)
        /// The client is gone: no unlock follows.
        case end
    }

    /// Gives the library its answer. False if it no longer waits for that.
    typealias Reply = @Sendable (Result<String?, any Error>) -> Bool

    private struct Shared {
        var store: (any LoginStore)?
        var last: Task<Void, Never>?
        /// The locks that are held, each with its store.
        var held: [String: any LoginStore] = [:]
    }

    private let mutex = NSLock()
    private var shared: Shared

    init(_ store: (any LoginStore)?) { shared = Shared(store: store) }

    private func locked<R>(_ body: (inout Shared) -> R) -> R {
        mutex.lock()
        defer { mutex.unlock() }
        return body(&shared)
    }

    var store: (any LoginStore)? {
        get { locked { $0.store } }
        set { locked { (shared: inout Shared) -> Void in shared.store = newValue } }
    }

    /// Begins with it after those before it. Returns at once.
    func take(_ operation: Operation, reply: @escaping Reply = { _ in true }) {
        locked { (shared: inout Shared) -> Void in
            let before = shared.last
            if case .end = operation, before == nil { return }
            shared.last = Task {
                await before?.value
                await self.perform(operation, reply)
            }
        }
    }

    private func perform(_ operation: Operation, _ reply: Reply) async {
        switch operation {
        case .load(let key, let locks):
            do {
                let text = try await load(key, locks: locks)
                if !reply(.success(text)) && locks { await unlock(key) }
            } catch {
                if locks { await unlock(key) }
                _ = reply(.failure(error))
            }
        case .save(let key, let text):
            let result: Result<String?, any Error>
            do {
                try await known().save(text, for: key)
                result = .success(nil)
            } catch {
                result = .failure(error)
            }
            // The library's lock ends with the answer.
            await unlock(key)
            _ = reply(result)
        case .unlock(let key):
            await unlock(key)
        case .end:
            for key in locked({ Array($0.held.keys) }) { await unlock(key) }
        }
    }

    private func load(_ key: String, locks: Bool) async throws -> String? {
        let store = try known()
        if locks {
            try await store.lock(key)
            locked { (shared: inout Shared) -> Void in shared.held[key] = store }
        }
        let text = try await store.load(key)
        if let text { try refuseNul(in: text, "the text that the store gives") }
        return text
    }

    private func unlock(_ key: String) async {
        await locked { (shared: inout Shared) -> (any LoginStore)? in shared.held.removeValue(forKey: key) }?.unlock(key)
    }

    private func known() throws -> any LoginStore {
        guard let store else { throw NoHandler(what: "store of logins", remedy: "keepLogins(in:)") }
        return store
    }
}

/// The program was asked for what it has no function for.
struct NoHandler: Error, CustomStringConvertible {
    let what: String
    let remedy: String

    var description: String { "the program has no \(what): give the client one with \(remedy)" }
}
