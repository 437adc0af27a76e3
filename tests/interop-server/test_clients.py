"""Clients that others made use `server.c`, over standard input and output and over HTTP: every feature, in each era that the client has.

Each client is a program in this folder that is told what to start, or the URL of a server that runs. It writes a line for each feature, and
the table here says which features a client does not have, with the reason. A feature that is missing in the output without a reason fails,
and so does one that works in spite of a reason.
"""

import contextlib
import re
import socket
import threading
from typing import NamedTuple

import pytest
import support

TESTS = support.ROOT / "tests/interop-server"
# The name that the server gives itself.
NAME = "mcp-interop-server"
# A client has a time of its own for each feature; this ends one that hangs outside of them.
LIMIT = 240
REVISIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}

FEATURES = [
    "connect", "ping", "tools: pages", "tools: call", "tools: structured result", "tools: failure", "tools: wrong arguments",
    "tools: unknown", "tools: large result", "tools: printing handler", "progress", "cancellation", "log", "resources: list",
    "resources: templates", "resources: read", "resources: unknown", "resources: updates", "tools: list changes", "prompts",
    "completion", "sampling", "elicitation", "roots", "close",
]
# What they try over HTTP too. `session ended` and `notification stream` are what the relay saw.
HTTP_FEATURES = ["http: notification stream", "http: broken stream", "http: session ended"]

NO_PING = {"ping": "the revision 2026-07-28 has no ping"}
NO_LISTEN = dict.fromkeys(["resources: updates", "tools: list changes"], "the client has no function for subscriptions/listen")
INSPECTOR = {
    "ping": "the command line has no such method",
    "tools: unknown": "the command line looks for the tool in the list and sends nothing",
    "progress": "the command line shows no progress",
    "log": "each run of the command line is a connection of its own, and it shows no notifications",
    "resources: unknown": "the command line prints a text of its own in place of the error code",
    "completion": "the command line has no such method",
    "cancellation": "the command line cannot cancel a call",
    "resources: updates": "the command line has no such method",
    "tools: list changes": "the command line shows no notifications",
    "sampling": "the command line has no model to ask",
    "elicitation": "the command line has no person to ask",
    "roots": "the command line cannot be told roots",
}
MODERN_HTTP = {
    "http: notification stream": "the revision 2026-07-28 has no stream by GET",
    "http: broken stream": "in 2026-07-28 a client that goes away has withdrawn its request",
    "http: session ended": "the revision 2026-07-28 has no sessions",
}
INSPECTOR_HTTP = {
    "http: broken stream": "the command line shows no progress, and asks for none",
    "http: session ended": "each run of the command line ends without DELETE",
}
GO_HTTP = {"ping": "the revision 2026-07-28 has no ping, and the one that this client sends lacks its metadata"}

# For each client what it lacks in the legacy era and in the modern one, over both transports; None if it does not have the era.
CLIENTS = {
    "TypeScript 1.x": ({}, None),
    "TypeScript 2.x": ({}, NO_PING),
    "Python 1.x": ({}, None),
    "Python 2.x": ({}, NO_PING),
    "FastMCP": ({}, NO_PING | NO_LISTEN),
    "Go": ({}, {}),
    "rmcp": ({}, NO_PING),
    "inspector --cli": (INSPECTOR, INSPECTOR),
}


class Case(NamedTuple):
    client: str
    era: str
    over_http: bool
    lacks: dict

    def features(self):
        return FEATURES + (HTTP_FEATURES if self.over_http else [])

    def name(self):
        return f"{self.client}, {self.era}{', HTTP' if self.over_http else ''}"


def cases():
    for over_http in [False, True]:
        for client, of_eras in CLIENTS.items():
            for era, lacks in zip(REVISIONS, of_eras):
                more = {}
                if over_http:
                    more = MODERN_HTTP if era == "modern" else INSPECTOR_HTTP if client == "inspector --cli" else {}
                    more = more | (GO_HTTP if (client, era) == ("Go", "modern") else {})
                if lacks is not None:
                    yield Case(client, era, over_http, lacks | more)


CASES = {case.name(): case for case in cases()}


def words_of(client):
    """The words before the era."""
    if client.startswith("TypeScript"):
        # Node looks for packages from where a module is.
        copy, text = support.Path(support.peer("npm")) / "client.mjs", (TESTS / "typescript.mjs").read_text()
        if not copy.exists() or copy.read_text() != text:
            copy.write_text(text)
        return [support.peer("node"), copy, client[11]]
    if client.startswith("Python"):
        return [support.peer(f"python-{client[7]}"), TESTS / "python.py", client[7]]
    if client == "FastMCP":
        return [support.peer("fastmcp"), TESTS / "python.py", "fastmcp"]
    if client == "inspector --cli":
        inspector = support.peer("inspector")
        return [inspector["node"], TESTS / "inspector.mjs", inspector["program"]]
    return [support.peer({"Go": "interop-go", "rmcp": "interop-rmcp"}[client])]


# The text after whose event the relay cuts the connection, as a network does; the server's tool `interrupted` reports it.
CUT = b"cut here"


