import asyncio
import dataclasses
import enum
import functools
import gc
import logging
import tempfile
import threading
import unittest
import weakref
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import libmcp
from libmcp import AsyncClient, Audio, Client, Context, Field, File, Image, NotFound, Refusal, Server, ToolError
from libmcp.types import ImageContent

from .support import PATIENCE, until

ERAS = ("legacy", "modern")


@dataclasses.dataclass
class Weather:
    """How it is outside."""

    city: str
    degrees: float
    wind: Literal["calm", "storm"] = "calm"


@dataclasses.dataclass
class Size:
    size: Literal["small", "large"]
    cups: Annotated[int, Field("How many", ge=1, le=9)] = 1


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Point(TypedDict):
    x: int
    y: int


def make():
    server = Server("shop", version="2.0", logging=True, on_error=lambda error, context: server.failures.append(error))
    server.failures = []

    @server.tool
    def add(a: int, b: int = 3) -> int:
        """Adds two numbers.

        Args:
            a: The first one.
            b: The second one,
                which may be left out.

        Returns:
            Their sum.
        """
        return a + b

    @server.tool(title="Weather", annotations={"readOnlyHint": True})
    async def weather(city: str, colours: list[Colour] | None = None) -> Weather:
        assert colours is None or all(isinstance(colour, Colour) for colour in colours)
        return Weather(city, 21.5)

    @server.tool
    def move(to: Point, by: Weather | None = None) -> Point:
        return {"x": to["x"] + 1, "y": to["y"] + (1 if by is None else int(by.degrees))}

    @server.tool
    def fail(how: str) -> str:
        if how == "exit":
            raise SystemExit(3)
        if how == "tool":
            raise libmcp.ToolError("the printer has no paper")
        if how == "refuse":
            raise libmcp.Refusal("not for you", -31999, {"why": "rude"})
        raise RuntimeError("password: hunter2")

    @server.tool
    async def afail(how: str) -> str:
        if how == "interrupt":
            raise KeyboardInterrupt
        if how == "cancelled":
            raise asyncio.CancelledError
        if how == "unwritable":
            return object()  # type: ignore[return-value]
        raise RuntimeError("password: hunter2")

    @server.tool
    async def order(request: Context, what: str) -> str:
        """Takes an order."""
        with_state = request.state or {"runs": 0}
        request.state = {"runs": with_state["runs"] + 1}
        size = request.elicit(f"Which {what}?", Size)
        if size.action != "accept":
            return "nothing"
        name = request.sample("A name, please", max_tokens=5).text
        return f"{size.content.cups} {size.content.size} {what} for {name}, {request.roots()[0]['uri']}, {with_state['runs']}"

    @server.tool
    def together(request: Context) -> str:
        sampled, roots = request.ask_all({
            "name": ("sampling/createMessage", {"messages": [], "maxTokens": 5}),
            "roots": ("roots/list", {}),
        })
        return sampled["content"]["text"] + roots["roots"][0]["uri"]

    @server.tool
    def count(request: Context, to: int) -> str:
        for step in range(1, to + 1):
            request.progress(step, to, f"step {step}")
        request.log("info", {"counted": to}, logger="counter")
        return "counted"

    server.waiting = threading.Event()
    server.ended = threading.Event()

    @server.tool
    async def hang() -> str:
        server.waiting.set()
        try:
            await asyncio.sleep(600)
        finally:
            server.ended.set()
        return "never"

    @server.tool
    def block(request: Context) -> str:
        server.waiting.set()
        until(lambda: request.cancelled)
        server.ended.set()
        return "too late"

    @server.tool
    def draw() -> list[dict[str, Any]]:
        return [{"x": 1}]

    @server.tool(structured=False)
    def content() -> list[Any]:
        return ["words", {"type": "image", "data": "AAAA", "mimeType": "image/png"}]

    @server.resource("users://{name}/{number}", mime_type="application/json")
    def user(name: str, number: Annotated[int, Field(ge=0)], request: Context) -> dict[str, Any]:
        if number > 9:
            raise libmcp.NotFound(name)
        return {"name": name, "number": number, "uri": request.params["uri"]}

    @server.resource("data://bytes")
    def data() -> bytes:
        return b"\0\1"

    @server.prompt
    def review(code: Annotated[str, Field(max_length=9)], style: Literal["short", "long"] = "short", *, deep: bool = False) -> list[Any]:
        """Reviews code.

        :param code: The code.
        """
        return [f"{style} {deep}: {code}", {"role": "assistant", "content": {"type": "text", "text": "Well."}}]

    @server.completion("review", "code")
    async def code(value: str, settled: dict[str, str]) -> list[str]:
        return [f"{value}{n}{settled.get('style', '')}" for n in range(120)]

    @server.method("com.example/render", capability="com.example/drawing", settings={"colours": 2})
    def render(width: Annotated[int, Field(le=99)], colour: Colour) -> dict[str, Any]:
        return {"pixels": width * 2, "colour": colour.value}

    server.add_text("about://us", "A shop.", name="about")
    return server


