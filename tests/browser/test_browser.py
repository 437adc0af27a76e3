"""A page in a browser that others made, headless Chromium, calls our server over HTTP by `fetch`: from an origin that the server allows
everything works, and from another one nothing does."""

import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import support

PAGE = support.ROOT / "tests/browser/page.html"
# What the page checks.
CHECKS = ["initialize", "tools/call", "event stream", "notification stream", "end of the session", "modern era"]
# A browser takes its time to start on a busy machine.
LIMIT = support.LIMIT
# Without these, Chromium looks for updates and the like, which waits where no network is.
QUIET = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-port=0",
]


class Origin(ThreadingHTTPServer):
    """A server of the page at a port of its own, which takes what the page saw."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Pages)
        self.url, self.seen = f"http://127.0.0.1:{self.server_port}", queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A browser opens connections in advance, and closes them unused: nothing comes of it."""


class Pages(BaseHTTPRequestHandler):
    def do_GET(self):
        found = self.path.startswith("/?")
        body = PAGE.read_bytes() if found else b""
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers["Content-Length"]), 64 << 10))
        self.send_response(204 if self.path == "/outcome" else 404)
        self.end_headers()
        if self.path == "/outcome":
            self.server.seen.put(body.decode())

    def log_message(self, *_):
        """The page tells what it saw."""


@pytest.fixture(scope="module")
def origins():
    with Origin() as allowed, Origin() as other:
        yield {"allowed": allowed, "other": other}
        allowed.shutdown()
        other.shutdown()


@pytest.fixture(scope="module")
def server(origins):
    program = support.compiled("tests/interop-server/server.c", "browser")
    with support.Served([program, "--http", origins["allowed"].url], support.scratch("browser") / "server.log") as served:
        yield served.first_line()
        assert served.end(LIMIT) == 0, served.log.read_text()


@pytest.mark.parametrize("name, outcome", [("allowed", "ok {}"), ("other", "failed {}: TypeError: Failed to fetch")])
def test_a_page_of_an_origin(origins, server, name, outcome):
    """Every check works, or each fails because the browser did not let the page have the answer."""
    folder = support.emptied(f"browser/{name}")
    words = [support.peer("chromium"), *QUIET, f"--user-data-dir={folder}", f"{origins[name].url}/?server={server}"]
    with support.Served(words, folder.with_suffix(".log")):
        seen = origins[name].seen.get(timeout=LIMIT).splitlines()
    assert len(seen) == len(CHECKS)
    for check, line in zip(CHECKS, seen):
        wanted = outcome.format(check)
        assert line == wanted if name == "allowed" else line.startswith(wanted)
