"""The bindings beside the official SDKs, and published benchmarks made again: `cargo xtask bench --bindings` and `--public` run this.

    languages.py [--only LANGUAGE]... [--rounds N] [--calls N] [--json FILE]                 # --bindings
    languages.py --public [--only LANGUAGE]... [--rounds N] [--seconds N] [--json FILE]      # --public

All that is compared runs on one processor, in turn in each round. What counts is a ratio to the official SDK in the same round, of the
calls a second and, on a machine that does other work too, of the processor time that a call takes of the process that is measured.

`--bindings`: a client calls the tool `echo` of the neutral server (`mcp-bench-server`) over the standard streams, one call after another
and with 64 in flight; a server is called so by the client in C. Beside that: what it takes to load the package, and where programs are compiled to make a server
with its tools, beyond an empty program of the language; the memory at the end of the calls; the size of what is installed.

`--public`: ZeroMCP's comparison: the tool `hello` over HTTP, called for some time (300 s there) on one connection, one call after another.
TM Dev Lab's first one: 50 users at a time, each opening a session, calling a tool and ending the session, tool by tool, with a tenth of a
second between; without its tool that fetches a page, which measures the HTTP client of a language. Both limit a server to one processor.
"""

import argparse
import contextlib
import json
import os
import re
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

import pytest
import support

ROOT = support.ROOT
CONTENDERS, BINDINGS = ROOT / "benches/contenders", ROOT / "bindings"
# For anything that another process does.
PATIENCE = 300
GOALS = {"one after another": 2.5, "64 in flight": 4.0, "load": 2.0, "memory": 2.0, "size": 2.0}
# Calls before the measured ones, where compilers of the language need more than a tenth of these.
WARM = {"java": 40_000, "node": 5_000}
WORKLOADS = {"seq": "one after another", "pipe": "64 in flight"}


class Side:
    """A library of a language, as commands: `client` and `server` are words that get more; `load` are two whole commands, of a program that
    loads the library, and of an empty one. `size` is in bytes, of what is installed. `http` is None for one that has no server over HTTP."""

    def __init__(self, name, client, server, load, size, stdio=("stdio",), http=("http",), env=None):
        self.name, self.client, self.server, self.load, self.size = name, client, server, load, size
        self.stdio, self.http, self.env = list(stdio), http if http is None else list(http), env or {}


def words_of(words):
    return [str(word) for word in words]


def built(words, cwd=None, **env):
    support.fetched(lambda: support.run(words, limit=900, cwd=cwd, env=env)).well()


def library_bytes():
    """The shared library as packages have it: without symbols."""
    stripped = support.scratch("languages") / "libmcp.so"
    built(["strip", "--strip-unneeded", "-o", stripped, support.library()])
    return stripped.stat().st_size


def packed(paths):
    """The bytes of a jar with these files."""
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in paths:
                archive.write(path)
        return file.tell()


def c():
    """The library without a binding: what the others can reach."""
    client = support.compiled("benches/contenders/libmcp.c", "languages", "-O2")
    server = support.compiled("benches/contenders/libmcp-server.c", "languages", "-O2")
    return [Side("libmcp", [client], [server], [[server], ["true"]], library_bytes(), http=())]


