import CMCP
import Foundation

/// A server of the library and the one thread that takes its messages. Handlers are tasks: no task waits in a C function, and the
/// thread runs nothing of the program.
final class ServerCore: @unchecked Sendable {
    private struct Shared {
        var failure: FailureHandler?
        /// The tasks of requests under way, by the numbers of the requests.
        var tasks: [UInt64: Task<Void, Never>] = [:]
        /// How often something was added that is to be served; the thread looks again before it ends.
        var served = 0
        var isPolling = false
        /// Functions of the library that are using the server at this moment.
        var users = 0
        var isOver = false
        var isFreed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let server: OpaquePointer
    private let condition = NSCondition()
    private var shared = Shared()
    /// Calls of clients, whose replies the thread takes.
    let calls = SessionCalls()

    init(configuration: String) throws {
        try checkABI()
        var error: UnsafeMutablePointer<CChar>?
        var newServer: OpaquePointer?
        let status = Status(rawValue: mcp_server_new(configuration, nil, &newServer, &error))
        guard status == .ok, let server = newServer else { throw MCPError(status: status, json: taken(error)) }
        self.server = server
    }

    private func locked<R>(_ body: (inout Shared) -> R) -> R {
        condition.lock()
        defer { condition.unlock() }
        return body(&shared)
    }

    /// Uses the server, unless it is being freed.
    func using<R>(_ operation: String, _ body: (OpaquePointer) throws -> R) throws -> R {
        let mayUse = locked { (shared: inout Shared) -> Bool in
            if shared.isOver { return false }
            shared.users += 1
            return true
        }
        if !mayUse { throw MCPError(status: .closed, message: "the server is closed", operation: operation) }
        defer {
            // Only who frees waits for the users.
            let isAwaited = locked { (shared: inout Shared) -> Bool in
                shared.users -= 1
                return shared.isOver
            }
            if isAwaited { condition.broadcast() }
        }
        return try body(server)
    }

    /// Calls a function of the library that gives a status and an error object.
    func perform(
        _ operation: String, _ body: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) throws {
        try using(operation) { server in
            var error: UnsafeMutablePointer<CChar>?
            let status = Status(rawValue: body(server, &error))
            if status != .ok { throw MCPError(status: status, json: taken(error), operation: operation) }
        }
    }

    var failure: FailureHandler? {
        get { locked { $0.failure } }
        set { locked { (shared: inout Shared) -> Void in shared.failure = newValue } }
    }

    // MARK: Handlers

    /// What the library passes to `onRequest`: one entry of the server.
    final class Entry: Sendable {
        typealias Handler = @Sendable (ServerRequest) async throws -> String

        private let core: WeakCore
        private let isTool: Bool
        private let handler: Handler

        init(core: ServerCore, isTool: Bool, handler: @escaping Handler) {
            self.core = WeakCore(core)
            self.isTool = isTool
            self.handler = handler
        }

        /// Takes over a request and begins a task for it. A request that is freed without an answer is refused by the library.
        func take(_ message: ReceivedMessage) {
            guard let core = core.value else { return }
            let handler = handler
            let isTool = isTool
            core.begin(message) { [weak core] in
                await answer(ServerRequest(message), isTool: isTool, failure: core?.failure, handler)
            }
        }
    }

    /// Entries live as long as the library's server; they must not keep the core that frees it.
    private final class WeakCore: @unchecked Sendable {
        weak var value: ServerCore?
        init(_ value: ServerCore) { self.value = value }
    }

    private func begin(_ message: ReceivedMessage, _ work: @escaping @Sendable () async -> Void) {
        let number = message.callID
        // The task cannot take itself out of the table before it is in it: both need the lock.
        locked { (shared: inout Shared) -> Void in
            let task = Task { [weak self] in
                await work()
                self?.locked { (shared: inout Shared) -> Void in shared.tasks[number] = nil }
            }
            if number != 0 { shared.tasks[number] = task }
        }
    }

    // MARK: Serving

