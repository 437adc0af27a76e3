import CMCP
import Foundation

/// Refuses a library of another ABI, before anything else is called.
func checkABI() throws {
    if mcp_abi_version() == abiVersion { return }
    throw MCPError(
        status: .internal,
        message: "libmcp \(String(cString: mcp_version())) has ABI \(mcp_abi_version()), but this package was written for ABI "
            + "\(abiVersion): install the libmcp that belongs to it")
}

/// A C string for the time of a call, or NULL.
func withOptionalCString<R>(_ text: String?, _ body: (UnsafePointer<CChar>?) throws -> R) rethrows -> R {
    guard let text else { return try body(nil) }
    return try text.withCString { try body($0) }
}

/// Takes over a string that the library gave out.
func taken(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { mcp_string_free(text) }
    return String(cString: text)
}

/// JSON text of a value. It holds no NUL character: JSON escapes it.
func jsonText<T: Encodable>(of value: T) throws -> String {
    String(decoding: try wireEncoder().encode(value), as: UTF8.self)
}

/// A C string would end at a NUL character, and mean something else.
func refuseNul(in text: String, _ what: String) throws {
    if text.utf8.contains(0) {
        throw MCPError(status: .invalidArgument, message: "\(what) must not hold a NUL character")
    }
}
