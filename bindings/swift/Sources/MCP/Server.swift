import CMCP
import Foundation

/// A server that offers tools, resources and prompts of the program, in every revision of the protocol at once.
///
/// ```swift
/// struct Sum: Codable { let a: Double; let b: Double }
///
/// let server = try Server(name: "calculator", version: "1.0")
/// try server.addTool("add", description: "Adds two numbers") { (sum: Sum, _) in "\(sum.a + sum.b)" }
/// try await server.serveStandardStreams()
/// ```
///
/// Each request runs in a task of its own, which is cancelled when the client withdraws the request. What a handler throws never
/// ends the process: a tool's ``ToolError`` becomes a result that the model reads, a ``RequestRefusal`` an error with its code,
/// a ``NotFound`` the error that says so, and anything else goes to ``onFailure(_:)`` while the client gets a neutral text.
public final class Server: Sendable {
    let core: ServerCore

    /// Checks the configuration; nothing is served before ``serve(_:)``.
    public init(_ configuration: ServerConfiguration) throws {
        core = try ServerCore(configuration: try jsonText(of: configuration))
    }

    /// A server with the defaults of the configuration.
    public convenience init(name: String, version: String = "0") throws {
        try self.init(ServerConfiguration(name: name, version: version))
    }

    deinit { core.abandon() }

    /// Gets what handlers throw that is meant for no client. Without it a line on standard error tells.
    public func onFailure(_ handler: FailureHandler?) { core.failure = handler }

    // MARK: Tools

    /// Adds a tool whose arguments are a type of the program. The library checks them against the schema before the handler runs.
    ///
    /// The handler gives a text (`String`), a ``CallToolResult``, or any `Codable` value, which becomes the structured result.
    ///
    /// - Parameters:
    ///   - input: The schema of the arguments; absent, that of `Input`.
    ///   - output: The schema of the structured result; absent, that of `Output`.
    public func addTool<Input: Decodable, Output: Encodable & Sendable>(
        _ name: String, title: String? = nil, description: String? = nil, annotations: ToolAnnotations? = nil,
        input: Schema? = nil, output: Schema? = nil, execution: ToolExecution? = nil,
        _ handler: @escaping @Sendable (Input, ServerRequest) async throws -> Output
    ) throws {
        let isPlain = Output.self == String.self || Output.self == CallToolResult.self
        let output = try output ?? (isPlain ? nil : (Output.self as? any Decodable.Type).flatMap { try outputSchema(of: $0) })
        let tool = Tool(
            inputSchema: try (input ?? Schema.of(Input.self)).json, name: name, annotations: annotations,
            description: description, execution: execution, outputSchema: output?.json, title: title)
        try addTool(tool, answer: { (request: ServerRequest) async throws -> String in
            let call: Arguments<Input>
            do {
                call = try wireDecoder().decode(Arguments<Input>.self, from: request.json)
            } catch let error as DecodingError {
                // The schema says yes and the type says no, as to a text that is not a time.
                throw ToolError("The arguments do not fit: \(error.place)")
            }
            return try result(of: try await handler(call.arguments, request))
        })
    }

    /// Adds a tool by its definition. The handler looks at the request itself.
    public func addTool(
        _ tool: Tool, _ handler: @escaping @Sendable (ServerRequest) async throws -> CallToolResult
    ) throws {
        try addTool(tool, answer: { try jsonText(of: try await handler($0)) })
    }

    private func addTool(_ tool: Tool, answer: @escaping ServerCore.Entry.Handler) throws {
        let definition = try jsonText(of: tool)
        try add("add_tool", isTool: true, answer) { server, entry, error in
            mcp_server_add_tool(server, definition, onRequest, entry, onDestroy, error)
        }
    }

    // MARK: Resources

    /// Adds a resource that a handler reads.
    public func addResource(
        _ resource: Resource, _ handler: @escaping @Sendable (ServerRequest) async throws -> ReadResourceResult
    ) throws {
        let definition = try jsonText(of: resource)
        try add("add_resource", { try jsonText(of: try await handler($0)) }) { server, entry, error in
            mcp_server_add_resource(server, definition, onRequest, entry, onDestroy, error)
        }
    }

    /// Adds a resource whose text is always the same.
    public func addText(_ resource: Resource, _ text: String) throws {
        try refuseNul(in: text, "text")
        let definition = try jsonText(of: resource)
        try core.perform("add_text") { mcp_server_add_text($0, definition, text, $1) }
    }

    /// Adds a resource whose bytes are always the same.
    public func addBlob(_ resource: Resource, _ data: Data) throws {
        let definition = try jsonText(of: resource)
        try core.perform("add_blob") { server, error in
            data.withUnsafeBytes {
                mcp_server_add_blob(server, definition, $0.bindMemory(to: CChar.self).baseAddress, $0.count, error)
            }
        }
    }

