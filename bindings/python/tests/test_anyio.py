import asyncio
import threading
import unittest

import anyio
import trio

import libmcp
from libmcp import Context, Server
from libmcp.anyio import AnyioClient

from .support import PATIENCE, example, scripted


def everywhere(test):
    """Runs a test under trio and under asyncio."""

    def run(self):
        for backend in ("trio", "asyncio"):
            with self.subTest(backend):
                anyio.run(test, self, backend=backend)

    return run


async def until(condition):
    with anyio.fail_after(PATIENCE):
        while not condition():
            await anyio.sleep(0.002)


class Anywhere(unittest.TestCase):
    @everywhere
    async def test_calls_lists_and_handlers(self):
        for era in ("legacy", "modern"):
            reports = []
            config = example("--era", era, "--page-size", "3", protocol=era)
            async with AnyioClient(config, on_elicitation=lambda form: {"answer": "blue"}) as client:
                await client.connect()
                self.assertEqual(len([tool async for tool in client.tools()]), 10)
                page = await client.page("tools")
                self.assertEqual((len(page.entries), page.next_cursor is not None), (3, True))
                self.assertEqual(len((await client.page("tools", cursor=page.next_cursor)).entries), 3)
                self.assertEqual((await client.call_tool("ask", {"question": "Colour?"})).text, "blue")
                await client.call_tool("slow", {"ms": 40, "steps": 4}, on_progress=reports.append)
                self.assertGreaterEqual(len(reports), 2)
            with self.assertRaises(libmcp.Closed):
                await client.call_tool("echo", {"text": "x"})

    @everywhere
    async def test_many_calls_at_once(self):
        async with AnyioClient(example()) as client:
            texts = {}

            async def call(number):
                texts[number] = (await client.call_tool("echo", {"text": str(number)})).text

            async with anyio.create_task_group() as group:
                for number in range(200):
                    group.start_soon(call, number)
            self.assertEqual(texts, {number: str(number) for number in range(200)})

    @everywhere
    async def test_a_cancelled_scope_cancels_its_call(self):
        async with AnyioClient(scripted()) as client:
            await client.connect()
            with anyio.move_on_after(0.05) as scope:
                await client.call_tool("hang")
            self.assertTrue(scope.cancelled_caught)
            self.assertIn("notifications/cancelled", (await client.call_tool("received")).text)

    @everywhere
    async def test_an_error_in_the_body_ends_the_client_and_is_what_is_raised(self):
        with self.assertRaises(ValueError):
            async with AnyioClient(scripted()) as client:
                await client.connect()
                raise ValueError
        self.assertEqual(client.state, libmcp.State.CLOSED)

    @everywhere
    async def test_a_failing_handler_is_told_and_answered(self):
        failures = []

        def fail(_):
            raise RuntimeError("hunter2")

        async with AnyioClient(scripted(), on_sampling=fail, on_error=failures.append) as client:
            arguments = {"method": "sampling/createMessage", "wait_ms": 20000}
            answer = (await client.call_tool("ask_forever", arguments)).text
            self.assertIn("internal error", answer)
            self.assertNotIn("hunter2", answer)
        self.assertEqual([str(error) for error in failures], ["hunter2"])

    @everywhere
    async def test_a_server_in_the_same_process(self):
        server = Server("x")

        @server.tool
        def ask(request: Context) -> str:
            return request.sample("hello", max_tokens=3).text

        with server:
            async with AnyioClient(server=server, on_sampling=lambda request: "well") as client:
                self.assertEqual((await client.call_tool("ask")).text, "well")

    def test_a_server_beside_trio_runs_coroutines_in_a_loop_of_its_own(self):
        server = Server("x")

        @server.tool
        async def later() -> str:
            await asyncio.sleep(0)  # Of asyncio: this is not trio's loop.
            return "later"

        async def main():
            with server:
                async with AnyioClient(server=server) as client:
                    self.assertEqual((await client.call_tool("later")).text, "later")
            with self.assertRaisesRegex(RuntimeError, "no running event loop"):
                await Server("y").run_async()

        trio.run(main)

    def test_trio_by_itself_leaves_no_thread(self):
        async def main():
            async with AnyioClient(example()) as client:
                return (await client.call_tool("echo", {"text": "x"})).text

        before = threading.active_count()
        self.assertEqual(trio.run(main), "x")
        self.assertLessEqual(threading.active_count(), before + 2)  # trio keeps idle threads for some seconds.
