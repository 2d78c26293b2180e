#!/usr/bin/env bash
# source_hash_test.sh CMAKE SOURCE: the hash over sources does not depend on their location, and changes with each of them;
# a build recomputes it only if a source changed.
set -euo pipefail
cmake=$1 source=$(readlink -f "$2")
sandbox=$(mktemp -d)
trap 'rm -rf "$sandbox"' EXIT
fail() { echo "failed: $*" >&2 && exit 1; }

hash_of() {  # the folder and a file next to it
  "$cmake" -D TARGET=x -D "FOLDER=$1" -D "MORE=${2:-}" -D "OUTPUT=$sandbox/hash.cpp" -P "$source/cmake/SourceHash.cmake"
  sed -n 's/.*return "\([0-9a-f]*\)".*/\1/p' "$sandbox/hash.cpp"
}

mkdir -p "$sandbox/one/sub" "$sandbox/two words"
echo 'int a;' >"$sandbox/one/a.cpp"
echo 'int b;' >"$sandbox/one/sub/b.h"
cp -r "$sandbox/one/." "$sandbox/two words"
touch -d 2001-01-01 "$sandbox/two words/a.cpp"
first=$(hash_of "$sandbox/one")
((${#first} == 16)) || fail "\"$first\" is not a hash"
[[ $(hash_of "$sandbox/two words") == "$first" ]] || fail "the hash depends on the place"
echo notes >"$sandbox/one/README.md"
[[ $(hash_of "$sandbox/one") == "$first" ]] || fail "the hash depends on files that are not sources"
different() { [[ $(hash_of "$sandbox/one") != "$first" ]] || fail "$1 makes no other hash"; }
echo 'int a2;' >"$sandbox/one/a.cpp" && different "a changed source"
echo 'int a;' >"$sandbox/one/a.cpp" && mv "$sandbox/one/sub/b.h" "$sandbox/one/sub/c.h" && different "another name"
mv "$sandbox/one/sub/c.h" "$sandbox/one/sub/b.h" && touch "$sandbox/one/sub/new.h" && different "a new file"
rm "$sandbox/one/sub/new.h"
echo 'a,b' >"$sandbox/table.csv"
with_table=$(hash_of "$sandbox/one" "$sandbox/table.csv")
[[ $with_table != "$first" ]] || fail "a file next to the folder does not change the hash"
echo 'a,c' >"$sandbox/table.csv"
[[ $(hash_of "$sandbox/one" "$sandbox/table.csv") != "$with_table" ]] || fail "a changed file next to the folder does not change the hash"

# A build: nothing to do the second time; a new header in a folder is noticed.
mkdir "$sandbox/project" && mv "$sandbox/two words" "$sandbox/project/my model"
cat >"$sandbox/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.24)
project(p LANGUAGES CXX)
include(${MODULES}/SourceHash.cmake)
add_library(x STATIC)
source_hash(x "${CMAKE_CURRENT_SOURCE_DIR}/my model")
END
build() { "$cmake" --build "$sandbox/build" >"$sandbox/log" 2>&1 || { cat "$sandbox/log" && fail "the build"; }; }
"$cmake" -G Ninja -S "$sandbox/project" -B "$sandbox/build" -D "MODULES=$source/cmake" >"$sandbox/log"
build
grep -q Hashing "$sandbox/log" || fail "the first build made no hash"
grep -q "$first" "$sandbox/build/x_source_hash.cpp" || fail "the build has another hash"
build
! grep -q Hashing "$sandbox/log" || fail "a build with nothing new makes a hash"
sleep 1.1  # for file systems with timestamps in seconds
touch "$sandbox/project/my model/sub/new.h"
build
grep -q Hashing "$sandbox/log" || fail "a new header goes unseen"
! grep -q "$first" "$sandbox/build/x_source_hash.cpp" || fail "a new header makes no other hash"
echo "source_hash: the same everywhere, another with each change"
