"""The library for Linux on other processors and with musl, made on x86-64 by `cargo xtask dist` in a chroot; C programs use it. Programs for ARM
run under QEMU's emulation, those for i686 and for musl on x86-64 natively. A plain run has two systems and a few programs; with --deep it is
all systems, the optimized library, all programs that `programs.txt` does not except, and the unit tests. `MCP_LINUX_TARGETS` names systems.
"""

import functools
import os
import re
import shlex

import files
import programs
import pytest
import support
import systems

# How long a program may take. `timeout` ends what runs in the emulator, too.
PROGRAM_SECONDS, LIMIT, UNIT_LIMIT = 180, 1800, 3600
# The exit status of a program that the system does not permit what it needs.
SKIPPED = 77
# How many schedules the simulator of the engine plays where it is emulated.
EMULATED_SEEDS = 1000
# The word of the table for programs that start themselves, where an emulated one cannot.
ALONE = "alone"
TABLE = "tests/targets/programs.txt"
DEEP = support.places()["deep"]
PROFILE = "release" if DEEP else "dev"


def wanted():
    """The systems: those that the variable names, or those of this run."""
    names = [name for name in os.environ.get("MCP_LINUX_TARGETS", "").split(",") if name]
    known = {target.triple: target for target in systems.LINUX}
    assert not set(names) - set(known), f"MCP_LINUX_TARGETS names {names}; there are {', '.join(known)}"
    return [known[name] for name in names] or [target for target in systems.LINUX if DEEP or target.is_always_run]


class Shop:
    """What is made of a system."""

    def __init__(self, target):
        self.target, self.tools = target, support.peer("system-linux")
        self.folder = support.scratch(f"linux-targets/{target.triple}")
        self.prefix = self.folder / "libmcp"
        self.chroot = target.chroot(self.tools, support.scratch("linux-targets"))

    def run(self, script, limit=LIMIT, folders=(), is_emulated=False):
        return support.run(self.chroot.words(script, folders, is_emulated=is_emulated), limit)

    @functools.cached_property
    def made(self):
        """How the install tree was made."""
        if self.target.is_musl:
            got = support.run([support.places()["xtask"], "system", "linux", self.target.triple], 900)
            if got.code != 0:
                return got
        return self.run(self.target.dist(self.tools, self.chroot, PROFILE, self.prefix))

    @functools.cached_property
    def can_start_emulated(self):
        """Whether an emulated program can start another one, or itself: not every kernel lets a namespace say how."""
        return not self.target.emulator or self.run("true", is_emulated=True).code == 0

    @functools.cached_property
    def why_nothing_runs(self):
        """A kernel may have no 32 bits."""
        empty = self.folder / "empty"
        found = self.run(
            f"echo 'int main(void) {{ return 0; }}' >'{empty}.c'; {self.target.cc} '{empty}.c' -o '{empty}'\n"
            f"if {self.target.emulator} '{empty}'; then echo runs; fi"
        ).well()
        return "" if found.stdout.strip() == "runs" else f"this kernel does not run them: {found.stderr.strip()}"

    def ask(self, words, file):
        # Debian's binutils for this processor read the files of all of them.
        return self.run(f"readelf {words} '{file}'").well().stdout

    def marks(self):
        return self.target.marks | (set() if self.can_start_emulated else {ALONE})


@functools.cache
def shop(target):
    return Shop(target)


def ready(target):
    """The system whose library is there; another test tells why not."""
    found = shop(target)
    if found.made.code != 0:
        pytest.skip("its library was not compiled, which another test tells")
    return found


def excepted(name, marks, linked=""):
    """Why a program does not run where each word of a line's place holds."""
    for wish, words, reason in programs.rows(TABLE):
        if wish == "not" and words[-1] == name and "unit" not in words and set(words[0].split("+")) <= {*marks, linked}:
            return reason
    return None


each = pytest.mark.parametrize("target", wanted(), ids=lambda target: target.triple)


@pytest.mark.ahead
@each
def test_the_library_is_compiled_without_a_warning_and_packed(target):
    shop(target).made.well()


@each
def test_the_shared_library_exports_the_functions_of_the_api_each_in_its_version_and_nothing_else(target):
    here = ready(target)
    files.same({name for name in files.shown(here.ask("--dyn-syms -W", here.prefix / "lib/libmcp.so")) if "@" in name}, files.versioned_exports())


@each
def test_the_static_library_shows_the_functions_of_the_api_and_nothing_else(target):
    here = ready(target)
    files.same(files.shown(here.ask("-sW", here.prefix / "lib/libmcp.a")), files.exports())


@each
def test_the_shared_library_is_hardened_is_not_unmapped_and_needs_nothing_but_the_c_library(target):
    here = ready(target)
    shared = here.prefix / "lib/libmcp.so"
    assert not files.wrong_looks(here.ask("-dW", shared), here.ask("-lW", shared), files.soname()[0])


@pytest.mark.parametrize("name", ["libmcp.so", "libmcp.a"])
@each
def test_no_library_names_a_folder_of_this_machine(target, name):
    files.names_no_folder(ready(target).prefix / "lib" / name)


