import CMCP
import Foundation

/// What a tool gave.
public typealias ToolResult = CallToolResult

extension CallToolResult {
    /// All its text blocks, joined by line feeds.
    public var text: String { content.compactMap(\.text).joined(separator: "\n") }

    /// The structured result as a type of the program.
    public func structured<Output: Decodable>(as type: Output.Type = Output.self) throws -> Output {
        guard let structuredContent else {
            throw MCPError(
                status: .protocol, message: "the tool gave no structured content; its text is: \(text)",
                operation: "tools/call")
        }
        return try structuredContent.decode(type)
    }
}

extension ContentBlock {
    /// The text of a text block; nil for any other.
    public var text: String? {
        if case .text(let block) = self { return block.text }
        return nil
    }

    /// A text block.
    public static func text(_ text: String) -> ContentBlock { .text(TextContent(text: text)) }
}

extension SamplingMessageContentBlock {
    /// The text of a text block; nil for any other.
    public var text: String? {
        if case .text(let block) = self { return block.text }
        return nil
    }

    /// A text block.
    public static func text(_ text: String) -> SamplingMessageContentBlock { .text(TextContent(text: text)) }
}

extension ReadResourceResult {
    /// All its texts, joined by line feeds.
    public var text: String { contents.compactMap(\.text).joined(separator: "\n") }
}

extension ResourceContents {
    /// The content: the decoded blob, or the text.
    public var bytes: Data? { blob.map { Data(base64Encoded: $0) } ?? text.map { Data($0.utf8) } }
}

/// The URI of a resource of a template (RFC 6570), with values for its variables.
public func expandTemplate(_ template: String, _ variables: [String: JSONValue] = [:]) throws -> String {
    try refuseNul(in: template, "template")
    var uri: UnsafeMutablePointer<CChar>?
    var error: UnsafeMutablePointer<CChar>?
    let status = Status(rawValue: mcp_uri_template_expand(template, try jsonText(of: variables), &uri, &error))
    guard status == .ok, let text = taken(uri) else {
        throw MCPError(status: status, json: taken(error))
    }
    return text
}

/// Each means the same on every revision. Lists come whole, over all their pages, within "limits" of the configuration.
extension Client {
    private struct Tools: Decodable { let tools: [Tool] }
    private struct Resources: Decodable { let resources: [Resource] }
    private struct Templates: Decodable { let resourceTemplates: [ResourceTemplate] }
    private struct Prompts: Decodable { let prompts: [Prompt] }

