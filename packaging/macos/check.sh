#!/bin/sh
# Tests libmcp on a Mac, in one command:
#
#     packaging/macos/check.sh
#
# NEVER RUN: this script was written without a Mac. The library compiles and links for macOS on Linux (the step `macos`), and nothing of
# it was run (docs/reference/platforms.md). It is for the person who has a Mac: it stops at the first command that fails, and what it prints
# then is what a report needs. It changes nothing but the folder target and, with rustup, the installed toolchain.
set -eu
cd "$(dirname "$0")/../.."

say() {
    printf '\n== %s\n' "$1"
}

fail() {
    echo "check.sh: $1" >&2
    exit 1
}

say "the machine"
[ "$(uname -s)" = Darwin ] || fail "this is $(uname -s); the script is for macOS. On Linux run: cargo xtask test"
sw_vers
uname -m
xcode-select -p >/dev/null 2>&1 || fail "the compiler is missing. To get it: xcode-select --install"
cc --version | head -n 1
command -v cargo >/dev/null || fail "cargo is missing. To get it: install Rust with rustup"
rustc -vV

oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
[ -n "$oldest" ] || fail "Cargo.toml names no rust-version"
if command -v rustup >/dev/null; then
    say "components of Rust, and the oldest Rust that is promised ($oldest)"
    rustup component add clippy rustfmt
    rustup toolchain install --profile minimal "$oldest"
fi
cargo fetch --locked

# The order is that of the cost: what does not compile is seen first.
say "the library compiles"
cargo build --release --locked --package libmcp
library=target/release/libmcp.dylib
[ -f "$library" ] || fail "cargo made no $library"
file "$library"
otool -L "$library"
otool -D "$library" | tail -n 1 | grep -qx '@rpath/libmcp.dylib' || fail "the install name is not @rpath/libmcp.dylib"

say "it exports what include/mcp.exports lists, and nothing else"
# The names in a Mach-O file begin with an underscore.
nm -gUj "$library" | sed 's/^_//' | sort >target/exports-found.txt
sort include/mcp.exports >target/exports-listed.txt
diff target/exports-listed.txt target/exports-found.txt || fail "the exports differ: < is missing, > is too much"

# What was written for macOS alone, and so never ran: waiting, wakes, starting servers and ending them.
say "what is macOS's own"
cargo test --locked --package mcp --lib -- transport::poller transport::parking transport::pipes transport::process \
    transport::socket transport::http::roots ffi::thread

say "the steps that read files only"
cargo xtask test --only layers,pages,fmt

say "the demo"
cargo xtask demo

# Left out, because they read /proc, make ELF files or need tools that macOS does not have: abi, dist, packaging, soak, valgrind,
# asan, tsan, fuzz, size, instructions, browser, balancer. Where a tool of a step is missing, the step says how to get it.
say "the tests"
steps=msrv,clippy,rust,header,exports,c,cpp,cli,readme
for tool in "go go" "python3 python" "node node" "swift swift"; do
    set -- $tool
    if command -v "$1" >/dev/null; then
        steps=$steps,$2
    else
        echo "without $1 the step $2 is left out"
    fi
done
cargo xtask test --only "$steps"

if command -v node >/dev/null && command -v npm >/dev/null; then
    say "servers and clients made by others"
    cargo xtask test --only interop,interop-http,interop-server,conformance
fi

say "done: please report the text above, with the lines that begin with skip"