def answers(**more):
    return {
        "on_elicitation": lambda form: {"size": "large"},
        "on_sampling": lambda request: "Ann",
        "on_roots": lambda: ["file:///shop"],
        **more,
    }


class Offers(unittest.TestCase):
    def test_what_a_tool_is_comes_from_its_function(self):
        with make() as server, Client(server=server) as client:
            tools = {tool["name"]: tool for tool in client.tools()}
        self.assertEqual(tools["add"]["description"], "Adds two numbers.")
        self.assertEqual(
            tools["add"]["inputSchema"],
            {
                "type": "object",
                "properties": {
                    "a": {"type": "integer", "description": "The first one."},
                    "b": {"type": "integer", "description": "The second one, which may be left out.", "default": 3},
                },
                "required": ["a"],
            },
        )
        self.assertEqual(tools["add"]["outputSchema"]["properties"], {"result": {"type": "integer"}})
        self.assertEqual(tools["weather"]["title"], "Weather")
        self.assertEqual(tools["weather"]["annotations"], {"readOnlyHint": True})
        self.assertEqual(tools["weather"]["outputSchema"]["required"], ["city", "degrees"])
        self.assertNotIn("outputSchema", tools["fail"])
        self.assertEqual(tools["order"]["inputSchema"]["required"], ["what"])
        self.assertIn("$defs", tools["move"]["inputSchema"])

    def test_tools_in_every_era(self):
        for era in ERAS:
            with self.subTest(era), make() as server, Client({"protocol": era}, server=server) as client:
                self.assertEqual(client.call_tool("add", {"a": 1}).data, {"result": 4})
                self.assertEqual(client.call_tool("add", {"a": 1}).text, "4")
                found = client.call_tool("weather", {"city": "Rome", "colours": ["red"]}).into(Weather)
                self.assertEqual(found, Weather("Rome", 21.5))
                moved = client.call_tool("move", {"to": {"x": 1, "y": 1}, "by": {"city": "x", "degrees": 4}})
                self.assertEqual(moved.into(Point), {"x": 2, "y": 5})
                wrong = client.call_tool("add", {"a": "one"})
                self.assertTrue(wrong.is_error)
                self.assertIn("/a", wrong.text)
                self.assertEqual(client.call_tool("draw").data, {"result": [{"x": 1}]})
                self.assertEqual([part["type"] for part in client.call_tool("content")["content"]], ["text", "image"])
                self.assertEqual(server.failures, [])

    def test_resources_prompts_completions_and_methods(self):
        for era in ERAS:
            config = {"protocol": era, "capabilities": {"extensions": {"com.example/drawing": {}}}}
            with self.subTest(era), make() as server, Client(config, server=server) as client:
                [read] = client.read_resource("users://ann/7")
                self.assertEqual((read["mimeType"], '"number": 7' in read["text"]), ("application/json", True))
                self.assertEqual(client.read_resource("data://bytes")[0]["blob"], "AAE=")
                self.assertEqual(client.read_resource("about://us")[0]["text"], "A shop.")
                with self.assertRaises(libmcp.ServerError) as missing:
                    client.read_resource("users://ann/10")
                self.assertIn(missing.exception.code, (-32002, -32602))
                for what, use in (  # Of these the library has no schema.
                    ("number", lambda: client.read_resource("users://ann/many")),
                    ("number must be at least 0", lambda: client.read_resource("users://ann/-1")),
                    ("code must have at most 9", lambda: client.get_prompt("review", {"code": "x" * 10})),
                    ("width must be at most 99", lambda: client.call("com.example/render", {"width": 100, "colour": "red"})),
                    ("must be one of", lambda: client.call("com.example/render", {"width": 4, "colour": "green"})),
                ):
                    with self.assertRaisesRegex(libmcp.ServerError, what) as wrong:
                        use()
                    self.assertEqual(wrong.exception.code, -32602)
                [prompt] = client.prompts()
                self.assertEqual(prompt["arguments"][0], {"name": "code", "required": True, "description": "The code."})
                got = client.get_prompt("review", {"code": "x", "deep": "true"})["messages"]
                self.assertEqual(got[0]["content"]["text"], "short True: x")
                self.assertEqual(got[1]["role"], "assistant")
                of = {"type": "ref/prompt", "name": "review"}
                self.assertEqual(client.complete(of, "style", "l")["values"], ["long"])
                found = client.complete(of, "code", "c", {"style": "s"})
                self.assertEqual((len(found["values"]), found["values"][0], found["hasMore"]), (100, "c0s", True))
                self.assertEqual(
                    client.call("com.example/render", {"width": 4, "colour": "red"})["pixels"], 8
                )

    def test_what_cannot_be_offered_is_told_at_once(self):
        server = Server("x")
        self.addCleanup(server.close)
        with self.assertRaisesRegex(TypeError, "by their names"):
            server.tool(lambda *many: None)
        with self.assertRaisesRegex(TypeError, "no variable"):
            server.resource("a://{b}")(lambda c: "")
        with self.assertRaisesRegex(TypeError, "no variables"):
            server.resource("a://b")(lambda c: "")
        with self.assertRaisesRegex(TypeError, "no argument 'descripton'"):
            server.tool(descripton="x")

        def strange(socket: threading.Thread) -> None: ...

        with self.assertRaisesRegex(TypeError, "no JSON schema"):
            server.tool(strange)
        async def later():
            return "x"

        with self.assertRaisesRegex(TypeError, "must be a function; it is a coroutine"):
            server.tool(later())
        bare = {"resource": server.resource, "method": server.method, "on": server.on,
                "completion": lambda function: server.completion(function, "x")}
        for name, decorator in bare.items():
            # Without parentheses a decorator would take the function for its argument, and nothing would be offered.
            with self.subTest(name), self.assertRaisesRegex(TypeError, f"{name} takes .*, as @server.{name}"):
                decorator(later)
        with self.assertRaisesRegex(TypeError, "lambda.* has no name"):
            server.tool(lambda: "")
        with self.assertRaisesRegex(libmcp.InvalidArgument, "a place is .*not 'http'"):
            Server("y").run("http")
        server.tool(name="twice")(lambda: "")
        with self.assertRaisesRegex(libmcp.InvalidArgument, "twice"):
            server.tool(name="twice")(lambda: "")
        with self.assertRaises(libmcp.InvalidArgument):
            Server("x", protocl="auto")

    def test_a_function_may_give_what_is_awaited(self):
        async def add(a: int, b: int) -> int:
            return a + b

        async def in_a_loop():
            async with Server("loop") as server, AsyncClient(server=server) as client:
                server.tool(name="sum")(lambda: add(1, 2))
                return (await client.call_tool("sum")).data["result"]

        with Server("threads") as server, Client(server=server) as client:
            server.tool(functools.partial(add, 1))
            server.tool(name="sum")(lambda: add(3, 4))
            self.assertEqual(client.call_tool("add", {"b": 2}).data["result"], 3)
            self.assertEqual(client.call_tool("sum").data["result"], 7)
            self.assertIn("'threads'", repr(server))
            self.assertIn("ready", repr(client))
        self.assertEqual(asyncio.run(in_a_loop()), 3)

    def test_what_changes_is_told(self):
        changes = []
        with make() as server, Client(server=server, on_notification=lambda method, _: changes.append(method)) as client:
            client.subscribe("about://us")
            server.resource_updated("about://us")
            until(lambda: "notifications/resources/updated" in changes)
            self.assertTrue(server.remove("tool", "add"))
            self.assertFalse(server.remove("tool", "add"))
            until(lambda: "notifications/tools/list_changed" in changes)
            self.assertNotIn("add", [tool["name"] for tool in client.tools()])
            self.assertGreaterEqual(server.info()["sessions"], 1)

    def test_content_stays_content_whatever_the_annotation_says(self):
        image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
        blocks = [image, "a text"]
        kinds = {
            "nothing": None, "plain": list, "anything": list[Any], "a_tuple": tuple, "union": list[ImageContent | str],
            "optional": list[ImageContent | None | str], "sequence": Sequence[ImageContent], "objects": list[dict[str, Any] | str],
        }
        server = Server("content")
        for name, kind in kinds.items():
            def give():
                return blocks

            if kind is not None:
                give.__annotations__["return"] = kind
            server.tool(name=name)(give)

        @server.tool
        def one() -> dict[str, Any]:
            return image

        @server.tool
        def rows() -> list[dict[str, Any]]:
            return [{"type": "image", "id": 3}]

        @server.tool
        def numbers() -> list:
            return [1, 2]

        @server.tool("texts", title="Texts")
        def of_another_name() -> list[str]:
            return ["a", "b"]

        with server, Client(server=server) as client:
            for name in kinds:
                self.assertEqual(client.call_tool(name)["content"], [image, {"type": "text", "text": "a text"}], name)
            self.assertEqual(client.call_tool("objects").data, {"result": blocks})
            # The library adds the object as text for clients that read texts only.
            self.assertEqual((client.call_tool("one")["content"][0], client.call_tool("one").data), (image, image))
            self.assertEqual(client.call_tool("rows").data, {"result": [{"type": "image", "id": 3}]})
            self.assertEqual(client.call_tool("numbers").data, {"result": [1, 2]})
            self.assertEqual(client.call_tool("texts").data, {"result": ["a", "b"]})

    def test_media_and_iterators_are_content(self):
        image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
        sound = {"type": "audio", "data": "aGk=", "mimeType": "audio/mpeg"}
        text = {"type": "resource", "resource": {"uri": "file:///hi.txt", "mimeType": "text/plain", "text": "hi"}}
        server = Server("media")

        @server.tool
        def one() -> Image:
            return Image(b"hi")

        @server.tool
        def several() -> list[Image | Audio | File | str]:
            return [Image(b"hi", format="png"), Audio(b"hi", format="mp3"), File(b"hi", name="hi.txt", mime_type="text/plain"), "end"]

        @server.tool
        def parts():
            yield Image(b"hi")
            yield "end"

        @server.tool
        def words() -> Iterator[str]:
            yield from ("a", "b")

        @server.prompt
        def look():
            return Image(b"hi")

        @server.tool
        def file(path: Path) -> File:
            return File(path=path)

        end = {"type": "text", "text": "end"}
        with server, Client(server=server) as client, tempfile.TemporaryDirectory() as folder:
            for tool in client.tools():
                self.assertEqual("outputSchema" in tool, tool["name"] == "words", tool)
            self.assertEqual(client.call_tool("one").content, [image])
            self.assertEqual(client.call_tool("several").content, [image, sound, text, end])
            self.assertEqual(client.call_tool("parts").content, [image, end])
            self.assertEqual(client.call_tool("words").data, {"result": ["a", "b"]})
            self.assertEqual(client.get_prompt("look").messages[0].content, image)
            path = Path(folder) / "a.txt"
            path.write_text("hi")
            resource = client.call_tool("file", {"path": str(path)}).content[0].resource
            self.assertEqual(resource, {"uri": path.as_uri(), "mimeType": "text/plain", "text": "hi"})
        for wrong, kind in (({}, ValueError), ({"data": b"", "path": "x"}, ValueError), ({"data": "text"}, TypeError)):
            self.assertRaises(kind, Image, **wrong)

    def test_a_file_is_a_text_only_where_its_bytes_are_one(self):
        for options, mime_type, member, uri in (
            ({"format": "txt"}, "text/plain", {"text": "hi"}, "file:///file"),
            ({"format": "json"}, "application/json", {"blob": "aGk="}, "file:///file"),
            ({"format": "unheard"}, "application/unheard", {"blob": "aGk="}, "file:///file"),
            ({"format": "gz"}, "application/gzip", {"blob": "aGk="}, "file:///file"),
            ({"data": b"\xff", "mime_type": "text/plain"}, "text/plain", {"blob": "/w=="}, "file:///file"),
            ({"name": "a b#1?.bin"}, "application/octet-stream", {"blob": "aGk="}, "file:///a%20b%231%3F.bin"),
        ):
            resource = File(**{"data": b"hi", **options}).block()["resource"]
            self.assertEqual(resource, {"uri": uri, "mimeType": mime_type, **member}, options)
        for name, mime_type in (("a.txt", "text/plain"), ("a.txt.gz", "application/gzip"), ("a.txt.bz2", "application/octet-stream")):
            self.assertEqual(File(path=name).mime_type, mime_type, name)
        self.assertEqual((Image(b"", format="svg").mime_type, Audio(b"", format="mp4").mime_type), ("image/svg+xml", "audio/mp4"))

    def test_the_body_of_a_generator_fails_as_other_handlers_do(self):
        server = Server("generators")

        @server.tool
        def fails():
            yield "begun"
            raise ToolError("no paper")

        @server.tool
        async def fails_later():
            return fails()

        @server.tool
        def asks(request: Context):
            yield request.elicit("Which size?", Size).action

        @server.resource("x://gone")
        def gone():
            yield "begun"
            raise NotFound

        @server.prompt
        def refused():
            yield "begun"
            raise Refusal("not today", -31000)

        for era in ("modern", "legacy"):
            with self.subTest(era=era), Client({"protocol": era}, server=server, on_elicitation=lambda form: None) as client:
                for tool in ("fails", "fails_later"):
                    result = client.call_tool(tool)
                    self.assertEqual((result.is_error, result.text), (True, "no paper"))
                self.assertEqual(client.call_tool("asks").text, "decline")
                with self.assertRaisesRegex(libmcp.Error, "x://gone"):
                    client.read_resource("x://gone")
                with self.assertRaises(libmcp.Error) as caught:
                    client.get_prompt("refused")
                self.assertEqual(caught.exception.code, -31000)
        server.close()

    def test_durations_are_texts_of_iso_8601(self):
        server = Server("durations")

        @server.tool
        def twice(time: timedelta) -> timedelta:
            return 2 * time

        with server, Client(server=server) as client:
            for given, answer in (("PT1H0.5S", "P0DT7201S"), ("P1DT1M", "P2DT120S"), ("-PT1S", "-P0DT2S"), ("PT0.000001S", "P0DT0.000002S"), ("P2W", "P28DT0S")):
                self.assertEqual(client.call_tool("twice", {"time": given}).data, {"result": answer})
            for wrong in ("1 hour", "P", "PT", "P1Y", "PT1S ", "PT1e3S", "P1W1D", "PW"):
                result = client.call_tool("twice", {"time": wrong})
                self.assertTrue(result.is_error and "is not a duration" in result.text, wrong)

    def test_a_type_that_is_no_text_makes_no_content(self):
        schemas = [{"type": ["string", "null"]}, {"type": {}}, {"type": None}]
        server = Server("schemas")

        @server.tool
        def one(which: int) -> dict[str, Any]:
            return schemas[which]

        @server.tool
        def untyped(which: int):
            return schemas[which]

        @server.tool
        def several() -> list[dict[str, Any]]:
            return schemas

        @server.tool
        def plain() -> list:
            return schemas

        with server, Client(server=server) as client:
            for which, schema in enumerate(schemas):
                self.assertEqual(client.call_tool("one", {"which": which}).data, schema)
                self.assertEqual(client.call_tool("untyped", {"which": which}).data, schema)
            self.assertEqual(client.call_tool("several").data, {"result": schemas})
            self.assertEqual(client.call_tool("plain").data, {"result": schemas})

    def test_content_has_the_values_that_structured_content_has(self):
        image = {"type": "image", "data": b"hi", "mimeType": "image/png"}
        written = {**image, "data": "aGk="}
        server = Server("values")

        @server.tool
        def one() -> dict[str, Any]:
            return image

        @server.tool
        def several() -> list[dict[str, Any] | str]:
            return [image, "a text"]

        @server.tool
        def untyped():
            return image

        @server.tool
        def plain() -> list:
            return [image, "a text"]

        @server.prompt
        def shown():
            return image

        text = {"type": "text", "text": "a text"}
        with server, Client(server=server) as client:
            self.assertEqual((client.call_tool("one")["content"][0], client.call_tool("one").data), (written, written))
            self.assertEqual(client.call_tool("several")["content"], [written, text])
            self.assertEqual(client.call_tool("several").data, {"result": [written, "a text"]})
            self.assertEqual(client.call_tool("untyped")["content"], [written])
            self.assertEqual(client.call_tool("plain")["content"], [written, text])
            self.assertEqual(client.get_prompt("shown")["messages"], [{"role": "user", "content": written}])


