"""What the tests share: the servers, which `cargo xtask test --only python` names, and waits with a bound."""

import os
import time
import unittest
from pathlib import Path

#: How long something that must happen may take on a busy machine, in seconds.
PATIENCE = 30.0


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
