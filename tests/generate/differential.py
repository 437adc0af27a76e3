"""Random values of every type of a corpus, through the generated code of each language and back.

    python differential.py CORPUS GENERATED WORK COUNT VALIDATOR [--only LANGUAGE=MODULE,…] [--types COMMAND] LANGUAGE=COMMAND…

CORPUS has lists of tools; GENERATED/LANGUAGE/MODULE the code that was made of them; WORK is a folder for what is in between. A COMMAND
starts the program that `prepare.py` has written. Values are kept if the library's own validator takes them. Each must come back as an
equal value, which the validator takes as well. With --only a language has some modules only.

Types of Python and TypeScript describe the JSON as it is. There the program calls the functions of the tools, with a server that gives back
what it gets (`echo.cpp`). Whether the types take the values is checked besides: Python's here, and TypeScript's by its compiler (--types),
which must also refuse changed ones.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import random
import shutil
import subprocess
import sys
import time
import types
import typing
from pathlib import Path
from typing import Any

import literals
from harness import Kind
from kinds import kinds_of
from values import Values


#: Languages whose programs call tools.
CALLING = ("typescript", "python")
#: Languages that hold numbers of JSON as doubles, and the integers that these hold.
DOUBLES, EXACT = ("typescript", "swift"), 2**53
#: The longest name of a member that has a type, in bytes: `TEXT` in cli/src/generate/read/mod.rs.
NAME = 1000


def is_called(kind: Kind) -> bool:
    """Whether programs that call tools can show a type. The library has no call for a name with NUL, of which the corpus has one; and
    the echo gives arguments back as the result, of which a function that unwraps one member gives that member only."""
    return "\0" not in kind.tool and not (kind.which == "arguments" and kind.tools["python"]["unwrapped"])


def longest_name(value: Any) -> int:
    if isinstance(value, dict):
        return max((max(len(name.encode()), longest_name(item)) for name, item in value.items()), default=0)
    return max(map(longest_name, value), default=0) if isinstance(value, list) else 0


def largest(value: Any) -> int:
    """The largest integer in a value, without its sign."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return max(map(largest, value), default=0)
    return abs(value) if isinstance(value, int) else 0


def lines(command: str, text: str) -> list[str]:
    done = subprocess.run(["sh", "-c", command], input=text, capture_output=True, text=True, timeout=1800, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout.split("\n")[:-1]


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(value, b[name]) for name, value in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    return type(a) is type(b) and a == b if not isinstance(a, (int, float)) else isinstance(b, (int, float)) and a == b


def fits(value: Any, hint: Any, names: dict[str, Any]) -> bool:
    """Whether a value has the type of Python that a hint says."""
    if isinstance(hint, typing.ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        return fits(value, eval(hint, names), names)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    if origin is typing.Literal:
        return any(value == part and type(value) is type(part) for part in parts)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, part, names) for part in parts)
    if origin is list:
        return isinstance(value, list) and all(fits(item, parts[0], names) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(item, parts[1], names) for item in value.values())
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint, names)
        # Where annotations are texts, TypedDict does not see a NotRequired in them.
        written = typing.get_type_hints(hint, names, include_extras=True)
        needed = {name for name in hint.__required_keys__ if typing.get_origin(written[name]) is not typing.NotRequired}
        return isinstance(value, dict) and needed <= value.keys() and all(
            name not in hints or fits(item, hints[name], names) for name, item in value.items()
        )
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        # 3.0 is an integer of JSON Schema.
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)
    return type(value) is hint


def digest(number: int, text: str) -> bytes:
    return hashlib.blake2b(f"{number} {text}".encode(), digest_size=16).digest()


