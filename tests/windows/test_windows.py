"""The library for Windows, compiled on Linux with MinGW-w64 and packed by `cargo xtask dist`; C programs use it under wine. What is compiled
with Microsoft's compilers is only checked. With --deep the programs that take long run too, and the unit tests, and it is the optimized
library.
"""

import functools
import os
import re
import shlex
import subprocess
import sys

import files
import programs
import pytest
import support
import systems
from systems import MSVC, WINDOWS

# How long a program may take. `timeout` ends what runs inside of wine, too.
PROGRAM_SECONDS, LIMIT = 90, 1500
# How many schedules of a simulator are played under wine: what is played is the same everywhere.
SEEDS = 1000
# Examples that a server is enough for.
EXAMPLES = ["ask_user", "demo", "game_tick", "long_call", "quickstart"]
COMPILE = "x86_64-w64-mingw32-gcc -std=c11 -Wall -Wextra -Iinclude"
LIBRARIES = "-Wl,-Bstatic -lpthread -Wl,-Bdynamic -lws2_32"
# What is built with the package: the tool of a user would have these options.
STRICT = "x86_64-w64-mingw32-gcc -std=c11 -Wall -Wextra -pedantic -Werror"
# An example whose client calls the server in the same program, in both eras, and what it prints each time.
EXAMPLE, PRINTS = "share/doc/libmcp/examples/c/ask_user.c", "ordered: a large tea for 2.50"
# The DLLs that every Windows has, of those that the library may need: `api-ms-win-` is the first part of the names of a family.
SYSTEM = (
    "advapi32.dll", "api-ms-win-", "bcrypt.dll", "bcryptprimitives.dll", "crypt32.dll", "dbghelp.dll", "kernel32.dll", "msvcrt.dll",
    "ncrypt.dll", "ntdll.dll", "secur32.dll", "userenv.dll", "ws2_32.dll",
)
# The conformance suite gives up on a client after 30 s. Its server ends with its input; the limit ends one that hangs.
CLIENT_SECONDS, SERVER_SECONDS = 40, 600
SUITE_SAYS = ["MCP_CONFORMANCE_SCENARIO", "MCP_CONFORMANCE_CONTEXT", "MCP_CONFORMANCE_PROTOCOL_VERSION"]
TABLE = "tests/windows/programs.txt"
DEEP = support.places()["deep"]
PROFILE, BUILT = ("release", "release") if DEEP else ("dev", "debug")


def wanted():
    """The programs that run here."""
    wishes = [(wish, words[0]) for wish, words, _ in programs.rows(TABLE) if words[0] != "unit"]
    found = [programs.SOURCES[name] for wish, name in wishes if wish == "run" or wish == "deep" and DEEP]
    found += sorted((support.ROOT / "tests/windows/c").glob("*.c"))
    found += [support.ROOT / f"examples/c/{name}.c" for name in EXAMPLES]
    return {str(source.relative_to(support.ROOT).with_suffix("")): source for source in found}


@functools.cache
def chroot():
    return systems.windows(support.peer("system-windows"))


def run(script, limit=LIMIT):
    return support.run(chroot().words(script), limit)


def folder(name):
    return support.scratch("windows") / name


PREFIX = folder("package") / "unpacked/libmcp"
PROGRAMS = folder("programs")


def target():
    return f"{support.peer('system-windows')['target']}/windows"


def dist(name, more):
    # It says the flags of rustc by itself. A warning is an error, which cargo tells of packages of ours alone. Objects that are compiled to be
    # used again have names that are drawn by lot.
    line = chroot().dist(WINDOWS, PROFILE, target(), folder("package") / name / "libmcp", more)
    return f"(unset CARGO_ENCODED_RUSTFLAGS; export CARGO_UNSTABLE_WARNINGS=true CARGO_BUILD_WARNINGS=deny; {line})"


@functools.cache
def package():
    place = folder("package")
    unpack = f"mkdir '{place}/unpacked'; tar -xzf '{place}/first/libmcp.tar.gz' -C '{place}/unpacked'"
    return run(f"mkdir -p '{place}'; rm -rf '{place}'/*\n{dist('first', '--tarball')}\n{unpack}")


