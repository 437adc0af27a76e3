"""What the tests in Python share: what was built for them, programs with a time limit, servers in the background, HTTP by hand.

`cargo xtask test` writes the places of what it has built and installed into a file, which stays for runs by hand.
"""

import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PLACES = Path(os.environ.get("MCP_TEST_PLACES", ROOT / "target/xtask/pytest/places.json"))
# How long a server may take until it listens, and anything else that another process does.
START = 60
# How long a program may run that is expected to end, and that of another one may wait for a processor.
LIMIT = 300
# Ports below those that systems give to connections that go out: none of these can take a port between the look and the server's start.
FIRST_PORT, PORTS = 10_240, 22_000
# The variables that name the servers of ours for the tests of the bindings.
SERVERS = ["MCP_EXAMPLE_SERVER", "MCP_SCRIPTED_SERVER", "MCP_SCRIPTED_HTTP"]
NUMBERS = itertools.count(os.getpid() * 97)
# The mark of a file of tests that says what they show on Linux alone.
of_linux = pytest.mark.skipif(sys.platform != "linux", reason="it is for Linux alone, so far")


def places():
    """The file's content; without it the tests cannot run."""
    try:
        return json.loads(PLACES.read_text())
    except FileNotFoundError:
        pytest.exit(f"{PLACES} is missing: `cargo xtask test --only STEP` writes it, with the step that runs these tests", 4)


def lack(why):
    """Something is missing: a machine that tests for all has to have it, any other skips what needs it."""
    (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(why)


def peer(name):
    """Where something that others have made is installed, or the command that starts it."""
    found = places()["peers"][name]
    if isinstance(found, dict) and "missing" in found:
        (lack if found["is_tool"] else pytest.fail)(f"{name}: {found['missing']}")
    return found


def scratch(name):
    """A folder for the files of one piece of work, below the target folder."""
    folder = Path(places()["scratch"]) / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def free_port():
    """A port of the loopback interface at which no program listens, and which this process gives once."""
    for number in itertools.islice(NUMBERS, PORTS):
        port = number % PORTS + FIRST_PORT
        with socket.socket() as listens, contextlib.suppress(OSError):
            listens.bind(("127.0.0.1", port))
            return port
    raise OSError(f"no port from {FIRST_PORT} on is free")


def environment(changes):
    """The environment of this process with changes: a variable that is None is left out."""
    return {name: str(value) for name, value in {**os.environ, **(changes or {})}.items() if value is not None}


class Finished:
    """How a program ended, and what it printed. The code is None after its time limit."""

    def __init__(self, words, code, stdout, stderr):
        self.words, self.code, self.stdout, self.stderr = words, code, stdout, stderr

    def story(self):
        how = "was killed at its time limit" if self.code is None else f"ended with {self.code}"
        tails = ["\n".join(text.splitlines()[-40:]) for text in (self.stdout, self.stderr)]
        return f"{' '.join(self.words)}\n{how}\nstdout:\n{tails[0]}\nstderr:\n{tails[1]}"

    def well(self):
        """Itself, after success."""
        assert self.code == 0, self.story()
        return self

    def refused(self, code, says):
        """It ended with this code and an error that has this text."""
        assert self.code == code and says in self.stderr, f"exit code {code} and '{says}' are wanted: {self.story()}"


def run(words, limit=LIMIT, env=None, cwd=None):
    """Runs a program to its end or to the time limit. Its output goes through files: with a pipe this would wait for all it has started."""
    words = [str(word) for word in words]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment(env), cwd=cwd, start_new_session=True
        )
        code = None
        try:
            code = child.wait(limit)
        except subprocess.TimeoutExpired:
            pass
        finally:
            if child.returncode is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
        return Finished(words, code, *texts)


def fetched(make, is_done=lambda finished: finished.code == 0):
    """How a program ended that downloads, run up to three times: networks fail for a moment."""
    for attempt in range(3):
        # A network that has failed needs a while.
        time.sleep(3 * attempt)
        if is_done(finished := make()):
            break
    return finished


class Served:
    """A program in the background with a pipe as its input, while a `with` block lasts. One with a port listens there when the block begins,
    and what it prints goes into the log; of another one the block reads what it prints."""

    def __init__(self, words, log, port=None, env=None, cwd=None):
        self.words, self.log, self.port = [str(word) for word in words], Path(log), port
        with self.log.open("w") as file:
            self.child = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=file if port else subprocess.PIPE, stderr=file, env=environment(env), cwd=cwd,
                start_new_session=True, text=True, errors="replace",
            )

    def __enter__(self):
        if self.port:
            try:
                until(f"{self.words[0]} listens on port {self.port}", self.listens)
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *_):
        # What it has left running ends, too; it may have left nothing.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        # Its input may be closed on the other side.
        with contextlib.suppress(BrokenPipeError):
            self.child.stdin.close()
        if self.child.stdout:
            self.child.stdout.close()

    def listens(self):
        with socket.socket() as connection:
            connected = connection.connect_ex(("127.0.0.1", self.port)) == 0
        assert connected or self.child.poll() is None, f"it ended before it listened on port {self.port}: {self.log.read_text()}"
        return connected

    def first_line(self, limit=START):
        """Its first line, in which a server says where it serves. Reading ends with the program, which is killed at the time limit."""
        ends = threading.Timer(limit, os.killpg, [self.child.pid, signal.SIGKILL])
        ends.start()
        try:
            line = self.child.stdout.readline()
        finally:
            ends.cancel()
        assert line.strip() and line.endswith("\n"), f"{self.words[0]} said no line in {limit} s: {line!r}, {self.log.read_text()}"
        return line.strip()

    def end(self, limit=START):
        """Ends its input; gives its exit code, after its end."""
        self.child.stdin.close()
        return self.child.wait(limit)

    def terminate(self, code=0):
        """SIGTERM, and its end with this code."""
        self.child.terminate()
        assert self.child.wait(START) == code, f"it ended with {self.child.returncode}: {self.log.read_text()}"


