#!/usr/bin/env bash
# launcher_test.sh ROOT PROGRAM: tests ROOT/flashscope in a separate tree, where cmake, dpkg-query and apt-get are
# stand-ins that record their arguments. The launcher must run PROGRAM, a built flashscope.
set -euo pipefail
[[ -x ${2-} ]] || { echo "skipped: no built flashscope at ${2-}" && exit 77; }
source_root=$1 program=$(readlink -f "$2")
sandbox=$(mktemp -d "$PWD/launcher-test-XXXXXX")  # /tmp may be mounted noexec
trap 'rm -rf "$sandbox"' EXIT
tree="$sandbox/a tree" tools="$sandbox/tools" calls="$sandbox/calls"
mkdir -p "$tree/sim" "$tree/viz" "$tree/build/release/viz" "$tools" "$sandbox/elsewhere"
cp -r "$source_root/flashscope" "$source_root/cmake" "$source_root"/CMake* "$tree"
cd "$sandbox/elsewhere"

tool() { printf '#!/bin/bash\n%s\n' "$2" >"$tools/$1" && chmod +x "$tools/$1"; }
# shellcheck disable=SC2016  # the stand-in expands its own arguments
tool dpkg-query 'for name in "${@:4}"; do echo -n "$name:installed "; done'
# shellcheck disable=SC2016
tool cmake 'echo cmake "$@" >>"$CALLS"; [[ $1 != --build ]] || cp "$PROGRAM"* "$TREE/build/release/viz/"
[[ $* != *page* ]] || { echo "<p>" >"$TREE/build/web/flashscope.html"; mkdir -p "$TREE/build/web/site"; }'
# shellcheck disable=SC2016
tool ctest 'echo ctest "$@" >>"$CALLS"'
# shellcheck disable=SC2016
tool apt-get 'echo apt-get "$@" >>"$CALLS"; echo chatter of apt'
# shellcheck disable=SC2016
tool sudo 'echo sudo "$@" >>"$CALLS"; [[ $1 != -n ]] || shift; exec "$@"'
export CALLS=$calls PROGRAM=$program TREE=$tree PATH="$tools:$PATH"

# run ARGUMENT...: starts the launcher; leaves its exit code in status, and the files out and err.
run() {
  : >"$calls"
  status=0
  "${launcher:-$tree/flashscope}" "$@" >"$sandbox/out" 2>"$sandbox/err" || status=$?
}
check() {  # check SENTENCE COMMAND...
  if ! "${@:2}"; then
    echo "FAILED: $1 (exit code $status)" && cat "$sandbox/out" "$sandbox/err" "$calls" && exit 1
  fi
  echo "ok: $1"
}
age() {  # makes later changes newer, however coarse the timestamps of this file system
  find "$tree" -exec touch -d '2 hours ago' {} +
  touch -d '1 hour ago' "$tree/build/release/up_to_date"
}
directly() { (exec -a "$tree/flashscope" "$program" "$@"); }
says() { grep -q -e "$2" "$sandbox/$1"; }
quiet() { ! [[ -s $calls ]]; }

run --help
check "the first start configures and builds" grep -q 'cmake --build --preset release .*--target flashscope' "$calls"
check "what it builds then runs" test "$status" = 0
check "stdout is the output of the command alone" cmp -s "$sandbox/out" <(directly --help)
check "progress goes to stderr" says err 'building flashscope once, about [0-9]* \(s\|min\) on [0-9]* cores'
check "there is something to read meanwhile" says err 'what you are about to see'

run --help
check "the second start builds nothing" quiet
check "the second start adds nothing to stderr" cmp -s "$sandbox/err" <(directly --help 2>&1 >/dev/null)

run verify --help
check "help is there before the kernels are built" quiet
run verify --seqlen 64
check "verify builds the program with the kernels" grep -q 'cmake --build .*--target flashscope-kernels$' "$calls"
check "and runs it" says out 'rows agree'
check "nothing else is built" test "$(grep -c 'cmake --build' "$calls")" = 1
run verify --seqlen 64
check "once" quiet
run screenshot --describe
check "screenshot builds the explorer's program" grep -q 'cmake --build .*--target flashscope-explorer$' "$calls"
run build
check "build builds everything" grep -q 'cmake --build .*--target all$' "$calls"
run build flashscope-kernel
check "build names the programs that there are" says err 'allowed are all, page, flashscope, flashscope-kernels'
check "and ends with exit code 2" test "$status" = 2
run serve --no-open
check "serve builds its program" grep -q 'cmake --build .*--target flashscope-serve$' "$calls"
check "and ends with exit code 3 where there is no page" test "$status" = 3
run build page
check "without the source of Dear ImGui there is no page" test "$status" = 3
check "and it says where that may be put" says err 'put the source of Dear ImGui into'
mkdir -p "$tree/build/web/imgui_source/imgui" && touch "$tree/build/web/imgui_source/imgui/imgui.cpp"
run build page
check "the page is built by a preset of its own" grep -q 'cmake --build --preset web .*--target page$' "$calls"
check "and is one file, which is named" says err "$tree/build/flashscope.html is the whole page in one file"
check "that is there" grep -q '<p>' "$tree/build/flashscope.html"
check "and a folder for a web server" test -d "$tree/build/site"
run build page
check "once" quiet
rm "$tree/build/flashscope.html"
run build page
check "and again where somebody deleted it" test -e "$tree/build/flashscope.html"
run test -R nothing
check "test builds everything and runs ctest" grep -q 'ctest .*-R nothing' "$calls"

