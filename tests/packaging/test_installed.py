"""A release as its users meet it: everything that `cargo xtask release --here` makes is installed in a Debian without Rust and without a network, and
runs its first example. `MCP_RELEASE` names the folder of a release that is made already.

A channel is a script of what a user types, in `channels`, in the form of the scripts in `ways`. Each has a fresh copy of the system, with the files of the release in
/release, the channels in /channels, what package indexes would bring in /index, and README's server, compiled of the tarball, as `$SERVER`.
"""

import functools
import os
import shutil
import time
from pathlib import Path

import pytest
import support

LIMIT = 300
# A system of its own over the one that stays as it is, for the processes of this script alone. The words: the folder for it, the system, the script,
# and pairs of a folder of this machine and where it is seen.
ENTER = (
    'set -eu; own=$1; base=$2; script=$3; shift 3; mount --make-rprivate /; mount -t tmpfs tmpfs "$own"; mkdir "$own/upper" "$own/work" "$own/root"; '
    'mount -t overlay overlay -o "lowerdir=$base,upperdir=$own/upper,workdir=$own/work" "$own/root"; mount -t proc proc "$own/root/proc"; '
    'mount --rbind /dev "$own/root/dev"; while [ $# -gt 0 ]; do mkdir -p "$own/root$2"; mount --bind "$1" "$own/root$2"; shift 2; done; '
    'exec chroot "$own/root" bash -euo pipefail -c "$script"'
)
CHANNELS = {file.stem: file for file in sorted((support.ROOT / "tests/packaging/channels").glob("*.sh"))}
# What pip, npm and others are not to look for elsewhere.
BEFORE = "cd /root; export PIP_NO_INDEX=1 PIP_FIND_LINKS='/release /index' PIP_DISABLE_PIP_VERSION_CHECK=1 UV_OFFLINE=1 npm_config_offline=true\n"
SERVER = """mkdir /root/server && tar -xzf /release/libmcp-*-x86_64-unknown-linux-gnu.tar.gz --strip-components=1 -C /root/server
cd /root/server && cc share/doc/libmcp/examples/c/tool_server.c $(PKG_CONFIG_PATH=lib/pkgconfig pkg-config --cflags --libs mcp-static) -o /made/server
"""
pytestmark = [support.of_linux, pytest.mark.deep]


@functools.cache
def release():
    """The folder of the release, and that of its channels."""
    named = os.environ.get("MCP_RELEASE")
    if named:
        folder = Path(named)
    else:
        work = support.emptied("installed/release")
        (work / "gnupg").mkdir(mode=0o700)
        env = {"GNUPGHOME": work / "gnupg"}
        words = ["--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "tried <it@example.com>", "ed25519", "sign", "never"]
        support.run(["gpg", *words], env=env).well()
        support.run(["minisign", "-G", "-W", "-p", work / "key.pub", "-s", work / "key"]).well()
        folder = work / "files"
        words = ["release", "--to", folder, "--here", "--once", "--minisign", work / "key", "--gpg", "it@example.com"]
        support.run([support.places()["xtask"], *words], 3600, env).well()
    return folder, folder.with_name(f"{folder.name}-channels")


@functools.cache
def index():
    """What a package index would bring: the binding's own needs, and uv."""
    folder = support.scratch("installed/index")
    words = ["download", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--python-version=3.13", "--dest", folder]
    pip = [support.peer("python-pip"), "-m", "pip"]
    support.fetched(lambda: support.run([*pip, *words, "cffi", "pycparser", "uv"], LIMIT)).well()
    return folder


def inside(script, *folders):
    """Runs a script in the system of a user, who has no network."""
    own = support.emptied(f"installed/root-{support.free_port()}")
    places = [*release(), index(), *folders]
    seen = ["/release", "/channels", "/index", "/made"]
    pairs = [word for place, name in zip(places, seen, strict=False) for word in (place, name)]
    words = ["unshare", "-m", "-n", "bash", "-c", ENTER, "enter", own, support.peer("system-user")["root"], BEFORE + script, *pairs]
    kept = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "SERVER": "/made/server"}
    return support.run(["env", "-i", *(f"{name}={value}" for name, value in kept.items()), *words], LIMIT)


@functools.cache
def made():
    folder = support.emptied("installed/made")
    inside(SERVER, folder).well()
    return folder


def test_the_system_has_no_rust():
    inside("! command -v cargo; ! command -v rustc; ! ls /root/.cargo").well()


@pytest.mark.parametrize("name", CHANNELS)
def test_channel(name, record_property):
    """What it shows is said by the first comment of its script."""
    made()
    begin = time.monotonic()
    finished = inside(CHANNELS[name].read_text(), made()).well()
    took = time.monotonic() - begin
    record_property("seconds", f"{took:.1f}")
    print(f"{name}: {took:.1f} s")
    assert "Hello" in finished.stdout, f"the first example says no Hello: {finished.story()}"


def test_every_channel_that_can_run_here_has_a_script():
    page = (support.ROOT / "docs/guide/packaging.md").read_text()
    named = {line.split("`channels/")[1].split(".sh`")[0] for line in page.splitlines() if "`channels/" in line}
    assert named == set(CHANNELS) and shutil.which("unshare")
