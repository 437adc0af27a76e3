"""The stores of the folder `stores`, each with the engine that it is for: what every store must do (`conformance.c`, which stands in the place
of the library), what survives a restart, and what is told when the engine is away, wrong or another one. Then tasks of a server: processes of one
(`process.c`) are killed, stopped and closed. What every schedule of them comes to, the simulation of the engine shows; over Redis,
`src/server/store_chaos_tests.rs`."""

import contextlib
import functools
import http.client
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import urllib.request
from pathlib import Path

import pytest
import support

STORES = support.ROOT / "stores"
LIBRARIES = {"sqlite": ["-lsqlite3"], "postgres": ["-I/usr/include/postgresql", "-lpq"], "nats": ["-lnats"]}
PEERS = {"sqlite": "sqlite", "postgres": "libpq", "nats": "libnats"}
PATIENCE = 60


@functools.cache
def program(store):
    """The program for one store."""
    support.peer(PEERS[store])
    to = support.scratch("store") / f"conformance-{store}"
    # What a store reads from its engine may be of others.
    words = [support.peer("cc"), "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    words += ["-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-DREGISTER=mcp_store_{store}_register"]
    words += [f"-I{support.ROOT / 'include'}", f"-I{STORES}", support.ROOT / "tests/store/conformance.c", STORES / "worker.c", STORES / f"{store}.c"]
    support.run([*words, *LIBRARIES[store], "-pthread", "-o", to]).well()
    return to


class Talk:
    """A process that uses a store, and says what that tells."""

    def __init__(self, program, url, errors=None):
        with contextlib.ExitStack() as stack:
            errors = None if errors is None else stack.enter_context(errors.open("w"))
            self.process = subprocess.Popen([program, url, "talk"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
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

    def start(self, *options, port=5432):
        self.port = port
        words = [self.server, "-D", self.folder / "data", "-c", "listen_addresses=", "-k", self.folder, *options]
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(words, user=self.user, group=self.user, cwd=self.folder, stdout=log, stderr=log)
        support.until("PostgreSQL takes connections", lambda: subprocess.run([self.server.parent / "pg_isready", "-q", "-h", self.folder, "-p", str(port)]).returncode == 0)

    def kill(self):
        """All of its processes end at once."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(PATIENCE)

    def do(self, sql):
        self.made("psql", "-q", "-h", self.folder, "-p", str(self.port), "-U", "postgres", "-c", sql)

    def url(self, more=""):
        return f"postgres:///postgres?host={self.folder}&user=postgres{more}"


@contextlib.contextmanager
def postgres(folder, *options, **where):
    server = Postgres(folder)
    server.start(*options, **where)
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


def outlives_a_kill(server, first, second, *options):
    """What it acknowledged is there after a kill, and watches go on. What the store was before, and what it is now."""
    what = first.hears("ready")
    assert second.hears("ready") == what
    assert first.ask("watch c") == "= 0"
    first.hears("missed")
    assert second.ask("put k kept") == "= 0"
    server.kill()
    for talk in [first, second]:
        talk.hears("lost")
    server.start(*options)
    again = first.hears("ready")
    assert second.hears("ready") == again
    first.hears("missed")
    assert second.ask("get k") == "= 0 kept"
    assert second.ask("publish c again") == "= 0"
    assert first.hears("event") == "event again"
    return what, again


def test_postgres_that_is_killed_keeps_what_it_acknowledged(folder):
    use = program("postgres")
    with postgres(folder) as server, Talk(use, server.url()) as first, Talk(use, server.url()) as second:
        what, again = outlives_a_kill(server, first, second)
        assert again == what
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


def test_what_another_user_of_the_database_sends_is_dropped(folder):
    use = program("postgres")
    with postgres(folder) as server, Talk(use, server.url()) as talk:
        talk.hears("ready")
        server.do("CREATE ROLE bob LOGIN")
        assert talk.ask("watch c") == "= 0"
        talk.hears("missed")
        # PostgreSQL asks for no right for a message.
        for text in [r"c", r"c\n", r"c\nx", r"c\nxz0", r"c\nx0", r"c\ny00", r"\n\n"]:
            server.do(f"SET ROLE bob; SELECT pg_notify('mcp_' || md5('c'), E'{text}')")
        assert talk.ask("publish c good") == "= 0"
        # One of no bytes is well formed: the library drops what it cannot open.
        assert [talk.hears("event", "missed", "lost").strip() for _ in range(2)] == ["event", "event good"]
        talk.end()


def test_a_value_that_another_user_made_too_large_is_not_all_fetched(folder):
    use = program("postgres")
    with postgres(folder) as server, Talk(use, server.url()) as talk:
        talk.hears("ready")
        assert talk.ask("put k kept") == "= 0"
        server.do("UPDATE mcp_values SET value = convert_to(repeat('x', 20000000), 'UTF8') WHERE key = 'k'")
        # One byte more than a value has, which the library refuses.
        assert talk.ask("get k") == "= 0 " + "x" * (768 * 1024 + 1)
        talk.end()


def hostile_postgres(listener, answer):
    """A server that lets everyone in and gives one answer to all."""
    def message(kind, body=b""):
        return kind + (len(body) + 4).to_bytes(4, "big") + body

    ready = message(b"Z", b"I")
    with contextlib.suppress(OSError):
        while True:
            client, _ = listener.accept()
            with client, contextlib.suppress(OSError):
                client.recv(8192)
                client.sendall(message(b"R", bytes(4)) + message(b"N", b"SNOTICE\0M\x1b[31mnoticed\0\0") + ready)
                while client.recv(8192):
                    client.sendall(b"".join(message(*one) for one in answer) + ready)


@pytest.mark.parametrize("answer", [
    [(b"T", bytes(2)), (b"D", bytes(2)), (b"C", b"SELECT 1\0")],
    [(b"C", b"SELECT 1\0")],
    [(b"T", bytes(2)), (b"D", b"\0\1" + bytes(4)), (b"C", b"SELECT 1\0")],
    [(b"D", bytes(2)), (b"C", b"SELECT 1\0")],
    [],
], ids=["no columns", "no rows", "other columns", "no form", "nothing"])
def test_a_hostile_postgres_harms_no_program(folder, answer):
    use = program("postgres")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / ".s.PGSQL.5432"))
        listener.listen()
        threading.Thread(target=hostile_postgres, args=(listener, answer), daemon=True).start()
        with Talk(use, f"postgres:///postgres?host={folder}&user=postgres", errors := folder / "errors") as talk:
            assert talk.hears("lost", "ready").startswith("lost")
            assert talk.ask("get k") == "= -4"
            talk.end()
        assert errors.read_text() == ""
        listener.shutdown(socket.SHUT_RDWR)


@functools.cache
def certificates():
    """A folder with an authority, one that no program trusts, and certificates of 127.0.0.1 and localhost, and of another name."""
    made = support.emptied("store-certificates")

    def openssl(*words):
        support.run([support.peer("openssl"), *words], PATIENCE).well()

    for authority in ["ca", "other-ca"]:
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN=test {authority}", "-addext", "basicConstraints=critical,CA:TRUE",
                "-keyout", made / f"{authority}.key", "-out", made / f"{authority}.pem")
    for name, subjects in {"here": "DNS:localhost,IP:127.0.0.1", "elsewhere": "DNS:elsewhere.example"}.items():
        (made / f"{name}.ext").write_text(f"subjectAltName={subjects}\n")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", made / f"{name}.key", "-out", made / f"{name}.csr")
        openssl("x509", "-req", "-in", made / f"{name}.csr", "-CA", made / "ca.pem", "-CAkey", made / "ca.key", "-CAcreateserial", "-days", "2",
                "-extfile", made / f"{name}.ext", "-out", made / f"{name}.pem")
    return made


# The certificate of the server, the authority that the store trusts, the password, and what is told.
TLS = [
    ("here", "ca", "right", "ready"),
    ("here", "other-ca", "right", AUTHORITY := "the authority"),
    ("elsewhere", "ca", "right", NAME := "the name"),
    ("here", "ca", "s3cret", PASSWORD := "the password"),
]
TLS_NAMES = ["well", "another authority", "another name", "another password"]


@pytest.mark.parametrize("server_has, trusted, password, why", TLS, ids=TLS_NAMES)
def test_postgres_is_reached_by_tls_or_told_why_not(folder, server_has, trusted, password, why):
    use, certificate, port = program("postgres"), certificates(), support.free_port()
    for kind in ["pem", "key"]:
        shutil.copy(certificate / f"{server_has}.{kind}", folder / kind)
        (folder / kind).chmod(0o600)
        if os.geteuid() == 0:
            shutil.chown(folder / kind, "postgres")
    shutil.copy(certificate / f"{trusted}.pem", folder / "trusted")
    with postgres(folder, "-c", "listen_addresses=127.0.0.1", "-c", f"port={port}", "-c", "ssl=on", "-c", f"ssl_cert_file={folder}/pem",
                  "-c", f"ssl_key_file={folder}/key", port=port) as server:
        server.do("CREATE ROLE ann LOGIN PASSWORD 'right' SUPERUSER")
        (folder / "data/pg_hba.conf").write_text("local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n")
        server.do("SELECT pg_reload_conf()")
        url = f"postgres://ann:{password}@localhost:{port}/postgres?sslmode=verify-full&sslrootcert={folder}/trusted"
        with Talk(use, url) as talk:
            told = talk.hears("lost", "ready")
        said = {AUTHORITY: "certificate verify failed", NAME: 'does not match host name "localhost"', PASSWORD: "password authentication failed"}.get(why, why)
        assert said in told and "s3cret" not in told


class Nats:
    """A server of its own with its data in a folder."""

    def __init__(self, folder):
        self.folder, self.server, self.port, self.watched = folder, support.peer("nats-server"), support.free_port(), support.free_port()
        self.process = None

    def start(self, *options):
        words = [self.server, "-a", "127.0.0.1", "-p", self.port, "-m", self.watched, *options]
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen([str(word) for word in words], stdout=log, stderr=log)
        support.until("NATS is ready", self.is_ready)

    def is_ready(self):
        assert self.process.poll() is None, (self.folder / "log").read_text()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as client:
            return client.recv(4) == b"INFO"
        return False

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(PATIENCE)

    def request(self, subject, body=""):
        """The answer to a request, over the protocol itself."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as client, client.makefile("rwb") as file:
            file.readline()
            file.write(f'CONNECT {{"verbose":false,"pedantic":false}}\r\nSUB answer 1\r\nPUB {subject} answer {len(body)}\r\n{body}\r\n'.encode())
            file.flush()
            while not (line := file.readline()).startswith(b"MSG"):
                assert line, f"no answer to {subject}"
                if line.startswith(b"PING"):
                    file.write(b"PONG\r\n")
                    file.flush()
            return json.loads(file.read(int(line.split()[-1])))

    def messages(self):
        """How many messages each stream has."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.watched}/jsz?streams=true", timeout=PATIENCE) as answer:
            said = json.load(answer)
        streams = [stream for account in said["account_details"] for stream in account["stream_detail"]]
        return {stream["name"]: stream["state"]["messages"] for stream in streams}

    def url(self, who="", more="", scheme="nats"):
        return f"{scheme}://{who}127.0.0.1:{self.port}{more}"


@contextlib.contextmanager
def nats(folder, *options):
    server = Nats(folder)
    server.start(*(options or ["-js", "-sd", folder / "data"]))
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait(PATIENCE)


def test_nats_does_what_a_store_must(folder):
    use = program("nats")
    with nats(folder) as server:
        support.says(support.run([use, server.url(), "rows", server.url()], 3 * PATIENCE), ["every row is well"])


def test_nats_that_is_killed_keeps_what_it_acknowledged_and_is_another_store(folder):
    use = program("nats")
    with nats(folder) as server, Talk(use, server.url()) as first, Talk(use, server.url()) as second:
        what, again = outlives_a_kill(server, first, second, "-js", "-sd", folder / "data")
        assert again != what
        first.end()
        second.end()


def test_nats_that_hangs_is_lost_and_holds_up_no_end(folder):
    use = program("nats")
    with nats(folder) as server, Talk(use, server.url()) as first, Talk(use, server.url()) as second:
        what = first.hears("ready")
        assert second.hears("ready") == what
        server.process.send_signal(signal.SIGSTOP)
        try:
            assert first.ask("begin k x") == "= 0"
            first.end()
            second.write("put k perhaps")
            assert "in time" in second.hears("lost", "=")
            assert second.hears("=") == "= -5", "perhaps it is done"
        finally:
            server.process.send_signal(signal.SIGCONT)
        assert second.hears("ready") == what
        second.end()


def test_nats_that_is_emptied_is_another_store(folder):
    use = program("nats")
    with nats(folder) as server, Talk(use, server.url()) as first, Talk(use, server.url(more="/other")) as second:
        what = first.hears("ready")
        assert second.hears("ready") != what
        assert first.ask("put k kept") == "= 0"
        assert second.ask("get k") == "= 1"
        # What is kept is not to be purged by mistake; entries are, which each process sees when it looks.
        assert "error" in server.request("$JS.API.STREAM.PURGE.mcp-values")
        assert server.request("$JS.API.STREAM.PURGE.mcp-entries")["success"]
        assert "it was emptied" in first.hears("lost")
        purged = first.hears("ready")
        assert purged != what
        # A stream that others made in the place of one that was deleted takes nothing from one that knew the old one.
        assert server.request("$JS.API.STREAM.DELETE.mcp-values")["success"]
        with Talk(use, server.url()) as third:
            assert third.hears("ready") not in [what, purged]
            first.write("put k other")
            lines = [first.hears("lost", "="), first.hears("=", "ready"), first.hears("=", "ready")]
            assert "= 0" not in lines, lines
            assert third.ask("get k") == "= 1"
            third.end()
        first.end()
        second.end()


def test_nats_removes_what_is_over(folder):
    use = program("nats")
    with nats(folder) as server, Talk(use, server.url()) as talk:
        talk.hears("ready")
        for number in range(300):
            assert talk.ask(f"brief k{number} x") == "= 0"
        for number in range(30):
            assert talk.ask(f"entry s{number % 3} x") == "= 0"
        assert talk.ask("put stays x") == "= 0"
        # The clock and the mark stay as well.
        support.until("what is over is gone", lambda: server.messages() == {"mcp-values": 2, "mcp-entries": 1})
        assert talk.ask("get stays") == "= 0 x"
        talk.end()


@pytest.mark.parametrize("options, who, why", [
    (["-a", "127.0.0.1"], "", "start nats-server with -js"),
    (["-js", "--user", "ann", "--pass", "right"], "ann:s3cret@", "refuses the user or the password"),
    (["-js", "--auth", "right"], "s3cret@", "refuses the user or the password"),
], ids=["no JetStream", "password", "token"])
def test_nats_that_cannot_be_used_is_told_without_what_is_secret(folder, options, who, why):
    use = program("nats")
    with nats(folder, *options, "-sd", folder / "data") as server, Talk(use, server.url(who)) as talk:
        told = talk.hears("lost", "ready")
        assert why in told and "s3cret" not in told


def test_a_cluster_of_nats_is_used_if_its_servers_refuse_the_second_of_two_writes(folder):
    """Servers before 2.11 take both, now and then."""
    use, routes = program("nats"), [support.free_port() for _ in range(3)]
    to = ",".join(f"nats://127.0.0.1:{port}" for port in routes)
    servers = []
    try:
        for number, port in enumerate(routes):
            (folder / str(number)).mkdir()
            servers.append(Nats(folder / str(number)))
            servers[-1].start("-js", "-sd", folder / str(number) / "data", "-n", f"s{number}", "--cluster", f"nats://127.0.0.1:{port}",
                              "--cluster_name", "c", "--routes", to)
        told = []

        def is_told():
            with Talk(use, servers[0].url(more="?replicas=3")) as talk:
                told.append(talk.hears("lost", "ready"))
            return "2.11" in told[-1] or told[-1].startswith("ready")

        # Until it has a leader it does not answer, or refuses.
        support.until("the cluster has a leader", is_told)
        version = support.run([servers[0].server, "--version"]).well().stdout.split("v")[-1].split(".")
        is_new = (int(version[0]), int(version[1])) >= (2, 11)
        assert told[-1].startswith("ready" if is_new else "lost"), told
        if is_new:
            urls = [server.url(more="?replicas=3") for server in servers]
            support.says(support.run([use, urls[0], "rows", urls[1]], 3 * PATIENCE), ["every row is well"])
    finally:
        for server in servers:
            server.process.kill()
            server.process.wait(PATIENCE)


def test_nats_whose_streams_forget_is_told(folder):
    use = program("nats")
    with nats(folder) as server:
        for more in [{"discard": "old"}, {"discard": "new", "max_age": 10**9}, {"discard": "new", "storage": "memory"}, {"discard": "new"}]:
            config = {"name": "mcp-values", "subjects": ["mcp1v.0.*"], "storage": "file", "max_msgs_per_subject": 1, "retention": "limits", **more}
            assert "error" not in server.request("$JS.API.STREAM.CREATE.mcp-values", json.dumps(config)), more
            with Talk(use, server.url()) as talk:
                assert "the stream 'mcp-values': it " in talk.hears("lost", "ready")
            server.request("$JS.API.STREAM.DELETE.mcp-values")


@pytest.mark.parametrize("url", [
    "nats://", "nats:x", "nats://a:s3cret@", "nats://:s3cret@h", "nats://a:s3cret%zz@h", "nats://h/a.b", "nats://h?ca=", "nats://h?x=s3cret",
    "nats://h?replicas=9", "nats://a:s3cret@h,,i", "nats://a:s3cret/h@i", "nats://" + ",".join("hhhhhhhhh"),
])
def test_a_url_of_nats_that_cannot_be_read_is_told_without_what_is_secret(url):
    told = support.run([program("nats"), url, "rows"]).stderr
    assert "it is not nats:// or tls://" in told and "s3cret" not in told


@pytest.mark.parametrize("server_has, trusted, password, why", TLS, ids=TLS_NAMES)
def test_nats_is_reached_by_tls_or_told_why_not(folder, server_has, trusted, password, why):
    use, certificate = program("nats"), certificates()
    with nats(folder, "-js", "-sd", folder / "data", "--user", "ann", "--pass", "right", "--tls", "--tlscert", certificate / f"{server_has}.pem",
              "--tlskey", certificate / f"{server_has}.key") as server:
        with Talk(use, server.url(f"ann:{password}@", f"?ca={certificate / trusted}.pem", "tls")) as talk:
            told = talk.hears("lost", "ready")
        said = {AUTHORITY: "unable to get local issuer certificate", NAME: "mismatch", PASSWORD: "refuses the user or the password"}.get(why, why)
        assert said in told and "s3cret" not in told


def test_nats_without_tls_gets_no_password_where_tls_is_wanted(folder):
    with nats(folder) as server, Talk(program("nats"), server.url("ann:s3cret@", scheme="tls")) as talk:
        told = talk.hears("lost", "ready")
        assert "does not speak TLS" in told and "s3cret" not in told


@functools.cache
def installed():
    """The stores in a prefix, as their CMakeLists.txt builds and installs them."""
    cmake, build, prefix = support.peer("cmake"), support.emptied("store-build"), support.emptied("store-prefix")
    for words in [["-S", STORES, "-B", build, "-DCMAKE_INSTALL_LIBDIR=lib", f"-DCMAKE_C_COMPILER={support.peer('cc')}"], ["--build", build],
                  ["--install", build, "--prefix", prefix]]:
        support.run([cmake, *words]).well()
    return prefix


@pytest.mark.parametrize("scheme", ["sqlite", "nats", "postgres"])
def test_a_store_is_loaded_where_a_url_has_its_scheme(folder, scheme):
    # The program has the library inside, and shows its functions to no other file.
    doctor = [support.places()["program"], "doctor", "--store"]
    env = {"LD_LIBRARY_PATH": installed() / "lib"}
    with contextlib.ExitStack() as stack:
        if scheme == "sqlite":
            url = f"file:{folder / 'store'}"
        else:
            url = stack.enter_context({"nats": nats, "postgres": postgres}[scheme](folder)).url()
        told = support.run([*doctor, url], env=env).well().stdout
        assert "it can be used" in told and "publishing" in told, told
    support.run([*doctor, url], env={"LD_LIBRARY_PATH": None}).refused(1, f"install libmcp-store-{scheme}, or link it and call mcp_store_{scheme}_register()")
    nowhere = f"ann:s3cret@127.0.0.1:{support.free_port()}/x"
    away = {"sqlite": f"file:{folder / 'missing' / 'store'}", "nats": f"nats://{nowhere}", "postgres": f"postgres://{nowhere}?password=s3cret"}
    found = support.run([*doctor, away[scheme]], env=env)
    assert found.code == 6 and "fault" in found.stdout and "s3cret" not in found.stdout + found.stderr, found.story()


PROGRAM = """
#include <mcp_stores.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Prints the server's store as soon as it is ready. */
int main(int count, char **words) {
    char *error = NULL, *info = NULL;
    mcp_server_t *server = NULL;
    if (count != 2 || mcp_store_sqlite_register(&error) != MCP_OK || mcp_server_new(words[1], NULL, &server, &error) != MCP_OK) {
        puts(error == NULL ? "not registered" : error);
        return 1;
    }
    const struct timespec moment = {.tv_nsec = 10000000};
    for (int n = 0; n < 6000; n++, nanosleep(&moment, NULL)) {
        if (mcp_server_info(server, &info, NULL) == MCP_OK && strstr(info, "\\"ready\\":true") != NULL) {
            puts("it is ready");
            mcp_string_free(info);
            mcp_server_free(server);
            return 0;
        }
        mcp_string_free(info);
    }
    return 2;
}
"""


@pytest.mark.parametrize("is_static", [False, True], ids=["shared", "static"])
def test_a_program_links_a_store_and_calls_one_function(folder, is_static):
    prefix, stage = installed(), support.places()["stage"]
    (folder / "program.c").write_text(PROGRAM)
    paths = {"PKG_CONFIG_PATH": f"{prefix / 'lib/pkgconfig'}:{stage['pkgconfig']}"}
    flags = support.run([support.peer("pkg-config"), "--cflags", "--libs", *(["--static"] if is_static else []), "mcp-store-sqlite"], env=paths).well().stdout.split()
    if is_static:
        flags = [f"-l:lib{flag[2:]}.a" if flag == "-lmcp-store-sqlite" else flag for flag in flags]
    support.run([support.peer("cc"), "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", folder / "program.c", "-o", folder / "program", *flags]).well()
    config = {"name": "s", "request_state": {"keys": ["AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="]}, "store": {"url": f"file:{folder / 'store'}"}}
    env = {"LD_LIBRARY_PATH": f"{'' if is_static else prefix / 'lib'}:{stage['library']}"}
    support.says(support.run([folder / "program", json.dumps(config)], env=env), ["it is ready"])


@pytest.mark.parametrize("store", ["sqlite", "postgres", "nats"])
def test_what_each_operation_costs_is_printed(folder, store):
    """`-s -k costs` shows it."""
    with contextlib.ExitStack() as stack:
        if store == "sqlite":
            url = f"file:{folder / 'store'}"
        else:
            url = stack.enter_context({"nats": nats, "postgres": postgres}[store](folder)).url()
        told = support.run([program(store), url, "costs"], 3 * PATIENCE).well().stdout
    print(f"\n{store}\n{told}")
    assert [line.split()[0] for line in told.splitlines()] == ["claim", "get", "update", "append", "read", "publish"]


# ---- tasks of several processes ----

LEASE_MS = 3000
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}},
}


@functools.cache
def server_program(store):
    """A process of a server, with one store."""
    support.peer(PEERS[store])
    words = [f"-DREGISTER=mcp_store_{store}_register", f"-I{STORES}", STORES / "worker.c", STORES / f"{store}.c", *LIBRARIES[store]]
    return support.compiled("tests/store/process.c", f"store-{store}", *words)


class Process:
    """A process of the server."""

    def __init__(self, program, url):
        self.port = support.free_port()
        words = [program, url, str(self.port), str(LEASE_MS)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # One that hangs is ended, and then its output ends, too.
        self.alarm = threading.Timer(4 * PATIENCE, self.process.kill)
        self.alarm.start()
        assert self.hears("serves") == []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.alarm.cancel()
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def hears(self, word):
        """The rest of the next line, which begins with the word."""
        line = self.process.stdout.readline().split()
        assert line and line[0] == word, f"{line} is not {word}"
        return line[1:]

    def does(self, line):
        """What its handler says; gives what became of that."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.hears("answered")[1]

    def ask(self, method, params):
        name = params.get("taskId") or params.get("name")
        headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name, "Content-Type": "application/json"}
        headers["Accept"] = "application/json, text/event-stream"
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params | {"_meta": META}})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", "/mcp", body, headers)
        text = connection.getresponse().read().decode()
        connection.close()
        lines = [line.removeprefix("data: ") for line in text.splitlines()]
        answers = [json.loads(line) for line in lines if line.startswith("{")]
        assert answers, text
        return answers[-1]

    def begin(self, **options):
        """The name of a new task, and the number of its call."""
        made = {}

        def is_made():
            made.update(self.ask("tools/call", {"name": "work", "arguments": options}))
            return made.get("result", {}).get("resultType") == "task"

        support.until("a task begins", is_made)
        number, attempt = self.hears("begun")
        assert attempt == "1"
        return made["result"]["taskId"], number

    def get(self, task):
        return self.ask("tasks/get", {"taskId": task}).get("result", {})

    def until(self, task, status):
        found = {}

        def is_so():
            found.update(self.get(task))
            return found.get("status") == status

        support.until(f"the task is {status}", is_so)
        return found

    def is_lost(self, task, attempt=1):
        found = self.until(task, "failed")
        assert found["error"]["data"] == {"reason": "worker_lost", "attempt": attempt}, found

    def close(self):
        self.process.stdin.close()
        assert self.hears("closed") == ["ok"]
        assert self.process.wait(PATIENCE) == 0


