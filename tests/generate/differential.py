"""Random values of every type of a corpus, through the generated code of each language and back.

    python differential.py CORPUS GENERATED WORK COUNT VALIDATOR LANGUAGE=COMMAND…

CORPUS has lists of tools; GENERATED/LANGUAGE/MODULE the code that was made of them; WORK is a folder for what is in between. A COMMAND builds and
starts the program that `prepare.py` has written. Values are kept if the library's own validator takes them. Each must be encoded to an
equal value, which the validator takes as well. Python's types are checked here: they describe the JSON as it is.
"""

from __future__ import annotations

import importlib
import json
import random
import subprocess
import sys
import types
import typing
from pathlib import Path
from typing import Any

from kinds import kinds_of
from values import Values


#: The longest name of a member that has a type, in bytes: `TEXT` in cli/src/generate/read/mod.rs.
NAME = 1000


def longest_name(value: Any) -> int:
    if isinstance(value, dict):
        return max((max(len(name.encode()), longest_name(item)) for name, item in value.items()), default=0)
    return max(map(longest_name, value), default=0) if isinstance(value, list) else 0


def lines(command: str, text: str) -> list[str]:
    done = subprocess.run(["sh", "-c", command], input=text, capture_output=True, text=True, timeout=1800, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr[-2000:]}")
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
        return isinstance(value, dict) and set(hint.__required_keys__) <= value.keys() and all(
            name not in hints or fits(item, hints[name], names)
            for hints in [typing.get_type_hints(hint, names)]
            for name, item in value.items()
        )
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        # 3.0 is an integer of JSON Schema.
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)
    return type(value) is hint


def main() -> None:
    corpus, generated, work, count, validator, *commands = sys.argv[1:]
    kinds, schemas = kinds_of(Path(corpus), Path(generated))
    usable = lines(validator, "".join(json.dumps(schema) + "\n" for schema in schemas) + "\n")
    chance = random.Random(20260101)
    tries: list[tuple[int, str]] = []
    for number, schema in enumerate(schemas):
        if usable[number] != "usable":
            continue
        values = Values(schema, chance)
        tries += [(number, json.dumps(values.of(schema), ensure_ascii=False)) for _ in range(int(count) * 2)]
    head = "".join(json.dumps(schema) + "\n" for schema in schemas) + "\n"
    verdicts = lines(validator, head + "".join(f"{number} {text}\n" for number, text in tries))[len(schemas) :]
    kept: list[tuple[int, str]] = []
    seen = [0] * len(schemas)
    for (number, text), verdict in zip(tries, verdicts, strict=True):
        # Names and texts with NUL have no place in C. The types leave out members with such names and with very long ones; the
        # report says so.
        if verdict == "valid" and seen[number] < int(count) and "\\u0000" not in text and longest_name(json.loads(text)) <= NAME:
            seen[number] += 1
            kept.append((number, text))
    bare = [number for number in range(len(schemas)) if seen[number] == 0]
    print(f"types: {len(schemas)}, values: {len(kept)}, types without a valid value: {len(bare)}")
    for number in bare:
        print(f"  {kinds[number].module}/{kinds[number].file}: {usable[number] if usable[number] != 'usable' else 'no random value is valid'}"[:160])
    text = "".join(f"{number} {value}\n" for number, value in kept)
    Path(work, "values.txt").write_text(text)
    failures = 0
    for one in commands:
        language, command = one.split("=", 1)
        given = lines(command, text)
        if len(given) != len(kept):
            sys.exit(f"{language}: {len(given)} lines for {len(kept)} values")
        checked = lines(validator, head + "".join(f"{n} {out}\n" for (n, _), out in zip(kept, given) if not out.startswith("!")))
        verdicts = iter(checked[len(schemas) :])
        wrong = 0
        for (number, value), out in zip(kept, given, strict=True):
            why = out if out.startswith("!") else next(verdicts)
            if out.startswith("!") or why != "valid" or not equal(json.loads(value), json.loads(out)):
                wrong += 1
                if wrong <= 10:
                    print(f"{language}: {kinds[number].names[language]}: {value[:200]} became {out[:200]} ({why[:100]})")
        failures += wrong
        print(f"{language}: {len(kept) - wrong} values are the same again, {wrong} are not")
    # As modules of the package `python`: one of the recorded servers is called `time`, which is a module of Python itself.
    sys.path.insert(0, str(Path(generated)))
    wrong = 0
    for number, value in kept:
        module = importlib.import_module(f"python.{kinds[number].module}.{kinds[number].file}")
        if not fits(json.loads(value), kinds[number].names["python"], vars(module)):
            wrong += 1
            if wrong <= 10:
                print(f"python: {kinds[number].names['python']} does not take {value[:300]}")
    print(f"python: the types take {len(kept) - wrong} values, and refuse {wrong}")
    sys.exit(1 if failures + wrong else 0)


if __name__ == "__main__":
    main()
