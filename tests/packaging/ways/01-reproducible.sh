# two builds in different folders give the same tarball
# needs: cc
# deep
here=$PWD
mkdir copy
(cd "$ROOT" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$here/copy")
(cd "$ROOT" && cargo run --quiet --package xtask --target-dir "$TARGET" -- dist --to "$here/first/libmcp" --tarball)
# Where it is, the copy need not have a commit to take the time from.
export SOURCE_DATE_EPOCH=$(git -C "$ROOT" log -1 --format=%ct)
(cd copy && cargo run --quiet --package xtask --target-dir "$here/target" -- dist --to "$here/second/libmcp" --tarball)
cmp first/libmcp.tar.gz second/libmcp.tar.gz
(cd second && sha256sum --check libmcp.tar.gz.sha256)