def go():
    program, folder = support.peer("go"), support.scratch("languages/go")
    library = support.places()["stage"]
    env = {"PKG_CONFIG_PATH": library["pkgconfig"], "CGO_ENABLED": "1", "CGO_LDFLAGS": f"-Wl,-rpath,{library['library']}"}
    flags = ["build", "-ldflags=-s -w", "-o"]
    built([program, *flags, folder / "ours", "."], cwd=BINDINGS / "go/bench", **env)
    # The program on the archive of the published module, for its size.
    built([program, *flags, folder / "ours-static", "-tags", "mcp_static", "."], cwd=BINDINGS / "go/bench", **env | {"CGO_LDFLAGS": None})
    for name, package in [("client", "."), ("server", "./server")]:
        built([program, *flags, folder / name, package], cwd=CONTENDERS / "go", CGO_ENABLED="0")
    (folder / "empty.go").write_text("package main\n\nfunc main() {}\n")
    built([program, *flags, folder / "empty", folder / "empty.go"], CGO_ENABLED="0")
    empty = (folder / "empty").stat().st_size

    def size(name):
        return (folder / name).stat().st_size - empty

    return [
        Side("libmcp", [folder / "ours"], [folder / "ours"], [[folder / "ours", "load"], [folder / "empty"]], size("ours-static")),
        Side("official", [folder / "client"], [folder / "server"], [[folder / "server", "load"], [folder / "empty"]], size("server"), http=()),
    ]


def packages_of_node(folder, names):
    """The bytes of packages and of all that they need, as npm has installed them."""
    found, queue, total = set(), [(folder, name) for name in names], 0
    while queue:
        start, name = queue.pop()
        places = [start, *start.parents]
        place = next((up / "node_modules" / name for up in places if (up / "node_modules" / name / "package.json").is_file()), None)
        if place is None or place in found:
            continue
        found.add(place)
        queue += [(place, other) for other in json.loads((place / "package.json").read_text()).get("dependencies", {})]
        total += sum(file.stat().st_size for file in place.rglob("*") if file.is_file() and "node_modules" not in file.relative_to(place).parts)
    return total


def node():
    program, npm, package = support.peer("node"), Path(support.peer("npm")), Path(support.peer("node-package"))
    folder = support.scratch("languages/node")
    # Node looks for packages from where a script is.
    for name in ["contender.mjs", "server.mjs"]:
        shutil.copy(CONTENDERS / "typescript" / name, npm / f"bench-{name}")
    ours = package / "bench.mjs"
    shutil.copy(BINDINGS / "node/bench/bench.mjs", ours)
    addon = folder / "libmcp.node"
    built([program, "scripts/build.js", "--static", "--out", addon], cwd=package, PKG_CONFIG_PATH=support.places()["stage"]["pkgconfig"])
    built(["strip", "--strip-unneeded", addon])
    lib = sum(file.stat().st_size for file in (package / "lib").rglob("*") if file.is_file())

    def loads(name, *imports):
        script = (package if name == "libmcp" else npm) / f"bench-load-{name}.mjs"
        script.write_text("".join(f"import '{each}';\n" for each in imports))
        return [program, script]

    empty = loads("nothing")
    official = ["@modelcontextprotocol/client", "@modelcontextprotocol/server"]
    return [
        Side("libmcp", [program, ours], [program, ours], [loads("libmcp", "libmcp"), empty], lib + addon.stat().st_size),
        Side("official", [program, npm / "bench-contender.mjs"], [program, npm / "bench-server.mjs"],
             [loads("official", *official, "@modelcontextprotocol/client/stdio", "zod"), empty],
             packages_of_node(npm, [*official, "@modelcontextprotocol/node", "zod"]), http=()),
    ]


# Prints the bytes of a distribution and of all that it needs.
DISTRIBUTIONS = """
import importlib.metadata as metadata, re, sys
found, queue, total = set(), [sys.argv[1]], 0
while queue:
    name = re.sub("[-_.]+", "-", queue.pop()).lower()
    if name in found:
        continue
    try:
        one = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        continue
    found.add(name)
    files = [one.locate_file(file) for file in one.files or [] if "__pycache__" not in file.parts]
    total += sum(file.stat().st_size for file in files if file.is_file())
    queue += [re.split("[^A-Za-z0-9._-]", need)[0] for need in one.requires or [] if "extra ==" not in need]
print(total)
"""


