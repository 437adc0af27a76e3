// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

/// The ABI that this package was written for.
let abiVersion: UInt32 = 1

/// How something ended: 0 is success, negative is an error.
public struct Status: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Success.
    public static let ok = Status(rawValue: 0)

    /// Nothing there: no message within the time, no such value.
    public static let empty = Status(rawValue: 1)

    /// The wait ended because mcp_queue_wake() asked for it.
    public static let woken = Status(rawValue: 2)

    /// An argument is wrong; nothing was done.
    public static let invalidArgument = Status(rawValue: -1)

    /// No answer within the time allowed.
    public static let timeout = Status(rawValue: -2)

    /// Cancelled: a call by the application, a request by the server.
    public static let cancelled = Status(rawValue: -3)

    /// Not connected (waiting for the next attempt), and told not to wait. From mcp_config_load(): the server is disabled.
    public static let unavailable = Status(rawValue: -4)

    /// The connection was lost under the call, or could not be made.
    public static let transport = Status(rawValue: -5)

    /// The server broke the rules of the protocol.
    public static let `protocol` = Status(rawValue: -6)

    /// The server answered with a JSON-RPC error: its code, message and data are in the error object.
    public static let server = Status(rawValue: -7)

    /// The server or this build lacks a capability, revision or transport.
    public static let unsupported = Status(rawValue: -8)

    /// Too much is under way already; try again later.
    public static let backpressure = Status(rawValue: -9)

    /// Larger than a configured bound.
    public static let tooLarge = Status(rawValue: -10)

    /// Authorization is missing or was refused.
    public static let auth = Status(rawValue: -11)

    /// The client is closed.
    public static let closed = Status(rawValue: -12)

    /// The process forked since the handle was made; only the parent may use it. The child may make handles of its own.
    public static let forked = Status(rawValue: -13)

    /// A fault of the library's own.
    public static let `internal` = Status(rawValue: -14)

    /// The system gave no memory for what the server sent; it was thrown away, and the client goes on.
    public static let noMemory = Status(rawValue: -15)
}

/// What a message is.
public struct MessageKind: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The one outcome of a call.
    public static let reply = MessageKind(rawValue: 1)

    /// A notification of the server.
    public static let notification = MessageKind(rawValue: 2)

    /// A request of the server: answer it with mcp_respond() or mcp_respond_error().
    public static let request = MessageKind(rawValue: 3)

    /// Progress of a call made with the option "progress".
    public static let progress = MessageKind(rawValue: 4)

    /// The connection's state changed.
    public static let state = MessageKind(rawValue: 5)

    /// Authorization wants something of the application: a person, a credential, a place to keep logins, a signature. "kind" in its JSON says what (docs/authorization.md).
    public static let auth = MessageKind(rawValue: 6)

    /// A line of the server's standard error (config "stderr":"message").
    public static let log = MessageKind(rawValue: 7)

    /// Messages were lost because the queue was full; the JSON says how many.
    public static let lost = MessageKind(rawValue: 8)
}

/// The state of a connection.
public struct ConnectionState: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Made, nothing started yet.
    public static let idle = ConnectionState(rawValue: 0)

    /// The server is being started.
    public static let starting = ConnectionState(rawValue: 1)

    /// The handshake is under way.
    public static let initializing = ConnectionState(rawValue: 2)

    /// Calls go straight to the server.
    public static let ready = ConnectionState(rawValue: 3)

    /// The connection was lost; the next attempt has its time.
    public static let backoff = ConnectionState(rawValue: 4)

    /// Being closed.
    public static let closing = ConnectionState(rawValue: 5)

    /// Closed for good.
    public static let closed = ConnectionState(rawValue: 6)
}

/// How much the logger hears.
public struct LogLevel: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Log level: something failed.
    public static let error = LogLevel(rawValue: 1)

    /// Log level: something is odd.
    public static let warn = LogLevel(rawValue: 2)

    /// Log level: changes of state.
    public static let info = LogLevel(rawValue: 3)

    /// Log level: each request.
    public static let debug = LogLevel(rawValue: 4)

    /// Log level: each frame.
    public static let trace = LogLevel(rawValue: 5)
}
