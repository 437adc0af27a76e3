"""A person at a pseudo terminal: progress, forms, Ctrl-C once and twice, the shell, colours, narrow terminals, terminals without UTF-8. And
what the program does when its terminal goes away, or a script interrupts it; its size and its memory."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest
import support

INTERRUPT, END = "\x03", "\x04"
# The stripped program, and what it has of its own in memory at most, connected to a native server. How much of its file is mapped
# as well is for the system to choose; its size bounds it.
MOST_BYTES, MOST_KIBIBYTES = 12 * 1024 * 1024, 2 * 1024
NOT_OF_THE_MACHINE = [
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "COMPLETE", "LC_ALL", "LC_CTYPE", "LANG", "CODEX_HOME", "CLAUDE_CONFIG_DIR",
    "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE",
]


@pytest.fixture
def home(tmp_path, example_server):
    """A home, and a project with a server that was not approved."""
    project = tmp_path / "project"
    project.mkdir()
    asked = {"command": "sh", "args": ["-c", f"exec {example_server}", "\x1b[2J"]}
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": {"asked": asked}}))
    return tmp_path


@pytest.fixture
def place(home):
    env = dict.fromkeys(NOT_OF_THE_MACHINE) | {"XDG_RUNTIME_DIR": home / "run", "HOME": home, "TERM": "xterm"}
    return {"env": env, "cwd": home / "project"}


class Terminal:
    """The program at a terminal."""

    def __init__(self, words, place, columns, **variables):
        self.main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.child = subprocess.Popen(
            [str(word) for word in words], stdin=other, stdout=other, stderr=other, cwd=place["cwd"],
            env=support.environment(place["env"] | variables), start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(other)
        # How much of the output earlier waits have used.
        self.bytes, self.used, self.deadline = b"", 0, time.monotonic() + support.START

    @property
    def seen(self):
        return self.bytes.decode(errors="replace")

    def look(self):
        """Reads what there is; false at the end, which Linux tells as an error."""
        ready, _, _ = select.select([self.main], [], [], 0.05)
        if not ready:
            return True
        with contextlib.suppress(OSError):
            part = os.read(self.main, 65536)
            self.bytes += part
            return bool(part)
        return False

    def until(self, text):
        """Waits until the output, from the last thing that was waited for on, contains a text."""
        while (at := self.seen.find(text, self.used)) < 0:
            assert self.look() and time.monotonic() < self.deadline, f"{text!r} did not come: {self.seen!r}"
        self.used = at + len(text)
        return self

    def types(self, text):
        os.write(self.main, text.encode())
        return self

    def ends_with(self, code):
        """Waits for its end; gives all output."""
        while self.look():
            assert time.monotonic() < self.deadline, f"it does not end: {self.seen!r}"
        assert self.child.wait(support.START) == code, self.seen
        self.close()
        return self.seen

    def close(self):
        if self.main is not None:
            os.close(self.main)
            self.main = None
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()


@pytest.fixture
def at_terminal(program, place):
    opened = []

    def terminal(*words, columns=80, **variables):
        opened.append(Terminal([program, *words], place, columns, **variables))
        return opened[-1]

    yield terminal
    for it in opened:
        it.close()


@pytest.fixture
def slow(example_server):
    return ["call", example_server, "slow", "ms=120000", "steps=1000"]


def test_a_bar_shows_the_progress_of_a_call(at_terminal, example_server):
    terminal = at_terminal("call", example_server, "slow", "ms=1500", "steps=5")
    assert "1500 ms" in terminal.until("=> ").until(" % ").ends_with(0)


def test_a_form_is_asked_and_answered(at_terminal, example_server):
    terminal = at_terminal("call", example_server, "ask", "question=Who?")
    terminal.until("The server asks:").until("Who?").until("Answer").types("me myself\n")
    assert "me myself" in terminal.ends_with(0)


def test_a_form_is_declined(at_terminal, example_server):
    terminal = at_terminal("call", example_server, "ask", "question=Who?")
    assert "declin" in terminal.until("The server asks:").until("Answer").types("!\n").ends_with(0)


def test_a_server_of_a_project_is_approved_once(at_terminal):
    """The person sees all of the entry, harmless, and is asked until the answer is yes; then it is used without a question."""
    words = ["info", "-o", "names", "asked"]
    for answer, code in [("\n", 7), ("n\n", 7), ("y\n", 0)]:
        terminal = at_terminal(*words).until("have not approved").until("[y/N] ")
        assert "\\u001b[2J" in terminal.seen and "\x1b" not in terminal.seen
        terminal.types(answer).ends_with(code)
    assert "[y/N]" not in at_terminal(*words).ends_with(0), "it asks again"


def test_ctrl_c_cancels_and_says_so(at_terminal, slow):
    assert "interrupted" in at_terminal("-v", *slow).until(" % ").types(INTERRUPT).ends_with(130)


def test_a_second_ctrl_c_ends_at_once(at_terminal):
    """A server that does not read holds the first Ctrl-C up; the second one needs nothing of it."""
    server = f"{support.places()['scripted_server']} ignore-eof,ignore-term"
    at_terminal("-v", "call", server, "hang").until("[state] ready").types(INTERRUPT).types(INTERRUPT).ends_with(130)


def test_ctrl_c_ends_a_doctor_that_tries_several_revisions(at_terminal, example_server, home):
    """The first start answers, and those for the revisions do not: each of them is there when Ctrl-C comes, and none afterwards."""
    started, server = home / "started", home / "server"
    server.write_text(f"#!/bin/sh\necho $$ >> {started}\n[ $(wc -l < {started}) -gt 1 ] || exec {example_server}\nexec cat > /dev/null\n")
    server.chmod(0o700)
    terminal = at_terminal("doctor", server)
    support.until("several revisions are tried at one time", lambda: started.exists() and len(started.read_text().splitlines()) >= 3)
    assert "interrupted" in terminal.types(INTERRUPT).ends_with(130)
    left = [process for process in started.read_text().split() if support.is_alive(int(process))]
    assert not left, f"these servers go on: {left}"


def test_ctrl_c_ends_a_watch_without_a_failure(at_terminal, example_server):
    # A Ctrl-C before this line would end the program as interrupted.
    at_terminal("watch", example_server).until("watching ").types(INTERRUPT).ends_with(0)


def test_the_shell_completes_remembers_and_saves(at_terminal, example_server, home):
    shell, prompt = ["shell", example_server], "mcp> "
    terminal = at_terminal(*shell)
    terminal.until(prompt).types("ad\t").until("add").types(" a=1 b=4\n").until("5\r\n")
    terminal.until(prompt).types("nonsense\n").until("neither a command")
    terminal.until(prompt).types(f"save {home / 'saved'}\n")
    terminal.until(prompt).types("read demo://lo\t").until("demo://logo").types("\n").until("saved as")
    terminal.until(prompt).types(INTERRUPT).until(prompt).types(END).ends_with(0)
    assert (home / "saved/logo.png").read_bytes().startswith(b"\x89PNG")
    # Arrow up is the last line of the shell before.
    terminal = at_terminal(*shell).until(prompt).types("\x1b[A").until("read demo://logo").types("\n").until("image/png")
    terminal.until(prompt).types("exit\n").ends_with(0)


def test_colours_and_no_color(at_terminal, example_server):
    assert "\x1b[1mTOOL" in at_terminal("tools", example_server).ends_with(0)
    plain = at_terminal("tools", example_server, NO_COLOR="1").ends_with(0)
    assert "TOOL" in plain and "\x1b[1m" not in plain


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("words", [["list"], ["trace"], ["bench", "pid", "-n", "20"]])
def test_tables_are_as_narrow_as_the_terminal(at_terminal, example_server, columns, words):
    text = at_terminal(words[0], example_server, *words[1:], columns=columns, NO_COLOR="1").ends_with(0)
    # What a spinner draws over itself is not a line, and what a server writes to its standard error is shown whole.
    lines = [line for line in re.split(r"[\r\n]", text) if "\x1b" not in line and " ms ! " not in line]
    assert max(map(len, lines)) <= columns, text


def test_without_utf_8_everything_is_ascii(at_terminal, example_server):
    ascii_alone = {"columns": 120, "LC_ALL": "C", "NO_COLOR": "1"}
    assert "add(a: number, b: number) -> {sum: number}" in at_terminal("tools", example_server, **ascii_alone).ends_with(0)
    assert "\\u{fc}" in at_terminal("call", example_server, "echo", "text=\u00fc", **ascii_alone).ends_with(0)
    assert "\u2192 {sum: number}" in at_terminal("tools", example_server, columns=120, LC_ALL="C.UTF-8").ends_with(0)


def test_a_terminal_that_goes_away_ends_the_program(at_terminal, slow):
    terminal = at_terminal(*slow).until(" % ")
    os.close(terminal.main)
    terminal.main = None
    assert terminal.child.wait(support.START) != 0


def ready(words, place, sign):
    """The program, of which a line of its standard error has come."""
    child = subprocess.Popen(
        [str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env=support.environment(place["env"]), cwd=place["cwd"],
    )
    assert any(sign in line for line in child.stderr), "the line did not come"
    return child


def test_a_signal_cancels_the_call_and_the_exit_code_says_so(program, place, slow):
    with ready([program, "-v", *slow], place, "[state] ready") as child:
        child.send_signal(signal.SIGINT)
        child.stderr.read()
    assert child.returncode == 130


@pytest.mark.of_packages
def test_it_needs_little_memory(program, place, example_server):
    with ready([program, "shell", example_server], place, "Type help") as child:
        status = Path(f"/proc/{child.pid}/status").read_text()
        child.stdin.close()
        child.stderr.read()
    assert child.returncode == 0
    own = int(re.search(r"RssAnon:\s+(\d+)", status)[1])
    assert own <= MOST_KIBIBYTES, f"{own} KiB"


@pytest.mark.of_packages
def test_the_stripped_program_is_small(program, tmp_path):
    copy = shutil.copy(program, tmp_path)
    support.run(["strip", copy]).well()
    assert os.path.getsize(copy) <= MOST_BYTES


def test_tasks_at_a_server_are_waited_for_and_cancelled(program, place):
    """A server at a URL keeps tasks when its clients have gone: the bridge keeps the one that is started."""
    server = [support.places()["scripted_server"], "--era", "modern"]
    words = [program, "bridge", "--listen", "http://127.0.0.1:0/mcp", "--protocol", "modern", "--", *server]
    with support.Served(words, support.scratch("cli") / "tasks-bridge.err", **place) as bridge:
        url = bridge.first_line()

        def mcp(*words):
            return support.run([program, *words], **place).well().stdout

        def detach():
            # `task     NAME` is the first line.
            return mcp("call", url, "research", "topic=bees", "--detach").split()[1]

        task = detach()
        assert '"status"' in mcp("tasks", "get", url, task, "-o", "json")
        assert "bees" in mcp("tasks", "wait", url, task)
        task = detach()
        mcp("tasks", "cancel", url, task)
        assert '"cancelled"' in mcp("tasks", "get", url, task, "-o", "json")