def python():
    binding, official = support.peer("python-binding"), support.peer("python-2")
    interpreter, env = binding["interpreter"], {"PYTHONPATH": str(binding["folder"])}

    def size(python, name, **env):
        return int(support.run([python, "-c", DISTRIBUTIONS, name], env=env).well().stdout)

    def loads(python, name):
        return [[python, "-c", f"import {name}" if name else ""] for name in (name, "")]

    ours = [interpreter, "-B", BINDINGS / "python/bench/bench.py"]
    theirs = CONTENDERS / "python"
    return [
        Side("libmcp", ours, ours, loads(interpreter, "libmcp"), size(interpreter, "libmcp", **env), env=env),
        Side("official", [official, "-B", theirs / "contender.py"], [official, "-B", theirs / "server.py"],
             loads(official, "mcp, mcp.server.mcpserver"), size(official, "mcp"), http=("{port}",)),
    ]


def java():
    place, folder = support.peer("java-binding"), support.emptied("languages/java")
    home, classes = Path(place["home"]), Path(place["classes"])
    shutil.copy(BINDINGS / "java/bench/pom.xml", folder)
    resolver = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
    local = Path(support.places()["target"]) / "peers/maven"
    mvn = shutil.which("mvn") or support.lack("Maven is missing. To get it: apt-get install maven")
    built([mvn, "-B", "-q", resolver, "-DoutputDirectory=lib", f"-Dmaven.repo.local={local}"], cwd=folder, JAVA_HOME=home)
    path = f"{classes}:{folder}/lib/*:{folder}/classes"
    built([home / "bin/javac", "-encoding", "UTF-8", "-cp", path, "-d", folder / "classes", BINDINGS / "java/bench/Bench.java"])
    (folder / "Empty.java").write_text("class Empty { public static void main(String[] words) { } }\n")
    built([home / "bin/javac", "-d", folder / "classes", folder / "Empty.java"])
    run = [home / "bin/java", "--enable-native-access=ALL-UNNAMED", f"-Dio.libmcp.library={place['library']}",
           f"-Djava.io.tmpdir={support.scratch('languages/java/tmp')}", "-cp", path]
    stripped = support.scratch("languages") / "libmcp.so"
    library_bytes()
    own = packed([*(file for file in classes.rglob("*") if file.is_file()), stripped])
    theirs = sum(jar.stat().st_size for jar in (folder / "lib").glob("*.jar") if not jar.name.startswith("tomcat-"))

    def side(name, size):
        words = [*run, "Bench", name]
        return Side(name, words, words, [[*words, "load"], [*run, "Empty"]], size)

    return [side("libmcp", own), side("official", theirs)]


def swift():
    place = support.peer("swift")
    stage, folder = support.places()["stage"], Path(support.places()["target"]) / "swift-release"
    script = (f"set -eu; cd '{BINDINGS}/swift'; export PKG_CONFIG_PATH='{stage['pkgconfig']}'; swift build -c release --product bench "
              f"--scratch-path '{folder}' -Xlinker -s -Xlinker -rpath -Xlinker '{stage['library']}'")
    built([place["enter"], script])
    program = folder / "release/bench"

    def inside(words):
        # Swift's own libraries may be in another root.
        return [place["enter"], "exec " + " ".join(f"'{word}'" for word in words_of(words)) + ' "$@"']

    def side(name, program, size, **more):
        return Side(name, inside([program]), inside([program]), [inside([program, "load"]), inside(["true"])], size, **more)

    sides = [side("libmcp", program, library_bytes() + program.stat().st_size)]
    # The official SDK needs Swift 6.1, and packages from GitHub.
    source, folder = support.emptied("languages/swift"), folder.with_name("swift-official")
    shutil.copytree(CONTENDERS / "swift", source, dirs_exist_ok=True)
    made = support.run([place["enter"], f"cd '{source}' && swift build -c release -Xlinker -s --scratch-path '{folder}'"], limit=1800)
    if made.code == 0:
        official = folder / "release/contender"
        sides.append(side("official", official, official.stat().st_size, http=None))
    else:
        print(f"without the official SDK of Swift: {(made.stdout + made.stderr).strip().rsplit(chr(10), 1)[-1]}", file=sys.stderr)
    return sides


