import CMCP
import Foundation

/// A tool of a server.
public struct Tool: Sendable, Decodable {
    public let name: String
    public let title: String?
    public let description: String?
    public let inputSchema: JSONValue
    public let outputSchema: JSONValue?
    public let annotations: JSONValue?
}

public struct Resource: Sendable, Decodable {
    public let uri: String
    public let name: String
    public let title: String?
    public let description: String?
    public let mimeType: String?
}

public struct Prompt: Sendable, Decodable {
    public let name: String
    public let title: String?
    public let description: String?
    public let arguments: JSONValue?
}

/// A block of what a tool or a prompt says.
public struct Content: Sendable, Decodable {
    public let type: String
    public let text: String?
    public let data: String?
    public let mimeType: String?
}

public struct ToolResult: Sendable, Decodable {
    public let content: [Content]
    public let structuredContent: JSONValue?
    /// The tool itself failed; the call did not.
    public let isError: Bool?

    /// All its text blocks, joined by line feeds.
    public var text: String { content.compactMap(\.text).joined(separator: "\n") }
}

public struct ResourceContents: Sendable, Decodable {
    public struct Part: Sendable, Decodable {
        public let uri: String
        public let mimeType: String?
        public let text: String?
        /// Base64.
        public let blob: String?
    }

    public let contents: [Part]

    public var text: String { contents.compactMap(\.text).joined(separator: "\n") }
}

public struct ResourceTemplate: Sendable, Decodable {
    public let uriTemplate: String
    public let name: String
    public let title: String?
    public let description: String?
    public let mimeType: String?
}

public struct PromptResult: Sendable, Decodable {
    public struct Message: Sendable, Decodable {
        public let role: String
        public let content: Content
    }

    public let description: String?
    public let messages: [Message]
}

public struct Completion: Sendable, Decodable {
    public let values: [String]
    public let total: Int?
    public let hasMore: Bool?
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
    private struct Completions: Decodable { let completion: Completion }

    private func use<R: Decodable>(
        _ feature: Feature, as type: R.Type, _ options: CallOptions,
        _ onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> R {
        try JSONDecoder().decode(type, from: try await use(feature, options: options, onProgress: onProgress))
    }

    public func listTools(options: CallOptions = CallOptions()) async throws -> [Tool] {
        try await use(.listTools, as: Tools.self, options).tools
    }

    /// A result that is not what the tool's outputSchema promises is `.protocol`.
    public func callTool(
        _ name: String, _ arguments: JSONValue = [:], options: CallOptions = CallOptions(),
        onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> ToolResult {
        let text = try jsonText(of: arguments)
        return try await use(.callTool(name, arguments: text), as: ToolResult.self, options, onProgress)
    }

    public func listResources(options: CallOptions = CallOptions()) async throws -> [Resource] {
        try await use(.listResources, as: Resources.self, options).resources
    }

    public func listResourceTemplates(options: CallOptions = CallOptions()) async throws -> [ResourceTemplate] {
        try await use(.listResourceTemplates, as: Templates.self, options).resourceTemplates
    }

    public func readResource(_ uri: String, options: CallOptions = CallOptions()) async throws -> ResourceContents {
        try await use(.readResource(uri), as: ResourceContents.self, options)
    }

    /// Asks for "notifications/resources/updated" when a resource changes. It outlives a reconnection.
    public func subscribe(_ uri: String, options: CallOptions = CallOptions()) async throws {
        _ = try await use(.subscribe(uri), options: options)
    }

    public func unsubscribe(_ uri: String, options: CallOptions = CallOptions()) async throws {
        _ = try await use(.unsubscribe(uri), options: options)
    }

    public func listPrompts(options: CallOptions = CallOptions()) async throws -> [Prompt] {
        try await use(.listPrompts, as: Prompts.self, options).prompts
    }

    public func getPrompt(
        _ name: String, _ arguments: [String: String] = [:], options: CallOptions = CallOptions()
    ) async throws -> PromptResult {
        let text = try jsonText(of: arguments)
        return try await use(.getPrompt(name, arguments: text), as: PromptResult.self, options)
    }

    /// How an argument with the value typed so far may go on. `reference` is {"type":"ref/prompt","name":…} or
    /// {"type":"ref/resource","uri":…}; `settled` are arguments that have their value already.
    public func complete(
        _ reference: JSONValue, argument: String, typed: String, settled: [String: String] = [:],
        options: CallOptions = CallOptions()
    ) async throws -> Completion {
        let feature = Feature.complete(
            reference: try jsonText(of: reference), argument: argument, typed: typed,
            settled: settled.isEmpty ? nil : try jsonText(of: settled))
        return try await use(feature, as: Completions.self, options).completion
    }

    /// Tells the server which log messages to send: "debug", "info", "warning", "error", …
    public func setLogLevel(_ level: String, options: CallOptions = CallOptions()) async throws {
        _ = try await use(.setLogLevel(level), options: options)
    }

    /// Asks the server for a sign of life.
    public func ping(options: CallOptions = CallOptions()) async throws {
        _ = try await use(.ping, options: options)
    }
}