class Relay:
    """Between a client of others and our server over HTTP: it keeps what the client asks, and cuts a connection in the middle of an
    answer."""

    def __init__(self, server):
        self.server, self.requests = server, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:{}/mcp".format(self.listener.getsockname()[1])
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Wakes the thread that accepts.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self):
        # Until the listener is closed.
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                try:
                    server = socket.create_connection(self.server)
                except OSError:
                    # The client finds its connection closed, and says so.
                    client.close()
                    continue
                kept = bytearray()
                self.requests.append(kept)
                threading.Thread(target=join, args=(client, server, kept), daemon=True).start()

    def asked(self):
        """The sessions that the client named, those that it ended with DELETE, and the streams for other messages that it opened."""
        sessions, ended, streams = set(), set(), 0
        for kept in self.requests:
            # Bodies are JSON in one line, which no line of a head looks like.
            for method, head in re.findall(r"(GET|POST|DELETE) /mcp HTTP/1\.1\r\n(.*?)\r\n\r\n", kept.decode(errors="replace"), re.DOTALL):
                named = set(re.findall(r"(?im)^mcp-session-id: *(\S+)", head))
                sessions |= named
                ended |= named if method == "DELETE" else set()
                streams += method == "GET" and "last-event-id:" not in head.lower()
        return sessions, ended, streams


def join(client, server, kept):
    """Carries bytes in both directions until a side ends."""
    with client, server:
        back = threading.Thread(target=carry, args=(server, client, bytearray(), CUT), daemon=True)
        back.start()
        carry(client, server, kept, None)
        back.join()


def carry(source, target, kept, cut):
    """Carries bytes in one direction until a side ends, or up to the end of the event that has a text."""
    at = sent = 0
    # Either side may have closed already.
    with contextlib.suppress(OSError):
        while part := source.recv(16384):
            kept += part
            end = -1
            if cut and (found := kept.find(cut, at)) >= 0:
                end = kept.find(b"\n\n", found)
            if cut and found < 0:
                at = max(0, len(kept) - len(cut) + 1)
            target.sendall(kept[sent : end + 2 if end >= 0 else None])
            sent = len(kept)
            if end >= 0:
                break
    for side in (source, target):
        with contextlib.suppress(OSError):
            side.shutdown(socket.SHUT_RDWR)


def seen_by(relay, port):
    """What is added to what the client wrote."""
    sessions, ended, streams = relay.asked()
    yield "ok http: notification stream" if streams else "failed http: notification stream: the client sent no GET"
    ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    accepts = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    status = [support.spoken(port, "POST", "/mcp", f"{accepts}Mcp-Session-Id: {it}\r\n", ping).split(" ")[1] for it in ended]
    if not sessions:
        yield "failed http: session ended: the client named no session"
    elif ended != sessions:
        yield f"failed http: session ended: the client ended {len(ended)} of {len(sessions)} sessions with DELETE"
    elif set(status) != {"404"}:
        yield f"failed http: session ended: the server answers pings in them with {status}"
    else:
        yield "ok http: session ended"


def judge(case, lines):
    """Compares what a client wrote with what is expected."""
    wrong = [f"'{name}' in the table is no feature" for name in case.lacks if name not in case.features()]
    for feature in case.features():
        works, lacks = f"ok {feature}" in lines, case.lacks.get(feature)
        if works and lacks:
            wrong.append(f"'{feature}' works, and the table says that it cannot: {lacks}")
        elif not works and not lacks:
            why = [line for line in lines if line.startswith(f"failed {feature}: ")]
            wrong.append(f"'{feature}': {(why or ['the client wrote nothing about it'])[0]}")
    return wrong


def play(server, case):
    folder = support.scratch("interop-server")
    words = [*words_of(case.client), case.era, REVISIONS[case.era], NAME]
    # The inspector keeps files in the person's folder.
    place = {"limit": LIMIT, "env": {"HOME": folder}, "cwd": folder}
    if not case.over_http:
        finished, seen = support.run([*words, server], **place), []
    else:
        with support.Served([server, "--http"], folder / f"{support.file_name(case.name())}-server.err") as served:
            port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/mcp", served.first_line())[1])
            with Relay(("127.0.0.1", port)) as relay:
                finished, seen = support.run([*words, relay.url], **place), list(seen_by(relay, port))
            # A server that has nothing to do ends at once, and well.
            assert served.end(20) == 0, served.log.read_text()
    wrong = judge(case, [*finished.stdout.splitlines(), *seen])
    assert not wrong, "\n".join([*wrong, finished.story()])


@pytest.fixture(scope="module")
def plays(request):
    server = support.compiled("tests/interop-server/server.c", "interop-server")
    return support.begin(request, "case", lambda case: play(server, case))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_client(plays, case, request):
    plays[request.node.callspec.id].result()
    for feature, why in case.lacks.items():
        print(f"not tried: {feature}: {why}")


@pytest.mark.parametrize("name", ["TypeScript 2.x, modern", "TypeScript 2.x, modern, HTTP"])
def test_nothing_is_left_out_without_a_reason_and_a_reason_that_holds_no_longer_is_told(name):
    case = CASES[name]
    lines = [f"{'failed' if feature in case.lacks else 'ok'} {feature}" for feature in case.features()]
    assert judge(case, lines) == []
    for line in (line for line in lines if line.startswith("ok ")):
        assert judge(case, [other for other in lines if other != line]), line
    assert len(judge(case, [*lines, "ok ping"])) == 1
    assert judge(case, [])
