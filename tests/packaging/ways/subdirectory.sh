# add_subdirectory in CMake, which builds nothing twice
# needs: cmake ninja cc
cmake -G Ninja -S "$TESTS/subdirectory" -B build -DMCP_SOURCE="$ROOT" -DMCP_CARGO_TARGET_DIR="$TARGET"
cmake --build build
build/consumer "$SERVER"
build/consumer-static "$SERVER"
cmake --build build | tee again
grep 'no work to do' again
