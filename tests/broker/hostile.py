"""A program that tries to get more than `mcp run` gives it: python hostile.py (sandboxed|plain) FACTS.

FACTS is a JSON object with what it must not reach. It writes a line for each thing that it got, and `nothing` at the end. It knows the protocol
as bytes on a socket, so that no library is polite in its place.
"""

import json
import os
import socket
import stat
import sys

mode, facts = sys.argv[1], json.loads(sys.argv[2])
is_sandboxed = mode == "sandboxed"
got = []


def breach(what, value=""):
    got.append(what)
    print(f"GOT {what}: {value!r}"[:400], flush=True)


class Connection:
    def __init__(self):
        self.stream = socket.socket(socket.AF_UNIX)
        self.stream.settimeout(30)
        self.stream.connect(os.environ["MCP_SOCKET"].removeprefix("unix:"))
        self.lines = self.stream.makefile("rb")
        self.number = 0

    def send(self, text):
        self.stream.sendall(text.encode() + b"\n")

    def answer(self, method, params_text):
        """Sends a request whose parameters are JSON as it is written here."""
        self.number += 1
        self.send(f'{{"jsonrpc":"2.0","id":{self.number},"method":"{method}","params":{params_text}}}')
        while True:
            line = self.lines.readline()
            if not line:
                return {"closed": True}
            message = json.loads(line)
            if message.get("id") == self.number and "method" not in message:
                return message
            if "method" in message and "id" in message:
                breach("a question of a server", message)

    def initialize(self):
        # All that a client may declare: the bridge must not hand any of it on.
        capabilities = {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}, "url": {}}}
        params = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "hostile", "version": "1"}}
        self.answer("initialize", json.dumps(params))
        self.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        self.send('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}')
        self.send('{"jsonrpc":"2.0","method":"notifications/of/its/own","params":{"x":1}}')


def failed(message, says):
    error = message.get("error")
    return error is not None and says in error["message"]


def environment():
    wanted = {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ", "HOME", "MCP_SOCKET", "PWD", "GIVEN", "SHLVL", "_", "OLDPWD"}
    more = set(os.environ) - wanted
    if more:
        breach("variables", sorted(more))
    if any(facts["secret"] in value for value in os.environ.values()):
        breach("a secret in a variable")
    if os.environ.get("GIVEN") != "this":
        breach("not the variable of --pass")
    open_ones = [number for number in range(3, 64) if is_open(number)]
    if open_ones:
        breach("descriptors", open_ones)


def is_open(number):
    try:
        os.fstat(number)
        return True
    except OSError:
        return False


def the_socket():
    path = os.environ["MCP_SOCKET"].removeprefix("unix:")
    found = os.stat(path)
    if stat.S_IMODE(found.st_mode) != 0o600 or found.st_uid != os.getuid():
        breach("a socket that others may use", oct(found.st_mode))
    if not is_sandboxed and stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) != 0o700:
        breach("a folder of the socket that others may enter")


def tools():
    connection = Connection()
    connection.initialize()
    listed = [tool["name"] for tool in connection.answer("tools/list", "{}")["result"]["tools"]]
    if sorted(listed) != sorted(facts["allowed"]):
        breach("other tools in the list", listed)
    for name in facts["allowed"]:
        answer = connection.answer("tools/call", json.dumps({"name": name, "arguments": {"of": "allowed"}}))
        if "result" not in answer or '"of": "allowed"' not in answer["result"]["content"][0]["text"] and not name.endswith("ask"):
            breach(f"no answer of {name}", answer)
        if name.endswith("ask") and answer["result"]["content"][0]["text"].count("-32601") != 3:
            breach("a question that was not refused", answer)
    good = facts["allowed"][0]
    for name in [*facts["forbidden"], f" {good}", good.upper(), f"{good}\u0000", "", "*", f"{good}/../write"]:
        answer = connection.answer("tools/call", json.dumps({"name": name, "arguments": {}}))
        if not failed(answer, "is not allowed"):
            breach(f"an answer for the tool {name}", answer)
    # JSON with a name twice: the server must not read another one than the bridge. An error is as good as the allowed tool.
    bad = facts["bare_forbidden"]
    for text in (
        f'{{"name":"{good}","name":"{bad}","arguments":{{"of":"twice"}}}}',
        f'{{"name":"{bad}","name":"{good}","arguments":{{"of":"twice"}}}}',
        f'{{"name":"{good}","n\\u0061me":"{bad}","arguments":{{"of":"twice"}}}}',
        f'{{"n\\u0061me":"{bad}","name":"{good}","arguments":{{"of":"twice"}}}}',
        f'{{"name":"{good}","arguments":{{}},"params":{{"name":"{bad}"}}}}',
    ):
        answer = connection.answer("tools/call", text)
        if "result" in answer and answer["result"]["content"][0]["text"].startswith(bad):
            breach("another tool by a name that is there twice", (text, answer))
    for method, params in (
        ("resources/list", {}),
        ("resources/read", {"uri": "demo://secret"}),
        ("resources/templates/list", {}),
        ("resources/subscribe", {"uri": "demo://secret"}),
        ("prompts/list", {}),
        ("prompts/get", {"name": "review"}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}}),
        ("logging/setLevel", {"level": "debug"}),
        ("tasks/list", {}),
        ("tasks/get", {"taskId": "1"}),
        ("of/its/own", {}),
    ):
        answer = connection.answer(method, json.dumps(params))
        if "error" not in answer:
            breach(f"an answer for {method}", answer)
    modern = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "hostile", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"roots": {}},
    }
    other = Connection()
    listed = other.answer("tools/list", json.dumps({"_meta": modern}))
    if sorted(tool["name"] for tool in listed["result"]["tools"]) != sorted(facts["allowed"]):
        breach("other tools in the list of 2026-07-28", listed)
    answer = other.answer("tools/call", json.dumps({"name": facts["forbidden"][0], "arguments": {}, "_meta": modern}))
    if not failed(answer, "is not allowed"):
        breach("a tool in 2026-07-28", answer)


def can_connect(family, address):
    with socket.socket(family) as stream:
        stream.settimeout(5)
        try:
            stream.connect(address)
            return True
        except OSError:
            return False


def can_read(path):
    try:
        with open(path, "rb") as file:
            return len(file.read(1)) == 1
    except OSError:
        return False


def system():
    for path in facts["files"]:
        if can_read(path):
            breach("a file", path)
    if can_connect(socket.AF_INET, ("127.0.0.1", facts["port"])):
        breach("a port of the machine")
    if can_connect(socket.AF_UNIX, facts["other_socket"]):
        breach("another socket")
    processes = [name for name in os.listdir("/proc") if name.isdigit()]
    if len(processes) > 4 or any(can_read(f"/proc/{number}/environ") and facts["secret"].encode() in read(number) for number in processes):
        breach("other processes", processes)
    try:
        open(facts["readable"], "a").close()
        breach("a file of --read to write to")
    except OSError:
        pass
    with open(facts["writable"] + "/made", "w") as file:
        file.write("by the program")


def read(number):
    with open(f"/proc/{number}/environ", "rb") as file:
        return file.read()


environment()
the_socket()
tools()
if is_sandboxed:
    system()
print("nothing" if not got else f"{len(got)} things")
sys.exit(1 if got else 0)