class Failures(unittest.TestCase):
    def test_a_failing_handler_is_answered_neutrally_and_told(self):
        for era in ERAS:
            with self.subTest(era), make() as server, Client({"protocol": era}, server=server) as client:
                for tool, how in (("fail", "secret"), ("fail", "exit"), ("afail", "secret"), ("afail", "interrupt"),
                                  ("afail", "cancelled"), ("afail", "unwritable")):
                    result = client.call_tool(tool, {"how": how}, timeout=PATIENCE)
                    self.assertTrue(result.is_error, how)
                    self.assertNotIn("hunter2", str(result))
                    self.assertIn("internal error", result.text)
                self.assertEqual(len(server.failures), 6, server.failures)
                self.assertEqual(client.call_tool("fail", {"how": "tool"}).text, "the printer has no paper")
                with self.assertRaises(libmcp.ServerError) as refused:
                    client.call_tool("fail", {"how": "refuse"})
                self.assertEqual((refused.exception.code, refused.exception.data), (-31999, {"why": "rude"}))
                self.assertEqual(len(server.failures), 6, server.failures)
                self.assertEqual(client.call_tool("add", {"a": 1}).text, "4")

    def test_without_a_hook_failures_are_logged_and_a_failing_hook_does_no_harm(self):
        def bad(error, context):
            raise ValueError("the hook failed")

        for hook in (None, bad):
            server = Server("x", on_error=hook)

            @server.tool
            def fail() -> str:
                raise RuntimeError("hunter2")

            with self.assertLogs("libmcp.server", logging.ERROR) as logs:
                with server, Client(server=server) as client:
                    self.assertTrue(client.call_tool("fail").is_error)
            self.assertIn("hunter2", "".join(logs.output))


