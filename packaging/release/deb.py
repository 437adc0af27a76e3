#!/usr/bin/env python3
"""`cargo xtask deb`: the install tree as Debian packages: `libmcp0`, which programs need to run, `libmcp-dev`, which they need to be built,
`libmcp-bin` with the program `mcp`, and `libmcp0-dbg` with what debuggers want to know of the library. The first is named after the SONAME, so
that two of them can be installed side by side. And `libmcp-store-NAME` for each store of the folder `stores` whose client library is here, with
what programs are linked with. Two runs give the same bytes.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from fixed import ROOT, epoch, version

# Before they are released, only the project answers for packages.
MAINTAINER = "The libmcp developers <libmcp@users.noreply.github.com>"
# What `libmcp-bin` has, below `usr`.
PROGRAM = ["bin", "share/man/man1", "share/bash-completion", "share/zsh", "share/fish"]
COPYRIGHT = """libmcp is under the MIT licence or the Apache License 2.0, as you choose; the latter is in
/usr/share/common-licenses/Apache-2.0. The licences of what it is built from are in THIRD-PARTY.md.

"""
CONTROL = """Package: {name}
Source: libmcp
Version: {version}
Architecture: {architecture}
Multi-Arch: {multi}
Section: {section}
Priority: optional
Maintainer: {maintainer}
Depends: {needs}
Homepage: https://github.com/libmcp/libmcp
Description: clients and servers of the Model Context Protocol
 libmcp lets programs in C and other languages use servers of the Model Context
 Protocol, and be servers themselves, in every revision of the protocol.
 .
 This package has {what}.
