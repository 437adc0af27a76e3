"""A thousand clients and a thousand servers in a loop, handles that the collector finds, and peers that are killed under load."""

import asyncio
import contextlib
import gc
import os
import signal
import subprocess
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import libmcp
from libmcp import AsyncClient, Client, Server

from .support import PATIENCE, resident_kb, scripted, server, until

COUNT = 1000


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def held():
    gc.collect()
    return resident_kb(), len(gc.get_objects()), descriptors(), threading.active_count()


def offering():
    server = Server("x", threads=2)

    @server.tool
    def echo(text: str) -> str:
        return text + server.info()["state"][:0]  # It knows its server, as handlers of programs do.

    return server


class Flat(unittest.TestCase):
    def flat(self, once):
        """Runs something many times. What is held after a third of it must be held at the end; half a kB more for each is a leak."""
        for _ in range(COUNT // 10):
            once()
        until(lambda: threading.active_count() < 20)
        before = held()
        for _ in range(COUNT):
            once()
        until(lambda: threading.active_count() <= before[3])
        after = held()
        print(f"\nkB, objects, descriptors, threads: {before} and after {COUNT} more {after}")
        self.assertLess(after[0], before[0] + COUNT // 2 + 4096)
        self.assertLess(after[1], before[1] + COUNT)
        self.assertLessEqual(after[2], before[2])

    def test_servers_with_clients(self):
        def once():
            with offering() as server, Client(server=server) as client:
                self.assertEqual(client.call_tool("echo", {"text": "x"}).text, "x")

        self.flat(once)

    @unittest.skipUnless(sys.platform == "linux", "elsewhere there is no /proc, and a bell is a pipe")
    def test_descriptors_of_one_client(self):
        """Its queue and its link have five, or nine with a process (three pipes, and one for its end); its two bells have one each."""
        for config, most in ((None, 7), (server("MCP_EXAMPLE_SERVER"), 9)):
            with self.subTest(config=config), contextlib.ExitStack() as stack:
                clients, counts = [], []
                for _ in range(3):
                    if config is None:
                        clients.append(stack.enter_context(Client(server=stack.enter_context(offering()))))
                    else:
                        clients.append(stack.enter_context(Client(config)))
                    clients[-1].ping()
                    counts.append(descriptors())
                self.assertLessEqual(counts[2] - counts[1], most)

    def test_servers_and_clients_in_a_loop(self):
        async def once():
            async with offering() as server, AsyncClient(server=server) as client:
                self.assertEqual((await client.call_tool("echo", {"text": "x"})).text, "x")

        loop = asyncio.new_event_loop()
        self.addCleanup(loop.close)
        loop.set_default_executor(ThreadPoolExecutor(1))  # Its threads are not ours to count.
        self.flat(lambda: loop.run_until_complete(once()))

    def test_what_the_collector_finds(self):
        def once():
            server = offering()
            client = Client(server=server)
            client.call_tool("echo", {"text": "x"})
            known = server._core.held
            del server, client
            # A thread of the server may still be on its way out of the handler.
            until(lambda: gc.collect() >= 0 and known.wait_freed(0.001))

        global COUNT
        count, COUNT = COUNT, COUNT // 10  # The collector takes long.
        try:
            self.flat(once)
        finally:
            COUNT = count


class Killed(unittest.TestCase):
    def test_a_server_that_is_killed_under_load_again_and_again(self):
        before = descriptors()

        async def revived(client):
            while True:  # Perhaps the client has not noticed yet that its server is gone.
                try:
                    return await client.call_tool("echo", {"text": "x"}, when_unavailable="wait", timeout=PATIENCE)
                except libmcp.Disconnected:
                    await asyncio.sleep(0.002)

        async def calls():
            lost = answered = 0
            async with AsyncClient(scripted(reconnect={"initial_ms": 10, "max_ms": 50})) as client:
                for _ in range(10):
                    await asyncio.wait_for(revived(client), PATIENCE)
                    # The first one is written at once, and is lost for certain: a quick server may have answered the others.
                    calls = [client.call_tool("hang", timeout=PATIENCE)]
                    calls += [client.call_tool("echo", {"text": "x"}, timeout=PATIENCE) for _ in range(199)]
                    tasks = [asyncio.create_task(call) for call in calls]
                    await asyncio.sleep(0)
                    os.kill(client.info()["pid"], signal.SIGKILL)
                    for outcome in await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 2 * PATIENCE):
                        self.assertIsInstance(outcome, (libmcp.ToolResult, libmcp.Disconnected))
                        lost += isinstance(outcome, Exception)
                        answered += not isinstance(outcome, Exception)
            return lost, answered

        lost, answered = asyncio.run(calls())
        self.assertEqual(lost + answered, 2000)
        self.assertGreaterEqual(lost, 10)
        self.assertLessEqual(descriptors(), before)

    def test_a_client_that_is_killed_under_load(self):
        program = (
            "import sys, libmcp\n"
            "with libmcp.Client({'socket': sys.argv[1]}) as client:\n"
            "    while True: client.call_tool('echo', {'text': 'x' * 1000})\n"
        )
        with offering() as server:
            where = server.serve("tcp:127.0.0.1:0")["socket"]
            before = descriptors()
            for _ in range(3):
                served = server.info()["counters"]["requests"]
                environment = {**os.environ, "PYTHONPATH": str(Path(libmcp.__file__).parent.parent)}
                client = subprocess.Popen([sys.executable, "-c", program, where], env=environment)
                until(lambda: server.info()["counters"]["requests"] > served + 100)
                client.kill()
                client.wait()
                until(lambda: server.info()["sessions"] == 0 and server.info()["requests"] == 0)
            with Client({"socket": where}) as client:
                self.assertEqual(client.call_tool("echo", {"text": "x"}).text, "x")
            until(lambda: descriptors() <= before)