LANGUAGES = {"c": c, "go": go, "node": node, "python": python, "java": java, "swift": swift}


def command(side, words, more):
    """`enter` of Swift takes one script; its words go into that."""
    words = words_of(words)
    if words[-1].endswith('"$@"'):
        return [*words[:-1], words[-1][:-4] + " ".join(f"'{word}'" for word in words_of(more))]
    return [*words, *words_of(more)]


def processor_ns(pid):
    """User and system, of all threads."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def memory_kib(pid):
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


def child_of(pid):
    """The process that a client has started, which may have become another program since."""
    children = [int(word) for task in Path(f"/proc/{pid}/task").iterdir() for word in (task / "children").read_text().split()]
    assert len(children) == 1, f"one server is wanted, there are {len(children)}"
    return children[0]


class Talk:
    """A contender that runs: lines from it, and the end of the wait for one."""

    def __init__(self, words, env):
        self.log = tempfile.TemporaryFile()
        self.child = subprocess.Popen(words_of(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
                                      env=support.environment(env), start_new_session=True)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.child.stdout, selectors.EVENT_READ)

    def line(self, begin):
        """The next line, which begins so."""
        line = self.child.stdout.readline() if self.selector.select(PATIENCE) else ""
        if not line.startswith(begin):
            self.log.seek(0)
            said = self.log.read().decode(errors="replace").strip().splitlines()[-3:]
            raise RuntimeError(f"said {line!r} where '{begin}' was expected: {' | '.join(said)}")
        return line.strip()

    def go(self):
        self.child.stdin.write("\n")
        self.child.stdin.flush()

    def end(self):
        with contextlib.suppress(OSError):
            os.killpg(self.child.pid, 9)
        self.child.wait()
        self.selector.close()
        self.child.stdin.close()
        self.child.stdout.close()
        self.log.close()


def measured(words, env, of_child):
    """Calls a second, processor time of a call in microseconds, and the memory in KiB: of a client, or of the server that it has started."""
    talk = Talk(words, env)
    try:
        talk.line("ready")
        pid = child_of(talk.child.pid) if of_child else talk.child.pid
        before = processor_ns(pid)
        talk.go()
        done = dict(word.split("=") for word in talk.line("done").split()[1:])
        calls = int(done["calls"])
        return {"rate": calls / int(done["ns"]) * 1e9, "cpu": (processor_ns(pid) - before) / calls / 1e3, "memory": memory_kib(pid)}
    finally:
        talk.end()


def program_of(side, language):
    """The server of a side as one program, which the client in C starts."""
    script = support.scratch("languages") / f"{language}-{side.name}.sh"
    exports = "".join(f"export {name}='{value}'\n" for name, value in side.env.items())
    script.write_text(f"#!/bin/sh\nexport PATH='{os.environ['PATH']}'\n{exports}exec {quoted(command(side, side.server, side.stdio))}\n")
    script.chmod(0o755)
    return script


def quoted(words):
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)


def loaded(words, env):
    """Processor time in milliseconds of a program from its start to its end."""
    child = subprocess.Popen(words_of(words), stdin=subprocess.DEVNULL, env=support.environment(env))
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, f"{words} ended with {child.returncode}"
    return (usage.ru_utime + usage.ru_stime) * 1e3


def bindings(sides, options):
    """All figures of all rounds: {(language, side): {what: [figure of each round]}}."""
    neutral, caller = support.places()["peers"]["bench_server"], support.compiled("benches/contenders/libmcp.c", "languages", "-O2")
    found, failures = {}, []
    for number in range(options.rounds):
        for language, its in sides.items():
            for side in its if number % 2 == 0 else reversed(its):
                figures = found.setdefault((language, side.name), {})
                add = lambda what, value: figures.setdefault(what, []).append(value)  # noqa: E731
                for workload, title in WORKLOADS.items():
                    more = [f"workload={workload}", "era=legacy", f"calls={options.calls}"]
                    warm = f"warm={WARM.get(language, options.calls // 10)}"
                    client = command(side, side.client, [*more, f"server={neutral}", *([warm] if language == "java" else [])])
                    server = [caller, *more, warm, f"server={program_of(side, language)}"]
                    for role, words, env in [("client", client, side.env), ("server", server, {})]:
                        try:
                            for what, value in measured(words, env, role == "server").items():
                                add(f"{role}, {title}, {what}", value)
                        except (RuntimeError, AssertionError, OSError) as why:
                            failures.append(f"{language}, {side.name}, {role}, {title}: {why}")
                            for what in ["rate", "cpu", "memory"]:
                                add(f"{role}, {title}, {what}", None)
                try:
                    full, empty = (loaded(words, side.env) for words in side.load)
                    add("load, cpu", full - empty)
                except (AssertionError, OSError) as why:
                    failures.append(f"{language}, {side.name}, load: {why}")
                    add("load, cpu", None)
                add("size", side.size)
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
    return found, failures


def middle(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def ratio(ours, theirs, more_is_better):
    """The median over the rounds, of those that both have."""
    pairs = [(one, other) for one, other in zip(ours, theirs) if one and other]
    return statistics.median([one / other if more_is_better else other / one for one, other in pairs]) if pairs else None


def shown(value, digits=0):
    return "–" if value is None else f"{value:,.{digits}f}"


ROWS = [
    *((f"{role}, {title}, {what}", unit, digits, what == "rate", goal)
      for role in ["client", "server"] for title in WORKLOADS.values()
      for what, unit, digits, goal in [("rate", "calls/s", 0, GOALS[title]), ("cpu", "µs of the processor", 1, GOALS[title])]),
    ("load, cpu", "ms of the processor", 1, False, GOALS["load"]),
    ("client, one after another, memory", "KiB", 0, False, GOALS["memory"]),
    ("server, one after another, memory", "KiB", 0, False, GOALS["memory"]),
    ("size", "KiB", 0, False, GOALS["size"]),
]


def table(found, failures, languages):
    """One line for each figure of a language: ours, the official one's, how many times better, the goal."""
    print("| language | what | libmcp | official SDK | times better | goal |\n|---|---|---|---|---|---|")
    for language in languages:
        ours, theirs = found[language, "libmcp"], found.get((language, "official"), {})
        for what, unit, digits, is_more, goal in ROWS:
            scale = 1024 if what == "size" else 1
            one, other = (middle(side.get(what, [])) for side in (ours, theirs))
            times = ratio(ours[what], theirs.get(what, []), is_more)
            cells = [shown(None if value is None else value / scale, digits) for value in (one, other)]
            print(f"| {language} | {what} ({unit}) | {cells[0]} | {cells[1]} | {shown(times, 1)} | {goal} |")
    for why in failures:
        print(f"failed: {why}", file=sys.stderr)


