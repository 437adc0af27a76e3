import Foundation

/// Begins a thread that debuggers and the system show by its name.
func beginThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    // On Linux a name counts only once `start` has returned.
    let hasStarted = DispatchSemaphore(value: 0)
    let thread = Thread {
        hasStarted.wait()
        Thread.current.name = name
        RunningThreads.all.change(name, by: 1)
        work()
        RunningThreads.all.change(name, by: -1)
    }
    thread.start()
    hasStarted.signal()
}

/// The threads that the package has begun and that run, by name. The system cannot tell: on Linux a thread of the runtime for tasks has
/// the name of the thread that it was begun by.
final class RunningThreads: @unchecked Sendable {
    static let all = RunningThreads()

    private let lock = NSLock()
    private var counts: [String: Int] = [:]

    fileprivate func change(_ name: String, by: Int) {
        lock.lock()
        defer { lock.unlock() }
        counts[name, default: 0] += by
    }

    func count(_ name: String) -> Int {
        lock.lock()
        defer { lock.unlock() }
        return counts[name, default: 0]
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
