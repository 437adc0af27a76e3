"""What the pages say of the project itself is true: a test that they name exists, every link leads to a file, every demand has an answer.
Pages and headers are written in the words that CONTRIBUTING.md allows. The headers fit their pages. Workflow files and versions are right.

The step `pages` runs this with the standard library alone, and counts its lines. MCP_RUMDL and MCP_ACTIONLINT name two linters; where one
is not set, what it checks is left out. Faults are planted for each rule: what finds nothing wrong must be able to.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "docs/book"), str(ROOT / "tests")]

import rules  # noqa: E402
from checks import check, wrong  # noqa: E402
from make_book import KEY_PAGES, KEYS, REQUIREMENTS, TABLES, in_markdown, page, read, with_keys  # noqa: E402

# The headers, which have the same readers as the pages.
HEADERS = ["include/mcp.h", "include/mcp.hpp"]
# What tools have made or installed. Of hidden folders, `.github` alone has pages: the templates of the service that hosts the project.
MADE = {"target", "node_modules", "artifacts", "build", "__pycache__"}
# Where names of tests are looked for, and words.
SOURCES = {".rs", ".c", ".go", ".java", ".lua", ".py", ".swift", ".cs"}
WORDS = SOURCES | {".cc", ".h", ".cpp", ".js", ".mjs", ".ts"}
# The files that name the words.
LISTS = ["tests/pages/rules.py", "tests/pages/check.py"]
# How long the page of a binding may be.
MOST_LINES = 120
# The files with a version of their own, and what stands before it. `cargo xtask` and CMake read that of `Cargo.toml`.
VERSIONS = {
    "bindings/java/pom.xml": "<artifactId>libmcp</artifactId>\n  <version>",
    "bindings/java/opentelemetry/pom.xml": "<artifactId>libmcp-opentelemetry</artifactId>\n  <version>",
    "bindings/java/servlet/pom.xml": "<artifactId>libmcp-servlet</artifactId>\n  <version>",
    "bindings/java/spring-boot/pom.xml": "<artifactId>libmcp-spring-boot-starter</artifactId>\n  <version>",
    "bindings/node/package.json": '"version": "',
    "bindings/node/package-lock.json": '"version": "',
    "bindings/python/pyproject.toml": '\nversion = "',
    "bindings/csharp/libmcp.csproj": "<Version>",
    "packaging/vcpkg/vcpkg.json": '"version": "',
    "Cargo.lock": 'name = "mcp"\nversion = "',
}
# A page with four links that lead nowhere, and what the linter says of them; a workflow that needs a job that is not there.
LINKS = """# One thing: `a`

## Same

## Same