def text_of(found):
    return found["result"]["content"][0]["text"]


@pytest.fixture(params=["postgres", "nats"])
def processes(request, folder):
    use, engine = server_program(request.param), {"postgres": postgres, "nats": nats}[request.param]
    with engine(folder) as server, Process(use, server.url()) as one, Process(use, server.url()) as two, Process(use, server.url()) as three:
        yield one, two, three


def test_tasks_of_a_killed_process_of_three_fail_once_or_begin_again_once(processes):
    one, two, three = processes
    plain, _ = one.begin()
    again, _ = one.begin(attempts=2)
    done, number = one.begin()
    assert one.does(f"text {number} kept") == "ok"
    large, number = one.begin()
    assert one.does(f"fill {number} {4 << 20}") == "ok"
    assert text_of(two.until(done, "completed")) == "kept"
    assert len(text_of(three.until(large, "completed"))) == 4 << 20
    one.process.kill()
    # The other two look after its tasks, although no client asks.
    others = {process.process.stdout: process for process in [two, three]}
    heard, _, _ = select.select(list(others), [], [], PATIENCE)
    assert len(heard) == 1, "one begins it again"
    at = others[heard[0]]
    number, attempt = at.hears("begun")
    assert attempt == "2"
    two.is_lost(plain)
    three.is_lost(plain)
    assert at.does(f"text {number} second") == "ok"
    for process in [two, three]:
        assert text_of(process.until(again, "completed")) == "second"
        assert text_of(process.until(done, "completed")) == "kept"
    assert not select.select(list(others), [], [], 0)[0], "and no other"