# ---- over HTTP ----


class Connection:
    """A connection to a server that stays open, and the answers on it, whole ones or event streams."""

    def __init__(self, port):
        self.port, self.rest = port, b""
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def more(self):
        part = self.socket.recv(65536)
        if not part:
            raise RuntimeError("the server has closed the connection")
        self.rest += part

    def until(self, end):
        while (at := self.rest.find(end)) < 0:
            self.more()
        found, self.rest = self.rest[:at], self.rest[at + len(end):]
        return found

    def take(self, count):
        while len(self.rest) < count:
            self.more()
        found, self.rest = self.rest[:count], self.rest[count:]
        return found

    def asked(self, request):
        """The head and the body of the answer."""
        self.socket.sendall(request)
        head = self.until(b"\r\n\r\n")
        low = head.lower()
        if (at := low.find(b"content-length:")) >= 0:
            return head, self.take(int(low[at + 15:].split(b"\r\n", 1)[0]))
        if b"transfer-encoding: chunked" not in low:
            return head, b""
        parts = []
        while size := int(self.until(b"\r\n"), 16):
            parts.append(self.take(size + 2)[:-2])
        self.until(b"\r\n")
        return head, b"".join(parts)

    def close(self):
        self.socket.close()


ABOUT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


def request(port, body, session=None, method="POST"):
    text = b"" if body is None else json.dumps({"jsonrpc": "2.0", **body}, separators=(",", ":")).encode()
    more = f"Mcp-Session-Id: {session}\r\nMcp-Protocol-Version: 2025-06-18\r\n" if session else "Mcp-Protocol-Version: 2025-06-18\r\n"
    head = (f"{method} /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json, text/event-stream\r\n{more}Content-Length: {len(text)}\r\n\r\n")
    return head.encode() + text


