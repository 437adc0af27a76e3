import CMCP
import Foundation

/// One logical connection to one server. Close it when it is no longer needed; one that is forgotten is closed without
/// anybody waiting for it.
public final class Client: Sendable {
    private let connection: Connection
    private let declared: Declared
    /// Whether each capability has its handler: looked at before the first use of a client whose handlers are given later.
    private let handled: FirstUse?

    /// Checks the configuration and starts nothing: ``connect(timeout:)`` or the first call does. The keys are those of
    /// docs/reference/configuration.md.
    ///
    /// - Parameter handlers: The handlers, as for the initializer with types. Without, ``onRequest(_:_:)`` and
    ///   ``onElicitation(_:)`` give them before the first use of the client, which throws for a capability without a handler.
    public init(_ configuration: JSONValue, handlers: ((inout ClientHandlers) throws -> Void)? = nil) throws {
        if let handlers, let object = configuration.objectValue {
            (connection, declared) = try Self.make(object, server: nil, handlers)
            handled = nil
        } else {
            declared = Declared(configuration.objectValue ?? [:])
            connection = try Connection(configuration: try jsonText(of: configuration))
            handled = FirstUse()
        }
    }

    /// The same with types, and with handlers, which declare their capabilities. A capability of the configuration without a handler
    /// is an error here, and so is a handler that would never be asked:
    ///
    /// ```swift
    /// let client = try Client(ClientConfiguration(command: "server")) {
    ///     $0.onSampling { request in try await model.answer(request) }
    /// }
    /// ```
    public convenience init(
        _ configuration: ClientConfiguration, handlers: (inout ClientHandlers) throws -> Void = { _ in }
    ) throws {
        try self.init(configuration, server: nil, handlers: handlers)
    }

    init(
        _ configuration: ClientConfiguration, server: OpaquePointer?, handlers make: (inout ClientHandlers) throws -> Void
    ) throws {
        (connection, declared) = try Self.make(try JSONValue(encoding: configuration).objectValue ?? [:], server: server, make)
        handled = nil
    }

    private static func make(
        _ configuration: [String: JSONValue], server: OpaquePointer?, _ make: (inout ClientHandlers) throws -> Void
    ) throws -> (Connection, Declared) {
        var handlers = ClientHandlers()
        try make(&handlers)
        var object = configuration
        var capabilities = (object["capabilities"]?.objectValue ?? [:]).filter { $0.value != .null }
        // What the configuration says of a capability counts.
        capabilities.merge(handlers.capabilities) { said, _ in said }
        if !capabilities.isEmpty { object["capabilities"] = .object(capabilities) }
        if handlers.store != nil, var auth = object["auth"]?.objectValue {
            auth["store"] = auth["store"] ?? "application"
            object["auth"] = .object(auth)
        }
        let declared = Declared(object)
        try declared.mustFit { handlers.requests[$0] != nil || ($0 == MethodName.elicitation && handlers.form != nil) }
        if handlers.store != nil { try declared.mustKeepLogins() }
        if handlers.sign != nil { try declared.mustSign() }
        return (try Connection(configuration: try jsonText(of: object), handlers: handlers, server: server), declared)
    }

    /// With one server of an `mcpServers` file; without a name, the only one. Its handlers are given as for a configuration of JSON.
    public convenience init(
        file path: String, server: String? = nil, handlers: ((inout ClientHandlers) throws -> Void)? = nil
    ) throws {
        try refuseNul(in: path, "path")
        var text: UnsafeMutablePointer<CChar>?
        var error: UnsafeMutablePointer<CChar>?
        let status = withOptionalCString(server) { server in
            Status(rawValue: mcp_config_load(path, server, &text, &error))
        }
        guard status == .ok, let configuration = taken(text) else {
            throw MCPError(status: status, json: taken(error))
        }
        try self.init(wireDecoder().decode(JSONValue.self, from: Data(configuration.utf8)), handlers: handlers)
    }

    deinit { connection.abandon() }

    /// What a server may ask has its handlers by now.
    private func mustBeHandled() throws {
        try handled?.check { try declared.mustFit { connection.handles($0) } }
    }

    /// What the connection is doing.
    public var state: ConnectionState { connection.state }

    /// Revision, era, server, capabilities, pid, counters and more, as the library tells them.
    public func info() throws -> JSONValue {
        try wireDecoder().decode(JSONValue.self, from: Data(connection.info().utf8))
    }

    /// Starts the connection if need be and waits until it is ready. Optional.
    public func connect(timeout: Duration? = nil) async throws {
        try mustBeHandled()
        try await connection.connect(timeout: timeout.map(milliseconds) ?? -1)
    }

    /// Ends the calls under way and then the server, and frees everything. Any number of times.
    public func close(timeout: Duration? = nil) async throws {
        try await connection.close(timeout: timeout.map(milliseconds) ?? -1)
    }