class Validator:
    """The library's own. What it took once is not asked again."""

    def __init__(self, command: str, schemas: list[Any]) -> None:
        self.command = command
        self.head = "".join(json.dumps(schema) + "\n" for schema in schemas) + "\n"
        self.count = len(schemas)
        self.taken: set[bytes] = set()

    def usable(self) -> list[str]:
        """For each schema "usable", or why it is not."""
        return lines(self.command, self.head)

    def verdicts(self, values: list[tuple[int, str]]) -> list[str]:
        """For each value of the schema with a number "valid", or why it is not."""
        keys = [digest(number, text) for number, text in values]
        asked = [pair for pair, key in zip(values, keys) if key not in self.taken]
        answers = iter(lines(self.command, self.head + "".join(f"{number} {text}\n" for number, text in asked))[self.count :])
        said = []
        for key in keys:
            said.append("valid" if key in self.taken else next(answers))
        self.taken.update(key for key, verdict in zip(keys, said) if verdict == "valid")
        return said


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("corpus", "generated", "work"):
        parser.add_argument(name, type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("validator")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--types")
    parser.add_argument("commands", nargs="*")
    options = parser.parse_intermixed_args()
    kinds, schemas = kinds_of(options.corpus, options.generated)
    validator = Validator(options.validator, schemas)
    usable = validator.usable()
    chance = random.Random(20260101)
    tries: list[tuple[int, str]] = []
    for number, schema in enumerate(schemas):
        if usable[number] != "usable":
            continue
        values = Values(schema, chance)
        tries += [(number, json.dumps(values.of(schema), ensure_ascii=False)) for _ in range(options.count * 2)]
    kept: list[tuple[int, str]] = []
    seen = [0] * len(schemas)
    for (number, text), verdict in zip(tries, validator.verdicts(tries), strict=True):
        # Names and texts with NUL have no place in C. The types leave out members with such names and with very long ones; the
        # report says so.
        if verdict == "valid" and seen[number] < options.count and "\\u0000" not in text and longest_name(json.loads(text)) <= NAME:
            seen[number] += 1
            kept.append((number, text))
    bare = [number for number in range(len(schemas)) if seen[number] == 0]
    print(f"types: {len(schemas)}, values: {len(kept)}, types without a valid value: {len(bare)}")
    for number in bare:
        print(f"  {kinds[number].module}/{kinds[number].file}: {usable[number] if usable[number] != 'usable' else 'no random value is valid'}"[:160])
    (options.work / "values.txt").write_text("".join(f"{number} {value}\n" for number, value in kept))
    modules = {language: names.split(",") for language, names in (one.split("=", 1) for one in options.only)}
    failures = 0
    for one in options.commands:
        language, command = one.split("=", 1)
        wanted = [
            kind.module in modules.get(language, [kind.module]) and not (language in CALLING and not is_called(kind)) for kind in kinds
        ]
        some = [pair for pair in kept if wanted[pair[0]]]
        if language in DOUBLES:
            some = [pair for pair in some if largest(json.loads(pair[1])) <= EXACT]
        failures += through(language, command, some, kinds, validator)
    if options.types:
        failures += compiled(options, kinds, kept)
    sys.exit(1 if failures + hints(options.generated, kinds, kept) else 0)


def through(language: str, command: str, values: list[tuple[int, str]], kinds: list[Kind], validator: Validator) -> int:
    """Values through the program of a language; gives how many are not the same again."""
    began = time.monotonic()
    given = lines(command, "".join(f"{number} {value}\n" for number, value in values))
    took = time.monotonic() - began
    if len(given) != len(values):
        sys.exit(f"{language}: {len(given)} lines for {len(values)} values")
    verdicts = iter(validator.verdicts([(number, out) for (number, _), out in zip(values, given) if not out.startswith("!")]))
    wrong = 0
    for (number, value), out in zip(values, given, strict=True):
        why = out if out.startswith("!") else next(verdicts)
        if out.startswith("!") or why != "valid" or not equal(json.loads(value), json.loads(out)):
            wrong += 1
            if wrong <= 10:
                print(f"{language}: {kinds[number].names[language]}: {value[:200]} became {out[:200]} ({why[:100]})")
    types_of_them = len({number for number, _ in values})
    print(f"{language}: {len(values) - wrong} values of {types_of_them} types are the same again, {wrong} are not ({took:.0f} s)")
    return wrong


def compiled(options: argparse.Namespace, kinds: list[Kind], values: list[tuple[int, str]]) -> int:
    """The compiler of TypeScript on all values as literals; gives in how many programs it found something."""
    began = time.monotonic()
    folder = options.work / "literals"
    shutil.rmtree(folder, ignore_errors=True)
    folders, taken, refused = literals.write(kinds, values, options.generated.resolve(), folder)
    wrong = 0
    for one in folders:
        done = subprocess.run(["sh", "-c", f"{options.types} -p {one}"], capture_output=True, text=True, timeout=1800, encoding="utf-8")
        if done.returncode != 0:
            wrong += 1
            print(f"typescript: {done.stdout[:1500]}{done.stderr[:500]}")
    if not wrong:
        shutil.rmtree(folder)
    took = time.monotonic() - began
    print(f"typescript: the types take {taken} values as literals, and refuse {refused} changed ones, in {len(folders) - wrong} of {len(folders)} programs ({took:.0f} s)")
    return wrong if refused else 1


def hints(generated: Path, kinds: list[Kind], values: list[tuple[int, str]]) -> int:
    """How many values the types of Python do not take."""
    # As modules of the package `python`: one of the recorded servers is called `time`, which is a module of Python itself.
    sys.path.insert(0, str(generated))
    wrong = 0
    for number, value in values:
        module = importlib.import_module(f"python.{kinds[number].module}.{kinds[number].file}")
        if not fits(json.loads(value), kinds[number].names["python"], vars(module)):
            wrong += 1
            if wrong <= 10:
                print(f"python: {kinds[number].names['python']} does not take {value[:300]}")
    print(f"python: the types take {len(values) - wrong} values, and refuse {wrong}")
    return wrong


if __name__ == "__main__":
    main()
