"""The Go binding, as its users build it: with cgo and pkg-config, shared and static, vetted, and under the race detector; the same programs on
the official SDK; and the module as it is published, fetched by `go get` from a repository with a tag, and built in an empty folder."""

import contextlib
import json
import os
import shutil
from pathlib import Path

import attacks
import pytest
import support
from counterparts import visits
from interop import plans

BINDING, COUNTERPARTS = support.ROOT / "bindings/go", support.ROOT / "tests/counterparts/go"
# The linter of Go programs, in the version that the binding was written for.
STATICCHECK = "honnef.co/go/tools/cmd/staticcheck@v0.8.2"
MODULE = "github.com/libmcp/libmcp-go"
# The first run compiles Go's own library too, once more for the race detector.
LIMIT = 1800
# Every pointer to C is checked. Each run under the race detector has it: without, Go's own library would be compiled once more.
CHECKED = {"GOEXPERIMENT": "cgocheck2"}


def go(*words, cwd=BINDING, **env):
    program = shutil.which("go") or support.lack("Go is missing. To get it: apt-get install golang-go (Debian 13), or Go's own site")
    with contextlib.suppress(pytest.skip.Exception):
        python = [support.peer("python-1"), str(support.ROOT / "tests/servers/python/server.py")]
        env["MCP_PYTHON_SERVER"] = json.dumps(python)
    known = {"PKG_CONFIG_PATH": support.places()["stage"]["pkgconfig"], "CGO_ENABLED": "1", "CGO_LDFLAGS": None, "GOFLAGS": support.go_flags()}
    return support.run([program, *words], LIMIT, env=support.servers() | known | env, cwd=cwd)


@pytest.fixture(scope="module", autouse=True)
def modules():
    """What the programs of the binding, and those beside it, need."""
    for folder in [BINDING, BINDING / "bench", BINDING / "otel", COUNTERPARTS]:
        support.fetched(lambda: go("list", "-deps", "-test", "./...", cwd=folder)).well()


def test_gofmt_has_nothing_to_say():
    """It prints the files that it would change, and succeeds all the same."""
    beside = Path(os.path.realpath(shutil.which("go") or "go")).with_name("gofmt")
    assert not support.run([beside if beside.is_file() else "gofmt", "-l", "."], cwd=BINDING).well().stdout.strip()


def test_go_vet_has_nothing_to_say():
    go("vet", "./...").well()


def test_staticcheck_has_nothing_to_say():
    support.fetched(lambda: go("run", STATICCHECK, "./...", GOTOOLCHAIN="local")).well()


def test_the_tests_pass():
    finished = go("test", "-count=1", "-v", "./...").well()
    skipped = [line for line in finished.stdout.splitlines() if line.startswith("--- SKIP: ")]
    print("\n".join(skipped))
    assert "--- PASS: " in finished.stdout and not (skipped and os.environ.get("CI") == "true"), finished.story()


def test_they_pass_under_the_race_detector_with_every_pointer_to_c_checked():
    go("test", "-count=1", "-short", "-race", "./...", MCP_TEST_SCALE="5", **CHECKED).well()


def test_they_pass_without_cgo_on_the_shared_library():
    """The library is opened when the program runs."""
    go("test", "-count=1", "-short", "./...", CGO_ENABLED="0", MCP_LIBRARY=str(support.library())).well()


@pytest.mark.deep
def test_without_cgo_it_compiles_for_arm64():
    """So does Go's own library, which is nearly all of it."""
    go("vet", ".", GOARCH="arm64", CGO_ENABLED="0").well()


def test_with_the_tag_mcp_static_the_library_is_in_the_program():
    go("test", "-count=1", "-tags", "mcp_static", "-run", "Listed|Logger|Slog", ".").well()


def test_spans_and_durations_reach_opentelemetrys_sdk():
    """The module `otel` has OpenTelemetry, so that users of the binding do not download it."""
    go("-C", "otel", "vet", "./...").well()
    go("-C", "otel", "test", "-count=1", "-race", "./...", **CHECKED).well()


