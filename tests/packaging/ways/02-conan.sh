# a Conan package, shared and static, of the client alone, with its test
# needs: cmake cc
# uses tools of Python
unset CMAKE_PREFIX_PATH
export CONAN_HOME="$PWD/home" MCP_EXAMPLE_SERVER="$SERVER"
"$TOOLS/bin/conan" profile detect
for shared in True False; do
    "$TOOLS/bin/conan" create "$ROOT/packaging/conan" --no-remote -o "libmcp/*:shared=$shared" -o "libmcp/*:features=client" \
        -s build_type="$BUILD_TYPE" -c user.libmcp:cargo_target_dir="$PWD/cargo"
done
