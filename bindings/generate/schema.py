"""The types of the protocol: the official schema of each revision, merged into one set.

A type has the members of every revision. One is optional if it is so in a revision that has the type, or absent there. Where revisions
differ about a member's type, the newest one counts.
"""

import re
from collections import Counter
from dataclasses import replace

from model import ANY, FLAG, NUMBER, OBJECT, TEXT, WHOLE, Definition, Member, Model, Type, capital
from sources import Number, read_json

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
SIMPLE = {"string": TEXT, "integer": WHOLE, "number": NUMBER, "boolean": FLAG, "object": OBJECT, "array": Type("list", ANY)}
# What an older schema calls something that newer ones have another name for.
RENAMED = {"ResourceReference": "ResourceTemplateReference", "ElicitRequestParams": "ElicitRequestFormParams"}
# The names of objects and unions that stand within others: where they stand, and the name.
NESTED = {
    "CompleteRequestParams.ref": "Reference",
    "CompleteRequestParams.argument": "CompletionArgument",
    "CompleteRequestParams.context": "CompletionContext",
    "CompleteResult.completion": "Completion",
    "ElicitRequestFormParams.requestedSchema": "ElicitationSchema",
    "TitledSingleSelectEnumSchema.oneOf": "EnumOption",
    "TitledEnumItems.anyOf": "EnumOption",
    "TitledMultiSelectEnumSchema.items": "TitledEnumItems",
    "UntitledMultiSelectEnumSchema.items": "UntitledEnumItems",
}
NESTED_ANYWHERE = {"annotations": "Annotations", "error": "ErrorObject"}
# Requests that stand within results (2026-07-28, "Multi Round-Trip Requests"). Of all others only the parameters are types.
EMBEDDED = ["CreateMessageRequest", "ElicitRequest", "ListRootsRequest"]
# What no binding has a use for: messages, which the library makes, and parts of other types.
LEFT_OUT = """Annotated BaseMetadata CacheableResult ClientNotification ClientRequest ClientResult Error Icons PaginatedRequest
    PaginatedResult Request RequestParams ResourceRequestParams ServerNotification ServerRequest ServerResult
    TaskAugmentedRequestParams""".split()
META = "Metadata of the protocol, of extensions and of applications."
# Members that are schemas or metadata: JSON as its author wrote it.
OPEN = ["_meta", "inputSchema", "outputSchema"]


def read_all():
    """The types, and the codes of errors that the schemas name."""
    versions, errors = {}, {}
    for place, revision in enumerate(REVISIONS):
        reader = Reader(read_json(f"tests/protocol-schemas/{revision}/schema.json"))
        for name, definition in reader.made.items():
            versions.setdefault(name, []).append((place, definition))
        errors.update(reader.errors)
    model = Model()
    for name in sorted(versions):
        model.add(merged(versions[name]))
    # The schemas describe text and blob apart, and where contents stand both may.
    names = ["TextResourceContents", "BlobResourceContents"]
    model["ResourceContents"] = replace(model["ResourceContents"], shape="untagged", names=names)
    model = Model({name: tagged(model, it) for name, it in model.items()})
    for it in model.values():
        used = [name for kind in [it.kind, *(member.kind for member in it.members)] for name in kind.names()]
        for name in [*used, *it.names, *(name for _, name in it.variants)]:
            if name not in model:
                raise SystemExit(f"{it.name}: there is no type {name}")
    return model, sorted(errors.items())