    /// Adds a template whose resources are the files below a folder: text where a file is UTF-8, bytes else. Symbolic links are not
    /// followed, and nothing outside of the folder is read.
    ///
    /// - Parameter template: Its URI template has the variable "path", such as "docs:///{+path}".
    public func addFolder(_ template: ResourceTemplate, _ folder: String) throws {
        try refuseNul(in: folder, "folder")
        let definition = try jsonText(of: template)
        try core.perform("add_folder") { mcp_server_add_folder($0, definition, folder, $1) }
    }

    /// Publishes the skills below a folder: each folder with a file SKILL.md, with all that is below it. All files are read now.
    /// Call it again when files have changed; `remove(.skills, folder)` takes them back.
    ///
    /// - Parameter uriPrefix: What the URIs begin with; absent, "skill://".
    public func addSkills(_ folder: String, uriPrefix: String? = nil) throws {
        try refuseNul(in: folder, "folder")
        let options = try uriPrefix.map { try jsonText(of: ["uri_prefix": $0]) }
        try core.perform("add_skills") { server, error in
            withOptionalCString(options) { mcp_server_add_skills(server, folder, $0, error) }
        }
    }

    /// Adds resources by a template (RFC 6570). The handler gets the values of its variables.
    public func addTemplate(
        _ template: ResourceTemplate,
        _ handler: @escaping @Sendable (_ variables: [String: JSONValue], ServerRequest) async throws -> ReadResourceResult
    ) throws {
        let definition = try jsonText(of: template)
        let answer: ServerCore.Entry.Handler = { request in
            let variables = try request.context()["variables"]?.objectValue ?? [:]
            return try jsonText(of: try await handler(variables, request))
        }
        try add("add_resource_template", answer) { server, entry, error in
            mcp_server_add_resource_template(server, definition, onRequest, entry, onDestroy, error)
        }
    }

    /// Tells the clients that subscribed to a resource that it has changed.
    public func resourceUpdated(_ uri: String) throws {
        try refuseNul(in: uri, "uri")
        try core.perform("resource_updated") { mcp_server_resource_updated($0, uri, $1) }
    }

    // MARK: Prompts and completion

    /// Adds a prompt. The handler gets the arguments by their names.
    public func addPrompt(
        _ prompt: Prompt,
        _ handler: @escaping @Sendable (_ arguments: [String: String], ServerRequest) async throws -> GetPromptResult
    ) throws {
        let definition = try jsonText(of: prompt)
        let answer: ServerCore.Entry.Handler = { request in
            let params = try request.parameters(as: GetPromptRequestParams.self)
            return try jsonText(of: try await handler(params.arguments ?? [:], request))
        }
        try add("add_prompt", answer) { server, entry, error in
            mcp_server_add_prompt(server, definition, onRequest, entry, onDestroy, error)
        }
    }

    /// Completes an argument of a prompt, or of a template, from a list.
    public func addCompletion(of reference: String, argument: String, values: [String]) throws {
        try refuseNul(in: reference + argument, "reference")
        let values = try jsonText(of: values)
        try core.perform("add_completion") { server, error in
            mcp_server_add_completion(server, reference, argument, values, nil, nil, nil, error)
        }
    }

    /// Completes an argument by a handler, which gets what was typed so far.
    public func addCompletion(
        of reference: String, argument: String,
        _ handler: @escaping @Sendable (CompleteRequestParams, ServerRequest) async throws -> Completion
    ) throws {
        try refuseNul(in: reference + argument, "reference")
        let answer: ServerCore.Entry.Handler = { request in
            let params = try request.parameters(as: CompleteRequestParams.self)
            return try jsonText(of: CompleteResult(completion: try await handler(params, request)))
        }
        try add("add_completion", answer) { server, entry, error in
            mcp_server_add_completion(server, reference, argument, nil, onRequest, entry, onDestroy, error)
        }
    }

    /// Adds a method of an extension. The handler gets the parameters as a type of the program, such as ``JSONValue``.
    ///
    /// - Parameters:
    ///   - method: Such as "com.example/render".
    ///   - extension: The extension that the method belongs to. In 2026-07-28 the server announces it, and a client must have it, too;
    ///     earlier revisions have no extensions, and every client may call the method. Absent, none.
    ///   - settings: What it announces of the extension: an object.
    public func addMethod<Params: Decodable, Output: Encodable>(
        _ method: String, extension name: String? = nil, settings: JSONValue = [:],
        _ handler: @escaping @Sendable (Params, ServerRequest) async throws -> Output
    ) throws {
        try refuseNul(in: method + (name ?? ""), "method")
        let settings = try jsonText(of: settings)
        let answer: ServerCore.Entry.Handler = { request in
            try jsonText(of: try await handler(try request.parameters(as: Params.self), request))
        }
        try add("add_method", answer) { server, entry, error in
            withOptionalCString(name) { name in
                mcp_server_add_method(server, method, name, name == nil ? nil : settings, onRequest, entry, onDestroy, error)
            }
        }
    }

    /// What ``remove(_:_:)`` removes.
    public enum Kind: String, Sendable {
        /// A tool, by its name.
        case tool
        /// A resource, by its URI.
        case resource
        /// A template, by its URI template.
        case template
        /// A prompt, by its name.
        case prompt
        /// Skills, by their folder as it was given.
        case skills
    }

