#!/bin/sh
# Prints the section of CHANGELOG.md for a tag, and fails unless the tag, the version of Cargo.toml and the changelog agree:
#
#     packaging/release/notes.sh v0.1.0 [--draft]
#
# With --draft the section may still be called unreleased. docs/design/releasing.md says when. The step `pages` of `cargo xtask test`
# checks that the packages of all languages have the version of Cargo.toml.
set -eu
cd "$(dirname "$0")/../.."

fail() {
    echo "notes.sh: $1" >&2
    exit 1
}

[ $# -eq 1 ] || [ "$#:${2:-}" = 2:--draft ] || fail "usage: packaging/release/notes.sh vMAJOR.MINOR.PATCH [--draft]"
tag=$1
version=$(sed -n 's/^version = "\([0-9]*\.[0-9]*\.[0-9]*\)"$/\1/p' Cargo.toml | head -n 1)
[ -n "$version" ] || fail "Cargo.toml has no line version = \"MAJOR.MINOR.PATCH\""
[ "$tag" = "v$version" ] || fail "the tag is $tag, but Cargo.toml has version $version"

# The heading has the day, by which a release differs from what is only planned.
heading="## [$version] - "
if [ $# -eq 2 ] && grep -qxF "## $version (unreleased)" CHANGELOG.md; then
    heading="## $version (unreleased)"
else
    grep -Eq "^## \[$(echo "$version" | sed 's/\./\\./g')\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md ||
        fail "CHANGELOG.md has no heading \"## [$version] - YYYY-MM-DD\""
fi

# From the line below the heading to the line above the next one.
notes=$(awk -v heading="$heading" '
    /^## / { inside = index($0, heading) == 1; next }
    # Without the empty lines below the heading; the shell removes those at the end.
    inside && (found || /./) { found = 1; print }
' CHANGELOG.md)
[ -n "$notes" ] || fail "the section of $version in CHANGELOG.md is empty"
printf '%s\n' "$notes"
