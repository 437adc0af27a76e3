"""The README's examples are what a newcomer copies: a client and a server, short, the files in `examples/c`, and they work as printed,
together. Those of docs/guide/serving.md work too, each by itself.

The step `readme` runs this: check.py LIBRARY-FOLDER EXAMPLE-SERVER WORK-FOLDER COMPILER
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from checks import WARNINGS, check, linked, read, run, wrong  # noqa: E402

LIBRARY, EXAMPLE_SERVER, WORK, CC = sys.argv[1:5]
MOST_LINES = 30
# A lookup by number reads the whole list, so that a loop of them over 20,000 tools takes a minute.
BY_NUMBER = re.compile(r'"/(tools|resources|resourceTemplates|prompts)/(%|" \+)')
SOURCES = ["README.md", "examples/c/*.c", "examples/cpp/*.cpp", "docs/guide/*.md", "bindings/*.md"]


def blocks(page):
    return re.findall(r"^```c\n(.*?\n)```", read(page), re.M | re.S)


def compiled(name, text):
    """The program, and what the compiler says if it fails."""
    source, program = Path(WORK) / f"{name}.c", Path(WORK) / name
    source.write_text(text)
    words = [CC, "-std=c11", *WARNINGS, "-I", ROOT / "include", "-O1", "-g", source, "-o", program, *linked(LIBRARY)]
    return program, wrong(words)


def works(client, server):
    """The client with the example server, and with the server that is printed beside it."""
    (client, failed), (server, also) = compiled("client", client), compiled("server", server)
    if failed or also:
        return failed + also
    said = [run([client, it]) for it in (EXAMPLE_SERVER, server)]
    is_well = all(it.returncode == 0 and it.stdout.strip() for it in said) and "Hello from C" in said[1].stdout
    return [] if is_well else [f"{it.returncode}: {it.stdout}{it.stderr}" for it in said]


def main():
    examples = blocks("README.md")
    check("README.md has a client and a server in C", [] if len(examples) == 2 else [f"it has {len(examples)} blocks of C"])
    if len(examples) != 2:
        return
    for text, file in zip(examples, ["examples/c/quickstart.c", "examples/c/tool_server.c"]):
        lines = text.count("\n")
        is_it = text.strip() in read(file) or lines <= MOST_LINES
        check(f"an example is {file} or has at most {MOST_LINES} lines", [] if is_it else [f"it has {lines} lines and is not that file"])
    slow = [str(path) for pattern in SOURCES for path in ROOT.glob(pattern) if BY_NUMBER.search(path.read_text())]
    # The README's program asks for all pages of the list, too.
    if "mcp_client_list_tools" not in examples[0]:
        slow.append("README.md's program reads one page of tools only: use mcp_client_list_tools")
    check("the examples read long lists in linear time", slow)
    planted = ['get("/tools/%d/name", i)', 'get("/prompts/" + std::to_string(i))', 'get("/tools/0/name")']
    check("planted: a lookup by number is found", [] if [bool(BY_NUMBER.search(it)) for it in planted] == [True, True, False] else planted)
    check("the examples compile and run as printed, together", works(*examples))
    guide = blocks("docs/guide/serving.md")
    check("docs/guide/serving.md has programs", [] if guide else ["it has no block of C"])
    for number, text in enumerate(guide, 1):
        program, failed = compiled(f"serving-{number}", text)
        failed = failed if "int main(void)" in text else ["it is no whole program, so that no test can run it"]
        check(f"program {number} of docs/guide/serving.md runs as printed", failed or wrong([program]))


main()
