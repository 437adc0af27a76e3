"""A release as its users meet it: everything that `cargo xtask release --here` makes is installed in Debians without Rust and without a network,
and runs its first example. `MCP_RELEASE` names the folder of a release that is made already.

A channel is a script of what a user types, in `channels`, in the form of the scripts in `ways`. Each has a fresh copy of the system, with the files of the release in
/release, the channels in /channels, what package indexes would bring in /index, and README's server, compiled of the tarball, as `$SERVER`.
"""

import functools
import json
import os
import shutil
import time

import pytest
import support

# Swift compiles for 55 s of processor time, which were 867 s on a busy machine.
LIMIT = 1800
# A system of its own over the one that stays as it is, for the processes of this script alone. The words: the folder for it, the system, the script,
# and pairs of a folder of this machine and where it is seen.
ENTER = (
    'set -eu; own=$1; base=$2; script=$3; shift 3; mount --make-rprivate /; mount -t tmpfs tmpfs "$own"; mkdir "$own/upper" "$own/work" "$own/root"; '
    'mount -t overlay overlay -o "lowerdir=$base,upperdir=$own/upper,workdir=$own/work" "$own/root"; mount -t proc proc "$own/root/proc"; '
    'mount --rbind /dev "$own/root/dev"; while [ $# -gt 0 ]; do mkdir -p "$own/root$2"; mount --bind "$1" "$own/root$2"; shift 2; done; '
    'exec chroot "$own/root" bash -euo pipefail -c "$script"'
)
# The machines: where the system of each is, and the channels that have what they need of it. Debian 12 has Node.js 18, Java 17 and Go 1.19, which are
# older than the bindings take; Debian 13 has no NuGet. Swift is large, and has a system of its own.
ANYWHERE = {"apt", "image", "install", "luarocks", "pip", "rpm", "uvx"}
MACHINES = {
    "debian-13": ("system-user", ANYWHERE | {"conan", "go", "jar", "mvn", "npm"}),
    "debian-12": ("system-user-12", ANYWHERE | {"nuget"}),
    "debian-13-swift": ("system-swift", {"swift"}),
}
CHANNELS = {file.stem: file for file in sorted((support.ROOT / "tests/packaging/channels").glob("*.sh"))}
# What pip, npm and others are not to look for elsewhere.
BEFORE = "cd /root; export PIP_NO_INDEX=1 PIP_FIND_LINKS='/release /index' PIP_DISABLE_PIP_VERSION_CHECK=1 UV_OFFLINE=1 npm_config_offline=true\n"
SERVER = """mkdir /root/server && tar -xzf /release/libmcp-*-x86_64-unknown-linux-gnu.tar.gz --strip-components=1 -C /root/server
cd /root/server && cc share/doc/libmcp/examples/c/tool_server.c $(PKG_CONFIG_PATH=lib/pkgconfig pkg-config --cflags --libs mcp-static) -o /made/server
"""
pytestmark = [support.of_linux, pytest.mark.deep]


# A fixture that fails is not run again for the next test: a release takes long.
@pytest.fixture(scope="module")
def release():
    """The folder of the release, and that of its channels."""
    named = os.environ.get("MCP_RELEASE")
    if named:
        # As the person has typed it, who is in the checkout.
        folder = (support.ROOT / named).resolve()
        if not (folder / "release.json").is_file():
            pytest.fail(f"MCP_RELEASE={named}: {folder} has no release.json; `cargo xtask release --to FOLDER` makes a release")
    else:
        work = support.emptied("installed/release")
        folder = work / "files"
        with support.signing_keys(work) as (env, keys):
            words = ["release", "--to", folder, "--here", "--once", *keys]
            support.run([support.places()["xtask"], *words], 3600, env).well()
    return folder, folder.with_name(f"{folder.name}-channels")


# Plugins of Maven, in the versions that the index has.
PLUGINS = {
    "RESOURCES": "org.apache.maven.plugins:maven-resources-plugin:3.3.1:resources",
    "COMPILE": "org.apache.maven.plugins:maven-compiler-plugin:3.14.0:compile",
    "RUN": "org.codehaus.mojo:exec-maven-plugin:3.5.0:java",
}


