#!/usr/bin/env bash
# install_test.sh CMAKE BUILD COMPILER: installs a build into a prefix, moves it, and uses it: the programs, the files for
# shells and man, and the library from example/ outside the tree, by find_package() and by pkg-config.
# Skipped, with exit code 77, if the programs are not built.
set -euo pipefail
cmake=$1 build=$2 compiler=$3
here=$(readlink -f "$(dirname "$0")")
command -v readelf >/dev/null || { echo "skipped: readelf not found: apt-get install binutils" && exit 77; }
for name in flashscope flashscope-kernels flashscope-explorer flashscope-serve; do
  [[ -x $build/viz/$name ]] || { echo "skipped: $name is not built" && exit 77; }
done
sandbox=$(mktemp -d "$PWD/install-test-XXXXXX")  # /tmp may be mounted noexec
trap 'rm -rf "$sandbox"' EXIT
cd "$sandbox"
check() {  # check SENTENCE COMMAND...
  "${@:2}" >out 2>&1 || { echo "FAILED: $1" && tail -n 40 out && exit 1; }
  echo "ok: $1"
}
not() { ! "$@"; }
says() { "${@:2}" | grep -e "$1" >/dev/null; }  # reads to the end: otherwise the program would see a closed pipe

check "a build is installed" "$cmake" --install "$build" --prefix "$sandbox/first place"
mv "first place" "a prefix"
prefix="$sandbox/a prefix"
check "no folder is empty" test -z "$(find "$prefix" -type d -empty)"
! grep -rIl "$build" "$prefix/lib" "$prefix/share" || { echo "FAILED: these files name the build folder" && exit 1; }
for program in "$prefix"/bin/*; do
  check "${program##*/} takes libraries from the system" not says PATH readelf -d "$program"
done
program="$prefix/bin/flashscope"
check "its version is that of the build" cmp <("$program" -V) <("$build/viz/flashscope" -V)
check "lessons are inside" says "The theorem" "$program" lesson --list
check "devices are inside" says NVIDIA "$program" devices --gpu h100-sxm
check "the program with the kernels is found next to it" says 'rows agree' "$program" verify --seqlen 64
if "$build/viz/flashscope" screenshot first.png; then  # only with the explorer
  check "the program that draws is found next to it" "$program" screenshot second.png
  check "and draws the same picture" cmp first.png second.png
fi
for file in man/man1/flashscope.1 bash-completion/completions/flashscope fish/vendor_completions.d/flashscope.fish \
  zsh/site-functions/_flashscope doc/flashscope/LICENSE applications/flashscope.desktop; do
  check "there is share/$file" test -s "$prefix/share/$file"
done
check "the manual page is that of the program" cmp "$prefix/share/man/man1/flashscope.1" <("$program" manual)
# shellcheck disable=SC2016  # for the other shell
check "bash completes commands" bash -c 'source "$1/share/bash-completion/completions/flashscope"
  COMP_WORDS=(flashscope simul) COMP_CWORD=1 && _flashscope && [[ ${COMPREPLY[*]} == "simulate"* ]]' - "$prefix"

expected='Q read 131072 written 0
K read 1048576 written 0
m read 0 written 4096'  # K once for each of 1024 / 128 blocks of queries
check "another project finds it with find_package()" "$cmake" -G Ninja -S "$here/example" -B example \
  "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Debug
check "the other project builds" "$cmake" --build example
check "the other project counts its own program" cmp <(example/example) <(echo "$expected")
mkdir newer && sed 's/(FlashScope/& 99/' "$here/example/CMakeLists.txt" >newer/CMakeLists.txt && cp "$here/example/main.cpp" newer
check "a project that requires a later version does not find it" not "$cmake" -S newer -B newer/build "-DCMAKE_PREFIX_PATH=$prefix"

if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  check "pkg-config knows the version" says "$("$program" -V | cut -d ' ' -f 2)" pkg-config --modversion flashscope
  # shellcheck disable=SC2046  # words; pkg-config writes a backslash before a blank of the prefix
  check "the example builds by pkg-config" eval "'$compiler' -std=c++20 '$here/example/main.cpp' -o by_pkg_config $(pkg-config --cflags --libs flashscope)"
  check "and counts the same" cmp <(./by_pkg_config) <(echo "$expected")
fi

(cd "$prefix/include/flashscope" && find sim -name '*.h' -printf '#include "%p"\n' | LC_ALL=C sort) >headers.cpp
check "headers are installed" test "$(wc -l <headers.cpp)" -gt 90
check "each header compiles with the installed ones only" "$compiler" -std=c++20 -fsyntax-only "-I$prefix/include/flashscope" headers.cpp