    /// Has the thread take what arrives.
    func poll() {
        let mustStart = locked { (shared: inout Shared) -> Bool in
            shared.served += 1
            if shared.isPolling || shared.isOver { return false }
            shared.isPolling = true
            return true
        }
        if !mustStart { return }
        beginThread("mcp-server") { self.take() }
    }

    /// The thread: until all that is served has ended.
    private func take() {
        var seen = locked { $0.served }
        while true {
            var pointer: OpaquePointer?
            let status = Status(rawValue: mcp_server_poll(server, -1, &pointer))
            if let pointer {
                dispatch(ReceivedMessage(pointer))
                continue
            }
            if status == .ok || status == .empty || status == .woken { continue }
            let (goesOn, waiting) = locked { (shared: inout Shared) -> (Bool, [CheckedContinuation<Void, Never>]) in
                if shared.served != seen {
                    seen = shared.served
                    return (true, [])
                }
                shared.isPolling = false
                let waiting = shared.waiting
                shared.waiting = []
                return (false, waiting)
            }
            if goesOn { continue }
            condition.broadcast()
            for continuation in waiting { continuation.resume() }
            return
        }
    }

    private func dispatch(_ message: ReceivedMessage) {
        if message.kind == .reply { return calls.end(message) }
        guard mcp_message_topic(message.pointer) == MCP_TOPIC_CANCELLED else { return }
        let number = message.callID
        locked { $0.tasks[number] }?.cancel()
    }

    /// Until all that is served has ended.
    func ended() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = locked { (shared: inout Shared) -> Bool in
                if shared.isPolling { shared.waiting.append(continuation) }
                return !shared.isPolling
            }
            if isOver { continuation.resume() }
        }
    }

    /// Closes and frees. Any number of times.
    func close(timeout: Int32) async -> Status {
        let status = await onThread { () -> Status in
            let status = (try? self.using("close") { Status(rawValue: mcp_server_close($0, timeout)) }) ?? .ok
            self.free()
            return status
        }
        return status
    }

    /// For a server that is forgotten.
    func abandon() {
        if locked({ $0.isOver }) { return }
        Thread.detachNewThread {
            _ = try? self.using("close") { mcp_server_close($0, -1) }
            self.free()
        }
    }

    /// On a thread that may wait: for the one that takes messages, and for those that use the server.
    private func free() {
        condition.lock()
        let isFirst = !shared.isOver
        shared.isOver = true
        while shared.isPolling || shared.users > 0 { condition.wait() }
        if isFirst {
            condition.unlock()
            mcp_server_free(server)
            calls.endAll()
            condition.lock()
            shared.isFreed = true
            condition.broadcast()
        } else {
            while !shared.isFreed { condition.wait() }
        }
        condition.unlock()
    }
}

/// What the library calls for a request. It runs on the thread that takes messages and only begins a task.
let onRequest: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = { user, request in
    guard let request else { return }
    let message = ReceivedMessage(request)
    guard let user else { return }
    Unmanaged<ServerCore.Entry>.fromOpaque(user).takeUnretainedValue().take(message)
}

/// What the library calls when an entry is gone.
let onDestroy: @convention(c) (UnsafeMutableRawPointer?) -> Void = { user in
    if let user { Unmanaged<ServerCore.Entry>.fromOpaque(user).release() }
}

/// Runs a handler and answers, whatever happens: with its result, with a refusal, or with a text that says nothing of the program.
private func answer(
    _ request: ServerRequest, isTool: Bool, failure: FailureHandler?, _ handler: ServerCore.Entry.Handler
) async {
    do {
        do {
            try request.respond(try await handler(request))
        } catch let refusal as RequestRefusal {
            try request.refuse(refusal.code, refusal.message)
        } catch is NotFound {
            try request.sayNotFound()
        }
    } catch is ServerRequest.Asked {
        // The library runs the handler again with the answer.
    } catch let error as ToolError where isTool {
        request.fail(error.message)
    } catch is CancellationError where request.isCancelled {
        // The client has withdrawn the request and waits for no answer.
    } catch {
        tell(failure, error, request.what)
        if isTool {
            request.fail("the tool failed")
        } else {
            try? request.refuse(Int32(ErrorCode.internal), "the server could not answer")
        }
    }
}
