"""How each language spells the types of a model, and what its templates see of them."""

import re

from model import Type, capital, large_camel, small_camel, timeless, words

# How the names of what 2026-07-28 deprecates begin: sampling, roots and log messages (SEP-2577). The schema does not mark them.
DEPRECATED = ("ClientCapabilitiesRoots", "ClientCapabilitiesSampling", "CreateMessage", "ListRoots", "LoggingLevel", "LoggingMessage",
              "ModelHint", "ModelPreferences", "SamplingMessage", "SetLevel")
DEPRECATION = "2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has them."


class Language:
    """A language. `TYPES` has how it spells each kind: `{}` is what the type is of; a function gets the whole type."""

    TYPES = {}

    def __init__(self, model):
        self.model = model

    def spell(self, of):
        form = self.TYPES[of.kind]
        if callable(form):
            return form(self, of)
        return form.format(self.spell(self.inner(of.of)) if isinstance(of.of, Type) else of.of)

    def inner(self, of):
        return of

    def besides(self, definition, members):
        """What is said of each member besides."""
        return [{} for _ in members]

    def definitions(self):
        return [self.definition(it) for it in self.model.values()]

    def definition(self, of):
        shape = {"is": of.shape, "names": of.names}
        if of.shape == "words":
            shape |= {"words": of.words, "kind": self.spell(Type("words", tuple(of.words), of.is_open))}
        elif of.shape == "tagged":
            shape |= {"tag": of.tag, "variants": of.variants, "names": [name for _, name in of.variants]}
        elif of.shape == "alias":
            shape["kind"] = self.spell_alias(of.kind)
        members = self.model.members(of.name)
        seen = [
            {"name": it.name, "doc": it.doc, "is_required": it.is_required, "kind": self.spell(it.kind),
             "constant": it.kind.of if it.kind.kind == "constant" else None,
             "words": it.kind.of if it.kind.kind == "words" else None} | more
            for it, more in zip(members, self.besides(of, members))
        ]
        is_deprecated = of.name == "Root" or of.name.startswith(DEPRECATED)
        return {"name": of.name, "doc": of.doc, "deprecated": DEPRECATION if is_deprecated else None, "is_union": of.shape == "tagged",
                "shape": shape, "members": seen, "unions": self.model.unions_of(of.name)}

    def spell_alias(self, of):
        return self.spell(of)

    def is_named(self, of, shape):
        """Whether a type is a definition of that shape."""
        return of.kind == "named" and self.model.shape(of.of) == shape



class TypeScript(Language):
    def words(self, of):
        # What a later revision may add keeps the known words for editors.
        return " | ".join([f"'{word}'" for word in of.of] + ["(string & {})"] * of.is_open)

    def many(self, of):
        of = self.spell(of.of)
        return f"({of})[]" if " | " in of else f"{of}[]"

    TYPES = {
        "any": "unknown", "object": "JsonObject", "flag": "boolean", "whole": "number", "number": "number", "time": "number",
        "text": "string", "constant": "'{}'", "words": words, "list": many, "map": "{{ [name: string]: {} }}", "nullable": "{} | null",
        "named": "{}", "one_or_many": lambda self, of: f"{self.spell(of.of)} | {self.many(of)}",
        "either": lambda self, of: " | ".join(map(self.spell, of.of)), "switch": "boolean | {}",
    }


class Python(Language):
    # Words that no attribute and no keyword argument can have.
    KEYWORDS = "and as class def del from global import in is not pass".split()

    def words(self, of):
        known = "Literal[" + ", ".join(f'"{word}"' for word in of.of) + "]"
        # What a later revision may add is a string like any other.
        return f"Union[{known}, str]" if of.is_open else known

    TYPES = {
        "any": "Any", "object": "dict[str, Any]", "flag": "bool", "whole": "int", "number": "float", "text": "str",
        "constant": 'Literal["{}"]', "words": words, "time": lambda self, of: {"ms": "Milliseconds", "s": "Seconds"}[of.of],
        "list": "list[{}]", "map": "dict[str, {}]", "nullable": "Union[{}, None]", "named": "{}",
        "one_or_many": "Union[{0}, list[{0}]]", "either": lambda self, of: f"Union[{', '.join(map(self.spell, of.of))}]",
        "switch": "Union[bool, {}]",
    }

    def besides(self, definition, members):
        return [{"is_name": it.name not in self.KEYWORDS and re.fullmatch("[A-Za-z0-9_]*", it.name) is not None} for it in members]

    def definitions(self):
        """Aliases last: what they stand for is looked up when the module is loaded. Later aliases would be needed there: what they stand
        for is written out."""
        order = {"words": 0, "object": 1}
        return [self.definition(it) for it in sorted(self.model.values(), key=lambda it: order.get(it.shape, 2))]

    def spell_alias(self, of):
        return self.spell(self.model.resolve(of))