class Asking(unittest.TestCase):
    def test_a_handler_asks_in_the_same_way_in_every_era(self):
        for era in ERAS:
            with self.subTest(era), make() as server, Client({"protocol": era}, server=server, **answers()) as client:
                text = client.call_tool("order", {"what": "tea"}, timeout=PATIENCE).text
                self.assertEqual(text, "1 large tea for Ann, file:///shop, 3")
                self.assertEqual(client.call_tool("together", timeout=PATIENCE).text, "Annfile:///shop")
                self.assertEqual(server.failures, [])
            declines = answers(on_elicitation=lambda form: None)
            with make() as server, Client({"protocol": era}, server=server, **declines) as client:
                self.assertEqual(client.call_tool("order", {"what": "tea"}, timeout=PATIENCE).text, "nothing")

    def test_a_client_that_cannot_answer_is_an_error_of_the_program(self):
        with make() as server, Client(server=server) as client:
            self.assertTrue(client.call_tool("order", {"what": "tea"}, timeout=PATIENCE).is_error)
            self.assertEqual([error.status for error in server.failures], [libmcp.Status.UNSUPPORTED])

    def test_progress_and_log_messages(self):
        for era in ERAS:
            seen, logged = [], []
            with make() as server, Client({"protocol": era}, server=server, on_notification=lambda m, p: logged.append(p)) as client:
                client.call_tool("count", {"to": 3}, on_progress=seen.append, meta={"io.modelcontextprotocol/logLevel": "debug"})
                self.assertEqual(seen[-1]["progress"], 3)
                self.assertEqual(seen[-1]["message"], "step 3")
                until(lambda: any(message.get("data") == {"counted": 3} for message in logged))

    def test_a_call_may_become_a_task(self):
        server = Server("x")

        @server.tool(task=True)
        def research(request: Context) -> str:
            with self.assertRaisesRegex(libmcp.Error, "attempts"):
                request.start_task(attempts=101)
            return f"task {request.start_task(status='looking', attempts=2)}"

        with server, Client({"tasks": {}}, server=server) as client:
            self.assertEqual(client.call_tool("research", timeout=PATIENCE).text, "task True")


