"""What `mcp init` makes, in each language: it builds, its test passes, `doctor` finds no fault, and it answers a call."""

import os
import shutil
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


def works(program, folder, steps, command, **variables):
    """The steps of the README, and then what a client sees."""
    env = environment(**variables)
    for step in steps:
        support.run(step, 600, env=env, cwd=folder).well()
    options = [word for name in ["LD_LIBRARY_PATH", *variables] for word in ("-e", f"{name}={env[name]}")]
    doctor = support.run([program, "doctor", *options, "--", *command], env=env, cwd=folder).well()
    assert "0 faults" in doctor.stdout, doctor.story()
    said = support.run([program, "call", "greet", "name=Ada", *options, "--", *command], env=env, cwd=folder).well()
    assert said.stdout == "Hello, Ada!\n", said.story()


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_server_by_make_and_pkg_config(program, language):
    flags = [f"CFLAGS={BY_PKG_CONFIG}", f"CXXFLAGS={BY_PKG_CONFIG}"]
    works(program, made(program, language), [["make", *flags], ["make", "test", *flags]], [f"./{NAME}"])


def test_a_server_in_go(program):
    go = shutil.which("go") or support.lack("Go is missing. To get it: apt-get install golang-go (Debian 13), or Go's own site")
    folder = made(program, "go")
    # The module is not published yet.
    replaced = f"github.com/libmcp/libmcp-go={support.ROOT / 'bindings/go'}"
    stage = support.places()["stage"]
    known = {"GOFLAGS": "-mod=mod", "CGO_LDFLAGS": f"-Wl,-rpath,{stage['library']}"}
    steps = [[go, "mod", "edit", f"-replace={replaced}"], [go, "build"], [go, "vet", "./..."], [go, "test", "./..."]]
    works(program, folder, steps, [f"./{NAME}"], **known)


def test_a_server_for_node(program):
    folder = made(program, "node")
    (folder / "node_modules").mkdir()
    (folder / "node_modules/libmcp").symlink_to(support.peer("node-package"))
    node = support.peer("node")
    works(program, folder, [[node, "--test"]], [node, "server.js"])


def test_a_server_in_python(program):
    binding = support.peer("python-binding")
    folder = made(program, "python")
    python = binding["interpreter"]
    works(program, folder, [[python, "-m", "unittest"]], [python, "server.py"], PYTHONPATH=str(binding["folder"]))


def test_a_server_in_rust(program):
    folder = made(program, "rust")
    # The crate is that of the checkout, with the versions of others that are known to work.
    manifest = folder / "Cargo.toml"
    ours = f'mcp = {{ path = "{support.ROOT}" }}'
    text = manifest.read_text().replace('mcp = { git = "https://github.com/libmcp/libmcp" }', ours)
    # An own workspace: the folder is below that of the checkout.
    manifest.write_text(f"{text}\n[workspace]\n")
    shutil.copy(support.ROOT / "Cargo.lock", folder / "Cargo.lock")
    target = support.scratch("templates") / "rust-target"
    cargo = shutil.which("cargo") or support.lack("cargo is missing")
    works(program, folder, [[cargo, "test", "--offline"], [cargo, "build", "--offline"]], [target / "debug" / NAME],
          CARGO_TARGET_DIR=str(target))


def test_a_server_in_yaml(program):
    folder = made(program, "yaml")
    command = [program, "serve", "server.yaml"]
    works(program, folder, [[program, "serve", "--check", "server.yaml"], [program, "test", "calls.yaml", "--", *command]], command)
