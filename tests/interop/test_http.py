"""Servers that others made, over HTTP in every shape that they have, used by `http.c`, which restarts them in between."""

import json

import pytest
import support
from interop import plans


def of_python(name, transport):
    return [support.peer(name), support.ROOT / "tests/servers/python/server.py", transport, "{port}"]


# What starts a server; {port} is filled in where it does not look into its environment.
SERVERS = {
    "everything": lambda: [*plans.reference_server("everything"), "streamableHttp"],
    "everything, SSE": lambda: [*plans.reference_server("everything"), "sse"],
    "python 1.x": lambda: of_python("python-1", "streamable-http"),
    "python 1.x, SSE": lambda: of_python("python-1", "sse"),
    "python 2.x": lambda: of_python("python-2", "streamable-http"),
    "typescript": plans.typescript_server,
}

# A name; the server, the path, the protocol, the revision, the plan. Of the plans for everything one has a tool that runs as a task, which
# 2025-11-25 alone has. In the modern era the SDKs ask back only through another interface.
CASES = {
    "everything, streamable HTTP": ("everything", "/mcp", "auto", "2025-11-25", "http-everything-tasks"),
    "everything, streamable HTTP, 2025-03-26": ("everything", "/mcp", "2025-03-26", "2025-03-26", "http-everything"),
    "everything, HTTP+SSE": ("everything, SSE", "/sse", "auto", "2025-11-25", "http-everything-tasks"),
    "python 1.x, streamable HTTP": ("python 1.x", "/mcp", "auto", "2025-11-25", "http-ours"),
    "python 1.x, streamable HTTP, 2025-06-18": ("python 1.x", "/mcp", "2025-06-18", "2025-06-18", "http-ours"),
    "python 1.x, HTTP+SSE": ("python 1.x, SSE", "/sse", "auto", "2025-11-25", "http-ours"),
    "python 2.x, modern": ("python 2.x", "/mcp", "auto", "2026-07-28", "http-ours-unasked"),
    "python 2.x, legacy": ("python 2.x", "/mcp", "legacy", "2025-11-25", "http-ours"),
    "typescript 2.x, modern": ("typescript", "/mcp", "auto", "2026-07-28", "http-typescript"),
    "typescript 2.x, legacy": ("typescript", "/mcp", "legacy", "2025-11-25", "http-ours-unasked"),
}


def play(program, server, path, protocol, revision, plan):
    port = str(support.free_port())
    words = [str(word).replace("{port}", port) for word in SERVERS[server]()]
    given = [port, path, protocol, revision, json.dumps(plans.plan(plan))]
    support.run([program, *given, *words], cwd=support.scratch("interop-http")).well()


@pytest.fixture(scope="module")
def plays(request):
    program = support.compiled("tests/interop/http.c", "interop-http")
    return support.begin(request, "case", lambda case: play(program, *case))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_over_http(plays, case, request):
    plays[request.node.callspec.id].result()
