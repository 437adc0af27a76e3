import asyncio
import gc
import os
import signal
import threading
import unittest
from collections import Counter

import libmcp

from .support import PATIENCE, resident_kb, scripted, until

CALLS = 1000


def kind_of(number, outcome):
    if isinstance(outcome, libmcp.ToolResult):
        assert outcome.text == str(number), f"{outcome.text} for {number}"
        return "results"
    if isinstance(outcome, libmcp.Disconnected):
        return "lost" if outcome.status == libmcp.Status.TRANSPORT else "late"
    raise AssertionError(f"call {number}: {outcome!r}")


class Killing(unittest.TestCase):
    def check(self, ends):
        self.assertEqual(sum(ends.values()), CALLS, ends)
        self.assertGreaterEqual(ends["lost"], CALLS // 4, ends)

    def test_a_killed_server_ends_each_call_once_for_threads(self):
        ends, lock = Counter(), threading.Lock()
        with libmcp.Client(scripted()) as client:
            client.connect()
            pid = client.info()["pid"]

            def call(number):
                try:
                    outcome = client.call_tool("echo" if number % 2 else "hang", {"text": str(number)})
                except libmcp.Error as error:
                    outcome = error
                kind = kind_of(number, outcome)
                with lock:
                    ends[kind] += 1

            threads = [threading.Thread(target=call, args=(number,)) for number in range(CALLS)]
            for thread in threads:
                thread.start()
                if thread is threads[CALLS * 3 // 4]:
                    until(lambda: client.info()["pending_calls"] >= CALLS // 4)
                    os.kill(pid, signal.SIGKILL)
            for thread in threads:
                thread.join(PATIENCE)
            self.assertEqual(client.info()["pending_calls"], 0)
        self.check(ends)

    def test_a_killed_server_ends_each_call_once_for_tasks(self):
        async def calls():
            async with libmcp.AsyncClient(scripted()) as client:
                await client.connect()
                pid = client.info()["pid"]
                tasks = [
                    asyncio.create_task(client.call_tool("echo" if number % 2 else "hang", {"text": str(number)}))
                    for number in range(CALLS)
                ]
                # One turn of the loop starts them all, and some are answered before the kill.
                await asyncio.sleep(0)
                os.kill(pid, signal.SIGKILL)
                return await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), PATIENCE)

        self.check(Counter(kind_of(number, outcome) for number, outcome in enumerate(asyncio.run(calls()))))


class Memory(unittest.TestCase):
    def test_memory_is_flat_after_many_calls(self):
        round_of = 50_000
        text = {"text": "x" * 64}

        async def calls(client, count):
            for _ in range(count):
                await client.call_tool("echo", text)

        async def rounds():
            async with libmcp.AsyncClient(scripted()) as client:
                seen = []
                for _ in range(3):
                    await asyncio.gather(*(calls(client, round_of // 16) for _ in range(16)))
                    gc.collect()
                    seen.append((resident_kb(), len(gc.get_objects())))
                return seen

        first, _, last = asyncio.run(rounds())
        print(f"\nafter {round_of} calls {first[0]} kB and {first[1]} objects, after {3 * round_of} {last[0]} kB and {last[1]}")
        self.assertLess(last[0], first[0] + 4096)
        self.assertLess(last[1], first[1] + 1000)
