"""What a release is made of by the scripts of `packaging/release`, and how it is installed: `install.sh`, the Debian repository, the container
image. The files here are small ones in the place of the library and the program; tests/packaging/test_installed.py has the real ones.
"""

import argparse
import io
import json
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import support

sys.path.insert(0, str(support.ROOT / "packaging/release"))
import channels  # noqa: E402: they are found by the line above
import fixed  # noqa: E402
import packages  # noqa: E402

RELEASE = support.ROOT / "packaging/release"
HERE = "x86_64-unknown-linux-gnu"
SYSTEMS = [HERE, "aarch64-unknown-linux-gnu", "x86_64-unknown-linux-musl", "x86_64-pc-windows-gnu"]
# The time of every file here.
TIME = {"SOURCE_DATE_EPOCH": "1700000000"}
# The tools that a release takes, by the packages of Debian that have them.
TOOLS = {"apt-ftparchive": "apt-utils", "dash": "dash", "gpg": "gnupg", "minisign": "minisign", "shellcheck": "shellcheck"}
pytestmark = support.of_linux


@pytest.fixture(scope="module", autouse=True)
def tools():
    missing = [package for tool, package in TOOLS.items() if not shutil.which(tool)]
    if missing:
        support.lack(f"to get what is missing: apt-get install {' '.join(missing)}")


def put(file, text, mode=0o644):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(mode)


def tree(folder, says):
    """An install tree with a program that says its version, and a link."""
    put(folder / "bin/mcp", f"#!/bin/sh\n{says}\n", 0o755)
    put(folder / "lib/libmcp.so.0.1.0", "library")
    (folder / "bin/libmcp").symlink_to("mcp")
    (folder / "lib/libmcp.so").symlink_to("libmcp.so.0.1.0")
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.md", "THIRD-PARTY-PROGRAM.md", "sbom.cdx.json", "sbom-program.cdx.json"]:
        put(folder / "share/doc/libmcp" / name, name)
    return folder


def tarball(folder, system, says="echo mcp 0.1.0", more=()):
    name = f"libmcp-{fixed.version()}-{system}"
    made = tree(support.emptied("release/tree") / name, says)
    for other in more:
        put(made / other, other)
    if not says:
        (made / "bin/mcp").unlink()
        (made / "bin/libmcp").unlink()
    return fixed.tar_gz(folder / f"{name}.tar.gz", fixed.below(made.parent))


def deb(folder, name):
    """A package of Debian with one file."""
    root = support.emptied("release/deb")
    put(root / "usr/share/doc/libmcp-tried/README", "tried")
    put(root / "DEBIAN/control", f"Package: {name}\nVersion: 0.1.0\nArchitecture: all\nMaintainer: it <it@example.com>\nDescription: tried\n")
    support.run([support.peer("dpkg-deb"), "--root-owner-group", "--build", root, folder / f"{name}_0.1.0_all.deb"], env=TIME).well()


@pytest.fixture(scope="module")
def release():
    """A release of small files, signed; FOLDER-channels lies beside it."""
    folder = support.emptied("release/made") / "files"
    folder.mkdir()
    for system in SYSTEMS:
        tarball(folder, system)
    deb(folder, "libmcp-tried")
    for kind in ["source", "swift", "lua"]:
        support.run([RELEASE / "packages.py", kind, folder], env=TIME).well()
    with support.signing_keys(folder.parent) as (env, named):
        made = support.run([RELEASE / "channels.py", folder, *named], env={**env, **TIME}).well()
    assert "not written" not in made.stdout and "not signed" not in made.stdout, made.story()
    return folder


def install(release, prefix, *words, **changes):
    return support.run(["dash", release / "install.sh", *words], env={"PREFIX": prefix, "LIBMCP_FROM": release, "LIBMCP_SYSTEM": HERE, **changes})


def below(prefix):
    return sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*"))


def test_install_sh_installs_replaces_and_removes_what_it_has_installed_alone(release):
    prefix = support.emptied("release/prefix")
    put(prefix / "bin/other", "of a person")
    (prefix / "share").mkdir()
    before = below(prefix)
    for how in ["installed", "replacing what is installed"]:
        support.says(install(release, prefix), [how, "has the checksum", "the signature of its checksum is right", "first call: "])
    assert support.run([prefix / "bin/mcp"]).well().stdout == "mcp 0.1.0\n"
    assert (prefix / "lib/libmcp.so").read_text() == "library"
    install(release, prefix, "--uninstall").well()
    assert below(prefix) == before
    install(release, prefix, "--uninstall").refused(1, "this script has installed nothing below")


