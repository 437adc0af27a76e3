# C++17, C++20 and C++23 with g++, with and without exceptions
# needs: g++ pkg-config
for standard in c++17 c++20 c++23; do
    for more in -g '-fno-exceptions -fno-rtti'; do
        g++ -std=$standard $STRICT_CPP $more "$TESTS/consumer.cpp" $(pkg-config --cflags --libs mcp) \
            -Wl,-rpath,"$PREFIX/lib" -pthread -o consumer
        ./consumer "$SERVER"
    done
done
g++ -std=c++23 $STRICT_CPP "$ROOT/tests/cpp/results_say_what_went_wrong.cpp" $(pkg-config --cflags --libs mcp) \
    -Wl,-rpath,"$PREFIX/lib" -pthread -o results
./results "$SERVER" "$SCRIPTED"
