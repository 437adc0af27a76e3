#!/usr/bin/env python3
"""The Go binding as it is published, a module that needs neither Rust nor pkg-config: the sources of `bindings/go`, the header, and a static
archive for each platform, of the trees of `cargo xtask dist`. An archive lies in a package of its own, so that `go mod vendor` copies it, and
build constraints choose it. The files go into the repository that the module's path names, which gets two tags for each version: `vVERSION`,
and `otel/vVERSION` for the module in the folder `otel`, so that a program without OpenTelemetry does not download it.
"""

import argparse
import platform
import shutil
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The module's path, as its users write it.
MODULE = "github.com/libmcp/libmcp-go"
# The platforms, with the build constraints that choose them.
PLATFORMS = {
    "linux_amd64": "linux && amd64 && !mcp_musl",
    "linux_arm64": "linux && arm64 && !mcp_musl",
    "linux_amd64_musl": "linux && amd64 && mcp_musl",
    "linux_arm64_musl": "linux && arm64 && mcp_musl",
}
# With one of these tags the library is the system's, found by pkg-config.
SYSTEM = "mcp_shared || mcp_static"
SHARED = "//go:build !mcp_static\n"
# The archive's package: the libraries are what rustc names for a static library on Linux.
LINK = """//go:build cgo && {constraint} && !({system})

// Package {platform} is the library of the package mcp for one platform. It has nothing else.
package {platform}

// #cgo LDFLAGS: ${{SRCDIR}}/libmcp.a -lpthread -ldl -lm
import "C"
"""
PREBUILT = """//go:build cgo && {constraint} && !({system})

package mcp

import _ "{module}/lib/{platform}"

// #cgo CFLAGS: -I${{SRCDIR}}
import "C"
"""
MISSING = """//go:build cgo && !({there}) && !({system})

package mcp

// This module has no archive for the platform. Install the library and build with the tag mcp_shared or mcp_static.
var _ = no_prebuilt_library_for_this_platform__install_libmcp_and_build_with_the_tag_mcp_shared
"""


def archive(text):
    """A platform and the archive for it."""
    name, _, file = text.partition("=")
    if name not in PLATFORMS or not file:
        raise argparse.ArgumentTypeError(f"{text} is not PLATFORM=FILE with a platform among {', '.join(PLATFORMS)}")
    return name, Path(file)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="other files there, such as .git, are left alone")
    options.add_argument("--archive", type=archive, action="append", required=True, metavar="PLATFORM=FILE", help=", ".join(PLATFORMS))
    wish = options.parse_args()
    sources(wish.to)
    for name, file in wish.archive:
        put(wish.to, name, file)
    there = " || ".join(f"({constraint})" for name, constraint in PLATFORMS.items() if name in dict(wish.archive))
    (wish.to / "link_missing.go").write_text(MISSING.format(there=there, system=SYSTEM))
    print(f"the module {MODULE} is in {wish.to}")


def sources(to):
    """The sources, in which the shared library of the system needs a tag."""
    go = ROOT / "bindings/go"
    (to / "mcptest").mkdir(parents=True, exist_ok=True)
    files = [file for file in go.iterdir() if file.suffix in (".go", ".c") and not file.name.endswith("_test.go")]
    for file in [*files, *(go / name for name in ["go.mod", "go.sum", "README.md"]), ROOT / "include/mcp.h"]:
        shutil.copy(file, to)
    for name in ["LICENSE-APACHE", "LICENSE-MIT"]:
        shutil.copy(ROOT / name, to)
    shutil.copy(go / "mcptest/mcptest.go", to / "mcptest")
    (to / "otel").mkdir(exist_ok=True)
    for file in ["otel.go", "go.sum"]:
        shutil.copy(go / "otel" / file, to / "otel")
    (to / "otel/go.mod").write_text(published((go / "otel/go.mod").read_text()))
    shared = to / "link_shared.go"
    text = shared.read_text()
    if SHARED not in text:
        raise SystemExit("bindings/go/link_shared.go has another build constraint than packaging/release/go_module.py knows")
    shared.write_text(text.replace(SHARED, "//go:build mcp_shared && !mcp_static\n"))


def published(text):
    """The `go.mod` of the module `otel`, which needs the binding of its own version instead of that of the folder above it."""
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    here = f"replace {MODULE} => ../\n"
    if here not in text or f"{MODULE} v0.0.0\n" not in text:
        raise SystemExit(f"bindings/go/otel/go.mod leads to {MODULE} in another way than packaging/release/go_module.py knows")
    return text.replace(here, "").replace(f"{MODULE} v0.0.0\n", f"{MODULE} v{version}\n").rstrip("\n") + "\n"


def put(to, name, file):
    """The archive in a package of its own, and the file that imports it. A program's debugger has no sources of the library; with what is for
    it the archive is half as large again. This machine's `strip` does not know archives for other processors: those are stripped already."""
    folder = to / "lib" / name
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, folder / "libmcp.a")
    own = {"x86_64": "linux_amd64", "aarch64": "linux_arm64"}.get(platform.machine())
    if name.removesuffix("_musl") == own:
        subprocess.run(["strip", "--strip-debug", folder / "libmcp.a"], check=True)
    words = {"constraint": PLATFORMS[name], "system": SYSTEM, "platform": name, "module": MODULE}
    (folder / "link.go").write_text(LINK.format(**words))
    (to / f"link_{name}_prebuilt.go").write_text(PREBUILT.format(**words))


if __name__ == "__main__":
    main()
