import CMCP
import Foundation

/// An exchange of the library. No task waits in a C function: the library rings when there is more to take.
final class Exchange: @unchecked Sendable {
    private static let most = 64 << 10

    private struct Shared {
        /// A task waits for the head or the next part.
        var isReading = false
        /// A function of the library uses the exchange at this moment.
        var isInUse = false
        /// It is to be freed: by the thread that uses it, if there is one.
        var isOver = false
        /// The body was read to its end.
        var isComplete = false
    }

    private let handle: OpaquePointer
    private let bell: Bell
    private let lock = NSLock()
    private var shared = Shared()

    /// Takes over a handle, for which `bell` rings.
    init(_ handle: OpaquePointer, _ bell: Bell) {
        self.handle = handle
        self.bell = bell
    }

    deinit { cancel() }

    private func locked<R>(_ body: (inout Shared) -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return body(&shared)
    }

    /// Gives the library the parts of the body that it asks for.
    func takeBody<Parts: AsyncSequence>(_ body: Parts) async throws where Parts.Element == Data {
        try await reading {
            var parts = body.makeAsyncIterator()
            while true {
                var most = 0
                try await whenReady { mcp_exchange_permit(handle, 0, &most) }
                if most == 0 { return }
                let part = try await parts.next()
                try await whenReady {
                    (part ?? Data()).withUnsafeBytes {
                        mcp_exchange_write(handle, $0.bindMemory(to: CChar.self).baseAddress, $0.count, part == nil)
                    }
                }
            }
        }
    }

    /// The status of HTTP, and the length of the body: nil for a stream.
    func head() async throws -> (Int, Int?) {
        var status: Int32 = 0
        var length: Int64 = 0
        try await reading {
            try await whenReady { mcp_exchange_head(handle, 0, &status, &length) }
        }
        return (Int(status), length < 0 ? nil : Int(length))
    }

    /// All headers, which are there with the head.
    func headers() -> [(name: String, value: String)] {
        let all = use { () -> [(name: String, value: String)] in
            var headers: [(name: String, value: String)] = []
            var value: UnsafePointer<CChar>?
            while let name = mcp_exchange_header(handle, headers.count, &value) {
                headers.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
            }
            return headers
        }
        return all ?? []
    }

    /// The next part; nil at the end.
    func read() async throws -> Data? {
        if locked({ $0.isComplete }) { return nil }
        var part = Data()
        try await reading {
            try await whenReady {
                var length = 0
                var status = Status.ok.rawValue
                let bytes = [UInt8](unsafeUninitializedCapacity: Self.most) { room, count in
                    room.withMemoryRebound(to: CChar.self) {
                        status = mcp_exchange_read(handle, 0, $0.baseAddress, Self.most, &length)
                    }
                    count = status == Status.ok.rawValue ? length : 0
                }
                part = Data(bytes)
                return status
            }
        }
        if !part.isEmpty { return part }
        locked { (shared: inout Shared) -> Void in shared.isComplete = true }
        cancel()
        return nil
    }

    /// Frees it. A task that waits for it ends with `.closed`.
    func cancel() {
        let mustFree = locked { (shared: inout Shared) -> Bool in
            if shared.isOver { return false }
            shared.isOver = true
            return !shared.isInUse
        }
        if mustFree { mcp_exchange_free(handle) }
        bell.ring()
    }

    /// Has one task read at a time. What fails or is cancelled reads no more.
    private func reading(_ work: () async throws -> Void) async throws {
        let isFirst = locked { (shared: inout Shared) -> Bool in
            defer { shared.isReading = true }
            return !shared.isReading
        }
        if !isFirst {
            throw MCPError(status: .invalidArgument, message: "the body is being read by another task", operation: "http")
        }
        defer { locked { (shared: inout Shared) -> Void in shared.isReading = false } }
        do {
            try await work()
        } catch {
            cancel()
            throw error
        }
    }

    /// Looks until there is something, and waits for the bell in between.
    private func whenReady(_ look: () -> Int32) async throws {
        while true {
            try Task.checkCancellation()
            let status = use(look).map { Status(rawValue: $0) } ?? .closed
            if status == .ok { return }
            if status == .empty {
                try await bell.wait()
                continue
            }
            let message = status == .backpressure ? "the answer was read too slowly, and the rest is lost" : "the answer was given up"
            throw MCPError(status: status, message: message, operation: "http")
        }
    }

    /// Uses the exchange; nil if it is over.
    private func use<R>(_ body: () -> R) -> R? {
        let mayUse = locked { (shared: inout Shared) -> Bool in
            if shared.isOver { return false }
            shared.isInUse = true
            return true
        }
        if !mayUse { return nil }
        let result = body()
        let mustFree = locked { (shared: inout Shared) -> Bool in
            shared.isInUse = false
            return shared.isOver
        }
        if mustFree { mcp_exchange_free(handle) }
        return result
    }
}

/// Wakes one task. A ring while none waits counts for the next wait.
final class Bell: @unchecked Sendable {
    private let lock = NSLock()
    private var hasRung = false
    private var waiting: CheckedContinuation<Void, any Error>?

    private func locked<R>(_ body: () -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    /// From any thread. The task goes on elsewhere.
    func ring() {
        let task = locked { () -> CheckedContinuation<Void, any Error>? in
            hasRung = waiting == nil
            defer { waiting = nil }
            return waiting
        }
        task?.resume()
    }

    /// Waits for a ring, or until the task is cancelled.
    func wait() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let mustWait = locked { () -> Bool in
                    defer { hasRung = false }
                    if !hasRung && !Task.isCancelled { waiting = continuation }
                    return waiting != nil
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            ring()
        }
    }
}

/// What the library calls when an exchange is to be looked at again.
private let onReady: @convention(c) (UnsafeMutableRawPointer?) -> Void = { user in
    if let user { Unmanaged<Bell>.fromOpaque(user).takeUnretainedValue().ring() }
}

/// What the library calls after the last ring.
private let onExchangeOver: @convention(c) (UnsafeMutableRawPointer?) -> Void = { user in
    if let user { Unmanaged<Bell>.fromOpaque(user).release() }
}

extension ServerCore {
    /// Gives a request to the library, with its whole body. `headers` are names and values in turn.
    func exchange(_ method: String, _ target: String, _ headers: [String], _ body: Data) throws -> Exchange {
        try exchange(headers) { server, words, user, out, error in
            body.withUnsafeBytes { bytes in
                mcp_server_http(
                    server, method, target, words, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, onReady, user,
                    onExchangeOver, out, error)
            }
        }
    }

    /// Has the library judge the head of a request.
    func exchange(_ method: String, _ target: String, _ headers: [String], peer: String?) throws -> Exchange {
        try exchange(headers) { server, words, user, out, error in
            mcp_server_http_begin(server, method, target, words, peer, onReady, user, onExchangeOver, out, error)
        }
    }

    private func exchange(
        _ headers: [String],
        _ begin: (
            OpaquePointer, [UnsafePointer<CChar>?], UnsafeMutableRawPointer, UnsafeMutablePointer<OpaquePointer?>,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        ) -> Int32
    ) throws -> Exchange {
        let bell = Bell()
        var handle: OpaquePointer?
        let copies = headers.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let words = copies.map { UnsafePointer<CChar>($0) } + [nil]
        try perform("http") { server, error in
            // The library releases the bell in any case, also if it takes no request.
            begin(server, words, Unmanaged.passRetained(bell).toOpaque(), &handle, error)
        }
        guard let handle else { throw MCPError(status: .internal, message: "there is no exchange", operation: "http") }
        return Exchange(handle, bell)
    }
}
