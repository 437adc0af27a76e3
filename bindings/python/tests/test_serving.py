"""Servers as other programs see them: over the standard streams, HTTP and ASGI, and clients made by others."""

import asyncio
import contextlib
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import SimpleNamespace

import libmcp
from libmcp import Client, Server, _asgi

from .support import PATIENCE, alive

ROOT = Path(__file__).parent.parent
SERVER = str(ROOT / "examples/server.py")
HERE = {"command": sys.executable, "args": [SERVER], "inherit_env": "all"}
OTHERS = ("MCP_PYTHON_SDK_1", "MCP_PYTHON_SDK_2")


STORES = Path(os.environ.get("MCP_STORES", ROOT.parent.parent / "stores"))
SHARES = """
import sys, time
from libmcp import Server

server = Server("s", request_state={"keys": ["AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="]}, store={"url": sys.argv[1]})
end = time.monotonic() + float(sys.argv[2])
while not server.info()["store"]["ready"]:
    assert time.monotonic() < end, server.info()
    time.sleep(0.01)
print("it is ready")
"""


def answers():
    return {"on_elicitation": lambda form: {"size": "large", "cups": 2}}


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def reachable(port, process):
    end = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert process.poll() is None, "the server has ended"
        assert time.monotonic() < end, "the server does not listen"
        time.sleep(0.02)


