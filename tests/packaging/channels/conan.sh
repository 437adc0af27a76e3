# Conan: the recipe that takes what the release has, shared and static, and a program of CMake with each
python3 -m venv venv
venv/bin/pip install conan
export PATH=$PWD/venv/bin:$PATH
base=$(sed -n 's/^ "base": "\(.*\)",/\1/p' /release/release.json)
mkdir recipe program && sed "s,$base,file:///release," /channels/conan/conanfile.py >recipe/conanfile.py
tar -xzf /release/libmcp-*-x86_64-unknown-linux-gnu.tar.gz --wildcards --strip-components=6 -C program '*/examples/c/quickstart.c'
cat >program/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(program C)
find_package(mcp 0.1 CONFIG REQUIRED)
add_executable(program quickstart.c)
target_link_libraries(program mcp::mcp)
END
conan profile detect
for shared in True False; do
    conan create recipe --no-remote --options "libmcp/*:shared=$shared"
    test "$(find .conan2/p/b -path '*/p/lib/libmcp.so' -o -path '*/p/lib/libmcp.a' | wc -l)" = $([ $shared = True ] && echo 1 || echo 2)
    conan install --requires=libmcp/0.1.0 --no-remote --options "libmcp/*:shared=$shared" --generator CMakeDeps --output-folder "found-$shared"
    cmake -S program -B "build-$shared" -DCMAKE_PREFIX_PATH="$PWD/found-$shared" -DCMAKE_BUILD_TYPE=Release
    cmake --build "build-$shared"
    "build-$shared/program" "$SERVER"
done
