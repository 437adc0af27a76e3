"""The Python SDK or FastMCP as a client of our server: python.py 1|2|fastmcp legacy|modern REVISION NAME COMMAND...

In place of the command there may be the URL of a server that runs. Writes a line for each feature: "ok NAME" or
"failed NAME: why". README.md says what each feature is.
"""

import asyncio
import contextlib
import os
import sys
import warnings

sdk, era, revision, server_name, command, *args = sys.argv[1:]
modern = era == "modern"
over_http = command.startswith("http")
LIMIT = 60
URI = "demo://greeting"

warnings.simplefilter("ignore")
quiet = open(os.devnull, "w")


class Seen:
    """What notifications told."""

    def __init__(self):
        self.log, self.updated, self.tools = [], [], 0
        self.changed = asyncio.Condition()

    async def add(self, **facts):
        async with self.changed:
            self.log += facts.get("log", [])
            self.updated += facts.get("updated", [])
            self.tools += facts.get("tools", 0)
            self.changed.notify_all()

    async def until(self, holds):
        async with self.changed:
            await self.changed.wait_for(holds)


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"{found!r} instead of {wanted!r}")


def member(thing, snake):
    """A member of a model: the second major version writes its names in snake case, the first as on the wire."""
    first, *rest = snake.split("_")
    camel = first + "".join(word.capitalize() for word in rest)
    return getattr(thing, snake) if hasattr(thing, snake) else getattr(thing, camel)


def text(result):
    return result.content[0].text


async def refused(code, answer):
    try:
        result = await answer
    except Exception as error:
        found = getattr(error, "code", None) or getattr(getattr(error, "error", None), "code", None)
        if found != code:
            raise AssertionError(f"{found} instead of {code}: {error!r}") from error
        return
    raise AssertionError(f"answered: {result!r}")


class Sdk1:
    """mcp 1.x: a session over a transport."""

    async def connect(self, stack, seen):
        import mcp
        from mcp import types
        from mcp.client.stdio import stdio_client
        from mcp.client.streamable_http import streamable_http_client

        self.types = types
        if over_http:
            transport = streamable_http_client(command)
        else:
            transport = stdio_client(mcp.StdioServerParameters(command=command, args=args), errlog=quiet)
        streams = (await stack.enter_async_context(transport))[:2]

        async def sample(context, params):
            said = types.TextContent(type="text", text=f"sampled: {params.messages[0].content.text}")
            return types.CreateMessageResult(role="assistant", model="none", content=said)

        async def elicit(context, params):
            return types.ElicitResult(action="accept", content={"answer": f"answered: {params.message}"})

        async def roots(context):
            return types.ListRootsResult(roots=[types.Root(uri="file:///interop", name="interop")])

        async def log(params):
            await seen.add(log=[params])

        async def message(message):
            root = getattr(message, "root", None)
            if isinstance(root, types.ResourceUpdatedNotification):
                await seen.add(updated=[str(root.params.uri)])
            elif isinstance(root, types.ToolListChangedNotification):
                await seen.add(tools=1)

        self.session = await stack.enter_async_context(
            mcp.ClientSession(
                *streams,
                sampling_callback=sample,
                elicitation_callback=elicit,
                list_roots_callback=roots,
                logging_callback=log,
                message_handler=message,
            )
        )
        opened = await self.session.initialize()
        return opened.serverInfo.name, opened.protocolVersion, opened.instructions

    async def ping(self):
        await self.session.send_ping()

    async def tools_page(self, cursor):
        return await self.session.list_tools(params=self.types.PaginatedRequestParams(cursor=cursor))

    async def call(self, name, arguments=None, on_progress=None):
        return await self.session.call_tool(name, arguments or {}, progress_callback=on_progress)

    async def set_level(self, level):
        await self.session.set_logging_level(level)

    async def resources(self):
        return (await self.session.list_resources()).resources

    async def templates(self):
        return member(await self.session.list_resource_templates(), "resource_templates")

    async def read(self, uri):
        return (await self.session.read_resource(uri)).contents[0]

    @contextlib.asynccontextmanager
    async def subscribed(self, uri, seen):
        await self.session.subscribe_resource(uri)
        yield
        await self.session.unsubscribe_resource(uri)

    @contextlib.asynccontextmanager
    async def listening_to_tools(self, seen):
        yield

    async def prompts(self):
        return (await self.session.list_prompts()).prompts

    async def prompt(self, name, arguments):
        return await self.session.get_prompt(name, arguments)

    async def complete(self, ref, argument):
        kind = self.types.PromptReference if ref["type"] == "ref/prompt" else self.types.ResourceTemplateReference
        return (await self.session.complete(kind(**ref), argument)).completion.values

    async def cancel(self, started, task):
        """This version tells the server nothing when a task is cancelled; a program may send the notification itself."""
        types = self.types
        await started
        params = types.CancelledNotificationParams(requestId=self.session._request_id - 1, reason="not wanted")
        await self.session.send_notification(types.ClientNotification(types.CancelledNotification(params=params)))
        task.cancel()


