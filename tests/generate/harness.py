"""Programs that read lines "NUMBER JSON", decode each value as the type of that number, and write what the type encodes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Kind(NamedTuple):
    """A type of generated code: the arguments or the result of a tool."""

    module: str
    file: str
    #: Its name in each language.
    names: dict[str, str]


def c(kinds: list[Kind]) -> str:
    files = sorted({f"{kind.module}/{kind.file}.h" for kind in kinds})
    out = ["#define _GNU_SOURCE", "#include <stdio.h>", *(f'#include "{file}"' for file in files)]
    for number, kind in enumerate(kinds):
        name = kind.names["c"]
        prefix = name.removesuffix("_t")
        out.append(
            f"static int kind{number}(mcp_value_t from, mcp_builder_t *to, const char **place) {{ {name} value; {prefix}_init(&value);\n"
            f"    mcp_status_t status = {prefix}_decode(from, &value, place);\n"
            f"    if (status == MCP_OK) {prefix}_encode(to, &value);\n    {prefix}_free(&value); return status; }}"
        )
    table = ", ".join(f"kind{number}" for number in range(len(kinds)))
    out.append(f"static int (*const kinds[])(mcp_value_t, mcp_builder_t *, const char **) = {{ {table} }};")
    out.append(
        r"""int main(void) {
    char *line = NULL; size_t size = 0; ssize_t length;
    while ((length = getline(&line, &size, stdin)) > 0) {
        char *text; const char *place = NULL, *json = NULL; mcp_document_t *document = NULL;
        unsigned long number = strtoul(line, &text, 10);
        if (mcp_document_new(text, (size_t)(length - (text - line)), &document, NULL) != MCP_OK) return 2;
        mcp_builder_t *builder = mcp_builder_new();
        int status = kinds[number](mcp_document_value(document), builder, &place);
        char *error = NULL;
        if (status != MCP_OK) printf("! not decoded, at %s\n", place ? place : "the top");
        else if (mcp_builder_finish(builder, &json, NULL, &error) != MCP_OK) printf("! not encoded: %s\n", error ? error : "");
        else puts(json);
        mcp_string_free(error); mcp_builder_free(builder); mcp_document_free(document);
    }
    free(line);
    return 0;
}
"""
    )
    return "\n".join(out)


def cpp(kinds: list[Kind], namespaces: dict[str, str]) -> str:
    files = sorted({f"{kind.module}/{kind.file}.hpp" for kind in kinds})
    out = ["#include <iostream>", *(f'#include "{file}"' for file in files)]
    out.append(
        "template <class T> static bool kind(mcp::value from, mcp::builder &to, mcp_generated::place &at) {\n"
        "    T value{};\n    if (!mcp_generated::read(from, value, at)) return false;\n"
        "    const T copy = value;\n    return mcp_generated::write(to, copy), true;\n}"
    )
    table = ", ".join(f"kind<{namespaces[kind.module]}::{kind.names['cpp']}>" for kind in kinds)
    out.append(f"static bool (*const kinds[])(mcp::value, mcp::builder &, mcp_generated::place &) = {{ {table} }};")
    out.append(
        r"""int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        const std::size_t space = line.find(' ');
        auto document = mcp::document::parse(std::string_view(line).substr(space));
        if (!document) return 2;
        mcp::builder builder;
        mcp_generated::place at;
        if (!kinds[std::stoul(line)](document->value(), builder, at)) {
            std::cout << "! not decoded, at " << (at.name ? at.name : "the top") << '\n';
            continue;
        }
        const auto text = builder.finish();
        std::cout << (text ? std::string(*text) : "! not encoded: " + text.error().message()) << '\n';
    }
}
"""
    )
    return "\n".join(out)


def go(kinds: list[Kind], packages: dict[str, str]) -> str:
    modules = sorted({kind.module for kind in kinds})
    imports = "\n".join(f'\t{packages[module]} "generated/{module}"' for module in modules)
    table = "\n".join(f"\tkind[{packages[kind.module]}.{kind.names['go']}]," for kind in kinds)
    return f"""package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

{imports}
)

func kind[T any](text string) (string, error) {{
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {{
		return "", err
	}}
	out, err := json.Marshal(value)
	return string(out), err
}}

var kinds = []func(string) (string, error){{
{table}
}}

func main() {{
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {{
		number, text, _ := strings.Cut(lines.Text(), " ")
		at, err := strconv.Atoi(number)
		if err != nil {{
			panic(err)
		}}
		made, err := kinds[at](text)
		if err != nil {{
			made = "! " + strings.ReplaceAll(err.Error(), "\\n", " ")
		}}
		fmt.Fprintln(out, made)
	}}
}}
"""


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
