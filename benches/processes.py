"""What a call costs in 1, 2, 4 and 8 processes of one server behind HAProxy, and what it asks a store.

Run as `python3 benches/processes.py --program target/program/release/mcp [--calls N]`, on a machine that does nothing else, with `haproxy`,
`redis-server` and `ab` (apache2-utils), which calls with some connections for each process. The processes are `mcp serve` with one text as a
resource: a call reads it, so that the library and its HTTP are measured and no handler. Times are of the processor, from the system: they say
how the processes scale also where there are fewer cores than processes.
"""

import argparse
import base64
import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = "name: bench\nresources:\n  - name: text\n    uri: bench://text\n    text: some text\n"
# What `--state-keys` does, for builds of the program from before it, too.
KEYS = ["--set", f'request_state.keys=["{base64.b64encode(os.urandom(32)).decode()}"]', "--set", "session_names=sealed"]
# Connections for each process: fewer leave it without work between two calls, and each then costs a wake.
CLIENTS = 8
PATIENCE = 60
MODERN, LEGACY = "2026-07-28", "2025-11-25"
META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'


def free_port():
    with socket.socket() as listens:
        listens.bind(("127.0.0.1", 0))
        return listens.getsockname()[1]


def until(port):
    deadline = time.monotonic() + PATIENCE
    while True:
        with socket.socket() as connection:
            if connection.connect_ex(("127.0.0.1", port)) == 0:
                return
        if time.monotonic() > deadline:
            raise SystemExit(f"nothing listens at port {port}")
        time.sleep(0.01)


@contextlib.contextmanager
def running(words, port, **more):
    with subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **more) as child:
        try:
            until(port)
            yield child
        finally:
            child.send_signal(signal.SIGTERM)


