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
check "the built program runs" test "$status" = 0
check "stdout has only the output of the command" cmp -s "$sandbox/out" <(directly --help)
check "progress goes to stderr" says err 'building flashscope once, about [0-9]* \(s\|min\) on [0-9]* cores'
check "a text to read while it builds is printed" says err 'what you are about to see'

check "without a repository no archive is offered" eval '! says err "without a build"'

# shellcheck disable=SC2016
tool git 'case "$*" in *ls-remote*) printf "a1\trefs/tags/v0.2.0\nb2\trefs/tags/v0.1.0\n" ;; *get-url*) echo https://example.org/some/one.git ;; esac'
mkdir "$tree/.git"
rm -r "$tree/build/release"
mkdir -p "$tree/build/release/viz"
run --help
check "a repository with a release offers its archive before it builds" \
  says err 'without a build: the archive of v0.2.0 at https://example.org/some/one/releases runs'
rm -r "$tree/.git" "$tools/git"

run --help
check "the second start builds nothing" quiet
check "the second start adds nothing to stderr" cmp -s "$sandbox/err" <(directly --help 2>&1 >/dev/null)

run verify --help
check "help works without building the kernels" quiet
run verify --seqlen 64
check "verify builds the program with the kernels" grep -q 'cmake --build .*--target flashscope-kernels$' "$calls"
check "verify runs the program with the kernels" says out 'rows agree'
check "verify builds nothing else" test "$(grep -c 'cmake --build' "$calls")" = 1
run verify --seqlen 64
check "a second verify builds nothing" quiet
run screenshot --describe
check "screenshot builds the explorer's program" grep -q 'cmake --build .*--target flashscope-explorer$' "$calls"
run build
check "build builds everything" grep -q 'cmake --build .*--target all$' "$calls"
check "the first build of everything tells how long it takes" says err 'building all once, about'
run build
check "a second build of everything names no time that it will take" eval '! says err " min on\| s on"'
run build flashscope
check "a build of what is built says so and builds nothing" says err 'flashscope is built, and no source is newer'
check "it starts no build" quiet
run build flashscope-kernel
check "build with an unknown name lists the programs" says err 'allowed are all, page, flashscope, flashscope-kernels'
check "build with an unknown name is exit code 2" test "$status" = 2
run serve --no-open
check "serve builds its program" grep -q 'cmake --build .*--target flashscope-serve$' "$calls"
check "serve without a page is exit code 3" test "$status" = 3
run build page
check "a page without the source of Dear ImGui is exit code 3" test "$status" = 3
check "the error tells where to put the source of Dear ImGui" says err 'put the source of Dear ImGui into'
mkdir -p "$tree/build/web/imgui_source/imgui" && touch "$tree/build/web/imgui_source/imgui/imgui.cpp"
run build page
check "the page is built by its own preset" grep -q 'cmake --build --preset web .*--target page$' "$calls"
check "the page is one file, which is named" says err "$tree/build/flashscope.html is the whole page in one file"
check "the file of the page exists" grep -q '<p>' "$tree/build/flashscope.html"
check "the folder for a web server exists" test -d "$tree/build/site"
run build page
check "a second build of the page builds nothing" quiet
rm "$tree/build/flashscope.html"
run build page
check "a deleted page is built again" test -e "$tree/build/flashscope.html"
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
check "the exit code 2 of an unknown command is passed on" test "$status" = 2
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
check "no command runs after a failed build" test "$status" = 1
run test
check "no test runs after a failed build" test -z "$(grep ctest "$calls")"
check "test ends with exit code 1 after a failed build" test "$status" = 1

tool dpkg-query 'echo -n "cmake:installed "; exit 1'
run demo
check "missing packages are named with their reason" says err 'ninja-build *runs the build'
check "missing packages are installed" grep -q 'apt-get .*install .*--no-install-recommends .*ninja-build' "$calls"
check "installed packages are not installed again" test -z "$(grep -w cmake "$calls")"
check "packages of other programs are not installed" test -z "$(grep -E 'libimgui-dev|libboost-context-dev|catch2' "$calls")"
check "apt-get runs as root, or with sudo" grep -q "^$([[ $(id -u) == 0 ]] && echo apt-get || echo sudo)" "$calls"
check "the output of apt goes into its log" grep -q 'chatter of apt' "$tree/build/release/packages.log"
check "the output of apt is not shown to the user" test -z "$(grep 'chatter of apt' "$sandbox/err" "$sandbox/out")"
tool apt-get 'exit 100'
run demo
check "a failed installation ends with exit code 3" test "$status" = 3
check "a failed installation prints the command to type" says err 'apt-get install --no-install-recommends ninja-build'

# Other systems: no apt-get, or not Linux. Only the tools that the launcher needs are on the PATH.
bare="$sandbox/bare" && mkdir "$bare"
for name in bash cat cut dirname env find flock grep id mkdir nproc paste readlink sed sort stat touch uname git; do
  place=$(command -v "$name") || continue  # a fresh system has no git
  ln -s "$place" "$bare/$name"
done
all_of_it=$PATH
PATH=$bare run demo
check "without apt-get the launcher ends with exit code 3" test "$status" = 3
check "the error is that there is no apt-get" says err 'there is no apt-get here'
check "the error names the page and the archive" says err 'flashscope.html .* flashscope-.*tar.xz .* where you got this'
if command -v git >/dev/null; then
  git -C "$tree" init -q && git -C "$tree" remote add origin https://me:secret@example.org/we/flashscope.git
  PATH=$bare run demo
  check "they are among the releases of the repository's host" says err 'among the releases of https://example.org/we/flashscope$'
  git -C "$tree" remote set-url origin git@example.org:we/flashscope.git
  PATH=$bare run demo
  check "an ssh address in short form gives the same host" says err 'among the releases of https://example.org/we/flashscope$'
  git -C "$tree" remote set-url origin /srv/flashscope
  PATH=$bare run demo
  check "a remote that is a folder gives no host" says err 'where you got this'
fi
rm "$bare/uname" && printf '#!/bin/sh\necho Darwin\n' >"$bare/uname" && chmod +x "$bare/uname"
PATH=$bare run demo
check "on another system than Linux the error names the system" says err 'this is Darwin'
check "another system than Linux is exit code 3" test "$status" = 3
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
check "without a package of the explorer its program is still built" grep -q 'cmake --build .*--target flashscope-explorer' "$calls"
check "the missing package is named with the command to install it" says err 'apt-get install --no-install-recommends libimgui-dev'
run build flashscope-explorer
check "the next start tries again" grep -q 'cmake --build' "$calls"

tool cmake 'echo "[0/2] Re-running CMake"; echo "[2/2] Linking"'
run build flashscope-explorer
check "the progress counts no line of ninja before its first step" test -z "$(grep -e 'division' -e 'built 0' "$sandbox/err")"
check "the progress counts the steps" says err 'built 2 of 2'
