"""The official SDK's session, and packages that take it, over this client. They come from PyPI."""

import asyncio
import dataclasses
import gc
import importlib.util
import json
import threading
import unittest

import anyio

import libmcp
from libmcp import Context, Server

from .support import PATIENCE

HAS_SDK = importlib.util.find_spec("mcp") is not None
HAS_LANGCHAIN = importlib.util.find_spec("langchain_mcp_adapters") is not None
HAS_AGENTS = importlib.util.find_spec("agents") is not None
HAS_PYDANTIC_AI = importlib.util.find_spec("pydantic_ai") is not None

if HAS_SDK:
    import mcp
    from mcp import ClientSession, types
    from mcp.shared.message import SessionMessage

    from libmcp.compat import mcp as compat
    from libmcp.compat.mcp import streams


@dataclasses.dataclass
class Form:
    size: str


def make(begun, seen):
    server = Server("shop", version="2.0", instructions="Buy tea.")

    @server.tool
    def add(a: int, b: int) -> int:
        return a + b

    @server.tool
    def brew(request: Context) -> str:
        for step in (1, 2, 3):
            request.progress(step, 3)
        return "tea"

    @server.tool
    def order(request: Context) -> str:
        answer = request.elicit("Which size?", Form)
        return answer.content.size if answer.action == "accept" else "nothing"

    @server.tool
    def fail() -> str:
        raise libmcp.ToolError("no paper")

    @server.tool
    async def wait() -> str:
        begun.set()
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            seen.set()
        return "late"

    server.add_text("tea://menu", "assam", name="menu")
    return server


