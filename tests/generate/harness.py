"""Programs that read lines "NUMBER JSON", decode each value as the type of that number, and write what the type encodes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple


class Kind(NamedTuple):
    """A type of generated code: the arguments or the result of a tool."""

    module: str
    #: "arguments" or "result".
    which: str
    #: The entry of the tool in the manifest of each language.
    tools: dict[str, Any]

    @property
    def tool(self) -> str:
        """The name of the tool."""
        return str(self.tools["python"]["name"])

    @property
    def file(self) -> str:
        return str(self.tools["python"]["file"])

    @property
    def names(self) -> dict[str, str]:
        """Its name in each language."""
        return {language: tool[self.which] for language, tool in self.tools.items()}


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


def java(kinds: list[Kind]) -> str:
    """The readers of types are for the functions of their package; what a program has is the constructor, so they are found by name."""
    rows = []
    for kind in kinds:
        entry = kind.tools["java"]
        rows.append(f'            "{kind.module}.{entry["file"]}${entry[kind.which]}",')
    table = "\n".join(rows)
    return f"""import io.libmcp.JsonValue;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;

public class Harness {{
    private static final List<String> KINDS = List.of(kinds());

    private static String[] kinds() {{
        return new String[] {{
{table}
        }};
    }}

    private static String through(String name, String text) throws ReflectiveOperationException {{
        Class<?> type = Class.forName(name);
        Method of = type.getDeclaredMethod("of", JsonValue.class);
        Method json = type.getMethod("json");
        of.setAccessible(true);
        json.setAccessible(true);
        try {{
            return json.invoke(of.invoke(null, JsonValue.parse(text))).toString();
        }} catch (InvocationTargetException why) {{
            return "! " + String.valueOf(why.getCause()).replace('\\n', ' ');
        }}
    }}

    public static void main(String[] words) throws Exception {{
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {{
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {{
                int space = line.indexOf(' ');
                out.println(through(KINDS.get(Integer.parseInt(line.substring(0, space))), line.substring(space + 1)));
            }}
        }}
        out.flush();
    }}
}}
"""


def rust(kinds: list[Kind], wanted: list[str], checked: list[str]) -> str:
    """Only the types of some modules; others are compiled beside them. Each type is much code, by the traits of `serde`."""
    chosen = [(number, kind) for number, kind in enumerate(kinds) if kind.module in wanted]
    modules = sorted({kind.module for _, kind in chosen} | set(checked))
    named = "\n".join(f'#[path = "../rust/{name}/mod.rs"]\nmod {name};' for name in modules)
    rows = "\n".join(f'        {number} => kind::<{kind.module}::{kind.names["rust"]}>(text),' for number, kind in chosen)
    return f"""{named}

use std::io::BufRead as _;

fn kind<T: serde::Serialize + serde::de::DeserializeOwned>(text: &str) -> Result<String, serde_json::Error> {{
    let value: T = {modules[0]}::support::read(serde_json::from_str(text)?)?;
    serde_json::to_string(&value)
}}

fn through(number: u32, text: &str) -> Result<String, serde_json::Error> {{
    match number {{
{rows}
        _ => panic!("there is no type {{number}}"),
    }}
}}

fn main() {{
    for line in std::io::stdin().lock().lines() {{
        let line = line.expect("a line");
        let (number, text) = line.split_once(' ').expect("a number and a value");
        match through(number.parse().expect("a number"), text) {{
            Ok(made) => println!("{{made}}"),
            Err(error) => println!("! {{error}}"),
        }}
    }}
}}
"""


def swift(kinds: list[Kind], wanted: list[str]) -> str:
    """Only the types of some modules. Each is a module of Swift, whose name is that of the folder behind `made_`."""
    chosen = [(number, kind) for number, kind in enumerate(kinds) if kind.module in wanted]
    imports = "\n".join(f"import made_{module}" for module in sorted({kind.module for _, kind in chosen}))
    table = "\n".join(f"    {number}: kind(made_{kind.module}.{kind.names['swift']}.self)," for number, kind in chosen)
    return f"""import Foundation
import MCP
{imports}

/// What a generated function does with its arguments and its result: a value of the type, JSON of the binding, and the way back.
func kind<Value: Codable & Hashable & Sendable>(_ type: Value.Type) -> (Data) throws -> Data {{
    {{ text in
        let value = try JSONDecoder().decode(JSONValue.self, from: text).decode(type)
        let json = try JSONValue(encoding: value)
        guard try json.decode(type) == value else {{ throw Differs() }}
        return try JSONEncoder().encode(json)
    }}
}}

struct Differs: Error {{}}

let kinds: [Int: (Data) throws -> Data] = [
{table}
]

