// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "{{name}}",
    platforms: [.macOS(.v13)],
    dependencies: [.package(url: "https://github.com/libmcp/libmcp-swift", from: "0.1.0")],
    targets: [
        .target(name: "Greeter", dependencies: [.product(name: "MCP", package: "libmcp-swift")]),
        .executableTarget(name: "{{name}}", dependencies: ["Greeter"], path: "Sources/Main"),
        .testTarget(name: "GreeterTests", dependencies: ["Greeter"]),
    ]
)
