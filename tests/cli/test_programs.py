"""The program beside those of others: what each does of a day's work, by running it, and what that costs. The table of
docs/reference/cli.md is what a run has shown; `MCP_PAGE_WRITE=1` writes it. Times and memory differ from run to run, so of them the test
compares the order only."""

import json
import os
import re
import shlex
import statistics
import sys
from pathlib import Path

import pytest
import support
from interop import plans

PAGE = support.ROOT / "docs/reference/cli.md"
BEGIN, END = "<!-- what tests/cli/test_programs.py has shown: begin -->\n", "<!-- end -->\n"
LIMIT, RUNS, CALLS = 120, 3, 100
SUM, NOTE = "The sum of 2 and 3 is 5.", "demo://resource/static/document/features.md"
NAMES = {"mcp": "mcp", "inspector": "inspector `--cli`", "mcporter": "mcporter", "mcpc": "mcpc", "fastmcp": "fastmcp"}
NPM_NAMES = {"inspector": "@modelcontextprotocol/inspector", "mcporter": "mcporter", "mcpc": "@apify/mcpc"}
# A feature: what is done, and whether the exit code, what was written for results and what was written beside them show it.
FEATURES = {
    "the result of a call is its text, and nothing beside it": ("call", lambda code, out, _: code == 0 and out.strip() == SUM),
    "a structured result is written once, as JSON": (
        "structured", lambda code, out, _: code == 0 and out.count('"temperature"') == 1 and "temperature" in json_of(out)),
    "an argument of a wrong type is refused before anything is sent": (
        "wrong", lambda code, out, err: code not in (0, None) and "Input validation error" not in out + err),
    "an unknown tool: the one that was meant is named": ("typo", lambda _, out, err: re.search(r"\bget-sum\b", out + err) is not None),
    "a call that failed ends with another exit code than 0": ("typo", lambda code, *_: code not in (0, None)),
    "the image of a result goes to a file": ("image", lambda code, *_: code == 0 and any(Path("images").glob("*.png"))),
    "a resource is read": ("read", lambda code, out, _: code == 0 and "# Everything Server" in out),
    "a prompt is filled in": ("prompt", lambda code, out, _: code == 0 and "weather in Paris" in out),
    "the revision 2026-07-28 is spoken where the server has it": (
        "modern", lambda code, *_: code == 0 and "server/discover" in Path("spoken").read_text() and "initialize" not in Path("spoken").read_text()),
    "one process of the server serves several commands": (
        "twice", lambda code, out, _: code == 0 and len(set(re.findall(r"\b\d+\b", out.split("first:")[-1]))) == 1),
}


def json_of(text):
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def version(package):
    return json.loads((Path(support.peer("programs")) / "node_modules" / package / "package.json").read_text())["version"]


@pytest.fixture(scope="module")
def names():
    """The programs with their versions."""
    inspector = Path(support.peer("inspector")["program"]).parents[3] / "package.json"
    fastmcp = support.run([support.peer("fastmcp"), "-c", "import importlib.metadata as m; print(m.version('fastmcp-slim'))"]).well()
    versions = {
        "inspector": json.loads(inspector.read_text())["version"], "fastmcp": fastmcp.stdout.strip(),
        **{name: version(NPM_NAMES[name]) for name in ("mcporter", "mcpc")},
    }
    return {name: f"{shown} {versions[name]}" if name in versions else shown for name, shown in NAMES.items()}


@pytest.fixture
def scene(tmp_path, monkeypatch, example_server):
    """A folder with the servers in the form that all know; the folder is the current one, and the home."""
    everything = plans.reference_server("everything")
    modern = f"tee spoken | {shlex.quote(str(example_server))}"
    servers = {
        "ev": {"command": str(everything[0]), "args": [str(word) for word in everything[1:]]},
        "ex": {"command": str(example_server), "args": []},
        "modern": {"command": "sh", "args": ["-c", modern]},
    }
    (tmp_path / "servers.json").write_text(json.dumps({"mcpServers": servers}))
    for name, server in servers.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"mcpServers": {name: server}}))
    run = tmp_path / "run"
    run.mkdir(mode=0o700)
    monkeypatch.chdir(tmp_path)
    for name, value in {"HOME": tmp_path, "XDG_RUNTIME_DIR": run, "MCP_INSPECTOR_SECRET_STORE": "memory"}.items():
        monkeypatch.setenv(name, str(value))
    return tmp_path


def node(name):
    bins = Path(support.peer("programs")) / "node_modules/.bin"
    return [str(support.peer("node")), str(bins / name)]