    /// Calls a method with JSON text and gives the result as it came. Ends exactly once; cancelling the task cancels the
    /// call, and the server is told.
    public func callJSON(
        _ method: String, params: String? = nil, options: CallOptions = CallOptions(),
        onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> Data {
        try await use(.method(method, params: params), options: options, onProgress: onProgress)
    }

    /// Has the library do what a feature is, and waits for the outcome.
    func use(
        _ feature: Feature, options: CallOptions, onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> Data {
        try mustBeHandled()
        let text = try options.text(wantsProgress: onProgress != nil)
        return try await connection.call(feature, options: text, onProgress: onProgress)
    }

    /// Calls a method and decodes its result.
    public func call<R: Decodable & Sendable>(
        _ method: String, _ params: JSONValue? = nil, as type: R.Type = R.self,
        options: CallOptions = CallOptions(), onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> R {
        let text = try params.map { try jsonText(of: $0) }
        let result = try await callJSON(method, params: text, options: options, onProgress: onProgress)
        return try wireDecoder().decode(type, from: result)
    }

    /// Sends a notification. Throws if there is no connection or the server does not read.
    public func notify(_ method: String, _ params: JSONValue? = nil) throws {
        try connection.notify(method, params: try params.map { try jsonText(of: $0) })
    }

    /// Everything that the server and the connection say by themselves, from now on. At most `limit` messages wait for
    /// the reader; for more the oldest are dropped, and `droppedMessages` counts them.
    public func messages(limit: Int = 10_000) -> AsyncStream<Message> {
        connection.stream(limit: limit) { $0 }
    }

    /// The server's notifications from now on: all, or those of one method.
    public func notifications(_ method: String? = nil, limit: Int = 10_000) -> AsyncStream<ServerNotification> {
        connection.stream(limit: limit) { message in
            guard case .notification(let notification) = message else { return nil }
            return method == nil || method == notification.method ? notification : nil
        }
    }

    /// How many messages the streams dropped because the program did not take them in time.
    public var droppedMessages: UInt64 { connection.dropped }

    /// Answers requests of the server by their method. A handler may call the server. It refuses by throwing a
    /// `RequestRefusal`; anything else goes to `onFailure`, and the server gets a neutral text.
    ///
    /// - Throws: `.invalidArgument` if the configuration does not declare the capability that the method needs, or has the list of
    ///   `roots` with which the library answers.
    public func onRequest<P: Decodable & Sendable, R: Encodable & Sendable>(
        _ method: String, _ handler: @escaping @Sendable (P) async throws -> R
    ) throws {
        try declared.mustDeclare(method)
        connection.handle(method, typed(handler))
    }

    /// Answers "elicitation/create". Throwing refuses it, and so does content that the form does not allow.
    ///
    /// - Throws: `.invalidArgument` if the configuration does not declare the capability "elicitation".
    public func onElicitation(
        _ handler: (@Sendable (ElicitRequestParams) async throws -> ElicitationAnswer)?
    ) throws {
        guard let handler else { return connection.onElicitation(nil) }
        try declared.mustDeclare(MethodName.elicitation)
        connection.onElicitation { try await handler(try wireDecoder().decode(ElicitRequestParams.self, from: $0)) }
    }

    /// Gets what handlers threw that is no refusal. Without it a line on standard error tells.
    public func onFailure(_ handler: FailureHandler?) {
        connection.onFailure(handler)
    }

    /// Does what logins need of the program; "auth" in the configuration says how to log in. What the handler throws gives the
    /// login up, and so does a client without one: what waits for it ends as `.auth`.
    public func onLogin(_ handler: (@Sendable (Login) async throws -> Void)?) {
        connection.onLogin(handler)
    }

    /// Has the program keep the logins; see ``ClientHandlers/keepLogins(in:)``. Give it before the client connects.
    ///
    /// - Throws: `.invalidArgument` if `auth.store` of the configuration is not "application".
    public func keepLogins(in store: (any LoginStore)?) throws {
        if store != nil { try declared.mustKeepLogins() }
        connection.keepLogins(in: store)
    }

    /// Signs for logins; see ``ClientHandlers/onSign(_:)``.
    ///
    /// - Throws: `.invalidArgument` if the configuration has neither `auth.signer` nor `auth.dpop_key`.
    public func onSign(_ handler: (@Sendable (SigningRequest) async throws -> LoginSignature)?) throws {
        if handler != nil { try declared.mustSign() }
        connection.onSign(handler)
    }

    /// Logs out: deletes what is stored of logins for this server, in every store, and has the authorization servers revoke their
    /// tokens. The next request that needs a login starts a new one. When the limit or a cancellation of the task ends the wait, the
    /// logout goes on in the background.
    ///
    /// - Parameter timeout: The longest wait; nil waits to the end, which comes at the latest after twice `auth.limit` of the
    ///   configuration, and `auth.patience` for each answer of a store of the program.
    /// - Throws: `MCPError` with `.auth` if a login could not be deleted everywhere (the message says where it is left), `.timeout`,
    ///   `.closed` if the client is closed meanwhile, or `.unsupported` without "auth" in the configuration; `CancellationError`.
    public func logout(timeout: Duration? = nil) async throws {
        try await connection.logout(timeout: timeout.map(milliseconds) ?? -1)
    }

    /// Tells the server in which folders it may work from now on. The configuration must have had "roots".
    public func setRoots(_ roots: [Root]) throws {
        try connection.setRoots(try jsonText(of: roots))
    }

    /// Drops every result that the client keeps ("cache" in the configuration).
    public func clearCache() throws {
        try connection.clearCache()
    }

    /// Requests of that method are refused again.
    public func removeHandler(for method: String) {
        connection.handle(method, nil)
    }
}

/// Whole milliseconds, as far as the library counts them.
func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    if seconds >= Int64(Int32.max) / 1000 { return Int32.max }
    if seconds < 0 { return 0 }
    return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
}

extension Client: CustomStringConvertible {
    /// Its state, for logs.
    public var description: String { "Client (\(state))" }
}
