import CMCP
import Foundation

/// What a server and its connection say by themselves.
public enum Message: Sendable {
    /// The server notified.
    case notification(ServerNotification)
    /// The connection's state changed; the object says why.
    case state(ConnectionState, JSONValue)
    /// A line of the server's stderr, with `"stderr": "message"` in the configuration.
    case log(line: String)
    /// The library dropped so many messages because its queue was full.
    case lost(count: Int)
}

/// A notification of the server.
public struct ServerNotification: Sendable {
    /// The method, such as "notifications/tools/list_changed".
    public let method: String
    /// The parameters as JSON text, as they came.
    public let json: Data

    /// The parameters; null if they are no JSON.
    public var params: JSONValue { (try? wireDecoder().decode(JSONValue.self, from: json)) ?? .null }

    /// The parameters as a type of the program.
    public func decode<P: Decodable>(_ type: P.Type = P.self) throws -> P {
        try wireDecoder().decode(type, from: json)
    }
}

/// How far a call is.
public struct CallProgress: Sendable, Decodable {
    /// How much is done. It rises from report to report.
    public let progress: Double
    /// How much it will be at the end; nil if that is not known.
    public let total: Double?
    /// Text for a person.
    public let message: String?
}

/// One message of the library's, freed with its last owner. Immutable, so it may be read anywhere.
final class ReceivedMessage: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { mcp_message_free(pointer) }

    var kind: MessageKind { MessageKind(rawValue: mcp_message_kind(pointer)) }
    var status: Status { Status(rawValue: mcp_message_status(pointer)) }
    var callID: UInt64 { mcp_message_call_id(pointer) }
    var tag: UInt64 { mcp_message_tag(pointer) }
    var method: String { mcp_message_method(pointer).map { String(cString: $0) } ?? "" }

    /// A copy of the JSON, which may outlive the message.
    var json: Data {
        var length: Int = 0
        guard let text = mcp_message_json(pointer, &length) else { return Data() }
        return Data(bytes: text, count: length)
    }

    /// What a stream gives its reader for this; nil for kinds that streams do not deliver.
    var published: Message? {
        switch kind {
        case .notification:
            return .notification(ServerNotification(method: method, json: json))
        case .state:
            let change = object
            let states: [ConnectionState] = [.idle, .starting, .initializing, .ready, .backoff, .closing, .closed]
            guard let state = states.first(where: { $0.name == change["state"]?.stringValue }) else { return nil }
            return .state(state, change)
        case .stderr:
            return .log(line: object["line"]?.stringValue ?? "")
        case .lost:
            return .lost(count: Int(object["count"]?.doubleValue ?? 0))
        default:
            return nil
        }
    }

    private var object: JSONValue { (try? wireDecoder().decode(JSONValue.self, from: json)) ?? .null }
}
