# Debian packages, installed into a root of their own
# needs: cmake dpkg dpkg-deb gcc gdb libnats libpq pkg-config readelf sqlite
# They are unpacked once: packed well, they would take half a minute.
(cd "$ROOT" && DPKG_DEB_COMPRESSOR_LEVEL=1 cargo run --quiet --package xtask --target-dir "$TARGET" -- deb)
mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates
: >root/var/lib/dpkg/status
if [ "$(id -u)" = 0 ]; then
    dpkg --root="$PWD/root" --force-depends --no-triggers --log=/dev/null -i "$TARGET"/dist/deb/*.deb
else # only root may give files to root
    for package in "$TARGET"/dist/deb/*.deb; do dpkg -x "$package" root; done
fi
export PKG_CONFIG_PATH=$(dirname root/usr/lib/*/pkgconfig/mcp.pc)
lib=$(dirname "$PKG_CONFIG_PATH")
gcc $STRICT_C "$TESTS/consumer.c" $(pkg-config --cflags --libs mcp) -Wl,-rpath,"$PWD/$lib" -o consumer
./consumer "$SERVER"
readelf -d consumer | grep 'libmcp.so.0'
# A store is linked by one name and called by one function; the program mcp, which has the library inside, loads it.
cat >store.c <<'END'
#include <mcp_stores.h>
int main(void) { return mcp_version() != NULL && mcp_store_sqlite_register(NULL) == MCP_OK ? 0 : 1; }
END
gcc $STRICT_C store.c $(pkg-config --cflags --libs mcp-store-sqlite) -Wl,-rpath,"$PWD/$lib" -o store
./store
mkdir components
cat >components/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(store LANGUAGES C)
find_package(mcp REQUIRED COMPONENTS store-sqlite store-postgres store-nats)
foreach(kind "" -static)
    add_executable(store${kind} ../store.c)
    target_link_libraries(store${kind} mcp::store-sqlite${kind})
endforeach()
END
cmake -S components -B components/build -DCMAKE_PREFIX_PATH="$PWD/root/usr" >/dev/null
cmake --build components/build >/dev/null
components/build/store && components/build/store-static
for store in sqlite postgres nats; do
    dpkg -f "$TARGET"/dist/deb/libmcp-store-${store}_*.deb Depends | grep libc6
done
LD_LIBRARY_PATH="$PWD/$lib" root/usr/bin/mcp doctor --store "file:$PWD/shared-state" | grep 'it can be used'
for name in mcp libmcp; do
    root/usr/bin/$name call add a=1 b=2 -- "$SERVER" | grep '^3$'
    test -s root/usr/share/man/man1/$name.1.gz
    test -s root/usr/share/bash-completion/completions/$name
    test -s root/usr/share/zsh/vendor-completions/_$name
    test -s root/usr/share/fish/vendor_completions.d/$name.fish
done
test -s root/usr/share/man/man1/mcp-call.1.gz
# The pages of the functions are those of the package that has the header, and each function has one.
dpkg -c "$TARGET"/dist/deb/libmcp-dev_*.deb >dev
sed -n 's/^MCP_API.* \**\(mcp_[a-z0-9_]*\)(.*/\1/p' root/usr/include/mcp.h | while read -r name; do
    grep -q "/usr/share/man/man3/$name\.3\.gz$" dev
done
test -s root/usr/share/man/man3/mcp.3.gz
grep -q clap root/usr/share/doc/libmcp-bin/THIRD-PARTY.md
grep -q pkg:cargo/clap@ root/usr/share/doc/libmcp-bin/sbom.cdx.json
grep -q pkg:cargo/memchr@ root/usr/share/doc/libmcp0/sbom.cdx.json
# bash asks the program for the words: here for the commands that begin with "comp".
PATH="$PWD/root/usr/bin:$PATH" bash -c '. root/usr/share/bash-completion/completions/libmcp
    COMP_WORDS=(libmcp comp); COMP_CWORD=1; COMP_TYPE=9
    _clap_complete_libmcp libmcp comp libmcp; printf "%s\n" "${COMPREPLY[@]}"' | grep -x completion
# A debugger finds the lines of the sources by the build id.
gdb -q -batch -iex "set debug-file-directory $PWD/root/usr/lib/debug" -ex 'info line mcp_call' "$lib/libmcp.so.0" | grep 'src/ffi/calls.rs'
(cd root && md5sum --quiet -c "$TARGET"/dist/deb/libmcp-dev/DEBIAN/md5sums)
# Debian's check of packages, where it is. It reads each manual page of libmcp-dev, which takes half a minute.
! command -v lintian >/dev/null || lintian --allow-root --fail-on error,warning "$TARGET"/dist/deb/libmcp*.deb
