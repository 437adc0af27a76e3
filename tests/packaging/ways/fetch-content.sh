# FetchContent in CMake with make, static only
# needs: cmake cc readelf
cmake -G 'Unix Makefiles' -S "$TESTS/subdirectory" -B build -DFETCH=ON -DBUILD_SHARED_LIBS=OFF \
    -DMCP_SOURCE="$ROOT" -DMCP_CARGO_TARGET_DIR="$TARGET"
cmake --build build
build/consumer "$SERVER"
readelf -d build/consumer >dynamic
refuse grep libmcp dynamic
