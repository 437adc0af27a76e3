"""What `mcp init` makes, in each language: it builds, its test passes, `dev` shows it, `doctor` finds no fault, and it answers a call, as it is
and as a bundle that is packed and installed."""

import functools
import os
import platform
import shlex
import shutil
import signal
from pathlib import Path

import pytest
import support

NAME = "my-server"
BY_PKG_CONFIG = "-Wall -Wextra -Werror"


def made(program, language):
    folder = support.scratch("templates") / language
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    support.run([program, "init", language, folder / NAME]).well()
    # What is there is the person's.
    again = support.run([program, "init", language, folder / NAME])
    assert again.code == 1 and "nothing is overwritten" in again.stderr, again.story()
    return folder / NAME


def environment(**more):
    stage = support.places()["stage"]
    path = f"{Path(support.places()['program']).parent}:{os.environ['PATH']}"
    return {"PKG_CONFIG_PATH": stage["pkgconfig"], "LD_LIBRARY_PATH": stage["library"], "PATH": path} | more


def works(program, folder, steps, command, packed=None, **variables):
    """The steps of the README, and then what a client sees. `packed` is the folder of the bundle and the command in it."""
    env = environment(**variables)
    for step in steps:
        support.run(step, 1500, env=env, cwd=folder).well()
    options = [word for name in ["LD_LIBRARY_PATH", *variables] for word in ("-e", f"{name}={env[name]}")]
    shows(program, folder, command, options, env)
    doctor = support.run([program, "doctor", *options, "--", *command], env=env, cwd=folder).well()
    assert "0 faults" in doctor.stdout, doctor.story()
    said = support.run([program, "call", "greet", "name=Ada", *options, "--", *command], env=env, cwd=folder).well()
    assert said.stdout == "Hello, Ada!\n", said.story()
    if packed:
        is_installed(program, folder, *packed, options, env)


def shows(program, folder, command, options, env):
    """`dev` starts it, lists what it has, and ends with Ctrl-C."""
    log = folder.parent / "dev.log"
    with support.Served([program, "dev", "--no-page", *options, "--", *command], log, env=env, cwd=folder) as dev:
        support.until("dev lists the tool", lambda: "tools: 1" in log.read_text() or dev.child.poll() is not None)
        assert "the server is ready" in log.read_text(), log.read_text()
        dev.child.send_signal(signal.SIGINT)
        assert dev.child.wait(support.START) == 0, log.read_text()


def is_installed(program, folder, content, command, options, env):
    """The bundle of it says what it is, and is installed, called by its name and removed. Its variables are those of the person's shell."""
    bundle, home = folder.parent / "server.mcpb", folder.parent / "home"
    home.mkdir()
    env = env | {"HOME": home, "XDG_CONFIG_HOME": None, "XDG_DATA_HOME": None, "XDG_CACHE_HOME": None}
    words = ["pack", content, *options, "--into", bundle, "--manifest", "author=Me", "--", *command]
    support.run([program, *words], env=env, cwd=folder).well()
    checked = support.run([program, "pack", "--check", bundle, "-o", "json"], env=env).well()
    assert '"greet"' in checked.stdout and f'"{NAME}"' in checked.stdout, checked.story()
    support.run([program, "install", bundle, "--yes"], env=env).well()
    said = support.run([program, "call", NAME, "greet", "name=Ada", *options], env=env).well()
    assert said.stdout == "Hello, Ada!\n", said.story()
    support.run([program, "uninstall", NAME], env=env).well()
    gone = support.run([program, "call", NAME, "greet", "name=Ada"], env=env)
    assert gone.code != 0, gone.story()


def bundled(folder, *paths):
    """A folder with copies of these, as the README makes it."""
    bundle = folder / "bundle"
    bundle.mkdir()
    copies = [["cp", "-r", path, bundle] for path in paths]
    return bundle, copies


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_server_by_make_and_pkg_config(program, language):
    flags = [f"CFLAGS={BY_PKG_CONFIG}", f"CXXFLAGS={BY_PKG_CONFIG}"]
    folder = made(program, language)
    bundle, copies = bundled(folder, NAME)
    works(program, folder, [["make", *flags], ["make", "test", *flags], *copies], [f"./{NAME}"], (bundle, [f"./{NAME}"]))


def test_a_server_in_go(program):
    go = shutil.which("go") or support.lack("Go is missing. To get it: apt-get install golang-go (Debian 13), or Go's own site")
    folder = made(program, "go")
    # The module is not published yet.
    replaced = f"github.com/libmcp/libmcp-go={support.ROOT / 'bindings/go'}"
    known = {"GOFLAGS": support.go_flags("-mod=mod")}
    steps = [[go, "mod", "edit", f"-replace={replaced}"], [go, "build"], [go, "vet", "./..."], [go, "test", "./..."]]
    bundle, copies = bundled(folder, NAME)
    works(program, folder, [*steps, *copies], [f"./{NAME}"], (bundle, [f"./{NAME}"]), **known)


