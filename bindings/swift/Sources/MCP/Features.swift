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

extension Client {
    public func listTools(maxPages: Int = 1000) async throws -> [Tool] {
        try await list("tools/list", "tools", maxPages)
    }

    public func callTool(
        _ name: String, _ arguments: JSONValue = [:], options: CallOptions = CallOptions(),
        onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws -> ToolResult {
        let params: JSONValue = .object(["name": .string(name), "arguments": arguments])
        return try await call("tools/call", params, as: ToolResult.self, options: options, onProgress: onProgress)
    }

    public func listResources(maxPages: Int = 1000) async throws -> [Resource] {
        try await list("resources/list", "resources", maxPages)
    }

    public func readResource(_ uri: String) async throws -> ResourceContents {
        try await call("resources/read", .object(["uri": .string(uri)]), as: ResourceContents.self)
    }

    public func subscribe(_ uri: String) async throws {
        _ = try await call("resources/subscribe", .object(["uri": .string(uri)]), as: JSONValue.self)
    }

    public func unsubscribe(_ uri: String) async throws {
        _ = try await call("resources/unsubscribe", .object(["uri": .string(uri)]), as: JSONValue.self)
    }

    public func listPrompts(maxPages: Int = 1000) async throws -> [Prompt] {
        try await list("prompts/list", "prompts", maxPages)
    }

    /// All entries of a list, over all its pages. Cursors that go in circles or never end are an error.
    private func list<Entry: Decodable & Sendable>(
        _ method: String, _ member: String, _ maxPages: Int
    ) async throws -> [Entry] {
        var entries: [Entry] = []
        var seen: Set<String> = []
        var params: JSONValue?
        for _ in 0..<maxPages {
            let result = try await call(method, params, as: JSONValue.self)
            let page = try JSONEncoder().encode(result[member] ?? .array([]))
            entries += try JSONDecoder().decode([Entry].self, from: page)
            guard let cursor = result["nextCursor"]?.stringValue else { return entries }
            if !seen.insert(cursor).inserted {
                throw MCPError(
                    status: .protocol, message: "the server gave the cursor \"\(cursor)\" twice: the list would never end",
                    operation: method)
            }
            params = .object(["cursor": .string(cursor)])
        }
        throw MCPError(status: .tooLarge, message: "the list has more than \(maxPages) pages", operation: method)
    }
}
