//! The ways to use the package, each as what a user types. `$PREFIX` is where the package is, `$SERVER` the example
//! server, `$TESTS` the folder `tests/packaging`, `$STRICT_C` and `$STRICT_CPP` the warnings that we promise to be free
//! of; `refuse` runs a command that must fail.

use crate::machine::{
    CC, CLANG, CLANGXX, CMAKE, DPKG, DPKG_DEB, GCC, GDB, GXX, NINJA, NLOHMANN_JSON, PKG_CONFIG, PYTHON,
    READELF, Tool, VALGRIND,
};

pub struct Row {
    pub name: &'static str,
    /// Where its files are built.
    pub folder: &'static str,
    pub needs: &'static [&'static Tool],
    pub uses_python: bool,
    /// Whether it runs with `--deep` alone.
    pub is_deep: bool,
    pub script: &'static str,
}

const fn row(
    name: &'static str,
    folder: &'static str,
    needs: &'static [&'static Tool],
    script: &'static str,
) -> Row {
    Row { name, folder, needs, uses_python: false, is_deep: false, script }
}

/// The first two build a library of their own, which takes longer than all others together: they begin first. The library that is built
/// in another folder once more is for `--deep`: packaging/release/build.sh compares the packages that are published in the same way.
pub const ROWS: &[Row] = &[
    Row {
        name: "two builds in different folders give the same tarball",
        folder: "reproducible",
        needs: &[&CC],
        uses_python: false,
        is_deep: true,
        script: r#"here=$PWD
           mkdir copy
           (cd "$ROOT" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$here/copy")
           (cd "$ROOT" && cargo run --quiet --package xtask --target-dir "$TARGET" -- dist --to "$here/first/libmcp" --tarball)
           # Where it is, the copy need not have a commit to take the time from.
           export SOURCE_DATE_EPOCH=$(git -C "$ROOT" log -1 --format=%ct)
           (cd copy && cargo run --quiet --package xtask --target-dir "$here/target" -- dist --to "$here/second/libmcp" --tarball)
           cmp first/libmcp.tar.gz second/libmcp.tar.gz
           (cd second && sha256sum --check libmcp.tar.gz.sha256)"#,
    },
    Row {
        name: "a Conan package, shared and static, of the client alone, with its test",
        folder: "conan",
        needs: &[&CMAKE, &CC],
        uses_python: true,
        is_deep: false,
        script: r#"unset CMAKE_PREFIX_PATH
           export CONAN_HOME="$PWD/home" MCP_EXAMPLE_SERVER="$SERVER"
           "$TOOLS/bin/conan" profile detect
           for shared in True False; do
               "$TOOLS/bin/conan" create "$ROOT/packaging/conan" --no-remote -o "libmcp/*:shared=$shared" -o "libmcp/*:features=client" \
                   -s build_type="$BUILD_TYPE" -c user.libmcp:cargo_target_dir="$PWD/cargo"
           done"#,
    },
    row(
        "cc with pkg-config, gcc, C11",
        "pkg-config-gcc",
        &[&GCC, &PKG_CONFIG],
        r#"gcc $STRICT_C "$TESTS/consumer.c" $(pkg-config --cflags --libs mcp) -Wl,-rpath,"$PREFIX/lib" -o consumer
           ./consumer "$SERVER""#,
    ),
    row(
        "cc with pkg-config, clang, C11",
        "pkg-config-clang",
        &[&CLANG, &PKG_CONFIG],
        r#"clang $STRICT_C "$TESTS/consumer.c" $(pkg-config --cflags --libs mcp) -Wl,-rpath,"$PREFIX/lib" -o consumer
           ./consumer "$SERVER""#,
    ),
    row(
        "the static library, pkg-config mcp-static",
        "static",
        &[&GCC, &PKG_CONFIG, &READELF],
        r#"gcc $STRICT_C "$TESTS/consumer.c" $(pkg-config --cflags --libs mcp-static) -o consumer
           ./consumer "$SERVER"
           readelf -d consumer >dynamic
           refuse grep libmcp dynamic"#,
    ),
    row(
        "a program that is static throughout, pkg-config --static",
        "all-static",
        &[&GCC, &PKG_CONFIG, &READELF],
        r#"gcc $STRICT_C -static "$TESTS/consumer.c" $(pkg-config --static --cflags --libs mcp) -o consumer
           ./consumer "$SERVER"
           readelf -d consumer >dynamic
           refuse grep NEEDED dynamic"#,
    ),
    row(
        "libmcp.a beside another Rust static library",
        "two-rust-libraries",
        &[&GCC, &PKG_CONFIG],
        r#"rustc --edition 2024 --crate-type staticlib -C panic=unwind -o libother.a "$TESTS/other.rs"
           rest=$(pkg-config --static --libs-only-l mcp | sed 's/-lmcp//')
           for order in "$PREFIX/lib/libmcp.a libother.a" "libother.a $PREFIX/lib/libmcp.a"; do
               gcc $STRICT_C "$TESTS/two_rust_libraries.c" $(pkg-config --cflags mcp) $order $rest -o both
               ./both
           done"#,
    ),
    row(
        "find_package in CMake: shared, static, C++",
        "cmake",
        &[&CMAKE, &CC, &GXX],
        r#"cmake -S "$TESTS/cmake" -B build -DCMAKE_BUILD_TYPE=Release
           cmake --build build
           for program in shared static cpp; do build/consumer-$program "$SERVER"; done"#,
    ),
    row(
        "find_package says which component is missing",
        "cmake-component",
        &[&CMAKE, &CC, &GXX],
        r#"refuse cmake -S "$TESTS/cmake" -B build -DCOMPONENT=teleport 2>said
           grep 'lacks the component teleport' said
           printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(x C)' 'find_package(mcp 0.2 REQUIRED)' >CMakeLists.txt
           refuse cmake -S . -B newer 2>said
           grep '"0.2"' said
           grep 'version: 0.1' said"#,
    ),
    row(
        "add_subdirectory in CMake, which builds nothing twice",
        "subdirectory",
        &[&CMAKE, &NINJA, &CC],
        r#"cmake -G Ninja -S "$TESTS/subdirectory" -B build -DMCP_SOURCE="$ROOT" -DMCP_CARGO_TARGET_DIR="$TARGET"
           cmake --build build
           build/consumer "$SERVER"
           build/consumer-static "$SERVER"
           cmake --build build | tee again
           grep 'no work to do' again"#,
    ),
    row(
        "FetchContent in CMake with make, static only",
        "fetch-content",
        &[&CMAKE, &CC, &READELF],
        r#"cmake -G 'Unix Makefiles' -S "$TESTS/subdirectory" -B build -DFETCH=ON -DBUILD_SHARED_LIBS=OFF \
               -DMCP_SOURCE="$ROOT" -DMCP_CARGO_TARGET_DIR="$TARGET"
           cmake --build build
           build/consumer "$SERVER"
           readelf -d build/consumer >dynamic
           refuse grep libmcp dynamic"#,
    ),
    row(
        "CMake installs the tree that cargo xtask dist makes",
        "cmake-install",
        &[&CMAKE, &CC],
        r#"cmake -S "$ROOT" -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib \
               -DMCP_CARGO_TARGET_DIR="$TARGET"
           cmake --build build
           cmake --install build --prefix installed
           diff -r --no-dereference "$PREFIX" installed"#,
    ),
    row(
        "the target uninstall removes what was installed, and nothing else",
        "cmake-uninstall",
        &[&CMAKE, &CC],
        r#"cmake -S "$ROOT" -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib \
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
           rmdir root"#,
    ),
    row(
        "dist --to fills that folder, and writes nothing beside it",
        "dist-to",
        &[&CC],
        r#"dist() { cargo run --quiet --manifest-path "$ROOT/Cargo.toml" --package xtask --target-dir "$TARGET" -- dist "$@"; }
           mkdir work
           cd work
           dist --to here
           test "$(ls -A)" = here
           diff -r --no-dereference "$PREFIX" here
           dist --to below/a\ folder/
           test "$(ls -A below)" = 'a folder'
           diff -r --no-dereference "$PREFIX" 'below/a folder'
           printf mine | tee here/other here/include/mcp.h >/dev/null
           ln -f here/include/mcp.h linked
           dist --to "$PWD/here" --no-static --tarball
           grep mine linked
           grep mine here/other
           cmp "$PREFIX/include/mcp.h" here/include/mcp.h
           refuse test -e here/lib/libmcp.a
           refuse test -e here/lib/pkgconfig/mcp-static.pc
           sha256sum --check here.tar.gz.sha256
           tar --list --file here.tar.gz >names
           grep '^here/include/mcp.h$' names
           refuse grep other names
           refuse dist --to ''"#,
    ),
    row(
        "CMake passes the target and the features on to cargo",
        "cmake-options",
        &[&CMAKE, &NINJA, &CLANG],
        r#"printf '%s\n' 'set(CMAKE_SYSTEM_NAME Linux)' 'set(CMAKE_SYSTEM_PROCESSOR aarch64)' 'set(CMAKE_C_COMPILER clang)' \
               'set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)' 'set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)' \
               'set(MCP_RUST_TARGET aarch64-unknown-linux-gnu CACHE STRING "")' >arm.cmake
           cmake -G Ninja -S "$ROOT" -B arm -DCMAKE_TOOLCHAIN_FILE="$PWD/arm.cmake"
           ninja -C arm -t commands mcp-build | grep -e '--target aarch64-unknown-linux-gnu'
           ninja -C arm -t commands mcp-build | grep -e '--link-arg --target=aarch64-linux-gnu'
           cmake -G Ninja -S "$ROOT" -B server -DMCP_WITH_CLIENT=OFF
           ninja -C server -t commands mcp-build | grep -e '--features http,auth,server,schema,skills '
           cmake -G Ninja -S "$ROOT" -B client -DMCP_WITH_SERVER=OFF
           ninja -C client -t commands mcp-build | grep -e '--features client,http,auth,schema,skills '
           cp "$ROOT/CMakeLists.txt" .
           printf '%s\n' '[package]' 'version = "3.2.1"' 'soname = 2' '[features]' 'default = ["web"]' 'web = ["dep:x"]' \
               'big-one = [' '    "web",' ']' '[lib]' 'name = "y"' >Cargo.toml
           cmake -G Ninja -S . -B default
           ninja -C default -t commands mcp-build | grep -e '--features web '
           ninja -C default -t commands mcp-build | grep -e '--no-default-features'
           cmake -G Ninja -S . -B chosen -DMCP_WITH_WEB=OFF -DMCP_WITH_BIG_ONE=ON
           ninja -C chosen -t commands mcp-build | grep -e '--features big-one '"#,
    ),
    Row {
        name: "Meson through pkg-config: shared, static, C++",
        folder: "meson",
        needs: &[&NINJA, &PKG_CONFIG, &CC, &GXX],
        uses_python: true,
        is_deep: false,
        script: r#"cp "$TESTS"/meson/* "$TESTS"/consumer.c "$TESTS"/consumer.cpp .
           "$TOOLS/bin/meson" setup build -Dserver="$SERVER"
           "$TOOLS/bin/meson" test -C build --print-errorlogs"#,
    },
    row(
        "Debian packages, installed into a root of their own",
        "debian",
        &[&DPKG, &DPKG_DEB, &GCC, &PKG_CONFIG, &READELF],
        r#"(cd "$ROOT" && cargo run --quiet --package xtask --target-dir "$TARGET" -- deb)
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
           for name in mcp libmcp; do
               root/usr/bin/$name call add a=1 b=2 -- "$SERVER" | grep '^3$'
               test -s root/usr/share/man/man1/$name.1
               test -s root/usr/share/bash-completion/completions/$name
               test -s root/usr/share/zsh/vendor-completions/_$name
               test -s root/usr/share/fish/vendor_completions.d/$name.fish
           done
           test -s root/usr/share/man/man1/mcp-call.1
           # The pages of the functions are those of the package that has the header, and each function has one.
           dpkg -c "$TARGET"/dist/deb/libmcp-dev_*.deb >dev
           sed -n 's/^MCP_API.* \**\(mcp_[a-z0-9_]*\)(.*/\1/p' root/usr/include/mcp.h | while read -r name; do
               grep -q "/usr/share/man/man3/$name\.3$" dev
           done
           test -s root/usr/share/man/man3/mcp.3
           grep -q clap root/usr/share/doc/libmcp-bin/THIRD-PARTY.md
           grep -q pkg:cargo/clap@ root/usr/share/doc/libmcp-bin/sbom.cdx.json
           grep -q pkg:cargo/memchr@ root/usr/share/doc/libmcp0/sbom.cdx.json
           # bash asks the program for the words: here for the commands that begin with "comp".
           PATH="$PWD/root/usr/bin:$PATH" bash -c '. root/usr/share/bash-completion/completions/libmcp
               COMP_WORDS=(libmcp comp); COMP_CWORD=1; COMP_TYPE=9
               _clap_complete_libmcp libmcp comp libmcp; printf "%s\n" "${COMPREPLY[@]}"' | grep -x completion"#,
    ),
    row(
        "the vcpkg port's manifest is one that vcpkg reads, and damaged ones are found",
        "vcpkg-manifest",
        &[&CMAKE],
        r#"check() { cmake -DMANIFEST="$1" -P "$TESTS/vcpkg_manifest.cmake"; }
           check "$ROOT/packaging/vcpkg/vcpkg.json"
           for damage in 's/"license"/"licence"/' 's/"libmcp"/"Libmcp"/' 's/"version": "/&v/' 's/"host": true/"host": "yes"/' \
                   's/"host"/"hots"/' '/"description"/d' 's/"vcpkg-cmake"/"core"/' '3{h;d};4{G}' 's/^  "name"/"name"/' 's/,$//'; do
               sed "$damage" "$ROOT/packaging/vcpkg/vcpkg.json" >damaged.json
               refuse cmp -s damaged.json "$ROOT/packaging/vcpkg/vcpkg.json"
               refuse check damaged.json
           done"#,
    ),
    row(
        "the vcpkg port installs what its users find",
        "vcpkg",
        &[&CMAKE, &CC],
        r#"cmake -DPORT_DIR="$ROOT/packaging/vcpkg" -DROOT="$ROOT" -DTARGET="$TARGET" -P "$TESTS/vcpkg.cmake"
           printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(x C)' 'find_package(mcp 0.1 CONFIG REQUIRED)' \
               "add_executable(x $TESTS/consumer.c)" 'target_link_libraries(x mcp::mcp)' >CMakeLists.txt
           cmake -S . -B use -Dmcp_DIR="$PWD/packages/libmcp/share/mcp"
           cmake --build use
           use/x "$SERVER"
           test -s packages/libmcp/share/libmcp/copyright
           test -s packages/libmcp/share/libmcp/usage"#,
    ),
    row(
        "the bill of materials has every crate of the page of licences, with digest, licence and what needs it",
        "sbom",
        &[&PYTHON],
        r#"python3 - "$PREFIX/share/doc/libmcp" <<'EOF'
import json, os, re, sys
for bill, page in [("sbom.cdx.json", "THIRD-PARTY.md"), ("sbom-program.cdx.json", "THIRD-PARTY-PROGRAM.md")]:
    # A tree that goes to a folder of its own has no program, unless it is asked for.
    if "program" in bill and not os.path.exists(f"{sys.argv[1]}/../../../bin/mcp"):
        continue
    bom = json.load(open(f"{sys.argv[1]}/{bill}"))
    assert (bom["bomFormat"], bom["specVersion"], bom["version"]) == ("CycloneDX", "1.5", 1)
    parts = bom["components"]
    listed = re.findall(r"^## (\S+ \S+)$", open(f"{sys.argv[1]}/{page}").read(), re.M)
    ours = {"mcp"}
    assert sorted(f"{c['name']} {c['version']}" for c in parts if c["name"] not in ours) == sorted(listed), bill
    for c in parts:
        assert c["licenses"][0]["expression"], c
        assert c["name"] in ours or re.fullmatch("[0-9a-f]{64}", c["hashes"][0]["content"]), c
    refs = {c["bom-ref"] for c in parts} | {bom["metadata"]["component"]["bom-ref"]}
    assert {d["ref"] for d in bom["dependencies"]} == refs
    needed = {need for d in bom["dependencies"] for need in d["dependsOn"]}
    assert needed == {c["bom-ref"] for c in parts}, needed
EOF"#,
    ),
    row(
        "gdb shows values as JSON with the installed file",
        "gdb",
        &[&GDB, &CC, &GXX, &PKG_CONFIG],
        r#"flags="-g -O0 $(pkg-config --cflags --libs mcp) -Wl,-rpath,$PREFIX/lib"
           cc $STRICT_C "$TESTS/debugged.c" $flags -o in-c
           g++ -std=c++17 $STRICT_CPP "$TESTS/debugged.cpp" $flags -o in-cpp
           stop() { gdb -batch -nx -ex 'break look' -ex run -ex up "$@" 2>&1; }
           file="source $(pkg-config --variable=pkgdatadir mcp)/mcp_gdb.py"
           stop -ex "$file" -ex 'print values' -ex 'print absent' -ex continue -ex up -ex 'print values[1]' ./in-c | tee c
           stop -ex "$file" -ex 'print tags' -ex 'print second' -ex 'print parsed' -ex 'print empty' \
               -ex 'generate-core-file core' ./in-cpp | tee cpp
           gdb -batch -nx -ex "$file" -ex up -ex 'print second' ./in-cpp core | tee dead
           grep -F '$2 = absent' c
           grep -F '$4 = empty' cpp
           grep -x '$1 = bytes [0-9]* to [0-9]* of handle 0x[0-9a-f]*' dead
           # Before version 14, gdb cannot call functions where the processor has more registers than it knows.
           if stop -ex 'print (int)mcp_abi_version()' ./in-c | grep '^$1 = [0-9]'; then
               grep -Fx '$1 = {"caf\u00e9", [1, 2.50, null]}' c
               grep -Fx '$3 = absent: its message or document was freed' c
               grep -Fx '$1 = [1, 2.50, null]' cpp
               grep -Fx '$2 = 2.50' cpp
               grep -Fx '$3 = {"tags": [1, 2.50, null]}' cpp
           else
               grep '^$1 = {bytes 9 to 20 of handle .*, bytes 30 to 45 of handle ' c
               grep '^$1 = bytes 9 to 24 of handle ' cpp
               grep '^$3 = document with handle ' cpp
           fi"#,
    ),
    row(
        "Valgrind finds no lost memory, and none at all with the installed file, unless the program forgets some",
        "valgrind",
        &[&VALGRIND, &CC, &PKG_CONFIG],
        r#"look() { valgrind --leak-check=full --error-exitcode=99 --child-silent-after-fork=yes "$@"; }
           all="--show-leak-kinds=all --errors-for-leak-kinds=all"
           file="--suppressions=$(pkg-config --variable=pkgdatadir mcp)/mcp.supp"
           sed 's/mcp_client_free(client) == MCP_OK ? failed : 1/failed/' "$TESTS/consumer.c" >forgets.c
           refuse cmp "$TESTS/consumer.c" forgets.c
           printf '%s\n' '#include <mcp.h>' 'int main(void) {' '    mcp_client_t *client;' \
               '    const char *config = "{\"url\": \"http://127.0.0.1:1/\"}";' \
               '    return mcp_client_new(config, NULL, &client, NULL) || mcp_client_free(client);' '}' >http.c
           for library in mcp mcp-static; do
               flags="-g $(pkg-config --cflags --libs $library) -Wl,-rpath,$PREFIX/lib"
               cc $STRICT_C "$TESTS/consumer.c" $flags -o consumer
               look --errors-for-leak-kinds=definite,possible ./consumer "$SERVER"
               look $all $file ./consumer "$SERVER"
               refuse look $all ./consumer "$SERVER"
               cc $STRICT_C http.c $flags -o http
               look $all $file ./http
               cc $STRICT_C forgets.c $flags -o forgets
               refuse look $all $file ./forgets "$SERVER"
           done"#,
    ),
    row(
        "C++ with nlohmann/json",
        "nlohmann",
        &[&GXX, &PKG_CONFIG, &NLOHMANN_JSON],
        r#"g++ -std=c++17 $STRICT_CPP "$TESTS/consumer_json.cpp" $(pkg-config --cflags --libs mcp) \
               -Wl,-rpath,"$PREFIX/lib" -pthread -o consumer
           ./consumer "$SERVER""#,
    ),
    row("C++17, C++20 and C++23 with g++, with and without exceptions", "g++", &[&GXX, &PKG_CONFIG], CPP_GXX),
    row(
        "C++17 and C++20 with clang++, with and without exceptions",
        "clang++",
        &[&CLANGXX, &PKG_CONFIG],
        CPP_CLANGXX,
    ),
    row(
        "programs that never call, that exit without closing, that load and unload, that fork",
        "hosts",
        &[&CC, &PKG_CONFIG],
        r#"for name in a_program_that_links_and_never_calls_pays_nothing exit_without_close_leaves_no_child \
               loading_and_unloading_fifty_times_leaks_nothing use_after_fork_is_refused; do
               cc $STRICT_C "$ROOT/tests/c/$name.c" $(pkg-config --cflags --libs mcp) -Wl,-rpath,"$PREFIX/lib" -pthread \
                   -ldl -o $name
               MCP_SHARED_LIBRARY="$PREFIX/lib/libmcp.so.0" ./$name "$SERVER" "$SCRIPTED"
           done"#,
    ),
];

const CPP_GXX: &str = r#"
for standard in c++17 c++20 c++23; do
    for more in -g '-fno-exceptions -fno-rtti'; do
        g++ -std=$standard $STRICT_CPP $more "$TESTS/consumer.cpp" $(pkg-config --cflags --libs mcp) \
            -Wl,-rpath,"$PREFIX/lib" -pthread -o consumer
        ./consumer "$SERVER"
    done
done
g++ -std=c++23 $STRICT_CPP "$ROOT/tests/cpp/results_say_what_went_wrong.cpp" $(pkg-config --cflags --libs mcp) \
    -Wl,-rpath,"$PREFIX/lib" -pthread -o results
./results "$SERVER" "$SCRIPTED""#;

const CPP_CLANGXX: &str = r#"
for standard in c++17 c++20; do
    for more in -g '-fno-exceptions -fno-rtti'; do
        clang++ -std=$standard $STRICT_CPP $more "$TESTS/consumer.cpp" $(pkg-config --cflags --libs mcp) \
            -Wl,-rpath,"$PREFIX/lib" -pthread -o consumer
        ./consumer "$SERVER"
    done
done"#;