age
touch "$tree/sim/new.cpp"
run --help
check "a new source is built" grep -q 'cmake --build' "$calls"
age
rm "$tree/sim/new.cpp"
run --help
check "a deleted source is noticed" grep -q 'cmake --build' "$calls"

run no-such-command
check "an unknown command passes its exit code 2 on" test "$status" = 2
ln -s "$tree/flashscope" "$sandbox/link"
launcher="$sandbox/link" run --help
check "it works through a symbolic link" test "$status" = 0

# From here on the program is a stand-in that prints its arguments.
# shellcheck disable=SC2016
printf '#!/bin/bash\n[[ $1 != --program-of ]] || { echo flashscope; exit; }\npwd; printf "<%%s>" "$@"; cat; exit 3\n' >"$sandbox/echo"
chmod +x "$sandbox/echo"
cp "$sandbox/echo" "$tree/build/release/viz/flashscope"
run simulate 'a b' '' '*' <<<'from stdin'
check "arguments, directory, stdin and exit code reach the program" \
  diff - "$sandbox/out" <<<"$PWD
<simulate><a b><><*>from stdin"
check "exit code 3 passes through" test "$status" = 3

forget() { rm -f "$tree"/build/release/up_to_date*; }
forget
tool cmake 'echo "[1/2] Building"; echo "error: no such thing"; exit 1'
run demo
check "a failed build shows its log" says err 'no such thing'
check "a failed build ends with exit code 1" test "$status" = 1
check "a failed build prints nothing on stdout" test ! -s "$sandbox/out"
run build flashscope
check "and nothing is run after it" test "$status" = 1
run test
check "no test runs after a failed build" test -z "$(grep ctest "$calls")"
check "and test ends with exit code 1" test "$status" = 1

tool dpkg-query 'echo -n "cmake:installed "; exit 1'
run demo
check "missing packages are named with their reason" says err 'ninja-build *runs the build'
check "and installed" grep -q 'apt-get .*install .*--no-install-recommends .*ninja-build' "$calls"
check "but not the others" test -z "$(grep -w cmake "$calls")"
check "nor those of other programs" test -z "$(grep -E 'libimgui-dev|libboost-context-dev|catch2' "$calls")"
check "by root, or with sudo" grep -q "^$([[ $(id -u) == 0 ]] && echo apt-get || echo sudo)" "$calls"
check "apt's chatter goes into its log" grep -q 'chatter of apt' "$tree/build/release/packages.log"
check "and not to the person" test -z "$(grep 'chatter of apt' "$sandbox/err" "$sandbox/out")"
tool apt-get 'exit 100'
run demo
check "a failed installation ends with exit code 3" test "$status" = 3
check "and says what to type" says err 'apt-get install --no-install-recommends ninja-build'

# Other systems: no apt-get, or not Linux. Only the tools that the launcher needs are on the PATH.
bare="$sandbox/bare" && mkdir "$bare"
for name in bash cat cut dirname env find flock grep id mkdir nproc paste readlink sed sort stat touch uname git; do
  ln -s "$(command -v "$name")" "$bare/$name"
done
all_of_it=$PATH
PATH=$bare run demo
check "without apt-get the launcher ends with exit code 3" test "$status" = 3
check "and says so" says err 'there is no apt-get here'
check "and names the page and the archive" says err 'flashscope.html .* flashscope-.*tar.xz .* where you got this'
git -C "$tree" init -q && git -C "$tree" remote add origin https://me:secret@example.org/we/flashscope.git
PATH=$bare run demo
check "which are among the releases of whoever hosts it" says err 'among the releases of https://example.org/we/flashscope$'
git -C "$tree" remote set-url origin git@example.org:we/flashscope.git
PATH=$bare run demo
check "in the short form of ssh too" says err 'among the releases of https://example.org/we/flashscope$'
git -C "$tree" remote set-url origin /srv/flashscope
PATH=$bare run demo
check "but not in a folder" says err 'where you got this'
rm "$bare/uname" && printf '#!/bin/sh\necho Darwin\n' >"$bare/uname" && chmod +x "$bare/uname"
PATH=$bare run demo
check "without Linux it names them too" says err 'this is Darwin'
check "with exit code 3" test "$status" = 3
rm -rf "$tree/.git"
PATH=$all_of_it

# The simulator's packages are installed, the others are missing and cannot be installed.
# shellcheck disable=SC2016
tool dpkg-query 'for name in "${@:4}"; do [[ $name == lib*-dev && $name != libeigen3-dev ]] || echo -n "$name:installed "; done'
printf '%s\n' '[flashscope]' 'cmake configures' '[flashscope-explorer]' 'libimgui-dev draws' >"$tree/cmake/packages.txt"
# shellcheck disable=SC2016
tool cmake 'echo cmake "$@" >>"$CALLS"'
forget
run build flashscope-explorer
check "what can be built without a package is built" grep -q 'cmake --build .*--target flashscope-explorer' "$calls"
check "and the package is named with its command" says err 'apt-get install --no-install-recommends libimgui-dev'
run build flashscope-explorer
check "and tried again the next time" grep -q 'cmake --build' "$calls"

tool cmake 'echo "[0/2] Re-running CMake"; echo "[2/2] Linking"'
run build flashscope-explorer
check "what ninja does before its first step is no step" test -z "$(grep -e 'division' -e 'built 0' "$sandbox/err")"
check "and the steps are counted" says err 'built 2 of 2'
