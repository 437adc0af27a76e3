"""What a page names, and whether it is there. The files come as texts, so that a page that lies can be planted."""

import re

from make_book import listed

FOLDERS = ("crates", "src", "tests", "examples", "benches", "bindings", "fuzz", "xtask")
# Four words or more, as tests are called and options are not; functions of the C libraries that pages name are no tests.
SENTENCE = r"(?!mcp_|sqlite3_)[a-z0-9]*(?:_[a-z0-9]*){3,}"
# As tests are called in Go and in Swift.
CAMEL = "[Tt]est[A-Z][A-Za-z0-9]*"
# What functions and constants of the C API begin with, as far as nothing else does; `mcp_builder_begin_` stands for several.
OF_THE_API = (
    r"\b(?:mcp_(?:client|server|queue|message|request|value|builder|document|json|exchange|transport|config|call|log)|"
    r"MCP_(?:ERROR|KIND|TOPIC|JSON|CLIENT_STATE|LOG|FEATURE|VERSION|CODE))_\w*(?<!_)\b"
)
# Words and phrases that hide who does what, and what to write instead. Vale would do the same, but its package on PyPI fetches the program
# from GitHub when it starts: a machine that reaches package registries alone could not test.
FORBIDDEN = {
    "whoever": "the thread that, the program that",
    "nobody": "no thread, no program, no person",
    "somebody": "another thread, a program, a person",
    "anew": "again",
    "afresh": "again",
    "news": "notifications, messages",
    "is none": "is invalid, is missing",
    "are none": "are invalid, are missing",
    "lets go": "releases",
    "let go": "release",
    "letting go": "releasing",
    "at heart": "in fact",
}
# A comment's mark at the start of a line does not interrupt a phrase. `None` is a value of Rust and Python: `x is None` is code.
PHRASE = re.compile(
    r"(?<![^\W\d])(?i:" + "|".join(phrase.replace(" ", r"[\s*/]+(?-i:(?!None\b))") for phrase in FORBIDDEN) + r")(?![^\W\d])"
)
# The first parameter of a function whose name begins so.
OBJECTS = {f"mcp_{it}_": f"mcp_{it}_t *" for it in ("client", "queue", "message", "transport", "server")}
OBJECTS["mcp_request_"] = "mcp_message_t *"
# How wide a header is.
COLUMNS = 100


def code(page):
    """What stands between backticks, outside of blocks."""
    outside = re.sub("^```.*?(^```[^\n]*$|\\Z)", "", page, flags=re.M | re.S)
    return [span for line in outside.split("\n") for span in line.split("`")[1::2]]


class Tree:
    """The files and folders by their path, with the names of the functions in them, and texts of sources that could be taken for names of
    tests: keys of configurations and the like."""

    def __init__(self, files):
        self.functions, self.texts = {}, set()
        for path, text in files.items():
            # A program in C may have several tests, each a function.
            words = "fn|func|def|void" if path.startswith("tests/c/") else "fn|func|def"
            self.functions[path] = set(re.findall(rf"(?:^|[\s(<])(?:{words})[\s(<]([^\s(<]*)", text))
            self.texts.update(re.findall(f'(?<="){SENTENCE}(?=")', text))
        programs = (re.fullmatch(r"tests/c(?:pp)?/(.*)\.c(?:pp)?", path) for path in files)
        self.tests = {it[1] for it in programs if it}.union(*self.functions.values())

    def missing(self, page):
        """The tests and files that a page names and that are not there.

        A page names a file by its path from the root, a test in one as `src/file.rs::test`, and a C or C++ program, or a test wherever it
        is, by its name alone if it is a sentence, as it is written in its language. `p07_…` is short for one that begins so."""
        return [f"{name} is missing" for name in code(page) if not self.has(name)]

    def has(self, name):
        path, colons, test = name.partition("::")
        if colons:
            return not is_path(path) or test in self.functions.get(path, ())
        if is_path(name):
            return name.rstrip("/") in self.functions
        if name.endswith("…"):
            return any(test.startswith(name[:-1]) for test in self.tests)
        if re.fullmatch(SENTENCE, name):
            return name in self.texts or name in self.tests
        return not re.fullmatch(CAMEL, name) or name in self.tests


def is_path(name):
    """A path of this tree, unless it has a NAME to be filled in or stands for many."""
    return name.startswith(tuple(f"{folder}/" for folder in FOLDERS)) and not re.search(r"NAME|TARGET|\*", name)


def unknown_symbols(page, symbols):
    """The names of the C API in a page that the header has not."""
    return [f"{name} is not in include/mcp.h" for name in sorted(set(re.findall(OF_THE_API, page)) - symbols)]


