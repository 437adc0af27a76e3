"""Random values of a JSON Schema, made without the intermediate form of `mcp generate`. Invalid ones are filtered out later."""

import json
import random
import re
from typing import Any

WORDS = ["", "a", "hello", "Ünï", "日本", "😀", 'quo"te', "back\\slash", "line\nbreak", "x" * 40, "true", "0", "</a>", "\u2028"]
#: The ends of 64 bits, and what a double cannot hold. Schemas with bounds do not take them.
EXTREMES = [2**63 - 1, -(2**63), 2**53 + 1]
FORMATS = {
    "date-time": "2026-01-02T03:04:05Z",
    "date": "2026-01-02",
    "time": "03:04:05Z",
    "email": "a@example.com",
    "uri": "https://example.com/a",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "ipv4": "127.0.0.1",
}


class Values:
    """Values of the schemas of one document."""

    def __init__(self, root: Any, chance: random.Random) -> None:
        self.root = root
        self.chance = chance
        # Without references the schema itself has an end.
        text = json.dumps(root)
        self.deepest = 12 if '"$ref"' in text else 200
        # Where a number may be an integer or any other, it is a double.
        self.has_doubles = '"number"' in text

    def _pointed(self, reference: Any) -> Any:
        if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
            return True
        at = self.root
        for part in re.sub("%([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), reference)[2:].split("/") if reference != "#" else []:
            part = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(at, dict) or part not in at:
                return True
            at = at[part]
        return at

    def any(self, depth: int) -> Any:
        return self.chance.choice([None, True, 3, -1.5, "any", [], {}, [1, "x", None], {"k": [True]}] if depth < 6 else [None, 1])

    def of(self, schema: Any, depth: int = 0) -> Any:
        chance = self.chance
        if not isinstance(schema, dict) or depth > self.deepest:
            return self.any(depth)
        if "$ref" in schema:
            return self.of(self._pointed(schema["$ref"]), depth + 1)
        if isinstance(schema.get("allOf"), list):
            merged: dict[str, Any] = {}
            for part in [{k: v for k, v in schema.items() if k != "allOf"}, *schema["allOf"]]:
                while isinstance(part, dict) and "$ref" in part:
                    part = self._pointed(part["$ref"])
                if isinstance(part, dict):
                    for key, value in part.items():
                        if key == "properties":
                            merged[key] = {**merged.get(key, {}), **value}
                        elif key == "required":
                            merged[key] = merged.get(key, []) + value
                        else:
                            merged.setdefault(key, value)
            return self.of(merged, depth + 1)
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return chance.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        for key in ("anyOf", "oneOf"):
            if isinstance(schema.get(key), list) and schema[key]:
                branch = chance.choice(schema[key])
                rest = {k: v for k, v in schema.items() if k != key}
                if isinstance(branch, dict) and ("properties" in rest or "type" in rest):
                    branch = {"allOf": [rest, branch]}
                return self.of(branch, depth + 1)
        kind = schema.get("type")
        if isinstance(kind, list) and kind:
            kind = chance.choice(kind)
        if kind is None:
            kind = "object" if any(k in schema for k in ("properties", "required", "additionalProperties", "patternProperties")) else (
                "array" if "items" in schema or "prefixItems" in schema else None)
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            return self._array(schema, depth)
        if kind == "string":
            return self._text(schema)
        if kind == "integer":
            if not self.has_doubles and chance.random() < 0.2:
                return chance.choice(EXTREMES)
            low, high = self._bounds(schema)
            return chance.choice([chance.randint(low, high), low, high, max(low, min(high, 0))])
        if kind == "number":
            low, high = self._bounds(schema)
            value = chance.choice([chance.uniform(low, high), float(chance.randint(low, high)), chance.randint(low, high)])
            step = schema.get("multipleOf")
            return round(value / step) * step if step else value
        if kind == "boolean":
            return chance.random() < 0.5
        return None if kind == "null" else self.any(depth)

    def _bounds(self, schema: dict[str, Any]) -> tuple[int, int]:
        low, high = schema.get("minimum", schema.get("exclusiveMinimum", -(2**40))), schema.get("maximum", schema.get("exclusiveMaximum", 2**40))
        low = 0 if isinstance(low, bool) or not isinstance(low, (int, float)) else max(int(low), -(2**52))
        high = low + 1000 if isinstance(high, bool) or not isinstance(high, (int, float)) else min(int(high), 2**52)
        return (low, max(low, high))

    def _text(self, schema: dict[str, Any]) -> str:
        if schema.get("format") in FORMATS:
            return FORMATS[schema["format"]]
        text = self.chance.choice(WORDS)
        if "pattern" in schema:
            text = self.chance.choice([text, "abc", "ab", "a1", "A", "0123", "x-y"])
        least, most = schema.get("minLength", 0), schema.get("maxLength", 1000)
        return (text + "z" * max(0, least - len(text)))[: max(most, least)]

    def _array(self, schema: dict[str, Any], depth: int) -> list[Any]:
        if isinstance(schema.get("prefixItems"), list) or isinstance(schema.get("items"), list):
            return [self.of(item, depth + 1) for item in schema.get("prefixItems") or schema["items"]]
        least = min(schema.get("minItems", 0), 20)
        count = self.chance.choice([0, 1, 2, 3]) if depth < 8 else 0
        return [self.of(schema.get("items", True), depth + 1) for _ in range(max(least, min(count, schema.get("maxItems", 3))))]

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        properties = schema.get("properties") if isinstance(schema.get("properties"), dict) else {}
        required = [name for name in schema.get("required") or [] if isinstance(name, str)]
        share = self.chance.choice([0, 0.3, 1]) if depth < 6 else 0
        if len(properties) > 60:
            share = 0.1
        names = [name for name in properties if name in required or self.chance.random() < share]
        value = {name: self.of(properties[name], depth + 1) for name in names}
        more = schema.get("additionalProperties")
        for name in required:
            if name not in value:
                value[name] = self.of(more if isinstance(more, dict) else True, depth + 1)
        if more is True or isinstance(more, dict):
            for name in self.chance.sample(["extra one", "zz", "é", "k2"], self.chance.choice([0, 1, 2])):
                if name not in properties:
                    value[name] = self.of(more, depth + 1)
        patterns = schema.get("patternProperties")
        if isinstance(patterns, dict) and not properties and self.chance.random() < 0.7:
            for part in patterns.values():
                value[self.chance.choice(["abc", "x-a", "q"])] = self.of(part, depth + 1)
        return value