class Sdk2(Sdk1):
    """mcp 2.x: a client, and listening to changes as the modern era has it."""

    async def connect(self, stack, seen):
        import mcp
        from mcp import types

        self.types = types

        async def sample(context, params):
            said = types.TextContent(type="text", text=f"sampled: {params.messages[0].content.text}")
            return types.CreateMessageResult(role="assistant", model="none", content=said)

        async def elicit(context, params):
            return types.ElicitResult(action="accept", content={"answer": f"answered: {params.message}"})

        async def roots(context):
            return types.ListRootsResult(roots=[types.Root(uri="file:///interop", name="interop")])

        async def log(params):
            await seen.add(log=[params])

        async def message(message):
            if modern:
                # The stream that listens gives it as an event, too.
                return
            if isinstance(message, types.ResourceUpdatedNotification):
                await seen.add(updated=[str(message.params.uri)])
            elif isinstance(message, types.ToolListChangedNotification):
                await seen.add(tools=1)

        server = command if over_http else mcp.StdioServerParameters(command=command, args=args)
        self.session = await stack.enter_async_context(
            mcp.Client(
                server,
                mode="auto" if modern else "legacy",
                sampling_callback=sample,
                elicitation_callback=elicit,
                list_roots_callback=roots,
                logging_callback=log,
                message_handler=message,
            )
        )
        return self.session.server_info.name, self.session.protocol_version, self.session.instructions

    async def tools_page(self, cursor):
        return await self.session.list_tools(cursor=cursor)

    async def call(self, name, arguments=None, on_progress=None, meta=None):
        return await self.session.call_tool(name, arguments or {}, progress_callback=on_progress, meta=meta)

    @contextlib.asynccontextmanager
    async def listening(self, seen, **what):
        async with self.session.listen(**what) as events:

            async def follow():
                async for event in events:
                    uri = getattr(event, "uri", None)
                    await (seen.add(updated=[str(uri)]) if uri is not None else seen.add(tools=1))

            following = asyncio.create_task(follow())
            yield
            following.cancel()

    def subscribed(self, uri, seen):
        return self.listening(seen, resource_subscriptions=[uri]) if modern else super().subscribed(uri, seen)

    def listening_to_tools(self, seen):
        return self.listening(seen, tools_list_changed=True) if modern else super().listening_to_tools(seen)

    async def cancel(self, started, task):
        await started
        task.cancel()


