import CMCP
import Foundation

/// A client of the library with a queue of its own and the one thread that waits for that queue. The thread owns the
/// connection: it frees it when it has been closed and everything was delivered. No task ever waits in a C function.
final class Connection: @unchecked Sendable {
    typealias Handler = @Sendable (Data) async throws -> String
    typealias LoginHandler = @Sendable (Login) async throws -> Void
    typealias SignHandler = @Sendable (SigningRequest) async throws -> LoginSignature
    typealias FormHandler = @Sendable (Data) async throws -> ElicitationAnswer

    private struct Sink {
        /// False if a message was dropped for it.
        let publish: @Sendable (Message) -> Bool
        let finish: @Sendable () -> Void
    }

    private struct Shared {
        var calls: [UInt64: PendingCall] = [:]
        var lastTag: UInt64 = 0
        var sinks: [UInt64: Sink] = [:]
        var lastSink: UInt64 = 0
        var handlers: [String: Handler] = [:]
        var login: LoginHandler?
        var sign: SignHandler?
        var form: FormHandler?
        var failure: FailureHandler?
        var dropped: UInt64 = 0
        /// Functions of the library that are using the client at this moment.
        var users = 0
        var isEnding = false
        /// The client is being freed, or was: no thread may use it any more.
        var isOver = false
        var isFreed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let client: OpaquePointer
    private let queue: OpaquePointer
    private let condition = NSCondition()
    private var shared = Shared()
    private let keeper: LoginKeeper

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

    private func locked<R>(_ body: (inout Shared) -> R) -> R {
        condition.lock()
        defer { condition.unlock() }
        return body(&shared)
    }

