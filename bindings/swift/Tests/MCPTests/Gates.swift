import Foundation

@testable import MCP

/// Failures that a program was told, as "OPERATION: ERROR".
final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    @Sendable func hear(_ error: any Error, _ operation: String) {
        lock.lock()
        defer { lock.unlock() }
        lines.append("\(operation): \(error)")
    }

    var all: [String] {
        lock.lock()
        defer { lock.unlock() }
        return lines
    }

    /// Those since the last time.
    func takeAll() -> [String] {
        lock.lock()
        defer {
            lines = []
            lock.unlock()
        }
        return lines
    }
}

/// Holds tasks until the test opens it.
actor Gate {
    private(set) var waiting = 0
    private(set) var passed = 0
    private var isOpen = false
    private var held: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        waiting += 1
        if !isOpen { await withCheckedContinuation { held.append($0) } }
        passed += 1
    }

    func open() {
        isOpen = true
        for task in held { task.resume() }
        held = []
    }
}

#if os(Linux)
    /// How much memory this process has in use.
    func residentKiB() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }
#endif
