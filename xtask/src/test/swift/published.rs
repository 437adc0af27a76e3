//! The package as another package has it, and what makes its variant for Apple platforms: the script runs with programs in the place
//! of those that only a Mac has, and the package manager reads the manifest that names the framework.

use std::time::Duration;

use super::{Work, quoted};
use crate::checkout::{cleared, copy, read, write};
use crate::process::make_executable;
use crate::test::Stage;

const BUILD: Duration = Duration::from_secs(900);
const LIMIT: Duration = Duration::from_secs(60);

const PROGRAM: &str = "import MCP

@main
struct User {
    static func main() async throws {
        let client = try Client(ClientConfiguration(command: CommandLine.arguments[1]))
        print(try await client.callTool(\"echo\", [\"text\": \"hello\"]).text)
        try await client.close()
    }
}
";

/// In the place of programs of a Mac: each checks what it is given and makes what the real one would make.
const STUBS: [(&str, &str); 4] = [
    ("rustup", "[ \"$1 $2\" = 'target add' ]"),
    (
        "cargo",
        "while [ \"$1\" != --target ]; do shift; done; mkdir -p \"$root/target/$2/release\"; echo \"$2\" >\"$root/target/$2/release/libmcp.a\"",
    ),
    ("lipo", "shift; all=; while [ \"$1\" != -output ]; do all=\"$all $1\"; shift; done; cat $all >\"$2\""),
    (
        "xcodebuild",
        "shift; mkdir CMCP.xcframework; number=0
while [ \"$1\" = -library ]; do
    [ \"$3\" = -headers ]; number=$((number + 1)); mkdir CMCP.xcframework/$number
    cp \"$2\" CMCP.xcframework/$number/; cp -R \"$4\" CMCP.xcframework/$number/Headers; shift 4
done
[ \"$1 $2\" = '-output CMCP.xcframework' ]
echo '<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict><key>AvailableLibraries</key><array/>
<key>CFBundlePackageType</key><string>XFWK</string><key>XCFrameworkFormatVersion</key><string>1.0</string></dict></plist>' >CMCP.xcframework/Info.plist",
    ),
];

pub fn run(stage: &mut Stage, work: &Work) {
    stage.tally.check("a package in an empty folder has it as a dependency", used(work));
    stage.tally.check("the script makes a framework of each platform's libraries", framework(work));
    stage.tally.check("the manifest takes the framework, and misses one that is not there", is_taken(work));
}

/// With the library that pkg-config finds. What was built of the package stays from run to run.
fn used(work: &Work) -> Result<(), String> {
    let folder = cleared(&work.log.join("user"))?;
    write(&cleared(&folder.join("Sources/user"))?.join("User.swift"), PROGRAM)?;
    let manifest = format!(
        "// swift-tools-version: 6.0\nimport PackageDescription\n\nlet package = Package(\n    name: \"user\",\n    \
         platforms: [.macOS(.v13)],\n    dependencies: [.package(name: \"MCP\", path: \"{}\")],\n    targets: \
         [.executableTarget(name: \"user\", dependencies: [.product(name: \"MCP\", package: \"MCP\")])]\n)\n",
        work.package.display()
    );
    write(&folder.join("Package.swift"), &manifest)?;
    let script = format!(
        "cd {}; unset MCP_EXAMPLE_SERVER; export LD_LIBRARY_PATH={library} DYLD_LIBRARY_PATH={library}\n\
         swift run --scratch-path {} user {}",
        quoted(&folder),
        quoted(&work.target.join("swift-user")),
        quoted(&work.built.example_server),
        library = quoted(&work.staged.library_folder),
    );
    let finished = work.run("published-user", &script, BUILD)?;
    if finished.succeeded() && finished.stdout.lines().last() == Some("hello") {
        Ok(())
    } else {
        Err(finished.story())
    }
}

/// In a copy of what the script uses, which is where it also makes the framework.
fn framework(work: &Work) -> Result<(), String> {
    let root = cleared(&work.log.join("framework"))?;
    let package = root.join("bindings/swift");
    copy(&work.package.join("scripts/make-xcframework.sh"), &package.join("scripts/make-xcframework.sh"))?;
    copy(&work.root.join("include/mcp.h"), &root.join("include/mcp.h"))?;
    let programs = cleared(&root.join("bin"))?;
    for (name, does) in STUBS {
        let file = programs.join(name);
        write(&file, &format!("#!/bin/sh\nset -eu\nroot={}\n{does}\n", quoted(&root)))?;
        make_executable(&file)?;
    }
    let script = format!(
        "export PATH={}:$PATH; sh {}",
        quoted(&programs),
        quoted(&package.join("scripts/make-xcframework.sh"))
    );
    work.run("published-framework", &script, LIMIT)?.well()?;
    for (number, targets) in [
        (1, "aarch64-apple-darwin\nx86_64-apple-darwin\n"),
        (2, "aarch64-apple-ios\n"),
        (3, "aarch64-apple-ios-sim\nx86_64-apple-ios\n"),
    ] {
        let one = package.join(format!("CMCP.xcframework/{number}"));
        let library = read(&one.join("libmcp.a"))?;
        if library != targets {
            return Err(format!("library {number} is of {library:?}"));
        }
        let same = read(&one.join("Headers/mcp.h"))? == read(&work.root.join("include/mcp.h"))?;
        let map = read(&one.join("Headers/module.modulemap"))?;
        if !same || !map.contains("module CMCP {") || !map.contains("header \"mcp.h\"") {
            return Err(format!("library {number} has other headers; its module map is\n{map}"));
        }
    }
    Ok(())
}

/// The package with the framework beside its manifest, as the script has made it.
fn is_taken(work: &Work) -> Result<(), String> {
    let made = work.log.join("framework/bindings/swift");
    let script = |framework: &str| {
        format!(
            "cp -R Package.swift Sources Tests Examples bench {made}; cd {made}; export MCP_XCFRAMEWORK={framework}; \
             swift package --scratch-path {} describe",
            quoted(&work.log.join("framework/build")),
            made = quoted(&made),
        )
    };
    work.run("published-taken", &script("CMCP.xcframework"), LIMIT)?.says(&["Module type: BinaryTarget"])?;
    let finished = work.run("published-missed", &script("nowhere.xcframework"), LIMIT)?;
    let is_missed = finished.stderr.contains("does not contain binary artifact");
    if !finished.succeeded() && is_missed { Ok(()) } else { Err(finished.story()) }
}
