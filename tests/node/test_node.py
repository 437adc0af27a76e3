"""The package for Node.js as it was built: its types hold, its tests and examples pass under Node.js 22, those of processes and HTTP under
the machine's older one (with --deep all, also under Bun and Deno); the same programs on the official SDK; and what npm would publish works
where nothing else is installed."""

import json
import os
import re
import shutil
from pathlib import Path

import attacks
import pytest
import support
from counterparts import visits
from interop import plans

COUNTERPARTS = support.ROOT / "tests/counterparts/node"
# What runs under the older of two versions: the addon is one for all versions, and this is what they do differently.
OF_EACH = ["http", "lifecycle", "serving"]
FILES = sorted(path.name.removesuffix(".test.js") for path in (support.ROOT / "bindings/node/test").glob("*.test.js"))


def package():
    return Path(support.peer("node-package"))


def run(*words, node=None, cwd=None, **env):
    return support.run([node or support.peer("node"), *words], 300, env=env, cwd=cwd or package())


def build(*options, pkgconfig=None):
    """Compiles the addon. A warning is an error."""
    folder = pkgconfig or support.places()["stage"]["pkgconfig"]
    run("scripts/build.js", *options, PKG_CONFIG_PATH=folder, CXXFLAGS="-Werror").well()


@pytest.mark.parametrize("project", [".", "test/types/tsconfig.node16.json", "test/types/tsconfig.bundler.json"])
def test_the_types_hold_also_for_programs_of_commonjs_and_of_modules_and_bundled_ones(project):
    run("node_modules/typescript/bin/tsc", "-p", project).well()


def test_an_addon_built_for_another_abi_refuses_to_load_and_says_both():
    folder = support.scratch("node/other-abi")
    header = (support.ROOT / "include/mcp.h").read_text()
    (folder / "mcp.h").write_text(header.replace("#define MCP_ABI_VERSION 1", "#define MCP_ABI_VERSION 4711"))
    text = (Path(support.places()["stage"]["pkgconfig"]) / "mcp.pc").read_text()
    (folder / "mcp.pc").write_text(re.sub("(?m)^includedir=.*", f"includedir={folder}", text))
    build("--out", folder / "libmcp.node", pkgconfig=folder)
    finished = run("-e", "require(process.argv[1])", folder / "libmcp.node")
    assert finished.code != 0 and "has ABI " in finished.stderr and "built for ABI 4711" in finished.stderr, finished.story()


def version(node):
    return run("--version", node=node).well().stdout.strip()


def runtimes(deep):
    """The commands of Bun and Deno. Their own install scripts do not run: the programs are in packages for each machine."""
    if not deep:
        return []
    modules = Path(support.peer("runtimes")) / "node_modules"
    # Beside each of them there may be those for musl and for older processors.
    bun, deno = {"x86_64": ("x64", "x64"), "aarch64": ("aarch64", "arm64")}[os.uname().machine]
    return [[str(modules / f"@oven/bun-linux-{bun}/bin/bun")], [str(modules / f"@deno/linux-{deno}-glibc/deno"), "run", "-A"]]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("is_newer", [True, False], ids=["Node.js 22", "the machine's"])
def test_a_file_of_tests_passes(is_newer, name, deep):
    """In a process of its own, whose end is looked at too: a crash must not pass for the last test."""
    node = support.peer("node-22" if is_newer else "node")
    if not is_newer and version(node).startswith("v22."):
        pytest.skip("the machine's is Node.js 22, too")
    if not is_newer and not deep and name not in OF_EACH:
        pytest.skip("the machine's runs all files with --deep")
    env = support.servers() | {
        "MCP_NPM_PEERS": support.peer("npm"), "MCP_PYTHON": support.peer("python-1"), "MCP_RUNTIMES": json.dumps(runtimes(deep)),
        "MCP_STORES": str(support.ROOT / "stores")}
    # With a small space for young objects, what stays in memory shows early.
    options = ["--expose-gc", "--max-semi-space-size=2", "--test-reporter=tap"]
    finished = run(*options, f"test/{name}.test.js", node=node, **env)
    failed = re.findall(r"(?ms)^not ok .*?^  \.\.\.$", finished.stdout)
    assert not failed, "\n".join(failed)
    counts = dict(re.findall(r"(?m)^# (tests|pass|skipped) (\d+)$", finished.well().stdout))
    # What the tests need is there on a machine that tests for all; only with --deep it has other runtimes.
    has_all = os.environ.get("CI") == "true" and name != "runtimes"
    assert not (has_all and int(counts["skipped"])), finished.story()
    assert int(counts["tests"]) > 0 and re.search(r"(?m)^1\.\.\d+$", finished.stdout), finished.story()
    print(f"{version(node)}: {counts}")


@pytest.fixture(scope="module")
def scripts():
    """Node looks for packages from where a module is."""
    npm = Path(support.peer("npm"))
    places = {"visit": package() / "visit.mjs", "server": npm / "counterpart-server.mjs", "everything": npm / "counterpart.mjs"}
    for name, place in places.items():
        shutil.copy(COUNTERPARTS / f"{name}.mjs", place)
    return places


def test_the_same_program_on_the_official_sdk_works(scripts):
    finished = run(scripts["everything"], *plans.reference_server("everything"))
    support.says(finished, ["the server logged", "100 sums", "the server is gone: transport", "Echo: back"])


@pytest.mark.parametrize("is_ours", [True, False], ids=["the server example", "the server on the official SDK"])
def test_a_client_uses_a_server_over_stdio_and_http(scripts, is_ours):
    node = support.peer("node")
    server = package() / "examples/server.mjs" if is_ours else scripts["server"]
    visits.visit([node, scripts["visit"]], "node", [node, server], place="{port}", ends_well=True)


@pytest.mark.parametrize("how", ["alone", "host"], ids=["its own server", "inside node:http"])
def test_a_server_survives_attacks(how):
    script = Path(shutil.copy(support.ROOT / "tests/servers/node/attacked.mjs", package()))
    attacks.survives([support.peer("node"), script, how], support.scratch("node") / f"attacked-{how}.log")


def test_what_npm_would_publish_works_where_only_node_is_installed():
    """The packages, packed by npm, and installed into an empty project without a registry and a compiler."""
    build("--static")
    npm, project = shutil.which("npm"), support.emptied("node/project")
    (project / "package.json").write_text('{ "name": "project", "private": true }\n')
    folders = run("scripts/packages.js").well().stdout.splitlines()
    packed = [support.run([npm, "pack", "--silent", "--pack-destination", project], 300, cwd=folder).well().stdout for folder in folders]
    install = [npm, "install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", *(project / name.strip() for name in packed)]
    support.run(install, 300, env={"CXX": "no-compiler-is-needed"}, cwd=project).well()
    shutil.copy(support.ROOT / "bindings/node/examples/quickstart.mjs", project)
    run("quickstart.mjs", support.places()["example_server"], cwd=project).well()
