#!/usr/bin/env python3
"""The snapshot of the ABI in `docs/abi`, and whether a header is still compatible with it. As a program this takes the snapshot.

libabigail reads an ABI from a library's debug information. The library's own is Rust's and changes with each compiler, so it is given one in C
that has every function of `mcp.h`, with the same SONAME and versions. That the real library has them too, the step `dist` shows; that the header
is what `src/ffi` says, the step `header`.
"""

import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HEADER, SNAPSHOT = ROOT / "include/mcp.h", ROOT / "docs/abi/libmcp.abi"


def run(*words, may=(0,)):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120)
    assert done.returncode in may, f"{words[0]} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return done


def without_comments(header):
    """What a compiler sees."""
    lines = (line.rstrip() for line in re.sub(r"/\*.*?\*/", "", header, flags=re.S).splitlines())
    return "\n".join(line for line in lines if line) + "\n"


def functions(header):
    """Every function that the header declares, without the semicolon. The header is generated, so it has one form."""
    text = re.sub(r"^#(.*\\\n)*.*\n", "", without_comments(header), flags=re.M)
    # Members of a structure may be pointers to functions.
    text = re.sub(r"^(typedef )?(struct|enum|union)[^;{]*\{[^}]*\}[^;]*;", "", text, flags=re.M)
    text = text.replace('extern "C" {', "").replace("MCP_API", "").replace("MCP_MUST_USE", "")
    found = (" ".join(part.split()) for part in text.split(";"))
    return [part for part in found if "(" in part and not part.startswith("typedef")]


def library(header, folder):
    """A library with every function of the header, without what they do."""
    folder = Path(folder)
    (folder / "mcp.h").write_text(header)
    stubs = "".join(f"{function} {{ __builtin_trap(); }}\n" for function in functions(header))
    (folder / "stub.c").write_text(f"#include <mcp.h>\n{stubs}")
    rows = [line.split() for line in (ROOT / "include/mcp.symbols").read_text().splitlines() if not line.startswith("#")]
    text, before = "", ""
    for since in sorted({row[2] for row in rows if row[1] == "function"}, key=lambda version: [int(part) for part in version.split(".")]):
        names = "".join(f"    {row[0]};\n" for row in rows if row[1:3] == ["function", since])
        # One node has to say that nothing else is exported.
        text += f"MCP_{since} {{\n  global:\n{names}" + (f"}} MCP_{before};\n" if before else "  local:\n    *;\n};\n")
        before = since
    (folder / "versions.map").write_text(text)
    soname = "libmcp.so." + re.search(r"^soname = (\d+)", (ROOT / "Cargo.toml").read_text(), re.M)[1]
    run("gcc", "-g", "-O0", "-shared", "-fPIC", "-I", folder, folder / "stub.c", "-o", folder / soname, f"-Wl,-soname,{soname}",
        f"-Wl,--version-script={folder}/versions.map")
    return folder / soname


def breaks(header, folder):
    """What abidiff says where a program that was built with the snapshot's library may break with one that has this header."""
    # Additions are fine. The snapshot was taken on one kind of machine and holds for all. Bits of the exit status: 1 and 2 say that abidiff
    # itself failed, 4 that something changed, 8 that it breaks.
    done = run("abidiff", "--no-added-syms", "--no-architecture", SNAPSHOT, library(header, folder), may=(0, 4, 8, 12))
    return done.stdout if done.returncode else ""


def main():
    with tempfile.TemporaryDirectory() as folder:
        header = HEADER.read_text()
        # Without the folders and lines of the moment; abidw names the source by its whole path.
        run("abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--out-file", SNAPSHOT, library(header, folder))
        SNAPSHOT.write_text(SNAPSHOT.read_text().replace(f"{folder}/", ""))
    version = re.search(r'^version = "(\d+\.\d+)', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    # The header of the release and the programs that were compiled with it. Folders of earlier releases stay as they are.
    kept = ROOT / "tests/abi" / version / "mcp.h"
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(without_comments(header))
    print(f"wrote {SNAPSHOT} and {kept}")


if __name__ == "__main__":
    main()