class Telling(unittest.TestCase):
    def test_a_client_of_the_legacy_era_is_called_and_told_outside_of_a_request(self):
        told = []
        server = make()
        server.on("notifications/roots/list_changed")(told.append)

        @server.tool
        def session(request: Context) -> int:
            return request.info()["session"]

        heard = []
        more = answers(on_notification=lambda method, params: heard.append((method, params)))
        with server, Client({"protocol": "legacy"}, server=server, **more) as client:
            number = client.call_tool("session").data["result"]
            self.assertEqual(server.call(number, "ping").result(PATIENCE), {})
            roots = server.call(number, "roots/list", timeout=PATIENCE).result(PATIENCE)
            self.assertEqual(roots["roots"][0]["uri"], "file:///shop")
            with self.assertRaises(libmcp.Error):
                server.call(number + 1, "ping")
            server.notify("com.example/changed", {"what": "prices"}, session=number)
            until(lambda: ("com.example/changed", {"what": "prices"}) in heard)
            server.log("warning", "closing soon", logger="shop")
            until(lambda: any(params.get("data") == "closing soon" for _, params in heard))
            client.notify("notifications/roots/list_changed")
            until(lambda: told)

    def test_the_program_judges_tokens(self):
        auth = {"resource": "http://127.0.0.1/mcp", "authorization_servers": ["https://login.example.com"], "application": True}
        server = Server("x", auth=auth)
        failures = []

        @server.on("token")
        def judge(asked):
            if asked["token"] == "wrong":
                raise RuntimeError("hunter2")
            return {"principal": "ann", "scopes": []} if asked["token"] == "good" else None

        @server.tool
        def who(request: Context) -> str:
            return request.info()["principal"]["subject"]

        server._core._on_error = lambda error, context: failures.append(error)
        with server:
            url = server.serve("http://127.0.0.1:0/mcp")["url"]
            with Client({"url": url, "headers": {"Authorization": "Bearer good"}}) as client:
                self.assertEqual(client.call_tool("who", timeout=PATIENCE).text, "ann")
            for token in ("bad", "wrong"):
                with Client({"url": url, "headers": {"Authorization": f"Bearer {token}"}, "reconnect": False}) as client:
                    with self.assertRaises(libmcp.Error):
                        client.call_tool("who", timeout=PATIENCE)
        self.assertEqual({str(error) for error in failures}, {"hunter2"})