@functools.cache
def scripted_servers():
    return run(f"cargo build --quiet --locked --package mcp-scripted-server --package mcp-scripted-http --profile {PROFILE} "
               f"--target-dir '{target()}' --target {WINDOWS}")


@functools.cache
def unit_tests():
    """Their program is named in what this prints."""
    return run(f"cargo rustc --quiet --locked --package mcp --lib --profile test --message-format json-render-diagnostics "
               f"--target-dir '{target()}' --target {WINDOWS} -- -D warnings")


@functools.cache
def prepared():
    """What all programs need; and wine starts once, which makes its folder the first time."""
    sources = " ".join(f"'{source}'" for source in sorted((support.ROOT / "examples/server").glob("*.c")))
    built = f"{target()}/{WINDOWS}/{BUILT}"
    return run(
        f"mkdir -p '{PROGRAMS}'; cp '{PREFIX}/bin/mcp.dll' '{built}/mcp-scripted-server.exe' '{built}/mcp-scripted-http.exe' '{PROGRAMS}'\n"
        f"{COMPILE} -Itests/windows/include -c tests/windows/posix.c -o '{PROGRAMS}/posix.o'\n"
        f"{COMPILE} {sources} '{PREFIX}/lib/libmcp.dll.a' {LIBRARIES} -o '{PROGRAMS}/mcp-example-server.exe'\n"
        f"timeout -k 5 120 wineboot -i > /dev/null 2>&1; cd '{PROGRAMS}'; timeout -k 5 60 wine ./mcp-example-server.exe --version"
    )


def after(*made):
    """What a test needs is there; another test tells why not."""
    for make in made:
        if make().code != 0:
            pytest.skip("what it needs was not compiled, which another test tells")


@pytest.mark.ahead
def test_the_library_is_compiled_without_a_warning_and_packed():
    package().well()


@pytest.mark.ahead
def test_the_test_servers_are_compiled():
    scripted_servers().well()


@pytest.mark.deep
def test_the_unit_tests_are_compiled_without_a_warning():
    unit_tests().well()


@pytest.mark.deep
def test_the_package_that_is_made_again_the_library_compiled_again_is_the_same_to_the_byte():
    after(package)
    place = folder("package")
    run(
        f"cargo clean --quiet --locked --package mcp --package libmcp --profile {PROFILE} --target-dir '{target()}' --target {WINDOWS}\n"
        f"{dist('second', '--tarball')}\ncmp '{place}/first/libmcp.tar.gz' '{place}/second/libmcp.tar.gz'; cd '{place}/second'; "
        "sha256sum --check libmcp.tar.gz.sha256"
    ).well()


def headers():
    after(package)
    return run(f"x86_64-w64-mingw32-objdump -p '{PREFIX}/bin/mcp.dll'").well().stdout


def test_its_dll_exports_exactly_what_the_list_has():
    table = headers().split("[Ordinal/Name Pointer] Table")[1].split("\n\n")[0]
    files.same({line.split()[-1] for line in table.splitlines() if line.lstrip().startswith("[") and line.split()[-1] != "Name"}, files.exports())


def test_its_dll_needs_windows_own_dlls_alone_has_any_address_and_executes_no_data():
    text = headers()
    names = re.findall(r"DLL Name: (\S+)", text)
    assert names and not [name for name in names if not name.lower().startswith(SYSTEM)]
    assert not [flag for flag in ("HIGH_ENTROPY_VA", "DYNAMIC_BASE", "NX_COMPAT", ".reloc") if flag not in text]


def test_the_page_says_what_a_program_that_links_its_static_library_needs():
    after(package)
    needs = re.search(r"^Libs: \$\{libdir\}/libmcp\.a (.*)$", (PREFIX / "lib/pkgconfig/mcp-static.pc").read_text(), re.M)[1]
    assert f"| `{needs}` |" in (support.ROOT / "docs/guide/packaging.md").read_text()


