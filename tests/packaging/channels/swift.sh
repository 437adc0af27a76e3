# the Swift package as a folder, as this system has no git: a call, with the library of the tarball
mkdir package prefix && tar -xzf /release/libmcp-swift-*.tar.gz --strip-components=1 -C package
tar -xzf /release/libmcp-*-x86_64-unknown-linux-gnu.tar.gz --strip-components=1 -C prefix
export PKG_CONFIG_PATH=$PWD/prefix/lib/pkgconfig LD_LIBRARY_PATH=$PWD/prefix/lib
mkdir -p program/Sources/program && cd program
cat >Package.swift <<'END'
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "program",
    dependencies: [.package(path: "/root/package")],
    targets: [.executableTarget(name: "program", dependencies: [.product(name: "MCP", package: "package")])]
)
END
cat >Sources/program/main.swift <<'END'
import MCP

let client = try Client(ClientConfiguration(command: CommandLine.arguments[1]))
print(try await client.callTool("echo", ["text": "Hello from Swift"]).text)
try await client.close()
END
swift run program "$SERVER"
