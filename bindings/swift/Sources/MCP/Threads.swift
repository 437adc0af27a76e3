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