while let line = readLine() {{
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let number = Int(parts[0]), let kind = kinds[number] else {{ fatalError("no type for \\(line.prefix(100))") }}
    do {{
        print(String(decoding: try kind(Data(parts[1].utf8)), as: UTF8.self))
    }} catch {{
        print("! \\(error)".replacingOccurrences(of: "\\n", with: " "))
    }}
}}
"""


def typescript(kinds: list[Kind]) -> str:
    """Types of TypeScript are gone when the program runs, so each value goes through the function of its tool, to a server (`echo.cpp`) and
    back: as the arguments of a call, or as its result."""
    files = sorted({(kind.module, kind.file) for kind in kinds})
    imports = "\n".join(f"import * as t{at} from './{module}/{file}.js';" for at, (module, file) in enumerate(files))
    at = {file: number for number, file in enumerate(files)}
    rows = []
    for kind in kinds:
        tool = kind.tools["typescript"]
        name = f"t{at[kind.module, kind.file]}"
        function = f"{name}.{tool['function']}"
        has_arguments = tool["arguments"] is not None
        if kind.which == "arguments":
            call = f"async (client, value) => content({name}.tool, await {function}(client, value as {name}.{tool['arguments']}))"
            if tool["unwrapped"]:
                call = call.replace("=> content", f"=> ({{ {tool['unwrapped']}: content", 1) + " })"
        else:
            given = f"{{}} as {name}.{tool['arguments']}, " if has_arguments else ""
            call = f"(client, value): Promise<{name}.{tool['result']}> => {function}(client, {given}{{ meta: {{ value }} }})"
            if tool["unwrapped"]:
                inner = f"await {function}(client, {given}{{ meta: {{ value }} }})"
                call = f"async (client, value): Promise<{name}.{tool['result']}> => ({{ {tool['unwrapped']}: {inner} }})"
        rows.append(f"  {{ server: '{kind.module}-{kind.which}', call: {call} }},")
    table = "\n".join(rows)
    return f"""import {{ once }} from 'node:events';
import {{ createInterface }} from 'node:readline';
import {{ Client, type ToolResult }} from 'libmcp';
{imports}

interface Kind {{
  server: string;
  call: (client: Client, value: any) => Promise<unknown>;
}}

const kinds: Kind[] = [
{table}
];

/** Without a type for its result a function gives all of it. */
function content(tool: {{ result: string }}, given: unknown): unknown {{
  return tool.result === 'content' ? (given as ToolResult).structuredContent : given;
}}

async function main(): Promise<void> {{
  const [, , echo, folder] = process.argv;
  const clients = new Map<string, Client>();
  for await (const line of createInterface({{ input: process.stdin, crlfDelay: Infinity }})) {{
    const space = line.indexOf(' ');
    const {{ server, call }} = kinds[Number(line.slice(0, space))]!;
    let client = clients.get(server);
    if (client === undefined) {{
      client = new Client({{ command: echo!, args: [`${{folder}}/${{server}}.txt`] }});
      clients.set(server, client);
    }}
    let out: string;
    try {{
      out = JSON.stringify(await call(client, JSON.parse(line.slice(space))));
    }} catch (error) {{
      out = `! ${{(error as Error).message}}`.replaceAll('\\n', ' ');
    }}
    if (!process.stdout.write(`${{out}}\\n`)) await once(process.stdout, 'drain');
  }}
  for (const client of clients.values()) await client.close();
}}

void main();
"""


def python(kinds: list[Kind]) -> str:
    """As for TypeScript. The modules are those of the package `python`: one of the recorded servers is called `time`, which is a module of
    Python itself."""
    rows = []
    for kind in kinds:
        tool = kind.tools["python"]
        rows.append((kind.module, kind.file, tool["function"], kind.which, tool["parameters"]))
    table = "\n".join(f"    {row!r}," for row in rows)
    return f"""import importlib
import json
import sys

from libmcp import Client

KINDS = [
{table}
]


def main() -> None:
    echo, folder = sys.argv[1:]
    clients = {{}}
    for line in sys.stdin:
        number, text = line.split(" ", 1)
        module, file, function, which, parameters = KINDS[int(number)]
        server = f"{{module}}-{{which}}"
        if server not in clients:
            clients[server] = Client({{"command": echo, "args": [f"{{folder}}/{{server}}.txt"]}})
        made_of = importlib.import_module(f"python.{{module}}.{{file}}")
        call = getattr(made_of, function)
        value = json.loads(text)
        try:
            if which == "result":
                # The arguments are not what is looked at here.
                made = made_of._support.invoke(clients[server], made_of.tool, {{}}, {{"meta": {{"value": value}}}})
            elif parameters is None:
                made = call(clients[server], value)
            else:
                made = call(clients[server], **{{parameters.get(name, name): member for name, member in value.items()}})
            made = made["structuredContent"] if made_of.tool.result == "content" else made
            made = {{made_of.tool.member: made}} if made_of.tool.member else made
            print(json.dumps(made))
        except Exception as error:
            print("!", str(error).replace("\\n", " "))
    for client in clients.values():
        client.close()


main()
"""


def definitions(kinds: list[Kind], schemas: list[Any]) -> dict[str, str]:
    """The tools of each server of `echo.cpp`, by its name."""
    files: dict[str, str] = {}
    for kind, schema in zip(kinds, schemas, strict=True):
        tool = {"name": kind.tool}
        tool |= {"inputSchema": schema} if kind.which == "arguments" else {"inputSchema": {"type": "object"}, "outputSchema": schema}
        server = f"{kind.module}-{kind.which}"
        files[server] = files.get(server, "") + json.dumps(tool) + "\n"
    return files


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