def words_of(name, program):
    """What a program is given for each piece of work; what it has no words for is not there."""
    pairs = {"call": ("ev", "get-sum", {"a": 2, "b": 3}), "structured": ("ev", "get-structured-content", {"location": "Chicago"}),
             "wrong": ("ev", "get-sum", {"a": "x", "b": 3}), "typo": ("ev", "get-su", {"a": 2, "b": 3}),
             "modern": ("modern", "echo", {"text": "hi"}), "cost": ("ex", "echo", {"text": "hi"})}
    given = {what: [f"{key}={value}" for key, value in arguments.items()] for what, (_, _, arguments) in pairs.items()}
    call = {what: [(server, tool, given[what])] for what, (server, tool, _) in pairs.items()}
    one = {what: each[0] for what, each in call.items()}
    if name == "mcp":
        start = [program, "--config", "servers.json"]
        session = [["session", "start", "ex"], ["call", "@ex", "pid"], ["call", "@ex", "pid"], ["session", "stop", "ex"]]
        return {
            **{what: [[*start, "call", server, tool, *words]] for what, (server, tool, words) in one.items()},
            "image": [[*start, "call", "ev", "get-tiny-image", "--save", "images"]], "read": [[*start, "read", "ev", NOTE]],
            "prompt": [[*start, "get", "ev", "args-prompt", "city=Paris"]], "twice": [[*start, *words] for words in session],
        }
    if name == "inspector":
        inspector = support.peer("inspector")

        def asks(server, *words):
            return [[inspector["node"], inspector["program"], "--cli", "--config", "servers.json", "--server", server, "--method", *words]]

        return {
            **{what: asks(server, "tools/call", "--tool-name", tool, "--tool-arg", *words) for what, (server, tool, words) in one.items()},
            "read": asks("ev", "resources/read", "--uri", NOTE),
            "prompt": asks("ev", "prompts/get", "--prompt-name", "args-prompt", "--prompt-args", "city=Paris"),
        }
    if name == "mcporter":
        start = [*node("mcporter"), "--config", "servers.json", "call"]
        return {
            **{what: [[*start, f"{server}.{tool}", *words]] for what, (server, tool, words) in one.items()},
            "image": [[*start, "ev.get-tiny-image", "--save-images", "images"]],
        }
    if name == "mcpc":
        start = node("mcpc")

        def kept(server, *commands):
            return [[*start, "connect", f"servers.json:{server}", "@s"], *[[*start, "@s", *words] for words in commands], [*start, "close", "@s"]]

        typed = {what: [word.replace("=", ":=", 1) for word in words] for what, words in given.items()}
        return {
            **{what: kept(server, ["tools-call", tool, *typed[what]]) for what, (server, tool, _) in one.items()},
            "read": kept("ev", ["resources-read", NOTE]), "prompt": kept("ev", ["prompts-get", "args-prompt", "city:=Paris"]),
            "twice": kept("ex", ["tools-call", "pid"], ["tools-call", "pid"]),
        }
    start = [support.peer("fastmcp"), "-m", "fastmcp.cli", "call"]
    return {
        **{what: [[*start, f"{server}.json", tool, *words]] for what, (server, tool, words) in one.items()},
        "read": [[*start, "ev.json", NOTE]], "prompt": [[*start, "ev.json", "args-prompt", "--prompt", "city=Paris"]],
    }


def done(commands):
    """The exit code and the output of the commands that count: of a connection that is kept, those between its begin and its end."""
    ended = [support.run(words, LIMIT) for words in commands]
    work = ended[1:-1] or ended
    code = next((it.code for it in work if it.code != 0), 0)
    return code, "first:".join(["", *(it.stdout for it in work)]) if len(work) > 1 else work[0].stdout, "".join(it.stderr for it in work)


# A process has the memory of the one that started it until it is the program, and the tests have more than ours.
SMALL = """import os, sys
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=open("spent", "w"))
sys.exit(os.waitstatus_to_exitcode(status))"""


def spent(words):
    """The processor time, in milliseconds, of a program and all that it waited for, and the most memory of one of them, in KiB."""
    support.run([sys.executable, "-I", "-S", "-c", SMALL, *words], LIMIT).well()
    seconds, memory = Path("spent").read_text().split()
    return float(seconds) * 1000, int(memory)


def group_spent(group):
    """The same of a group of processes that run: their time, and the most memory that one of them had."""
    time_of, memory = 0.0, 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(folder.name)) != group:
                continue
            high = re.search(r"VmHWM:\s+(\d+)", (folder / "status").read_text())
            # Nanoseconds of each thread: ticks are too coarse for what a native program needs.
            time_of += sum(int(thread.read_text().split()[0]) for thread in folder.glob("task/*/schedstat")) / 1e6
        except (FileNotFoundError, ProcessLookupError):
            continue
        memory = max(memory, int(high[1]) if high else 0)
    return time_of, memory


