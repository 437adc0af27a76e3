"""What library files say of themselves: the text of `readelf` and `nm` is asked, not the flags that made them."""

import os
import re

import support

# What the shared library may need of a system: `ld-linux` is the loader itself, the C library `libc.so.6`, or `libc.so` of musl.
MAY_NEED = ("libc.so", "libgcc_s.so.1", "libm.so.6", "ld-linux")
# The table by which the frames of a panic are found: that of 32-bit ARM has a name of its own.
FRAMES = ("GNU_EH_FRAME", "EXIDX")


def exports():
    return set((support.ROOT / "include/mcp.exports").read_text().split())


def versioned_exports():
    """`mcp_call@@MCP_0.1` for each function: what the table of names says."""
    rows = (line.split() for line in (support.ROOT / "include/mcp.symbols").read_text().splitlines() if not line.startswith("#"))
    since = {row[0]: row[2] for row in rows}
    return {f"{name}@@MCP_{since[name]}" for name in exports()}


def same(found, wanted):
    assert wanted, "there is nothing to compare with"
    wrong = [f"{name} is missing" for name in sorted(wanted - found)] + [f"{name} should not be there" for name in sorted(found - wanted)]
    assert not wrong, "\n".join([*wrong[:20], "`cargo xtask header` writes include/mcp.exports again"])


def shown(symbols):
    """The names that other objects see, of what `readelf -sW` prints: `Num: Value Size Type Bind Vis Ndx Name`."""
    rows = (line.split() for line in symbols.splitlines())
    return {
        row[7] for row in rows
        if len(row) >= 8 and row[4] in ("GLOBAL", "WEAK") and row[5] != "HIDDEN" and row[6] not in ("UND", "ABS")
    }


def needed(dynamic):
    """The libraries of what `readelf -dW` prints."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)


def wrong_looks(dynamic, segments, soname):
    """What is wrong with a shared library, by what `readelf` prints of its dynamic section (-dW) and its segments (-lW)."""
    stack = [line for line in segments.splitlines() if "GNU_STACK" in line]
    foreign = [library for library in needed(dynamic) if not library.startswith(MAY_NEED)]
    looks = {
        f"its SONAME is {soname}": f"soname: [{soname}]" in dynamic,
        "dlclose leaves it in place": "NODELETE" in dynamic,
        "its relocations are done at the start": "NOW" in dynamic,
        "and are read-only from then on": "GNU_RELRO" in segments,
        "the frames of a panic are found by a table": any(name in segments for name in FRAMES),
        "its stack cannot be executed": bool(stack) and "RWE" not in stack[0],
        "no segment can be written and executed": not any("LOAD" in line and "RWE" in line for line in segments.splitlines()),
        "its code is not relocated": "TEXTREL" not in dynamic,
        "it looks for nothing in folders of its own": "RPATH" not in dynamic and "RUNPATH" not in dynamic,
        f"it needs nothing but the C library {foreign}": not foreign,
    }
    return [name for name, is_so in looks.items() if not is_so]


def names_no_folder(file):
    """It is the same wherever it is made."""
    content = file.read_bytes()
    for folder in {str(support.ROOT), os.environ.get("HOME", "")} - {"", "/"}:
        at = content.find(f"{folder}/".encode())
        assert at < 0, f"{file} names a folder of this machine: {content[at:at + 160]}"


def package_version():
    return re.search(r'^version = "(.*)"', (support.ROOT / "Cargo.toml").read_text(), re.M)[1]


def soname():
    """As programs ask for it, and the name of the file itself."""
    number = re.search(r"^soname = (\d+)", (support.ROOT / "Cargo.toml").read_text(), re.M)[1]
    return f"libmcp.so.{number}", f"libmcp.so.{number}.{package_version().split('.', 1)[1]}"