# Files of others, what more is given, and the end: what is refused, or the text of bin/mcp after the install.
OTHERS = {
    "the program of the SDK for Python": (["bin/mcp"], {}, "bin/mcp of others\n"),
    "both names of the program": (["bin/mcp", "bin/libmcp"], {}, ["1 files are there", "bin/libmcp"]),
    "a library": (["lib/libmcp.so"], {}, ["1 files are there", "lib/libmcp.so"]),
    "a folder": (["lib/libmcp.so/file"], {"LIBMCP_REPLACE": "1"}, ["lib/libmcp.so is a folder"]),
    "a wish to replace": (["bin/mcp", "lib/libmcp.so"], {"LIBMCP_REPLACE": "1"}, "#!/bin/sh\necho mcp 0.1.0\n"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_install_sh_replaces_no_file_of_others(release, case):
    names, changes, end = OTHERS[case]
    prefix = support.emptied("release/others")
    for name in names:
        put(prefix / name, f"{name} of others\n")
    before = below(prefix)
    done = install(release, prefix, **changes)
    if isinstance(end, list):
        for words in end:
            done.refused(1, words)
        assert changes or below(prefix) == before
        return
    support.says(done, [] if changes else ["bin/mcp is not of libmcp, and stays: the program is libmcp alone", "bin/libmcp list "])
    # Again, as a later version.
    install(release, prefix, **changes).well()
    assert (prefix / "bin/mcp").read_text() == end
    assert support.run([prefix / "bin/libmcp"]).well().stdout == "mcp 0.1.0\n"
    install(release, prefix, "--uninstall").well()
    assert [name for name in below(prefix) if "/" in name] == ([] if changes else names)


def replaced(release, prefix, at):
    """Installs with an `mv` that fails at the file of a name, as an install ends that is interrupted there."""
    tools = support.emptied("release/tools")
    put(tools / "mv", f'#!/bin/sh\ncase $3 in *{at}) exit 9 ;; esac\nexec {shutil.which("mv")} "$@"\n', 0o755)
    return install(release, prefix, PATH=f"{tools}:/usr/bin:/bin:/usr/sbin:/sbin")


def test_install_sh_that_is_interrupted_leaves_what_can_be_used_and_removed(release):
    old, prefix = support.emptied("release/earlier"), support.emptied("release/interrupted")
    tarball(old, HERE, "echo earlier", ["lib/gone/file", "share/doc/libmcp/gone"])
    support.run([RELEASE / "channels.py", old], env=TIME).well()
    for at in ["bin/mcp", "lib/libmcp.so", "share/doc/libmcp/LICENSE-MIT"]:
        assert replaced(release, prefix, at).code == 9
        assert not list(prefix.rglob("*.libmcp-new"))
        install(release, prefix, "--uninstall").well()
        assert below(prefix) == []
        install(old, prefix).well()
        assert replaced(release, prefix, at).code == 9
        assert support.run([prefix / "bin/mcp"]).well().stdout in ["earlier\n", "mcp 0.1.0\n"]
        assert (prefix / "lib/gone/file").exists()
        support.says(install(release, prefix), ["replacing what is installed"])
        assert not (prefix / "lib/gone").exists() and not (prefix / "share/doc/libmcp/gone").exists()
        install(release, prefix, "--uninstall").well()
        assert below(prefix) == []


def test_install_sh_installs_for_all_users_whatever_the_umask(release):
    prefix = support.emptied("release/umask")
    words = ["dash", "-c", 'umask 077; exec dash "$0"', release / "install.sh"]
    support.run(words, env={"PREFIX": prefix, "LIBMCP_FROM": release, "LIBMCP_SYSTEM": HERE}).well()
    for path in prefix.rglob("*"):
        wanted = 0o5 if path.is_dir() or path.name == "mcp" else 0o4
        assert path.is_symlink() or path.stat().st_mode & 0o7 == wanted, path


# What the tools of a system say of it, and the package that it gets.
GLIBC, MUSL = "ldd (Debian GLIBC 2.36-9) 2.36", "musl libc (x86_64)"
KINDS = {
    "glibc, also beside musl": ("x86_64", GLIBC, 64, "fetching libmcp-0.1.0-x86_64-unknown-linux-gnu.tar.gz"),
    "musl": ("x86_64", MUSL, 64, "fetching libmcp-0.1.0-x86_64-unknown-linux-musl.tar.gz"),
    "arm64": ("arm64", GLIBC, 64, "fetching libmcp-0.1.0-aarch64-unknown-linux-gnu.tar.gz"),
    "32 bits below a kernel of 64": ("x86_64", GLIBC, 32, "the kernel is one for x86_64, and the programs of this system have 32 bits"),
    "32 bits of ARM below a kernel of 64": ("aarch64", GLIBC, 32, "this release has no libmcp-0.1.0-armv7-unknown-linux-gnueabihf.tar.gz"),
    "32 bits of ARM": ("armv7l", GLIBC, 32, "this release has no libmcp-0.1.0-armv7-unknown-linux-gnueabihf.tar.gz"),
    "another processor": ("m68k", GLIBC, 32, "there is no package for the processor m68k"),
}


@pytest.mark.parametrize("case", KINDS)
def test_install_sh_takes_the_package_of_the_system(release, case):
    machine, ldd, bits, says = KINDS[case]
    tools = support.emptied("release/tools")
    put(tools / "uname", f'#!/bin/sh\n[ "$1" = -m ] && echo {machine} || echo Linux\n', 0o755)
    # That of musl fails.
    put(tools / "ldd", f"#!/bin/sh\necho '{ldd}' >&2\nexit 1\n", 0o755)
    put(tools / "getconf", f"#!/bin/sh\necho {bits}\n", 0o755)
    changes = {"LIBMCP_SYSTEM": None, "PATH": f"{tools}:/usr/bin:/bin:/usr/sbin:/sbin"}
    done = install(release, support.emptied("release/kinds"), **changes)
    assert says in (done.well().stdout if says.startswith("fetching") else done.stderr), done.story()


def test_install_sh_says_where_there_is_no_program():
    folder, prefix = support.emptied("release/bare"), support.emptied("release/kinds")
    tarball(folder, HERE, "")
    support.run([RELEASE / "channels.py", folder], env=TIME).well()
    support.says(install(folder, prefix), ["this package has the library alone"])


def spoiled(release, name, change):
    """A folder with the files of the release, one of them changed."""
    folder = support.emptied("release/spoiled")
    for file in release.iterdir():
        (folder / file.name).write_bytes(change(file.read_bytes()) if file.name == name else file.read_bytes())
    return folder


def other_sum(data):
    return data.replace(data[:8], b"0" * 8)


REFUSED = {
    "another tarball": (f"libmcp-0.1.0-{HERE}.tar.gz", lambda data: data + b"x", {}, "the checksum of"),
    "other checksums": ("SHA256SUMS", other_sum, {}, "the signature of SHA256SUMS is not of the key"),
    "no signature": ("SHA256SUMS.minisig", lambda data: b"", {}, "the signature of SHA256SUMS is not of the key"),
    "no such system": ("", None, {"LIBMCP_SYSTEM": "m68k-unknown-linux-gnu"}, "this release has no libmcp-0.1.0-m68k-unknown-linux-gnu.tar.gz"),
    "no such folder": ("", None, {"LIBMCP_FROM": "/does/not/exist"}, "the folder of LIBMCP_FROM, /does/not/exist, has no"),
    "a prefix that is not whole": ("", None, {"PREFIX": "here"}, "has to be the whole path"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_install_sh_refuses_and_installs_nothing(release, case):
    name, change, changes, says = REFUSED[case]
    prefix = support.emptied("release/refused")
    folder = spoiled(release, name, change) if change else release
    install(release, prefix, **{"LIBMCP_FROM": folder, **changes}).refused(1, says)
    assert not list(prefix.iterdir())


def test_install_sh_installs_no_program_that_does_not_start():
    folder, prefix = support.emptied("release/old"), support.emptied("release/refused")
    tarball(folder, HERE, "echo 'GLIBC_9.9 not found' >&2; exit 1")
    support.run([RELEASE / "channels.py", folder], env=TIME).well()
    install(folder, prefix).refused(1, "the program does not start on this system, and nothing was installed: GLIBC_9.9 not found")
    assert not list(prefix.iterdir())


def test_install_sh_takes_no_word_that_it_does_not_know(release):
    install(release, support.emptied("release/refused"), "--remove").refused(1, "it takes --uninstall or nothing, and not --remove")


def test_each_checksum_is_that_of_the_file_and_signed(release):
    support.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=release).well()
    lines = (release / "SHA256SUMS").read_text().splitlines()
    assert {line.split("  ")[1] for line in lines} == {file.name for file in release.iterdir()} - {"SHA256SUMS", "SHA256SUMS.minisig"}
    support.says(support.run(["minisign", "-Vm", "SHA256SUMS", "-p", release.parent / "key.pub"], cwd=release), ["libmcp 0.1.0"])


def test_two_runs_give_the_same_bytes(release):
    again = support.emptied("release/again")
    for system in SYSTEMS:
        tarball(again, system)
    deb(again, "libmcp-tried")
    for kind in ["source", "swift", "lua"]:
        support.run([RELEASE / "packages.py", kind, again], env=TIME).well()
    support.run([RELEASE / "channels.py", again], env=TIME).well()
    # The key is in install.sh, so that it and the checksums differ.
    keyed = {"install.sh", "SHA256SUMS", "SHA256SUMS.minisig"}
    for name in {file.name for file in release.iterdir()} - keyed:
        assert (again / name).read_bytes() == (release / name).read_bytes(), name
    packages = "apt/dists/stable/main/binary-all/Packages"
    assert (again.with_name("again-channels") / packages).read_bytes() == (release.with_name("files-channels") / packages).read_bytes()


def test_a_template_of_a_file_that_is_not_there_is_left_out_and_said():
    folder = support.emptied("release/few")
    tarball(folder, HERE)
    made = support.run([RELEASE / "channels.py", folder], env=TIME).well()
    support.says(made, ["not written: scoop/libmcp.json, as this release has no libmcp-0.1.0-x86_64-pc-windows-gnu.tar.gz",
                        "not written: apt", "not signed: SHA256SUMS"])
    assert not (folder.with_name("few-channels") / "scoop").exists()


def test_no_place_of_a_template_is_left_empty(release):
    written = [path for path in [*release.with_name("files-channels").rglob("*"), release / "install.sh"] if path.is_file()]
    templates = [path for path in channels.TEMPLATES.rglob("*.in") if path.parent.name not in ("nuget", "rpm")]
    named = {path.relative_to(channels.TEMPLATES).with_suffix("").name for path in templates}
    assert named <= {path.name for path in written}
    left = [path for path in written if path.name in named and re.search(r"@[a-z0-9]+( [^@\n]+)?@", path.read_text())]
    assert not left
    known = json.loads((release / "release.json").read_text())
    assert known["files"][f"libmcp-0.1.0-{HERE}.tar.gz"]["sha256"] in (release.with_name("files-channels") / "homebrew/libmcp.rb").read_text()


# What reads each file of a channel, as far as a machine of ours has it.
LINTS = {
    "install.sh": "shellcheck -s sh", "arch/PKGBUILD": "bash -n", "alpine/APKBUILD": "sh -n", "conan/conanfile.py": "python3 -m py_compile",
    "vcpkg/vcpkg.json": "python3 -m json.tool", "scoop/libmcp.json": "python3 -m json.tool",
}


@pytest.mark.parametrize("name", LINTS)
def test_the_files_of_a_channel_are_read_by_its_tool(release, name):
    file = release / name if "/" not in name else release.with_name("files-channels") / name
    support.run([*LINTS[name].split(), file], env={"PYTHONPYCACHEPREFIX": support.emptied("release/pyc")}).well()


def test_the_package_of_arch_has_the_tree_and_the_licence(release):
    """The function of the PKGBUILD, as makepkg calls it."""
    folder = support.emptied("release/arch")
    for place in ["src", "pkg"]:
        (folder / place).mkdir()
    support.run(["tar", "-xzf", release / f"libmcp-0.1.0-{HERE}.tar.gz", "-C", folder / "src"]).well()
    script = f"set -e; . '{release.with_name('files-channels')}/arch/PKGBUILD'; srcdir='{folder}/src' pkgdir='{folder}/pkg'; package"
    support.run(["bash", "-c", script]).well()
    assert (folder / "pkg/usr/bin/mcp").stat().st_mode & 0o100
    assert (folder / "pkg/usr/share/licenses/libmcp-bin/LICENSE-MIT").read_text() == "LICENSE-MIT"


def apt(folder, *words):
    """apt with lists and keys of its own, as a person who may not change the system's."""
    for place in ["state/lists/partial", "cache/archives/partial", "etc"]:
        (folder / place).mkdir(parents=True, exist_ok=True)
    put(folder / "state/status", "")
    options = {"Dir::State": folder / "state", "Dir::State::status": folder / "state/status", "Dir::Cache": folder / "cache",
               "Dir::Etc": folder / "etc", "APT::Sandbox::User": "root", "Dir::Etc::Parts": "none", "APT::Architecture": "amd64"}
    return support.run(["apt-get", *(word for name, value in options.items() for word in ("-o", f"{name}={value}")), *words], cwd=folder)


def test_apt_trusts_the_repository_by_its_key_and_no_other_one(release):
    repository = release.with_name("files-channels") / "apt"
    folder = support.emptied("release/apt")
    line = f"deb [signed-by={repository}/libmcp.asc] file:{repository} stable main\n"
    put(folder / "etc/sources.list", line)
    apt(folder, "update").well()
    apt(folder, "download", "libmcp-tried").well()
    assert list(folder.glob("libmcp-tried_*.deb"))
    changed = support.emptied("release/apt-changed") / "apt"
    support.run(["cp", "-r", repository, changed]).well()
    release_file = changed / "dists/stable/InRelease"
    release_file.write_text(release_file.read_text().replace("Label: libmcp", "Label: other"))
    put(folder / "etc/sources.list", line.replace(f"file:{repository}", f"file:{changed}"))
    apt(folder, "update").refused(100, "is not signed")


def wheel(folder, tag):
    number = fixed.version()
    to = folder / f"libmcp-{number}-cp310-abi3-{tag}.whl"
    about = f"libmcp-{number}.dist-info"
    tags = "".join(f"Tag: cp310-abi3-{word}\n" for word in tag.split("."))
    files = {"libmcp/__init__.py": "", f"{about}/METADATA": "", f"{about}/RECORD": "", f"{about}/WHEEL": f"Wheel-Version: 1.0\n{tags}"}
    return fixed.zip_file(to, [fixed.Entry(name, text.encode()) for name, text in files.items()])


def programs_tree():
    """A tree whose program is an ELF file that needs glibc."""
    made = tree(support.emptied("release/program"), "")
    (made / "bin/mcp").write_bytes(Path(sys.executable).resolve().read_bytes())
    return made


def test_the_wheel_gets_the_program_and_a_record_of_it(release):
    folder, to = support.emptied("release/wheel"), support.emptied("release/wheel-with")
    made = wheel(folder, "manylinux_2_99_x86_64")
    support.run([RELEASE / "packages.py", "wheel", to, "--wheel", made, "--tree", programs_tree()], env=TIME).well()
    with zipfile.ZipFile(to / made.name) as archive:
        info = archive.getinfo("libmcp-0.1.0.data/scripts/libmcp")
        assert info.external_attr >> 16 & 0o111 == 0o111
        record = archive.read("libmcp-0.1.0.dist-info/RECORD").decode()
        assert f"{info.filename},sha256=" in record and f",{info.file_size}\n" in record


# The tags of a wheel, whether its program needs glibc, and the tags afterwards: those of systems that have what the program needs.
TAGS = {
    "a newer glibc": ("manylinux_2_99_x86_64", True, "manylinux_2_99_x86_64"),
    "an older glibc": ("manylinux2014_x86_64.manylinux_2_1_x86_64", True, "manylinux_2_{needs}_x86_64"),
    "an older glibc, and a program without one": ("manylinux_2_1_x86_64", False, "manylinux_2_1_x86_64"),
    "musl": ("musllinux_1_2_x86_64", False, "musllinux_1_2_x86_64"),
    "musl, and a program for glibc": ("musllinux_1_2_x86_64", True, None),
}


@pytest.mark.parametrize("case", TAGS)
def test_a_wheel_is_for_the_systems_on_which_its_program_starts(case):
    tag, needs_glibc, after = TAGS[case]
    folder, to, made = support.emptied("release/wheel"), support.emptied("release/wheel-tagged"), programs_tree()
    needs = packages.newest_glibc(made / "bin/mcp")
    assert needs > (2, 1)
    if not needs_glibc:
        put(folder / "none.c", "void _start(void) {}\n")
        support.run([support.peer("cc"), "-static", "-nostdlib", folder / "none.c", "-o", made / "bin/mcp"]).well()
    done = support.run([RELEASE / "packages.py", "wheel", to, "--wheel", wheel(folder, tag), "--tree", made], env=TIME)
    if after is None:
        done.refused(1, f"{tag}.whl has no tag manylinux_2_")
        return
    done.well()
    (file,) = to.iterdir()
    after = after.format(needs=needs[1])
    assert file.name == f"libmcp-{fixed.version()}-cp310-abi3-{after}.whl"
    with zipfile.ZipFile(file) as archive:
        assert archive.read(f"libmcp-{fixed.version()}.dist-info/WHEEL").decode() == f"Wheel-Version: 1.0\nTag: cp310-abi3-{after}\n"


def test_the_program_of_a_release_needs_no_newer_glibc_than_it_may(monkeypatch):
    wish = argparse.Namespace(only_trees=[programs_tree()])
    major, minor = packages.newest_glibc(wish.only_trees[0] / "bin/mcp")
    monkeypatch.setattr(packages, "GLIBC", (major, minor))
    assert packages.glibc(wish) == []
    monkeypatch.setattr(packages, "GLIBC", (major, minor - 1))
    with pytest.raises(SystemExit, match=rf"bin/mcp needs glibc {major}\.{minor}, and has to start with {major}\.{minor - 1}: "):
        packages.glibc(wish)


def test_the_rock_has_the_sources_that_its_rockspec_names(release):
    with zipfile.ZipFile(release / "libmcp-0.1.0-1.src.rock") as rock:
        spec = rock.read("libmcp-0.1.0-1.rockspec").decode()
        archive = tarfile.open(fileobj=io.BytesIO(rock.read("libmcp-lua-0.1.0.tar.gz")))
    assert '/libmcp-lua-0.1.0.tar.gz"' in spec and 'version = "0.1.0-1"' in spec
    modules = re.findall(r'\] = "(.*\.lua)"', spec)
    assert modules and {f"libmcp-lua-0.1.0/{name}" for name in modules} <= set(archive.getnames())


def test_notes_of_an_unreleased_version_are_a_draft_alone():
    notes = RELEASE / "notes.sh"
    text = (support.ROOT / "CHANGELOG.md").read_text()
    if f"## {fixed.version()} (unreleased)" in text:
        support.run([notes, f"v{fixed.version()}"]).refused(1, "CHANGELOG.md has no heading")
    support.says(support.run([notes, f"v{fixed.version()}", "--draft"]), ["### "])
    support.run([notes, "v9.9.9", "--draft"]).refused(1, "but Cargo.toml has version")


# The options for keys, beside a pair of which a file may be removed or replaced, and what is said.
KEYS = {
    "both": (["--minisign", "key", "--gpg", "it@example.com"], lambda folder: None, ""),
    "no public key": (["--minisign", "key"], lambda folder: (folder / "key.pub").unlink(), "has to lie beside it; minisign -R"),
    "another public key": (["--minisign", "key"], lambda folder: (folder / "key.pub").write_text("untrusted comment: x\n" + ANOTHER), "is not that of"),
    "no key": (["--minisign", "key"], lambda folder: (folder / "key").unlink(), "minisign"),
    "no such key of gpg": (["--gpg", "other@example.com"], lambda folder: None, "gpg"),
}
ANOTHER = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n"


@pytest.mark.parametrize("case", KEYS)
def test_keys_are_tried_before_anything_is_made(case):
    words, change, says = KEYS[case]
    folder = support.emptied("release/keys")
    with support.signing_keys(folder) as (env, _):
        change(folder)
        tried = support.run([RELEASE / "channels.py", "--try", *words], env=env, cwd=folder)
    if says:
        tried.refused(1, says)
    else:
        tried.well()
    assert {file.name for file in folder.iterdir()} <= {"key", "key.pub"}


def test_folders_of_the_image_can_be_written_by_its_user():
    with tarfile.open(fileobj=io.BytesIO(fixed.tar(packages.FOLDERS))) as layer:
        found = {info.name: (info.isdir(), info.uid, info.gid, info.mode) for info in layer}
    assert found == {"home/mcp": (True, packages.USER, packages.USER, 0o755), "tmp": (True, 0, 0, 0o1777)}


def test_a_script_of_the_release_refuses_what_it_does_not_know():
    for words, says in [(["--here"], "--to names no folder"), (["--to", "x", "--fast"], "there is no option --fast"), (["--to"], "--to needs a value"),
                        (["--to", support.ROOT / "docs"], "docs is not empty")]:
        support.run([RELEASE / "build.sh", *words]).refused(1, says)
    # A path is seen from where the person is.
    folder = support.emptied("release/here")
    put(folder / "full/file", "")
    support.run([RELEASE / "build.sh", "--to", "full"], cwd=folder).refused(1, "here/full is not empty")
    support.run(["shellcheck", *sorted(RELEASE.glob("*.sh"))]).well()
