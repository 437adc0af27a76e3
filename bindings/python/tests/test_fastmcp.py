"""Programs that were written for FastMCP, and arguments that are converted as it does."""

import asyncio
import dataclasses
import unittest
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional, Union

from libmcp import AsyncClient, Client, Field, Server
from libmcp.compat.fastmcp import AssistantMessage, Context, FastMCP, ToolError, UserMessage


@dataclasses.dataclass
class Point:
    x: int
    y: Annotated[int, Field(le=9)] = 0


Word = Annotated[str, Field(pattern="^a")]


@dataclasses.dataclass
class Form:
    size: str


def make():
    mcp = FastMCP("calculator", instructions="Adds numbers.", version="2.0")

    @mcp.tool()
    async def add(a: int, b: int, ctx: Context) -> int:
        """Adds two numbers."""
        await ctx.info(f"adding {a}")
        await ctx.report_progress(1, 2, "half")
        return a + b

    @mcp.tool("multiply", description="Multiplies.", annotations={"readOnlyHint": True}, tags={"sums"})
    def times(a: int, b: int) -> int:
        return a * b

    @mcp.tool
    async def order(ctx: Context) -> str:
        answer = await ctx.elicit("Which size?", schema=Form)
        return answer.data.size if answer.action == "accept" else answer.action

    @mcp.tool(structured_output=False)
    async def poem(ctx: Context) -> str:
        return (await ctx.sample(["A poem"], system_prompt="short", max_tokens=5)).text

    def fail() -> str:
        raise ToolError("no paper")

    mcp.add_tool(fail, title="Fails")

    @mcp.resource("shop://{name}", mime_type="text/plain")
    async def item(name: str, ctx: Context) -> str:
        return f"{name} {ctx.request_id.isdigit()} {ctx.fastmcp.name}"

    @mcp.prompt(title="Review")
    def review(code: str) -> list[Any]:
        return [UserMessage(f"Review {code}"), AssistantMessage("I will.")]

    return mcp


class Shapes(unittest.TestCase):
    def test_decorators_and_context_have_their_names(self):
        told, reports = [], []

        async def use():
            async with AsyncClient(
                {}, server=make(),
                on_elicitation=lambda asked: {"size": "large"}, on_sampling=lambda asked: f"{asked['systemPrompt']} poem",
                on_notification=lambda method, params: told.append((method, params)),
            ) as client:
                tools = {tool.name: tool async for tool in client.tools()}
                self.assertEqual(set(tools), {"add", "multiply", "order", "poem", "fail"})
                self.assertEqual(tools["add"]["inputSchema"]["required"], ["a", "b"])
                self.assertEqual(tools["multiply"]["_meta"], {"fastmcp": {"tags": ["sums"]}})
                self.assertEqual((tools["multiply"]["annotations"], tools["fail"]["title"]), ({"readOnlyHint": True}, "Fails"))
                self.assertNotIn("outputSchema", tools["poem"])
                await client.set_log_level("debug")
                added = await client.call_tool("add", {"a": "1", "b": 2.0}, on_progress=reports.append)
                self.assertEqual(added.data, {"result": 3})
                self.assertEqual([(one["progress"], one["total"], one["message"]) for one in reports], [(1, 2, "half")])
                self.assertEqual((await client.call_tool("order")).text, "large")
                self.assertEqual((await client.call_tool("poem")).text, "short poem")
                failed = await client.call_tool("fail")
                self.assertEqual((failed.is_error, failed.text), (True, "no paper"))
                read = await client.read_resource("shop://tea")
                self.assertEqual(read[0]["text"], "tea True calculator")
                messages = (await client.get_prompt("review", {"code": "x"}))["messages"]
                self.assertEqual([(one["role"], one["content"]["text"]) for one in messages], [("user", "Review x"), ("assistant", "I will.")])

        asyncio.run(use())

    def test_where_it_is_served(self):
        mcp = FastMCP("shop", host="::1", port=9, streamable_http_path="/x")
        self.assertEqual(mcp._endpoint("http", None, None, None), "http://[::1]:9/x")
        self.assertEqual(mcp._endpoint("streamable-http", "127.0.0.1", 8, "/mcp"), "http://127.0.0.1:8/mcp")
        self.assertEqual(mcp._endpoint("stdio", None, None, None), "stdio")
        with self.assertRaisesRegex(ValueError, "there is no 'sse'"):
            mcp.run("sse")
        mcp.http_app()
        mcp.close()

    def test_what_has_no_meaning_here_is_told(self):
        mcp = FastMCP()
        for said, words in (({"enabled": False}, "no argument 'enabled'"), ({"output_schema": {}}, "output= takes a type")):
            with self.assertRaisesRegex(TypeError, words):
                mcp.tool(**said)
        with self.assertRaisesRegex(Exception, "nothing_such"):
            FastMCP("x", nothing_such=1)