def opened(connection):
    """Opens a session; gives its name, if the server names sessions."""
    head, _ = connection.asked(request(connection.port, {"id": 1, "method": "initialize", "params": ABOUT}))
    named = re.search(rb"(?i)mcp-session-id: *([^\r\n]+)", head)
    session = named[1].decode() if named else None
    connection.asked(request(connection.port, {"method": "notifications/initialized"}, session))
    return session


def call_of(port, session, tool, arguments, number):
    return request(port, {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}, session)


def answered(head, body, part):
    if not head.startswith(b"HTTP/1.1 200") or part not in body:
        raise RuntimeError(f"a wrong answer: {head[:60]!r} {body[:200]!r}")


def hello(port, seconds):
    """ZeroMCP's: one connection, one call after another. The times of all calls in seconds."""
    connection, times = Connection(port), []
    session = opened(connection)
    once = call_of(port, session, "hello", {"name": "World"}, 2)
    for end, kept in [(time.perf_counter() + max(seconds / 10, 1), False), (None, True)]:
        end = end or time.perf_counter() + seconds
        while (begun := time.perf_counter()) < end:
            answered(*connection.asked(once), b"Hello, World!")
            if kept:
                times.append(time.perf_counter() - begun)
        if not kept:
            yield None
    connection.close()
    yield times


# TM Dev Lab's tools with what a call of each has and answers.
TOOLS = [
    ("calculate_fibonacci", {"n": 10}, b"55"),
    ("process_json_data", {"data": {"name": "benchmark", "count": 42}}, b"BENCHMARK"),
    ("simulate_database_query", {"query": "SELECT * FROM benchmarks", "delay_ms": 10}, b"SELECT"),
]


def users(port, seconds, many=50):
    """TM Dev Lab's: users with a connection each, in threads, since nearly all of their time is waiting. The times of all requests."""
    times, failures, begins = [], [], threading.Event()
    ends = []

    def user():
        begins.wait()
        try:
            with contextlib.closing(Connection(port)) as connection:
                while ends and time.perf_counter() < ends[0]:
                    visit(connection)
                    time.sleep(0.1)
        except (RuntimeError, OSError, ValueError) as why:
            failures.append(why)

    def visit(connection):
        def timed(what):
            begun = time.perf_counter()
            answer = connection.asked(what)
            times.append(time.perf_counter() - begun)
            return answer

        for tool, arguments, part in TOOLS:
            head, _ = timed(request(port, {"id": 1, "method": "initialize", "params": ABOUT}))
            named = re.search(rb"(?i)mcp-session-id: *([^\r\n]+)", head)
            session = named[1].decode() if named else None
            timed(request(port, {"method": "notifications/initialized"}, session))
            answered(*timed(call_of(port, session, tool, arguments, 2)), part)
            if session:
                timed(request(port, None, session, "DELETE"))

    threads = [threading.Thread(target=user) for _ in range(many)]
    for thread in threads:
        thread.start()
    try:
        yield None
        ends.append(time.perf_counter() + seconds)
    finally:
        begins.set()  # Also where the caller has given up: then there is no time, and the users end.
        for thread in threads:
            thread.join()
    if failures:
        raise RuntimeError(f"{len(failures)} of {many} users failed: {failures[0]}")
    yield times