class FastMcp(Sdk2):
    """FastMCP: a client of its own upon mcp 2.x. It has no function that listens in the modern era."""

    async def connect(self, stack, seen):
        from fastmcp import Client
        from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
        from mcp import types

        self.types = types

        async def sample(messages, params, context):
            return f"sampled: {messages[0].content.text}"

        async def elicit(message, response_type, params, context):
            return {"answer": f"answered: {message}"}

        async def log(params):
            await seen.add(log=[params])

        async def message(message):
            if modern:
                # The stream that listens gives it as an event, too.
                return
            if isinstance(message, types.ResourceUpdatedNotification):
                await seen.add(updated=[str(message.params.uri)])
            elif isinstance(message, types.ToolListChangedNotification):
                await seen.add(tools=1)

        if over_http:
            # A result of 3 MB is more than it takes unless it is told.
            transport = StreamableHttpTransport(command, max_sse_event_size=None)
        else:
            transport = StdioTransport(command, args, keep_alive=False, log_file=quiet)
        self.client = await stack.enter_async_context(
            Client(
                transport,
                mode="auto" if modern else "legacy",
                roots=["file:///interop"],
                sampling_handler=sample,
                elicitation_handler=elicit,
                log_handler=log,
                message_handler=message,
            )
        )
        # What the client has no function for, its session does.
        self.session = self.client.session
        return self.client.server_info.name, self.client.protocol_version, self.client.instructions

    async def ping(self):
        await self.client.ping()

    async def tools_page(self, cursor):
        return await self.client.list_tools_mcp(cursor=cursor)

    async def call(self, name, arguments=None, on_progress=None, meta=None):
        return await self.client.call_tool_mcp(name, arguments or {}, progress_handler=on_progress, meta=meta)

    async def set_level(self, level):
        await self.client.set_logging_level(level)

    async def resources(self):
        return await self.client.list_resources()

    async def templates(self):
        return await self.client.list_resource_templates()

    async def read(self, uri):
        return (await self.client.read_resource(uri))[0]

    async def prompts(self):
        return await self.client.list_prompts()

    async def prompt(self, name, arguments):
        return await self.client.get_prompt(name, arguments)

    async def complete(self, ref, argument):
        kind = self.types.PromptReference if ref["type"] == "ref/prompt" else self.types.ResourceTemplateReference
        return (await self.client.complete(kind(**ref), argument)).values

    def listening(self, seen, **what):
        raise NotImplementedError("FastMCP's client has no function for subscriptions/listen")


SDKS = {"1": Sdk1, "2": Sdk2, "fastmcp": FastMcp}