def interruptible():
    """For a child: what ignores Ctrl-C itself, such as a job in the background, hands that down."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextlib.contextmanager
def running(port, *words):
    """A server over HTTP, which must end by itself when it is told to, without an error."""
    environment = {**os.environ, "MCP_URL": f"http://127.0.0.1:{port}/mcp"}
    process = subprocess.Popen(
        [sys.executable, *words],
        env=environment,
        cwd=ROOT / "examples",
        stderr=subprocess.PIPE,
        preexec_fn=interruptible,
    )
    try:
        reachable(port, process)
        yield f"http://127.0.0.1:{port}/mcp"
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
        said = process.stderr.read().decode()
        assert "Traceback" not in said or "KeyboardInterrupt" in said, said
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def hosts(port):
    return {
        "alone": [SERVER, f"http://127.0.0.1:{port}/mcp"],
        "uvicorn": ["-m", "uvicorn", "--port", str(port), "--log-level", "warning", "server_asgi:app"],
        "hypercorn": ["-m", "hypercorn", "--bind", f"127.0.0.1:{port}", "--log-level", "warning", "server_asgi:app"],
    }


MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Bodies(unittest.IsolatedAsyncioTestCase):
    """What an ASGI application receives of a body, and when."""

    def application(self, **config):
        server = Server("bodies", **config)
        self.addAsyncCleanup(server.aclose)

        @server.tool
        def length(text: str) -> int:
            return len(text)

        return server.asgi("https://app.example.com/mcp")

    async def ask(self, app, parts, path="/mcp", root="", **headers):
        """The status, the headers, and how often the application asked for a part. After the last one none comes any more."""
        named = {"host": "app.example.com", "content-type": "application/json", **headers}
        scope = {
            "type": "http", "http_version": "1.1", "method": "POST", "path": path, "raw_path": path.encode(), "root_path": root, "query_string": b"",
            "client": ("127.0.0.1", 1), "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()],
        }
        sent, asked = [], 0

        async def receive():
            nonlocal asked
            asked += 1
            if asked <= len(parts):
                return {"type": "http.request", "body": parts[asked - 1], "more_body": asked < len(parts) or parts[-1] == b""}
            await asyncio.sleep(3600)

        async def send(message):
            sent.append(message)

        await asyncio.wait_for(app(scope, receive, send), PATIENCE)
        answer = b"".join(message["body"] for message in sent[1:])
        return sent[0]["status"], dict(sent[0]["headers"]), asked, answer

    async def test_a_head_that_is_refused_costs_no_body(self):
        app = self.application()
        keys = {"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "a", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}
        guarded = self.application(
            auth={"resource": "https://app.example.com/mcp", "authorization_servers": ["https://as.example.com"], "jwks": keys}
        )
        for about, status, target, headers in [
            ("host", 403, app, {"host": "evil.example.com"}),
            ("origin", 403, app, {"origin": "https://evil.example.com"}),
            ("media type", 415, app, {"content_type": "text/plain"}),
            ("length", 413, app, {"content_length": "100000000"}),
            ("no token", 401, guarded, {}),
            ("a wrong token", 401, guarded, {"authorization": "Bearer a.b.c"}),
        ]:
            with self.subTest(about):
                found, answer, asked, _ = await self.ask(target, [b"x" * 1000, b""], **headers)
                self.assertEqual((found, asked, b"connection" in answer), (status, 0, about == "length"))

    async def test_a_mounted_application_finds_its_path(self):
        app = self.application()
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}).encode()
        for path, root, status in (
            ("/mcp", "", 200), ("/mcp", "/mcp", 200), ("/mcp/", "/mcp", 200), ("/api/mcp", "/api", 200), ("/api/mcp/", "/api/mcp", 404),
            ("/api/mcp/", "/api", 200), ("/mcp", "/api", 200), ("/", "/mcp", 200), ("/mcp/", "", 200), ("/api/mcp", "", 404),
            ("/apimcp", "/api", 404), ("/api/other", "/api", 404),
        ):
            with self.subTest(path=path, root=root):
                got, _, _, _ = await self.ask(app, [body], path, root, accept="application/json, text/event-stream")
                self.assertEqual(got, status)

    async def test_an_application_without_a_url_answers_at_any_path(self):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}).encode()
        for hosts, host, status in (((), "localhost:8000", 200), ((), "app.example.com", 403), (("app.example.com",), "app.example.com", 200)):
            server = Server("anywhere")
            app = server.asgi(hosts=hosts)
            for path, root in (("/", ""), ("/any/path", ""), ("/mcp/", "/mcp")):
                with self.subTest(host=host, path=path):
                    got, _, _, _ = await self.ask(app, [body], path, root, host=host, accept="application/json, text/event-stream")
                    self.assertEqual(got, status)
            await server.aclose()

    async def test_a_stream_ends_with_its_host(self):
        """Uvicorn waits for its responses before it tells the application that it ends."""
        class Host:
            should_exit = False

            def handle_exit(self, *_):
                self.should_exit = True

        app, host, sent = self.application(), Host(), []
        opened = asyncio.Event()
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}).encode()
        _, headers, _, _ = await self.ask(app, [body], accept="application/json, text/event-stream")
        session = headers[b"mcp-session-id"]
        before = signal.signal(signal.SIGTERM, host.handle_exit)
        self.addCleanup(signal.signal, signal.SIGTERM, before)

        async def receive():
            if opened.is_set():
                await asyncio.sleep(3600)
            opened.set()
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http", "http_version": "1.1", "method": "GET", "path": "/mcp", "raw_path": b"/mcp", "query_string": b"",
            "client": ("127.0.0.1", 1), "headers": [(b"host", b"app.example.com"), (b"accept", b"text/event-stream"), (b"mcp-session-id", session)],
        }
        stream = asyncio.create_task(app(scope, receive, send))
        await asyncio.sleep(1)
        self.assertFalse(stream.done())
        self.assertEqual(sent[0]["status"], 200)
        signal.raise_signal(signal.SIGTERM)
        await asyncio.wait_for(stream, PATIENCE)
        self.assertEqual((sent[-1]["body"], sent[-1]["more_body"]), (b"", False))

    async def test_a_host_that_ends_is_found_behind_what_frameworks_wrap_around_it(self):
        """Hypercorn has no signal handler that says it; its stream does, whose method the innermost function is."""
        class Stream:
            def __init__(self):
                self.context = SimpleNamespace(terminated=asyncio.Event())

            async def app_send(self, message): ...

        class Responder:
            def __init__(self, send):
                self.send = send

            async def compress(self, message):
                await self.send(message)

        def closure(send):
            async def sender(message):
                await send(message)

            return sender

        for wrappers in ([], [closure], [Responder], [functools.partial], [closure, Responder, functools.partial, closure]):
            with self.subTest(wrappers):
                stream = Stream()
                send = stream.app_send
                for wrap in wrappers:
                    wrapped = wrap(send)
                    send = wrapped.compress if isinstance(wrapped, Responder) else wrapped
                self.assertFalse(_asgi._host_ends(send))
                stream.context.terminated.set()
                self.assertTrue(_asgi._host_ends(send))
        endless = closure(None)
        endless.__closure__[0].cell_contents = endless
        self.assertFalse(_asgi._host_ends(endless))

    async def test_a_body_that_stops_ends_in_its_time(self):
        app = self.application(timeouts={"body_ms": 100})
        status, answer, asked, _ = await self.ask(app, [b"{", b""])
        self.assertEqual((status, asked, answer[b"connection"]), (408, 3, b"close"))

    async def test_a_large_body_comes_in_parts_of_any_size(self):
        app = self.application()
        call = {"name": "length", "arguments": {"text": "x" * 3_000_000}, "_meta": MODERN}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
        modern = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/call", "mcp_name": "length"}
        for size in (1_000, 65_536, len(body)):
            parts = [body[at : at + size] for at in range(0, len(body), size)]
            status, answer, asked, text = await self.ask(app, parts, **modern)
            self.assertEqual((status, b"connection" in answer), (200, False))
            # Once more while the answer is awaited: the client may go away.
            self.assertIn(asked - len(parts), (0, 1))
            self.assertEqual(json.loads(text)["result"]["structuredContent"], {"result": 3_000_000})
        status, _, _, _ = await self.ask(app, [b" " * 17_000_000, b" "], **modern)
        self.assertEqual(status, 413)


#: Applications of the frameworks, as their pages write them.
FRAMEWORKS = {
    "itself": "app = server.asgi(url)",
    "starlette": """