def processor(pid):
    """The seconds of processor that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Wire:
    """One connection, which is opened again where the other side closes it."""

    def __init__(self, port):
        self.port, self.socket = port, None

    def post(self, headers, body):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        self.socket.sendall((
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json, text/event-stream\r\n{headers}Content-Length: {len(body)}\r\n\r\n{body}").encode())
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.more()
        head, _, rest = data.partition(b"\r\n\r\n")
        head = head.decode()
        length = re.search(r"(?i)\r\ncontent-length: *(\d+)", head)
        while length and len(rest) < int(length[1]):
            rest += self.more()
        if not length and " 202" not in head.split("\r\n", 1)[0]:
            raise SystemExit(f"an answer without a length: {head}")
        if re.search(r"(?i)\r\nconnection: *close", head):
            self.socket.close()
            self.socket = None
        return head, rest

    def more(self):
        part = self.socket.recv(65536)
        if not part:
            raise SystemExit("the connection ended inside an answer")
        return part


READ = f'{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{{"uri":"bench://text",{META}}}}}'
READ_HEADERS = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "resources/read", "Mcp-Name": "bench://text"}
READ_LEGACY = '{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"bench://text"}}'


def session(wire):
    """The headers of a session of an older revision."""
    head, _ = wire.post("", (
        f'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"{LEGACY}","capabilities":{{}},'
        '"clientInfo":{"name":"bench","version":"1"}}}'))
    name = re.search(r"(?i)\r\nmcp-session-id: *(\S+)", head)[1]
    headers = {"MCP-Protocol-Version": LEGACY, "Mcp-Session-Id": name}
    lines = "".join(f"{key}: {value}\r\n" for key, value in headers.items())
    wire.post(lines, '{"jsonrpc":"2.0","method":"notifications/initialized"}')
    return headers


def load(folder, port, era, calls, count):
    """So many calls, by some clients at once. Sessions of older revisions, of which each has its process, are as many as those."""
    body = folder / f"body-{era}"
    body.write_text(READ if era == MODERN else READ_LEGACY)
    plays = [READ_HEADERS] if era == MODERN else [session(Wire(port)) for _ in range(2 * count)]
    clients = CLIENTS * count // len(plays)
    running = []
    for headers in plays:
        words = ["ab", "-q", "-k", "-n", calls // len(plays), "-c", clients, "-p", body, "-T", "application/json"]
        for name, value in {"Accept": "application/json, text/event-stream", **headers}.items():
            words += ["-H", f"{name}: {value}"]
        words.append(f"http://127.0.0.1:{port}/mcp")
        running.append(subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True))
    for one in running:
        report, _ = one.communicate()
        failed = re.search(r"Failed requests: +(\d+)", report)
        if one.returncode or failed is None or failed[1] != "0" or "Non-2xx responses" in report:
            raise SystemExit(f"not every call had its result: {report}")


def configuration(ports):
    """That of packaging/balancing with other processes."""
    lines = []
    for line in (ROOT / "packaging/balancing/haproxy.cfg").read_text().splitlines():
        if line.strip().startswith("server a "):
            lines += [f"    server s{number} 127.0.0.1:{port}" for number, port in enumerate(ports)]
        elif not line.strip().startswith("server "):
            # `mcp serve` has its health there.
            lines.append(line.replace("/healthz", "/health"))
    return "\n".join(lines) + "\n"


def evals(redis):
    """How many scripts a store ran, and the microseconds of each."""
    with socket.create_connection(("127.0.0.1", redis), PATIENCE) as connection:
        connection.sendall(b"INFO commandstats\r\nQUIT\r\n")
        text = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    found = re.search(r"cmdstat_eval:calls=(\d+),usec=(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def measured(options, folder, count, store):
    """The microseconds of processor a call, of the servers and of HAProxy, and the scripts a call, for each era."""
    with contextlib.ExitStack() as stack:
        ports = [free_port() for _ in range(count)]
        words = [options.program, "serve", folder / "bench.yaml", *KEYS, *(["--store", f"redis://127.0.0.1:{store}"] if store else [])]
        servers = [stack.enter_context(running([*words, "--listen", f"http://127.0.0.1:{port}/mcp"], port)) for port in ports]
        (folder / "haproxy.cfg").write_text(configuration(ports))
        balanced = free_port()
        haproxy = stack.enter_context(running(
            [options.haproxy, "-q", "-db", "-f", folder / "haproxy.cfg"], balanced, env={**os.environ, "MCP_BIND": f"127.0.0.1:{balanced}"}))
        rows = {}
        for era in (MODERN, LEGACY):
            load(folder, balanced, era, options.calls // 4, count)
            before = sum(processor(server.pid) for server in servers), processor(haproxy.pid), evals(store)[0] if store else 0
            load(folder, balanced, era, options.calls, count)
            after = sum(processor(server.pid) for server in servers), processor(haproxy.pid), evals(store)[0] if store else 0
            servers_us, haproxy_us = ((after[i] - before[i]) * 1e6 / options.calls for i in (0, 1))
            rows[era] = servers_us, haproxy_us, (after[2] - before[2]) / options.calls
        return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=ROOT / "target/program/release/mcp")
    parser.add_argument("--haproxy", default=shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin"))
    parser.add_argument("--redis", default=shutil.which("redis-server"))
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--without-store", action="store_true", help="for a build without the cargo feature `redis`")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = Path(folder)
        (folder / "bench.yaml").write_text(FILE)
        store = free_port()
        stack.enter_context(running([options.redis, "--port", store, "--bind", "127.0.0.1", "--save", "", "--dir", folder], store))
        titles = ["processes", "store", "revision", "servers, µs a call", "of linear", "HAProxy, µs a call", "scripts of the store a call"]
        print(f"| {' | '.join(titles)} |")
        print("|---|---|---|---|---|---|---|")
        first = {}
        plays = [(count, False) for count in (1, 2, 4, 8)] + [(2, True)] * (not options.without_store)
        for count, with_store in plays:
            rows = measured(options, folder, count, store if with_store else None)
            for era, (servers, haproxy, scripts) in rows.items():
                linear = first.setdefault(era, servers) / servers
                cells = [count, "yes" if with_store else "no", era, f"{servers:.0f}", f"{linear:.2f}", f"{haproxy:.0f}", f"{scripts:.4f}"]
                print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
