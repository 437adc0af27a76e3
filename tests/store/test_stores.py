"""The stores of the folder `stores`, each with the engine that it is for: what every store must do (`conformance.c`, which stands in the place
of the library), what survives a restart, and what is told when the engine is away, wrong or another one."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest
import support

STORES = support.ROOT / "stores"
LIBRARIES = {"sqlite": ["-lsqlite3"], "postgres": ["-I/usr/include/postgresql", "-lpq"]}
PATIENCE = 60


def program(store):
    """The program for one store."""
    support.peer({"sqlite": "sqlite", "postgres": "libpq"}[store])
    to = support.scratch("store") / f"conformance-{store}"
    words = [support.peer("cc"), "-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-DREGISTER=mcp_store_{store}_register"]
    words += [f"-I{support.ROOT / 'include'}", f"-I{STORES}", support.ROOT / "tests/store/conformance.c", STORES / "worker.c", STORES / f"{store}.c"]
    support.run([*words, *LIBRARIES[store], "-pthread", "-o", to]).well()
    return to


class Talk:
    """A process that uses a store, and says what that tells."""

    def __init__(self, program, url):
        self.process = subprocess.Popen([program, url, "talk"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # One that hangs is ended, and then its output ends, too.
        self.alarm = threading.Timer(2 * PATIENCE, self.process.kill)
        self.alarm.start()
        # What the store told from its own thread before an answer.
        self.told = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.alarm.cancel()
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def lines(self):
        while self.told:
            yield self.told.pop(0)
        for line in self.process.stdout:
            yield line.strip()

    def hears(self, *words):
        """The next line that begins with one of the words."""
        for line in self.lines():
            if line.split(" ", 1)[0] in words:
                return line
        raise AssertionError(f"it ended before it said one of {words}")

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line):
        """The answer. What the store tells meanwhile is heard later."""
        self.write(line)
        told = []
        for line in self.lines():
            if line.startswith("="):
                self.told = told
                return line
            told.append(line)
        raise AssertionError("it ended before it answered")

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0


@pytest.fixture
def folder():
    """A folder that another user may enter: PostgreSQL does not run as root. It is not below pytest's own one, to which each run of pytest that
    begins beside this one gives its owner's rights alone."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="mcp-store-") as made:
        path = Path(made)
        path.chmod(0o711)
        yield path


class Postgres:
    """A server of its own at a socket in a folder."""

    def __init__(self, folder):
        self.folder, self.server = folder, Path(support.peer("postgres"))
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(folder, self.user)
        self.made("initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres", "--no-sync")
        self.process = None

    def made(self, name, *words):
        finished = subprocess.run([self.server.parent / name, *words], user=self.user, group=self.user, cwd=self.folder, capture_output=True, text=True)
        assert finished.returncode == 0, finished.stdout + finished.stderr

    def start(self, *options):
        words = [self.server, "-D", self.folder / "data", "-c", "listen_addresses=", "-k", self.folder, *options]
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(words, user=self.user, group=self.user, cwd=self.folder, stdout=log, stderr=log)
        support.until("PostgreSQL takes connections", lambda: subprocess.run([self.server.parent / "pg_isready", "-q", "-h", self.folder]).returncode == 0)

    def kill(self):
        """All of its processes end at once."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(PATIENCE)

    def do(self, sql):
        self.made("psql", "-q", "-h", self.folder, "-U", "postgres", "-c", sql)

    def url(self, more=""):
        return f"postgres:///postgres?host={self.folder}&user=postgres{more}"


@contextlib.contextmanager
def postgres(folder, *options):
    server = Postgres(folder)
    server.start(*options)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait(PATIENCE)


def test_a_file_does_what_a_store_must(folder):
    support.says(support.run([program("sqlite"), f"file:{folder / 'store'}", "rows"], 3 * PATIENCE), ["every row is well"])


def test_a_file_survives_its_process_and_is_used_by_one_at_a_time(folder):
    use, url = program("sqlite"), f"file:{folder / 'store'}"
    with Talk(use, url) as first:
        what = first.hears("ready")
        assert first.ask("put k kept") == "= 0"
        with Talk(use, url) as second:
            assert "another process uses it" in second.hears("lost")
            first.process.kill()
            assert second.hears("ready") == what
            assert second.ask("get k") == "= 0 kept"
            second.end()
    for path in folder.iterdir():
        path.unlink()
    with Talk(use, url) as third:
        assert third.hears("ready") != what, "a new file is another store"
        assert third.ask("get k") == "= 1"


def test_a_file_that_cannot_be_opened_is_told(folder):
    use = program("sqlite")
    with Talk(use, f"file:{folder / 'missing' / 'store'}") as talk:
        assert "unable to open" in talk.hears("lost", "ready")
    (folder / "text").write_text("no database " * 1000)
    with Talk(use, f"file:{folder / 'text'}") as talk:
        assert "not a database" in talk.hears("lost", "ready")
    for url in ["file:", "file:x?mode=ro"]:
        assert "is not 'file:' and the path" in support.run([use, url, "rows"]).stderr


def test_postgres_does_what_a_store_must(folder):
    use = program("postgres")
    with postgres(folder) as server:
        support.says(support.run([use, server.url(), "rows", server.url()], 3 * PATIENCE), ["every row is well"])


def test_postgres_that_is_killed_keeps_what_it_acknowledged(folder):
    use = program("postgres")
    with postgres(folder) as server, Talk(use, server.url()) as first, Talk(use, server.url()) as second:
        what = first.hears("ready")
        assert second.hears("ready") == what
        assert first.ask("watch c") == "= 0"
        first.hears("missed")
        assert second.ask("put k kept") == "= 0"
        server.kill()
        for talk in [first, second]:
            talk.hears("lost")
        server.start()
        assert [first.hears("ready"), second.hears("ready")] == [what, what]
        first.hears("missed")
        assert second.ask("get k") == "= 0 kept"
        assert second.ask("publish c again") == "= 0"
        assert first.hears("event") == "event again"
        server.do("DELETE FROM mcp_store; INSERT INTO mcp_store VALUES (1, 'other')")
        # A write finds it if no look was before it: the store that was there took none.
        second.write("put k other")
        lines = [second.hears("lost"), second.hears("=", "ready")]
        assert "it was emptied" in lines[0]
        lines.append(second.hears("=", "ready"))
        assert f"ready {what}" not in lines and (lines[1].startswith("ready") or "= 0" not in lines), lines
        first.end()
        second.end()


@pytest.mark.parametrize("options, more, why", [
    (["-c", "fsync=off"], "", "fsync is off"),
    ([], "&dbname=missing", "does not exist"),
], ids=["fsync", "database"])
def test_postgres_that_cannot_be_used_is_told(folder, options, more, why):
    use = program("postgres")
    with postgres(folder, *options) as server, Talk(use, server.url(more)) as talk:
        assert why in talk.hears("lost", "ready")


def test_a_password_of_postgres_is_not_told(folder):
    use = program("postgres")
    with postgres(folder) as server:
        server.do("CREATE ROLE ann LOGIN PASSWORD 'right'")
        (folder / "data/pg_hba.conf").write_text("local all ann scram-sha-256\nlocal all all trust\n")
        server.do("SELECT pg_reload_conf()")
        with Talk(use, f"postgres://ann:s3cret@/postgres?host={folder}") as talk:
            why = talk.hears("lost", "ready")
            assert "password authentication failed" in why and "s3cret" not in why
    refused = support.run([use, "postgres://ann:s3cret@h:port:1/%zz", "rows"]).stderr
    assert "that libpq can read" in refused and "s3cret" not in refused
