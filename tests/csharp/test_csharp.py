"""The C# binding, as its users have it: an assembly with the library beside it, compiled by Mono without a warning, its tests, its examples,
and the programs of its page."""

import re
import shutil
from pathlib import Path

import attacks
import pytest
import support

BINDING = support.ROOT / "bindings/csharp"
# The programs that the page shows, below these headings.
SHOWN = {"Hello": "## A client", "Adder": "## A server"}
LIMIT = 400


def sources(folder):
    return sorted((BINDING / folder).glob("*.cs"))


@pytest.fixture(scope="module")
def folder():
    """Where the programs are, beside the assembly and the library."""
    folder = support.emptied("csharp/programs")
    shutil.copy(support.library(), folder)

    def compiled(files, out, *options):
        words = [support.peer("mcs"), "-warnaserror", "-langversion:7", "-debug", *options, f"-out:{out}", *files]
        support.run(words, LIMIT, cwd=folder).well()

    compiled(sources("src"), "Libmcp.dll", "-target:library", "-doc:Libmcp.xml")
    tests = [source for source in sources("tests") if source.name.endswith("Tests.cs")]
    compiled(tests, "Tests.exe", "-r:Libmcp.dll")
    page, programs = (BINDING / "README.md").read_text(), [it for it in sources("tests") if it not in tests] + sources("examples")
    for name, heading in SHOWN.items():
        shown = re.search(f"^{heading}\n\n```csharp\n(.*?)```", page, re.DOTALL | re.MULTILINE)
        assert shown, f"README.md shows no program below {heading}"
        programs.append(folder / f"{name}.cs")
        programs[-1].write_text(shown[1])
    for source in programs:
        compiled([source], f"{source.stem}.exe", "-r:Libmcp.dll")
    return folder


def run(folder, name, *words, **env):
    return support.run([support.peer("mono"), "--debug", folder / f"{name}.exe", *words], LIMIT, env=env, cwd=folder)


def test_the_tests_pass(folder, program):
    env = {name: support.places()[name.removeprefix("MCP_").lower()] for name in support.SERVERS}
    support.all_pass(run(folder, "Tests", MCP_PROGRAM=program, **env))


def test_the_client_of_the_page(folder, example_server):
    support.says(run(folder, "Hello", example_server), ["echo: ", "\nHello\n"])


def test_the_client_example_with_the_server_example(folder):
    server = [support.peer("mono"), Path(folder) / "ServerExample.exe"]
    said = ["tool: reserve: Reserves a table", "the sum is 5", "the server asks: For how many people?", "a table for 4 near the window"]
    said += ["progress: 3 of 3", "slow was given up", "prompt: Greet Ada kindly."]
    support.says(run(folder, "ClientExample", *server), said)


def test_a_server_survives_attacks(folder):
    attacks.survives([support.peer("mono"), folder / "Attacked.exe"], support.scratch("csharp") / "attacked.log")
