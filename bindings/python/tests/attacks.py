"""The attacks of the resilience and stress tests that ZeroMCP publishes, for HTTP, and a client that sends what it likes.

The tests of other bindings load this file, which needs nothing but Python.
"""

import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

PATIENCE = 60.0
VERSION = "2025-06-18"
ABOUT = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "attacker", "version": "1"}}
MIB = 1024 * 1024


class Peer:
    """A client that sends what it likes, in one session."""

    def __init__(self, url, patience=PATIENCE):
        self._place = urlsplit(url)
        self._patience = patience
        self._headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        _, answer = self.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": ABOUT})
        assert answer["result"]["protocolVersion"] == VERSION, answer
        self._headers["MCP-Protocol-Version"] = VERSION
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, body, **headers):
        """The status, and the answer where one came."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection(self._place.hostname, self._place.port, timeout=self._patience)
        try:
            connection.request("POST", self._place.path, raw, {**self._headers, **headers})
            response = connection.getresponse()
            text = response.read().decode()
            session = response.getheader("Mcp-Session-Id")
            if session is not None:
                self._headers["Mcp-Session-Id"] = session
        finally:
            connection.close()
        if "text/event-stream" in (response.getheader("Content-Type") or ""):
            data = [line[5:] for line in text.splitlines() if line.startswith("data:") and line[5:].strip()]
            text = data[-1] if data else ""
        return response.status, json.loads(text) if text else None

    def call(self, name, arguments, number=1):
        return self.send(calling(json.dumps(arguments).encode(), name, number))[1]

    def hello(self, number=1, name="you"):
        return self.says(f"Hello, {name}!", "hello", {"name": name}, number)

    def says(self, text, name, arguments=None, number=1):
        """Whether a tool answers with this text, and has not failed."""
        result = self.call(name, arguments or {}, number).get("result", {})
        return not result.get("isError") and result.get("content", [{}])[0].get("text") == text


def nested(depth):
    return b'{"a":' * depth + b"1" + b"}" * depth


def calling(arguments, name="hello", number=1):
    head = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call"}).encode()[:-1]
    return head + b',"params":{"name":' + json.dumps(name).encode() + b',"arguments":' + arguments + b"}}"


def deep(depth):
    """Arguments that are right but for one that no tool has, and that nests."""
    return calling(b'{"name":"you","extra":' + nested(depth) + b"}")


def refused(peer, body):
    """It is refused, as HTTP or as JSON-RPC, and nothing else. A status from 500 on is the server's own failure."""
    status, answer = peer.send(body)
    return 400 <= status < 500 or status == 200 and ("error" in answer or answer["result"].get("isError") is True)


def answered(peer, body):
    """It is refused, or the plain call that it also is gets its answer."""
    status, answer = peer.send(body)
    text = json.dumps(answer)
    return 400 <= status < 500 or status == 200 and ("error" in answer or "Hello, you!" in text or answer["result"].get("isError") is True)


def raises(peer):
    """What the tool raised is a failure of the call, and its words stay with the server."""
    answer = peer.call("fail", {})
    failed = answer.get("result", {}).get("isError") is True or answer.get("error", {}).get("code") == -32603
    return failed and "secret" not in json.dumps(answer)


def together(count, one):
    with ThreadPoolExecutor(50) as pool:
        return all(pool.map(one, range(count)))


def echoes(peer, number):
    """The id comes back as it was."""
    return peer.call("hello", {"name": "you"}, number)["id"] == number


def hangs(peer):
    """A call that is not answered does not hold others up; its client gives up."""
    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(gives_up, peer, 1)
        return peer.hello() and held.result()


def gives_up(peer, patience):
    """Another client calls what does not answer in its time."""
    other = Peer(peer._place.geturl())
    other._patience = patience
    try:
        other.call("hang", {})
    except TimeoutError:
        return True
    return False