def test_a_process_that_is_stopped_for_longer_than_its_lease_changes_nothing_afterwards(processes):
    one, two, three = processes
    task, number = one.begin()
    one.process.send_signal(signal.SIGSTOP)
    two.is_lost(task)
    one.process.send_signal(signal.SIGCONT)
    assert one.does(f"text {number} late") in ["ok", "cancelled", "empty"]
    for process in processes:
        process.is_lost(task)
    # It goes on with other tasks.
    task, number = one.begin()
    assert one.does(f"text {number} well") == "ok"
    assert text_of(three.until(task, "completed")) == "well"


def test_a_process_that_closes_leaves_its_tasks_to_others_at_once(folder):
    use = server_program("postgres")
    with postgres(folder) as server, Process(use, server.url()) as one, Process(use, server.url()) as two:
        plain, _ = one.begin()
        again, _ = one.begin(attempts=2)
        one.close()
        number, attempt = two.hears("begun")
        assert attempt == "2"
        two.is_lost(plain)
        assert two.does(f"text {number} second") == "ok"
        assert text_of(two.until(again, "completed")) == "second"


def test_tasks_in_a_file_survive_their_process(folder):
    use, url = server_program("sqlite"), f"file:{folder / 'store'}"
    with Process(use, url) as one:
        done, number = one.begin()
        assert one.does(f"fill {number} {1 << 20}") == "ok"
        one.until(done, "completed")
        plain, _ = one.begin()
        again, _ = one.begin(attempts=2)
        one.process.kill()
        one.process.wait(PATIENCE)
    with Process(use, url) as two:
        number, attempt = two.hears("begun")
        assert attempt == "2"
        two.is_lost(plain)
        assert len(text_of(two.until(done, "completed"))) == 1 << 20
        assert two.does(f"text {number} second") == "ok"
        assert text_of(two.until(again, "completed")) == "second"


