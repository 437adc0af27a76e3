"""The Swift package as it was built: its examples, each with the servers that it is for; the package as another one has it; and what makes
its variant for Apple platforms, where the script runs with programs in the place of those that only a Mac has.

Swift may be in a chroot, which has neither Node.js nor Python: servers of others run outside of it and are reached over HTTP.
"""

import contextlib
import json
import re
import shlex
import shutil
import sys
import threading

import attacks
import pytest
import support
from interop import plans

ROOT, PACKAGE = support.ROOT, support.ROOT / "bindings/swift"
TWO, DIED = "two clients", "goes on after the server has died"


def swift(script, limit=support.LIMIT):
    """Runs a script of bash where Swift is, in the folder of the package."""
    stage = support.places()["stage"]
    servers = {"PKG_CONFIG_PATH": stage["pkgconfig"]} | {
        f"MCP_{name.upper()}": support.places()[name] for name in ["example_server", "scripted_server", "scripted_http"]}
    exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in servers.items())
    return [support.peer("swift")["enter"], f"set -eu; cd {shlex.quote(str(PACKAGE))}\n{exports}{script}"], limit


def says(script, *words, limit=support.LIMIT):
    """A script ends well, with these words among what it says."""
    finished = support.run(*swift(script, limit)).well()
    missing = [word for word in words if word not in finished.stdout]
    assert not missing, f"{missing} are missing: {finished.story()}"


def program(name):
    return shlex.quote(f"{support.peer('swift')['programs']}/{name}")


def example_server():
    return shlex.quote(support.places()["example_server"])


def folder(name):
    path = support.scratch("swift") / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def over_http(server, client):
    """A client with a server that says its URL first."""
    return f"coproc {{ exec {server}; }}; trap 'kill $COPROC_PID' EXIT\nread -r -t 30 url <&\"${{COPROC[0]}}\"; {client}"


@pytest.mark.parametrize("name", ["quickstart", "tools", "elicitation", "progress", "resources-watch"])
def test_an_example_with_the_example_server(name):
    says(f"{program(name)} {example_server()}")


def test_tools_with_the_swift_server():
    says(f"{program('tools')} {program('server')}")


def test_compare_with_the_swift_server():
    says(f"{program('compare')} {program('server')}", TWO, DIED)


def test_compare_with_the_swift_server_over_http():
    says(over_http(f"{program('server')} http://127.0.0.1:0/mcp", f"{program('compare')} \"$url\""), TWO)


def test_a_server_that_cannot_be_started_holds_up_no_other():
    file = folder("servers") / "servers.json"
    named = {"c": support.places()["example_server"], "swift": f"{support.peer('swift')['programs']}/server", "gone": "/no/such/program"}
    file.write_text(json.dumps({"mcpServers": {name: {"command": command} for name, command in named.items()}}))
    says(f"{program('multi-server')} {shlex.quote(str(file))} c swift gone", "c: ", "swift: 3 tools", "gone: ")


def test_login_with_a_token_right_and_wrong():
    server = f"{shlex.quote(support.places()['scripted_http'])} --life 60 token=sesame"
    client = f"{program('login')} \"http://127.0.0.1:$url/mcp\" token"
    says(over_http(server, f"{client} sesame; {client} wrong"), "logged in; the server has ", "not logged in: auth")


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD is Linux's")
def test_client_and_server_refuse_a_library_of_another_abi():
    other = shlex.quote(str(folder("other-abi") / "other-abi.so"))
    says(f"echo 'unsigned mcp_abi_version(void) {{ return 99; }}' | cc -shared -fPIC -x c - -o {other}\n"
         f"export SWIFT_BACKTRACE=enable=no LD_PRELOAD={other}\n"
         f"for program in \"{program('quickstart')} {example_server()}\" {program('server')}; do eval \"$program\" </dev/null 2>&1 || true; "
         "done | grep -c 'has ABI 99, but'", "2")


@contextlib.contextmanager
def kept_running(words, name, **env):
    """A server that is started again whenever it has died; gives the file with the number of its process."""
    file, is_over, failed = folder(name) / "pid", threading.Event(), []

    def keep():
        try:
            while not is_over.is_set():
                with support.Served(words, file.with_name("server.log"), env=env) as served:
                    file.write_text(str(served.child.pid))
                    while served.child.poll() is None and not is_over.wait(0.02):
                        pass
        except OSError as error:
            failed.append(error)

    keeper = threading.Thread(target=keep)
    keeper.start()
    try:
        support.until("the server was started", lambda: file.exists() or failed)
        yield file
    finally:
        is_over.set()
        keeper.join()
    assert not failed, failed


def compares(port, file):
    says(f"{program('compare')} http://127.0.0.1:{port}/mcp {shlex.quote(str(file))}", TWO, DIED)


def test_compare_and_sampling_with_the_reference_server():
    port = support.free_port()
    with kept_running([*plans.reference_server("everything"), "streamableHttp"], "everything", PORT=port) as file:
        compares(port, file)
        says(f"{program('sampling')} http://127.0.0.1:{port}/mcp", "the server asks the model: ", "I read ")