def test_a_server_in_java(program):
    """Maven has the binding from a repository of this checkout, and the rest from its own."""
    java = support.peer("java-binding")
    mvn = shutil.which("mvn") or support.lack("Maven is missing. To get it: apt-get install maven")
    folder, repository = made(program, "java"), support.emptied("templates-maven")
    library = f"{platform.system().lower()}-{platform.machine()}={java['library']}"
    support.run([support.places()["xtask"], "jar", "--to", repository, "--library", library], 600, cwd=support.ROOT).well()
    pom = folder / "pom.xml"
    ours = f"<repositories><repository><id>here</id><url>{repository.as_uri()}</url></repository></repositories>\n  <build>"
    pom.write_text(pom.read_text().replace("<build>", ours, 1))
    # What was downloaded stays, but for the binding itself.
    local = support.ROOT / "target/peers/maven"
    shutil.rmtree(local / "io/libmcp", ignore_errors=True)
    maven = [mvn, "-B", "-q", f"-Dmaven.repo.local={local}"]
    bundle, copies = bundled(folder, f"target/{NAME}.jar", "target/lib")
    env = {"JAVA_HOME": java["home"], "PATH": f"{java['home']}/bin:{environment()['PATH']}"}
    # The second step downloads, too: what runs the tests.
    for words in (["package", "-DskipTests"], ["test"]):
        step = functools.partial(support.run, [*maven, *words], 1500, env=environment(**env), cwd=folder)
        support.fetched(step, lambda finished: finished.code == 0 or "There are test failures" in finished.stdout).well()
    command = ["java", "-jar", f"target/{NAME}.jar"]
    works(program, folder, copies, command, (bundle, ["java", "-jar", f"{NAME}.jar"]), **env)


def test_a_server_for_node(program):
    folder = made(program, "node")
    # As npm installs it: a bundle has no links, and what the tests of the package need is not in it.
    shutil.copytree(
        support.peer("node-package"), folder / "node_modules/libmcp", ignore=shutil.ignore_patterns("node_modules")
    )
    node = support.peer("node")
    works(program, folder, [[node, "--test"]], [node, "server.js"], (folder, [node, "server.js"]))


def test_a_server_in_python(program):
    binding = support.peer("python-binding")
    folder = made(program, "python")
    python = binding["interpreter"]
    bundle, copies = bundled(folder, "server.py", Path(binding["folder"]) / "libmcp")
    steps = [[python, "-m", "unittest"], *copies]
    works(program, folder, steps, [python, "server.py"], (bundle, [python, "server.py"]), PYTHONPATH=str(binding["folder"]))


def test_a_server_in_rust(program):
    folder = made(program, "rust")
    # The crate is that of the checkout, with the versions of others that are known to work. The server cannot use `serde`.
    manifest = folder / "Cargo.toml"
    ours, known = support.on_the_crate(serde="not-for-the-server")
    text = manifest.read_text()
    theirs = 'mcp = { git = "https://github.com/libmcp/libmcp" }\nserde_json = "1"\n'
    assert theirs in text
    text = text.replace(theirs, ours)
    # An own workspace: the folder is below that of the checkout.
    manifest.write_text(f"{text}\n[workspace]\n")
    shutil.copy(support.ROOT / "Cargo.lock", folder / "Cargo.lock")
    cargo = shutil.which("cargo") or support.lack("cargo is missing")
    built = Path(known["CARGO_TARGET_DIR"]) / "debug" / NAME
    bundle, copies = bundled(folder, built)
    steps = [[cargo, "test", "--offline"], [cargo, "build", "--offline"], *copies]
    works(program, folder, steps, [built], (bundle, [f"./{NAME}"]), **known)


def test_a_server_in_swift(program):
    """Where Swift is in a chroot, its programs are, too: a script stands in their place."""
    enter = support.peer("swift")["enter"]
    folder, stage, kept = made(program, "swift"), support.places()["stage"], support.ROOT / "target/swift-templates"
    package = folder / "Package.swift"
    ours = f'.package(name: "libmcp-swift", path: "{support.ROOT / "bindings/swift"}")'
    theirs = '.package(url: "https://github.com/libmcp/libmcp-swift", from: "0.1.0")'
    text = package.read_text()
    assert theirs in text
    package.write_text(text.replace(theirs, ours))
    options = f"--scratch-path {shlex.quote(str(kept))} -Xlinker -rpath -Xlinker {shlex.quote(stage['library'])}"

    def swift(words):
        return [enter, f"set -eu; cd {shlex.quote(str(folder))}; export PKG_CONFIG_PATH={shlex.quote(stage['pkgconfig'])}\nswift {words} {options}"]

    def script(path, line):
        path.write_text(f'#!/bin/sh\nexec {shlex.quote(str(enter))} "exec {line}"\n')
        path.chmod(0o755)
        return path

    built = kept / "debug" / NAME
    started = script(folder.parent / "started.sh", built)
    bundle, copies = bundled(folder, built)
    script(bundle / "run.sh", f"'$(dirname \"$0\")/{NAME}'")
    works(program, folder, [swift("build"), swift("test"), *copies], [started], (bundle, ["./run.sh"]))


def test_a_server_in_yaml(program):
    folder = made(program, "yaml")
    command = [program, "serve", "server.yaml"]
    works(program, folder, [[program, "serve", "--check", "server.yaml"], [program, "test", "calls.yaml", "--", *command]], command)
