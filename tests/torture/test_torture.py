"""Every system call of a C host fails once, in each way that `calls.h` names, while it connects, calls, serves and closes; and every large
allocation is refused once. With --deep each occurrence of a call; else a few of them.
"""

import functools

import pytest
import support

# Parts of a scenario, so that processors share it evenly.
SCENARIOS, SHARDS = ["process", "standard-streams", "in-process", "tcp-socket", "http-modern", "http-legacy"], 2
# The exit status of a program that the system does not permit what it needs.
SKIPPED = 77
# ptrace and seccomp make calls fail.
pytestmark = support.of_linux
# What is said of the scenario `planted`, in which two calls of the host are not looked after: a read that is not made again, and a descriptor
# that is left.
PLANTED = ["host:read:1:EINTR: a check failed", "host:dup:1:EMFILE: a check failed"]
# The plants wait for what does not come, so that the others run beside them.
PARTS = ["planted", *(f"{scenario}, part {shard + 1} of {SHARDS}" for scenario in SCENARIOS for shard in range(SHARDS)), "allocations"]


@functools.cache
def program(name):
    return support.compiled(f"tests/torture/{name}.c", "torture")


def play(part):
    places = support.places()
    if part == "allocations":
        return support.run([program(part), *(places[server] for server in ("example_server", "scripted_server", "scripted_http"))], 600)
    scenario, _, shard = part.partition(", part ")
    more = ["--shard", int(shard[0]) - 1, SHARDS] + ["--deep"] * places["deep"] if shard else []
    limit = 4 * 3600 if places["deep"] else 600
    return support.run([program("torture"), program("host"), places["example_server"], scenario, *more], limit)


@pytest.fixture(scope="module")
def plays(request):
    for name in ("torture", "host", "allocations"):
        program(name)
    return support.begin(request, "part", play)


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_what_fails_once_is_got_over(plays, part):
    found = plays[part].result()
    said = found.stdout.strip().splitlines()[-1:]
    if found.code == SKIPPED:
        support.lack(said[0])
    if part == "planted":
        assert not [told for told in PLANTED if told not in found.stdout], found.story()
    else:
        assert said, found.well().story()
        print(f"{part}: {said[0]}")
        found.well()