class Reader:
    """The types of one schema."""

    def __init__(self, schema):
        self.schemas = schema.get("$defs") or schema["definitions"]
        self.made, self.errors = {}, {}
        for name, schema in self.schemas.items():
            if re.fullmatch(".+Error", name):
                self.error(name.removesuffix("Error"), schema)
            elif name != "InputRequest" and name.endswith(("Request", "Notification")):
                if name in EMBEDDED and "InputRequest" in self.schemas:
                    self.define(name, schema)
                self.parameters(name, schema)
            elif not name.startswith("JSON") and not name.endswith(("MetaObject", "ResultResponse")) and name not in LEFT_OUT:
                self.define(self.renamed(name), schema)

    def parameters(self, name, schema):
        """Of a message only the parameters are a type. Those that page are the same for all lists."""
        params = schema.get("properties", {}).get("params", {})
        says_something = params.get("properties", {}).keys() - {"_meta"}
        if says_something and not name.startswith("List") and name not in ("Request", "Notification"):
            self.define(self.renamed(f"{name}Params"), params)

    def error(self, name, schema):
        """An error: its code, and the type of its data."""
        own = schema.get("properties", {})
        for part in [*own.get("error", {}).get("allOf", []), schema]:
            members = part.get("properties", {})
            code = members.get("code", {}).get("const")
            if isinstance(code, Number):
                self.errors[name] = int(code)
            if "properties" in members.get("data", {}):
                self.define(f"{name}ErrorData", members["data"])

    def renamed(self, name):
        if name == "EnumSchema" and "LegacyTitledEnumSchema" not in self.schemas:
            return "LegacyTitledEnumSchema"
        new = RENAMED.get(name, name)
        return name if new in self.schemas else new

    def define(self, name, schema):
        doc = self.said(schema)
        self.made[name] = Definition(name, doc, **self.shape(name, schema))

    def said(self, schema):
        """The first paragraph of a description. Links of TypeScript lose their marks."""

        def link(found):
            # The name of the target and the text of the link stand together.
            texts = [found[1].removeprefix(it) for it in self.schemas if found[1].startswith(it) and found[1] != it]
            shortest = min(texts, key=len, default="")
            return found[1] if not shortest or shortest.startswith(".") else shortest

        first = schema.get("description", "").split("\n\n")[0].strip()
        return " ".join(re.sub(r"{@link ([^}]*)}", link, first).split()).rstrip(":")

    def shape(self, name, schema):
        if "allOf" in schema:
            members = {}
            for part in schema["allOf"]:
                shape = self.shape(name, self.schemas.get(part.get("$ref", "").split("/")[-1], part))
                for member in shape.get("members", []) if shape["shape"] == "object" else []:
                    members.pop(member.name, None)
                    members[member.name] = member
            return {"shape": "object", "members": list(members.values())}
        names = [self.target(it) for it in schema.get("anyOf", [])]
        if names and all(names):
            return {"shape": "untagged", "names": names}
        if schema.get("properties"):
            return {"shape": "object", "members": self.members(name, schema)}
        if schema.get("enum"):
            return {"shape": "words", "words": schema["enum"]}
        return {"shape": "alias", "kind": self.kind(name, "", schema)}

    def members(self, name, schema):
        members = []
        for member, of in schema["properties"].items():
            if member in ("jsonrpc", "id") and name.endswith("Request"):
                continue
            kind = OBJECT if member in OPEN else self.kind(name, member, of)
            zero_counts = kind in (WHOLE, NUMBER) or member.endswith("Hint")
            is_required = member in schema.get("required", []) and member != "_meta"
            members.append(Member(member, META if member == "_meta" else self.said(of), kind, is_required, zero_counts))
        return members

    def target(self, schema):
        """The name behind a reference."""
        return self.renamed(schema["$ref"].split("/")[-1]) if "$ref" in schema else None

    def kind(self, owner, member, schema):
        if name := self.target(schema):
            open_ones = {"JSONObject": OBJECT, "JSONValue": ANY}
            return open_ones.get(name) or (OBJECT if name.endswith("MetaObject") else Type("named", name))
        if isinstance(schema.get("const"), str) and not isinstance(schema["const"], Number):
            return Type("constant", schema["const"])
        if schema.get("enum"):
            return Type("words", tuple(schema["enum"]))
        if "anyOf" in schema:
            return self.variants(owner, member, schema["anyOf"])
        kind = schema.get("type")
        if isinstance(kind, list):
            kinds = [simple(it, f"{owner}.{member}") for it in kind if it != "null"]
            one = kinds[0] if len(kinds) == 1 else Type("either", tuple(kinds))
            return Type("nullable", one) if "null" in kind else one
        if kind == "array" and "items" in schema:
            return Type("list", self.kind(owner, member, schema["items"]))
        if kind == "object":
            return self.object(owner, member, schema)
        return simple(kind, f"{owner}.{member}") if kind else ANY

    def object(self, owner, member, schema):
        if schema.get("properties", {}).keys() - {"_meta"}:
            name = nested(owner, member)
            self.define(name, schema)
            return Type("named", name)
        values = schema.get("additionalProperties")
        return Type("map", self.kind(owner, member, values)) if values and isinstance(values, dict) else OBJECT

    def variants(self, owner, member, variants):
        kinds = [self.kind(owner, member, it) for it in variants]
        # The variants of a block, and a list of blocks.
        if kinds[-1].kind == "list" and kinds[-1].of.kind == "named":
            return Type("one_or_many", kinds[-1].of)
        names = [name for it in kinds for name in it.names()]
        if len(names) < len(kinds):
            flat = [inner for it in kinds for inner in (it.of if it.kind == "either" else [it])]
            return Type("either", tuple(flat))
        if "TextResourceContents" in names:
            return Type("named", "ResourceContents")
        if "TextContent" in names:
            return Type("named", "ContentBlock")  # before 2025-06-18 it had no name
        name = nested(owner, member)
        self.made[name] = Definition(name, "", "untagged", names=names)
        return Type("named", name)


