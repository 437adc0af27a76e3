"""The end of `mcp serve` and `mcp bridge` with --drain and --notice: what is under way ends, nothing new begins, and a second signal ends all."""

import os
import subprocess

import pytest
import support

HOUR = "3600"
INTERRUPTED = 130
TOOLS = """
name: slow
tools:
  - name: greet
    command: [echo, hello]
  - name: wait
    command: [./wait.sh, "{name}"]
    inputSchema: {type: object, properties: {name: {type: string}}, required: [name]}
"""
WAIT = """#!/bin/sh
cd "$(dirname "$0")" || exit 1
: > "begun-$1"
read -r _ < "go-$1"
echo done
"""


class Place:
    """A program that serves two tools, one of which waits for a pipe, and calls of that one."""

    def __init__(self, how, program, folder, *options):
        self.program, self.folder, self.port = program, folder, support.free_port()
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        (folder / "tools.yaml").write_text(TOOLS)
        (folder / "wait.sh").write_text(WAIT)
        (folder / "wait.sh").chmod(0o755)
        served = [program, "serve", folder / "tools.yaml"]
        behind = ["--", *served] if how == "bridge" else []
        first = [program, "bridge"] if how == "bridge" else served
        self.words = [*first, "--listen", self.url, *options, *behind]

    def served(self):
        return support.Served(self.words, self.folder / "log", self.port)

    def begin(self, name):
        """A call whose program runs."""
        os.mkfifo(self.folder / f"go-{name}")
        call = subprocess.Popen(
            [self.program, "call", self.url, "wait", f"name={name}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        support.until("the call runs", lambda: call.poll() is not None or (self.folder / f"begun-{name}").exists())
        assert call.poll() is None, call.stdout.read()
        return call

    def release(self, name):
        (self.folder / f"go-{name}").write_text("go\n")

    def health(self):
        return support.spoken(self.port, "GET", "/health").split(" ")[1]

    def is_closed(self, served):
        """Whether nothing listens there, and the program has not ended."""
        assert served.child.poll() is None, f"it has ended: {served.log.read_text()}"
        return not served.listens()


@pytest.fixture(params=["serve", "bridge"])
def place(request, program, tmp_path):
    return lambda *options: Place(request.param, program, tmp_path, *options)


def ended(call):
    output, _ = call.communicate(timeout=support.START)
    return call.returncode, output


def test_a_call_under_way_ends_and_no_client_connects(place):
    place = place("--drain", HOUR)
    with place.served() as served:
        call = place.begin("a")
        served.child.terminate()
        support.until("no client connects", lambda: place.is_closed(served))
        assert call.poll() is None, "the call was ended"
        place.release("a")
        code, output = ended(call)
        assert (code, output.strip()) == (0, "done")
        assert served.child.wait(support.START) == 0, served.log.read_text()


def test_what_does_not_end_in_its_time_is_refused(place):
    place = place("--drain", "0.1")
    with place.served() as served:
        call = place.begin("a")
        served.terminate()
        code, output = ended(call)
        assert code != 0 and "done" not in output, output


def test_a_second_signal_ends_it_at_once(place):
    place = place("--drain", HOUR)
    with place.served() as served:
        call = place.begin("a")
        served.child.terminate()
        support.until("no client connects", lambda: place.is_closed(served))
        served.terminate(INTERRUPTED)
        assert ended(call)[0] != 0


def test_health_says_no_while_calls_are_still_served(place):
    place = place("--notice", HOUR, "--drain", HOUR)
    with place.served() as served:
        assert place.health() == "200"
        call = place.begin("a")
        served.child.terminate()
        support.until("health says no", lambda: place.health() == "503")
        finished = support.run([place.program, "call", place.url, "greet"])
        assert finished.well().stdout.strip() == "hello"
        place.release("a")
        assert ended(call)[0] == 0
        served.terminate(INTERRUPTED)
