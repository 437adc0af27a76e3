"""A long life in short time: clients of both eras come over HTTP and a socket and go, some without a word, one stays, and the server behind
ends again and again. Every call has its answer, or the error that says that the server is not there, and the bridge does not grow. A deep
run has as many clients and ends of the server as a day with a client every 4.3 seconds and a server that ends every 52."""

import json
import re
import socket
import sys
import time
from pathlib import Path

import pytest
import support

# How long what ended may take until it is given back.
SETTLED = 20
# How often clients come in a short and in a deep run, and every how many of them is the program `mcp` itself.
ROUNDS, DEEP_ROUNDS = (96, 5), (20_000, 101)
# The server behind ends after so many of them.
CRASH = 12
# What the second half of a run may add: KiB, descriptors, threads.
GROWTH = (2048, 4, 1)
# What the bridge says of a server that is being started again.
NOT_THERE = "the server behind the bridge"
HEADERS = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}})
INITIALIZED = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})


def echo(number, **more):
    parameters = {"name": "echo", "arguments": {"text": f"round {number}."}, **more}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": parameters})


class Life:
    """The clients. Each gives what came back for its call."""

    def __init__(self, program, port, folder):
        self.program, self.port, self.folder = program, port, folder
        self.url, self.socket = f"http://127.0.0.1:{port}/mcp", folder / "socket"

    def call(self, *words):
        return support.run([self.program, "call", *words], env={"HOME": self.folder})

    def by_program(self, number):
        place = self.url if number % 2 == 0 else f"unix:{self.socket}"
        finished = self.call("--protocol", "legacy" if number % 4 < 2 else "modern", place, "echo", f"text=round {number}.")
        return f'"{finished.stdout.strip()}"' if finished.code == 0 else finished.story()

    def by_request(self, number):
        """A client of 2026-07-28: one request."""
        prefix = "io.modelcontextprotocol/"
        meta = {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientInfo": {"name": "raw", "version": "1"},
                f"{prefix}clientCapabilities": {}}
        headers = f"{HEADERS}MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n"
        return support.spoken(self.port, "POST", "/mcp", headers, echo(number, _meta=meta))

    def session(self):
        """Opens a session of the legacy era; gives its headers."""
        answer = support.spoken(self.port, "POST", "/mcp", HEADERS, INITIALIZE)
        session = re.search(r"(?im)^mcp-session-id: *(\S+)", answer)
        assert session, f"no session was opened: {answer}"
        headers = f"{HEADERS}Mcp-Session-Id: {session[1]}\r\nMCP-Protocol-Version: 2025-11-25\r\n"
        support.spoken(self.port, "POST", "/mcp", headers, INITIALIZED)
        return headers

    def by_session(self, session, number, ends):
        answer = support.spoken(self.port, "POST", "/mcp", session, echo(number))
        # Some that end do not say so. Their sessions last for a time that is longer than a run.
        if ends and number % 64 != 2:
            support.spoken(self.port, "DELETE", "/mcp", session)
        return answer

    def by_socket(self, number):
        """A client of the legacy era at the socket."""
        with socket.socket(socket.AF_UNIX) as stream:
            stream.settimeout(support.START)
            stream.connect(str(self.socket))
            stream.sendall(f"{INITIALIZE}\n{INITIALIZED}\n{echo(number)}\n".encode())
            for line in stream.makefile(encoding="utf-8"):
                if f'"id":{number}' in line:
                    return line
        return "the socket was closed without an answer"

    def leave_without_a_word(self):
        """A client that breaks off within a request."""
        with socket.create_connection(("127.0.0.1", self.port)) as stream:
            stream.sendall(b'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"jsonrpc"')

    def once(self, number, every, stays):
        if number % every == 0:
            return self.by_program(number)
        if number % 4 == 1:
            return self.by_socket(number)
        if number % 4 == 2:
            return self.by_session(self.session(), number, True)
        return self.by_session(stays, number, False) if number % 8 == 3 else self.by_request(number)


def size(pid):
    """What a process takes of the machine, as `GROWTH` has it."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(status["VmRSS"].split()[0]), len(list(Path(f"/proc/{pid}/fd").iterdir())), int(status["Threads"])


def has_grown(now, before):
    return any(new > old + more for new, old, more in zip(now, before, GROWTH))


@pytest.mark.skipif(sys.platform != "linux", reason="it is watched through /proc, which Linux has")
def test_clients_and_servers_come_and_go_and_the_bridge_does_not_grow(program, example_server, deep):
    rounds, every = DEEP_ROUNDS if deep else ROUNDS
    folder = support.scratch("bridge-life")
    # The waits before a new start are what a day is long for.
    server = {"command": example_server, "reconnect": {"initial_ms": 10, "max_ms": 50, "stable_ms": 1}}
    (folder / "servers.json").write_text(json.dumps({"mcpServers": {"ends": server}}))
    life = Life(program, support.free_port(), folder)
    words = [program, "bridge", "--config", folder / "servers.json", "ends", "--listen", f"unix:{life.socket}", "--listen", life.url]
    with support.Served(words, folder / "bridge.log", life.port) as bridge:
        pid, begun = bridge.child.pid, time.monotonic()
        stays, half, crashes = life.session(), None, 0
        for number in range(rounds):
            if number % CRASH == CRASH - 1:
                assert life.call(life.url, "crash").code != 0, "the call that ends the server succeeded"
                crashes += 1
                life.leave_without_a_word()
            else:
                deadline = time.monotonic() + support.START
                while f'"round {number}."' not in (answer := life.once(number, every, stays)):
                    assert NOT_THERE in answer, f"round {number}: {answer}"
                    assert time.monotonic() < deadline, f"round {number}: the server does not come back"
                    time.sleep(0.01)
            if number == rounds // 2:
                half = size(pid)
        # What clients have left is given back when the bridge has seen it, which takes a moment on a busy machine.
        deadline = time.monotonic() + SETTLED
        while has_grown(whole := size(pid), half) and time.monotonic() < deadline:
            time.sleep(0.1)
        print(f"bridge: {rounds} clients, {crashes} ends of the server, {time.monotonic() - begun:.0f} s; "
              f"KiB, descriptors, threads: half {half}, end {whole}")
        bridge.terminate()
    assert not life.socket.exists(), "its socket is left"
    assert not has_grown(whole, half), f"it grew from {half} to {whole} in the second half"