[1](gone.md) [2](../../README.md) [3](#no-heading) [4](../README.md#one)
[5](../README.md#read-me) [6](#one-thing-a) [7](#same-1) [8](../)
"""
DEAD = ["link 'gone.md' does not exist", "link '../../README.md' does not exist", "anchor '#no-heading' does not exist",
        "fragment 'one' not found", "Found 4 issues"]
WORKFLOW = "on: push\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    needs: [gone]\n    steps:\n      - run: cargo xtask test\n"
RUMDL = ["check", "--no-config", "--no-cache", "--enable", "MD051,MD057"]
ACTIONLINT = ["-no-color", "-shellcheck=", "-pyflakes="]


def said(program, *words, text=None):
    """What a linter says if it finds something."""
    return wrong([program, *words], input=text)


def found(path):
    """All files below a folder but what tools have made."""
    for entry in sorted(path.iterdir()):
        if entry.name in MADE or entry.name.startswith(".") and entry.name != ".github":
            continue
        yield entry
        if entry.is_dir() and not entry.is_symlink():
            yield from found(entry)


def fits(text, before, version):
    """The first version of a file is that of the library."""
    has = re.split('["<]', text.partition(before)[2])[0] or "none"
    return [] if has == version else [f"it has version {has}, and Cargo.toml {version}"]


def longer(page):
    """The comparison programs that are longer than the same on the official SDKs, and those of which the table says something else."""
    rows = re.findall(r"^\| ([^|]*) \| `([^|]*)` \| (\d+) \| `([^|]*)` \| (\d+) \|$", page, re.M)
    faults = [] if rows else ["there is no table of programs"]
    for name, ours, our_lines, theirs, their_lines in rows:
        counts = [rules.code_lines(read(it), it.endswith(".py")) for it in (ours, f"tests/counterparts/{theirs}")]
        if counts != [int(our_lines), int(their_lines)]:
            faults.append(f"{name}: the table says {our_lines} and {their_lines}, but they have {counts[0]} and {counts[1]}")
        if counts[0] > counts[1]:
            faults.append(f"{name}: ours has {counts[0]} lines, theirs {counts[1]}")
    return faults


def planted():
    """Each rule with what breaks it and what does not, and what it says."""
    files = {
        "src/json": "", "src/json/mod.rs": "#[test]\nfn text_is_text() {}\n    fn a_short_name_here<T>(x: T) {}",
        "tests/c/p07_a_frame_is_refused.c": "static void a_frame_is_taken_whole(char **argv) {", "tests/cpp/it_works_in_cpp.cpp": "",
        "bindings/go/a_test.go": "func TestItWorks(t *testing.T) {}\n", "src/keys.rs": 'const KEY: &str = "a_key_of_four";',
        "bindings/python/tests/a.py": "    def test_that_it_works(self):\n",
    }
    missing = rules.Tree(files).missing
    gone = ["src/xml", "src/json/mod.rs::text_is_no_text", "src/xml/mod.rs::text_is_text", "a_name_that_none_has", "p08_…",
            "tests/c/nothing.c", "TestItFails", "testItWorks"]
    there = ["src/json", "src/json/", "src/json/mod.rs::text_is_text", "a_short_name_here", "p07_a_frame_is_refused",
             "a_frame_is_taken_whole", "p07_…", "it_works_in_cpp", "tests/c/p07_a_frame_is_refused.c", "TestItWorks",
             "test_that_it_works", "a_key_of_four", "Testing", "timeout_ms", "limits.frame_bytes", "tools/list", "mcp_queue_on_ready_now",
             "tests/c/NAME.c", "src/**", "stderr_line_bytes", "server/discover", "Option::map"]
    symbols, keys = {"mcp_queue_new", "MCP_ERROR_CLOSED"}, {"limits.pages", "auth.a.b", "url"}
    api = "`mcp_queue_new()`, mcp_queue_*, MCP_ERROR_CLOSED, mcp_static, mcp_queue_, `mcp_queue_make`\nMCP_ERROR_OVER"
    events = "`auth.failed`\n\n## Events for the logger\n\n| `auth.failed` |\n"
    paths = "`limits.pages`, `auth.a`, `limits.rs`, `details.sent`, `limits.frames` and limits.x\n```\n`limits.y`\n```\n"
    commands = ("```sh\nmcp call a --json | jq --raw; mcp list --into x -- server --verbose\n$ mcp diff --jsn\n```\n`mcp tools --al`")
    demands = "| id | asks | test |\n|---|---|---|\n| A-01 | x | `t` |\n| A-02 | y | |\n| A-04 | z | not yet |\n| S-LC-20 | z | no |\n"
    words = "One.\nWhoever waits,\nreads anew, from\n * what is\n/// none. newsletter. There is none: `x` none, renews_anew. x is None\n"
    quoted = "the event `tools.listed_anew`, not `whoever`\n```c\nnews = 1;\n```\n"
    header = "int mcp_client_x(mcp_client_t *client,\n    int y);\nint mcp_queue_x(mcp_client_t *client);\n"
    header += "int mcp_client_new(const char *config);\n"
    calls = "/* mcp_a(),\n * mcp_b() */ return mcp_c(); // mcp_d()\nmcp_e_start(x);"
    keys_of = {"call": [{"key": "a_b", "description": "x", "type": "string"}, {"key": "l.a", "minimum": 1, "maximum": 5, "default": 2},
                        {"key": "l.b", "enum": ["u", "v"], "default": "u"}, {"key": "l", "type": "object", "default": {}}, {"key": "d"}],
               "feature_call": [{"key": "c", "type": "boolean", "default": False}]}
    lists = "<!-- keys: call -->\nKeys: `a_b`, `l.*`,\n`e`.\n\n<!-- keys: call -->\nKeys: `l.b`.\n"
    tables = ("| key | type | default | meaning |\n|---|---|---|---|\n| `a_b` | string | absent | x |\n| `l.a` | 1 to 5 | 2 |  |\n"
              "| `e` |  | absent |  |\n\n| key | type | default | meaning |\n|---|---|---|---|\n| `l.b` | `\"u\"`, `\"v\"` | `\"u\"` |  |\n")
    data = ('title = "Faults"\n\n[[section]]\ntitle = "A"\ntext = "All."\n\n[[section.fault]]\nid = "A-01"\nwhen = "it says \\"no\\""\n'
            'tests = ["one"]\n\n[[section.fault]]\nid = "A-02"\nwhen = "x = y"\ntests = [\n    "one",\n    "two",\n]\nnote = "And more"\n\n'
            '[[section]]\ntitle = "B"\n\n[[section.bound]]\nwhat = "a"\n')
    shown = ("# Faults\n\n## A\n\nAll.\n\n| id | when | shown by |\n|---|---|---|\n| A-01 | it says \"no\" | `one` |\n"
             "| A-02 | x = y | `one`, `two`. And more |\n\n## B\n\n| what | shown by |\n|---|---|\n| a |  |\n")
    report = 'title = "A"\n\n[[report]]\nsource = "a/b#1"\nkin = true\nsays = "B."\nthen = "C."\nhas = ["d"]\n'
    reported = "# A\n\n| report | what was seen | how it ends here |\n|---|---|---|\n| like a/b#1 | B. | C. |\n"
    for name, says, wanted in [
        ("a table that becomes a page", in_markdown(data), shown),
        ("reports that become a page", in_markdown(report), reported),
        ("a name that is not there", missing(" ".join(f"`{it}`" for it in gone)), [f"{it} is missing" for it in gone]),
        ("names that are there, and what is none",
         missing(" ".join(f"`{it}`" for it in there) + "\n```\n`a_name_that_none_has`\n```\n"), []),
        ("a name of the API", rules.unknown_symbols(api, symbols),
         ["MCP_ERROR_OVER is not in include/mcp.h", "mcp_queue_make is not in include/mcp.h"]),
        ("a key", rules.unknown_keys(paths, keys) + rules.unknown_keys(events, keys), ["no configuration has the key limits.frames"]),
        ("an option", rules.unknown_options(commands, "| `--into FILE` | and `--json` |"),
         [f"the program mcp has no option {it}" for it in ("--al", "--jsn")]),
        ("a demand without an answer", rules.unanswered(demands) + rules.unanswered("x"),
         ["A-02 has neither a test nor a reason", "A-04 comes after A-02", "there is no demand at all"]),
        ("a forbidden word", [it.split(";")[0] for it in rules.forbidden("a.rs", words) + rules.forbidden("a.md", quoted)],
         ['a.rs:2 has "whoever"', 'a.rs:3 has "anew"', 'a.rs:4 has "is none"']),
        ("a program", rules.programs("# all\nrun a\nnot b: why\nnot unit c: it\n", {"a", "d"}, True), ["b is no program", "d has no line"]),
        ("lines of code", [rules.code_lines("// a\n\n/* b\n c */\nd() // e\n/** f */\n\tg()\n", False),
                           rules.code_lines('"""a\n\nb"""\n# c\nd = 1  # e\n\ndef f():\n    """g"""\n    h()\n', True)], [2, 3]),
        ("a package of another version",
         fits('\nversion = "0.1.0"\n', '\nversion = "', "0.2.0") + fits("<v>1<", "<v>", "1") + fits("", "x", "1"),
         ["it has version 0.1.0, and Cargo.toml 0.2.0", "it has version none, and Cargo.toml 1"]),
        ("a name with another object", rules.misnamed(header, {"mcp_client_x", "mcp_client_new", "mcp_queue_x", "mcp_client_gone"}),
         ["mcp_client_gone is exported and not declared in include/mcp.h",
          "mcp_queue_x begins with 'mcp_client_t *client', and its name with another object"]),
        ("a function that comments alone name", rules.uncalled(calls, {f"mcp_{it}" for it in "abcde"}),
         [f"nothing calls mcp_{it}" for it in "abde"]),
        ("a line that is too long", rules.long_lines("a", "x" * 100 + "\n" + "é" * 101), ["a:2 has 101 columns; 100 are allowed"]),
        ("lists of keys that become tables", with_keys(lists, keys_of), tables),
        ("a key that no page lists", rules.unlisted(lists + "<!-- keys: call -->\nKeys: `l.b`.\n", keys_of),
         ["call has no key e, which a page lists", "call.d is in 0 lists", "call.l.b is in 2 lists", "feature_call.c is in 0 lists"]),
        ("an option of a call", rules.other_options({"call": [{"key": "a_b"}], "feature_call": [{"key": "c"}]}, '\nclass options {\n f("a_b", "d_e");\n};\n'),
         ["mcp::options of mcp.hpp does not write c", "mcp::options of mcp.hpp alone writes d_e"]),
    ]:
        check(f"planted: {name}", [] if says == wanted else [f"it says {says}", f"and not {wanted}"])


def links(rumdl, pages):
    # A table is a page for its readers, and has no file.
    faults = said(rumdl, *RUMDL, *(it for it in pages if it not in TABLES))
    for table in TABLES:
        faults += said(rumdl, *RUMDL, "--stdin-filename", str(Path(table).with_suffix(".md")), "-", text=pages[table])
    check("every link of a page leads somewhere", faults)
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder) / "docs/one.md", Path(folder) / "README.md"
        one.parent.mkdir()
        one.write_text(LINKS)
        other.write_text("# Read me\n")
        told = "".join(said(rumdl, *RUMDL, one, other))
    check("each link that leads nowhere is found, and no other", [] if all(it in told for it in DEAD) else [told])


def workflows(actionlint):
    files = [str(it) for it in (ROOT / ".github/workflows").glob("*.yml")]
    check("actionlint has nothing to say of the workflow files", said(actionlint, *ACTIONLINT, *files) if files else ["there is none"])
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        file.write(WORKFLOW)
        file.flush()
        told = "".join(said(actionlint, *ACTIONLINT, file.name))
    check("actionlint finds a fault in a workflow file", [] if '"gone" which does not exist' in told else [told])


def headers(exports):
    cpp = read("include/mcp.hpp")
    faults = [line for name in HEADERS for line in rules.long_lines(name, read(name))]
    check(f"no line of the headers is longer than {rules.COLUMNS} columns", faults)
    check("include/mcp.hpp reaches every function of include/mcp.exports", rules.uncalled(cpp, exports))
    check("mcp::call_options has every option of a call", rules.other_options(json.loads(read(KEYS)), cpp))
    check("the name of every function begins with its object", rules.misnamed(read("include/mcp.h"), exports))


def main():
    planted()
    exports = set(read("include/mcp.exports").split())
    symbols = {line.split(" ")[0] for line in read("include/mcp.symbols").split("\n")}
    objects = json.loads(read(KEYS))
    keys = {row["key"] for rows in objects.values() for row in rows}
    check("each key of a configuration is in one list of its pages", rules.unlisted("".join(map(read, KEY_PAGES)), objects))
    # The page of the program leaves to its help what that says.
    program = "".join(read(it) for it in ["docs/reference/cli.md", *sorted(ROOT.glob("cli/tests/golden/help*.txt"))])
    paths = {str(it.relative_to(ROOT)): it for it in found(ROOT)}
    pages = {path: page(path) for path in paths if path.endswith(".md") or path in TABLES}
    sources = {path: it.read_text(encoding="utf-8") for path, it in paths.items() if it.suffix in WORDS and it.is_file()}
    tree = rules.Tree({path: sources.get(path, "") if it.suffix in SOURCES else "" for path, it in paths.items()})
    for path, text in pages.items():
        faults = tree.missing(text)
        # Past versions had other names.
        if path != "CHANGELOG.md":
            faults += rules.unknown_symbols(text, symbols) + rules.unknown_keys(text, keys) + rules.unknown_options(text, program)
        if re.fullmatch("bindings/[^/]*/README.md", path) and text.count("\n") > MOST_LINES:
            faults.append(f"it has more than {MOST_LINES} lines: move what few readers need to the guides")
        check(f"{path}: its tests, functions, keys and options are there", faults)
    for path in REQUIREMENTS:
        check(f"every demand in {path} has its test or its reason", rules.unanswered(pages[path]))
    programs = {it.stem for it in (ROOT / "tests/c").glob("*.c")}
    for path, has_all in {"tests/windows/programs.txt": True, "tests/targets/programs.txt": False}.items():
        check(f"{path} has the programs of tests/c", rules.programs(read(path), programs, has_all))
    texts = {path: text for path, text in sources.items() if path not in LISTS} | pages | {path: read(path) for path in HEADERS}
    check("pages, headers and sources have none of the words that CONTRIBUTING.md forbids",
          [line for path, text in texts.items() for line in rules.forbidden(path, text)])
    headers(exports)
    version = re.search(r'^version = "(.*)"', read("Cargo.toml"), re.M)[1]
    check("every package has the version of Cargo.toml",
          [f"{path}: {it}" for path, before in VERSIONS.items() for it in fits(read(path), before, version)])
    check("the programs of tests/counterparts are no longer than on the official SDKs", longer(read("tests/counterparts/README.md")))
    if rumdl := os.environ.get("MCP_RUMDL"):
        links(rumdl, pages)
    if actionlint := os.environ.get("MCP_ACTIONLINT"):
        workflows(actionlint)


main()
