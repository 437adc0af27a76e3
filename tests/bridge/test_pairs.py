"""Every transport and era on one side of the bridge with every one on the other: the program of the compatibility matrix
(`tests/interop/matrix.c`) uses servers of others through it."""

import itertools
import json
from typing import NamedTuple

import pytest
import support
from interop import plans


class Side(NamedTuple):
    name: str
    transport: str
    is_modern: bool
    # That of a client on this side.
    revision: str


SIDES = [
    Side("stdio, legacy", "stdio", False, "2025-11-25"),
    Side("stdio, modern", "stdio", True, "2026-07-28"),
    Side("HTTP, legacy", "http", False, "2025-11-25"),
    Side("HTTP, modern", "http", True, "2026-07-28"),
    Side("HTTP+SSE", "sse", False, "2024-11-05"),
]

# Whether a server has a side: the example server is on stdio here, and the reference server knows no modern era.
SERVERS = {
    "python 2.x": lambda up: True,
    "everything": lambda up: not up.is_modern,
    "the example server": lambda up: up.transport == "stdio",
}


def stays_behind(feature, up, down):
    """Why a feature does not come through the bridge."""
    if feature == "cache" and down.is_modern:
        return "the bridge lists by itself: it tells of changes, and allows no list to be kept without asking"
    if feature == "cache" and up.is_modern:
        return "the legacy era has no hints for caches"
    if feature == "tasks" and up.is_modern and not down.is_modern:
        return "a server of 2026-07-28 decides for each call; a client of 2025-11-25 goes by the definition of the tool"
    # They come after a call that was cancelled.
    asks = ["sampling", "elicitation, form", "elicitation, URL", "roots"]
    if feature in asks and not up.is_modern and down.is_modern and down.transport != "stdio":
        return ("for a minute after a cancelled call the bridge asks no client that may be another one, and over HTTP it cannot tell "
                "clients of 2026-07-28 apart")
    return "a session of tools is between a client and the server that it names" if feature == "tool modes" else None


def plan(server, up, down):
    """The plan of a server without what it does not have on its side, and what does not come through. `matrix.c` leaves out itself what the
    client's revision does not have; what a server over HTTP+SSE speaks is left to the handshake."""
    of_python = "python-2-modern" if up.is_modern else "python-2"
    whole = plans.plan({"python 2.x": of_python, "everything": "everything", "the example server": "example"}[server])
    newest = "2026-07-28" if up.is_modern else "2025-11-25"
    return {name: value for name, value in whole.items()
            if plans.FEATURES.get(name, "9") <= newest and not stays_behind(name, up, down)}


def words_of(server, up, port):
    """What starts the server."""
    if server == "python 2.x":
        more = {"stdio": [], "http": ["streamable-http", port], "sse": ["sse", port]}[up.transport]
        return [support.peer("python-2"), support.ROOT / "tests/servers/python/features.py", *more]
    if server == "everything":
        return [*plans.reference_server("everything"), {"http": "streamableHttp"}.get(up.transport, up.transport)]
    return [support.places()["example_server"], "--page-size", "3"]


def every_pair():
    """The pairs with each server; in a short run each is played with one of them."""
    for (up_at, up), (down_at, down) in itertools.product(enumerate(SIDES), repeat=2):
        having = [name for name, has in SERVERS.items() if has(up)]
        one = having[(up_at + down_at) % len(having)]
        for server in having:
            marks = [] if server == one else [pytest.mark.deep]
            yield pytest.param((server, up, down), id=f"{server} over {up.name} for a client over {down.name}", marks=marks)


def play(matrix, program, server, up, down):
    behind, before, folder = support.free_port(), support.free_port(), support.scratch("bridge")
    words = words_of(server, up, behind)
    name = f"{support.file_name(server)}-{behind}-{before}"
    options = ["--page-size", "2", "--protocol", "modern" if up.is_modern else "legacy"]
    if up.transport == "stdio":
        options += ["-e", "PYTHONDONTWRITEBYTECODE=1"]
    listen = {"stdio": [], "http": [before, "/mcp"], "sse": [before, "/sse"]}[down.transport]
    if listen:
        options += ["--listen", f"http://127.0.0.1:{before}/mcp", "--sse", "/sse"]

    def matrix_with(*target):
        given = [down.revision, json.dumps(plan(server, up, down)), down.transport, *listen]
        shown = support.run([matrix, *given, program, "bridge", *options, *target], cwd=folder).well().stdout
        assert len(shown.splitlines()) >= 5, f"it shows nothing: {shown}"

    if up.transport == "stdio":
        return matrix_with("--", *words)
    env = {"PORT": behind, **support.server_of_python()}
    with support.Served(words, folder / f"{name}.server", behind, env=env, cwd=folder):
        matrix_with(f"http://127.0.0.1:{behind}{'/sse' if up.transport == 'sse' else '/mcp'}")


@pytest.fixture(scope="module")
def plays(request, program):
    matrix = support.compiled("tests/interop/matrix.c", "bridge")
    return support.begin(request, "pair", lambda pair: play(matrix, program, *pair))


@pytest.mark.parametrize("pair", list(every_pair()))
def test_a_client_uses_a_server_through_the_bridge(plays, pair, request):
    plays[request.node.callspec.id].result()


def test_a_plan_loses_what_does_not_come_through():
    stdio, _, _, http_modern, _ = SIDES
    assert {"cache", "roots"} <= plan("everything", stdio, stdio).keys()
    assert "cache" not in plan("everything", stdio, http_modern)
