import asyncio
import gc
import threading
import unittest

import libmcp

from .support import PATIENCE, alive, example, scripted


async def until(condition):
    async def look():
        while not condition():
            await asyncio.sleep(0.002)

    await asyncio.wait_for(look(), PATIENCE)


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_calls_and_lists(self):
        for era in ("legacy", "modern"):
            async with libmcp.AsyncClient(example("--era", era, "--page-size", "3")) as client:
                await client.connect()
                self.assertEqual(len([tool async for tool in client.tools()]), 10)
                self.assertEqual((await client.call_tool("echo", {"text": "ü"})).text, "ü")
                self.assertEqual(client.info()["era"], era)

    async def test_many_calls_at_once_need_no_thread(self):
        before = threading.active_count()
        async with libmcp.AsyncClient(example()) as client:
            results = await asyncio.gather(*(client.call_tool("echo", {"text": str(n)}) for n in range(1000)))
            self.assertEqual([result.text for result in results], [str(n) for n in range(1000)])
            self.assertEqual(threading.active_count(), before)

    async def test_a_cancelled_task_cancels_its_call(self):
        async with libmcp.AsyncClient(scripted()) as client:
            await client.connect()
            task = asyncio.create_task(client.call_tool("hang"))
            await until(lambda: client.info()["pending_calls"] == 1)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual(client.info()["pending_calls"], 0)
            lines = (await client.call_tool("received")).text
            self.assertIn("notifications/cancelled", lines)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.call_tool("hang"), 0.05)
            with self.assertRaises(libmcp.CallTimeout):
                await client.call_tool("hang", timeout=0.05)

    async def test_close_ends_calls_under_way(self):
        client = libmcp.AsyncClient(scripted())
        await client.connect()
        calls = [asyncio.create_task(client.call_tool("hang")) for _ in range(20)]
        await until(lambda: client.info()["pending_calls"] == 20)
        await asyncio.gather(client.close(), client.close())
        for outcome in await asyncio.gather(*calls, return_exceptions=True):
            self.assertIsInstance(outcome, libmcp.Closed)
        with self.assertRaises(libmcp.Closed):
            await client.call_tool("echo")

    async def test_handlers_may_be_functions_or_coroutines(self):
        async def later(request):
            await asyncio.sleep(0)
            return {"action": "accept", "content": {"answer": (await client.call_tool("echo", {"text": "in"})).text}}

        for answer, says in ((later, "in"), (lambda _: {"action": "decline"}, "No answer: decline")):
            heard = asyncio.Queue()
            config = example("--era", "legacy", capabilities={"elicitation": {}})
            async with libmcp.AsyncClient(
                config,
                on_request={"elicitation/create": answer},
                on_notification=lambda method, params: heard.put_nowait(method),
            ) as client:
                self.assertEqual((await client.call_tool("ask", {"question": "?"})).text, says)
                await client.call_tool("notify", {"count": 3, "changes": False})
                for _ in range(3):
                    self.assertEqual(await asyncio.wait_for(heard.get(), PATIENCE), "notifications/message")

    async def test_a_subscription_tells_of_changes(self):
        heard = asyncio.Queue()
        hear = lambda method, params: heard.put_nowait((method, params.get("uri")))
        async with libmcp.AsyncClient(example("--era", "legacy"), on_notification=hear) as client:
            await client.subscribe("demo://greeting", timeout=PATIENCE)
            await client.call_tool("notify", {"count": 1})
            while (await asyncio.wait_for(heard.get(), PATIENCE)) != ("notifications/resources/updated", "demo://greeting"):
                pass
            await client.unsubscribe("demo://greeting")
            with self.assertRaises(libmcp.ServerError):
                await client.subscribe("demo://nothing")

    async def test_a_raising_handler_is_told_and_refuses(self):
        complaints = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context["exception"]))

        async def fail(*_):
            raise RuntimeError("the model is gone")

        config = scripted(capabilities={"sampling": {}})
        async with libmcp.AsyncClient(config, on_request={libmcp.ANY: fail}, on_state=fail) as client:
            answer = await client.call_tool("ask_forever", {"method": "sampling/createMessage", "wait_ms": 20000})
            self.assertNotIn("the model is gone", answer.text)
            self.assertIn("internal error", answer.text)
        self.assertTrue(complaints and all(isinstance(error, RuntimeError) for error in complaints))

    async def test_progress_comes_before_the_result(self):
        reports = []
        async with libmcp.AsyncClient(example()) as client:
            await client.call_tool("slow", {"ms": 60, "steps": 6}, on_progress=reports.append)
        self.assertEqual([report["progress"] for report in reports], [1, 2, 3, 4, 5, 6])

    async def test_connecting_is_bounded_and_tells_why_it_failed(self):
        async with libmcp.AsyncClient(scripted("hang-on-initialize")) as client:
            with self.assertRaises(libmcp.CallTimeout):
                await client.connect(timeout=0.05)
        async with libmcp.AsyncClient({"command": "/no/such/server"}) as client:
            with self.assertRaisesRegex(ConnectionError, "/no/such/server"):
                await client.connect(timeout=PATIENCE)

    async def test_a_forgotten_client_is_closed_by_the_collector(self):
        client = libmcp.AsyncClient(example())
        pid = int((await client.call_tool("pid")).text)
        del client
        gc.collect()
        await until(lambda: not alive(pid))


class Loops(unittest.TestCase):
    def test_a_client_whose_loop_is_gone_is_closed_by_the_collector(self):
        async def forget():
            client = libmcp.AsyncClient(example())
            return client, int((await client.call_tool("pid")).text)

        client, pid = asyncio.run(forget())
        del client
        gc.collect()
        asyncio.run(until(lambda: not alive(pid)))
