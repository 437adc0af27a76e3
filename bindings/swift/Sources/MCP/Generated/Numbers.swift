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

    /// There is nothing to return: no message arrived in time, or the value does not exist.
    public static let empty = Status(rawValue: 1)

    /// mcp_queue_wake(), mcp_client_wake() or mcp_server_wake() ended the wait.
    public static let woken = Status(rawValue: 2)

    /// From a store: what is there is not what was expected. Nothing was written.
    public static let conflict = Status(rawValue: 3)

    /// An argument is invalid. Nothing was done.
    public static let invalidArgument = Status(rawValue: -1)

    /// No answer arrived within the time limit.
    public static let timeout = Status(rawValue: -2)

    /// The application cancelled the call, or the server cancelled its request.
    public static let cancelled = Status(rawValue: -3)

    /// The client is not connected (it waits for the next attempt), and the call was told not to wait. From mcp_config_load(): the server is disabled.
    public static let unavailable = Status(rawValue: -4)

    /// The connection was lost during the call or could not be opened.
    public static let transport = Status(rawValue: -5)

    /// The server violated the protocol.
    public static let `protocol` = Status(rawValue: -6)

    /// The server answered with a JSON-RPC error. The error object has its "code", "message" and "data".
    public static let server = Status(rawValue: -7)

    /// The server or this build of the library lacks a capability, a revision or a transport.
    public static let unsupported = Status(rawValue: -8)

    /// Too many operations are pending. Try again later.
    public static let backpressure = Status(rawValue: -9)

    /// A size exceeds a configured limit.
    public static let tooLarge = Status(rawValue: -10)

    /// Authorization is missing or was refused.
    public static let auth = Status(rawValue: -11)

    /// The client is closed.
    public static let closed = Status(rawValue: -12)

    /// The handle was created before fork(). Only the parent may use it; the child may create its own handles.
    public static let forked = Status(rawValue: -13)

    /// The library has a fault.
    public static let `internal` = Status(rawValue: -14)

    /// The system refused the memory that a message of the server needed: the library discarded the message, and the client continues. From a document or a builder: it refused the memory for the text.
    public static let noMemory = Status(rawValue: -15)
}

/// What a message is.
public struct MessageKind: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The outcome of a call.
    public static let reply = MessageKind(rawValue: 1)

    /// A notification of the server.
    public static let notification = MessageKind(rawValue: 2)

    /// A request of the server. Answer it with mcp_request_respond() or mcp_request_respond_error().
    public static let request = MessageKind(rawValue: 3)

    /// Progress of a call that was made with the option "progress".
    public static let progress = MessageKind(rawValue: 4)

    /// The state of the connection changed; of a server on a shared queue: all that it served has ended.
    public static let state = MessageKind(rawValue: 5)

    /// A login needs something from the application: a person, a credential, stored logins or a signature. "kind" in the JSON says which (docs/guide/authorization.md).
    public static let auth = MessageKind(rawValue: 6)

    /// A line of the server's standard error (config "stderr":"message").
    public static let stderr = MessageKind(rawValue: 7)

    /// Messages were dropped because the queue was full. The JSON has their number.
    public static let lost = MessageKind(rawValue: 8)
}

/// The state of a connection.
public struct ConnectionState: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The client is created; nothing has been started.
    public static let idle = ConnectionState(rawValue: 0)

    /// The library starts the server.
    public static let starting = ConnectionState(rawValue: 1)

    /// The handshake is in progress.
    public static let initializing = ConnectionState(rawValue: 2)

    /// The connection is ready: calls go directly to the server.
    public static let ready = ConnectionState(rawValue: 3)

    /// The connection was lost, and the client waits before the next attempt.
    public static let backoff = ConnectionState(rawValue: 4)

    /// The connection is being closed.
    public static let closing = ConnectionState(rawValue: 5)

    /// The connection is closed and is not opened again.
    public static let closed = ConnectionState(rawValue: 6)
}

/// How much the logger hears.
public struct LogLevel: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Log level: no records.
    public static let none = LogLevel(rawValue: 0)

    /// Log level: an operation failed.
    public static let error = LogLevel(rawValue: 1)

    /// Log level: something unexpected happened, and the library continues.
    public static let warn = LogLevel(rawValue: 2)

    /// Log level: a state changed.
    public static let info = LogLevel(rawValue: 3)

    /// Log level: each request.
    public static let debug = LogLevel(rawValue: 4)

    /// Log level: each frame.
    public static let trace = LogLevel(rawValue: 5)
}
