# CMake passes the target and the features on to cargo
# needs: cmake ninja clang
printf '%s\n' 'set(CMAKE_SYSTEM_NAME Linux)' 'set(CMAKE_SYSTEM_PROCESSOR aarch64)' 'set(CMAKE_C_COMPILER clang)' \
    'set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)' 'set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)' \
    'set(MCP_RUST_TARGET aarch64-unknown-linux-gnu CACHE STRING "")' >arm.cmake
cmake -G Ninja -S "$ROOT" -B arm -DCMAKE_TOOLCHAIN_FILE="$PWD/arm.cmake"
ninja -C arm -t commands mcp-build | grep -e '--target aarch64-unknown-linux-gnu'
ninja -C arm -t commands mcp-build | grep -e '--link-arg --target=aarch64-linux-gnu'
cmake -G Ninja -S "$ROOT" -B server -DMCP_WITH_CLIENT=OFF
ninja -C server -t commands mcp-build >server.txt
grep -e '--features http,auth,server,' server.txt
# What needs a side that is off goes with it: the crate would bring the side back.
cmake -G Ninja -S "$ROOT" -B client -DMCP_WITH_SERVER=OFF
ninja -C client -t commands mcp-build >client.txt
grep -e '--features client,http,auth,' client.txt
for feature in server store redis; do refuse grep -e "--features [a-z,]*$feature" client.txt; done
cmake -G Ninja -S "$ROOT" -B pipes -DMCP_WITH_HTTP=OFF -DMCP_WITH_REDIS=ON
ninja -C pipes -t commands mcp-build >pipes.txt
grep -e '--features client,server,' pipes.txt
for feature in http auth redis; do refuse grep -e "--features [a-z,]*$feature" pipes.txt; done
cp "$ROOT/CMakeLists.txt" .
printf '%s\n' '[package]' 'version = "3.2.1"' 'soname = 2' '[features]' 'default = ["web"]' 'web = ["dep:x"]' \
    'big-one = [' '    "web",' ']' '[lib]' 'name = "y"' >Cargo.toml
cmake -G Ninja -S . -B default
ninja -C default -t commands mcp-build | grep -e '--features web '
ninja -C default -t commands mcp-build | grep -e '--no-default-features'
cmake -G Ninja -S . -B chosen -DMCP_WITH_BIG_ONE=ON
ninja -C chosen -t commands mcp-build | grep -e '--features web,big-one '
cmake -G Ninja -S . -B without -DMCP_WITH_WEB=OFF -DMCP_WITH_BIG_ONE=ON | grep -e 'without the feature big-one, which needs web'
