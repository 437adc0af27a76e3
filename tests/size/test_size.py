"""The size that a user pays: the shared library and the program, without symbols. A build with one side of the protocol has the functions of that side only, and
works with a build of the other side.
"""

import functools
import re
import shutil

import pytest
import support

MIB = 1024 * 1024
# A client without the features that need much of other people's code, no HTTP, no TLS; a server without them that checks arguments and results; a
# client with all that it can have; both sides. What is larger than the last must show with --deep what each side has of it.
PLAIN, PLAIN_SERVER, CLIENT, WHOLE = MIB * 3 // 2, MIB * 9 // 4, 6 * MIB, MIB * 787 // 100
# What the server adds to a client, and the program with its page.
SERVER, PROGRAM = 2 * MIB, MIB * 45 // 4
# The features of a build, the profile of cargo, and the folder that it builds in.
CLIENT_ALONE = ("client", "client", "release", "release")
SERVER_ALONE = ("server", "schema,server", "dev", "debug")
OPTIMIZED_SERVER = ("server", "schema,server", "release", "release")
WHOLE_CLIENT = ("whole-client", "auth,client,http,schema,skills", "release", "release")


@functools.cache
def built(name, features, profile, output):
    """The library with these features only, without a warning: what one side needs alone, the other one does not have. It has a folder of its own:
    cargo gives a shared library one name whatever its features are, so that in one folder each build would undo the one before it."""
    folder = support.Path(support.places()["target"]) / "plain" / name
    variables = {"CARGO_ENCODED_RUSTFLAGS": "-Dwarnings", "CARGO_PROFILE_RELEASE_DEBUG": "false"}
    is_small = not {"auth", "http"} & set(features.split(","))
    if is_small:
        # As `cargo xtask dist` has it: one without HTTP is for hosts with little room.
        variables["CARGO_PROFILE_RELEASE_OPT_LEVEL"] = "s"
    words = ["--profile", profile, "--package", "libmcp", "--no-default-features", "--features", features, "--crate-type", "cdylib"]
    words += ["--target-dir", folder, *(["--", packaged("SMALL" if is_small else "QUICK")] if profile == "release" else [])]
    return folder / output, support.run(["cargo", "rustc", "--quiet", *words], 3600, env=variables, cwd=support.ROOT)


def packaged(name):
    """What `cargo xtask dist` tells the compiler for the library of a package."""
    return re.search(rf'const {name}: &str =\s*"(-Cllvm-args=[^"]*)"', (support.ROOT / "xtask/src/dist/archive.rs").read_text()).group(1)


def library(build):
    folder, finished = built(*build)
    finished.well()
    return folder / "libmcp.so"


@functools.cache
def size(file):
    stripped = support.scratch("size") / f"{file.parent.parent.name}-{file.name}"
    shutil.copy(file, stripped)
    support.run([support.peer("strip"), "--strip-unneeded", stripped]).well()
    print(f"{file}: {stripped.stat().st_size} bytes, {stripped.stat().st_size / MIB:.2f} MiB")
    return stripped.stat().st_size


@pytest.mark.ahead
@pytest.mark.parametrize("build", [CLIENT_ALONE, SERVER_ALONE], ids=lambda build: build[0])
def test_one_side_alone_is_compiled_without_a_warning(build):
    library(build)


def test_without_the_optional_features_it_is_at_most_1_5_mib():
    assert size(library(CLIENT_ALONE)) <= PLAIN


@pytest.mark.of_packages
def test_the_stripped_library_with_both_sides_is_at_most_7_87_mib():
    assert size(support.library()) <= WHOLE


@pytest.mark.of_packages
def test_the_program_with_its_page_is_at_most_11_25_mib():
    assert size(support.Path(support.places()["program"])) <= PROGRAM


def test_a_client_without_the_server_works_with_a_server_without_the_client():
    programs = []
    for name, file in [("quickstart", library(CLIENT_ALONE)), ("tool_server", library(SERVER_ALONE))]:
        programs.append(file.parent / name)
        support.run([
            support.peer("cc"), "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{support.ROOT}/include",
            support.ROOT / f"examples/c/{name}.c", "-o", programs[-1], f"-L{file.parent}", "-lmcp", f"-Wl,-rpath,{file.parent}",
        ]).well()
    support.says(support.run(programs), ["Hello from C"])


@pytest.mark.parametrize("build, other", [(CLIENT_ALONE, "mcp_server_"), (SERVER_ALONE, "mcp_client_")], ids=["client", "server"])
def test_a_build_with_one_side_exports_no_function_of_the_other(build, other):
    names = support.run([support.peer("nm"), "-D", "--defined-only", library(build)]).well().stdout.split()
    assert "mcp_version" in names or any(name.startswith("mcp_version@") for name in names)
    assert not [name for name in names if name.startswith(other)]


@pytest.mark.deep
def test_a_server_without_client_and_http_is_at_most_2_25_mib():
    assert size(library(OPTIMIZED_SERVER)) <= PLAIN_SERVER


@pytest.mark.deep
def test_the_stripped_library_without_the_server_is_at_most_6_mib_and_the_server_adds_at_most_2():
    client = size(library(WHOLE_CLIENT))
    assert client <= CLIENT and size(support.library()) - client <= SERVER
