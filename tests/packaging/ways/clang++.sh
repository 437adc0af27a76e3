# C++17 and C++20 with clang++, with and without exceptions
# needs: clang++ pkg-config
for standard in c++17 c++20; do
    for more in -g '-fno-exceptions -fno-rtti'; do
        clang++ -std=$standard $STRICT_CPP $more "$TESTS/consumer.cpp" $(pkg-config --cflags --libs mcp) \
            -Wl,-rpath,"$PREFIX/lib" -pthread -o consumer
        ./consumer "$SERVER"
    done
done
