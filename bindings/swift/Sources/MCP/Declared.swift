import Foundation

/// What the configuration says that the program does. A handler of anything else would never be asked.
struct Declared: Sendable {
    /// The methods that a server may call only with a capability, and the functions that take their handlers.
    private static let needed = [
        (capability: "elicitation", method: MethodName.elicitation, function: "onElicitation"),
        (capability: "roots", method: MethodName.roots, function: "onRoots"),
        (capability: "sampling", method: MethodName.sampling, function: "onSampling"),
    ]

    private let capabilities: Set<String>
    /// The library answers with the roots of the configuration.
    private let hasRoots: Bool
    private let keepsLogins: Bool
    private let signs: Bool

    init(_ configuration: [String: JSONValue]) {
        capabilities = Set((configuration["capabilities"]?.objectValue ?? [:]).filter { $0.value != .null }.keys)
        hasRoots = (configuration["roots"] ?? .null) != .null
        let auth = configuration["auth"]?.objectValue ?? [:]
        keepsLogins = auth["store"]?.stringValue == "application"
        signs = auth["signer"] != nil || auth["dpop_key"] != nil
    }

    /// A capability without a handler, and a handler that is never asked, would only be found out when a server asks.
    func mustFit(_ isHandled: (String) -> Bool) throws {
        for (capability, method, function) in Self.needed {
            if isHandled(method) {
                try mustDeclare(method, "\(function) declares it")
            } else if capabilities.contains(capability) && !(capability == "roots" && hasRoots) {
                throw mistake(
                    "capabilities.\(capability): the program has no handler for \(method): give one with \(function) when the client "
                        + "is made, or leave the capability out", method)
            }
        }
    }

    /// A handler of this method is asked.
    func mustDeclare(_ method: String, _ remedy: String = "give the handler when the client is made, or name the capability there") throws {
        guard let (capability, _, _) = Self.needed.first(where: { $0.method == method }) else { return }
        if capability == "roots" && hasRoots {
            throw mistake(
                "roots: the configuration has a list, so the library answers, and a handler of \(method) would never run: give one of "
                    + "the two", method)
        }
        if !capabilities.contains(capability) {
            throw mistake(
                "a handler of \(method) needs \"\(capability)\" in the capabilities of the configuration: \(remedy)", method)
        }
    }

    private func mistake(_ message: String, _ operation: String) -> MCPError {
        MCPError(status: .invalidArgument, message: message, operation: operation)
    }

    func mustKeepLogins() throws {
        if keepsLogins { return }
        throw MCPError(
            status: .invalidArgument,
            message: "a store of logins is used only with \"auth\" in the configuration, whose \"store\" is \"application\"",
            operation: "keepLogins")
    }

    func mustSign() throws {
        if signs { return }
        throw MCPError(
            status: .invalidArgument,
            message: "a function that signs is used only with \"auth\" in the configuration that has \"signer\" (for assertions) or "
                + "\"dpop_key\" (for proofs)", operation: "onSign")
    }
}

/// A check before the first use. Once it has passed, it is not made again.
final class FirstUse: @unchecked Sendable {
    private let lock = NSLock()
    private var isDone = false

    func check(_ body: () throws -> Void) rethrows {
        lock.lock()
        defer { lock.unlock() }
        if isDone { return }
        try body()
        isDone = true
    }
}
