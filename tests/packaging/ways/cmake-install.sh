# CMake installs the tree that cargo xtask dist makes
# needs: cmake cc
cmake -S "$ROOT" -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib \
    -DMCP_CARGO_TARGET_DIR="$TARGET"
cmake --build build
cmake --install build --prefix installed
diff -r --no-dereference "$PREFIX" installed
