# C++ with nlohmann/json
# needs: g++ pkg-config nlohmann-json
g++ -std=c++17 $STRICT_CPP "$TESTS/consumer_json.cpp" $(pkg-config --cflags --libs mcp) \
    -Wl,-rpath,"$PREFIX/lib" -pthread -o consumer
./consumer "$SERVER"
