# libmcp.a beside another Rust static library
# needs: gcc pkg-config
rustc --edition 2024 --crate-type staticlib -C panic=unwind -o libother.a "$TESTS/other.rs"
rest=$(pkg-config --static --libs-only-l mcp | sed 's/-lmcp//')
for order in "$PREFIX/lib/libmcp.a libother.a" "libother.a $PREFIX/lib/libmcp.a"; do
    gcc $STRICT_C "$TESTS/two_rust_libraries.c" $(pkg-config --cflags mcp) $order $rest -o both
    ./both
done