class Visitor:
    """A client of 2025-11-25 with a session, which goes to any process."""

    def __init__(self, first):
        self.session = None
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
        opened = self.reads(first, "POST", {"id": 0, "method": "initialize", "params": params})
        self.session = opened.answer.headers["Mcp-Session-Id"]
        opened.leaves()
        self.reads(first, "POST", {"method": "notifications/initialized"})

    def calls(self, at):
        """A call whose answer comes as events."""
        params = {"name": "work", "arguments": {"plain": True}, "_meta": {"progressToken": "p"}}
        return self.reads(at, "POST", {"id": 7, "method": "tools/call", "params": params})

    def comes_back(self, to, last):
        return self.reads(to, "GET", last=last)

    def is_kept(self, to, before):
        """Whether an event follows there."""
        stream = self.comes_back(to, before)
        found = stream.answer.status == 200 and stream.next() is not None
        stream.leaves()
        return found

    def reads(self, to, method, body=None, last=None):
        """What a process answers. Its store may not be there yet."""
        headers = {"Accept": "text/event-stream" if self.session else "application/json, text/event-stream", "Content-Type": "application/json"}
        headers |= {"Mcp-Session-Id": self.session} if self.session else {}
        headers |= {"Last-Event-ID": last} if last else {}
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", to.port, timeout=PATIENCE)
            connection.request(method, "/mcp", json.dumps({"jsonrpc": "2.0", **body}) if body else None, headers)
            stream = Stream(connection, connection.getresponse())
            if stream.answer.status != 200:
                stream.leaves()
            if stream.answer.status != 503:
                return stream


