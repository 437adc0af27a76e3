import CMCP
import Foundation

/// A call between its start and its one outcome. A task may be cancelled at any moment, also before the call has its
/// number: the thread that comes first, with the start or with the cancellation, records this in `stage` for the other.
final class PendingCall: @unchecked Sendable {
    typealias Continuation = CheckedContinuation<Data, any Error>

    /// The flags say whether the task was cancelled meanwhile, the number is the call's.
    private enum Stage {
        case created
        case cancelledBeforeStart
        case starting(Continuation, Bool)
        case running(Continuation, UInt64, Bool)
        case ended
    }

    let onProgress: (@Sendable (CallProgress) -> Void)?
    private let lock = NSLock()
    private var stage = Stage.created

    init(onProgress: (@Sendable (CallProgress) -> Void)?) { self.onProgress = onProgress }

    private func locked<R>(_ body: (inout Stage) -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return body(&stage)
    }

    /// False if the task was cancelled already: then nothing is started, and the continuation has been resumed.
    func willStart(_ continuation: Continuation) -> Bool {
        let goesOn = locked { (stage: inout Stage) -> Bool in
            if case .cancelledBeforeStart = stage {
                stage = .ended
                return false
            }
            stage = .starting(continuation, false)
            return true
        }
        if !goesOn { continuation.resume(throwing: CancellationError()) }
        return goesOn
    }

    /// True if the call must be cancelled now, because its task was meanwhile.
    func didStart(number: UInt64) -> Bool {
        locked { (stage: inout Stage) -> Bool in
            // The reply may have come before the start returned.
            guard case .starting(let continuation, let isCancelled) = stage else { return false }
            stage = .running(continuation, number, isCancelled)
            return isCancelled
        }
    }

    /// The number of the call to cancel, if there is one yet.
    func cancel() -> UInt64? {
        locked { (stage: inout Stage) -> UInt64? in
            switch stage {
            case .created:
                stage = .cancelledBeforeStart
                return nil
            case .starting(let continuation, _):
                stage = .starting(continuation, true)
                return nil
            case .running(let continuation, let number, _):
                stage = .running(continuation, number, true)
                return number
            case .cancelledBeforeStart, .ended:
                return nil
            }
        }
    }

    /// The one outcome. A call that its task gave up throws what a cancelled task throws.
    func end(_ status: Status, _ json: Data) {
        guard let (continuation, isCancelled) = finish() else { return }
        if status == .ok {
            continuation.resume(returning: json)
        } else if status == .cancelled && isCancelled {
            continuation.resume(throwing: CancellationError())
        } else {
            continuation.resume(throwing: MCPError(status: status, json: String(decoding: json, as: UTF8.self)))
        }
    }

    /// It could not be started, and no reply follows.
    func fail(_ error: any Error) {
        if let (continuation, _) = finish() { continuation.resume(throwing: error) }
    }

    private func finish() -> (Continuation, Bool)? {
        locked { (stage: inout Stage) -> (Continuation, Bool)? in
            let last = stage
            stage = .ended
            switch last {
            case .starting(let continuation, let isCancelled): return (continuation, isCancelled)
            case .running(let continuation, _, let isCancelled): return (continuation, isCancelled)
            case .created, .cancelledBeforeStart, .ended: return nil
            }
        }
    }
}