    private func use<R: Decodable>(
        _ feature: Feature, as type: R.Type, _ options: CallOptions,
        _ onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> R {
        try wireDecoder().decode(type, from: try await use(feature, options: options, onProgress: onProgress))
    }

    /// All tools.
    public func listTools(options: CallOptions = CallOptions()) async throws -> [Tool] {
        try await use(.listTools, as: Tools.self, options).tools
    }

    /// Calls a tool. A result that is not what the tool's outputSchema promises throws `.protocol`.
    public func callTool(
        _ name: String, _ arguments: JSONValue = [:], options: CallOptions = CallOptions(),
        onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> ToolResult {
        let text = try jsonText(of: arguments)
        return try await use(.callTool(name, arguments: text), as: ToolResult.self, options, onProgress)
    }

    /// Calls a tool with arguments of a type of the program.
    public func callTool(
        _ name: String, _ arguments: some Encodable & Sendable, options: CallOptions = CallOptions(),
        onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> ToolResult {
        let text = try jsonText(of: arguments)
        return try await use(.callTool(name, arguments: text), as: ToolResult.self, options, onProgress)
    }

    /// Calls a tool, without arguments or with those of a literal, such as `["city": "Rome", "days": 3]`, for a structured result of a type of
    /// the program. A tool that says that it failed throws a `ToolFailure`.
    public func callTool<Output: Decodable>(
        _ name: String, _ arguments: JSONValue = [:], as type: Output.Type, options: CallOptions = CallOptions(),
        onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> Output {
        try await structured(callTool(name, arguments, options: options, onProgress: onProgress), as: type)
    }

    /// Calls a tool with arguments and a structured result of types of the program. A tool that says that it failed throws a
    /// `ToolFailure`.
    public func callTool<Output: Decodable>(
        _ name: String, _ arguments: some Encodable & Sendable, as type: Output.Type,
        options: CallOptions = CallOptions(), onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> Output {
        try await structured(callTool(name, arguments, options: options, onProgress: onProgress), as: type)
    }

    private func structured<Output: Decodable>(_ result: ToolResult, as type: Output.Type) throws -> Output {
        if result.isError == true { throw ToolFailure(result: result) }
        return try result.structured(as: type)
    }

    /// One page of tools, from the beginning or from where `nextCursor` of the page before says.
    public func toolsPage(after cursor: String? = nil, options: CallOptions = CallOptions()) async throws -> ListToolsResult {
        try await use(.listTools, as: ListToolsResult.self, options.page(after: cursor))
    }

    /// One page of resources.
    public func resourcesPage(
        after cursor: String? = nil, options: CallOptions = CallOptions()
    ) async throws -> ListResourcesResult {
        try await use(.listResources, as: ListResourcesResult.self, options.page(after: cursor))
    }

    /// One page of templates of resources.
    public func resourceTemplatesPage(
        after cursor: String? = nil, options: CallOptions = CallOptions()
    ) async throws -> ListResourceTemplatesResult {
        try await use(.listResourceTemplates, as: ListResourceTemplatesResult.self, options.page(after: cursor))
    }

    /// One page of prompts.
    public func promptsPage(after cursor: String? = nil, options: CallOptions = CallOptions()) async throws -> ListPromptsResult {
        try await use(.listPrompts, as: ListPromptsResult.self, options.page(after: cursor))
    }

    /// All resources.
    public func listResources(options: CallOptions = CallOptions()) async throws -> [Resource] {
        try await use(.listResources, as: Resources.self, options).resources
    }

    /// All templates of resources.
    public func listResourceTemplates(options: CallOptions = CallOptions()) async throws -> [ResourceTemplate] {
        try await use(.listResourceTemplates, as: Templates.self, options).resourceTemplates
    }

    /// Reads a resource.
    public func readResource(_ uri: String, options: CallOptions = CallOptions()) async throws -> ReadResourceResult {
        try await use(.readResource(uri), as: ReadResourceResult.self, options)
    }

    /// Asks for "notifications/resources/updated" when a resource changes. It outlives a reconnection.
    public func subscribe(_ uri: String, options: CallOptions = CallOptions()) async throws {
        _ = try await use(.subscribe(uri), options: options)
    }

    /// Ends what ``subscribe(_:options:)`` began.
    public func unsubscribe(_ uri: String, options: CallOptions = CallOptions()) async throws {
        _ = try await use(.unsubscribe(uri), options: options)
    }

    /// All prompts.
    public func listPrompts(options: CallOptions = CallOptions()) async throws -> [Prompt] {
        try await use(.listPrompts, as: Prompts.self, options).prompts
    }

    /// The messages of a prompt with these arguments.
    public func getPrompt(
        _ name: String, _ arguments: [String: String] = [:], options: CallOptions = CallOptions()
    ) async throws -> GetPromptResult {
        let text = try jsonText(of: arguments)
        return try await use(.getPrompt(name, arguments: text), as: GetPromptResult.self, options)
    }

    /// How an argument with the value typed so far may go on; `settled` are arguments that have their value already.
    public func complete(
        _ reference: Reference, argument: String, typed: String, settled: [String: String] = [:],
        options: CallOptions = CallOptions()
    ) async throws -> Completion {
        let feature = Feature.complete(
            reference: try jsonText(of: reference), argument: argument, typed: typed,
            settled: settled.isEmpty ? nil : try jsonText(of: settled))
        return try await use(feature, as: CompleteResult.self, options).completion
    }

    /// Tells the server which log messages to send.
    public func setLogLevel(_ level: LoggingLevel, options: CallOptions = CallOptions()) async throws {
        _ = try await use(.setLogLevel(level.rawValue), options: options)
    }

    /// Asks the server for a sign of life.
    public func ping(options: CallOptions = CallOptions()) async throws {
        _ = try await use(.ping, options: options)
    }
}

extension CallOptions {
    fileprivate func page(after cursor: String?) -> CallOptions {
        var options = self
        options.onePage = true
        options.cursor = cursor
        return options
    }

    /// What the library takes; nil for nothing.
    func text(wantsProgress: Bool) throws -> String? {
        if self == CallOptions() && !wantsProgress { return nil }
        var options = self
        if wantsProgress { options.additional["progress"] = true }
        return try jsonText(of: options)
    }
}

/// A tool ran and says that it failed.
public struct ToolFailure: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// What the tool said.
    public let result: ToolResult

    public var description: String { result.text }
    public var errorDescription: String? { result.text }
}
