// A toolchain's own modules, with which the tests build the macro, make a library of it that the compiler loads; it needs no program.
#if canImport(SwiftCompilerPlugin)
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [ToolMacro.self]
}
#endif
