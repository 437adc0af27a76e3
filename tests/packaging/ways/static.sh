# the static library, pkg-config mcp-static
# needs: gcc pkg-config readelf
gcc $STRICT_C "$TESTS/consumer.c" $(pkg-config --cflags --libs mcp-static) -o consumer
./consumer "$SERVER"
readelf -d consumer >dynamic
refuse grep libmcp dynamic
