# a program that is static throughout, pkg-config --static
# needs: gcc pkg-config readelf
gcc $STRICT_C -static "$TESTS/consumer.c" $(pkg-config --static --cflags --libs mcp) -o consumer
./consumer "$SERVER"
readelf -d consumer >dynamic
refuse grep NEEDED dynamic