def simple(kind, place):
    if kind not in SIMPLE:
        raise SystemExit(f"{place}: {kind} is no type")
    return SIMPLE[kind]


def nested(owner, member):
    return NESTED_ANYWHERE.get(member) or NESTED.get(f"{owner}.{member}") or owner + capital(member)


def merged(versions):
    """One type of all revisions that have it, oldest first."""
    places = [place for place, _ in versions]
    newest = versions[-1][1]
    counts = Counter(member.name for _, it in versions for member in it.members)
    words_differ = False
    for _, older in reversed(versions[:-1]):
        if newest.shape != older.shape or newest.shape == "alias" and newest.kind != older.kind:
            raise SystemExit(f"{newest.name}: {newest} and {older}")
        merge_members(newest.members, older.members)
        newest.names = list(dict.fromkeys(newest.names + older.names))
        words_differ |= set(newest.words) != set(older.words)
        newest.words = list(dict.fromkeys([*newest.words, *older.words]))
    for member in newest.members:
        member.is_required &= counts[member.name] == len(places)
    newest.is_open = words_differ or len(places) < len(REVISIONS)
    newest.doc = "\n".join(filter(None, [newest.doc, revisions(places)]))
    return newest


def merge_members(members, others):
    known = {it.name: it for it in members}
    for other in others:
        if other.name not in known:
            members.append(other)
            continue
        one = known[other.name]
        one.is_required &= other.is_required
        one.doc = one.doc or other.doc
        match one.kind.kind, other.kind.kind:
            case "words", "words":
                is_open = one.kind.is_open or set(one.kind.of) != set(other.kind.of)
                one.kind = Type("words", tuple(dict.fromkeys(one.kind.of + other.kind.of)), is_open)
            case ("object", "named") | ("whole", "number"):
                one.kind = other.kind
    members.sort(key=lambda it: it.name)


def revisions(places):
    first, last = REVISIONS[places[0]], REVISIONS[places[-1]]
    if last != REVISIONS[-1]:
        return f"Revision: {first}." if first == last else f"Revisions: {first} to {last}."
    if first == REVISIONS[0]:
        return "Revisions: all."
    return f"Revision: {first}." if first == last else f"Revisions: from {first} on."


def tagged(model, definition):
    """A union whose variants one member tells apart says so. Unions among the variants are replaced by what they consist of."""
    if definition.shape != "untagged":
        return definition
    flat = [inner for name in definition.names for inner in (model[name].names if model.shape(name) == "untagged" else [name])]
    flat = list(dict.fromkeys(flat))
    for tag in ("type", "method"):
        members = [next((it for it in model.members(name) if it.name == tag), None) for name in flat]
        if all(it and it.is_required and it.kind.kind == "constant" for it in members):
            variants = [(it.kind.of, name) for it, name in zip(members, flat)]
            if len(dict(variants)) == len(variants):
                return replace(definition, shape="tagged", tag=tag, variants=variants, names=[])
    return replace(definition, names=flat)