class Cancelling(unittest.TestCase):
    def test_cancelling_reaches_handlers(self):
        for era in ERAS:
            for tool in ("hang", "block"):
                with self.subTest(era, tool=tool), make() as server, Client({"protocol": era}, server=server) as client:
                    with self.assertRaises(libmcp.CallTimeout):
                        client.call_tool(tool, timeout=0.2)
                    self.assertTrue(server.waiting.wait(PATIENCE))
                    self.assertTrue(server.ended.wait(PATIENCE))
                    self.assertEqual(client.call_tool("add", {"a": 1}).text, "4")
                self.assertEqual(server.failures, [])

    def test_closing_ends_handlers(self):
        server = make()
        with Client(server=server) as client:
            failed = []

            def call():
                try:
                    client.call_tool("hang")
                except libmcp.Error as error:
                    failed.append(error)

            caller = threading.Thread(target=call)
            caller.start()
            self.assertTrue(server.waiting.wait(PATIENCE))
            server.close()
            server.close()
            self.assertTrue(server.ended.wait(PATIENCE))
            caller.join(PATIENCE)
            self.assertEqual(len(failed), 1)
        self.assertRaises(libmcp.Closed, server.info)


class InALoop(unittest.IsolatedAsyncioTestCase):
    async def test_a_server_in_the_programs_loop(self):
        before = threading.active_count()
        for era in ERAS:
            async with make() as server, AsyncClient({"protocol": era}, server=server, **answers()) as client:
                self.assertEqual((await client.call_tool("weather", {"city": "Rome"})).into(Weather).degrees, 21.5)
                self.assertEqual((await client.call_tool("add", {"a": 1})).text, "4")
                self.assertEqual((await client.call_tool("order", {"what": "tea"})).text, "1 large tea for Ann, file:///shop, 3")
                many = await asyncio.gather(*(client.call_tool("weather", {"city": str(n)}) for n in range(200)))
                self.assertEqual([result.data["city"] for result in many], [str(n) for n in range(200)])
                task = asyncio.create_task(client.call_tool("hang"))
                await asyncio.to_thread(server.waiting.wait, PATIENCE)
                task.cancel()
                self.assertTrue(await asyncio.to_thread(server.ended.wait, PATIENCE))
        del server, client
        gc.collect()
        self.assertLessEqual(threading.active_count(), before + 34)  # The loop's executor keeps its threads.

    async def test_a_loop_starts_as_many_threads_as_functions_wait(self):
        for threads, count in ((None, 40), (3, 3)):
            together = threading.Barrier(count)
            server = Server("pool", threads=threads)

            @server.tool
            def meet() -> str:
                together.wait(PATIENCE)
                return "met"

            async with server, AsyncClient(server=server) as client:
                results = await asyncio.gather(*(client.call_tool("meet") for _ in range(count)))
                self.assertEqual({result.text for result in results}, {"met"})

    async def test_a_blocking_client_in_the_loop_of_its_server_is_refused(self):
        async with make() as server, AsyncClient(server=server) as client:
            await client.call_tool("add", {"a": 1})
            with self.assertRaisesRegex(libmcp.Error, "use an AsyncClient"):
                Client(server=server)

            def elsewhere():
                with Client(server=server) as other:
                    return other.call_tool("add", {"a": 1}).text, other

            text, other = await asyncio.to_thread(elsewhere)
            self.assertEqual(text, "4")
            with self.assertRaisesRegex(libmcp.Error, "use an AsyncClient"):
                other.call_tool("add", {"a": 1})
            with self.assertRaisesRegex(libmcp.Error, "use an AsyncClient"):
                other.connect()

    async def test_a_client_keeps_its_server(self):
        client = AsyncClient(server=make())
        gc.collect()
        self.assertEqual((await client.call_tool("add", {"a": 1})).text, "4")
        await client.close()

    async def test_running_ends_when_the_server_is_closed(self):
        server = make()
        running = asyncio.create_task(server.run_async("tcp:127.0.0.1:0"))
        while not server.is_started:
            await asyncio.sleep(0)
        await server.aclose()
        await asyncio.wait_for(running, PATIENCE)


