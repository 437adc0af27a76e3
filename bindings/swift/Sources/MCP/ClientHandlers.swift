import Foundation

/// What a program answers and does for its server. Each handler of a request declares the capability that the server looks for.
/// A capability of the configuration without a handler, and a handler that would never be asked, are errors when the client is made.
///
/// A handler refuses by throwing a ``RequestRefusal``. Anything else that it throws goes to ``onFailure(_:)``; the server gets a
/// neutral text. Every request is answered.
public struct ClientHandlers: Sendable {
    var requests: [String: Connection.Handler] = [:]
    var form: Connection.FormHandler?
    var login: Connection.LoginHandler?
    var sign: Connection.SignHandler?
    var store: (any LoginStore)?
    var failure: FailureHandler?
    var capabilities: [String: JSONValue] = [:]

    /// Answers `sampling/createMessage` with a model's message. 2026-07-28 deprecates sampling (SEP-2577); it works in every revision that
    /// has it.
    ///
    /// - Parameter tools: Whether the model may use the tools of the request.
    public mutating func onSampling(
        tools: Bool = false, _ handler: @escaping @Sendable (CreateMessageRequestParams) async throws -> CreateMessageResult
    ) {
        capabilities["sampling"] = tools ? ["tools": [:]] : [:]
        requests[MethodName.sampling] = typed(handler)
    }

    /// Answers `elicitation/create`: shows a form to the person, and with `pages` also a page to open.
    public mutating func onElicitation(
        pages: Bool = false, _ handler: @escaping @Sendable (ElicitRequestParams) async throws -> ElicitationAnswer
    ) {
        capabilities["elicitation"] = pages ? ["form": [:], "url": [:]] : ["form": [:]]
        form = { try await handler(try wireDecoder().decode(ElicitRequestParams.self, from: $0)) }
    }

    /// Answers `roots/list`. Where the folders are known beforehand, `roots` of the configuration is enough. 2026-07-28 deprecates roots
    /// (SEP-2577); they work in every revision that has them.
    public mutating func onRoots(_ handler: @escaping @Sendable () async throws -> [Root]) {
        capabilities["roots"] = [:]
        requests[MethodName.roots] = { _ in try jsonText(of: ListRootsResult(roots: try await handler())) }
    }

    /// Answers requests of any other method. One of the methods above needs its capability in the configuration, which
    /// ``onSampling(tools:_:)`` and the like declare and this does not.
    public mutating func onRequest<P: Decodable & Sendable, R: Encodable & Sendable>(
        _ method: String, _ handler: @escaping @Sendable (P) async throws -> R
    ) {
        requests[method] = typed(handler)
    }

    /// Does what logins need; see ``Client/onLogin(_:)``.
    public mutating func onLogin(_ handler: @escaping @Sendable (Login) async throws -> Void) { login = handler }

    /// Has the program keep the logins, and not the library: sets `auth.store` of the configuration, which must have `auth`.
    public mutating func keepLogins(in store: any LoginStore) { self.store = store }

    /// Signs with a key that the library does not have. The configuration must say what for: `auth.signer` is `.application` for
    /// assertions about the client, `auth.dpopKey` has the public half of the key for proofs. Several requests may be under way at
    /// a time. What the handler throws goes to ``onFailure(_:)``, and what needs the signature ends as `.auth`.
    ///
    /// ```swift
    /// $0.onSign { .bytes(try key.signature(for: Data($0.input.utf8)).rawRepresentation) }
    /// ```
    public mutating func onSign(_ handler: @escaping @Sendable (SigningRequest) async throws -> LoginSignature) { sign = handler }

    /// Gets what handlers throw that is no refusal. Without it a line on standard error tells.
    public mutating func onFailure(_ handler: @escaping FailureHandler) { failure = handler }
}

/// Gets what a handler of the program threw, and the method that it was for.
public typealias FailureHandler = @Sendable (_ error: any Error, _ operation: String) -> Void

/// A handler of types as one of texts.
func typed<P: Decodable & Sendable, R: Encodable & Sendable>(
    _ handler: @escaping @Sendable (P) async throws -> R
) -> Connection.Handler {
    { json in
        let params: P
        do {
            params = try wireDecoder().decode(P.self, from: json)
        } catch let error as DecodingError {
            throw RequestRefusal(code: Int32(ErrorCode.invalidParams), message: "the parameters have another form: \(error.place)")
        }
        return try jsonText(of: try await handler(params))
    }
}

extension DecodingError {
    /// Where the fault is, without the value.
    var place: String {
        let context: Context
        switch self {
        case .typeMismatch(_, let at), .valueNotFound(_, let at), .keyNotFound(_, let at), .dataCorrupted(let at): context = at
        @unknown default: return "unknown"
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}

/// Tells the program, or standard error, what a handler threw.
func tell(_ handler: FailureHandler?, _ error: any Error, _ operation: String) {
    if let handler { return handler(error, operation) }
    FileHandle.standardError.write(Data("libmcp: the handler of \(operation) failed: \(error)\n".utf8))
}
