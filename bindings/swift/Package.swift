// swift-tools-version: 6.0
import PackageDescription

// The C library: the one that pkg-config finds, or, for Apple platforms, an XCFramework in this folder whose name is in
// MCP_XCFRAMEWORK (scripts/make-xcframework.sh makes it).
let library: Target
if let framework = Context.environment["MCP_XCFRAMEWORK"] {
    library = .binaryTarget(name: "CMCP", path: framework)
} else {
    library = .systemLibrary(name: "CMCP", path: "Sources/CMCP", pkgConfig: "mcp")
}

let examples = [
    "quickstart", "tools", "resources-watch", "elicitation", "sampling", "progress", "multi-server", "login", "compare", "server",
]

let package = Package(
    name: "MCP",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "MCP", targets: ["MCP"])
    ],
    targets: [
        library,
        .target(name: "MCP", dependencies: ["CMCP"]),
        .testTarget(name: "MCPTests", dependencies: ["MCP", "CMCP"]),
    ]
        + examples.map { name in
            .executableTarget(name: name, dependencies: ["MCP"], path: "Examples/\(name)")
        }
        + [.executableTarget(name: "bench", dependencies: ["MCP"], path: "bench")],
    swiftLanguageModes: [.v6]
)