"""


def ask(*words):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def newest_glibc(symbols):
    """The highest `GLIBC_2.x` in what nm shows."""
    found = re.findall(r"@GLIBC_([0-9.]+)", symbols)
    if not found:
        raise SystemExit("deb.py: a file of the library or the program asks for no version of glibc")
    return max(found, key=lambda text: [int(part) for part in text.split(".")])


def needs(file):
    return f"libc6 (>= {newest_glibc(ask('nm', '-D', file))}), libgcc-s1"


def needs_of_store(file):
    """The packages of the libraries that a store is linked with."""
    places = re.findall(r"=> (/\S+)", ask("ldd", file))
    wanted = re.findall(r"\(NEEDED\).*\[(.+)\]", ask("readelf", "-d", file))
    # By their names: packages may have a folder below / that is below /usr.
    found = {ask("dpkg", "-S", f"*/{Path(place).resolve().name}").split(":")[0] for place in places if Path(place).name in wanted}
    return ", ".join([f"libc6 (>= {newest_glibc(ask('nm', '-D', file))})", *sorted(found - {"libc6"})])


def add_stores(tree, libdir, work):
    """Builds the stores and puts them into the tree."""
    subprocess.run(["cmake", "-S", ROOT / "stores", "-B", work, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_INSTALL_LIBDIR={libdir}"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", work], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--install", work, "--prefix", tree, "--strip"], check=True, stdout=subprocess.DEVNULL)


def stores(output, tree, libdir, soname):
    """The packages of the stores that are in the tree. The header of all is that of `libmcp-dev`."""
    packages = []
    for library in sorted((tree / libdir).glob(f"libmcp-store-*.so.{soname}")):
        name = library.name.split(".")[0]
        package = Package(output, name, "libs", f"a store that processes of a server share, in\n {name.removeprefix('libmcp-store-')}")
        package.needs = needs_of_store(library)
        package.extra = {"triggers": "activate-noawait ldconfig\n", "shlibs": f"{name} {soname} {name} (>= {version()})\n"}
        overrides = package.usr / "share/lintian/overrides"
        overrides.mkdir(parents=True)
        (overrides / name).write_text(
            "# One package has all of a store: programs load it by its name, and few link it.\n"
            f"{name}: package-name-doesnt-match-sonames *\n{name}: link-to-shared-library-in-wrong-package *\n"
        )
        short = name.removeprefix("lib")
        for pattern in [f"{name}.*", f"pkgconfig/{short}.pc", f"cmake/mcp/{short}.cmake", f"cmake/mcp/{short}-*.cmake"]:
            for file in sorted((tree / libdir).glob(pattern)):
                if ".so." in file.name and not file.is_symlink():
                    # A library is no program.
                    file.chmod(0o644)
                move(file, package.usr / file.relative_to(tree))
        package.doc.mkdir(parents=True)
        packages.append(package)
    return packages


def move(tree, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    tree.rename(to)


class Package:
    def __init__(self, output, name, section, what):
        self.name, self.section, self.what, self.needs, self.extra = name, section, what, "", {}
        self.root = output / name
        self.usr, self.doc = self.root / "usr", self.root / "usr/share/doc" / name

    def build(self, architecture):
        (self.doc / "copyright").write_text(COPYRIGHT + (ROOT / "LICENSE-MIT").read_text())
        # The changes in Debian's form, which name the page that has them.
        date = ask("date", "-u", "-R", "-d", f"@{epoch()}")
        changes = self.doc / "changelog"
        changes.write_text(f"libmcp ({version()}) unstable; urgency=medium\n\n  * CHANGELOG.md of libmcp-dev has the changes.\n\n"
                           f" -- {MAINTAINER}  {date}\n")
        # Without the time, so that they are the same each time.
        pages = [path for path in self.root.glob("usr/share/man/**/*") if path.is_file()]
        subprocess.run(["gzip", "-9", "-n", changes, *pages], check=True)
        files = sorted(path for path in self.usr.rglob("*") if path.is_file() and not path.is_symlink())
        debian = self.root / "DEBIAN"
        debian.mkdir()
        # What each file was when the package was made, for programs that look for files that are not.
        names = sorted((str(path.relative_to(self.root)).encode(), path) for path in files)
        (debian / "md5sums").write_text("".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {name.decode()}\n" for name, path in names))
        words = {
            "name": self.name, "version": version(), "architecture": architecture, "section": self.section, "maintainer": MAINTAINER,
            # Two architectures cannot share the files in /usr/bin.
            "multi": "foreign" if self.section == "utils" else "same", "needs": self.needs, "what": self.what,
        }
        for name, text in {"control": CONTROL.format(**words), **self.extra}.items():
            (debian / name).write_text(text)
        file = self.root.parent / f"{self.name}_{version()}_{architecture}.deb"
        # Files get this time at the latest, so that the package is the same each time.
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", self.root, file], check=True, stdout=subprocess.DEVNULL,
                       env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SOURCE_DATE_EPOCH": str(epoch())})
        return file


def split(output, libdir, soname):
    """Moves the files of the tree in `output/tree/usr` into the folders of the packages."""
    tree, name, number = output / "tree/usr", f"libmcp{soname}", version()
    runtime = Package(output, name, "libs", "the shared library")
    development = Package(output, "libmcp-dev", "libdevel", "what programs are built with")
    program = Package(output, "libmcp-bin", "utils", "the program mcp, also called libmcp")
    debugging = Package(output, f"{name}-dbg", "debug", "the debugging symbols of the shared library")

    library = f"libmcp.so.{soname}." + number.split(".", 1)[1]
    runtime.needs, program.needs = needs(tree / libdir / library), needs(tree / "bin/mcp")
    development.needs = debugging.needs = f"{name} (= {number})"
    for file in [library, f"libmcp.so.{soname}"]:
        move(tree / libdir / file, runtime.usr / libdir / file)
    # A library is no program.
    (runtime.usr / libdir / library).chmod(0o644)
    pages = tree / "share/doc/libmcp-dev"
    runtime.doc.mkdir(parents=True)
    for page in ["THIRD-PARTY.md", "sbom.cdx.json", "CHANGELOG.md"]:
        shutil.copy(pages / page, runtime.doc / page)
    overrides = runtime.usr / "share/lintian/overrides"
    overrides.mkdir(parents=True)
    (overrides / name).write_text(
        f"# The names of functions that debuggers and profilers show stay in it.\n{name}: unstripped-binary-or-object *\n"
    )
    move(tree / "lib/debug", debugging.usr / "lib/debug")
    debugging.doc.mkdir(parents=True)
    for folder in PROGRAM:
        move(tree / folder, program.usr / folder)
    # Debian has a folder of its own for the completion of packages.
    move(program.usr / "share/zsh/site-functions", program.usr / "share/zsh/vendor-completions")
    move(pages / "THIRD-PARTY-PROGRAM.md", program.doc / "THIRD-PARTY.md")
    move(pages / "sbom-program.cdx.json", program.doc / "sbom.cdx.json")
    of_stores = stores(output, tree, libdir, soname)
    move(tree, development.usr)

    line = ".".join(number.split(".")[:2])
    # Which package a program needs for each symbol: the one of the version that brought it.
    rows = [row.split() for row in (ROOT / "include/mcp.symbols").read_text().splitlines() if not row.startswith("#")]
    functions = sorted((row[0], row[2]) for row in rows if row[1:2] == ["function"])
    runtime.extra = {
        "symbols": f"libmcp.so.{soname} {name} (>= {line})\n" + "".join(f" {symbol}@MCP_{since} {since}\n" for symbol, since in functions),
        "shlibs": f"libmcp {soname} {name} (>= {line})\n",
        "triggers": "activate-noawait ldconfig\n",
    }
    return [runtime, development, program, debugging, *of_stores]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("to", type=Path, metavar="FOLDER", help="it is emptied before")
    options.add_argument("--xtask", required=True, metavar="PROGRAM", help="what makes the tree")
    wish = options.parse_args()
    output = wish.to.resolve()
    shutil.rmtree(output, ignore_errors=True)
    # Debian keeps libraries in a folder for each kind of machine.
    triple, architecture = ask("cc", "-print-multiarch"), ask("dpkg", "--print-architecture")
    libdir = f"lib/{triple}" if triple else "lib"
    subprocess.run([wish.xtask, "dist", "--to", output / "tree/usr", "--libdir", libdir, "--docdir", "share/doc/libmcp-dev", "--no-tarball",
                    "--program", "--debug-file"], cwd=ROOT, check=True)
    add_stores(output / "tree/usr", libdir, output / "stores")
    soname = re.search(r"^soname = (\d+)$", (ROOT / "Cargo.toml").read_text(), re.M)[1]
    for package in split(output, libdir, soname):
        print(f"wrote {package.build(architecture)}")


if __name__ == "__main__":
    main()
