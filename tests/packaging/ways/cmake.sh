# find_package in CMake: shared, static, C++
# needs: cmake cc g++
cmake -S "$TESTS/cmake" -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build
for program in shared static cpp; do build/consumer-$program "$SERVER"; done