def unknown_keys(page, keys):
    """The keys of sections of configurations in a page that no configuration has, such as `limits.frames`. Events of log records look as
    keys do."""
    sections = {key.split(".")[0] for key in keys if "." in key}
    known = {key[:at] for key in keys for at in [len(key), *(it.start() for it in re.finditer(r"\.", key))]}
    names = {name for name in code(page) if re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", name) and name.split(".")[0] in sections}
    names = {name for name in names - known if not re.search(r"\.(rs|py|c|go|toml|json)$", name)}
    events = page.partition("## Events for the logger")[2]
    return [f"no configuration has the key {name}" for name in sorted(names) if f"`{name}`" not in events]


def options(text):
    return set(re.findall("(?<![-A-Za-z0-9])--[a-z][-A-Za-z0-9]*", text))


def unknown_options(page, known):
    """The options of the program `mcp` in the commands of a page that it does not have; `known` is the page of the program. A page may have
    a table of further ones."""
    rows = [line for line in page.split("\n") if line.startswith("| `-")]
    commands = [it.lstrip(" $") for line in page.split("\n") for it in re.split("[`;|#]", line)]
    # What follows ` -- ` is for the server.
    used = [options(it.split(" -- ")[0]) for it in commands if re.match("mcp [a-z]", it)]
    unknown = set().union(*used) - options(known) - options("\n".join(rows))
    return [f"the program mcp has no option {option}" for option in sorted(unknown)]


def unanswered(page):
    """The demands of a page of tables that have an empty last cell, and the numbers that are left out. A section may begin a new group at
    the next ten."""
    found, last = [], {}
    for section, number, rest in re.findall(r"^\| *([^| ]*)-(\d+) \|(.*)\|$", page, re.M):
        before, number = last.get(section, 0), int(number)
        last[section] = number
        if number != before + 1 and not (number > before and number % 10 == 0):
            found.append(f"{section}-{number:02} comes after {section}-{before:02}")
        if not rest.split(" | ")[-1].strip():
            found.append(f"{section}-{number:02} has neither a test nor a reason")
    return found if last else ["there is no demand at all"]


def forbidden(path, text):
    """The forbidden words of a text, each in a line for the reader. In a page code does not count: it has names and quotes."""
    if path.endswith((".md", ".toml")):
        text = re.sub("^[ \t]*```.*?(^[ \t]*```[^\n]*$|\\Z)", lambda it: re.sub("[^\n]", "", it[0]), text, flags=re.M | re.S)
        text = "\n".join("`".join(line.split("`")[::2]) for line in text.split("\n"))
    found = []
    for it in PHRASE.finditer(text):
        phrase = re.sub(r"[\s*/]+", " ", it[0].lower())
        # "There is none" is plain; "a handle that is none" is not.
        if not (phrase.endswith(" none") and re.search(r"(?i:\bthere)[\s*/]+$", text[: it.start()])):
            line = text.count("\n", 0, it.start()) + 1
            found.append(f'{path}:{line} has "{phrase}"; write for example: {FORBIDDEN[phrase]}')
    return found


def programs(table, names, has_all):
    """What is wrong with a table of programs: one that is not there, or if the table has all, one without its line."""
    listed = {line.split(": ")[0].split(" ")[-1] for line in table.split("\n") if line and line[0] != "#" and " unit " not in line}
    missing = sorted(names - listed) if has_all else []
    return [f"{name} is no program" for name in sorted(listed - names)] + [f"{name} has no line" for name in missing]


def code_lines(text, is_python):
    """How many lines have code. In Python a text that begins a line with three quotes is documentation."""
    comment = r'^[ \t]*"""(?s:.*?)"""[^\n]*$|^[ \t]*#.*' if is_python else r"^[ \t]*/\*(?s:.*?)\*/[^\n]*$|^[ \t]*//.*"
    return len([line for line in re.sub(comment, "", text, flags=re.M).split("\n") if line.strip()])


def misnamed(header, exports):
    """The first word of a name is the object that the function is about: its first parameter."""
    found = []
    for name in sorted(exports):
        object = next((of for start, of in OBJECTS.items() if name.startswith(start)), None)
        first = re.search(rf"^[^ /#\n].*\b{name}\(([^,)]*)", header, re.M)
        # What makes an object has none yet, and the name of a number is for a number.
        if object and not first:
            found.append(f"{name} is exported and not declared in include/mcp.h")
        elif object and not re.search("_new(_|$)|_name$", name) and not first[1].removeprefix("const ").startswith(object):
            found.append(f"{name} begins with '{first[1]}', and its name with another object")
    return found


def uncalled(code, exports):
    """The functions that stand nowhere in the code; comments do not count."""
    words = set(re.findall(r"\w+", re.sub(r"/\*.*?\*/|//[^\n]*", " ", code, flags=re.S)))
    return [f"nothing calls {name}" for name in sorted(exports - words)]


def long_lines(name, text):
    numbered = enumerate(text.split("\n"), 1)
    return [f"{name}:{at} has {len(line)} columns; {COLUMNS} are allowed" for at, line in numbered if len(line) > COLUMNS]


def unlisted(pages, objects):
    """The keys that no list of the pages has, or several, and what a list has that is no key. The bounds of a queue are among those of a
    client; the name of a section is no key of its own."""
    lists = [f"{object}.{it['key']}" for object, keys in listed(pages, objects) for it in keys]
    own = {f"{object}.{it['key']}": it for object, keys in objects.items() for it in keys}
    sections = {name for name, it in own.items() if it.get("type") == "object" and it.get("default") == {} and "text" not in it}
    found = [f"{name.replace('.', ' has no key ', 1)}, which a page lists" for name in sorted(set(lists) - own.keys())]
    counts = {name: lists.count(name) for name in sorted(own) if not name.startswith("queue.") and name not in sections}
    return found + [f"{name} is in {count} lists" for name, count in counts.items() if count != 1]


def other_options(objects, header):
    """The options of a call that the class `options` of mcp.hpp does not write, and those that it alone has."""
    keys = {it["key"] for object in ("call", "feature_call") for it in objects[object]}
    written = set(re.findall('"([a-z_]+)"', header.partition("\nclass options {")[2].partition("\n};\n")[0]))
    return [f"mcp::options of mcp.hpp {'does not write' if key in keys else 'alone writes'} {key}" for key in sorted(keys ^ written)]
