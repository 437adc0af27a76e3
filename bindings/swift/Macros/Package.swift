// swift-tools-version: 6.0
import CompilerPluginSupport
import PackageDescription

// A package of its own, so that programs without the macro need no swift-syntax.
let package = Package(
    name: "MCPMacros",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "MCPMacros", targets: ["MCPMacros"])],
    dependencies: [
        .package(name: "MCP", path: ".."),
        .package(url: "https://github.com/swiftlang/swift-syntax.git", "600.0.0"..<"700.0.0"),
    ],
    targets: [
        .macro(
            name: "MCPMacrosPlugin",
            dependencies: [
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
            ]),
        .target(name: "MCPMacros", dependencies: ["MCPMacrosPlugin", .product(name: "MCP", package: "MCP")]),
    ],
    swiftLanguageModes: [.v6]
)
