@_exported import MCP

/// Makes a tool of a function: `add` gets a second function, `addTool(to:)`, that adds it to a server.
///
/// The documentation comment is what the model reads: the text for the tool, and `- Parameter NAME:` for each argument. A parameter with a
/// default value may be left out; one of the type `ServerRequest` is the request.
///
/// ```swift
/// /// Adds two numbers.
/// ///
/// /// - Parameters:
/// ///   - a: the first number
/// ///   - b: the second number
/// @Tool
/// func add(a: Double, b: Double = 0) -> String { "\(a + b)" }
///
/// try addTool(to: server)
/// ```
///
/// A function of an actor, or of `@MainActor`, runs there; `addTool(to:)` belongs there, too, and other code awaits it.
///
/// - Parameter name: The name of the tool; without it, that of the function.
@attached(peer, names: suffixed(Tool), suffixed(Arguments))
public macro Tool(_ name: String) = #externalMacro(module: "MCPMacrosPlugin", type: "ToolMacro")

/// Makes a tool of a function, with the function's name: ``Tool(_:)`` says how.
@attached(peer, names: suffixed(Tool), suffixed(Arguments))
public macro Tool() = #externalMacro(module: "MCPMacrosPlugin", type: "ToolMacro")

/// What the macro writes around a call, so that there is something to await in each.
@discardableResult
public func awaited<Value>(_ value: Value) async -> Value { value }