#: By name, what tells whether the server behaved.
ATTACKS = {
    # Protocol
    "malformed JSON": lambda peer: refused(peer, b"{not json}"),
    "truncated JSON": lambda peer: refused(peer, b'{"jsonrpc":"2.0","id":1,"method":"tools/li'),
    "empty lines": lambda peer: refused(peer, b"\n\n\n"),
    "no id": lambda peer: peer.send({"jsonrpc": "2.0", "method": "tools/list"})[0] < 500,
    "no method": lambda peer: refused(peer, {"jsonrpc": "2.0", "id": 1}),
    "null id": lambda peer: refused(peer, {"jsonrpc": "2.0", "id": None, "method": "tools/list"}),
    "negative id": lambda peer: echoes(peer, -1),
    "duplicate id": lambda peer: peer.hello(7) and peer.hello(7),
    "two handshakes": lambda peer: peer.send({"jsonrpc": "2.0", "id": 9, "method": "initialize", "params": ABOUT})[0] < 500,
    "unknown method": lambda peer: refused(peer, {"jsonrpc": "2.0", "id": 1, "method": "nothing/such"}),
    # Payload
    "1 MB text": lambda peer: peer.hello(name="x" * MIB),
    "100 levels": lambda peer: answered(peer, deep(100)),
    "empty name of a tool": lambda peer: "error" in peer.call("", {}),
    "null arguments": lambda peer: refused(peer, calling(b"null")),
    # Tools
    "binary garbage": lambda peer: refused(peer, bytes(range(256)) * 16),
    "a tool that raises": raises,
    "a tool that hangs": hangs,
    "a slow tool": lambda peer: peer.says("slow", "slow"),
    "a tool that keeps memory": lambda peer: all(peer.says("kept", "keep") for _ in range(50)),
    "a tool that writes to standard output": lambda peer: peer.says("quiet", "noise"),
    "a client that gives up": lambda peer: gives_up(peer, 0.5),
    "100 at once": lambda peer: together(100, lambda number: peer.hello(number)),
    # Stress
    "10 MB text": lambda peer: peer.hello(name="x" * 10 * MIB),
    "1,000 levels": lambda peer: refused(peer, deep(1000)),
    "50 at once": lambda peer: together(50, lambda number: peer.hello(number, f"{number}")),
    "Unicode": lambda peer: peer.hello(name="\U0001f469\u200d\U0001f680 \u0645\u0631\u062d\u0628\u0627 \u202e \ufeff \U0010ffff"),
    "NUL characters": lambda peer: peer.hello(name="a\0b"),
    "a bare surrogate": lambda peer: peer.send(calling(b'{"name":"\\ud800"}'))[0] < 500,
    "interleaved": lambda peer: together(20, lambda number: peer.hello(number) if number % 2 else refused(peer, b"{")),
    "1,000 in a row": lambda peer: together(1000, lambda number: peer.hello(number)),
    "10,000 arguments": lambda peer: answered(
        peer, calling(json.dumps({"name": "you", **{f"a{n}": n for n in range(10_000)}}).encode())
    ),
    "the largest safe id": lambda peer: echoes(peer, 2**53 - 1),
    "a fraction as id": lambda peer: peer.send({"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"})[0] < 500,
    "a text as id": lambda peer: echoes(peer, "one"),
    "empty texts": lambda peer: peer.hello(name=""),
    "wrong types": lambda peer: all(refused(peer, calling(json.dumps({"name": v}).encode())) for v in (1, True, None, [], {})),
    "a batch of nothing": lambda peer: refused(peer, []),
}


def attack(url, name):
    """One attack by its name; a sentence where the server did not behave, else nothing."""
    peer, begun = Peer(url), time.monotonic()
    if not ATTACKS[name](peer):
        return "the server did not behave"
    if not Peer(url).hello():
        return "a plain call afterwards fails"
    return "" if time.monotonic() - begun < PATIENCE else "it took too long"