@pytest.fixture(scope="module")
def programs():
    """The server example, the program that visits servers, and those on the official SDK."""
    folder = support.scratch("go")
    go("build", "-o", folder / "example-server", "./examples/server").well()
    # It is not a part of the module on the official SDK, and is compiled in that of the binding.
    go("build", "-o", folder / "visit", COUNTERPARTS / "visit.go").well()
    (folder / "counterparts").mkdir(exist_ok=True)
    go("build", "-o", folder / "counterparts", "./...", cwd=COUNTERPARTS, CGO_ENABLED="0").well()
    return {"ours": folder / "example-server", "theirs": folder / "counterparts/server", "visit": folder / "visit",
            "compare": folder / "counterparts/compare"}


@pytest.mark.parametrize("server", ["ours", "theirs"])
def test_the_official_sdks_client_uses_the_server(programs, server):
    """The module `bench` has the official SDK, so that users of the binding do not download it."""
    go("-C", "bench", "test", "-count=1", "./...", MCP_GO_SERVER=programs[server]).well()


def test_the_same_program_on_the_official_sdk_works(programs):
    finished = support.run([programs["compare"], *plans.reference_server("everything")])
    support.says(finished, ["elicitation: ", "two clients: 100 calls", "crash: the server was started again"])


@pytest.mark.parametrize("server", ["ours", "theirs"])
def test_a_client_uses_a_server_over_stdio_and_http(programs, server):
    visits.visit([programs["visit"]], "go", [programs[server]], ends_well=True)


@pytest.mark.parametrize("how", ["alone", "host"], ids=["its own server", "inside net/http"])
def test_a_server_survives_attacks(how):
    program = support.scratch("go") / "attacked"
    go("build", "-o", program, support.ROOT / "tests/servers/go/attacked.go").well()
    attacks.survives([program, how], program.with_name(f"attacked-{how}.log"))


def test_go_get_of_the_published_module_gives_a_program_without_pkg_config_and_rust():
    """Everything runs in new folders: a module of an earlier run in the cache would hide a fault."""
    folder = support.emptied("go-published")
    repository, user = folder / "repository", folder / "user"
    system = {"x86_64": "linux_amd64", "aarch64": "linux_arm64"}[os.uname().machine]
    archive = f"{system}={support.places()['library_folder']}/libmcp.a"
    support.run([support.ROOT / "packaging/release/go_module.py", "--to", repository, "--archive", archive], LIMIT).well()
    version = "v" + json.loads((support.ROOT / "bindings/node/package.json").read_text())["version"]
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "tag.gpgsign=false", "-c", "commit.gpgsign=false",
           "-c", "core.compression=0"]
    for words in [["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "published"], ["tag", version], ["tag", f"otel/{version}"]]:
        support.run([*git, *words], LIMIT, cwd=repository).well()
    user.mkdir()
    shutil.copy(support.ROOT / "tests/go/published/main.go", user)

    def as_user(*words, cgo="1", **more):
        """Runs Go as on a machine that has never seen the project: the module's path leads to the repository here."""
        # Go's index of the files of a module outlives the cache of modules, and an earlier run had the same version of the module.
        return go(*words, cwd=user, CGO_ENABLED=cgo, GOPRIVATE=MODULE, GOFLAGS="-modcacherw -buildvcs=false",
                  GOMODCACHE=folder / "modules", PKG_CONFIG="false", PKG_CONFIG_PATH=None, GODEBUG="goindex=0", GIT_CONFIG_COUNT="1",
                  GIT_CONFIG_KEY_0=f"url.file://{repository}.insteadOf", GIT_CONFIG_VALUE_0=f"https://{MODULE}", **more)

    as_user("mod", "init", "example.com/user").well()
    support.fetched(lambda: as_user("get", f"{MODULE}@{version}")).well()
    assert as_user("run", ".").well().stdout.startswith("hello from ")
    # The other ways that a user may come: the archive is vendored, too; without cgo the shared library is opened, or one error says that
    # this is not possible there.
    as_user("mod", "vendor").well()
    assert (user / "vendor" / MODULE / "lib" / system / "libmcp.a").is_file(), "go mod vendor left the archive out"
    assert as_user("run", ".", cgo="0", MCP_LIBRARY=str(support.library())).well().stdout.startswith("hello from ")
    # The module for OpenTelemetry is one of its own.
    support.fetched(lambda: as_user("get", f"{MODULE}/otel@{version}")).well()
    as_user("build", "-mod=mod", f"{MODULE}/otel").well()
    refused = as_user("build", "-mod=mod", ".", cgo="0", GOOS="darwin")
    assert refused.code != 0 and "set_CGO_ENABLED_1" in refused.stderr and refused.stderr.count("undefined") == 1, refused.story()
