"""Writes the programs of the differential test: python prepare.py CORPUS GENERATED SWIFT…

SWIFT are the modules that the programs in Swift and Rust have the types of.
"""

import json
import sys
from pathlib import Path

import harness
from kinds import kinds_of

corpus, generated = map(Path, sys.argv[1:3])
kinds, schemas = kinds_of(corpus, generated)
modules = sorted({kind.module for kind in kinds})


def first(path: Path, start: str) -> str:
    """The word behind `start` in the first line that begins with it."""
    return next(line for line in path.read_text().splitlines() if line.startswith(start)).removeprefix(start).split()[0]


namespaces = {}
packages = {}
for kind in kinds:
    namespaces[kind.module] = first(generated / "cpp" / kind.module / f"{kind.file}.hpp", "namespace ")
    packages[kind.module] = first(generated / "go" / kind.module / "support.go", "package ")
harness.write(generated / "c/harness.c", harness.c(kinds))
harness.write(generated / "cpp/harness.cpp", harness.cpp(kinds, namespaces))
harness.write(generated / "go/harness/main.go", harness.go(kinds, packages))
harness.write(generated / "typescript/harness.ts", harness.typescript(kinds))
harness.write(generated / "java-harness/Harness.java", harness.java(kinds))
harness.write(generated / "rust-harness/main.rs", harness.rust(kinds, sys.argv[3:], ["hostile"]))
harness.write(generated / "python-harness.py", harness.python(kinds))
harness.write(generated / "swift-harness.swift", harness.swift(kinds, sys.argv[3:]))
for server, text in harness.definitions(kinds, schemas).items():
    harness.write(generated / f"echo-tools/{server}.txt", text)
print(json.dumps({"types": len(kinds), "modules": modules}))
