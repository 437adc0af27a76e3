"""The server scenarios of the official conformance suite against `tests/conformance/server.c` on stdio, through the bridge at a URL. Those of
the skills extension are played without a bridge only."""

import pytest
import support
from conformance import suite

# The scenarios that cannot pass through a bridge to a server on stdio, and why.
STAY_BEHIND = {("2025-11-25", "server-sse-polling"): "a server on stdio has no event stream that it could end"}


@pytest.fixture(scope="module")
def bridged(program):
    """For each revision what was found by playing it through the bridge, or the error; and whether the bridge ended well."""
    server, port = support.compiled("tests/conformance/server.c", "bridge-suite"), support.free_port()
    url = f"http://127.0.0.1:{port}/mcp"
    words = [program, "bridge", "--listen", url, "--", server, "stdio"]
    found = {}
    with support.Served(words, support.scratch("bridge-suite") / "bridge.log", port) as bridge:
        for revision in suite.REVISIONS:
            try:
                found[revision] = suite.play_servers(revision, url, "bridged")
            except AssertionError as error:
                found[revision] = error
        bridge.terminate()
    return found


SCENARIOS = [it for it, wanted in suite.expected("server").items() if it[0] in suite.REVISIONS and not isinstance(wanted, str)]


@pytest.mark.parametrize("scenario", [pytest.param(it, id=f"{it[1]} at {it[0]}") for it in SCENARIOS])
def test_a_scenario_passes_through_the_bridge(bridged, scenario):
    revision, name = scenario
    found = bridged[revision]
    if isinstance(found, AssertionError):
        raise found
    assert name in found, "the suite wrote no checks of it"
    if scenario in STAY_BEHIND:
        with pytest.raises(AssertionError):
            found[name].matches(suite.expected("server")[scenario], "server")
    else:
        found[name].matches(suite.expected("server")[scenario], "server")