def chosen():
    """The programs with how they are linked. Statically linked ones for glibc differ from the others in the linking alone: of these a few run."""
    always = {words[0] for wish, words, _ in programs.rows(TABLE) if wish == "run"}
    for target in wanted():
        for linked in ("shared", "static"):
            has_all = support.places().get("program_named") or DEEP and (linked == "shared" or target.is_musl)
            for name in programs.SOURCES:
                if (has_all or name in always) and excepted(name, target.marks, linked) is None:
                    yield f"{target.triple} {linked} {name}", (target, linked, name)


CHOSEN = dict(chosen())


def play(target, linked, name):
    """Compiles a program, by what pkg-config says, and runs it with the servers of this machine."""
    here, source = shop(target), programs.SOURCES[name]
    folder = support.scratch(f"linux-targets/{target.triple}/{linked}")
    program = folder / name
    if linked == "shared":
        flags, look = f"$(pkg-config --cflags --libs mcp) -Wl,-rpath,'{here.prefix}/lib'", ""
    else:
        # Names are not resolved without the C library's own files, so for glibc that one is shared.
        flags = "-static $(pkg-config --static --cflags --libs mcp-static)" if target.is_musl else "$(pkg-config --cflags --libs mcp-static)"
        # Without this table a panic in a program that is linked statically would end the process.
        look = f"readelf -lW '{program}' | grep -E '{'|'.join(files.FRAMES)}' >/dev/null\n"
    servers = [support.places()[server] for server in ("example_server", "scripted_server")]
    servers += [support.places()["scripted_http"]] * programs.calls_over_http(source)
    # The loads are for a slow machine where programs are emulated, or the library is not optimized.
    scale = "" if DEEP and not target.emulator else "export MCP_TEST_SCALE=4\n"
    return here.run(
        f"{scale}export PKG_CONFIG_LIBDIR='{here.prefix}/lib/pkgconfig' MCP_SHARED_LIBRARY='{here.prefix}/lib/libmcp.so'\n"
        f"{target.cc} -std=c11 -O1 -g -Wall -Wextra -Wpedantic -Werror '{source}' {flags} -pthread -o '{program}'\n"
        f"{look}cd '{folder}'; exec timeout -k 5 {PROGRAM_SECONDS} {target.emulator} '{program}' {shlex.join(servers)}",
        PROGRAM_SECONDS + 60,
        # What a program that starts itself again lacks elsewhere, and what others lack there.
        is_emulated=here.can_start_emulated and excepted(name, {ALONE}) is not None,
    )


@pytest.fixture(scope="module")
def plays(request):
    """What can run is played side by side; a test asks first whether its own can."""
    def job(name):
        target, linked, program = CHOSEN[name]
        can = shop(target).made.code == 0 and not shop(target).why_nothing_runs and excepted(program, shop(target).marks(), linked) is None
        return play(target, linked, program) if can else None

    # Each tree is made once, by one thread.
    for target in wanted():
        shop(target).made.code
    return support.begin(request, "name", job)


@pytest.mark.parametrize("name", list(CHOSEN), ids=str)
def test_program(plays, name):
    target, linked, program = CHOSEN[name]
    here = ready(target)
    if why := here.why_nothing_runs or excepted(program, here.marks(), linked):
        pytest.skip(why)
    found = plays[name].result()
    if found.code == SKIPPED and found.stdout.strip().startswith("skip: "):
        pytest.skip(found.stdout.strip())
    found.well()


@pytest.mark.deep
@each
def test_the_unit_tests_of_the_library_pass(target):
    here = ready(target)
    if here.why_nothing_runs:
        pytest.skip(here.why_nothing_runs)
    skipped = [words[-1] for wish, words, _ in programs.rows(TABLE) if "unit" in words and set(words[0].split("+")) <= here.marks()]
    seeds = f"export MCP_SIM_SEEDS={EMULATED_SEEDS}\n" if target.emulator else ""
    found = here.run(
        f"{seeds}cargo test --quiet --locked --package mcp-base --package mcp-core --package mcp --lib --target-dir '{target.target(here.tools)}' "
        f"--target {target.triple} -- {shlex.join(word for name in skipped for word in ('--skip', name))}",
        UNIT_LIMIT,
        # Some of them start themselves.
        is_emulated=here.can_start_emulated,
    ).well()
    passed = [int(count) for count in re.findall(r"test result: ok\. (\d+) passed", found.stdout) if count != "0"]
    assert len(passed) == 2, f"tests of two packages should run: {found.story()}"
    print(f"{target.triple}: {sum(passed)} unit tests passed")


def test_a_program_runs_unless_a_line_names_its_system(monkeypatch):
    table = [("run", ["one"], ""), ("not", ["qemu", "two"], "it forks"), ("not", ["musl+static", "three"], "no dlopen"), ("not", ["qemu", "unit", "x"], "")]
    monkeypatch.setattr(programs, "rows", lambda _: table)
    assert excepted("two", {"qemu", "aarch64"}, "shared") == "it forks" and excepted("two", {"i686"}, "shared") is None
    assert excepted("three", {"musl"}, "static") == "no dlopen"
    assert excepted("three", {"musl"}, "shared") is excepted("three", {"i686"}, "static") is excepted("x", {"qemu"}) is None