def plain_either(self, of):
    """The definition among several types, or anything."""
    named = next((it for it in of.of if it.kind == "named"), None)
    return self.spell(named) if named else self.TYPES["any_value"]


class Go(Language):
    # Parts of names that Go writes in capitals.
    INITIALISMS = "api ca dpop http id json jwks mcp sse tls ttl uri url urls".split()
    TYPES = {
        "any": "json.RawMessage", "any_value": "any", "object": "json.RawMessage", "flag": "bool", "whole": "int64", "number": "float64",
        "text": "string", "constant": "string", "words": "string", "time": "time.Duration", "list": "[]{}", "one_or_many": "[]{}",
        "map": "map[string]{}", "nullable": "*{}", "either": plain_either, "switch": lambda self, of: f"Switch[{self.camel(of.of)}]",
        "named": lambda self, of: self.spell(self.model[of.of].kind) if self.is_named(of, "alias") else self.camel(of.of),
    }

    def __init__(self, model, omit):
        """`omit` is the option by which JSON leaves out a field that is not required."""
        super().__init__(model)
        self.omit = omit

    def inner(self, of):
        return self.model.resolve(of)

    def definition(self, of):
        seen = super().definition(of)
        # Where another alias is used, its own type stands.
        seen["shape"]["is_plain"] = of.kind.kind == "named" and self.model.resolve(of.kind) == of.kind
        return seen

    def besides(self, definition, members):
        names = []
        return [self.field(definition, it, names) for it in members]

    def field(self, owner, member, names):
        """A field, as Go sees it. `tag` is what JSON calls it, with options; `-` when the encoder and the decoder see something else
        instead, `out` and `into`: a type, and the value of that type or how the value comes from it."""
        kind = self.model.resolve(member.kind)
        name = timeless(self.camel(member.name), kind, names)
        typed = "map[string]any" if member.name == "_meta" else self.spell(kind)
        if kind.kind in ("flag", "whole", "number", "time"):
            is_pointer = member.zero_counts
        else:
            # Types of the protocol that a configuration names are objects.
            is_pointer = kind.kind == "named" and self.model.shape(kind.of) in (None, "object", "untagged")
        is_pointer &= not member.is_required
        typed = "*" * is_pointer + typed
        # A required list or object that is nil is written as this.
        nil = {"object": 'json.RawMessage("{}")', "any": 'json.RawMessage("null")'}
        nil |= dict.fromkeys(["list", "map", "one_or_many"], typed + "{}")
        empty = nil.get(kind.kind) if member.is_required else None
        of = kind.of if kind.kind in ("list", "map", "one_or_many") else kind
        decode = f"decode{of.of}" if self.is_named(of, "tagged") else None
        out = into = None
        if kind.kind == "time":
            unit = {"ms": "time.Millisecond", "s": "time.Second"}[kind.of]
            seen, to, come = ("*int64", "countTime", "timeOf") if is_pointer else ("int64", "count", "timeFrom")
            out, into = (seen, f"{to}(v.{name}, {unit})"), (seen, f"{come}(in.{name}, {unit})")
        elif kind.kind == "map" and of.kind == "time":
            out, into = ("map[string]int64", f"countTimes(v.{name})"), ("map[string]int64", f"timesOf(in.{name})")
        elif kind.kind == "one_or_many":
            out = ("any", f"oneOrMany(v.{name})")
            into = ("json.RawMessage", f"decodeOneOrMany(in.{name}, {decode or f'decodePlain[{self.spell(of)}]'})")
        elif decode:
            raw, call = {"list": ("[]", "Each"), "map": ("map[string]", "Members")}.get(kind.kind, ("", "One"))
            into = (f"{raw}json.RawMessage", f"decode{call}(in.{name}, {decode})")
        tag = "-" if out else member.name if member.is_required else f"{member.name},{self.omit}"
        if (owner.name, member.name) == ("ResourceContents", "text"):
            # One of the two must be there, and an empty text is one.
            out = ("*string", "textUnless(v.Blob, v.Text)")
        out_tag = member.name if empty or tag == member.name else f"{member.name},omitzero"
        return {"id": name, "go": typed, "tag": tag, "empty": empty, "out": out, "into": into, "out_tag": out_tag}

    @classmethod
    def camel(cls, name):
        """`uriTemplate` as `URITemplate`. Names of types are right already, but for abbreviations that have only one large letter."""
        if name[:1].isupper():
            parts = [part.lower() for part in re.split("(?<=[^A-Z])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])", name)]
        else:
            parts = words(name)
        return "".join(part.upper() if part in cls.INITIALISMS else capital(part) for part in parts)

    @staticmethod
    def small(name):
        return re.sub("^[A-Z]+(?=[A-Z])|^[A-Z]+$|^[A-Z]", lambda found: found[0].lower(), name)


