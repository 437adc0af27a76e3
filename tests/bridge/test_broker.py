"""`mcp run` and `mcp bridge --allow`: a hostile program that tries to reach more than it is given, and a server that writes down what
reaches it (`tests/broker`)."""

import json
import os
import shlex
import shutil
import signal
import socket
import stat
import sys
import tempfile
from pathlib import Path

import pytest
import support

# What the server has in its environment, and the program must not have.
SECRET = "s3cret-of-the-broker"
# What may reach the server: methods of the bridge itself, and calls of tools.
METHODS = {"server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call"}
TESTS = support.ROOT / "tests/broker"
HOSTILE = TESTS / "hostile.py"
# The interpreter itself: what is called `python3` may be a script that finds it.
PYTHON = os.path.realpath(sys.executable)


class Scene:
    def __init__(self, program, run):
        self.program, self.run, self.folder = program, run, support.scratch("broker")
        self.log, self.secret = self.folder / "received.txt", run / "login.json"
        # As one word.
        self.server = shlex.join([PYTHON, str(TESTS / "server.py"), str(self.log)])
        self.log.write_text("")
        self.secret.write_text(SECRET)
        self.place = {"env": {"BROKER_SECRET": SECRET, "HOME": self.folder}, "cwd": self.folder}

    def command(self, *words):
        """The program with a secret in its environment and a descriptor that it would hand on."""
        return ["sh", "-c", 'exec "$@" 9<"$0"', self.secret, self.program, *words]

    def mcp(self, *words):
        return support.run(self.command(*words), **self.place)

    def hostile(self, mode, *options, **more):
        """Runs the hostile program, which must have got nothing; no more than that has reached the server."""
        facts = {"secret": SECRET, "allowed": ["read", "ask"], "forbidden": ["write", "variable"], "bare_forbidden": "write", **more}
        allowed = ["--allow", "read", "--allow", "as*", "--pass", "GIVEN=this"]
        finished = self.mcp("run", *allowed, *options, self.server, "--", PYTHON, HOSTILE, mode, json.dumps(facts))
        assert finished.code == 0 and finished.stdout == "nothing\n", finished.story()
        received = [line for line in self.log.read_text().splitlines() if '"method":' in line]
        calls = [line for line in received if '"tools/call"' in line]
        for line in received:
            assert any(f'"method":"{method}"' in line for method in METHODS), f"the server got {line}"
        for line in calls:
            names = line.count('"name":"read"') + line.count('"name":"ask"')
            others = line.count('name"') - line.count('"params":{"name":"write"}')
            assert names == 1 and others == 1, f"the server got another name in {line}"
        assert len(calls) >= 3, f"the server got {len(calls)} calls: {received}"


@pytest.fixture
def scene(program):
    # Short, for paths of sockets.
    with tempfile.TemporaryDirectory(prefix="mcp-") as run:
        yield Scene(program, Path(run))


def test_a_hostile_program_without_a_sandbox_reaches_allowed_tools_only(scene):
    scene.hostile("plain", "--no-sandbox")


def test_a_hostile_program_in_the_sandbox_reaches_nothing_else(scene):
    if not shutil.which("bwrap"):
        support.lack("bubblewrap, which makes the sandbox of mcp run, is missing. To get it: apt-get install bubblewrap")
    writable = scene.folder / "writable"
    writable.mkdir(exist_ok=True)
    (writable / "made").unlink(missing_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as other:
        other.bind(str(scene.run / "other.sock"))
        other.listen()
        prefix = os.path.realpath(sys.base_prefix)
        scene.hostile(
            "sandboxed", "--read", prefix, "--read", HOSTILE, "--write", writable,
            files=[str(scene.secret), "/etc/shadow", str(scene.log)], port=port.getsockname()[1],
            other_socket=str(scene.run / "other.sock"), readable=str(HOSTILE), writable=str(writable),
        )
    assert (writable / "made").read_text() == "by the program"


def test_a_bridge_with_allow_lists_what_is_allowed_at_a_socket_of_its_owner(scene):
    socket_file = scene.run / "bridge.sock"
    address = f"unix:{socket_file}"
    servers = [f"one={scene.server}", f"two={scene.server}"]
    words = scene.command("bridge", "--listen", address, "--allow", "two/read", "--allow", "one/as*", *servers)
    with support.Served(words, scene.folder / "bridge.err", **scene.place) as bridge:
        assert bridge.first_line() == address
        assert stat.S_IMODE(socket_file.stat().st_mode) == 0o600
        listed = scene.mcp("tools", address, "-o", "names")
        assert listed.stdout == "one__ask\ntwo__read\n", listed.story()


def test_mcp_run_has_the_exit_code_of_the_program_and_ends_it_by_sigterm(scene):
    options = ["run", "--no-sandbox", "--allow", "read", scene.server, "--", "sh", "-c"]
    finished = scene.mcp(*options, "exit 7")
    assert finished.code == 7, finished.story()
    words = scene.command(*options, "echo $$ $PPID; exec sleep 1000")
    with support.Served(words, scene.folder / "signal.err", **scene.place) as served:
        child, own = map(int, served.first_line().split())
        os.kill(own, signal.SIGTERM)
        assert served.end() == 130
        assert not support.is_alive(child)


@pytest.mark.parametrize(
    ("options", "servers", "says"),
    [
        (["--allow", "raed"], "", "has no tool 'raed'"),
        (["--allow", "read"], ("one", "two"), "give SERVER/TOOL with one of: one, two"),
        (["--allow", "three/read"], ("one", "two"), "no server is called 'three'"),
        (["--allow", "read", "--pass", "MCP_NO_SUCH"], "", "give MCP_NO_SUCH=VALUE"),
        ([], "", "--allow"),
    ],
)
def test_what_allow_and_pass_name_must_be_there(scene, options, servers, says):
    named = [f"{name}={scene.server}" for name in servers] or [scene.server]
    scene.mcp("run", "--no-sandbox", *options, *named, "--", "true").refused(1, says)


def test_without_bubblewrap_mcp_run_says_what_to_do(scene):
    empty = scene.folder / "empty"
    empty.mkdir(exist_ok=True)
    words = [scene.program, "run", "--allow", "read", scene.server, "--", "true"]
    finished = support.run(words, env={"PATH": empty})
    assert finished.code != 0 and "bubblewrap" in finished.stderr and "--no-sandbox" in finished.stderr, finished.story()
