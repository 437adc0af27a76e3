import SwiftSyntax
import SwiftSyntaxMacros

/// Writes the function that adds a function as a tool.
public struct ToolMacro: PeerMacro {
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let function = declaration.as(FunctionDeclSyntax.self) else {
            throw Misuse("@Tool makes a tool of a function, and stands before something else")
        }
        if function.genericParameterClause != nil {
            throw Misuse("@Tool: a model cannot choose types: write \(function.name.text) without generic parameters")
        }
        let name = function.name.text.filter { $0 != "`" }
        let told = Documentation(of: function)
        var members: [String] = []
        var descriptions: [String] = []
        var given: [String] = []
        for parameter in function.signature.parameterClause.parameters {
            let inner = (parameter.secondName ?? parameter.firstName).text
            let label = parameter.firstName.text == "_" ? "" : "\(parameter.firstName.text): "
            let type = parameter.type.trimmedDescription
            if type == "ServerRequest" || type == "MCP.ServerRequest" {
                given.append("\(label)request")
                continue
            }
            if parameter.ellipsis != nil || type.hasPrefix("inout ") {
                throw Misuse("@Tool: \(inner) cannot be an argument of a tool: write a list, or a value")
            }
            if let value = parameter.defaultValue?.value {
                members.append("let \(inner): (\(type))?")
                given.append("\(label)arguments.\(inner) ?? (\(value.trimmedDescription))")
            } else {
                members.append("let \(inner): \(type)")
                given.append("\(label)arguments.\(inner)")
            }
            if let text = told.parameters[inner] { descriptions.append("\(quoted(inner)): \(quoted(text))") }
        }
        let said = node.arguments?.as(LabeledExprListSyntax.self)?.first?.expression.trimmedDescription
        let all = function.modifiers.map { $0.name.text == "open" ? "public" : $0.name.text }
        let modifiers = all.filter { ["public", "internal", "private", "fileprivate", "package", "static", "class"].contains($0) }
        // Types that only the file knows may be those of parameters; the signature of the function that is added has none of them.
        let hidden = modifiers.first { ["private", "fileprivate"].contains($0) }.map { "\($0) " } ?? ""
        let effects = function.signature.effectSpecifiers
        let tries = effects?.throwsClause == nil ? "" : "try "
        let result = function.signature.returnClause?.type.trimmedDescription ?? "Void"
        let isEmpty = ["Void", "()"].contains(result)
        let owner = context.lexicalContext.first.map { $0.isProtocol((any DeclGroupSyntax).self) } == true ? "self." : ""
        // An actor may have the function, which the syntax does not show: what is awaited then is the turn on that.
        let call = "\(tries)await MCPMacros.awaited(\(owner)\(name)(\(given.joined(separator: ", "))))"
        let description = told.text.isEmpty ? "nil" : quoted(told.text)
        let arguments = "\(name)Arguments"
        // A type within the function would be neater; Swift 6.0 makes no code for one that a macro wrote.
        return [
            """
            /// The arguments of the tool.
            \(raw: hidden)struct \(raw: arguments): Decodable, Sendable, MCP.Described {
                \(raw: members.joined(separator: "\n    "))
                static let descriptions: [String: String] = [\(raw: descriptions.isEmpty ? ":" : descriptions.joined(separator: ", "))]
            }
            """,
            """
            /// Adds the tool to a server.
            \(raw: (modifiers + ["func"]).joined(separator: " ")) \(raw: name)Tool(to server: MCP.Server) throws {
                try server.addTool(\(raw: said ?? quoted(name)), description: \(raw: description)) {
                    (arguments: \(raw: arguments), request: MCP.ServerRequest) async throws -> \(raw: isEmpty ? "String" : result) in
                    \(raw: isEmpty ? "\(call)\n        return \"\"" : "return \(call)")
                }
            }
            """,
        ]
    }
}

/// What a person did wrong, which the compiler shows.
struct Misuse: Error, CustomStringConvertible {
    let description: String
    init(_ text: String) { description = text }
}

/// A literal of Swift.
private func quoted(_ text: String) -> String {
    StringLiteralExprSyntax(content: text).description
}

/// The documentation comment of a function: its text, and that of each parameter.
struct Documentation {
    private(set) var text = ""
    private(set) var parameters: [String: String] = [:]

    private enum Place { case text, parameters, parameter(String), other }

    init(of function: FunctionDeclSyntax) {
        var lines: [Substring] = []
        // The comment stands before the attributes, or behind them.
        let trivia = [function.leadingTrivia, function.modifiers.first?.leadingTrivia, function.funcKeyword.leadingTrivia]
        for piece in trivia.compactMap({ $0 }).flatMap(\.pieces) {
            switch piece {
            case .docLineComment(let line): lines.append(line.dropFirst(3))
            case .docBlockComment(let block):
                lines += block.dropFirst(3).dropLast(2).split(separator: "\n", omittingEmptySubsequences: false).map { line in
                    let rest = line.drop { $0 == " " || $0 == "\t" }
                    return rest.hasPrefix("*") ? rest.dropFirst() : line
                }
            default: break
            }
        }
        var place = Place.text
        for line in lines.map(Self.trimmed) {
            if let (name, about) = Self.field(line, "- Parameter ") {
                place = .parameter(name)
                parameters[name] = about
            } else if line.hasPrefix("- Parameters:") {
                place = .parameters
            } else if line.hasPrefix("- Returns:") || line.hasPrefix("- Throws:") {
                place = .other
            } else if case .parameters = place, let (name, about) = Self.field(line, "- ") {
                place = .parameters
                parameters[name] = about
                last = name
            } else {
                add(line, to: place)
            }
        }
        text = Self.trimmed(text[...])
    }

    private var last = ""

    private mutating func add(_ line: String, to place: Place) {
        switch place {
        case .text: text += text.isEmpty || line.isEmpty || text.hasSuffix("\n") ? (line.isEmpty && !text.isEmpty ? "\n" : line) : " \(line)"
        case .parameter(let name): if !line.isEmpty { parameters[name, default: ""] += " \(line)" }
        case .parameters: if !line.isEmpty, !last.isEmpty { parameters[last, default: ""] += " \(line)" }
        case .other: break
        }
    }

    private static func trimmed(_ line: Substring) -> String {
        var line = line.drop { $0.isWhitespace }
        while line.last?.isWhitespace == true { line.removeLast() }
        return String(line)
    }

    /// `NAME: TEXT` behind a mark.
    private static func field(_ line: String, _ mark: String) -> (String, String)? {
        guard line.hasPrefix(mark), let colon = line.firstIndex(of: ":") else { return nil }
        let name = trimmed(line[line.index(line.startIndex, offsetBy: mark.count)..<colon])
        return name.isEmpty || name.contains(" ") ? nil : (name, trimmed(line[line.index(after: colon)...]))
    }
}
