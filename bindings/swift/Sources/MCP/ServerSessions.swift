import CMCP
import Foundation

/// The number of a client's session, as ``ServerRequest/session()`` has it.
public typealias SessionID = UInt64

extension Server {
    /// Sends a notification of an extension to clients of the legacy era.
    ///
    /// In revision 2026-07-28 notifications belong to requests and subscriptions: without a session those subscriptions get it whose
    /// filter has the member that `announce.notifications` of the configuration names for it.
    ///
    /// - Parameters:
    ///   - method: The method. Notifications that the library sends itself are refused.
    ///   - session: The client; nil for all sessions and subscriptions.
    /// - Throws: `MCPError` with `.unavailable` if there is no such session, or its handshake is not finished.
    public func notify(_ method: String, _ params: JSONValue? = nil, session: SessionID? = nil) throws {
        try refuseNul(in: method, "method")
        let text = try params.map { try jsonText(of: $0) }
        try core.perform(method) { server, error in
            withOptionalCString(text) { mcp_server_notify(server, session ?? 0, method, $0, error) }
        }
    }

    /// Calls a client of the legacy era outside of any request. A handler asks with ``ServerRequest/ask(_:_:key:as:)`` instead, which
    /// works in every revision.
    ///
    /// A cancelled task waits no longer; the client is not told.
    ///
    /// - Parameters:
    ///   - session: The client.
    ///   - method: "ping", "roots/list", "sampling/createMessage" or "elicitation/create".
    ///   - timeout: How long it may take; nil for `timeouts.question` of the configuration.
    /// - Throws: `MCPError` with `.unavailable` if there is no such session, `.unsupported` if the client cannot answer this or speaks
    ///   2026-07-28, or with how the call failed; `CancellationError`.
    public func call<Answer: Decodable>(
        session: SessionID, _ method: String, _ params: JSONValue? = nil, as type: Answer.Type = Answer.self,
        timeout: Duration? = nil
    ) async throws -> Answer {
        try refuseNul(in: method, "method")
        let params = try params.map { try jsonText(of: $0) }
        let options = try timeout.map { try jsonText(of: ["timeout_ms": max(1, milliseconds($0))]) }
        let answer = try await core.call(method) { server, tag, error in
            withOptionalCString(params) { params in
                withOptionalCString(options) { mcp_server_call_start(server, session, method, params, $0, tag, nil, error) }
            }
        }
        return try wireDecoder().decode(type, from: answer)
    }
}

/// The calls of a server that have no outcome yet, by their tags.
final class SessionCalls: @unchecked Sendable {
    private let lock = NSLock()
    private var waits: [UInt64: Wait<Data>] = [:]
    private var lastTag: UInt64 = 0
    private var isOver = false

    private func locked<R>(_ body: () -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    /// A tag for a call; nil when the server has been freed.
    func add(_ wait: Wait<Data>) -> UInt64? {
        locked { () -> UInt64? in
            if isOver { return nil }
            lastTag += 1
            waits[lastTag] = wait
            return lastTag
        }
    }

    func remove(_ tag: UInt64) { locked { waits[tag] = nil } }

    /// The one outcome of a call.
    func end(_ reply: ReceivedMessage) {
        let wait = locked { waits.removeValue(forKey: reply.tag) }
        if reply.status == .ok {
            wait?.end(.success(reply.json))
        } else {
            wait?.end(.failure(MCPError(status: reply.status, json: String(decoding: reply.json, as: UTF8.self))))
        }
    }

    /// The server was freed: no reply follows.
    func endAll() {
        let left = locked { () -> [Wait<Data>] in
            isOver = true
            defer { waits = [:] }
            return Array(waits.values)
        }
        for wait in left { wait.end(.failure(MCPError(status: .closed, message: "the server is closed", operation: "call"))) }
    }
}

extension ServerCore {
    /// Starts a call of a client and waits for its outcome.
    func call(
        _ operation: String,
        _ start: @escaping @Sendable (OpaquePointer, UInt64, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) async throws -> Data {
        let wait = Wait<Data>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Data, any Error>) in
                guard wait.begin(continuation) else { return }
                guard let tag = calls.add(wait) else {
                    return wait.end(.failure(MCPError(status: .closed, message: "the server is closed", operation: operation)))
                }
                do {
                    try perform(operation) { start($0, tag, $1) }
                } catch {
                    calls.remove(tag)
                    wait.end(.failure(error))
                }
            }
        } onCancel: {
            wait.end(.failure(CancellationError()))
        }
    }
}
