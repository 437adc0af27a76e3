"""Servers, clients, contexts of requests and exchanges in an order that no program should have: used after the close, closed twice, by
several threads and in handlers, forgotten. Each operation ends as a result or an exception, and the process lives."""

import asyncio
import contextlib
import gc
import json
import os
import random
import threading
import unittest

from libmcp import Client, Context, Error, Server

from .support import PATIENCE

#: Operations of each thread. MCP_TEST_SEED=N repeats a sequence.
OPERATIONS = 1000
THREADS = 4
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Broken(Exception):
    """A body whose client is gone."""


class Pool:
    """A few things for all threads: one more takes the place of another, which is forgotten."""

    def __init__(self, most):
        self.most, self.all, self.lock = most, [], threading.Lock()

    def any(self, pick):
        with self.lock:
            return pick.choice(self.all) if self.all else None

    def add(self, one, pick):
        with self.lock:
            if len(self.all) < self.most:
                self.all.append(one)
            else:
                self.all[pick.randrange(self.most)] = one


class Order(unittest.TestCase):
    def setUp(self):
        self.servers, self.clients, self.contexts = Pool(4), Pool(8), Pool(20)
        self.results = self.errors = 0
        self.unknown = []

    def server(self, pick):
        server = Server("any order", on_error=lambda *_: None)
        inside = random.Random(pick.random())

        @server.tool
        def echo(text: str) -> str:
            return text

        @server.tool
        def hold(context: Context) -> str:
            self.contexts.add(context, inside)
            threading.Event().wait(inside.random() * 0.02)
            return "held"

        @server.tool
        def close() -> str:
            threading.Thread(target=server.close).start()
            return "closing"

        return server

    async def exchange(self, server, pick):
        """A request of an ASGI server, whose body may break off, and whose task may be cancelled."""
        app = server.asgi("http://app.example.com/mcp")
        tool = pick.choice(["echo", "hold", "unknown"])
        params = {"name": tool, "arguments": {"text": "x" * pick.randrange(100_000)}, "_meta": META}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        breaks, half = pick.random() < 0.2, len(body) // 2
        parts = [body[:half], body[half:]]
        host = "evil.example" if pick.random() < 0.2 else "app.example.com"
        named = {
            "host": host, "content-type": "application/json", "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": tool,
        }
        scope = {
            "type": "http", "http_version": "1.1", "method": "POST", "path": "/mcp", "raw_path": b"/mcp", "root_path": "", "query_string": b"",
            "client": ("127.0.0.1", 1), "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        }

        async def receive():
            if parts and not (breaks and len(parts) == 1):
                part = parts.pop(0)
                return {"type": "http.request", "body": part, "more_body": bool(parts)}
            if breaks:
                raise Broken
            await asyncio.sleep(PATIENCE)

        async def send(message):
            if pick.random() < 0.1:
                raise Broken

        task = asyncio.ensure_future(app(scope, receive, send))
        if pick.random() < 0.3:
            await asyncio.sleep(pick.random() * 0.01)
            task.cancel()
        # A time-out is no error that is expected here, and asyncio's would pass for one.
        ended, _ = await asyncio.wait([task], timeout=PATIENCE)
        assert ended, "the exchange did not end in time"
        await task

    def operation(self, pick):
        server, client, context = self.servers.any(pick), self.clients.any(pick), self.contexts.any(pick)
        which = pick.randrange(22)
        if which == 0 or server is None:
            self.servers.add(self.server(pick), pick)
        elif which < 4 or client is None:
            self.clients.add(Client(server=server), pick)
        elif which < 10:
            client.call_tool(pick.choice(["echo", "hold", "unknown"]), {"text": "x"}, timeout=pick.random() * 0.3 + 0.001)
        elif which == 10:
            list(client.tools(timeout=0.3))
        elif which == 11 and pick.random() < 0.3:
            client.close()
        elif which == 12 and pick.random() < 0.2:
            server.close()
        elif which == 13 and pick.random() < 0.1:
            client.call_tool("close", timeout=0.3)
        elif which == 14:
            server.resource_updated("x://y")
            server.log("info", "x")
            server.info()
        elif which == 15:
            server.remove("tool", pick.choice(["echo", "unknown"]))
        elif which == 16 and context is not None:
            context.progress(1, 2, "x")
            context.log("info", "x")
            context.close_stream(0)
        elif which == 17 and context is not None:
            context.info, context.state, context.cancelled  # noqa: B018
        elif which == 18 and pick.random() < 0.05:
            gc.collect()
        else:
            asyncio.run(self.exchange(server, pick))

    def work(self, seed):
        pick = random.Random(seed)
        for _ in range(OPERATIONS):
            try:
                self.operation(pick)
                self.results += 1
            except (Error, Broken, asyncio.CancelledError, RuntimeError, ValueError, OSError):
                self.errors += 1
            except BaseException as error:
                self.unknown.append(error)
                return

    def test_operations_in_any_order_end_as_results_or_exceptions(self):
        seed = int(os.environ.get("MCP_TEST_SEED") or random.randrange(10**9))
        print(f"    MCP_TEST_SEED={seed}")
        threads = [threading.Thread(target=self.work, args=(seed + at,)) for at in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10 * PATIENCE)
            self.assertFalse(thread.is_alive(), "an operation does not end")
        for one in [*self.clients.all, *self.servers.all]:
            with contextlib.suppress(Error):
                one.close()
        if self.unknown:
            raise self.unknown[0]
        total = THREADS * OPERATIONS
        self.assertGreater(self.results, total // 10)
        self.assertGreater(self.errors, total // 100)
