# cc with pkg-config, clang, C11
# needs: clang pkg-config
clang $STRICT_C "$TESTS/consumer.c" $(pkg-config --cflags --libs mcp) -Wl,-rpath,"$PREFIX/lib" -o consumer
./consumer "$SERVER"