from starlette.applications import Starlette
from starlette.routing import Mount
app = Starlette(routes=[Mount("/mcp", app=server.asgi(url))])
""",
    "fastapi": """
import contextlib
from fastapi import FastAPI
mcp = server.asgi(url)
@contextlib.asynccontextmanager
async def lifespan(app):
    async with server:
        yield
app = FastAPI(lifespan=lifespan)
app.mount("/mcp", mcp)
""",
}


class InHosts(unittest.TestCase):
    """The real hosts and frameworks: both eras are served, and the host ends while a client holds its stream."""

    def test_frameworks_in_uvicorn(self):
        self.serve(signal.SIGINT, ["uvicorn"], "--port")

    def test_frameworks_in_hypercorn(self):
        # Its own grace of three seconds would hide a stream that holds it.
        self.serve(signal.SIGTERM, ["hypercorn", "--graceful-timeout", "3600"], "--bind", "127.0.0.1:")

    def serve(self, end, host, option, address=""):
        for name, text in FRAMEWORKS.items():
            with self.subTest(framework=name), tempfile.TemporaryDirectory() as folder:
                port = free_port()
                url = f"http://127.0.0.1:{port}/mcp"
                program = "from libmcp import Server\nserver = Server('framework')\nserver.tool(lambda: 'tea', name='tea')\n"
                Path(folder, "program.py").write_text(f"{program}url = {url!r}\n{text}\n")
                command = [sys.executable, "-m", *host, "program:app", option, f"{address}{port}"]
                process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.addCleanup(process.wait)
                self.addCleanup(process.kill)
                reachable(port, process)
                with Client({"url": url, "protocol": "modern"}) as client:
                    self.assertEqual(client.call_tool("tea").text, "tea")
                with Client({"url": url, "protocol": "legacy"}) as client:
                    self.assertEqual(client.call_tool("tea").text, "tea")
                    process.send_signal(end)
                    # A host that waits for the stream ends after its own grace, or never.
                    process.wait(PATIENCE)


class OfOurs(unittest.TestCase):
    def use(self, client):
        self.assertEqual([tool["name"] for tool in client.tools()], ["price", "brew", "order"])
        self.assertEqual(client.call_tool("price", {"tea": "green"}).data, {"result": 2.5})
        reports = []
        client.call_tool("brew", {"minutes": 0.001}, on_progress=reports.append)
        self.assertEqual(reports[-1]["progress"], 4)
        self.assertEqual(client.call_tool("order", {"tea": "black"}).data, {"tea": "black", "cups": 2, "total": 4.0})
        self.assertEqual(json.loads(client.read_resource("tea://menu")[0]["text"])["green"], 2.5)
        prompt = client.get_prompt("recommend", {"mood": "cheerful"})
        self.assertIn("cheerful", prompt["messages"][0]["content"]["text"])
        with self.assertRaises(libmcp.CallTimeout):
            client.call_tool("brew", {"minutes": 10}, timeout=0.1)
        client.ping()

    def test_over_the_standard_streams(self):
        for era in ("legacy", "modern"):
            with self.subTest(era), Client({**HERE, "protocol": era}, **answers()) as client:
                self.use(client)

    def test_over_http(self):
        port = free_port()
        for name, words in hosts(port).items():
            with running(port, *words) as url:
                for era in ("legacy", "modern"):
                    with self.subTest(name, era=era), Client({"url": url, "protocol": era}, **answers()) as client:
                        self.use(client)
                self.assertEqual(self.status(port, "/mcp", b"{"), 400)
                self.assertEqual(self.status(port, "/elsewhere", b"{}"), 404)
                self.assertEqual(self.status(port, "/mcp", b"{}", Host="evil.example.com"), 403)

    def status(self, port, path, body, **headers):
        import http.client

        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        with contextlib.closing(connection):
            accepts = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            connection.request("POST", path, body, {**accepts, **headers})
            return connection.getresponse().status

    def test_the_server_ends_with_its_client(self):
        with Client(HERE) as client:
            client.connect()
            pid = client.info()["pid"]
        end = time.monotonic() + PATIENCE
        while alive(pid):
            assert time.monotonic() < end
            time.sleep(0.01)

    def test_ctrl_c_ends_a_server(self):
        port = free_port()
        command = [sys.executable, SERVER, f"http://127.0.0.1:{port}/mcp"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=interruptible)
        with contextlib.closing(process.stderr):
            reachable(port, process)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(PATIENCE), -signal.SIGINT, process.stderr.read())


class OfOthers(unittest.TestCase):
    def use(self, sdk, *words):
        run = [sdk, str(ROOT / "tests/official_client.py"), *words]
        environment = {**os.environ, "PYTHONPATH": ""}
        done = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=2 * PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 7, done.stdout)

    def test_the_official_client_uses_the_example(self):
        for name in OTHERS:
            sdk = os.environ.get(name)
            if not sdk:
                raise unittest.SkipTest(f"{name} names no interpreter; run `cargo xtask test --only python`")
            # The SDK starts programs with few variables, and Python would not find the package.
            found = os.pathsep.join(filter(None, sys.path))
            with self.subTest(name):
                self.use(sdk, "env", f"PYTHONPATH={found}", sys.executable, SERVER)
            port = free_port()
            with self.subTest(name, over="uvicorn"), running(port, *hosts(port)["uvicorn"]) as url:
                self.use(sdk, url)


class StoreTest(unittest.TestCase):
    """The library loads the library of a store where a URL has its scheme, also when it is inside of the extension module."""

    def test_a_store_is_used_where_its_library_is_installed(self):
        if not Path("/usr/include/sqlite3.h").exists() or not STORES.exists():
            self.skipTest("there is no libsqlite3-dev, or no checkout")
        with tempfile.TemporaryDirectory() as folder:
            words = [os.environ.get("CC", "cc"), "-std=c11", "-shared", "-fPIC", "-DMCP_STORES_SHARED", f"-I{STORES.parent / 'include'}"]
            words += [STORES / "worker.c", STORES / "sqlite.c", "-lsqlite3", "-pthread", "-o", f"{folder}/libmcp-store-sqlite.so.0"]
            subprocess.run(words, check=True)
            for libraries, code in [(folder, 0), ("", 1)]:
                environment = {**os.environ, "LD_LIBRARY_PATH": f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
                done = subprocess.run(
                    [sys.executable, "-c", SHARES, f"file:{folder}/shared", str(PATIENCE)],
                    env=environment, capture_output=True, text=True, timeout=2 * PATIENCE,
                )
                self.assertEqual(done.returncode, code, done.stderr)
                if code:
                    self.assertIn("install libmcp-store-sqlite", done.stderr)
