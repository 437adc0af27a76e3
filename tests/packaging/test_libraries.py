"""The libraries of the package, as the files say."""

import functools

import files
import pytest
import support

# What rustc names for the static library on Linux with glibc, without libgcc_s and libc, which compilers link by themselves. A crate that adds to this list adds a library to every program that links
# libmcp.a; then it belongs here and into CMakeLists.txt.
NATIVE = "-lutil -lrt -lpthread -lm -ldl"
LIBRARIES = ["libmcp.so", "libmcp.a"]
pytestmark = support.of_linux
SOFT = (
    "(NEEDED) Shared library: [libc.so.6]\n(NEEDED) Shared library: [libssl.so.3]\n(TEXTREL) 0x0\n"
    "Library soname: [libmcp.so.0]\nFlags: NOW NODELETE\n",
    "  LOAD 0x0 R E 0x1000\n  GNU_STACK 0x0 RWE 0x10\n  GNU_RELRO 0x0 R 0x1\n  GNU_EH_FRAME 0x0 R 0x4\n",
)
SYMBOLS = """   Num:    Value  Size Type    Bind   Vis      Ndx Name
    1: 0 0 FUNC GLOBAL DEFAULT UND write@GLIBC_2.2.5 (2)
    2: 0 0 OBJECT GLOBAL DEFAULT ABS MCP_0.1
    3: 10 9 FUNC GLOBAL DEFAULT 12 mcp_call@@MCP_0.1
    4: 20 9 FUNC LOCAL DEFAULT 12 mine
    5: 20 9 FUNC GLOBAL HIDDEN 12 also_mine
"""


@functools.cache
def made():
    tree = support.scratch("dist") / "tree"
    profile = "dev" if support.places()["quick"] else "release"
    return tree, support.run([support.places()["xtask"], "dist", "--to", tree, "--no-tarball", "--profile", profile], limit=3600)


@pytest.fixture
def lib():
    """The folder with the libraries."""
    tree, finished = made()
    finished.well()
    return tree / "lib"


def ask(tool, words, file):
    return support.run([support.peer(tool), *words, file]).well().stdout


def test_a_soft_library_is_found_out():
    assert files.wrong_looks(*SOFT, "libmcp.so.0") == [
        "its stack cannot be executed",
        "its code is not relocated",
        "it needs nothing but the C library ['libssl.so.3']",
    ]


def test_symbols_are_those_that_others_see():
    assert files.shown(SYMBOLS) == {"mcp_call@@MCP_0.1"}
    for found in [set(), {"mcp_call"}]:
        with pytest.raises(AssertionError, match="mcp_call@@MCP_0.1 is missing"):
            files.same(found, {"mcp_call@@MCP_0.1"})
    with pytest.raises(AssertionError, match="nothing to compare"):
        files.same(set(), set())


def test_the_shared_library_exports_the_functions_of_the_api_each_in_its_version_and_nothing_else(lib):
    files.same({name for name in files.shown(ask("readelf", ["--dyn-syms", "-W"], lib / "libmcp.so")) if "@" in name}, files.versioned_exports())


def test_the_static_library_shows_the_functions_of_the_api_and_nothing_else(lib):
    files.same({line.split()[-1] for line in ask("nm", ["-g", "--defined-only"], lib / "libmcp.a").splitlines() if len(line.split()) == 3}, files.exports())


def test_the_shared_library_is_hardened_is_not_unmapped_and_needs_nothing_but_the_c_library(lib):
    shared = lib / "libmcp.so"
    wrong = files.wrong_looks(ask("readelf", ["-dW"], shared), ask("readelf", ["-lW"], shared), files.soname()[0])
    assert not wrong


def test_libmcp_so_and_the_soname_lead_to_the_library(lib):
    name, file = files.soname()
    assert [str((lib / link).readlink()) for link in ("libmcp.so", name)] == [name, file]


def test_a_program_that_links_the_static_library_needs_what_is_written_down(lib):
    assert f"Libs: ${{libdir}}/libmcp.a -Wl,--gc-sections {NATIVE}\n" in (lib / "pkgconfig/mcp-static.pc").read_text()


def test_cmake_lists_name_the_same_libraries():
    wanted = NATIVE.replace(" ", ";")
    assert f'INTERFACE_LINK_LIBRARIES "{wanted}"' in (support.ROOT / "CMakeLists.txt").read_text()


@pytest.mark.parametrize("name", LIBRARIES)
def test_no_library_names_a_folder_of_this_machine(lib, name):
    files.names_no_folder(lib / name)
