#!/bin/sh
# Makes CMCP.xcframework beside Package.swift from static libraries of libmcp, on a Mac with Xcode and Rust:
#
#     scripts/make-xcframework.sh && MCP_XCFRAMEWORK=CMCP.xcframework swift build
#
# One library for each kind of device; the two processors of a Mac or a simulator share a fat one.
set -eu
cd "$(dirname "$0")/.."
root=$(cd ../.. && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/include"
cp "$root/include/mcp.h" "$work/include/"
cat >"$work/include/module.modulemap" <<'MAP'
module CMCP {
    header "mcp.h"
    export *
}
MAP

# build NAME TARGET...: one library of the given Rust targets
build() {
    name=$1
    shift
    mkdir "$work/$name"
    inputs=
    for target in "$@"; do
        rustup target add "$target"
        cargo rustc --release --package libmcp --crate-type staticlib --target "$target" \
            --manifest-path "$root/Cargo.toml"
        inputs="$inputs $root/target/$target/release/libmcp.a"
    done
    # Paths of targets have no spaces; the checkout's must have none either.
    lipo -create $inputs -output "$work/$name/libmcp.a"
}

build macos aarch64-apple-darwin x86_64-apple-darwin
build ios aarch64-apple-ios
build simulator aarch64-apple-ios-sim x86_64-apple-ios

rm -rf CMCP.xcframework
xcodebuild -create-xcframework \
    -library "$work/macos/libmcp.a" -headers "$work/include" \
    -library "$work/ios/libmcp.a" -headers "$work/include" \
    -library "$work/simulator/libmcp.a" -headers "$work/include" \
    -output CMCP.xcframework