@pytest.mark.parametrize("file", ["bin/mcp.dll", "lib/libmcp.a"])
def test_no_library_names_a_folder_of_this_machine(file):
    after(package)
    files.names_no_folder(PREFIX / file)


def test_c_programs_are_built_with_it_by_pkg_config_and_call_their_servers():
    after(package)
    # The static programs run before the DLL is beside them.
    run(
        f"export PKG_CONFIG_LIBDIR='{PREFIX}/lib/pkgconfig'; mkdir '{folder('package')}/pkg-config'; cd '{folder('package')}/pkg-config'\n"
        f"{STRICT} '{PREFIX}/{EXAMPLE}' $(pkg-config --cflags --libs mcp) -o shared.exe\n"
        f"{STRICT} '{PREFIX}/{EXAMPLE}' $(pkg-config --cflags --libs mcp-static) -o static.exe\n"
        f"{STRICT} -static '{PREFIX}/{EXAMPLE}' $(pkg-config --static --cflags --libs mcp) -o throughout.exe\n"
        "for program in static throughout shared; do\n"
        f"    test $program != shared || cp '{PREFIX}/bin/mcp.dll' .\n"
        "    timeout -k 5 60 wine ./$program.exe | tr -d '\\r' >$program.out || { echo \"$program.exe failed\" >&2; exit 1; }\n"
        f"    test \"$(grep -cFx '{PRINTS}' $program.out)\" = 2 || {{ cat $program.out >&2; exit 1; }}\n"
        "done"
    ).well()


def test_cmake_finds_it_for_windows_alone_and_c_programs_of_it_call_their_servers():
    after(package)
    place = folder("package")
    refused = run(
        f"unset CC AR; export CMAKE_PREFIX_PATH='{PREFIX}'\n"
        f"cmake -S tests/windows/package -B '{place}/cmake' -DCMAKE_TOOLCHAIN_FILE=\"$PWD/tests/windows/package/mingw.cmake\" "
        f"-DEXAMPLE='{PREFIX}/{EXAMPLE}'\n"
        f"cmake --build '{place}/cmake'; ctest --test-dir '{place}/cmake' --no-tests=error --output-on-failure --timeout 60\n"
        f"if cmake -S tests/windows/package -B '{place}/cmake-linux' -DEXAMPLE='{PREFIX}/{EXAMPLE}' 2>'{place}/refused'; then\n"
        "    echo 'a program for Linux found the package for Windows' >&2; exit 1\n"
        f"fi\ncat '{place}/refused'"
    )
    support.says(refused, ["mcpConfig.cmake, version: "])


@pytest.mark.deep
def test_the_unit_tests_pass_under_wine():
    after(unit_tests)
    program = re.findall(r'"executable":"([^"]*)"', unit_tests().stdout)[-1]
    skipped = [words[1] for wish, words, _ in programs.rows(TABLE) if words[0] == "unit"]
    words = [word for name in skipped for word in ("--skip", name)]
    run(f"MCP_SIM_SEEDS={SEEDS} timeout -k 5 600 wine '{program}' {shlex.join(words)}").well()


def test_the_example_server_is_compiled_and_wine_starts():
    after(package, scripted_servers)
    prepared().well()


def play(source):
    """Compiles a program and runs it with the servers."""
    servers = ["./mcp-example-server.exe"]
    if source.is_relative_to(support.ROOT / "tests"):
        servers += ["./mcp-scripted-server.exe"] + ["./mcp-scripted-http.exe"] * programs.calls_over_http(source)
    # The C library has fewer names with them; the warnings are those of the step `c`.
    return run(
        f"{COMPILE} -D__USE_MINGW_ANSI_STDIO=1 -Itests/windows/include -Itests/c '{source}' '{PROGRAMS}/posix.o' '{PREFIX}/lib/libmcp.dll.a' "
        f"{LIBRARIES} -o '{PROGRAMS}/{source.stem}.exe'\n"
        f"cd '{PROGRAMS}'; exec timeout -k 5 {PROGRAM_SECONDS} wine ./{source.stem}.exe {' '.join(servers)}"
    )


