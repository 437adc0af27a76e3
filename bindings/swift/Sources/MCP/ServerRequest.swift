import CMCP
import Foundation

/// A request of a client, as a handler of a ``Server`` gets it.
public struct ServerRequest: Sendable {
    private let message: ReceivedMessage

    init(_ message: ReceivedMessage) { self.message = message }

    /// Ends this run of a handler that has asked the client. Handlers let it pass.
    struct Asked: Error {}

    /// The method, such as `tools/call`.
    public var method: String { message.method }

    /// The method, and the name of the tool or the prompt.
    var what: String {
        struct Named: Decodable { let name: String }
        guard method == "tools/call" || method == "prompts/get", let named = try? parameters(as: Named.self) else { return method }
        return "\(method) \(named.name)"
    }

    /// The parameters as JSON text, as they came.
    public var json: Data { message.json }

    /// The parameters as a type.
    public func parameters<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        do {
            return try wireDecoder().decode(type, from: message.json)
        } catch let error as DecodingError {
            throw RequestRefusal(
                code: Int32(ErrorCode.invalidParams), message: "the parameters have another form: \(error.place)")
        }
    }

    /// The client, as the library describes it: "session", "revision", "capabilities", "variables" of a template, "principal" and more.
    public func context() throws -> JSONValue {
        var text: UnsafeMutablePointer<CChar>?
        try check("context") { mcp_request_context(message.pointer, &text, $0) }
        return try wireDecoder().decode(JSONValue.self, from: Data((taken(text) ?? "{}").utf8))
    }

    /// Whether the client has a capability, such as "elicitation.url", or an extension, such as "io.modelcontextprotocol/ui". A client
    /// says what it has, and that is no authorization.
    public func clientHas(_ capability: String) -> Bool { mcp_request_client_has(message.pointer, withoutNul(capability)) }

    /// The session of the client, for ``Server/notify(_:_:session:)`` and ``Server/call(session:_:_:as:timeout:)``; nil where the
    /// revision has none.
    public func session() throws -> SessionID? {
        try context()["session"]?.doubleValue.flatMap { SessionID(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
    }

    /// The answer is no longer wanted. The task of the handler is cancelled then, too.
    public var isCancelled: Bool { mcp_request_cancelled(message.pointer) }

    /// Reports progress, if the client wants it. It must rise from report to report.
    public func progress(_ progress: Double, total: Double? = nil, message text: String? = nil) {
        _ = withOptionalCString(text.map(withoutNul)) { mcp_request_progress(message.pointer, progress, total ?? 0, $0) }
    }

    /// Sends a log message that belongs to this request; the configuration must announce `logging`.
    public func log(_ level: LoggingLevel, _ data: JSONValue, logger: String? = nil) throws {
        let data = try jsonText(of: data)
        _ = withOptionalCString(logger.map(withoutNul)) { mcp_request_log(message.pointer, level.rawValue, $0, data) }
    }

    /// Ends the event stream of the request before its answer, so that no connection stays open while the handler works: the client
    /// comes back after a time and gets what was sent meanwhile, and the answer.
    ///
    /// - Parameter retry: After what time the client is to come back; nil for `timeouts.retry` of the configuration.
    /// - Returns: False if there is no stream that could end. Only HTTP in revision 2025-11-25 has one.
    @discardableResult
    public func closeStream(retry: Duration? = nil) throws -> Bool {
        do {
            try check("close_stream") { mcp_request_close_stream(message.pointer, retry.map(milliseconds) ?? -1, $0) }
            return true
        } catch let error as MCPError where error.status == .empty {
            return false
        }
    }

    // MARK: Asking the client

    /// Shows a form to the person.
    ///
    /// The handler runs again from its beginning with the answer, in every revision of the protocol: do what must happen once after
    /// the last question, and let the error pass that this throws meanwhile.
    ///
    /// - Parameter key: The name of the question within the request.
    public func elicit(
        _ text: String, key: String = "elicitation", @PropertyBuilder fields: () -> [Property]
    ) throws -> ElicitResult {
        let form = Schema.object(nil, fields)
        return try ask(
            MethodName.elicitation, ["mode": "form", "message": .string(text), "requestedSchema": .object(form.json)],
            key: key, as: ElicitResult.self)
    }

    /// Asks for the answer of a model. What ``elicit(_:key:fields:)`` says of the handler holds here, too.
    public func sample(_ request: CreateMessageRequestParams, key: String = "sampling") throws -> CreateMessageResult {
        try ask(MethodName.sampling, try JSONValue(encoding: request), key: key, as: CreateMessageResult.self)
    }

    /// Asks for the folders that the server may work in. What ``elicit(_:key:fields:)`` says of the handler holds here, too.
    public func roots(key: String = "roots") throws -> [Root] {
        try ask(MethodName.roots, [:], key: key, as: ListRootsResult.self).roots
    }

    /// Asks anything that a client may be asked. What ``elicit(_:key:fields:)`` says of the handler holds here, too.
    public func ask<Answer: Decodable>(
        _ method: String, _ params: JSONValue, key: String, as type: Answer.Type = Answer.self
    ) throws -> Answer {
        try refuseNul(in: key, "key")
        var answer: UnsafeMutablePointer<CChar>?
        var error: UnsafeMutablePointer<CChar>?
        let params = try jsonText(of: params)
        let status = Status(rawValue: mcp_request_ask(message.pointer, key, method, params, &answer, &error))
        if status == .empty { throw Asked() }
        guard status == .ok, let text = taken(answer) else { throw MCPError(status: status, json: taken(error)) }
        return try wireDecoder().decode(type, from: Data(text.utf8))
    }

    /// Keeps a value for the next run of the handler. It may travel to the client and back, sealed.
    public func keep(_ value: some Encodable) throws {
        let text = try jsonText(of: value)
        try check("keep") { mcp_request_set_state(message.pointer, text, $0) }
    }

    /// What an earlier run kept; nil for nothing.
    public func kept<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value? {
        var text: UnsafeMutablePointer<CChar>?
        var error: UnsafeMutablePointer<CChar>?
        let status = Status(rawValue: mcp_request_state(message.pointer, &text, &error))
        if status == .empty { return nil }
        guard status == .ok, let state = taken(text) else { throw MCPError(status: status, json: taken(error)) }
        return try wireDecoder().decode(type, from: Data(state.utf8))
    }

    // MARK: Tasks

    /// Turns the call into a task: the client gets its name at once and asks for its state. The tool's definition must allow it.
    ///
    /// - Returns: False if it cannot become one, so that the handler answers without.
    public func startTask(_ options: TaskOptions = TaskOptions()) throws -> Bool {
        let text = try jsonText(of: options)
        do {
            try check("task") { mcp_request_start_task(message.pointer, text, $0) }
            return true
        } catch let error as MCPError where error.status == .unsupported {
            return false
        }
    }

    // MARK: Answers

    func respond(_ result: String) throws {
        do {
            try check("respond") { mcp_request_respond(message.pointer, result, $0) }
        } catch let error as MCPError where error.status != .invalidArgument {
            // The client has withdrawn the request or is gone.
        }
    }

    /// Answers that a tool failed.
    func fail(_ text: String) {
        if !text.utf8.contains(0) {
            mcp_request_respond_text(message.pointer, text, true, nil)
        } else if let result = try? jsonText(of: CallToolResult(content: [.text(text)], isError: true)) {
            // A C string would end there; JSON has it as an escape.
            _ = mcp_request_respond(message.pointer, result, nil)
        }
    }

    /// Answers with an error. A code that a revision does not allow is an error of the program, and the client gets another.
    func refuse(_ code: Int32, _ text: String) throws {
        do {
            try check("respond_error") { mcp_request_respond_error(message.pointer, code, withoutNul(text), nil, $0) }
        } catch let error as MCPError where error.status != .invalidArgument {
            // The client has withdrawn the request or is gone.
        }
    }

    /// Answers that what is asked for does not exist.
    func sayNotFound() throws {
        do {
            try check("respond") { mcp_request_respond_error(message.pointer, MCP_CODE_NOT_FOUND, nil, nil, $0) }
        } catch let error as MCPError where error.status != .invalidArgument {
            // The client has withdrawn the request or is gone.
        }
    }

    private func check(
        _ operation: String, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) throws {
        var error: UnsafeMutablePointer<CChar>?
        let status = Status(rawValue: body(&error))
        if status != .ok { throw MCPError(status: status, json: taken(error), operation: operation) }
    }
}

private func withoutNul(_ text: String) -> String { text.replacingOccurrences(of: "\0", with: "") }

/// Thrown by a tool that cannot do its work: the model reads the text.
public struct ToolError: Error, Sendable {
    /// What the model reads.
    public let message: String

    /// A failure with its text.
    public init(_ message: String) { self.message = message }
}

/// Thrown by a handler when what the request is for does not exist. The client gets the error that its revision has for that.
public struct NotFound: Error, Sendable {
    /// Says no more than that.
    public init() {}
}