class Stream:
    """Events as they come."""

    def __init__(self, connection, answer):
        self.connection, self.answer, self.last = connection, answer, None

    def next(self):
        """The message of the next event; `None` at the end."""
        message = None
        for line in iter(self.answer.readline, b""):
            field, _, value = line.decode().strip().partition(":")
            if field == "id":
                self.last = value.strip()
            elif field == "data" and value.strip():
                message = json.loads(value)
            elif not line.strip() and message is not None:
                return message
        self.leaves()
        return None

    def leaves(self):
        self.answer.close()
        self.connection.close()
        return self.last


def is_answer(message, text):
    return message["id"] == 7 and message["result"]["content"][0]["text"] == text


def test_a_stream_is_read_on_at_another_process(processes):
    one, two, three = processes
    visitor = Visitor(two)
    stream = visitor.calls(one)
    number, _ = one.hears("begun")
    assert one.does(f"progress {number} 1") == "ok"
    assert stream.next()["params"]["progress"] == 1
    # While it reads nowhere more is sent, and more while it reads elsewhere.
    last = stream.leaves()
    # It is kept soon after it is sent.
    before = last.replace("-1", "-0")
    support.until("it is kept", lambda: visitor.is_kept(two, before))
    assert one.does(f"progress {number} 2") == "ok"
    stream = visitor.comes_back(three, last)
    assert stream.next()["params"]["progress"] == 2
    assert one.does(f"progress {number} 3") == "ok"
    assert stream.next()["params"]["progress"] == 3
    last = stream.leaves()
    assert one.does(f"fill {number} {300_000}") == "ok"
    stream = visitor.comes_back(two, last)
    assert is_answer(stream.next(), "x" * 300_000)
    assert stream.next() is None
    # It has all of it now. A stream of another session is not there for it.
    assert visitor.comes_back(three, stream.last).answer.status == 204
    assert Visitor(three).comes_back(two, last).answer.status == 400


def test_a_stream_of_a_killed_process_ends_with_one_error_and_one_of_a_stopped_process_too(processes):
    one, two, three = processes
    visitor = Visitor(two)
    for end in [signal.SIGSTOP, signal.SIGKILL]:
        stream = visitor.calls(one)
        number, _ = one.hears("begun")
        assert one.does(f"progress {number} 1") == "ok"
        assert stream.next()["params"]["progress"] == 1
        last = stream.leaves()
        # It is kept soon after it is sent.
        before = last.replace("-1", "-0")
        support.until("it is kept", lambda: visitor.is_kept(two, before))
        one.process.send_signal(end)
        for process in [two, three, two]:
            stream = visitor.comes_back(process, last)
            assert stream.answer.status == 200
            message = stream.next()
            assert message["id"] == 7 and message["error"]["data"] == {"reason": "worker_lost"}, message
            assert stream.next() is None
        if end == signal.SIGSTOP:
            # What it says afterwards is not heard: there is one answer.
            one.process.send_signal(signal.SIGCONT)
            assert one.does(f"text {number} late") in ["ok", "cancelled", "empty"]
            again = visitor.comes_back(three, last)
            assert again.next()["error"]["data"] == {"reason": "worker_lost"}
            assert again.next() is None
