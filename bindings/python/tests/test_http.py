import asyncio
import json
import os
import queue
import socket
import subprocess
import threading
import unittest
from collections import Counter

import libmcp

from .support import PATIENCE, Web, browse, redirected, until
from .test_async import until as until_async

ERAS = ("modern", "legacy")


class OverHttp(unittest.TestCase):
    def in_each_era(self, *arguments):
        """A server and the configuration of its client, for each era; the client must have kept to the specification."""
        for era in ERAS:
            with Web(*arguments) as server:
                yield server, {"url": server.url, "protocol": era, "reconnect": {"initial_ms": 10, "max_ms": 100}}
                if server.is_running():
                    self.assertEqual(server.stats()["violations"], [], era)

    def test_calls(self):
        for _, config in self.in_each_era("page-size=3"):
            reports, results = [], queue.Queue()
            with libmcp.Client(config) as client:
                self.assertGreater(len(list(client.tools())), 10)

                def call(number):
                    for _ in range(4):
                        results.put((number, client.call_tool("echo", {"text": str(number)}).text))

                threads = [threading.Thread(target=call, args=(number,)) for number in range(20)]
                for thread in threads:
                    thread.start()
                for _ in range(80):
                    number, text = results.get(timeout=PATIENCE)
                    self.assertEqual(text, str(number))
                client.call_tool("progress", {"steps": 3}, on_progress=reports.append)
                self.assertEqual([report["progress"] for report in reports], [1, 2, 3])

    def test_an_interruption_is_told_to_the_server_and_a_timeout_ends_a_call(self):
        def stop(_):
            raise KeyboardInterrupt

        for server, config in self.in_each_era():
            with libmcp.Client(config) as client:
                client.connect()
                with self.assertRaises(KeyboardInterrupt):
                    client.call_tool("progress", {"steps": 1000, "ms": 20}, on_progress=stop)
                until(lambda: server.heard_of_cancelling() >= 1)
                with self.assertRaises(TimeoutError):
                    client.call_tool("slow", {"ms": 60000}, timeout=0.05)
                self.assertEqual(client.call_tool("echo", {"text": "on"}).text, "on")

    def test_a_killed_server_ends_each_call_once_and_comes_back(self):
        for server, config in self.in_each_era():
            ends = Counter()

            async def calls():
                async with libmcp.AsyncClient(config) as client:
                    await client.connect()
                    tasks = [
                        asyncio.create_task(client.call_tool("echo" if number % 2 else "slow", {"text": "x", "ms": 60000}))
                        for number in range(100)
                    ]
                    await until_async(lambda: client.info()["pending_calls"] <= 50)
                    await asyncio.to_thread(lambda: until(lambda: server.stats()["in_flight"] >= 25))
                    server.kill()
                    for outcome in await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), PATIENCE):
                        ends["lost" if isinstance(outcome, libmcp.Disconnected) else outcome.text] += 1
                    self.assertEqual(client.info()["pending_calls"], 0)
                    with Web(port=server.port):
                        await self.comes_back(client)

            asyncio.run(calls())
            self.assertEqual(sum(ends.values()), 100, ends)
            self.assertGreaterEqual(ends["lost"], 50, ends)

    async def comes_back(self, client):
        async def call():
            while True:
                try:
                    return (await client.call_tool("echo", {"text": "back"}, when_unavailable="wait")).text
                except libmcp.Disconnected:
                    await asyncio.sleep(0.02)

        self.assertEqual(await asyncio.wait_for(call(), PATIENCE), "back")

    def test_close_ends_calls_under_way(self):
        for _, config in self.in_each_era():
            client, ended = libmcp.Client(config), queue.Queue()

            def hang():
                try:
                    client.call_tool("never")
                except libmcp.Error as error:
                    ended.put(error)

            for _ in range(20):
                threading.Thread(target=hang, daemon=True).start()
            until(lambda: client.info()["pending_calls"] == 20)
            client.close()
            for _ in range(20):
                self.assertIsInstance(ended.get(timeout=PATIENCE), libmcp.Closed)

    def test_tasks_are_cancelled_and_closed(self):
        for server, config in self.in_each_era():

            async def calls():
                async with libmcp.AsyncClient(config) as client:
                    await client.connect()
                    task = asyncio.create_task(client.call_tool("slow", {"ms": 60000}))
                    await asyncio.to_thread(lambda: until(lambda: server.calls() == 1))
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                    await asyncio.to_thread(lambda: until(lambda: server.heard_of_cancelling() >= 1))
                    left = [asyncio.create_task(client.call_tool("never")) for _ in range(20)]
                    await until_async(lambda: client.info()["pending_calls"] == 20)
                for outcome in await asyncio.gather(*left, return_exceptions=True):
                    self.assertIsInstance(outcome, libmcp.Closed)

            asyncio.run(calls())

    def test_requests_of_the_server_are_answered(self):
        def answer(request):
            request.accept({"name": "Ada"})

        for _, config in self.in_each_era():
            config = {**config, "capabilities": {"elicitation": {}}}
            with libmcp.Client(config, on_request={"elicitation/create": answer}) as client:
                self.assertIn("Ada", client.call_tool("ask", {"method": "elicitation/create"}).text)

    def test_the_reference_server_is_used(self):
        command = os.environ.get("MCP_EVERYTHING_SERVER")
        if not command:
            self.skipTest("MCP_EVERYTHING_SERVER names no server; run `cargo xtask test --only python`")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        words = [*json.loads(command), "streamableHttp"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(words, env={**os.environ, "PORT": str(port)}, **quiet)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def answer(request):
            return {"role": "assistant", "model": "test", "content": {"type": "text", "text": "hello Ada"}}

        config = {"url": f"http://127.0.0.1:{port}/mcp", "capabilities": {"sampling": {}}, "reconnect": {"initial_ms": 20}}
        with libmcp.Client(config, on_request={"sampling/createMessage": answer}) as client:

            def listens():
                try:
                    return client.connect() is None
                except libmcp.Disconnected:
                    return False

            until(listens)
            self.assertGreater(len(list(client.tools())), 5)
            self.assertEqual(client.call_tool("echo", {"message": "hi"}).text, "Echo: hi")
            self.assertIn("hello Ada", client.call_tool("trigger-sampling-request", {"prompt": "Say hello"}).text)
            with self.assertRaises(TimeoutError):
                client.call_tool("trigger-long-running-operation", {"duration": 30, "steps": 3}, timeout=0.1)


class Logins(unittest.TestCase):
    def test_a_login_with_a_browser_opens_the_server(self):
        for era in ERAS:
            logins = []

            def log_in(login):
                logins.append(login.kind)
                self.assertTrue(login.listens and login.issuer and login.expires_in > 1)
                browse(login.url)

            with self.subTest(era), Web("login=yes") as server:
                with libmcp.Client({"url": server.url, "protocol": era, "auth": {}}, on_login=log_in) as client:
                    client.connect(timeout=PATIENCE)
                    self.assertEqual(client.call_tool("echo", {"text": "in"}).text, "in")
                self.assertEqual(logins, ["authorize"])
                self.assertEqual(server.stats()["violations"], [])

    def test_a_login_may_come_back_to_the_program(self):
        def log_in(login):
            self.assertFalse(login.listens)
            with self.assertRaises(libmcp.Error) as caught:
                login.complete("com.example.app:/callback?code=x&state=another")
            self.assertEqual(caught.exception.status, libmcp.Status.AUTH)
            login.complete(redirected(login.url))

        with Web("login=yes") as server:
            config = {"url": server.url, "auth": {"redirect_uri": "com.example.app:/callback"}}
            with libmcp.Client(config, on_login=log_in) as client:
                self.assertEqual(client.call_tool("echo", {"text": "in"}, timeout=PATIENCE).text, "in")
            self.assertEqual(server.stats()["violations"], [])

    def test_a_login_that_is_not_finished_ends_its_calls(self):
        def close_the_window(_):
            raise RuntimeError("closed the\0window")

        def say_no(login):
            try:
                browse(login.url)
            except OSError:
                pass  # The page says that it failed.

        for person, handler, says in (
            ("yes", close_the_window, "given up"),
            ("yes", None, "on_login"),
            ("no", say_no, "access_denied"),
        ):
            with self.subTest(says), Web(f"login={person}") as server:
                with libmcp.Client({"url": server.url, "auth": {}}, on_login=handler) as client:
                    with self.assertRaisesRegex(libmcp.Error, says) as caught:
                        client.call_tool("echo", timeout=PATIENCE)
                    self.assertEqual(caught.exception.status, libmcp.Status.AUTH)

    def test_handlers_of_an_event_loop_may_be_functions_or_coroutines(self):
        async def browse_later(login):
            await asyncio.to_thread(browse, login.url)

        async def fail(_):
            raise RuntimeError("closed the window")

        async def call(url, auth, handler):
            async with libmcp.AsyncClient({"url": url, "auth": auth}, on_login=handler) as client:
                return (await client.call_tool("echo", {"text": "in"}, timeout=PATIENCE)).text

        with Web("login=yes") as server:
            self.assertEqual(asyncio.run(call(server.url, {}, browse_later)), "in")
            with self.assertRaisesRegex(libmcp.Error, "closed the window"):
                asyncio.run(call(server.url, {}, fail))
        with Web("token=sesame") as server:
            give = lambda login: login.give("sesame", 3600)
            self.assertEqual(asyncio.run(call(server.url, {"type": "bearer"}, give)), "in")

    def test_a_login_does_not_hold_up_a_close(self):
        async def wait():
            asked = asyncio.Event()

            async def never(_):
                asked.set()
                await asyncio.Event().wait()

            with Web("login=yes") as server:
                async with libmcp.AsyncClient({"url": server.url, "auth": {}}, on_login=never) as client:
                    call = asyncio.create_task(client.call_tool("echo"))
                    await asyncio.wait_for(asked.wait(), PATIENCE)
                with self.assertRaises(libmcp.Closed):
                    await call

        asyncio.run(asyncio.wait_for(wait(), PATIENCE))