#: A type, what a client gives, and what the function gets; a text that begins with "!" is what the model reads in place of it.
GIVEN = [
    (int, "1", 1), (int, "-7", -7), (int, " 7 ", 7), (int, "7.0", 7), (int, 7.0, 7), (int, "7.5", "!whole number"), (int, True, "!whole number"),
    (int, "x", "!whole number"), (int, "1e400", "!whole number"), (int, "9" * 5000, "!whole number"), (int, "\u0663", "!whole number"),
    (float, "1.5", 1.5), (float, "1e3", 1000.0), (float, "nan", "!a number"), (float, "1e400", "!a number"),
    (bool, "true", True), (bool, "No", False), (bool, 1, True), (bool, 2, "!true or false"), (bool, "maybe", "!true or false"),
    (str, "1", "1"), (str, 1, "!a text"),
    (list[int], ["1", 2], [1, 2]), (list[int], '["1", 2]', [1, 2]), (list[int], "1", "!a list"), (list[int], "[" * 100000, "!a list"),
    (list[float], "[NaN]", "!a list"), (list[float], "[-Infinity]", "!a list"), (list[float], "[1e400]", "!a list"),
    (dict[str, float], '{"a": NaN}', "!an object"), (list[float], "[0.5]", [0.5]), (Decimal, "NaN", "!a number"), (Decimal, "0.5", Decimal("0.5")),
    (tuple[int, bool], ["1", "no"], (1, False)), (tuple[int, bool], ["1"], "!must have 2 entries"), (set[int], ["1", 1], {1}),
    (dict[str, int], {"a": "1"}, {"a": 1}), (dict[str, int], '{"a": "1"}', {"a": 1}), (dict, "[]", "!an object"),
    (Point, {"x": "1"}, Point(1)), (Point, '{"x": 1, "y": "2"}', Point(1, 2)), (Point, {"x": 1, "y": "10"}, "!.y must be at most 9, not 10"),
    (Optional[int], "1", 1), (Optional[int], None, None), (Union[int, str], "1", "1"), (Union[bool, list[int]], "[3]", [3]),
    (Literal["a", "b"], "a", "a"), (Literal["a", "b"], "c", "!must be one of"),
    (Annotated[int, Field(ge=1)], "0", "!at least 1"), (Annotated[int, Field(gt=1, lt=3)], "3", "!less than 3"),
    (Annotated[int, Field(multiple_of=2)], "3", "!a multiple of 2"), (Annotated[float, Field(multiple_of=0.01)], 0.07, 0.07),
    (Annotated[float, Field(multiple_of=0.01)], "0.075", "!a multiple of 0.01"), (Annotated[int, Field(multiple_of=0.1)], 10**400, 10**400),
    (Annotated[str, Field(min_length=2)], "a", "!at least 2 characters"),
    (Annotated[list[int], Field(max_length=1)], "[1,2]", "!at most 1 entries"), (Annotated[str, Field(pattern="^a")], "b", "!must match"),
    # Limits within a union, of which the first type that takes the value has its own.
    (Optional[Annotated[int, Field(ge=1)]], -5, "!at least 1, not -5"), (Optional[Annotated[int, Field(ge=1)]], "0", "!at least 1, not 0"),
    (Annotated[Optional[int], Field(ge=1)], -5, "!at least 1"), (Optional[Annotated[int, Field(ge=1)]], "5", 5),
    (Optional[Point], {"x": 1, "y": 10}, "!value.y must be at most 9"), (Optional[Point], '{"x": "1", "y": "10"}', "!value.y must be at most 9"),
    (Optional[list[Word]], ["a", "b"], "!value[1] must match"), (Optional[list[Word]], '["ab"]', ["ab"]), (Optional[Word], "b", "!must match"),
    (list[Optional[Word]], ["a", "b"], "!value[1] must match"), (dict[str, Optional[Word]], {"k": "b"}, "!value.k must match"),
    (Optional[tuple[int, Word]], [1, "b"], "!value[1] must match"), (Optional[Union[Point, Word]], "b", "!must match"),
    (Union[Annotated[int, Field(le=9)], Annotated[int, Field(ge=20)]], 30, 30), (Union[Annotated[int, Field(le=9)], str], "10", "10"),
    (Union[Annotated[int, Field(le=9)], Annotated[int, Field(ge=20)]], 15, "!at most 9, not 15; or value must be at least 20"),
]


class Coercion(unittest.TestCase):
    def test_arguments_become_what_their_types_say(self):
        for kind, given, wanted in GIVEN:
            with self.subTest(kind=kind, given=str(given)[:40]):
                got = []
                server = Server("shop", coerce=True)

                def take(value):
                    got.append(value)
                    return "taken"

                take.__annotations__ = {"value": kind}
                server.tool(take)
                with server, Client({}, server=server) as client:
                    result = client.call_tool("take", {"value": given})
                if isinstance(wanted, str) and wanted.startswith("!"):
                    self.assertEqual((result.is_error, got), (True, []))
                    self.assertIn(wanted[1:], result.text)
                    self.assertIn("value", result.text)
                else:
                    self.assertEqual((result.text, got, type(got[0])), ("taken", [wanted], type(wanted)))

    def test_what_is_missing_is_told_and_without_coercion_texts_are_refused(self):
        for coerce, given, words in ((True, {}, "'a' is missing; the arguments are 'a', 'b'"), (False, {"a": "1"}, "integer")):
            with self.subTest(coerce=coerce):
                server = Server("shop", coerce=coerce)

                @server.tool
                def add(a: int, b: int = 2) -> int:
                    return a + b

                with server, Client({}, server=server) as client:
                    result = client.call_tool("add", given)
                    self.assertTrue(result.is_error)
                    self.assertIn(words, result.text)
                    self.assertEqual(client.call_tool("add", {"a": 1}).text, "3")


if __name__ == "__main__":
    unittest.main()