@pytest.fixture(scope="module")
def index():
    """What package indexes would bring: the needs of the bindings, and the clients that Debian lacks."""
    folder = support.scratch("installed/index")
    pip = [support.peer("python-pip"), "-m", "pip", "--quiet", "--disable-pip-version-check"]

    def fetch(*words, **more):
        support.fetched(lambda: support.run(words, LIMIT, **more)).well()

    # Two packages have no wheels there.
    fetch(*pip, "wheel", "--no-deps", "--wheel-dir", folder, "conan", "patch-ng")
    for version in ["3.11", "3.13"]:
        words = ["download", "--only-binary=:all:", f"--python-version={version}", "--find-links", folder, "--dest", folder]
        fetch(*pip, *words, "cffi", "pycparser", "uv", "conan")
    fetch(support.peer("go"), "mod", "download", env={"GOMODCACHE": folder / "go", "GOFLAGS": "-modcacherw"}, cwd=support.ROOT / "bindings/go")
    program = support.emptied("installed/maven")
    source = program / "src/main/java/Hello.java"
    source.parent.mkdir(parents=True)
    source.write_text("public class Hello { public static void main(String[] arguments) {} }\n")
    (program / "pom.xml").write_text(
        "<project xmlns='http://maven.apache.org/POM/4.0.0'><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId>"
        "<artifactId>program</artifactId><version>1</version><properties><maven.compiler.release>17</maven.compiler.release></properties></project>\n"
    )
    fetch(support.peer("mvn"), "--quiet", "--batch-mode", f"-Dmaven.repo.local={folder}/m2", *PLUGINS.values(), "-Dexec.mainClass=Hello", cwd=program)
    (folder / "mvn.sh").write_text("".join(f"{name}={plugin}\n" for name, plugin in PLUGINS.items()))
    return folder


@pytest.fixture(scope="module")
def inside(release, index):
    """Runs a script in the system of a user, who has no network."""

    def run(machine, script, *folders):
        own = support.emptied(f"installed/root-{support.free_port()}")
        places = [*release, index, *folders]
        seen = ["/release", "/channels", "/index", "/made"]
        pairs = [word for place, name in zip(places, seen, strict=False) for word in (place, name)]
        root = support.peer(MACHINES[machine][0])["root"]
        words = ["unshare", "-m", "-n", "bash", "-c", ENTER, "enter", own, root, BEFORE + script, *pairs]
        kept = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "SERVER": "/made/server"}
        return support.run(["env", "-i", *(f"{name}={value}" for name, value in kept.items()), *words], LIMIT)

    return run


@pytest.fixture(scope="module")
def made(inside):
    """The folder with the server, compiled on a machine."""

    @functools.cache
    def compiled(machine):
        folder = support.emptied(f"installed/made-{machine}")
        inside(machine, SERVER, folder).well()
        return folder

    return compiled


@pytest.mark.parametrize("machine", MACHINES)
def test_the_system_has_no_rust(machine, inside):
    inside(machine, "! command -v cargo; ! command -v rustc; ! ls /root/.cargo").well()


@pytest.mark.parametrize("machine, name", [(machine, name) for machine, (_, names) in MACHINES.items() for name in sorted(names)])
def test_channel(machine, name, inside, made, record_property):
    """What it shows is said by the first comment of its script."""
    folder = made(machine)
    begin = time.monotonic()
    finished = inside(machine, CHANNELS[name].read_text(), folder).well()
    took = time.monotonic() - begin
    record_property("seconds", f"{took:.1f}")
    print(f"{machine} {name}: {took:.1f} s")
    assert "Hello" in finished.stdout, f"the first example says no Hello: {finished.story()}"


def recipes(release, name):
    """A folder of the channels, whose files take the release from its folder instead of the address that it will have."""
    files, given = release
    base = json.loads((files / "release.json").read_text())["base"]
    to = support.emptied(f"installed/{name}")
    for file in (given / name).iterdir():
        (to / file.name).write_text(file.read_text().replace(base, f"file://{files}"))
    return to


def uses(prefix, folder):
    """A program of CMake finds the package in a folder, and calls the server."""
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(x C)\nfind_package(mcp 0.1 CONFIG REQUIRED)\n"
        f"add_executable(x {support.ROOT}/tests/packaging/consumer.c)\ntarget_link_libraries(x mcp::mcp)\n"
    )
    for words in [["-S", folder, "-B", folder / "use", f"-Dmcp_DIR={prefix}", "-DCMAKE_BUILD_TYPE=Release"], ["--build", folder / "use"]]:
        support.run([support.peer("cmake"), *words], LIMIT).well()
    support.run([folder / "use/x", support.places()["example_server"]]).well()


def test_vcpkgs_port_takes_what_the_release_has(release):
    """Without vcpkg, as in `ways`."""
    folder, tests = support.emptied("installed/vcpkg-used"), support.ROOT / "tests/packaging"
    words = [f"-DPORT_DIR={recipes(release, 'vcpkg')}", f"-DROOT={support.ROOT}", "-P", tests / "vcpkg.cmake"]
    support.run([support.peer("cmake"), *words], LIMIT, cwd=folder).well()
    uses(folder / "packages/libmcp/share/mcp", folder)


def test_every_channel_that_can_run_here_has_a_script():
    page = (support.ROOT / "docs/guide/packaging.md").read_text()
    named = {line.split("`channels/")[1].split(".sh`")[0] for line in page.splitlines() if "`channels/" in line}
    assert named == set(CHANNELS) == set().union(*(names for _, names in MACHINES.values())) and shutil.which("unshare")
