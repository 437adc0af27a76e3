# find_package says which component is missing
# needs: cmake cc g++
refuse cmake -S "$TESTS/cmake" -B build -DCOMPONENT=teleport 2>said
grep 'lacks the component teleport' said
printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(x C)' 'find_package(mcp 0.2 REQUIRED)' >CMakeLists.txt
refuse cmake -S . -B newer 2>said
grep '"0.2"' said
grep 'version: 0.1' said