def until(what, is_so):
    """Waits for what another process does, for a minute."""
    deadline = time.monotonic() + START
    while not is_so():
        assert time.monotonic() < deadline, f"it is not so after a minute: {what}"
        time.sleep(0.01)


def is_alive(process):
    """Whether a process is there, or with a negative number one of a group."""
    try:
        os.kill(process, 0)
        return True
    except ProcessLookupError:
        return False


def spoken(port, method, path, headers="", body=""):
    """One HTTP exchange; everything that comes back."""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: {len(body.encode())}\r\n{headers}\r\n"
    with socket.create_connection(("127.0.0.1", int(port)), START) as connection:
        connection.sendall((head + body).encode())
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts).decode(errors="replace")


def compiled(source, folder, *options):
    """Compiles a C or C++ program of one file against the header and the library that was built; gives its path."""
    source = ROOT / source
    if source.suffix == ".cpp":
        compiler, standard = os.environ.get("CXX") or "g++", "c++20" if "#include <coroutine>" in source.read_text() else "c++17"
    else:
        compiler, standard = os.environ.get("CC") or "cc", "c11"
    program, library = scratch(folder) / source.stem, places()["library_folder"]
    run([compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'include'}", "-O1", "-g", source,
         "-o", program, f"-L{library}", "-lmcp", f"-Wl,-rpath,{library}", "-pthread", *options]).well()
    return program


def servers():
    """The variables that name the servers for the tests of the bindings."""
    everything = Path(peer("npm")) / "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
    return {name: places()[name.removeprefix("MCP_").lower()] for name in SERVERS} | {"MCP_EVERYTHING_SERVER": json.dumps([peer("node"), str(everything)])}


def official_app():
    """The program of a server with a page (MCP Apps) among the examples of the official package."""
    return Path(peer("npm")) / "node_modules/@modelcontextprotocol/server-cohort-heatmap/dist/index.js"


def says(finished, words):
    """It ended well, with these words among what it printed."""
    missing = [word for word in words if word not in finished.well().stdout]
    assert not missing, f"{missing} are missing: {finished.story()}"


def go_flags(*more):
    """`GOFLAGS` with which programs find the shared library. A flag of the linker compiles nothing; in `CGO_LDFLAGS` it would compile all of Go's
    own library that is above a package with C once more."""
    return " ".join([*more, f"-ldflags=-extldflags=-Wl,-rpath,{places()['stage']['library']}"])


def on_the_crate(serde="serde"):
    """What a program in Rust depends on, with the crate of this checkout and `serde` under a name, and the variables with which it is compiled.
    All have the same features and one folder, so that what they share, the crate included, is compiled once."""
    needs = f'mcp = {{ path = "{ROOT}" }}\n{serde} = {{ package = "serde", version = "1", features = ["derive"] }}\n'
    needs += 'serde_json = { version = "1", features = ["float_roundtrip"] }\n'
    return needs, {"CARGO_TARGET_DIR": str(scratch("crate")), "CARGO_PROFILE_DEV_DEBUG": "false"}


def all_pass(finished):
    """A run that reports as `go test -v` does: it ended well, some test passed and none failed. What was skipped is for the reader."""
    assert "--- PASS: " in finished.well().stdout and "--- FAIL: " not in finished.stdout, finished.story()
    print("\n".join(line for line in finished.stdout.splitlines() if line.startswith("--- ")))


def library():
    """The shared library."""
    return Path(places()["library_folder"]) / "libmcp.so"


def emptied(name):
    """A new folder for the files of one piece of work."""
    folder = scratch(name)
    # Go makes the files of its cache read-only unless it is told otherwise.
    shutil.rmtree(folder)
    folder.mkdir()
    return folder


@contextlib.contextmanager
def signing_keys(folder):
    """Keys of a moment, for both kinds of signatures of a release: the variables for gpg, and the options that name the keys."""
    # Not below the target folder: the path of the agent's socket may be 107 bytes long.
    home = tempfile.mkdtemp(prefix="mcp-gpg-")
    env = {"GNUPGHOME": home}
    try:
        words = ["--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "tried <it@example.com>", "ed25519", "sign", "never"]
        run(["gpg", *words], env=env).well()
        run(["minisign", "-G", "-W", "-p", folder / "key.pub", "-s", folder / "key"]).well()
        yield env, ["--minisign", folder / "key", "--gpg", "it@example.com"]
    finally:
        run(["gpgconf", "--kill", "gpg-agent"], env=env)
        shutil.rmtree(home)


def server_of_python():
    """Variables with which the source tree stays as it is."""
    return {"PYTHONDONTWRITEBYTECODE": "1"}


def begin(request, name, job, at_once=None):
    """Begins the plays of a parameter side by side, those of the tests that were chosen; each test then takes the result of its own."""
    chosen = {}
    for item in request.session.items:
        callspec = getattr(item, "callspec", None)
        if callspec and name in callspec.params and item.function.__module__ == request.module.__name__:
            chosen[callspec.id] = callspec.params[name]
    pool = ThreadPoolExecutor(at_once or os.cpu_count())
    request.addfinalizer(lambda: pool.shutdown(cancel_futures=True))
    return {name: pool.submit(job, play) for name, play in chosen.items()}


def file_name(text):
    """A name as that of a file."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")
