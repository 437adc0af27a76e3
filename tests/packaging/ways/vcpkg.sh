# the vcpkg port installs what its users find
# needs: cmake cc
cmake -DPORT_DIR="$ROOT/packaging/vcpkg" -DROOT="$ROOT" -DTARGET="$TARGET" -P "$TESTS/vcpkg.cmake"
printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(x C)' 'find_package(mcp 0.1 CONFIG REQUIRED)' \
    "add_executable(x $TESTS/consumer.c)" 'target_link_libraries(x mcp::mcp)' >CMakeLists.txt
cmake -S . -B use -Dmcp_DIR="$PWD/packages/libmcp/share/mcp"
cmake --build use
use/x "$SERVER"
test -s packages/libmcp/share/libmcp/copyright
test -s packages/libmcp/share/libmcp/usage