@pytest.fixture(scope="module")
def plays(request):
    after(package, scripted_servers, prepared)
    return support.begin(request, "program", lambda name: play(wanted()[name]))


@pytest.mark.parametrize("program", list(wanted()), ids=str)
def test_program(plays, program):
    plays[program].result().well()


@pytest.fixture
def services():
    """Wine's services, which run as long as this. They keep the output of the program that starts them: if that were a client of the suite, the
    suite would wait for the end of its output as long as other programs run."""
    words = chroot().words(f"exec timeout -k 5 {SERVER_SECONDS} wine cmd /c 'set /p line='")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        # A program that runs to its end finds them started.
        run(f"cd '{PROGRAMS}'; timeout -k 5 120 wine ./mcp-example-server.exe --version").well()
        yield
        # The end of its input is what it waits for.
        child.stdin.close()


@pytest.mark.deep
def test_the_official_conformance_suite_passes_with_a_client_and_a_server_under_wine(services):
    """The suite is a program of this machine: it starts a script that runs the client under wine, and reaches the server, which runs under wine,
    over the loopback interface."""
    after(package, scripted_servers, prepared)
    scripts = {}
    for side, seconds, argument in [("client", CLIENT_SECONDS, ' "$ARGUMENT"'), ("server", SERVER_SECONDS, "")]:
        # What the suite says has characters that no code page has. The server finds its skills beside its source, by its whole path.
        run(
            f"{COMPILE} -Dgetenv=test_getenv -D__USE_MINGW_ANSI_STDIO=1 -Itests/windows/include '{support.ROOT}/tests/conformance/{side}.c' "
            f"'{PROGRAMS}/posix.o' '{PREFIX}/lib/libmcp.dll.a' {LIBRARIES} -o '{PROGRAMS}/conformance-{side}.exe'"
        ).well()
        inside = f"cd '{PROGRAMS}'; exec timeout -k 5 {seconds} wine ./conformance-{side}.exe{argument}"
        scripts[side] = folder("conformance") / side
        systems.put(scripts[side], chroot().words(inside, kept=SUITE_SAYS))
    # Scenarios mostly wait, but the start of a program under wine does not.
    variables = {
        "MCP_CONFORMANCE_CLIENT": scripts["client"], "MCP_CONFORMANCE_SERVER": f'["{scripts["server"]}"]', "MCP_CONFORMANCE_AT_ONCE": 2,
        "MCP_TEST_PLACES": support.PLACES,
    }
    chosen = "client_scenario or server_scenario or ends_with_its_input"
    suite = support.run([sys.executable, "-B", "-m", "pytest", "-q", "tests/conformance", "-k", chosen], 3600, env=variables, cwd=support.ROOT)
    assert re.search(r"[1-9]\d* passed", suite.well().stdout), suite.story()
    print(suite.stdout.splitlines()[-1])


@pytest.mark.deep
def test_the_whole_library_is_checked_for_microsofts_c_library_without_a_warning():
    """The C parts of *ring* are compiled by MinGW-w64: nothing is linked, so that they need not fit. The archiver is called in the words of
    Microsoft's."""
    got = support.run([support.places()["xtask"], "system", "windows", MSVC], 900)
    if got.code != 0:
        support.lack(got.stderr)
    place = f"{target()}/msvc"
    archiver = '#!/bin/sh\nout=${1#-out:}; shift 2; exec x86_64-w64-mingw32-ar crs "$out" "$@"\n'
    os.makedirs(place, exist_ok=True)
    systems.put(support.Path(place) / "lib", archiver)
    run(
        f"export CC_x86_64_pc_windows_msvc=x86_64-w64-mingw32-gcc AR_x86_64_pc_windows_msvc='{place}/lib'\n"
        f"unset CARGO_ENCODED_RUSTFLAGS; RUSTFLAGS='-D warnings' cargo check --quiet --locked --package mcp --lib --target-dir '{place}' "
        f"--target {MSVC}"
    ).well()
