"""Processes with clients and processes with servers, of which both are killed at random moments: `chaos.c`. A few ten thousand calls; in a
deep run a million and two thousand kills."""

import sys

import pytest
import support


@pytest.mark.skipif(sys.platform != "linux", reason="it finds its processes through /proc, which Linux has")
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_each_call_ends_once_and_none_is_executed_twice(transport, deep):
    program = support.compiled("tests/chaos/chaos.c", "chaos")
    calls, kills = (500_000, 1000) if deep else (20_000, 60)
    print(support.run([program, transport, calls, kills], limit=1200).well().stdout)
