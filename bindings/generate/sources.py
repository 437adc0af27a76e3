"""What is read: the numbers and functions of `include/mcp.h`, the method table, and JSON."""

import json
import re
from pathlib import Path

from model import small_camel

ROOT = Path(__file__).resolve().parent.parent.parent
# The numbers that bindings have: how their names begin, and what they are called here. A name without any of these is a status.
GROUPS = {"KIND_": "kinds", "CLIENT_STATE_": "states", "ERROR_": "statuses", "LOG_": "levels", "TOPIC_": "topics", "JSON_": "json"}
# Numbers for `#if`, for mcp_features(), which the bindings do not pass on, and of structs that only C and C++ fill in; and no numbers.
LEFT_OUT = r"VERSION_|FEATURE_|CODE_|(TRANSPORT_VERSION|STORE_VERSION|API|MUST_USE|STORE_ANY)$|.*\("
# The types of functions that have a name.
FUNCTIONS = ["(*)", "mcp_handler_t", "mcp_config_opened_t"]


class Number(str):
    """A number of JSON, as it is written."""


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def read_json(path):
    """The members of objects come in the order of their names."""
    return json.loads(read(path), object_pairs_hook=lambda all: dict(sorted(all)), parse_int=Number, parse_float=Number)


def numbers(header):
    """The numbers in groups, and the version of the ABI."""
    found = {"abi": 0, **{group: [] for group in GROUPS.values()}}
    comment = []
    for line in header.split("\n"):
        if line == "/**":
            comment = []
        elif line.startswith(" * "):
            comment.append(line[3:])
        elif (define := re.match("#define MCP_([^ ]+) (.*)", line)) and not re.match(LEFT_OUT, define[1]):
            name, value = define.groups()
            if not re.fullmatch("-?[0-9]+", value):
                raise SystemExit(f"mcp.h: MCP_{name} is no number: {value}")
            if name == "ABI_VERSION":
                found["abi"] = int(value)
                continue
            prefix = next(filter(name.startswith, GROUPS), "")
            name = name.removeprefix(prefix)
            camel = "".join(word if word == "OK" else word.capitalize() for word in name.split("_"))
            seen = {"name": name, "value": int(value), "comment": " ".join(comment), "camel": camel, "lower": name.lower()}
            found[GROUPS.get(prefix, "statuses")].append(seen)
    for group in ("statuses", "kinds", "states"):
        if not found[group]:
            raise SystemExit(f"mcp.h defines no {group}; is its layout another?")
    values = [it["value"] for it in found["statuses"]]
    for it in found["statuses"]:
        # Numbers of a group that is not known here would count as statuses, whose numbers are taken.
        if values.count(it["value"]) > 1:
            raise SystemExit(f"mcp.h: MCP_{it['name']} is no status; add its group to {__file__}")
    return found


def functions(header):
    """The functions with the types of C, in the order of the header."""
    found = []
    for declared in re.findall(r"\nMCP_API([^;]*)\);", header):
        head, parameters = declared.split("(", 1)
        result, name = re.fullmatch(r"(.*[ *\n])(\w+)", head, re.S).groups()
        result = " ".join(word for word in result.split() if not word.startswith("MCP_"))
        # Between commas that stand in no bracket.
        parameters = [parameter(it) for it in re.split(r",(?![^(]*\))", parameters)]
        found.append({"name": name, "result": None if result == "void" else result, "parameters": list(filter(None, parameters))})
    if not found:
        raise SystemExit("mcp.h declares no function")
    return found


def parameter(text):
    """`const char *config_json`, `void (*destroy)(void *user)`; None for `void`."""
    text = " ".join(text.split())
    found = re.search(r"\(\*(?P<name>\w+)\)", text) or re.fullmatch(r"(?P<kind>.*[ *])(?P<name>\w+)", text)
    if not found:
        return None
    kind = found.groupdict().get("kind", "(*)").rstrip()
    return {"camel": small_camel(found["name"]), "kind": "function" if kind in FUNCTIONS else kind}


def declarations(header):
    """The header without comments, and without preprocessor lines but for the numbers, which cffi takes."""
    for unwanted in [
        r"(?ms)^[ \t]*/\*.*?\*/[ \t]*\n",
        r"(?ms)^[ \t]*#ifdef __cplusplus.*?^[ \t]*#endif.*?\n",
        r"(?m)^[ \t]*#(.*\\\n)+.*\n",
        r"(?m)^[ \t]*(?!#define MCP_\w+ -?[0-9]+$)#.*\n",
        r"(?m)^[ \t]*(MCP_API|MCP_MUST_USE)?\n",
        "MCP_API |MCP_MUST_USE ",
    ]:
        header = re.sub(unwanted, "", header)
    return header


def methods():
    """The method table: the names of constants and of methods, with their comments."""
    table = read("crates/core/src/protocol/method.rs").split("\nmethods! {\n")[-1].split("\n}\n")[0]
    found = re.findall(r'((?: *///.*\n)*) *([A-Z_]+) = "([^"]+)"', table)
    if not found:
        raise SystemExit("crates/core/src/protocol/method.rs has no table `methods! {`")
    docs = [" ".join(line.strip().removeprefix("/// ") for line in doc.splitlines()) for doc, _, _ in found]
    return [{"id": id, "name": name, "doc": doc, "is_notification": name.startswith("notifications/")}
            for (_, id, name), doc in zip(found, docs)]
