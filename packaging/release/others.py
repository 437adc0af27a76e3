#!/usr/bin/env python3
"""The tarballs of `cargo xtask dist` for other systems than this machine's, each made in the chroot in which the tests make it: writes
libmcp-VERSION-TRIPLE.tar.gz and its checksum for each TRIPLE. Each is compiled twice, and refused when the bytes differ.
"""

import argparse
import filecmp
import json
import shutil
import subprocess
import sys
from pathlib import Path

import packages

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import systems  # noqa: E402: it is found by the line above


def main():
    linux = {target.triple: target for target in systems.LINUX}
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    options.add_argument("--once", action="store_true", help="compile it once")
    options.add_argument("--profile", default="release", help="cargo's profile (release)")
    options.add_argument("triples", nargs="*", metavar="TRIPLE", default=[], help=", ".join([*linux, systems.WINDOWS]))
    wish = options.parse_args()
    for triple in wish.triples or [*linux, systems.WINDOWS]:
        if triple not in linux and triple != systems.WINDOWS:
            options.error(f"{triple} is not among {', '.join([*linux, systems.WINDOWS])}")
        make(wish, triple, linux.get(triple))


def make(wish, triple, target):
    rustup = [triple] if target is None or target.is_musl else []
    words = ["cargo", "xtask", "system", "linux" if target else "windows", *rustup]
    tools = json.loads(subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1])
    scratch = Path(tools["target"]) / "xtask/others"
    chroot = target.chroot(tools, scratch) if target else systems.windows(tools)
    folder = target.target(tools) if target else Path(tools["target"]) / "windows"
    # Debian's Rust is a stable one, and `dist` asks for what is not; for Windows it says the flags of rustc by itself.
    before = "export RUSTC_BOOTSTRAP=1" if target else "unset CARGO_ENCODED_RUSTFLAGS"
    name = f"libmcp-{tools['version']}-{triple}"
    shutil.rmtree(scratch / triple, ignore_errors=True)
    # The program is not for Windows.
    more = "--tarball --program" if target else "--tarball"
    print(f"  {name}", flush=True)

    def tarball(place):
        to = scratch / triple / place / name
        to.parent.mkdir(parents=True)
        subprocess.run(chroot.words(f"{before}; {chroot.dist(triple, wish.profile, folder, to, more)}"), check=True)
        if target:
            packages.glibc(argparse.Namespace(only_trees=[to]))
        return to.with_name(f"{name}.tar.gz")

    first = tarball("first")
    if not wish.once:
        crates = "--package mcp --package mcp-base --package mcp-core --package libmcp --package mcp-cli"
        subprocess.run(chroot.words(
            f"cargo clean --quiet --locked {crates} --profile {wish.profile} --target-dir '{folder}' --target {triple}"
        ), check=True)
        second = tarball("second")
        if not filecmp.cmp(first, second, shallow=False):
            sys.exit(f"two builds of {first.name} differ: compare {first} with {second}")
    wish.to.mkdir(parents=True, exist_ok=True)
    for file in (first, first.with_name(f"{first.name}.sha256")):
        shutil.copy(file, wish.to)


if __name__ == "__main__":
    main()