class Java(Language):
    # Words that no method can have as its name, and names that objects have already.
    TAKEN = """abstract assert case class const continue default do enum final finally for if import interface json native notify
        package this wait""".split()
    # Names that would hide Java's own, or are too general.
    RENAMED = {"Config": "ClientConfig", "Result": "EmptyResult", "Error": "ErrorObject", "Request": "RequestObject"}
    # What a type is, and a function that makes it of a `JsonValue`.
    PLAIN = {
        "any": ("JsonValue", "value -> value"), "flag": ("Boolean", "JsonValue::asBoolean"), "whole": ("Long", "JsonValue::asLong"),
        "number": ("Double", "JsonValue::asDouble"), "text": ("String", "JsonValue::asText"),
    }
    PLAIN |= dict.fromkeys(["object", "either", "switch"], PLAIN["any"]) | dict.fromkeys(["constant", "words"], PLAIN["text"])
    CALLS = {"list": "list", "one_or_many": "oneOrMany", "map": "map"}
    FACTORS = {"ms": "1", "s": "1000"}

    def spell(self, of):
        return ""

    def plain(self, of):
        """What a type is, and how it is made of a `value`: a function, or for collections a call."""
        of = self.model.resolve(of)
        if of.kind in self.CALLS:
            java, make = self.plain(of.of)
            call = f"value -> Members.{self.CALLS[of.kind]}(value, {make})"
            return (f"Map<String, {java}>" if of.kind == "map" else f"List<{java}>"), call
        match of.kind:
            case "nullable":
                return self.plain(of.of)
            case "time":
                return "Duration", f"it -> Members.duration(it, {self.FACTORS[of.of]})"
            case "named" if self.is_named(of, "words"):
                return self.PLAIN["text"]
            case "named":
                # A configuration names types of the protocol.
                java = ("" if of.of in self.model else "Protocol.") + self.type_name(of.of)
                return java, f"{java}::{'of' if self.is_named(of, 'tagged') else 'new'}"
        return self.PLAIN[of.kind]

    def besides(self, definition, members):
        names = []
        return [self.property(it, names) for it in members]

    def property(self, member, names):
        kind = self.model.resolve(member.kind)
        kind = kind.of if kind.kind == "nullable" else kind
        name = timeless(small_camel(member.name), self.model.resolve(member.kind), names)
        java, make = self.plain(kind)
        got = f'get("{member.name}")'
        absent, read = "null if it is absent", f'one("{member.name}", {make})'
        setters = [({"JsonValue": "Object", "Boolean": "boolean", "Long": "long", "Double": "double"}.get(java, java), "value")]
        if java == "JsonValue":
            absent, read = "{@link JsonValue#ABSENT} if it is missing", got
        if kind.kind == "time":
            factor = self.FACTORS[kind.of]
            read, setters = f"duration({got}, {factor})", [("Duration", f"count(value, {factor})")]
        elif kind.kind == "switch":
            setters = [("boolean", "value"), (self.type_name(kind.of), "value")]
        elif kind.kind in self.CALLS:
            absent, read = "empty if it is absent", make.removeprefix("value -> Members.").replace("(value, ", f"({got}, ", 1)
            of, _ = self.plain(kind.of)
            # What may be written is anything, where the elements are any JSON.
            wild = "?" if of == "JsonValue" else of if of in ("String", "Long", "Double", "Boolean") else f"? extends {of}"
            setters = [(f"Map<String, {wild}>" if kind.kind == "map" else f"List<{wild}>", "value")]
            if kind.kind == "map" and kind.of.kind == "time":
                setters = [("Map<String, Duration>", f"counts(value, {self.FACTORS[kind.of.of]})")]
            elif kind.kind == "one_or_many":
                setters.append((of, "value"))
            elif (kind.kind, of) == ("list", "String"):
                setters.append(("String...", "List.of(value)"))
        return {"id": name + "_" * (name in self.TAKEN), "java": java, "absent": absent, "read": read, "setters": setters}

    @classmethod
    def type_name(cls, name):
        return cls.RENAMED.get(name, name)

    @staticmethod
    def constants(all):
        """The constants of words: name, value and comment. The same in another spelling is left out."""
        found = {}
        for word in all:
            name = word if word.upper() == word else "_".join(words(word)).upper()
            found.setdefault(re.sub("[^A-Za-z0-9]", "_", name), f'"{word}"')
        return [(name, value, "One of the values.") for name, value in found.items()]

    @staticmethod
    def escaped(doc):
        """A text as javadoc takes it: what stands in backquotes is code."""
        doc = doc.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        doc = re.sub("`([^`]*)(`|$)", r"<code>\1</code>", re.sub("(?<!{)@", "&#64;", doc))
        return doc.replace("*/", "*&#47;").replace("\\u", "&#92;u")


