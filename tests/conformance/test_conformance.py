"""The official conformance suite against `client.c` and `server.c`, strictly: exactly the expected checks of every scenario must succeed. A
check or a scenario that appears or vanishes is a failure, so that no run is green by doing nothing. One process of the server serves all
scenarios of all revisions. And against no server at all: what succeeds there as well proves nothing, and is named.

For a run against other programs, `MCP_CONFORMANCE_CLIENT` names the client, and `MCP_CONFORMANCE_SERVER` the words that start the server.
"""

import json
import os
from pathlib import Path

import pytest
import support
from conformance import suite

# Scenarios mostly wait, but a program under an emulator does not.
AT_ONCE = int(os.environ.get("MCP_CONFORMANCE_AT_ONCE", 4))
# Nothing listens at port 2. A browser, and so the suite, refuses port 1.
NO_SERVER = "http://127.0.0.1:2/mcp"
# What the suite notes when no message broke the schema: also when there was no message.
PROVES_NOTHING = "wire-schema-valid"


def scenarios(side):
    """Those that do not wait for something."""
    for (revision, name), wanted in suite.expected(side).items():
        waits = isinstance(wanted, str)
        marks = [pytest.mark.skip(reason=f"it is not required yet: it waits for {wanted}")] if waits else []
        if not revision.endswith(suite.WITHOUT):
            yield pytest.param((revision, name), id=f"{name} at {revision}", marks=marks)


@pytest.mark.parametrize("revision", suite.REVISIONS)
@pytest.mark.parametrize("side", suite.FILES)
def test_the_expectations_have_every_scenario(side, revision):
    suite.knows_all(side, revision)


@pytest.fixture(scope="module")
def client_plays(request):
    given = os.environ.get("MCP_CONFORMANCE_CLIENT")
    client = Path(given) if given else support.compiled("tests/conformance/client.c", "conformance")
    return support.begin(request, "client_scenario", lambda scenario: suite.play_client(scenario, client), AT_ONCE)


@pytest.mark.parametrize("client_scenario", list(scenarios("client")))
def test_client_scenario(client_plays, client_scenario, request):
    found = client_plays[request.node.callspec.id].result()
    found.matches(suite.expected("client")[client_scenario], "client")


@pytest.fixture(scope="module")
def served():
    """For each revision what was found by playing it against one server, or the error; and the exit code of the server."""
    given = os.environ.get("MCP_CONFORMANCE_SERVER")
    words = json.loads(given) if given else [support.compiled("tests/conformance/server.c", "conformance")]
    found = {}
    with support.Served(words, support.scratch("conformance") / "server.err") as server:
        url = server.first_line()
        for revision in [*suite.REVISIONS, suite.SKILLS]:
            try:
                found[revision] = suite.play_servers(revision, url, "served")
            except AssertionError as error:
                found[revision] = error
        found["end"] = server.end(10)
    return found


def at(served, revision):
    found = served[revision]
    if isinstance(found, AssertionError):
        raise found
    return found


@pytest.mark.parametrize("server_scenario", list(scenarios("server")))
def test_server_scenario(served, server_scenario):
    revision, name = server_scenario
    found = at(served, revision)
    assert name in found, "the suite wrote no checks of it"
    found[name].matches(suite.expected("server")[server_scenario], "server")


@pytest.mark.parametrize("revision", [*suite.REVISIONS, suite.SKILLS])
def test_no_server_scenario_is_unknown(served, revision):
    unknown = [name for name in at(served, revision) if (revision, name) not in suite.expected("server")]
    assert not unknown, suite.HINT.format(suite.FILES["server"])


def test_the_server_ends_with_its_input(served):
    assert served["end"] == 0


def without_a_server(revision, expected, found):
    """Exactly the expected checks succeed where no server is; gives the scenarios that prove nothing."""
    known = {name: wanted for (at, name), wanted in expected.items() if at == revision + suite.WITHOUT}
    differ = [f"{name}: not run" for name in known if name not in found]
    empty = []
    for name, run in found.items():
        succeeded = {check: times for check, times in run.succeeded.items() if check != PROVES_NOTHING}
        if not suite.same(known.get(name, {}), succeeded):
            differ.append(f"{name}: {suite.written(succeeded)}")
        required = expected.get((revision, name))
        if isinstance(required, dict) and required.keys() <= {PROVES_NOTHING, *succeeded}:
            empty.append(name)
    assert not differ, f"what succeeds differs: {differ}. {suite.HINT.format(suite.FILES['server'])}, with REVISION{suite.WITHOUT}"
    return empty


@pytest.mark.parametrize("revision", suite.REVISIONS)
def test_what_succeeds_without_a_server_is_known(revision):
    empty = without_a_server(revision, suite.expected("server"), suite.play_servers(revision, NO_SERVER, "without"))
    print(f"these pass at {revision} without a server, too, and prove nothing: {', '.join(empty)}")


def found_of(*checks):
    return suite.Found({"status": status, "id": name} for status, name in checks)


def test_failures_warnings_and_missing_checks_fail_a_scenario():
    good = [("SUCCESS", "a"), ("INFO", "note"), ("SUCCESS", "a"), ("SKIPPED", "b")]
    found_of(*good).matches({"a": 2, "skipped:b": 1}, "client")
    found_of(*good).matches({"a": suite.OFTEN, "skipped:b": 1}, "client")
    found_of(*good).without_skipped().matches({"a": 2}, "client")
    for wanted in [{"a": 2}, {"a": 1, "skipped:b": 1}, {"a": 2, "skipped:b": 1, "c": 1}]:
        with pytest.raises(AssertionError, match="expected-server.txt"):
            found_of(*good).matches(wanted, "server")
    for status in ["FAILURE", "WARNING", "ODD"]:
        with pytest.raises(AssertionError, match=f"{status} b"):
            found_of(("SUCCESS", "a"), (status, "b")).matches({"a": 1}, "server")


def test_what_would_succeed_without_a_server_is_found():
    expected = {("R", "a"): {"x": 1, "y": 1, PROVES_NOTHING: 1}, ("R-without-server", "a"): {"x": 1}}
    assert without_a_server("R", expected, {"a": found_of(("SUCCESS", "x"), ("SUCCESS", PROVES_NOTHING))}) == []
    assert without_a_server("R", {("R", "a"): {"x": 1}, ("R-without-server", "a"): {"x": 1}}, {"a": found_of(("SUCCESS", "x"))}) == ["a"]
    for found in [{"a": found_of(("SUCCESS", "x"), ("SUCCESS", "y"))}, {"a": found_of()}, {}]:
        with pytest.raises(AssertionError, match="what succeeds differs"):
            without_a_server("R", expected, found)


def test_scored_scenarios_have_a_heading_and_others_a_mark():
    text = "Client scenarios (2)\n  - a\n  - b/c\n\nOther\n  - d [client]\n  - e [server]\n  - f\n"
    assert suite.listed(text, "client") == {"a", "b/c", "d"}
    assert suite.listed(text, "server") == {"e"}