def median(numbers):
    return [statistics.median(column) for column in zip(*numbers)]


def cost(commands):
    """That of one call. Of a connection that is kept, all its commands, without the process that keeps it."""
    runs = []
    for _ in range(RUNS):
        each = [spent(words) for words in commands]
        runs.append((sum(time_of for time_of, _ in each), max(memory for _, memory in each)))
    return median(runs)


def to_url(program, server):
    """Bridges from a URL to standard streams: what client, bridge and server spend together on the calls."""
    port = support.free_port()
    with support.Served([program, "bridge", "--listen", f"http://127.0.0.1:{port}/mcp", "--", server], "bridge.log", port):
        url = f"http://127.0.0.1:{port}/mcp"
        bench = [program, "bench", "echo", "text=hi", "-n", CALLS, "--"]
        bridges = {"mcp bridge": [program, "bridge", url], "mcp-remote": [*node("mcp-remote"), url, "--allow-http"]}
        return {name: median([spent([*bench, *words]) for _ in range(RUNS)]) for name, words in bridges.items()}


def from_program(program, server):
    """Bridges from a program to a URL: what bridge and server spend on the calls."""
    found = {}
    for name in ("mcp bridge", "supergateway"):
        port = support.free_port()
        words = [program, "bridge", "--listen", f"http://127.0.0.1:{port}/mcp", "--", server] if name == "mcp bridge" else [
            *node("supergateway"), "--stdio", shlex.quote(str(server)), "--outputTransport", "streamableHttp", "--stateful", "--port", port]
        with support.Served(words, f"{name}.log", port) as served:
            support.run([program, "bench", f"http://127.0.0.1:{port}/mcp", "echo", "text=hi", "-n", CALLS], LIMIT).well()
            found[name] = group_spent(served.child.pid)
    return found


def shown(names, features, costs, urls, programs):
    heads = list(names)
    mark = {True: "yes", False: "no", None: "–"}
    text = f"| | {' | '.join(names.values())} |\n|---|{'---|' * len(heads)}\n"
    for feature, of in features.items():
        text += f"| {feature} | {' | '.join(mark[of[name]] for name in heads)} |\n"
    text += f"| processor time of one call | {' | '.join(f'{costs[name][0]:,.0f} ms' for name in heads)} |\n"
    text += f"| memory | {' | '.join(f'{costs[name][1] / 1024:,.0f} MiB' for name in heads)} |\n"
    text += f"\n| bridge | from | processor time of {CALLS} calls | memory |\n|---|---|---|---|\n"
    versions = {"mcp-remote": version("mcp-remote"), "supergateway": version("supergateway")}
    for way, found in (("a URL to standard streams", urls), ("a program to a URL", programs)):
        for name, (time_of, memory) in found.items():
            text += f"| {name} {versions.get(name, '')}".rstrip() + f" | {way} | {time_of:,.0f} ms | {memory / 1024:,.0f} MiB |\n"
    return text


def without_numbers(text):
    return re.sub(r"[\d,]+ (ms|MiB)", r"0 \1", text)


@pytest.mark.deep
def test_the_table_of_the_page_is_what_this_run_shows(program, scene, names, example_server):
    before, begins, rest = PAGE.read_text().partition(BEGIN)
    old, ends, after = rest.partition(END)
    assert begins and ends, f"{PAGE.name} has no place for the table: {BEGIN.strip()} … {END.strip()}"
    features, costs = {feature: {} for feature in FEATURES}, {}
    for name in names:
        words = words_of(name, program)
        for feature, (what, shows) in FEATURES.items():
            Path("spoken").write_text("")
            features[feature][name] = bool(shows(*done(words[what]))) if what in words else None
        costs[name] = cost(words["cost"])
    urls, programs = to_url(program, example_server), from_program(program, example_server)
    text = shown(names, features, costs, urls, programs)
    if os.environ.get("MCP_PAGE_WRITE"):
        PAGE.write_text(f"{before}{BEGIN}{text}{END}{after}")
        old = text
    lacks = [feature for feature, of in features.items() if not of["mcp"]]
    assert not lacks, f"the program itself does not do this: {lacks}\n{text}"
    for each in (costs, urls, programs):
        ours, *others = each.values()
        assert all(ours[at] < other[at] for other in others for at in (0, 1)), f"another one costs less:\n{text}"
    assert without_numbers(old) == without_numbers(text), f"with MCP_PAGE_WRITE=1 this step writes the table again:\n{text}"