def test_compare_with_the_server_of_the_python_sdk():
    port = support.free_port()
    words = [support.peer("python-1"), ROOT / "tests/servers/python/server.py", "streamable-http", port]
    with kept_running(words, "python", **support.server_of_python()) as file:
        compares(port, file)


def test_a_person_logs_in_at_an_authorization_server():
    """The example says which page to open, and a script that plays a person opens it."""
    login, logs = support.peer("login"), folder("login")
    with support.Served([login["node"], login["servers"]], logs / "servers.err") as servers:
        port = servers.first_line().split(" ")[0]
        words, _ = swift(f"exec {program('login')} http://127.0.0.1:{port}/mcp")
        with support.Served(words, logs / "example.err") as example:
            assert example.first_line().startswith("open this page to log in at http://127.0.0.1:")
            support.run([login["node"], login["browser"], "agree", example.first_line()]).well()
            assert example.first_line().startswith("logged in; the server has ")
            assert example.end() == 0


def compiled(source, name, options=""):
    """A program with the package as it was built; where it is."""
    peer, made = support.peer("swift"), folder(name) / name
    quoted = shlex.quote(str(made))
    words = f"swiftc -swift-version 6 -parse-as-library {peer['imports']} {options} {shlex.quote(str(source))} {peer['links']} -o {quoted}"
    support.run(*swift(words, 300)).well()
    return quoted


# What the programs of README.md use and do not print, by a part of each.
PRINTED = {
    "onSampling": "struct Model: Sendable { func answer(_: CreateMessageRequestParams) async throws -> CreateMessageResult { fatalError() } }\n"
                  "let model = Model()\n",
    "LoginStore": "import Foundation\nimport MCP\n"
                  "struct Items: Sendable { func text(_: String) async throws -> String? { nil }\n"
                  "func replace(_: String, by: String) async throws {} }\n"
                  "struct Chip: Sendable { var publicJWK: [String: JSONValue] { [:] }; func sign(_ data: Data) async throws -> Data { data } }\n"
                  "struct Browser: Sendable { func open(_: String?) async {} }\n"
                  "let items = Items(), chip = Chip(), browser = Browser()\n",
}
INPUT = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize",
     "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 2, "b": 3}}},
]