class Swift(Language):
    # Names that would hide Swift's own.
    RENAMED = {"Config": "ClientConfiguration", "Result": "EmptyResult", "Task": "LegacyTask"}
    # Swift's own words.
    KEYWORDS = """as break case catch class continue default do else enum extension false for func if import in init inout internal is
        let nil private protocol public repeat return self throw true var""".split()
    TYPES = {
        "any": "JSONValue", "any_value": "JSONValue", "object": "[String: JSONValue]", "flag": "Bool", "whole": "Int", "number": "Double",
        "text": "String", "constant": "String", "words": "String", "time": "Duration", "list": "[{}]", "one_or_many": "[{}]",
        "map": "[String: {}]", "nullable": "{}?", "named": lambda self, of: self.type_name(of.of), "either": plain_either,
        "switch": lambda self, of: f"Switch<{self.type_name(of.of)}>",
    }

    def inner(self, of):
        return self.model.resolve(of)

    def besides(self, definition, members):
        names = []
        return [self.property(it, names) for it in members]

    def property(self, member, names):
        kind = self.model.resolve(member.kind)
        id = timeless(small_camel(member.name), kind, names)
        # `Type` has a meaning of its own.
        nested = re.sub("^Type$", "Kind", large_camel(member.name))
        own = nested if kind.kind == "words" else self.spell(kind)
        name = self.escaped(id)
        at = f"forKey: .{name}"
        one = f"{self.spell(kind.of)}.self, {at}" if isinstance(kind.of, Type) else ""
        is_required, is_nullable = member.is_required, kind.kind == "nullable"
        encode = f"encode{'' if is_required else 'IfPresent'}({name}, {at})"
        if kind.kind == "time":
            unit = {"ms": "milliseconds", "s": "seconds"}[kind.of]
            decode, encode = f"duration(.{unit}, {at})", f"encode({name}, .{unit}, {at})"
        elif kind.kind == "map" and kind.of.kind == "time":
            decode, encode = f"durations({at})", f"encodeDurations({name}, {at})"
        elif kind.kind == "one_or_many":
            decode, encode = f"oneOrMany({one}){' ?? []' * is_required}", f"encodeOneOrMany({name}, {at})"
        elif is_nullable:
            decode = f"decodeIfPresent({one})"
        elif is_required and kind.kind in ("list", "map", "object"):
            decode = f"decodeIfPresent({own}.self, {at}) ?? {'[]' if kind.kind == 'list' else '[:]'}"
        else:
            decode = f"decode{'' if is_required else 'IfPresent'}({own}.self, {at})"
        optional = "" if is_required or is_nullable else "?"
        return {"id": id, "nested": nested, "kind": own + optional, "decode": decode, "encode": encode}

    @classmethod
    def type_name(cls, name):
        return cls.RENAMED.get(name) or re.sub("Config$", "Configuration", name)

    @classmethod
    def cases(cls, all):
        """The words of an open enum, each with the name of its case; the same in another spelling is left out."""
        found = {}
        for word in all:
            found.setdefault(cls.case(word), word)
        return list(found.items())

    @classmethod
    def case(cls, word):
        return cls.escaped(word.lower() if re.fullmatch("[A-Z0-9]*", word) else small_camel(word))

    @classmethod
    def escaped(cls, name):
        return f"`{name}`" if name in cls.KEYWORDS else name
