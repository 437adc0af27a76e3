"""Servers that others made, used by `examples/c/inspect.c` over standard input and output, in every era they speak.

Each case starts a server, lets `inspect` list what it offers and call a tool, and looks for known facts in the output: how the era is found,
and how a refusal is told. What they offer at each revision is in `test_compatibility.py`. What the servers do was found by talking to them by
hand, not by believing our own client.
"""

import json

import pytest
import support
from interop import plans

FOLDER = "interop"


def of_python(name):
    return [support.peer(name), support.ROOT / "tests/servers/python/server.py"]


SERVERS = {
    "everything": lambda: plans.reference_server("everything"),
    # Started the way its users do, through a launcher that starts a shell that starts the server.
    "npx": lambda: [support.peer("npx"), "-y", "@modelcontextprotocol/server-everything"],
    "filesystem": lambda: [*plans.reference_server("filesystem"), support.scratch(f"{FOLDER}/served")],
    "python 1.x": lambda: of_python("python-1"),
    "python 2.x": lambda: of_python("python-2"),
    # Our own, to have one peer that needs nothing installed.
    "example": lambda: [support.places()["example_server"]],
}

OF_PYTHON = ["\nnotify\n", "test://greeting", "\nask\n", '"sum": 5']

# A name; the server, the protocol, a tool with its arguments; the exit status, and texts of the output with its blanks joined. The status is 2
# where the server does not speak what was asked for, or the tool says that it failed.
CASES = {
    # The reference servers know the legacy era only, and answer server/discover with -32601.
    "everything, auto: falls back to the handshake and shows all it offers": (
        "everything", "auto", ("echo", {"message": "hello from libmcp"}), 0,
        ["server mcp-servers/everything", "version 2.0.0", "revision 2025-11-25", "era legacy", "\nget-sum\n",
         "demo://resource/static/document/architecture.md", "demo://resource/dynamic/text/{resourceId}", "\nsimple-prompt\n",
         "echo says\nEcho: hello from libmcp"]),
    "everything through npx": (
        "npx", "auto", ("echo", {"message": "launched"}), 0, ["server mcp-servers/everything", "Echo: launched"]),
    "everything, modern: is told that it cannot": ("everything", "modern", None, 2, []),
    "filesystem, legacy: a refusing tool is shown as failed": (
        "filesystem", "legacy", ("read_text_file", {"path": "/etc/hostname"}), 2, ["Access denied"]),
    # Python SDK 1.x: the legacy era only; answers server/discover with -32602, not -32601.
    "python 1.x, auto: falls back to the handshake and shows all it offers": (
        "python 1.x", "auto", ("add", {"a": 2, "b": 3}), 0,
        ["server python-test-server", "version 1.30.0", "revision 2025-11-25", "era legacy", "test://items/{number}", *OF_PYTHON]),
    "python 1.x, modern: is told that it cannot": ("python 1.x", "modern", None, 2, []),
    # Python SDK 2.x: both eras. Once it has seen a modern request it refuses the handshake on that connection.
    "python 2.x, auto: finds the modern era and shows all it offers": (
        "python 2.x", "auto", ("add", {"a": 2, "b": 3}), 0,
        ["server python-test-server", "revision 2026-07-28", "era modern", "test://items/{number}", *OF_PYTHON]),
    "python 2.x, modern: a failing tool is shown as failed": (
        "python 2.x", "modern", ("fail", {"reason": "because"}), 2, ["fail says\nError executing tool fail: because"]),
    "example server, auto": (
        "example", "auto", ("echo", {"text": "Hi"}), 0, ["revision 2026-07-28", "era modern", "echo says\nHi"]),
}


@pytest.fixture(scope="module")
def inspect():
    return support.compiled("examples/c/inspect.c", FOLDER)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_inspect_shows(inspect, case):
    server, protocol, call, status, shows = case
    tool = ["--call", call[0], json.dumps(call[1])] if call else []
    # npx looks for the server from the folder it is started in, and then needs no download.
    folder = support.peer("npm") if server == "npx" else support.scratch(FOLDER)
    finished = support.run([inspect, "--protocol", protocol, *tool, "--", *SERVERS[server]()], cwd=folder)
    assert finished.code == status, finished.story()
    assert status == 0 or finished.stderr.strip(), "it failed, as it should, but did not say why"
    said = "\n".join(" ".join(line.split()) for line in finished.stdout.splitlines())
    missing = [fact for fact in shows if fact not in said]
    assert not missing, f"not shown: {missing}\n{finished.story()}"