METHODS = {"ZeroMCP": hello, "TM Dev Lab": users}


def loaded_over_http(side, method, seconds):
    """Requests a second, processor time of one in microseconds, median and 99th percentile in milliseconds, memory in KiB."""
    port = support.free_port()
    words = command(side, side.server, [word.replace("{port}", str(port)) for word in side.http])
    talk = Talk(words, side.env)
    try:
        port = int(re.search(r":(\d+)/mcp", talk.line("http://"))[1])
        support.until(f"a server listens at port {port}", lambda: listens(port))
        with contextlib.closing(method(port, seconds)) as load:
            next(load)  # Now it is warm.
            before, begun = processor_ns(talk.child.pid), time.perf_counter()
            times = sorted(next(load))
        if not times:
            raise RuntimeError("it answered nothing")
        took, spent = time.perf_counter() - begun, processor_ns(talk.child.pid) - before
        return {"rate": len(times) / took, "cpu": spent / len(times) / 1e3, "p50": times[len(times) // 2] * 1e3,
                "p99": times[len(times) * 99 // 100] * 1e3, "memory": memory_kib(talk.child.pid)}
    finally:
        talk.end()


def listens(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def public(sides, options):
    found, failures = {}, []
    for number in range(options.rounds):
        for name, method in METHODS.items():
            for language, its in sides.items():
                for side in its if number % 2 == 0 else reversed(its):
                    if side.http is None:
                        continue
                    try:
                        figures = loaded_over_http(side, method, options.seconds)
                    except (RuntimeError, AssertionError, OSError, TypeError) as why:
                        failures.append(f"{name}, {language}, {side.name}: {why}")
                        figures = dict.fromkeys(["rate", "cpu", "p50", "p99", "memory"])
                    for what, value in figures.items():
                        found.setdefault((name, language, side.name), {}).setdefault(what, []).append(value)
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
    return found, failures


def public_table(found, failures, languages):
    print("| benchmark | language | server | requests/s | times the official | µs of the processor | times less | p50, p99 ms | MiB |\n"
          "|---|---|---|---|---|---|---|---|---|")
    for (name, language, side), figures in found.items():
        theirs = found.get((name, language, "official"), {})
        times, less = (ratio(figures[what], theirs.get(what, []), what == "rate") for what in ["rate", "cpu"])
        tail = f"{shown(middle(figures['p50']), 2)}, {shown(middle(figures['p99']), 2)}"
        memory = middle(figures["memory"])
        print(f"| {name} | {language} | {side} | {shown(middle(figures['rate']))} | {shown(times, 1)} | {shown(middle(figures['cpu']), 1)} | "
              f"{shown(less, 1)} | {tail} | {shown(memory and memory / 1024, 1)} |")
    for why in failures:
        print(f"failed: {why}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask bench --bindings|--public", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--public", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", choices=LANGUAGES, help="only this language")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=20_000, help="calls of one measurement (20,000)")
    parser.add_argument("--seconds", type=float, default=300, help="how long each server is loaded, with --public (300)")
    parser.add_argument("--json", type=Path, help="a file for the figures of all rounds")
    options = parser.parse_args()
    sides = {}
    for language in options.only or [name for name in LANGUAGES if name != "c" or not options.public]:
        try:
            sides[language] = LANGUAGES[language]()
        except pytest.skip.Exception as why:
            print(f"without {language}: {why}", file=sys.stderr)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    found, failures = (public if options.public else bindings)(sides, options)
    (public_table if options.public else table)(found, failures, sides)
    if options.json:
        options.json.write_text(json.dumps({", ".join(names): figures for names, figures in found.items()}, indent=1) + "\n")
    # What fails of ours is a fault; the official SDKs may lose calls.
    sys.exit(any(", official" not in why for why in failures))


if __name__ == "__main__":
    main()
