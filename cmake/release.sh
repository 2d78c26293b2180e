#!/usr/bin/env bash
# Completes the folder of a release: checks the tag, adds the page and checksums, and writes the notes.
#
#   release.sh TAG DIST
#
# TAG must be v and the version of CMakeLists.txt. DIST has the archives, the .deb and the wheels. The notes are the section
# of the version in CHANGELOG.md; they go to the file notes.md beside DIST.
#
# Exit codes: 0 done; 1 something is missing or does not fit; 2 wrong usage.
set -euo pipefail
if (($# != 2)); then sed -n "4s/^# *//p" "$0" >&2 && exit 2; fi
tag=$1 dist=$2
root=$(readlink -f "$(dirname "$0")/..")
fail() { echo "release.sh: $*" >&2 && exit 1; }

version=$(sed -nE 's/^project\(FlashScope VERSION ([0-9.]+).*/\1/p' "$root/CMakeLists.txt")
[[ $tag == "v$version" ]] || fail "the tag is $tag, and CMakeLists.txt has version $version: the tag must be v$version"

notes=$(awk -v version="$version" '/^## / { on = $2 == version; next } on' "$root/CHANGELOG.md" | sed '/./,$!d')
[[ -n $notes ]] || fail "CHANGELOG.md has no section \"## $version\", or nothing in it"

page=$root/build/flashscope.html
[[ -e $page ]] || fail "there is no page $page: .ci/run page builds it"
cp "$page" "$dist"
for kind in linux-x86_64.tar.xz linux-x86_64.tar.gz _amd64.deb .whl; do
  compgen -G "$dist/flashscope*$kind" >/dev/null || fail "there is no flashscope*$kind in $dist: .ci/run dist wheel makes them"
done
(cd "$dist" && rm -f SHA256SUMS && sha256sum -- * >SHA256SUMS)
printf '%s\n' "$notes" >"$(dirname "$dist")/notes.md"