async def main():
    seen = Seen()
    client = SDKS[sdk]()
    stack = contextlib.AsyncExitStack()
    call = client.call

    async def connect():
        name, negotiated, instructions = await client.connect(stack, seen)
        equal((name, negotiated, bool(instructions)), (server_name, revision, True))

    async def pages():
        names, cursor, count = [], None, 0
        while count == 0 or cursor is not None:
            page = await client.tools_page(cursor)
            names += [tool.name for tool in page.tools]
            cursor, count = member(page, "next_cursor"), count + 1
        if count < 2:
            raise AssertionError(f"{count} page")
        equal({"echo", "add", "slow"} <= set(names), True)
        equal(len(names), len(set(names)))

    async def plain():
        said = "Grüße, 世界 🦀 \u2028"
        equal(text(await call("echo", {"text": said})), said)

    async def structured():
        equal(member(await call("add", {"a": 2, "b": 3}), "structured_content"), {"sum": 5})

    async def failure():
        result = await call("fail")
        equal((member(result, "is_error"), text(result)), (True, "This tool always fails"))

    async def wrong():
        equal(member(await call("add", {"a": "two", "b": 3}), "is_error"), True)

    async def unknown():
        await refused(-32602, call("nothing"))

    async def large():
        equal(len(text(await call("big", {"bytes": 3_000_000}))), 3_000_000)

    async def printing():
        equal(text(await call("print", {"text": "printed\n"})), "printed")

    async def progress():
        steps = []

        async def step(done, total, message):
            steps.append((done, total))

        await call("slow", {"ms": 60, "steps": 3}, step)
        equal(steps, [(1, 3), (2, 3), (3, 3)])

    async def cancellation():
        before = int(text(await call("cancelled")))
        started = asyncio.get_running_loop().create_future()

        async def step(done, total, message):
            if not started.done():
                started.set_result(None)

        task = asyncio.create_task(call("slow", {"ms": 600_000, "steps": 6_000_000}, step))
        await client.cancel(started, task)
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await task
        now = before
        while now == before:
            now = int(text(await call("cancelled")))
        equal(now, before + 1)

    async def log():
        if modern:
            await call("notify", {"count": 2}, meta={"io.modelcontextprotocol/logLevel": "info"})
        else:
            await client.set_level("info")
            await call("notify", {"count": 2})
        await seen.until(lambda: len(seen.log) >= 2)
        equal([(said.level, said.data["number"]) for said in seen.log], [("info", 1), ("info", 2)])
        if not modern:
            await client.set_level("error")
            await call("notify", {"count": 2})
            await call("echo", {"text": "after"})
            equal(len(seen.log), 2)

    async def resources():
        equal([str(resource.uri) for resource in await client.resources()][:2], [URI, "demo://logo"])

    async def templates():
        equal(member((await client.templates())[0], "uri_template"), "demo://greeting/{name}")

    async def read():
        equal((await client.read(URI)).text, "Hello, world!")
        equal((await client.read("demo://greeting/Ada")).text, "Hello, Ada!")
        equal((await client.read("demo://logo")).blob[:11], "iVBORw0KGgo")

    async def no_resource():
        await refused(-32602 if modern else -32002, client.read("demo://nothing"))

    async def updates():
        async with client.subscribed(URI, seen):
            await call("touch", {"uri": URI})
            await seen.until(lambda: seen.updated)
            equal(seen.updated, [URI])
        await call("touch", {"uri": URI})
        await call("echo", {"text": "after"})
        equal(seen.updated, [URI])

    async def tool_changes():
        async with client.listening_to_tools(seen):
            await call("change_tools")
            await seen.until(lambda: seen.tools > 0)

    async def prompts():
        equal([prompt.name for prompt in await client.prompts()], ["greet"])
        prompt = await client.prompt("greet", {"name": "Ada"})
        equal(prompt.messages[0].content.text, "Please write a friendly greeting for Ada.")

    async def completion():
        for ref in [
            {"type": "ref/prompt", "name": "greet"},
            {"type": "ref/resource", "uri": "demo://greeting/{name}"},
        ]:
            equal(await client.complete(ref, {"name": "name", "value": "A"}), ["Ada", "Alan"])

    async def sampling():
        equal(text(await call("sample", {"prompt": "Hi"})), "sampled: Hi")

    async def elicitation():
        equal(text(await call("ask", {"question": "Who?"})), "answered: Who?")

    async def roots():
        equal(text(await call("roots")), "file:///interop")

    async def broken_stream():
        steps = []

        async def step(done, total, message):
            steps.append(done)

        equal((text(await call("interrupted", {}, step)), steps[0]), ("after the break", 1))

    async def close():
        pid = int(text(await call("pid")))
        await stack.aclose()
        if over_http:
            return
        with contextlib.suppress(ProcessLookupError):
            while True:
                os.kill(pid, 0)
                await asyncio.sleep(0.005)

    features = {
        "connect": connect,
        "ping": client.ping,
        "tools: pages": pages,
        "tools: call": plain,
        "tools: structured result": structured,
        "tools: failure": failure,
        "tools: wrong arguments": wrong,
        "tools: unknown": unknown,
        "tools: large result": large,
        "tools: printing handler": printing,
        "progress": progress,
        "cancellation": cancellation,
        "log": log,
        "resources: list": resources,
        "resources: templates": templates,
        "resources: read": read,
        "resources: unknown": no_resource,
        "resources: updates": updates,
        "tools: list changes": tool_changes,
        "prompts": prompts,
        "completion": completion,
        "sampling": sampling,
        "elicitation": elicitation,
        "roots": roots,
        "http: broken stream": broken_stream,
        "close": close,
    }
    for name, feature in features.items():
        if name.startswith("http: ") and (modern or not over_http):
            continue
        try:
            # The scopes of a connection belong to the task that opened them.
            async with asyncio.timeout(LIMIT):
                await feature()
            print(f"ok {name}", flush=True)
        except Exception as error:
            why = f"{type(error).__name__}: {error}".replace("\n", " ")
            print(f"failed {name}: {why}", flush=True)
            if name == "connect":
                break


asyncio.run(main())
