# dist --to fills that folder, and writes nothing beside it
# needs: cc
dist() { cargo run --quiet --manifest-path "$ROOT/Cargo.toml" --package xtask --target-dir "$TARGET" -- dist "$@"; }
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
refuse dist --to ''
