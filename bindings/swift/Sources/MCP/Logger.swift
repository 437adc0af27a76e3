import CMCP
import Foundation

/// A record of the library about its work for clients.
public struct LogRecord: Sendable {
    /// How important it is.
    public let level: LogLevel
    /// What happened: a stable name, such as "connection.transition". docs/design/c-api.md of libmcp lists them.
    public let event: String
    /// All of it: "event", "level", "client" (the client's name) and the values of the event.
    public let values: JSONValue
}

/// Sends the log records of all clients to a function of the program, in place of the one before; nil takes it away.
///
/// The function gets one record after another, on a thread of the library, while there is a client. It returns soon: where it is too
/// slow, records are dropped, and a record "log.dropped" has their number.
///
/// ```swift
/// try setLogger(upTo: .info) { record in logger.info("\(record.event) \(record.values)") }
/// ```
///
/// - Parameter level: Records up to this level are made.
public func setLogger(upTo level: LogLevel = .info, _ log: (@Sendable (LogRecord) -> Void)?) throws {
    guard let log else {
        _ = mcp_log_set_logger(nil, LogLevel.none.rawValue, nil, nil)
        return
    }
    let user = Unmanaged.passRetained(Logger(log))
    let status = Status(rawValue: mcp_log_set_logger(onRecord, level.rawValue, user.toOpaque(), onLoggerGone))
    if status != .ok {
        throw MCPError(status: status, message: "there is no log level \(level.rawValue)", operation: "setLogger")
    }
}

/// What the library passes to `onRecord`.
private final class Logger: Sendable {
    let log: @Sendable (LogRecord) -> Void

    init(_ log: @escaping @Sendable (LogRecord) -> Void) { self.log = log }
}

private let onRecord: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Void = { user, level, text in
    guard let user, let text else { return }
    let values = (try? wireDecoder().decode(JSONValue.self, from: Data(String(cString: text).utf8))) ?? .null
    let record = LogRecord(level: LogLevel(rawValue: level), event: values["event"]?.stringValue ?? "", values: values)
    Unmanaged<Logger>.fromOpaque(user).takeUnretainedValue().log(record)
}

private let onLoggerGone: @convention(c) (UnsafeMutableRawPointer?) -> Void = { user in
    if let user { Unmanaged<Logger>.fromOpaque(user).release() }
}