def printed(part):
    """The program of README.md that has this part, as a file."""
    blocks = re.findall(r"```swift\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    file = folder(f"readme-{part}") / "main.swift"
    file.write_text(PRINTED.get(part, "") + next(block for block in blocks if part in block))
    return shlex.quote(str(file))


@pytest.mark.parametrize("part", PRINTED)
def test_a_program_of_the_readme_compiles(part):
    support.run(*swift(f"swiftc -swift-version 6 -typecheck {support.peer('swift')['imports']} {printed(part)}", 300)).well()


def test_the_server_of_the_readme_works():
    peer, made = support.peer("swift"), folder("readme-server") / "server"
    support.run(*swift(f"swiftc -swift-version 6 {peer['imports']} {printed('serveStandardStreams')} {peer['links']} -o {made}", 300)).well()
    # The server ends with its input, after its answers.
    lines = "".join(json.dumps(message) + "\n" for message in INPUT)
    words, _ = swift(f"exec {made}")
    with support.Served(words, made.with_name("log")) as served:
        served.child.stdin.write(lines)
        served.child.stdin.flush()
        answers = [json.loads(served.first_line()) for _ in range(2)]
        assert answers[1]["result"]["structuredContent"] == {"total": 5}, answers
        assert served.end() == 0


def test_a_server_survives_attacks():
    words, _ = swift(f"exec {compiled(ROOT / 'tests/servers/swift/Attacked.swift', 'attacked')}")
    attacks.survives(words, support.scratch("swift") / "attacked/log")


def test_functions_become_tools_with_the_toolchains_own_modules_for_macros():
    """Its package takes them from GitHub, which a test does not reach."""
    made, macros, imports = folder("macros"), PACKAGE / "Macros", support.peer("swift")["imports"]
    plugin = f"-load-plugin-library {shlex.quote(str(made))}/libMCPMacrosPlugin.so"
    module = "swiftc -swift-version 6 -warnings-as-errors -parse-as-library -emit-library -emit-module"
    support.run(*swift(
        f"host=$(dirname \"$(readlink -f \"$(command -v swiftc)\")\")/../lib/swift/host\n"
        f"[ -d \"$host/SwiftSyntax.swiftmodule\" ] || host=/usr/lib/swift/host\n"
        f"{module} -module-name MCPMacrosPlugin -I \"$host\" -L \"$host\" -lSwiftSyntax -lSwiftSyntaxMacros -lSwiftSyntaxBuilder "
        f"-Xlinker -rpath -Xlinker \"$host\" {macros}/Sources/MCPMacrosPlugin/*.swift -o {made}/libMCPMacrosPlugin.so\n"
        f"{module} -static -module-name MCPMacros {imports} {plugin} {macros}/Sources/MCPMacros/*.swift "
        f"-emit-module-path {made}/MCPMacros.swiftmodule -o {made}/libMCPMacros.a", 300)).well()
    program = compiled(macros / "Tests/MacroProgram.swift", "macro-program", f"-warnings-as-errors -I {made} -L {made} -lMCPMacros {plugin}")
    says(program, "macros: well")


USER = """import MCP

@main
struct User {
    static func main() async throws {
        let client = try Client(ClientConfiguration(command: CommandLine.arguments[1]))
        print(try await client.callTool("echo", ["text": "hello"]).text)
        try await client.close()
    }
}
"""
MANIFEST = """// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "user",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "MCP", path: "{package}")],
    targets: [.executableTarget(name: "user", dependencies: [.product(name: "MCP", package: "MCP")])]
)
"""


def test_a_package_in_an_empty_folder_has_it_as_a_dependency():
    """With the library that pkg-config finds. What was built of the package stays from run to run."""
    user, library = folder("user"), shlex.quote(support.places()["stage"]["library"])
    (user / "Sources/user").mkdir(parents=True)
    (user / "Sources/user/User.swift").write_text(USER)
    (user / "Package.swift").write_text(MANIFEST.replace("{package}", str(PACKAGE)))
    kept = shlex.quote(str(ROOT / "target/swift-user"))
    finished = support.run(*swift(f"cd {shlex.quote(str(user))}; unset MCP_EXAMPLE_SERVER; export LD_LIBRARY_PATH={library} "
                                  f"DYLD_LIBRARY_PATH={library}\nswift run --scratch-path {kept} user {example_server()}", 900)).well()
    assert finished.stdout.splitlines()[-1] == "hello", finished.story()


# In the place of programs of a Mac: each checks what it is given and makes what the real one would make.
STUBS = {
    "rustup": "[ \"$1 $2\" = 'target add' ]",
    "cargo": 'while [ "$1" != --target ]; do shift; done; mkdir -p "$root/target/$2/release"; echo "$2" >"$root/target/$2/release/libmcp.a"',
    "lipo": 'shift; all=; while [ "$1" != -output ]; do all="$all $1"; shift; done; cat $all >"$2"',
    "xcodebuild": """shift; mkdir CMCP.xcframework; number=0
while [ "$1" = -library ]; do
    [ "$3" = -headers ]; number=$((number + 1)); mkdir CMCP.xcframework/$number
    cp "$2" CMCP.xcframework/$number/; cp -R "$4" CMCP.xcframework/$number/Headers; shift 4
done
[ "$1 $2" = '-output CMCP.xcframework' ]
echo '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>AvailableLibraries</key><array/>
<key>CFBundlePackageType</key><string>XFWK</string><key>XCFrameworkFormatVersion</key><string>1.0</string></dict></plist>' \\
    >CMCP.xcframework/Info.plist""",
}


@pytest.fixture(scope="module")
def made():
    """A copy of what the script uses, in which it has made the framework."""
    root = folder("framework")
    package = root / "bindings/swift"
    for name in ["bindings/swift/scripts/make-xcframework.sh", "include/mcp.h"]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    programs = root / "bin"
    programs.mkdir()
    for name, does in STUBS.items():
        (programs / name).write_text(f"#!/bin/sh\nset -eu\nroot={shlex.quote(str(root))}\n{does}\n")
        (programs / name).chmod(0o755)
    script = shlex.quote(str(package / "scripts/make-xcframework.sh"))
    support.run(*swift(f"export PATH={shlex.quote(str(programs))}:$PATH; sh {script}")).well()
    return package


def test_the_script_makes_a_framework_of_each_platforms_libraries(made):
    for number, targets in [
        (1, ["aarch64-apple-darwin", "x86_64-apple-darwin"]),
        (2, ["aarch64-apple-ios"]),
        (3, ["aarch64-apple-ios-sim", "x86_64-apple-ios"]),
    ]:
        one = made / f"CMCP.xcframework/{number}"
        assert (one / "libmcp.a").read_text().split() == targets
        assert (one / "Headers/mcp.h").read_text() == (ROOT / "include/mcp.h").read_text()
        text = (one / "Headers/module.modulemap").read_text()
        assert "module CMCP {" in text and 'header "mcp.h"' in text


def test_the_manifest_takes_the_framework_and_misses_one_that_is_not_there(made):
    for part in ["Package.swift", "Sources", "Tests", "Examples", "bench"]:
        if (PACKAGE / part).is_dir():
            shutil.copytree(PACKAGE / part, made / part, dirs_exist_ok=True)
        else:
            shutil.copy(PACKAGE / part, made / part)

    def describe(framework):
        build = shlex.quote(str(made.parent.parent / "build"))
        script = f"cd {shlex.quote(str(made))}; export MCP_XCFRAMEWORK={framework}; swift package --scratch-path {build} describe"
        return support.run(*swift(script))

    assert "Module type: BinaryTarget" in describe("CMCP.xcframework").well().stdout
    missed = describe("nowhere.xcframework")
    assert missed.code != 0 and "does not contain binary artifact" in missed.stderr, missed.story()
