"""What the types of all bindings are made from: one model, which each language spells in its own way."""

import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple


class Type(NamedTuple):
    """The type of a value. Its kind is `any` (any JSON), `object` (of any JSON), `flag`, `whole`, `number` or `text`; or of something:
    `constant` (one word), `words` (several; others may come if it is open), `time` (a whole number of `ms` or `s`), `list`, `map`,
    `nullable`, `one_or_many` (of a type), `either` (of several types), `named` (a definition), `switch` (a flag, or that definition)."""

    kind: str
    of: object = None
    is_open: bool = False

    def names(self):
        """The definitions that it names."""
        if self.kind in ("named", "switch"):
            return [self.of]
        inner = self.of if self.kind == "either" else [self.of] if isinstance(self.of, Type) else []
        return [name for it in inner for name in it.names()]


ANY, OBJECT, FLAG, WHOLE, NUMBER, TEXT = map(Type, ["any", "object", "flag", "whole", "number", "text"])


@dataclass
class Member:
    """A member of an object. `zero_counts` is whether zero or false says something else than absence does."""

    name: str
    doc: str
    kind: Type
    is_required: bool = False
    zero_counts: bool = False


@dataclass
class Definition:
    """One type with a name. Its shape is `object` (with members), `words` (and whether others may come), `tagged` (objects that the value
    of the member `tag` tells apart: pairs of the value and a name), `untagged` (their names alone) or `alias` (of a type)."""

    name: str
    doc: str
    shape: str
    members: list = field(default_factory=list)
    words: list = field(default_factory=list)
    is_open: bool = False
    tag: str = ""
    variants: list = field(default_factory=list)
    names: list = field(default_factory=list)
    kind: Type = ANY


class Model(dict):
    """Definitions by their names, in their order."""

    def add(self, definition):
        self[definition.name] = definition

    def shape(self, name):
        return self[name].shape if name in self else None

    def members(self, name):
        """The members of an object; of objects that nothing tells apart, all that one of them may have."""
        if self.shape(name) == "object":
            return [replace(it) for it in self[name].members]
        return joined([self.members(it) for it in self[name].names]) if self.shape(name) == "untagged" else []

    def unions_of(self, name):
        """The unions that have an object among their variants."""
        return [it.name for it in self.values() if it.shape == "tagged" and any(name == other for _, other in it.variants)]

    def resolve(self, of):
        """What an alias stands for."""
        if of.kind == "named" and self.shape(of.of) == "alias":
            return self.resolve(self[of.of].kind)
        return of._replace(of=self.resolve(of.of)) if of.kind in ("list", "map") else of


def joined(objects):
    """All members of several objects: required if they are so in each, of any type where the types differ."""
    found = {}
    for member in (it for members in objects for it in members):
        known = found.setdefault(member.name, member)
        known.kind = either(known.kind, member.kind)
        known.is_required &= member.is_required
    for name, member in found.items():
        member.is_required &= all(any(it.name == name for it in members) for members in objects)
        member.kind = TEXT if member.kind.kind == "constant" else member.kind
    return list(found.values())


def either(one, other):
    texts, numbers = {"text", "constant", "words"}, {"whole", "number"}
    both = {one.kind, other.kind}
    return one if one == other else TEXT if both <= texts else NUMBER if both <= numbers else ANY


def words(name):
    """`initial_ms`, `initialMs` and `InitialMs` as words: `initial`, `ms`."""
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])", name) if word]


def capital(word):
    return word[:1].upper() + word[1:]


def large_camel(name):
    return "".join(map(capital, words(name)))


def small_camel(name):
    large = large_camel(name)
    return large[:1].lower() + large[1:]


def timeless(name, kind, names):
    """The name of a member among those before it, to which it is added: that of a time has no unit, which its type has."""
    if kind.kind == "time":
        name = re.sub("(?<=.)(Ms|Seconds)$", "", name)
    if name in names:
        name += "Time"  # `keys` and `keys_ms`
    names.append(name)
    return name


def wrapped(text, columns):
    """A text in lines of at most so many columns."""
    lines = []
    for paragraph in text.removesuffix("\n").split("\n") if text else []:
        line = ""
        for word in paragraph.split():
            if line and len(line) + 1 + len(word) > columns:
                lines.append(line)
                line = ""
            line = f"{line} {word}" if line else word
        lines.append(line)
    return lines
