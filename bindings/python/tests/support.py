"""What the tests share: the servers, which `cargo xtask test --only python` names, and waits with a bound."""

import json
import os
import subprocess
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

#: How long something that must happen may take on a busy machine, in seconds.
PATIENCE = 60.0


def server(variable, *arguments):
    command = os.environ.get(variable)
    if not command:
        raise unittest.SkipTest(f"{variable} names no server; run `cargo xtask test --only python`")
    return {"command": command, "args": list(arguments)}


def example(*arguments, **more):
    return {**server("MCP_EXAMPLE_SERVER", *arguments), **more}


def scripted(*arguments, **more):
    return {**server("MCP_SCRIPTED_SERVER", *arguments), **more}


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.002)


def children():
    return {
        child
        for task in Path("/proc/self/task").iterdir()
        for child in (task / "children").read_text().split()
    }


def resident_kb():
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("/proc/self/status has no VmRSS")


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Web:
    """The server over HTTP that misbehaves by script, and the port on which it is asked and told."""

    def __init__(self, *arguments, port=0):
        program = server("MCP_SCRIPTED_HTTP")["command"]
        words = [program, "--life", "300", "--port", str(port), *arguments]
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.port, self._control = int(self._process.stdout.readline()), int(self._process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}/mcp"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()

    def is_running(self):
        return self._process.poll() is None

    def stats(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self._control}/stats") as answer:
            return json.load(answer)

    def calls(self):
        return self.stats()["rpc"].get("tools/call", 0)

    def heard_of_cancelling(self):
        """By a notification in the legacy era, by the end of the exchange in the modern one."""
        stats = self.stats()
        return stats["rpc"].get("notifications/cancelled", 0) + stats["abandoned"]


def browse(url):
    """A person with a browser, who does what the page says."""
    with urllib.request.urlopen(url) as answer:
        answer.read()


class _Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def redirected(url):
    """Where a page sends the browser, which does not go there."""
    try:
        urllib.request.build_opener(_Stays).open(url)
    except urllib.error.HTTPError as redirect:
        with redirect:
            return redirect.headers["Location"]
    raise AssertionError(f"{url} does not redirect")