@unittest.skipUnless(HAS_SDK, "the package mcp is not installed")
class Sessions(unittest.TestCase):
    def test_a_session_of_the_official_sdk_has_every_feature(self):
        for era in ("modern", "legacy"):
            for backend in ("asyncio", "trio"):
                with self.subTest(era=era, backend=backend):
                    anyio.run(self.use, era, backend=backend)

    async def use(self, era):
        begun, seen = threading.Event(), threading.Event()
        reports = []

        async def elicit(context, params):
            return types.ElicitResult(action="accept", content={"size": "large"})

        async def report(progress, total, message):
            reports.append((progress, total))

        with make(begun, seen) as server:
            async with streams({"protocol": era}, server=server) as (read, write):
                async with ClientSession(read, write, elicitation_callback=elicit) as session:
                    about = await session.initialize()
                    self.assertEqual((about.serverInfo.name, about.instructions), ("shop", "Buy tea."))
                    self.assertIsNotNone(about.capabilities.tools)
                    self.assertEqual([tool.name for tool in (await session.list_tools()).tools][:2], ["add", "brew"])
                    added = await session.call_tool("add", {"a": 1, "b": 2})
                    self.assertEqual((added.content[0].text, added.structuredContent), ("3", {"result": 3}))
                    self.assertEqual((await session.call_tool("brew", {}, progress_callback=report)).content[0].text, "tea")
                    self.assertEqual(reports, [(1, 3), (2, 3), (3, 3)])
                    self.assertEqual((await session.call_tool("order", {})).content[0].text, "large")
                    self.assertTrue((await session.call_tool("fail", {})).isError)
                    self.assertEqual((await session.read_resource("tea://menu")).contents[0].text, "assam")
                    with self.assertRaisesRegex(Exception, "no tool 'nope'"):
                        await session.call_tool("nope", {})
                    await session.send_ping()
                    async with anyio.create_task_group() as group:
                        group.start_soon(session.call_tool, "wait", {})
                        await anyio.to_thread.run_sync(begun.wait, PATIENCE)
                        # What the SDK's session sends when a caller gives up.
                        number = session._request_id - 1
                        await session.send_notification(types.ClientNotification(types.CancelledNotification(
                            params=types.CancelledNotificationParams(requestId=number))))
                        self.assertTrue(await anyio.to_thread.run_sync(seen.wait, PATIENCE))
                        group.cancel_scope.cancel()

    @unittest.skipUnless(HAS_LANGCHAIN, "langchain-mcp-adapters is not installed")
    def test_langchain_loads_the_tools(self):
        from langchain_mcp_adapters.tools import load_mcp_tools

        async def use():
            with make(threading.Event(), threading.Event()) as server:
                async with compat.ClientSession(server=server) as session:
                    await session.initialize()
                    tools = {tool.name: tool for tool in await load_mcp_tools(session)}
                    said = await tools["add"].ainvoke({"a": 3, "b": 4})
                    self.assertEqual(said[0]["text"], "7")

        asyncio.run(use())

    @unittest.skipUnless(HAS_AGENTS, "openai-agents is not installed")
    def test_the_agents_sdk_calls_a_tool(self):
        from agents.mcp import MCPServerStdio

        class Ours(MCPServerStdio):
            def create_streams(self):
                return streams(server=server)

        async def use():
            async with Ours({"command": "unused"}) as shop:
                self.assertIn("add", [tool.name for tool in await shop.list_tools()])
                self.assertEqual((await shop.call_tool("add", {"a": 3, "b": 4})).content[0].text, "7")

        with make(threading.Event(), threading.Event()) as server:
            asyncio.run(use())

    @unittest.skipUnless(HAS_PYDANTIC_AI, "pydantic-ai-slim is not installed")
    def test_pydantic_ai_runs_an_agent_with_the_tools(self):
        from pydantic_ai import Agent
        from pydantic_ai.mcp import MCPToolset
        from pydantic_ai.models.test import TestModel

        async def use():
            agent = Agent(TestModel(call_tools=["add"]), toolsets=[MCPToolset(compat.transport(server=server))])
            async with agent:
                self.assertEqual(json.loads((await agent.run("add")).output), {"add": 0})

        with make(threading.Event(), threading.Event()) as server:
            asyncio.run(use())

    def test_a_server_is_one_of_the_official_sdk(self):
        from mcp.shared.memory import create_connected_server_and_client_session as connected

        reports = []

        async def report(progress, total, message):
            reports.append((progress, total))

        async def use():
            async with make(threading.Event(), threading.Event()) as server, connected(compat.Server(server)) as session:
                about = await session.initialize()
                self.assertEqual((about.serverInfo.name, about.serverInfo.version, about.instructions), ("shop", "2.0", "Buy tea."))
                offered = about.capabilities
                self.assertEqual((offered.prompts, offered.completions), (None, None))
                self.assertIsNotNone(offered.resources)
                self.assertIn("add", [tool.name for tool in (await session.list_tools()).tools])
                added = await session.call_tool("add", {"a": 1, "b": 2})
                self.assertEqual((added.content[0].text, added.structuredContent), ("3", {"result": 3}))
                self.assertEqual((await session.call_tool("brew", {}, progress_callback=report)).content[0].text, "tea")
                self.assertEqual(reports, [(1, 3), (2, 3), (3, 3)])
                self.assertTrue((await session.call_tool("fail", {})).isError)
                self.assertEqual((await session.read_resource("tea://menu")).contents[0].text, "assam")
                # This session has no way to ask a person.
                self.assertTrue((await session.call_tool("order", {})).isError)
                for call in (session.call_tool("nope", {}), session.read_resource("tea://nope")):
                    with self.assertRaisesRegex(mcp.McpError, "nope"):
                        await call

        asyncio.run(use())

    def test_a_session_that_is_not_entered_or_fails_keeps_nothing(self):
        async def use():
            with make(threading.Event(), threading.Event()) as server:
                compat.ClientSession(server=server)
                with self.assertRaises(Exception) as caught:  # A group of tasks wraps it.
                    async with compat.ClientSession(server=server) as session:
                        await session.initialize()
                        raise ZeroDivisionError
                self.assertIn("ZeroDivisionError", repr(caught.exception))
                self.assertEqual(server.info()["sessions"], 0)

        asyncio.run(use())
        gc.collect()

    def test_a_session_goes_on_after_what_it_sends_fails(self):
        for era in ("modern", "legacy"):
            with self.subTest(era=era):
                anyio.run(self.go_on, era)

    async def go_on(self, era):
        with make(threading.Event(), threading.Event()) as server:
            async with streams({"protocol": era}, server=server) as (read, write):

                async def send(method, params, **number):
                    message = {"jsonrpc": "2.0", "method": method, "params": params, **number}
                    await write.send(SessionMessage(types.JSONRPCMessage.model_validate(message)))

                async def ask(method, params):
                    await send(method, params, id=method)
                    with anyio.fail_after(PATIENCE):
                        return (await read.receive()).message.model_dump(exclude_none=True)

                about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
                await ask("initialize", about)
                with self.assertLogs("libmcp.client", "WARNING") as logged:
                    await send("notifications/\0", {})
                    self.assertEqual((await ask("ping", {}))["result"], {})
                self.assertIn("is lost", logged.output[0])
                with self.assertLogs("libmcp.client", "ERROR"):
                    self.assertIn("KeyError", (await ask("resources/unsubscribe", {}))["error"]["message"])
                server.close()
                self.assertIn("error", await ask("ping", {}))

    def test_the_server_ends_with_its_session(self):
        async def use():
            with make(threading.Event(), threading.Event()) as server:
                for _ in range(3):
                    async with streams(server=server) as (read, write), ClientSession(read, write) as session:
                        await session.initialize()
                self.assertEqual(server.info()["sessions"], 0)

        asyncio.run(use())