    /// Uses the client, unless it is being freed. Without the lock, which is only for counting who does.
    private func using<R>(_ operation: String, _ body: () throws -> R) throws -> R {
        let mayUse = locked { (shared: inout Shared) -> Bool in
            if shared.isOver { return false }
            shared.users += 1
            return true
        }
        if !mayUse { throw MCPError(status: .closed, message: "the client is closed", operation: operation) }
        defer {
            locked { (shared: inout Shared) -> Void in shared.users -= 1 }
            condition.broadcast()
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
                let status = withOptionalCString(options) { options in
                    Status(rawValue: feature.start(client, options, tag, &number, &error))
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

    // MARK: Logins

    func completeLogin(_ callbackURL: String) throws {
        try refuseNul(in: callbackURL, "callbackURL")
        try using("auth_complete") {
            var error: UnsafeMutablePointer<CChar>?
            let status = Status(rawValue: mcp_client_complete_login(client, callbackURL, &error))
            if status != .ok { throw MCPError(status: status, json: taken(error)) }
        }
    }

    func giveCredential(_ credential: String, lasts: Int32) throws {
        try refuseNul(in: credential, "credential")
        try using("auth_give") {
            var error: UnsafeMutablePointer<CChar>?
            let status = Status(rawValue: mcp_client_supply_credential(client, credential, lasts, &error))
            if status != .ok { throw MCPError(status: status, json: taken(error)) }
        }
    }

    func giveUpLogin(_ reason: String) throws {
        try refuseNul(in: reason, "reason")
        try using("auth_give_up") {
            var error: UnsafeMutablePointer<CChar>?
            let status = Status(rawValue: mcp_client_abort_login(client, reason, &error))
            if status != .ok { throw MCPError(status: status, json: taken(error)) }
        }
    }

    func onLogin(_ handler: LoginHandler?) {
        locked { (shared: inout Shared) -> Void in shared.login = handler }
    }

    func onSign(_ handler: SignHandler?) {
        locked { (shared: inout Shared) -> Void in shared.sign = handler }
    }

    func keepLogins(in store: (any LoginStore)?) { keeper.store = store }

    /// The library's function waits, also for answers of the program.
    func logout(timeout: Int32) async throws {
        try await onThreadUntilCancelled {
            try self.using("logout") {
                var error: UnsafeMutablePointer<CChar>?
                let status = Status(rawValue: mcp_client_logout(self.client, timeout, &error))
                if status != .ok { throw MCPError(status: status, json: taken(error)) }
            }
        }
    }

    func onFailure(_ handler: FailureHandler?) {
        locked { (shared: inout Shared) -> Void in shared.failure = handler }
    }

    private func failed(_ error: any Error, _ operation: String) {
        tell(locked { (shared: inout Shared) -> FailureHandler? in shared.failure }, error, operation)
    }

    func onElicitation(_ handler: FormHandler?) {
        locked { (shared: inout Shared) -> Void in shared.form = handler }
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

    func handle(_ method: String, _ handler: Handler?) {
        locked { (shared: inout Shared) -> Void in shared.handlers[method] = handler }
    }

    /// Whether requests of that method have a handler.
    func handles(_ method: String) -> Bool {
        locked { $0.handlers[method] != nil || (method == MethodName.elicitation && $0.form != nil) }
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
                let progress = try? JSONDecoder().decode(CallProgress.self, from: message.json)
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

    /// Has the program do its part of a login.
    private func logIn(_ message: ReceivedMessage) {
        let need: LoginNeed
        do {
            need = try JSONDecoder().decode(LoginNeed.self, from: message.json)
        } catch {
            failed(error, "login")
            try? giveUpLogin("this package cannot read what the login needs")
            return
        }
        let key = need.key ?? ""
        switch need.kind {
        case "load": keeper.take(.load(key, locks: need.lock ?? false)) { self.answer(message, "load", $0) }
        case "save": keeper.take(.save(key, text: need.text ?? "")) { self.answer(message, "save", $0) }
        case "unlock": keeper.take(.unlock(key))
        case "sign": sign(message, SigningRequest(need))
        default: attend(Login(need, on: self))
        }
    }

    /// Without a handler, calls would wait for the login as long as a person may take.
    private func attend(_ login: Login) {
        let handler = locked { (shared: inout Shared) -> LoginHandler? in shared.login }
        guard let handle = handler else {
            try? giveUpLogin("the program has no handler for logins: give the client one with onLogin")
            return
        }
        Task {
            do {
                try await handle(login)
            } catch {
                self.failed(error, "login")
                // The client may have been closed meanwhile.
                try? self.giveUpLogin("the program's handler of logins failed")
            }
        }
    }

    private func sign(_ message: ReceivedMessage, _ request: SigningRequest) {
        let handler = locked { (shared: inout Shared) -> SignHandler? in shared.sign }
        Task {
            do {
                guard let handle = handler else { throw NoHandler(what: "function that signs", remedy: "onSign") }
                let signature = try await handle(request).text
                try refuseNul(in: signature, "the signature")
                _ = self.answer(message, "sign", .success(signature))
            } catch {
                _ = self.answer(message, "sign", .failure(error))
            }
        }
    }

    /// Answers a message that has an answer of its own. False if the library no longer waits for it: its time is over, or the client
    /// is closed.
    private func answer(_ message: ReceivedMessage, _ operation: String, _ result: Result<String?, any Error>) -> Bool {
        var text: String?
        var failure: String?
        switch result {
        case .success(let answer): text = answer
        case .failure(let lack as NoHandler): failure = lack.description
        case .failure(let error):
            failed(error, "login/\(operation)")
            failure = "the program's function for \"\(operation)\" failed; onFailure of the client has the error"
        }
        let status = try? using("login") { () -> Status in
            withOptionalCString(text) { text in
                withOptionalCString(failure) { failure in
                    Status(rawValue: mcp_client_answer_auth(client, message.pointer, text, failure, nil))
                }
            }
        }
        return status == .ok
    }

    private func fill(_ request: ReceivedMessage, _ handle: @escaping FormHandler) {
        Task {
            do {
                let answer = try await handle(request.json)
                try self.using("elicitation") {
                    var error: UnsafeMutablePointer<CChar>?
                    let status: Int32
                    switch answer {
                    case .accept(let content):
                        let text = try content.map { try jsonText(of: $0) }
                        status = withOptionalCString(text) {
                            mcp_request_accept_elicitation(request.pointer, $0, &error)
                        }
                    case .decline:
                        status = mcp_request_decline_elicitation(request.pointer, &error)
                    case .cancel:
                        status = mcp_request_cancel_elicitation(request.pointer, &error)
                    }
                    if status != Status.ok.rawValue {
                        throw MCPError(status: Status(rawValue: status), json: taken(error))
                    }
                }
            } catch {
                self.refuse(request, because: error)
            }
        }
    }

    /// The server hears what was meant for it: a refusal, or that something failed.
    private func refuse(_ request: ReceivedMessage, because error: any Error) {
        if let refusal = error as? RequestRefusal {
            return refuse(request, refusal.code, refusal.message)
        }
        failed(error, request.method)
        refuse(request, Int32(ErrorCode.internal), "the client could not answer")
    }

    private func answer(_ request: ReceivedMessage) {
        let method = request.method
        let handler = locked { (shared: inout Shared) -> Handler? in shared.handlers[method] }
        guard let handle = handler else {
            refuse(request, -32601, "this client has no handler for \(method)")
            return
        }
        Task {
            do {
                let result = try await handle(request.json)
                let status = try self.using("respond") {
                    Status(rawValue: mcp_request_respond(request.pointer, result, nil))
                }
                if status == .invalidArgument {
                    throw MCPError(
                        status: status, message: "the handler of \(method) gave a result of another form", operation: method)
                }
            } catch {
                self.refuse(request, because: error)
            }
        }
    }

    /// If the server no longer waits (it withdrew, it died, the client is closed), the error is ignored.
    private func refuse(_ request: ReceivedMessage, _ code: Int32, _ text: String) {
        let text = text.replacingOccurrences(of: "\0", with: "")
        _ = try? using("respond") { mcp_request_respond_error(request.pointer, code, text, nil, nil) }
    }
}

/// Runs what may block on a thread of its own, not on one of the few that all tasks share.
func onThread<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { (continuation: CheckedContinuation<R, Never>) in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// The same for a task that does not wait to the end when it is cancelled: the thread goes on without it.
func onThreadUntilCancelled<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
    let wait = Wait<R>()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<R, any Error>) in
            if wait.begin(continuation) {
                Thread.detachNewThread { wait.end(Result { try work() }) }
            }
        }
    } onCancel: {
        wait.end(.failure(CancellationError()))
    }
}

/// A task that waits for one outcome: the thread that comes first, with the work's end or with the cancellation, resumes it.
final class Wait<R: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<R, any Error>?
    private var isOver = false

    private func locked<T>(_ body: () -> T) -> T {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    /// False if the task was cancelled already: then it has been resumed.
    func begin(_ continuation: CheckedContinuation<R, any Error>) -> Bool {
        let goesOn = locked { () -> Bool in
            if !isOver { self.continuation = continuation }
            return !isOver
        }
        if !goesOn { continuation.resume(throwing: CancellationError()) }
        return goesOn
    }

    func end(_ result: Result<R, any Error>) {
        let waiting = locked { () -> CheckedContinuation<R, any Error>? in
            isOver = true
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(with: result)
    }
}
