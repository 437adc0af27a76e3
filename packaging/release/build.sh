#!/bin/bash
# Makes everything that a release consists of, and publishes nothing; `cargo xtask release` runs it:
#
#     packaging/release/build.sh --to FOLDER [--here] [--once] [--base URL] [--minisign FILE] [--gpg KEY]
#
# FOLDER gets the files that people download, with SHA256SUMS; FOLDER-channels what package managers read (channels.py); FOLDER-tried the
# tarballs for systems that docs/reference/platforms.md does not call tested. Everything is made twice and refused when the bytes differ.
#
# --here makes the files for this machine's system alone, and --once makes them once. --base is the address that the files will have, and
# --minisign and --gpg name keys to sign with, which are the person's who releases: they are tried first. The public key of minisign lies beside
# the secret one, with .pub in the place of its ending.
#
# Needs cargo with rustup, Node.js with npm, a JDK 22 or newer and Python; installs Debian's packages for what else is missing where it runs as
# root, which the chroots for other systems need.
set -euo pipefail
from=$PWD
cd "$(dirname "$0")/../.."

fail() {
    echo "build.sh: $1" >&2
    exit 1
}

# A path as the person has typed it, from the root of the system.
whole() { # PATH
    case $1 in /*) printf '%s' "$1" ;; *) printf '%s/%s' "$from" "$1" ;; esac
}

to='' here='' once='' base=() keys=()
while [ $# -gt 0 ]; do
    case $1 in
    --here) here=1 ;;
    --once) once=1 ;;
    --to | --base | --minisign | --gpg)
        [ $# -gt 1 ] || fail "$1 needs a value"
        case $1 in
        --to) to=$(whole "${2%/}") ;;
        --base) base=(--base "$2") ;;
        --minisign) keys+=("$1" "$(whole "$2")") ;;
        *) keys+=("$1" "$2") ;;
        esac
        shift
        ;;
    *) fail "there is no option $1; its first comment has those that there are" ;;
    esac
    shift
done
[ -n "$to" ] || fail "--to names no folder"
# Files of an earlier version would be given out with the new one.
for folder in "$to" "$to-tried" "$to-channels"; do
    [ ! -e "$folder" ] || [ -z "$(ls -A "$folder")" ] || fail "$folder is not empty"
done
mkdir -p "$to"
out=$(cd "$to" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# Not for all: where it changes, crates with C in them are compiled again.
time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
# The time zone, the language and the rights that a person has chosen would be seen in the files.
export TZ=UTC LC_ALL=C.UTF-8
umask 022

missing=()
want() { # COMMAND PACKAGE
    command -v "$1" >/dev/null || missing+=("$2")
}
want cc gcc
want c++ g++
want objcopy binutils
want dpkg-deb dpkg
want cmake cmake
# The stores.
[ -e /usr/include/sqlite3.h ] || missing+=(libsqlite3-dev)
[ -e /usr/include/postgresql/libpq-fe.h ] || missing+=(libpq-dev)
[ -e /usr/include/nats/nats.h ] || missing+=(libnats-dev)
want apt-ftparchive apt-utils
want rpmbuild rpm
want pkg-config pkg-config
want python3 python3
[ -n "$here" ] || want mmdebstrap mmdebstrap
[[ " ${keys[*]-} " != *" --minisign "* ]] || want minisign minisign
[[ " ${keys[*]-} " != *" --gpg "* ]] || want gpg gnupg
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
[ -n "$(find /usr/include/python3* -name Python.h -print -quit)" ] || missing+=(python3-dev)
if [ ${#missing[@]} -gt 0 ]; then
    [ "$(id -u)" = 0 ] || fail "these packages of Debian are missing: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
for tool in cargo node npm; do
    command -v "$tool" >/dev/null || fail "$tool is missing"
done
# Now, and not after hours.
[ ${#keys[@]} = 0 ] || packaging/release/channels.py --try "${keys[@]}"
packages="env SOURCE_DATE_EPOCH=$time packaging/release/packages.py"

echo "== what has changed"
packaging/release/notes.sh "v$version" --draft >"$out/NOTES.md"

echo "== the install tree and its tarball"
cargo xtask dist
system=$(rustc -vV | sed -n 's/^host: //p')
prefix=$PWD/target/dist/libmcp-$version-$system
# With --here the files are for machines like this one, which may have a newer glibc than a release is for: the tag of the wheel says so.
[ -n "$here" ] || $packages glibc "$out" --tree "$prefix"
cp "$prefix.tar.gz" "$out/"
if [ -z "$once" ]; then
    again=$work/again/$(basename "$prefix")
    cargo xtask dist --to "$again" --tarball --program --target-dir "$work/cargo"
    cmp "$prefix.tar.gz" "$again.tar.gz" || fail "two builds of the tarball differ"
    rm -rf "$work/cargo" "$work/again"
fi

if [ -z "$here" ]; then
    echo "== the install trees for other systems, in chroots"
    packaging/release/others.py --to "$out" ${once:+--once} aarch64-unknown-linux-gnu x86_64-unknown-linux-musl
    packaging/release/others.py --to "$to-tried" ${once:+--once} armv7-unknown-linux-gnueabihf i686-unknown-linux-gnu \
        aarch64-unknown-linux-musl x86_64-pc-windows-gnu
    # SHA256SUMS has them.
    rm "$out"/*.sha256
fi

# The trees of the release, by the names that Python, npm, Go, Java and .NET have for their systems.
trees=$work/trees wheels=() npm=() go=() jar=() nuget=()
mkdir "$trees"
while read -r triple of_python of_npm of_go of_java of_net; do
    tarball=$out/libmcp-$version-$triple.tar.gz
    [ -e "$tarball" ] || continue
    tar --extract --directory "$trees" --file "$tarball"
    tree=$trees/libmcp-$version-$triple
    wheels+=("$of_python=$tree")
    npm+=(--prefix "$of_npm=$tree")
    go+=(--archive "$of_go=$tree/lib/libmcp.a")
    jar+=(--library "$of_java=$tree/lib/libmcp.so")
    nuget+=(--tree "$of_net=$tree")
done <<'END'
x86_64-unknown-linux-gnu linux-x86_64 linux-x64-gnu linux_amd64 linux-x86_64 linux-x64
aarch64-unknown-linux-gnu linux-aarch64 linux-arm64-gnu linux_arm64 linux-aarch64 linux-arm64
x86_64-unknown-linux-musl linux-x86_64-musl linux-x64-musl linux_amd64_musl linux-x86_64-musl linux-musl-x64
END

# What is made of these trees. Folders on the way have the same names each time: compilers write them into what they make.
of_tree() { # FOLDER
    local to=$1 on_the_way=$work/on-the-way
    rm -rf "$on_the_way"
    mkdir -p "$to" "$on_the_way"

    echo "== the Debian packages"
    cargo xtask deb
    cp target/dist/deb/*.deb "$to/"

    echo "== the RPM packages"
    cargo xtask dist --to "$on_the_way/rpm/usr" --libdir lib64 --docdir share/doc/libmcp-devel --program --no-tarball
    sed "s/@version@/$version/" packaging/channels/rpm/libmcp.spec.in >"$on_the_way/libmcp.spec"
    SOURCE_DATE_EPOCH=$time rpmbuild -bb --quiet --define "tree $on_the_way/rpm/usr" --define "_topdir $on_the_way/rpmbuild" "$on_the_way/libmcp.spec"
    cp "$on_the_way"/rpmbuild/RPMS/*/*.rpm "$to/"

    echo "== the Go module with the library inside"
    packaging/release/go_module.py --to "$on_the_way/libmcp-go-$version" "${go[@]}"
    pack "$on_the_way" "libmcp-go-$version" "$to/libmcp-go-$version.tar.gz"

    echo "== the Java binding as a Maven repository"
    cargo xtask jar --to "$on_the_way/maven" "${jar[@]}"
    cp "$on_the_way/maven/io/libmcp/libmcp/$version/libmcp-$version.jar" "$to/"
    pack "$on_the_way/maven" io "$to/libmcp-$version-maven.tar.gz"

    echo "== the wheels, with the program in them"
    for wheel in "${wheels[@]}"; do
        cargo xtask wheels --to "$on_the_way/${wheel%%=*}" --prefix "$wheel"
        $packages wheel "$to" --wheel "$(echo "$on_the_way/${wheel%%=*}"/*.whl)" --tree "${wheel#*=}"
    done

    echo "== the npm packages, with the program in that of each system"
    cargo xtask npm --to "$on_the_way/npm" "${npm[@]}"
    for package in "$on_the_way"/npm/*/; do
        npm pack --silent --pack-destination "$to" "$package"
    done

    echo "== sources, the Swift package, the rock, the NuGet package, the container image, the bills of materials"
    $packages source "$to"
    $packages swift "$to"
    $packages lua "$to" "${base[@]}"
    $packages nuget "$to" "${nuget[@]}"
    $packages image "$to" --tree "$prefix"
    $packages bills "$to" --tree "$prefix"
}

pack() { # FOLDER NAME FILE
    tar --create --owner=0 --group=0 --numeric-owner --sort=name --mtime="@$time" --use-compress-program 'gzip -9n' \
        --directory "$1" --file "$3" "$2"
}

of_tree "$work/first"
if [ -z "$once" ]; then
    of_tree "$work/second"
    diff --recursive --brief "$work/first" "$work/second" || fail "two builds of these packages differ"
fi
cp "$work/first"/* "$out/"

echo "== the channels, the checksums, the signatures"
SOURCE_DATE_EPOCH=$time packaging/release/channels.py "$out" "${base[@]}" "${keys[@]}"
cat "$out/SHA256SUMS"
