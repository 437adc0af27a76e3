"""The types of generated code, from the manifests beside it, with their schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness import Kind

LANGUAGES = ["c", "cpp", "go", "typescript", "python", "swift", "java", "rust"]


def kinds_of(corpus: Path, generated: Path) -> tuple[list[Kind], list[Any]]:
    definitions: dict[str, dict[str, dict[str, Any]]] = {}
    for file in sorted(corpus.rglob("*.json")):
        for tool in json.loads(file.read_text())["tools"]:
            definitions.setdefault(file.stem, {}).setdefault(tool["name"], tool)
    kinds: list[Kind] = []
    schemas: list[Any] = []
    for folder in sorted((generated / "python").iterdir()):
        manifest = folder / "manifest.json"
        if not manifest.is_file():
            continue
        manifests = {name: json.loads((generated / name / folder.name / "manifest.json").read_text()) for name in LANGUAGES}
        tools = {name: {tool["name"]: tool for tool in it["tools"]} for name, it in manifests.items()}
        server = manifests["python"]["server"]["name"]
        for name in tools["python"]:
            definition = definitions[server][name]
            for which, key in (("arguments", "inputSchema"), ("result", "outputSchema")):
                schema = definition.get(key)
                entries = {language: tools[language][name] for language in LANGUAGES}
                # The validator takes schemas of objects, as the protocol wants them.
                if isinstance(schema, dict) and all(entry[which] for entry in entries.values()):
                    kinds.append(Kind(folder.name, which, entries))
                    schemas.append({**schema, "type": "object"} if "type" not in schema else schema)
    return kinds, schemas
