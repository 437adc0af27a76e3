"""Schemas of types, and values of these types from JSON and back."""

import dataclasses
import datetime
import enum
import json
import unittest
import uuid
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict, Union

import pydantic

import libmcp
from libmcp import Client, Context, Field, Server, schema_of
from libmcp._forms import form_of
from libmcp._types import Mismatch
from libmcp._values import from_json, to_json


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Pair(NamedTuple):
    left: int
    right: str = "r"


@dataclasses.dataclass
class Node:
    name: str
    children: "list[Node]" = dataclasses.field(default_factory=list)


class Open(TypedDict, total=False):
    when: datetime.datetime


class Model(pydantic.BaseModel):
    """A model."""

    name: str = pydantic.Field(description="Its name", min_length=2)
    inner: Optional["Model"] = None


class Types(unittest.TestCase):
    def test_schemas(self):
        for kind, schema in (
            (int, {"type": "integer"}),
            (Optional[int], {"type": ["integer", "null"]}),
            (Union[int, str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            (Any, {}),
            (list[str], {"type": "array", "items": {"type": "string"}}),
            (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
            (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
            (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
            (Literal["a", 1], {"enum": ["a", 1]}),
            (Colour, {"type": "string", "enum": ["red", "blue"]}),
            (uuid.UUID, {"type": "string", "format": "uuid"}),
            (Annotated[str, "Its name"], {"type": "string", "description": "Its name"}),
            (Annotated[int, Field(ge=1, lt=9)], {"type": "integer", "minimum": 1, "exclusiveMaximum": 9}),
            (Annotated[list[int], Field(min_length=1)], {"type": "array", "items": {"type": "integer"}, "minItems": 1}),
            (Annotated[list | None, Field(min_length=1)], {"type": ["array", "null"], "minItems": 1}),
            (Annotated[str | None, Field(min_length=1)], {"type": ["string", "null"], "minLength": 1}),
            (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
            (Open, {"type": "object", "properties": {"when": {"type": "string", "format": "date-time"}}}),
        ):
            with self.subTest(kind):
                self.assertEqual(schema_of(kind), schema)
        self.assertEqual(schema_of(Pair)["required"], ["left"])
        node = schema_of(Node)
        self.assertEqual(node["type"], "object")
        self.assertEqual(node["$defs"]["Node"]["properties"]["children"]["items"], {"$ref": "#/$defs/Node"})
        for kind in (object(), dict[int, str], type("Strange", (), {})):
            self.assertRaises(TypeError, schema_of, kind)

    def test_values_come_back_as_they_went(self):
        moment = datetime.datetime(2026, 7, 28, 12, 0, tzinfo=datetime.timezone.utc)
        for kind, value in (
            (Node, Node("a", [Node("b")])),
            (Pair, Pair(1)),
            (Colour, Colour.RED),
            (Open, {"when": moment}),
            (dict[str, list[Colour]], {"x": [Colour.BLUE]}),
            (tuple[int, str], (1, "x")),
            (frozenset[int], frozenset({1, 2})),
            (bytes, b"\0\xff"),
            (Optional[uuid.UUID], uuid.UUID(int=7)),
            (Model, Model(name="ab", inner=Model(name="cd"))),
            (list[Model], [Model(name="ab")]),
        ):
            with self.subTest(kind):
                self.assertEqual(from_json(kind, json.loads(json.dumps(to_json(value)))), value)

    def test_what_does_not_fit_is_named(self):
        for kind, value, says in (
            (int, "1", "the value must be a whole number"),
            (int, True, "a whole number"),
            (bool, 1, "true or false"),
            (Node, {"name": "a", "children": [{"name": 1}]}, r"children\[0\].name must be a text"),
            (Node, {}, "lacks 'name'"),
            (Colour, "green", "one of 'red', 'blue'"),
            (Literal[1], True, "one of 1"),
            (tuple[int, str], [1], "2 entries"),
            (datetime.date, "yesterday", "yesterday"),
            (uuid.UUID, "x", "badly formed"),
            (bytes, "*", "the value: "),
            (Model, {"name": "a"}, "name: String should have at least 2"),
            (Union[int, str], [], "; or "),
        ):
            with self.subTest(kind, value=value), self.assertRaisesRegex(Mismatch, says):
                from_json(kind, value)
        deep: Any = []
        for _ in range(1000):
            deep = [deep]
        self.assertRaises(Mismatch, to_json, deep)
        self.assertRaises(Mismatch, to_json, object())
        Endless = list["Any"]
        for _ in range(100):
            Endless = list[Endless]
        self.assertRaises(TypeError, schema_of, Endless)
        self.assertRaises(Mismatch, from_json, Endless, deep)

    def test_forms(self):
        @dataclasses.dataclass
        class Form:
            size: Literal["s", "l"]
            name: Optional[str] = None
            count: Annotated[int, Field("How many", ge=1)] = 1
            extras: list[Literal["milk", "sugar"]] = dataclasses.field(default_factory=list)

        self.assertEqual(
            form_of(Form),
            {
                "type": "object",
                "properties": {
                    "size": {"type": "string", "enum": ["s", "l"]},
                    "name": {"type": "string"},
                    "count": {"type": "integer", "description": "How many", "minimum": 1, "default": 1},
                    "extras": {"type": "array", "items": {"type": "string", "enum": ["milk", "sugar"]}},
                },
                "required": ["size"],
            },
        )
        self.assertRaisesRegex(TypeError, "children", form_of, Node)
        self.assertRaisesRegex(TypeError, "no form", form_of, int)


class Pydantic(unittest.TestCase):
    def test_models_as_parameters_results_and_forms(self):
        class Wish(pydantic.BaseModel):
            size: Literal["small", "large"]
            cups: int = pydantic.Field(1, ge=1)

        server = Server("x")

        @server.tool
        def rename(model: Model, to: Annotated[str, pydantic.Field(pattern="^[a-z]+$", description="The new one")]) -> Model:
            assert isinstance(model, Model)
            return Model(name=to, inner=model)

        @server.tool
        def wish(request: Context) -> str:
            answer = request.elicit("?", Wish)
            assert isinstance(answer.content, Wish)
            return answer.content.size

        for era in ("legacy", "modern"):
            with self.subTest(era), Client({"protocol": era}, server=server, on_elicitation=lambda form: {"size": "large"}) as client:
                tool = next(client.tools())
                self.assertEqual(tool["inputSchema"]["properties"]["to"]["description"], "The new one")
                self.assertEqual(tool["description"] if "description" in tool else "", "")
                result = client.call_tool("rename", {"model": {"name": "ab"}, "to": "cd"}).into(Model)
                self.assertEqual(result, Model(name="cd", inner=Model(name="ab")))
                self.assertTrue(client.call_tool("rename", {"model": {"name": "a"}, "to": "cd"}).is_error)
                self.assertTrue(client.call_tool("rename", {"model": {"name": "ab"}, "to": "C"}).is_error)
                self.assertEqual(client.call_tool("wish").text, "large")
        server.close()
        self.assertRaises(libmcp.Closed, server.info)
