import CMCP
import Foundation

/// A client of the library with a queue of its own and the one thread that waits for that queue. The thread owns the
/// connection: it frees it when it has been closed and everything was delivered. No task ever waits in a C function.
final class Connection: @unchecked Sendable {
    typealias Handler = @Sendable (Data) async throws -> String
    typealias LoginHandler = @Sendable (Login) async throws -> Void
    typealias SignHandler = @Sendable (SigningRequest) async throws -> LoginSignature
    typealias FormHandler = @Sendable (Data) async throws -> ElicitationAnswer

    fileprivate struct Sink {
        /// False if a message was dropped for it.
        let publish: @Sendable (Message) -> Bool
        let finish: @Sendable () -> Void
    }

    struct Shared {
        fileprivate var calls: [UInt64: PendingCall] = [:]
        fileprivate var lastTag: UInt64 = 0
        fileprivate var sinks: [UInt64: Sink] = [:]
        fileprivate var lastSink: UInt64 = 0
        var handlers: [String: Handler] = [:]
        var login: LoginHandler?
        var sign: SignHandler?
        var form: FormHandler?
        var failure: FailureHandler?
        fileprivate var dropped: UInt64 = 0
        /// Functions of the library that are using the client at this moment.
        fileprivate var users = 0
        fileprivate var isEnding = false
        /// The client is being freed, or was: no thread may use it any more.
        fileprivate var isOver = false
        fileprivate var isFreed = false
        fileprivate var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let client: OpaquePointer
    private let queue: OpaquePointer
    private let condition = NSCondition()
    private var shared = Shared()
    let keeper: LoginKeeper

    /// With a server of this process, the client is connected to that.
    init(configuration: String, handlers: ClientHandlers = ClientHandlers(), server: OpaquePointer? = nil) throws {
        shared.handlers = handlers.requests
        shared.login = handlers.login
        shared.sign = handlers.sign
        keeper = LoginKeeper(handlers.store)
        shared.form = handlers.form
        shared.failure = handlers.failure
        try checkABI()
        var error: UnsafeMutablePointer<CChar>?
        var newQueue: OpaquePointer?
        var status = Status(rawValue: mcp_queue_new(nil, &newQueue, &error))
        guard status == .ok, let queue = newQueue else {
            throw MCPError(status: status, json: taken(error))
        }
        var newClient: OpaquePointer?
        if let server {
            status = Status(rawValue: mcp_client_new_in_process(configuration, queue, server, &newClient, &error))
        } else {
            status = Status(rawValue: mcp_client_new(configuration, queue, &newClient, &error))
        }
        guard status == .ok, let client = newClient else {
            mcp_queue_free(queue)
            throw MCPError(status: status, json: taken(error))
        }
        self.client = client
        self.queue = queue
        beginThread("mcp") { self.deliver() }
    }

    func locked<R>(_ body: (inout Shared) -> R) -> R {
        condition.lock()
        defer { condition.unlock() }
        return body(&shared)
    }

    /// Uses the client, unless it is being freed. Without the lock, which is only for counting who does.
    func using<R>(_ operation: String, _ body: () throws -> R) throws -> R {
        let mayUse = locked { (shared: inout Shared) -> Bool in
            if shared.isOver { return false }
            shared.users += 1
            return true
        }
        if !mayUse { throw MCPError(status: .closed, message: "the client is closed", operation: operation) }
        defer {
            // Only who frees waits for the users.
            let isAwaited = locked { (shared: inout Shared) -> Bool in
                shared.users -= 1
                return shared.isOver
            }
            if isAwaited { condition.broadcast() }
        }
        return try body()
    }

    // MARK: Calls

