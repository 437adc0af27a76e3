"""Values as literals of TypeScript, for its compiler: what has the type, and what must be refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from harness import Kind

#: Characters in one program of the compiler, about: a bound of its memory.
SIZE = 4_000_000
#: A value that no member with this type may have.
OTHER = {"number": "text", "string": 0, "boolean": 0}


def members(text: str, name: str) -> list[tuple[str, bool, str]]:
    """The members of a type that is an object: their names, whether they must be there, and their types."""
    found = re.search(rf"^export type {re.escape(name)} = \{{\n(.*?)^\}};$", text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r'^  ("(?:[^"\\]|\\.)*"|\w+)(\??): (.*);$', found[1], re.MULTILINE) if found else []
    return [(json.loads(key) if key.startswith('"') else key, mark == "", kind) for key, mark, kind in lines]


def wrong(value: dict[str, Any], fields: list[tuple[str, bool, str]]) -> list[dict[str, Any]]:
    """Changes of a value that its type does not allow: each member left out that must be there, or with a value of another kind."""
    made = []
    for name, is_required, kind in fields:
        if name not in value:
            continue
        if is_required and kind != "unknown":
            made.append({key: item for key, item in value.items() if key != name})
        if kind in OTHER:
            made.append({**value, name: OTHER[kind]})
    return made


def write(kinds: list[Kind], values: list[tuple[int, str]], generated: Path, folder: Path) -> tuple[list[Path], int, int]:
    """Writes programs, each in a folder; gives the folders, the number of values and of those that must be refused."""
    by_kind: dict[int, list[str]] = {}
    for number, text in values:
        by_kind.setdefault(number, []).append(text)
    folders: list[Path] = []
    refused, size = 0, SIZE
    for number, texts in by_kind.items():
        kind = kinds[number]
        if size >= SIZE:
            size = 0
            folders.append(folder / str(len(folders)))
            folders[-1].mkdir(parents=True, exist_ok=True)
            project = generated / "typescript"
            more = {"noEmit": True, "typeRoots": [str(project / "node_modules/@types")]}
            config = {"extends": str(project / "tsconfig.json"), "compilerOptions": more, "include": ["*.ts"]}
            (folders[-1] / "tsconfig.json").write_text(json.dumps(config))
        module = generated / "typescript" / kind.module / f"{kind.file}.ts"
        name = kind.names["typescript"]
        lines = [f"import type {{ {name} }} from '{module.with_suffix('.js')}';", f"let value: {name};"]
        lines += [f"value = {json.dumps(json.loads(text))};" for text in texts]
        # The largest: it has most of the members.
        full = json.loads(max(texts, key=len))
        bad = wrong(full, members(module.read_text(), name)) if isinstance(full, dict) else []
        for one in bad:
            lines += ["// @ts-expect-error", f"value = {json.dumps(one)};"]
        refused += len(bad)
        # What is assigned must be read once.
        lines.append("export const last = () => value;")
        program = "\n".join(lines) + "\n"
        size += len(program)
        (folders[-1] / f"t{number}.ts").write_text(program)
    return folders, len(values), refused
