"""The compatibility matrix: one C program (`matrix.c`) against servers of others, at every revision and over every transport that they have.
`docs/reference/compatibility.md` is what a run has shown; `MCP_PAGE_WRITE=1`, which `cargo xtask compatibility` sets, writes it."""

import json
import os
from collections import defaultdict

import pytest
import support
from interop import plans

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
LEGACY, MODERN = REVISIONS[:4], REVISIONS[4:]
TRANSPORTS = {"stdio": "stdio", "http": "Streamable HTTP", "sse": "HTTP with server-sent events"}
PAGE = support.ROOT / "docs/reference/compatibility.md"

# The letter in the table, the server, the transport, the revisions, and the plan: what the server has.
CASES = [
    ("E", "everything", "stdio", LEGACY, "everything"),
    ("F", "filesystem", "stdio", LEGACY, "filesystem"),
    ("1", "python 1.x", "stdio", LEGACY, "python-1"),
    # Declares no log messages, and has subscriptions only in the modern era.
    ("2", "python 2.x", "stdio", LEGACY, "python-2"),
    ("2", "python 2.x", "stdio", MODERN, "python-2-modern"),
    ("T", "typescript 2.x", "stdio", REVISIONS, "typescript"),
    ("X", "the example server", "stdio", REVISIONS, "example"),
    ("X", "the test server with skills", "stdio", REVISIONS, "tasks-and-skills"),
    ("E", "everything", "http", LEGACY, "everything"),
    ("1", "python 1.x", "http", LEGACY, "python-1"),
    ("2", "python 2.x", "http", LEGACY, "python-2"),
    ("2", "python 2.x", "http", MODERN, "python-2-modern"),
    # Its legacy requests over HTTP are served each by itself, so that it cannot ask anything.
    ("T", "typescript 2.x", "http", LEGACY, "typescript-stateless"),
    ("T", "typescript 2.x", "http", MODERN, "typescript"),
    ("X", "the test server", "http", REVISIONS, "scripted"),
    ("E", "everything", "sse", LEGACY, "everything"),
    ("1", "python 1.x", "sse", LEGACY, "python-1"),
    ("2", "python 2.x", "sse", LEGACY, "python-2"),
    ("X", "the test server", "sse", ["2024-11-05"], "scripted"),
]


def words_of(server, transport, revision, port):
    """What starts a server."""
    if server == "everything":
        return [*plans.reference_server("everything"), {"http": "streamableHttp"}.get(transport, transport)]
    if server == "filesystem":
        # The first folder that it may see; the roots then say which.
        return [*plans.reference_server("filesystem"), "."]
    if server.startswith("python"):
        more = {"stdio": [], "http": ["streamable-http", port], "sse": ["sse", port]}[transport]
        return [support.peer(f"python-{server[7]}"), support.ROOT / "tests/servers/python/features.py", *more]
    if server == "typescript 2.x":
        return plans.typescript_server()
    if server == "the example server":
        return [support.places()["example_server"], "--page-size", "3"]
    if server == "the test server with skills":
        return [support.places()["scripted_server"], "--era", "modern" if revision in MODERN else "legacy", "skills"]
    shape = ["--shape", "sse"] if transport == "sse" else []
    return [support.places()["scripted_http"], "--life", "300", "--port", port, *shape, "page-size=2"]


def play(matrix, revision, case):
    """The names of the features that were shown."""
    _, server, transport, _, plan = case
    port, folder = support.free_port(), support.scratch("compatibility")
    text = json.dumps(plans.plan(plan)).replace("{folder}", str(folder))
    path = "/sse" if transport == "sse" and server != "the test server" else "/mcp"
    place = [] if transport == "stdio" else [port, path]
    words = [matrix, revision, text, transport, *place, *words_of(server, transport, revision, port)]
    shown = support.run(words, env=support.server_of_python(), cwd=folder).well().stdout.splitlines()
    assert shown, "it shows nothing"
    unknown = [name for name in shown if name not in plans.FEATURES]
    assert not unknown, f"the page does not know these features: {unknown}"
    return shown


@pytest.fixture(scope="module")
def plays(request):
    matrix = support.compiled("tests/interop/matrix.c", "compatibility")
    return support.begin(request, "play_of", lambda play_of: play(matrix, *play_of))


PLAYS = {f"{case[1]} over {TRANSPORTS[case[2]]} at {revision}": (revision, case) for case in CASES for revision in case[3]}


@pytest.mark.parametrize("play_of", PLAYS.values(), ids=PLAYS)
def test_matrix(plays, play_of, request):
    plays[request.node.callspec.id].result()


def page(shown):
    """The page: its head stays, and the tables are what a run has shown."""
    text = PAGE.read_text().partition("\n## ")[0]
    for transport, title in TRANSPORTS.items():
        text += f"\n## {title}\n\n"
        if transport == "sse":
            text += "HTTP+SSE is the transport of 2024-11-05. Servers that have kept it speak later revisions over it.\n\n"
        text += f"| feature | {' | '.join(REVISIONS)} |\n|---|{'---|' * len(REVISIONS)}\n"
        # What is the same for several features is said once.
        alike = defaultdict(list)
        for feature, since in plans.FEATURES.items():
            letters = [" ".join(sorted(shown[transport, feature, revision])) if revision >= since else "–" for revision in REVISIONS]
            alike["".join(f" {cell} |" if cell else " |" for cell in letters)].append(feature)
        text += "".join(f"| {'; '.join(features)} |{cells}\n" for cells, features in alike.items())
    return text


def test_the_page_is_what_this_run_shows(plays):
    if len(plays) < len(PLAYS):
        pytest.skip("only some of the plays were chosen")
    shown = defaultdict(set)
    for name, (revision, (letter, _, transport, _, _)) in PLAYS.items():
        for feature in plays[name].result():
            shown[transport, feature, revision].add(letter)
    if os.environ.get("MCP_PAGE_WRITE"):
        PAGE.write_text(page(shown))
    assert page(shown) == PAGE.read_text(), f"`cargo xtask compatibility` writes {PAGE.relative_to(support.ROOT)} again"
