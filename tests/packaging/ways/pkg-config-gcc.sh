# cc with pkg-config, gcc, C11
# needs: gcc pkg-config
gcc $STRICT_C "$TESTS/consumer.c" $(pkg-config --cflags --libs mcp) -Wl,-rpath,"$PREFIX/lib" -o consumer
./consumer "$SERVER"
