"""Logins at an authorization server that others made (`oidc-provider`), beside an MCP server that takes its tokens only: the programs of this
folder, with a person played by a script, and the example `login` in C and C++."""

import os
import shutil

import pytest
import support

FOLDER = support.ROOT / "tests/login"
# Each program has servers of its own, and mostly waits.
AT_ONCE = 4
RUNS = {source.stem: (source, "c") for source in sorted(FOLDER.glob("*.c"))}
RUNS["the_example_logs_in, the one in C++"] = (FOLDER / "the_example_logs_in.c", "cpp")


def play(source, example):
    program = support.compiled(source, "login")
    others = support.peer("login")
    example = example or support.lack("g++ is missing. To get it: apt-get install g++")
    support.run([program, others["node"], others["servers"], others["browser"], example], 120, cwd=support.scratch("login")).well()


@pytest.fixture(scope="module")
def plays(request):
    examples = {"c": support.compiled("examples/c/login.c", "login/example"), "cpp": None}
    if shutil.which(os.environ.get("CXX") or "g++"):
        examples["cpp"] = support.compiled("examples/cpp/login.cpp", "login/example-cpp")
    return support.begin(request, "run", lambda run: play(run[0], examples[run[1]]), AT_ONCE)


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_login(plays, run, request):
    plays[request.node.callspec.id].result()
