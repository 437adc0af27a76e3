"""The documentation as one book: made without a warning, no link leads nowhere, and every block of code is read by what it is for: C is
compiled, JSON and Python parsed, shell and JavaScript read by their interpreters. Faults are planted first.

That the programs of the guides work, the step `readme` shows; those of the bindings are compiled or run in theirs.
"""

import ast
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

import pytest
import support

sys.path.insert(0, str(support.ROOT / "docs/book"))
import make_book as book  # noqa: E402

# What a block that is not a whole program takes for granted: its objects, and functions of the application.
PRELUDE = """#define _GNU_SOURCE
#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern mcp_client_t *client; extern mcp_server_t *server; extern mcp_queue_t *queue; extern mcp_message_t *message;
extern mcp_message_t *reply; extern uint64_t call, call_id, tag; extern char *error; extern const char *config;
void hand_to_a_thread(mcp_message_t *request); void finish(uint64_t tag, const char *json); void reload_tools(void);
"""
# The steps `go`, `java`, `lua` and `swift` have these compilers, and their examples; a diagram is drawn where it is shown.
READ_ELSEWHERE = {"csharp", "go", "ini", "java", "lua", "swift", "text", "mermaid", "toml", ""}


def made(name, reference=None, more=""):
    return book.make(support.peer("mdbook"), support.scratch("book") / name, reference, more)


def test_the_book_is_made_without_a_warning_and_every_link_in_it_leads_somewhere():
    support.peer("doxygen")
    reference = support.emptied("book/reference")
    support.run([support.places()["xtask"], "doc", support.ROOT / "include", reference], limit=900).well()
    assert not made("pages", reference / "html")


@pytest.mark.parametrize(
    "more, says",
    [("\n[gone](docs/reference/cli.md#no-such-place)\n", "#no-such-place"),
     ("\n<div>\n\n# A heading\n\n</span>\n", "mdBook is not content")],
    ids=["a_link_to_no_place_of_a_page", "a_tag_that_is_not_closed"],
)
def test_a_planted_fault_is_found(more, says):
    assert says in "\n".join(made("planted", more=more))


def c_program(text):
    """A whole program, or statements as the body of a function that has what the pages take for granted."""
    if "#include" in text or "int main(" in text:
        return text
    if re.search("^static .*{$", text, re.M):
        functions, _, rest = text.rpartition("\n}\n")
        return f"{PRELUDE}{functions}\n}}\nint block(void);\nint block(void) {{\n{rest}\nreturn 0;\n}}\n"
    return f"{PRELUDE}int block(void);\nint block(void) {{\n{{\n{text}\n}}\nreturn 0;\n}}\n"


def reads(language, text, file):
    """Has a block read by what it is for."""
    if language == "python":
        ast.parse(text)
    elif language == "xml":
        ElementTree.fromstring(f"<x>{text}</x>")
    elif language == "yaml":
        # Without a parser of YAML: tabs are what it does not permit.
        assert "\t" not in text
    elif language == "json":
        while text := text.strip():
            text = text[json.JSONDecoder().raw_decode(text)[1] :]
    elif language in ("c", "js", "sh"):
        words = {"c": [support.peer("cc"), "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-Wno-unused",
                       f"-I{support.ROOT / 'include'}", f"-I{support.ROOT / 'tests/c'}"],
                 "js": [support.peer("node"), "--check"], "sh": ["sh", "-n"]}[language]
        file = file.with_suffix(".mjs" if language == "js" else f".{language}")
        file.write_text(c_program(text) if language == "c" else text)
        support.run([*words, file]).well()
    else:
        assert language in READ_ELSEWHERE, f"nothing is known about the language {language}"


def faults(pages):
    found = []
    for name, text in pages.items():
        for block in re.finditer(r"^[ \t]*```[ \t]*([^\n]*?)[ \t]*\n(.*?)^[ \t]*```", text, re.M | re.S):
            try:
                reads(block[1], block[2], support.scratch("book") / "block")
            except (AssertionError, SyntaxError, ValueError) as why:
                found.append(f"{name}:{text.count(chr(10), 0, block.start()) + 1}: {block[1]}: {why}")
    return found


def test_the_blocks_of_code_in_its_pages_are_what_they_say():
    wrong = faults({path: book.read(path) for path in book.pages()})
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("block", ["c\nmcp_x();", "js\nlet (", "sh\nif", "json\n{", "python\ndef", "xml\n<a>", "yaml\n\ta: b", "none\nx"])
def test_a_block_that_does_not_read_is_found(block):
    assert len(faults({"page": f"```{block}\n```\n"})) == 1
