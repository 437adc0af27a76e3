import CMCP
import Foundation

/// A failure as the library tells it.
public struct MCPError: Error, Hashable, Sendable {
    /// How it ended.
    public let status: Status
    /// What was being done, what went wrong and, where there is one, the fix.
    public let message: String
    /// The method, or the function, that failed.
    public let operation: String?
    /// Numbers and names: the exit status of a dead server, its last stderr lines, and so on.
    public let details: JSONValue?
    /// Trying again may succeed. It does not say that the first try had no effect.
    public let isRetryable: Bool
    /// The code of a JSON-RPC error of the server; the status is then `.server`.
    public let code: Int?
    /// What a JSON-RPC error of the server has besides.
    public let data: JSONValue?

    init(status: Status, message: String, operation: String? = nil) {
        self.status = status
        self.message = message
        self.operation = operation
        details = nil
        isRetryable = false
        code = nil
        data = nil
    }

    /// From a status and its error object, where there is one.
    init(status: Status, json: String?, operation done: String? = nil) {
        let object = json.flatMap { try? wireDecoder().decode(ErrorObject.self, from: Data($0.utf8)) }
        self.status = status
        message = named(object?.message ?? status.name, status)
        operation = object?.operation ?? done
        details = object?.details
        isRetryable = object?.retryable ?? false
        code = object?.code
        data = object?.data
    }
}

/// A message with the options of a call as ``CallOptions`` names them.
private func named(_ message: String, _ status: Status) -> String {
    guard status == .timeout || status == .invalidArgument else { return message }
    return message.replacingOccurrences(of: "raise timeout_ms", with: "raise timeout")
        .replacingOccurrences(of: "'timeout_ms'", with: "'timeout'")
        .replacingOccurrences(of: "raise max_total_ms", with: "raise maxTotal")
        .replacingOccurrences(of: "'max_total_ms'", with: "'maxTotal'")
}

private struct ErrorObject: Decodable {
    let message: String
    let operation: String?
    let details: JSONValue?
    let retryable: Bool?
    let code: Int?
    let data: JSONValue?
}

extension MCPError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { message }
    public var description: String {
        "\(status.name)\(operation.map { " (\($0))" } ?? ""): \(message)"
    }
}

/// Thrown by a request handler to refuse with a JSON-RPC code, such as -1 for "the user refused".
public struct RequestRefusal: Error, Sendable {
    /// The code of the error.
    public let code: Int32
    /// What the other side reads.
    public let message: String

    /// A refusal with a code and a text.
    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }
}

extension Status: CustomStringConvertible {
    /// The library's name, such as "timeout".
    public var name: String { String(cString: mcp_status_name(rawValue)) }
    public var description: String { name }
}

extension ConnectionState: CustomStringConvertible {
    /// The library's name, such as "ready".
    public var name: String { String(cString: mcp_client_state_name(rawValue)) }
    public var description: String { name }
}