    /// Removes what was added, by its name, URI or template. False if it is not there.
    @discardableResult
    public func remove(_ kind: Kind, _ name: String) throws -> Bool {
        try refuseNul(in: name, "name")
        do {
            try core.perform("remove") { mcp_server_remove($0, kind.rawValue, name, $1) }
            return true
        } catch let error as MCPError where error.status == .empty {
            return false
        }
    }

    /// Adds an entry with a handler, which the library keeps until the entry is gone.
    private func add(
        _ operation: String, isTool: Bool = false, _ handler: @escaping ServerCore.Entry.Handler,
        _ add: (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) throws {
        let entry = ServerCore.Entry(core: core, isTool: isTool, handler: handler)
        try core.perform(operation) { server, error in
            // The library releases it in any case, also if it adds nothing.
            add(server, Unmanaged.passRetained(entry).toOpaque(), error)
        }
    }

    // MARK: Serving

    /// Begins to serve, at several endpoints if it is called again.
    ///
    /// - Returns: Where the server serves, with the port that the system chose for port 0.
    @discardableResult
    public func serve(_ endpoint: Endpoint) throws -> Endpoint {
        let text = try jsonText(of: endpoint)
        var bound: UnsafeMutablePointer<CChar>?
        try core.perform("serve") { mcp_server_serve($0, text, &bound, $1) }
        core.poll()
        return try wireDecoder().decode(Endpoint.self, from: Data((taken(bound) ?? "{}").utf8))
    }

    /// Serves the program that started this one, until it closes the standard input. What is printed goes to standard error.
    public func serveStandardStreams() async throws {
        try serve(Endpoint(stdio: true))
        await waitUntilEnded()
    }

    /// Waits until all that is served has ended.
    public func waitUntilEnded() async { await core.ended() }

    /// A client of this server in the same process, without a socket: for tests.
    public func client(
        _ configuration: ClientConfiguration = ClientConfiguration(),
        handlers: (inout ClientHandlers) throws -> Void = { _ in }
    ) throws -> Client {
        let client = try core.using("client") { try Client(configuration, server: $0, handlers: handlers) }
        core.poll()
        return client
    }

    /// Sends a log message to the clients of the legacy era that want its level; the configuration must announce `logging`.
    public func log(_ level: LoggingLevel, _ data: JSONValue, logger: String? = nil) throws {
        let data = try jsonText(of: data)
        if let logger { try refuseNul(in: logger, "logger") }
        try core.perform("log") { server, error in
            withOptionalCString(logger) { mcp_server_log(server, level.rawValue, $0, data, error) }
        }
    }

    /// Sessions, requests, counters and times, as the library tells them.
    public func info() throws -> JSONValue {
        var text: UnsafeMutablePointer<CChar>?
        try core.perform("info") { mcp_server_info($0, &text, $1) }
        return try wireDecoder().decode(JSONValue.self, from: Data((taken(text) ?? "{}").utf8))
    }

    /// Refuses what is under way, ends all sessions and frees everything. Any number of times.
    public func close(timeout: Duration? = nil) async throws {
        let status = await core.close(timeout: timeout.map(milliseconds) ?? -1)
        if status == .timeout {
            throw MCPError(status: .timeout, message: "a client did not take everything in time", operation: "close")
        }
    }
}

/// The parameters of `tools/call`. Arguments that are absent are an empty object.
private struct Arguments<Input: Decodable>: Decodable {
    let arguments: Input

    private enum CodingKeys: String, CodingKey { case arguments }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        if members.contains(.arguments) {
            arguments = try members.decode(Input.self, forKey: .arguments)
        } else {
            arguments = try wireDecoder().decode(Input.self, from: Data("{}".utf8))
        }
    }
}

/// The schema of structured results; nil for content and for what may be anything. A type that is not an object, which older revisions do
/// not take, is the member "result" of one.
private func outputSchema<Value: Decodable>(of type: Value.Type) throws -> Schema? {
    if type is ContentBlock.Type || type is [ContentBlock].Type || type is any Emptyable.Type { return nil }
    let schema = try Schema.of(type)
    if schema.json.isEmpty { return nil }
    return schema.json["type"] == "object" ? schema : .object { Property("result", schema) }
}

/// A result that may be nil promises nothing.
private protocol Emptyable {}
extension Optional: Emptyable {}

/// The JSON text of a result.
private func result<Output: Encodable>(of output: Output) throws -> String {
    if let result = output as? CallToolResult { return try jsonText(of: result) }
    if let text = output as? String { return "{\"content\":[{\"type\":\"text\",\"text\":\(try jsonText(of: text))}]}" }
    if let block = output as? ContentBlock { return try jsonText(of: CallToolResult(content: [block])) }
    if let blocks = output as? [ContentBlock] { return try jsonText(of: CallToolResult(content: blocks)) }
    // As it was encoded: a JSONValue has the precision of a Double. The library adds the text for clients that read text only.
    let value = try jsonText(of: output)
    let structured = value.hasPrefix("{") ? value : "{\"result\":\(value)}"
    return "{\"content\":[],\"structuredContent\":\(structured)}"
}
