"""The reference and the manual pages are made from the headers without a warning, and the examples in comments compile. Faults are planted,
which must be found."""

import re

import pytest
import support

INCLUDE = support.ROOT / "include"
EXPORTS = (INCLUDE / "mcp.exports").read_text().split()
# What the examples in comments use and do not declare.
DECLARED = """#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void reload_tools(void);
void reload(const char *json);
void app_add(void *app, const char *name, mcp_client_t *client);
void on_tool(void *user, mcp_message_t *request);
"""
VARIABLES = """void *app, void *document, mcp_client_t *client, mcp_server_t *server, mcp_queue_t *queue,
    mcp_message_t *message, mcp_message_t *request, mcp_message_t *reply, mcp_message_t *entry, mcp_message_t *skill, char *error,
    char *key, char *value, const char *json, const char *path, const char *body, const char *definition, const char *task_id,
    const char *stored_text_or_NULL, mcp_value_t parameters, mcp_value_t tool"""


def reference(headers, output):
    support.peer("doxygen")
    return support.run([support.places()["xtask"], "doc", headers, output], limit=900)


def test_doxygen_has_nothing_to_say_against_the_headers():
    reference(INCLUDE, support.emptied("doc/pages")).well()


@pytest.mark.parametrize(
    "file, old, new",
    [("mcp.h", " * timeout_ms: the", " * time_ms: the"), ("mcp.hpp", "    /** The kind of the message. */\n", "")],
    ids=["a_parameter_that_is_not_there", "a_function_without_a_comment"],
)
def test_a_planted_fault_is_found(file, old, new):
    folder = support.emptied(f"doc/planted-{file}")
    for header in ("mcp.h", "mcp.hpp"):
        text = (INCLUDE / header).read_text()
        assert header != file or old in text, f"plant another fault than {old}"
        (folder / header).write_text(text.replace(old, new, 1) if header == file else text)
    finished = reference(folder, folder / "pages")
    assert finished.code == 1 and f"/{file}:" in finished.stderr, finished.story()


@pytest.fixture(scope="module")
def manual():
    folder = support.emptied("doc/man3")
    support.run([support.places()["xtask"], "manual", folder]).well()
    return folder


def test_each_function_has_a_manual_page_with_an_example(manual):
    pages = {path.stem: path.read_text() for path in manual.iterdir()}
    assert not set(EXPORTS) - pages.keys(), "no page"
    bare = [name for name in EXPORTS if ".SH EXAMPLES" not in pages[name]]
    assert not bare, f"neither its comment nor a source in examples/c, examples/server or stores calls {bare}"


def test_groff_has_nothing_to_say_against_the_manual_pages(manual):
    words = [support.peer("groff"), "-man", "-Tutf8", "-ww", "-z"]
    planted = support.scratch("doc") / "planted.3"
    planted.write_text((manual / "mcp.3").read_text() + ".NONE\n")
    assert "NONE" in support.run([*words, planted]).well().stderr, "an unknown request is not found"
    assert support.run([*words, *sorted(manual.iterdir())]).well().stderr == ""


def test_the_examples_in_comments_of_the_header_compile():
    """Functions as they are, statements in the body of one."""
    folder, count = support.emptied("doc/examples"), 0
    for comment, declared in re.findall(r"/\*\*\n((?: \*.*\n)+) \*/\n(MCP_API[^;]*);", (INCLUDE / "mcp.h").read_text()):
        example = re.search(r"^ \* Example[^\n]*:\n(.*)", comment, re.M | re.S)
        if not example:
            continue
        count += 1
        parts, is_outside = {True: DECLARED, False: ""}, False
        for line in example[1].splitlines():
            line = line[2:].removeprefix(" ").removeprefix("    ")
            is_outside |= line.startswith("static ")
            parts[is_outside] += f"{line}\n"
            is_outside &= line != "}" and not (line.startswith("static ") and line.endswith(";"))
        name = re.search(r"(\w+)\(", declared)[1]
        path = folder / f"{name}.c"
        path.write_text(f"{parts[True]}void example({VARIABLES});\nvoid example({VARIABLES}) {{\n{{\n{parts[False]}}}\n}}\n")
    assert count >= 10, f"only {count} examples were found, which cannot be"
    allowed = [f"-Wno-unused-{it}" for it in ("parameter", "variable", "function")]
    support.run([support.peer("cc"), "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{INCLUDE}", "-fsyntax-only", *allowed,
                 *sorted(folder.iterdir())]).well()
