# the target uninstall removes what was installed, and nothing else
# needs: cmake cc
cmake -S "$ROOT" -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib \
    -DMCP_CARGO_TARGET_DIR="$TARGET" -DCMAKE_INSTALL_PREFIX=/opt/mcp
cmake --build build
refuse cmake --build build --target uninstall
cmake --install build --prefix alone
cmake --install build --prefix alone
test -e alone/lib/libmcp.so
cmake --build build --target uninstall
refuse test -e alone
mkdir -p shared/lib/pkgconfig shared/include
: >shared/lib/pkgconfig/other.pc
cmake --install build --prefix "$PWD/shared"
: >shared/share/doc/libmcp/notes
cmake --build build --target uninstall
find shared ! -type d | sort >left
printf '%s\n' shared/lib/pkgconfig/other.pc shared/share/doc/libmcp/notes | diff - left
test -d shared/include
refuse test -e shared/lib/cmake
mkdir root
DESTDIR="$PWD/root" cmake --install build
test -e root/opt/mcp/include/mcp.h
DESTDIR="$PWD/root" cmake --build build --target uninstall
rmdir root