    func call(
        _ feature: Feature, options: String?, onProgress: (@Sendable (CallProgress) -> Void)?
    ) async throws -> Data {
        for name in feature.names {
            try refuseNul(in: name, feature.operation)
        }
        let call = PendingCall(onProgress: onProgress)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: PendingCall.Continuation) in
                if call.willStart(continuation) {
                    self.start(call, feature, options)
                }
            }
        } onCancel: {
            if let number = call.cancel() { self.cancel(number) }
        }
    }

    private func start(_ call: PendingCall, _ feature: Feature, _ options: String?) {
        let tag = locked { (shared: inout Shared) -> UInt64 in
            shared.lastTag += 1
            shared.calls[shared.lastTag] = call
            return shared.lastTag
        }
        do {
            let number = try using(feature.operation) { () throws -> UInt64 in
                var number: UInt64 = 0
                var error: UnsafeMutablePointer<CChar>?
                let status = try withOptionalCString(options) { options in
                    Status(rawValue: try feature.start(client, options, tag, &number, &error))
                }
                if status != .ok { throw MCPError(status: status, json: taken(error)) }
                return number
            }
            if call.didStart(number: number) { cancel(number) }
        } catch {
            locked { (shared: inout Shared) -> Void in shared.calls[tag] = nil }
            call.fail(error)
        }
    }

    private func cancel(_ number: UInt64) {
        // Whether it was still under way or not, its one reply tells how it ended.
        _ = try? using("cancel") { mcp_call_cancel(client, number, "the task was cancelled") }
    }

    func notify(_ method: String, params: String?) throws {
        try refuseNul(in: method, "method")
        try using(method) {
            var error: UnsafeMutablePointer<CChar>?
            let status = withOptionalCString(params) { params in
                Status(rawValue: mcp_client_notify(client, method, params, &error))
            }
            if status != .ok { throw MCPError(status: status, json: taken(error)) }
        }
    }

    func setRoots(_ roots: String) throws {
        try using("roots") {
            var error: UnsafeMutablePointer<CChar>?
            let status = Status(rawValue: mcp_client_set_roots(client, roots, &error))
            if status != .ok { throw MCPError(status: status, json: taken(error)) }
        }
    }

    func clearCache() throws {
        try using("cache") {
            let status = Status(rawValue: mcp_client_clear_cache(client))
            if status != .ok { throw MCPError(status: status, json: nil) }
        }
    }

    // MARK: The connection

    var state: ConnectionState {
        let state = try? using("state") { ConnectionState(rawValue: mcp_client_state(client)) }
        return state ?? .closed
    }

    func info() throws -> String {
        try using("info") { () throws -> String in
            var text: UnsafeMutablePointer<CChar>?
            var error: UnsafeMutablePointer<CChar>?
            let status = Status(rawValue: mcp_client_info(client, &text, &error))
            guard status == .ok, let info = taken(text) else {
                throw MCPError(status: status, json: taken(error))
            }
            return info
        }
    }

    func connect(timeout: Int32) async throws {
        let failure = await onThread { () -> (any Error)? in
            do {
                try self.using("connect") {
                    var error: UnsafeMutablePointer<CChar>?
                    let status = Status(rawValue: mcp_client_connect(self.client, timeout, &error))
                    if status != .ok { throw MCPError(status: status, json: taken(error)) }
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Closes, has everything delivered that waits, and frees. Any number of times.
    func close(timeout: Int32) async throws {
        let status = await onThread { () -> Status in
            (try? self.using("close") { Status(rawValue: mcp_client_close(self.client, timeout)) }) ?? .ok
        }
        end()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFreed = locked { (shared: inout Shared) -> Bool in
                if !shared.isFreed { shared.waiting.append(continuation) }
                return shared.isFreed
            }
            if isFreed { continuation.resume() }
        }
        if status == .timeout {
            throw MCPError(
                status: .timeout, message: "the server was killed, but the system has not ended its process yet",
                operation: "close")
        }
    }

    /// For a client that is forgotten: closes it without anybody waiting.
    func abandon() {
        if locked({ (shared: inout Shared) -> Bool in shared.isEnding }) { return }
        Thread.detachNewThread {
            _ = try? self.using("close") { mcp_client_close(self.client, -1) }
            self.end()
        }
    }

    /// Has the thread free everything once nothing waits to be delivered.
    private func end() {
        let isFirst = locked { (shared: inout Shared) -> Bool in
            let isFirst = !shared.isEnding
            shared.isEnding = true
            return isFirst
        }
        // The queue lives until the thread has seen this one wake.
        if isFirst { mcp_queue_wake(queue) }
    }

    // MARK: What arrives

    func stream<Element: Sendable>(
        limit: Int, _ select: @escaping @Sendable (Message) -> Element?
    ) -> AsyncStream<Element> {
        AsyncStream(Element.self, bufferingPolicy: .bufferingNewest(limit)) { continuation in
            let publish: @Sendable (Message) -> Bool = { message in
                guard let element = select(message) else { return true }
                if case .dropped = continuation.yield(element) { return false }
                return true
            }
            let sink = Sink(publish: publish, finish: { continuation.finish() })
            let number = locked { (shared: inout Shared) -> UInt64 in
                if shared.isFreed { return 0 }
                shared.lastSink += 1
                shared.sinks[shared.lastSink] = sink
                return shared.lastSink
            }
            if number == 0 {
                continuation.finish()
                return
            }
            continuation.onTermination = { @Sendable _ in
                self.locked { (shared: inout Shared) -> Void in shared.sinks[number] = nil }
            }
        }
    }

    /// How many messages streams dropped because the program did not take them in time.
    var dropped: UInt64 { locked { (shared: inout Shared) -> UInt64 in shared.dropped } }

    func onFailure(_ handler: FailureHandler?) {
        locked { (shared: inout Shared) -> Void in shared.failure = handler }
    }

    func failed(_ error: any Error, _ operation: String) {
        tell(locked { (shared: inout Shared) -> FailureHandler? in shared.failure }, error, operation)
    }

    /// The thread: waits, delivers, and frees at the end.
    private func deliver() {
        while true {
            var pointer: OpaquePointer?
            let status = Status(rawValue: mcp_queue_poll(queue, -1, &pointer))
            if status == .ok, let pointer {
                deliver(ReceivedMessage(pointer))
            } else if status != .woken || locked({ (shared: inout Shared) -> Bool in shared.isEnding }) {
                break
            }
        }
        condition.lock()
        shared.isOver = true
        while shared.users > 0 { condition.wait() }
        condition.unlock()
        mcp_client_free(client)
        mcp_queue_free(queue)
        let last = locked { (shared: inout Shared) -> Shared in
            let last = shared
            shared.isFreed = true
            shared.waiting = []
            shared.sinks = [:]
            return last
        }
        keeper.take(.end)
        for sink in last.sinks.values { sink.finish() }
        for continuation in last.waiting { continuation.resume() }
    }

    private func deliver(_ message: ReceivedMessage) {
        switch message.kind {
        case .reply:
            let call = locked { (shared: inout Shared) -> PendingCall? in
                shared.calls.removeValue(forKey: message.tag)
            }
            call?.end(message.status, message.json)
        case .progress:
            let call = locked { (shared: inout Shared) -> PendingCall? in shared.calls[message.tag] }
            if let onProgress = call?.onProgress,
                let progress = try? wireDecoder().decode(CallProgress.self, from: message.json)
            {
                onProgress(progress)
            }
        case .request:
            let form = locked { (shared: inout Shared) -> FormHandler? in shared.form }
            if let form, message.method == "elicitation/create" {
                fill(message, form)
            } else {
                answer(message)
            }
        case .auth:
            logIn(message)
        default:
            guard let published = message.published else { return }
            let sinks = locked { (shared: inout Shared) -> [Sink] in Array(shared.sinks.values) }
            for sink in sinks {
                let isKept = sink.publish(published)
                if !isKept { locked { (shared: inout Shared) -> Void in shared.dropped += 1 } }
            }
        }
    }
}
