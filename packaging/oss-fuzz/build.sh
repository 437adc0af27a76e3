#!/bin/bash -eu
# Builds every fuzz target for OSS-Fuzz, which sets OUT, and packs the inputs that are kept for each.
# By hand: OUT=/somewhere RUSTC_BOOTSTRAP=1 packaging/oss-fuzz/build.sh, with cargo-fuzz and zip.
cd "${SRC:+$SRC/libmcp/}fuzz"
cargo fuzz build -O --debug-assertions
cargo fuzz list | while read -r target; do
    cp "target/$(rustc -vV | sed -n 's/^host: //p')/release/$target" "$OUT/"
    if [ -d "corpus/$target" ]; then
        (cd "corpus/$target" && zip -q -r "$OUT/${target}_seed_corpus.zip" .)
    fi
done
