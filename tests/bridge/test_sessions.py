"""`mcp session`: a kept connection, starts at one time, processes that are killed, sockets that are left, an end by idling, a program that
is replaced meanwhile. And `mcp serve`: programs as tools."""

import json
import os
import shutil
import signal
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import support


class Scene:
    def __init__(self, program, server, run):
        self.program, self.server, self.folder = program, server, support.scratch("sessions")
        # Short, for a path of a socket.
        self.run = run

    def mcp(self, *words, program=None):
        env = {"XDG_RUNTIME_DIR": self.run, "HOME": self.folder}
        return support.run([program or self.program, *words], env=env, cwd=self.folder)

    def output(self, *words):
        return self.mcp(*words).well().stdout

    def refused(self, code, says, *words):
        self.mcp(*words).refused(code, says)

    def start(self, name, *words):
        return self.output("session", "start", name, *words, "--", self.server)


@pytest.fixture
def scene(program, example_server):
    with tempfile.TemporaryDirectory(prefix="mcp-") as run:
        scene = Scene(program, example_server, Path(run))
        yield scene
        # Those of a test that failed.
        for name in scene.output("session", "list", "-o", "names").split():
            scene.output("session", "stop", name)


def test_a_session_keeps_one_process_of_the_server_for_several_commands(scene):
    scene.start("one")
    assert scene.output("call", "@one", "pid") == scene.output("call", "@one", "pid")
    names = scene.output("session", "list", "-o", "names")
    second = json.loads(scene.start("two", "-o", "json"))
    scene.refused(4, "did you mean '@two'?", "call", "@twoo", "pid")
    scene.refused(1, "did you mean 'two'?", "session", "stop", "twoo")
    stopped = json.loads(scene.output("session", "stop", "two", "-o", "json"))
    assert {"session", "pid"} <= second.keys() and "stopped" in stopped
    scene.output("session", "stop", "one")
    assert names == "one\n"
    scene.refused(4, "there is no session 'one'", "call", "@one", "pid")
    scene.refused(1, "there is no session 'one'", "session", "stop", "one")


def test_of_several_starts_at_one_time_one_wins_and_the_others_say_why(scene):
    for _ in range(5):
        with ThreadPoolExecutor(3) as pool:
            starts = [pool.submit(scene.mcp, "session", "start", "race", "--", scene.server) for _ in range(3)]
        ended = [start.result() for start in starts]
        for lost in (it for it in ended if it.code != 0):
            assert "runs already, or is being started" in lost.stderr, lost.story()
        scene.output("session", "stop", "race")
        assert [it.code for it in ended].count(0) == 1


def test_a_session_whose_process_was_killed_is_told_as_such_and_started_again(scene):
    for _ in range(3):
        scene.start("crash")
        [session] = json.loads(scene.output("session", "list", "-o", "json"))["sessions"]
        os.kill(session["pid"], signal.SIGKILL)
        support.until("the killed session is gone", lambda: len(scene.output("session", "list").splitlines()) <= 1)
        scene.refused(4, "there is no session 'crash'", "call", "@crash", "pid")
        assert (scene.run / "libmcp/crash.sock").exists(), "its socket is not there, so that the test shows nothing"
    scene.start("crash")
    scene.output("call", "@crash", "echo", "text=again")
    scene.output("session", "stop", "crash")


def test_a_session_that_no_command_uses_ends_by_itself(scene):
    scene.start("idle", "--idle", "0.3")
    support.until("it ends", lambda: "@idle" not in scene.output("session", "list"))


def test_a_session_goes_on_when_the_program_is_replaced(scene):
    copy = scene.folder / "mcp-old"
    copy.unlink(missing_ok=True)
    shutil.copy(scene.program, copy)
    scene.mcp("session", "start", "old", "--", scene.server, program=copy).well()
    copy.unlink()
    copy.write_text("no program any more")
    scene.output("call", "@old", "echo", "text=still here")
    scene.output("session", "stop", "old")


def test_a_server_that_does_not_start_is_the_error_of_the_start(scene):
    scene.refused(4, "there is no such file", "session", "start", "bad", "--", "/nonexistent/server")
    scene.refused(1, "is not a name of a session", "session", "start", "a/b", "--", scene.server)


def test_a_trace_of_a_session_has_what_it_and_the_server_behind_it_say(scene):
    scene.start("traced")
    lines = [json.loads(line) for line in scene.output("trace", "@traced", "echo", "text=seen", "-o", "json").splitlines()]
    messages = [line for line in lines if "message" in line]
    [call] = [line for line in messages if line["message"].get("method") == "tools/call"]
    assert call["direction"] == "sent" and call["message"]["params"]["arguments"] == {"text": "seen"}
    [answer] = [line for line in messages if "result" in line["message"] and line["message"]["id"] == call["message"]["id"]]
    assert answer["direction"] == "received" and "seen" in json.dumps(answer["message"])
    # What the program and the session say to each other is not of the server.
    assert not [line for line in messages if line["message"].get("method") in ("initialize", "libmcp/ping")]
    # Without a tool the server is asked whether it is there, in the way of its revision.
    assert "result" in scene.output("trace", "@traced")
    file = scene.folder / "traced.jsonl"
    scene.output("trace", "@traced", "echo", "text=kept", "--to", file)
    assert '"text":"kept"' in file.read_text()
    assert scene.output("replay", file, "@traced") == ""
    scene.output("session", "stop", "traced")
    assert not list((scene.run / "libmcp").glob("traced.msgs"))


TOOLS = """name: programs
tools:
  - name: say
    command: [printf, '%s', '{text}']
    inputSchema: {type: object, properties: {text: {type: string}}, required: [text]}
  - name: wait
    shell: 'echo $$ > pid; sleep 1000 & sleep 1000'
  - name: wrong
    shell: 'echo why >&2; exit 4'
"""


def test_programs_are_tools_of_mcp_serve_and_end_with_a_cancelled_call(scene):
    file = scene.folder / "tools.yaml"
    file.write_text(TOOLS)
    target = f"{scene.program} serve {file}"
    assert scene.output("call", target, "say", "text=$(id) `id`") == "$(id) `id`\n"
    scene.refused(5, "reported an error", "call", target, "wrong")
    scene.refused(4, "did not answer", "--timeout", "1", "call", target, "wait")
    leader = int((scene.folder / "pid").read_text())
    # The group has the number of its leader.
    support.until("the whole group has ended", lambda: not support.is_alive(-leader))
    file.write_text("name: x\ntools:\n  - name: y\n    comand: [z]\n")
    scene.refused(1, "unknown field `comand`", "serve", "--check", file)