class Left(unittest.TestCase):
    def test_a_server_outlives_its_loop(self):
        async def use(server):
            server.start_async()
            async with AsyncClient(server=server) as client:
                return (await client.call_tool("add", {"a": 1})).text

        server = make()
        self.assertEqual(asyncio.run(use(server)), "4")
        server.close()
        self.assertTrue(server._core.held.wait_freed(PATIENCE))

        server = make()
        held = server._core.held
        self.assertEqual(asyncio.run(use(server)), "4")
        del server
        until(lambda: gc.collect() >= 0 and held.wait_freed(0.001))


class Forgotten(unittest.TestCase):
    def test_a_client_keeps_its_server(self):
        with Client(server=make()) as client:
            gc.collect()
            self.assertEqual(client.call_tool("add", {"a": 1}).text, "4")

    def test_both_are_collected(self):
        client = Client(server=make())
        held = client._server._core.held
        del client
        until(lambda: gc.collect() >= 0 and held.wait_freed(0.001))

    def test_the_collector_closes_a_server_that_was_forgotten(self):
        for start in (False, True):
            server = make()
            held, found = server._core.held, weakref.ref(server)
            if start:
                server.start()
            del server
            gc.collect()
            self.assertIsNone(found())
            self.assertTrue(held.wait_freed(PATIENCE))
