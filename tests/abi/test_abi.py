"""Programs that were built with an earlier library go on with this one: the header is compared with the snapshot in `docs/abi`, and programs
compiled with the header of each release print what they printed then. Changes that break programs are planted first and must be found.
"""

import pytest
import support
from abi import abi

# What no version may do, as a change of the header's text.
BREAKS = {
    "a parameter that turns wider": ("int32_t timeout_ms", "int64_t timeout_ms"),
    "a result that is another": ("uint32_t mcp_abi_version(void)", "const char *mcp_abi_version(void)"),
    "a function that is gone": ("const char *mcp_version(void);", ""),
}
RELEASES = sorted(folder for folder in (support.ROOT / "tests/abi").iterdir() if (folder / "mcp.h").is_file())
PROGRAMS = {f"{source.stem} of {release.name}": source for release in RELEASES for source in sorted(release.glob("*.c"))}

pytestmark = support.of_linux


@pytest.fixture(autouse=True)
def tools():
    for name in ("gcc", "abidw", "abidiff"):
        support.peer(name)


@pytest.mark.parametrize("fault", list(BREAKS))
def test_a_change_that_breaks_programs_is_found(fault, tmp_path):
    header, (old, new) = abi.HEADER.read_text(), BREAKS[fault]
    assert old in header, f"the header has no {old}: plant another change"
    assert abi.breaks(header.replace(old, new), tmp_path)


def test_the_abi_is_compatible_with_the_snapshot(tmp_path):
    header = abi.HEADER.read_text()
    declared = {function.split("(")[0].split()[-1].lstrip("*") for function in abi.functions(header)}
    assert declared == set((support.ROOT / "include/mcp.exports").read_text().split())
    broken = abi.breaks(header, tmp_path)
    assert not broken, f'docs/reference/abi.md, "When a check fails", says how to go on\n{broken}'


def printed(source, header, folder):
    """Compiles with a header, runs with this library."""
    (folder / "mcp.h").write_text(header)
    program, library = folder / source.stem, support.places()["library_folder"]
    support.run(["gcc", "-std=c11", "-O1", "-I", folder, source, "-o", program, f"-L{library}", "-lmcp", f"-Wl,-rpath,{library}", "-pthread"]).well()
    # A client is given its server.
    return support.run([program, *[support.places()["example_server"]] * ("argc != 2" in source.read_text())])


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_the_program_of_a_release_works_and_prints_what_it_did(name, tmp_path):
    source = PROGRAMS[name]
    found = printed(source, (source.parent / "mcp.h").read_text(), tmp_path)
    assert found.well().stdout == source.with_suffix(".out").read_text()


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_a_number_that_is_another_than_in_a_release_is_found(release, tmp_path):
    header = (release / "mcp.h").read_text()
    planted = header.replace("#define MCP_CLIENT_STATE_READY ", "#define MCP_CLIENT_STATE_READY 1 + ")
    found = printed(release / "client.c", planted, tmp_path)
    assert planted != header and "is ready 0" in found.stdout and found.stdout != (release / "client.out").read_text()
