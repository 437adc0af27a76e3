import CMCP
import Foundation

/// The host's side of the page of a tool (MCP Apps, docs/guide/apps.md). It shows nothing: the program has a web view, gives the messages
/// of the page to ``receive(_:)``, and does what ``next()`` gives. Any thread may use it; nothing waits.
///
/// ```swift
/// let view = try AppView(["hostInfo": ["name": "desk", "version": "1"], "hostCapabilities": ["serverTools": [:]]])
/// try view.receive(message)
/// while let action = try view.next() {
///     switch action.type {
///     case "message": post(action.message)
///     case "request": try view.tell("answer", ["id": action.id, "result": try await client.callJSON(action.method, action.params)])
///     default: break
///     }
/// }
/// ```
public final class AppView: @unchecked Sendable {
    /// What the program has to do for a view, by its type as `mcp_app_poll` in mcp.h has them.
    public struct Action: Hashable, Sendable {
        /// The whole action.
        public let json: JSONValue

        /// What it is: "message", "request", "cancel", "ready", "size", "log", "warning", "app-tools", "called", "teardown-requested" or
        /// "ended".
        public var type: String { json["type"]?.stringValue ?? "" }
        /// What is to be posted to the page.
        public var message: JSONValue { json["message"] ?? .null }
        /// What a request is answered by, or the request that need not go on.
        public var id: JSONValue { json["id"] ?? .null }
        /// What a request is for; empty for other actions.
        public var method: String { json["method"]?.stringValue ?? "" }
        /// The parameters of a request, or of a log message.
        public var params: JSONValue { json["params"] ?? .null }
    }

    /// The policy for the frame of a document. A host may tighten it, and never loosen it.
    public struct Policy: Hashable, Sendable, Decodable {
        /// Its Content-Security-Policy.
        public let csp: String
        /// The attribute of the frame, to be consented to.
        public let allow: String
        /// The domains that were left out.
        public let refused: [String]
        /// What comes before the text of a document in "srcdoc": the policy, and a script that takes away WebRTC, which no policy governs.
        public let head: String
    }

    private let lock = NSLock()
    private let app: OpaquePointer

    /// Makes the host's side of a view.
    ///
    /// - Parameter settings: As `mcp_app_new` in mcp.h has them: "hostInfo" is necessary; "hostCapabilities", "hostContext", "tool",
    ///   "tools", "appTools".
    public init(_ settings: JSONValue) throws {
        try checkABI()
        var app: OpaquePointer?
        var error: UnsafeMutablePointer<CChar>?
        let status = Status(rawValue: mcp_app_new(try jsonText(of: settings), &app, &error))
        guard status == .ok, let app else { throw MCPError(status: status, json: taken(error), operation: "view") }
        self.app = app
    }

    deinit { _ = mcp_app_free(app) }

    private func use(_ operation: String, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32) throws -> Status {
        lock.lock()
        defer { lock.unlock() }
        var error: UnsafeMutablePointer<CChar>?
        let status = Status(rawValue: body(&error))
        if status.rawValue < 0 { throw MCPError(status: status, json: taken(error), operation: operation) }
        return status
    }

    /// Takes a message of the page's own frame, as it came. A malformed or forbidden one is answered or dropped.
    public func receive(_ message: String) throws {
        try refuseNul(in: message, "the message")
        _ = try use("receive") { mcp_app_receive(app, message, $0) }
    }

    /// Tells the page what happened.
    ///
    /// - Parameters:
    ///   - type: "input", "input-partial", "result", "cancelled", "answer", "progress", "context", "tools", "resources-changed",
    ///     "call", "call-cancelled" or "teardown".
    ///   - members: What belongs to the type, such as "arguments", "result", "id".
    public func tell(_ type: String, _ members: [String: JSONValue] = [:]) throws {
        let told = try jsonText(of: JSONValue.object(members.merging(["type": .string(type)]) { _, type in type }))
        _ = try use("tell") { mcp_app_tell(app, told, $0) }
    }

    /// The next action; nil when there is nothing to do until something is received or told.
    public func next() throws -> Action? {
        var text: UnsafeMutablePointer<CChar>?
        let status = try use("poll") { _ in mcp_app_poll(app, &text) }
        guard status == .ok, let action = taken(text) else { return nil }
        return Action(json: try wireDecoder().decode(JSONValue.self, from: Data(action.utf8)))
    }

    /// The policy for the frame of a document, from "_meta.ui" of the item that `readResource` gave; nil if it has none.
    public static func policy(for ui: JSONValue?) throws -> Policy {
        var text: UnsafeMutablePointer<CChar>?
        var error: UnsafeMutablePointer<CChar>?
        let told = try ui.map { try jsonText(of: $0) }
        let status = Status(rawValue: withOptionalCString(told) { mcp_app_policy($0, &text, &error) })
        guard status == .ok, let policy = taken(text) else { throw MCPError(status: status, json: taken(error), operation: "policy") }
        return try wireDecoder().decode(Policy.self, from: Data(policy.utf8))
    }
}
