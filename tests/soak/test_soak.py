"""Forty seconds of `soak.py`, or twenty minutes in a deep run, after planted faults were found."""

import sys

import pytest
import support
from soak import soak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is watched through /proc, which Linux has")


def samples(of, seconds=60):
    """Samples of a run in which every figure is steady but for these."""
    steady = dict(calls=0, half_us=1000, most_us=5000, heap_kib=20480, used_us=0, cost_us=100, rss_kib=51200, threads=28, descriptors=500, children=40)
    return [soak.Sample(second=second, **steady | of(second)) for second in range(1, seconds)]


@pytest.mark.parametrize(
    "of, grows",
    [
        (lambda second: {}, []),
        # What grows in the first half alone is not a leak, and single moments bend no line.
        (lambda second: {"rss_kib": min(second, 30) * 4096}, []),
        (lambda second: {"rss_kib": 900_000 if second % 7 == 0 else 51_200}, []),
        (lambda second: {"rss_kib": 51_200 + 512 * second}, ["resident memory"]),
        (lambda second: {"threads": 28 + second // 9, "descriptors": 500 + 9 * second}, ["threads"]),
        (lambda second: {"half_us": 1000 + 1000 * second}, []),
    ],
)
def test_what_goes_on_growing_is_found(of, grows):
    assert [it.figure.name for it in soak.judge(samples(of)) if it.grows] == grows


def test_a_long_run_is_judged_by_the_time_of_a_call_and_by_descriptors():
    found = soak.judge(samples(lambda second: {"half_us": 1000 + 20 * second, "descriptors": 500 + second}, 700))
    assert [it.figure.name for it in found if it.grows] == ["descriptors", "middle time of a small call"]


@pytest.mark.parametrize("plant, seconds, says", [("leak", 20, "GROWS: resident memory"), ("lost", 3, "open_tickets")])
def test_a_planted_fault_is_found(plant, seconds, says):
    with pytest.raises(AssertionError, match=says):
        soak.soak(seconds, plant=plant)


def test_each_call_ends_once_and_nothing_grows_and_nothing_is_left(deep):
    print(soak.soak(1200 if deep else 40))
