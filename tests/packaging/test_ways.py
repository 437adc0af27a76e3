"""The package as its users meet it: the install tree is made, moved to another prefix, and used from there in every way that
docs/guide/packaging.md promises. Each program calls the example server.

A way is a script in `ways`, of what a user types. Its first comments say what it shows, which tools it needs, whether it uses those of Python,
and whether it runs with --deep alone. `$PREFIX` is where the package is, `$SERVER` the example server, `$TESTS` the folder `tests/packaging`,
`$STRICT_C` and `$STRICT_CPP` the warnings that we promise to be free of; `refuse` runs a command that must fail. The scripts begin in the order
of their names: first those that take longest.
"""

import functools
import shutil

import pytest
import support

# Building the library as a part of a program takes a minute or two on a machine that does other things too.
LIMIT = 900
pytestmark = support.of_linux
# `!` would not end the script: the shell's -e takes no notice of a command after it.
REFUSE = 'refuse() { if "$@"; then echo "this should have failed: $*" >&2; exit 1; fi; }\n'
WARNINGS = "-Wall -Wextra -pedantic -Werror"


class Way:
    def __init__(self, file):
        self.name, self.script = file.stem, file.read_text()
        head = [line[2:] for line in self.script.splitlines() if line.startswith("# ")]
        self.shows, needs = head[:2]
        assert needs.startswith("needs: "), f"{file}: its second comment is `needs: ` and the tools"
        self.needs = needs.removeprefix("needs: ").split() + ["packaging"] * ("uses tools of Python" in head)
        # A library that is built quickly is not the one that a way builds itself, nor the one whose frames Valgrind's suppressions name.
        builds = "$TARGET" in self.script or 'conan" create' in self.script or "valgrind" in self.needs
        self.marks = [pytest.mark.deep] * ("deep" in head) + [pytest.mark.of_packages] * builds


WAYS = {way.name: way for way in map(Way, sorted((support.ROOT / "tests/packaging/ways").glob("*.sh")))}


@functools.cache
def moved():
    """The tree in a folder that it was not made in."""
    made, prefix = support.scratch("packaging") / "made", support.scratch("packaging/elsewhere") / "opt"
    for folder in (made, prefix):
        shutil.rmtree(folder, ignore_errors=True)
    profile = "dev" if support.places()["quick"] else "release"
    support.run([support.places()["xtask"], "dist", "--to", made, "--no-tarball", "--profile", profile], 3600).well()
    made.rename(prefix)
    return prefix


def works(prefix, way):
    """Runs what a user would type, in an empty folder."""
    tools = {name: support.peer(name) for name in way.needs}
    folder, places = support.emptied(f"packaging/{way.name}"), support.places()
    variables = {
        "PREFIX": prefix,
        "PKG_CONFIG_PATH": prefix / "lib/pkgconfig",
        "CMAKE_PREFIX_PATH": prefix,
        # What Conan calls how much is optimized: its package is run for a moment, and most of the time would go to the compiler.
        "BUILD_TYPE": "Release" if places["deep"] else "Debug",
        "SERVER": places["example_server"],
        "SCRIPTED": places["scripted_server"],
        "ROOT": support.ROOT,
        "TARGET": places["target"],
        "TESTS": support.ROOT / "tests/packaging",
        "STRICT_C": f"-std=c11 {WARNINGS}",
        "STRICT_CPP": WARNINGS,
        "TOOLS": tools.get("packaging"),
    }
    return support.run(["sh", "-euc", REFUSE + way.script], LIMIT, env=variables, cwd=folder)


@pytest.fixture(scope="module")
def plays(request):
    prefix = moved()
    return support.begin(request, "name", lambda name: works(prefix, WAYS[name]))


@pytest.mark.parametrize("name", [pytest.param(way.name, marks=way.marks, id=way.name) for way in WAYS.values()])
def test_way(plays, name):
    """What it shows is said by the first comment of its script."""
    # Where a tool is missing, this says so.
    result = plays[name].result()
    assert result.code == 0, f"{WAYS[name].shows}: {result.story()}"


def test_each_way_says_what_it_shows_and_needs():
    ways = list(WAYS.values())
    assert sum(pytest.mark.deep in way.marks for way in ways) == 1 and sum("packaging" in way.needs for way in ways) == 2
    assert len(ways) > 20 and ways[1].name == "02-conan"
    assert not [way.name for way in ways if not way.shows or not way.needs]
    assert {name for way in ways for name in way.needs} <= set(support.places()["peers"])
