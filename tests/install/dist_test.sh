#!/usr/bin/env bash
# dist_test.sh CMAKE BUILD: packs a build, and checks the archive and the .deb: the required glibc and libstdc++, the bundled
# libraries, and that the archive works in a read-only folder and next to another version. Skipped, with exit code 77, if
# the explorer is not built.
set -euo pipefail
cmake=$1 build=$2
source=$(readlink -f "$(dirname "$0")/../..")
"$build/viz/flashscope" screenshot --describe >/dev/null 2>&1 || { echo "skipped: there is no explorer in $build" && exit 77; }
sandbox=$(mktemp -d "$PWD/dist-test-XXXXXX")  # /tmp may be mounted noexec
chmod 755 "$sandbox"
trap 'chmod -R u+w "$sandbox" && rm -rf "$sandbox"' EXIT
failed=0
fail() { echo "FAILED: $*" && failed=1; }
expect() {  # expect SENTENCE COMMAND...
  if "${@:2}" >"$sandbox/out" 2>&1; then echo "ok: $1"; else fail "$1" && tail -n 20 "$sandbox/out"; fi
}
# shellcheck disable=SC2317  # expect calls them
not() { ! "$@"; }
says() { grep -q -e "$1" <<<"$("${@:2}" 2>&1)"; }

"$cmake" --build "$build" --target dist
archive=$(echo "$build"/dist/flashscope-*-linux-*.tar.xz) package=$(echo "$build"/dist/flashscope_*.deb)
cd "$sandbox"
tar -xf "$archive"
mkdir gzip && tar -xzf "${archive%.xz}.gz" -C gzip
expect "the archive for systems without xz has the same files" diff -r --no-dereference "$(basename "$archive" .tar.xz)" gzip/*
rm -r gzip
top=$(basename "$archive" .tar.xz)
[[ -x $top/flashscope ]] || { fail "$archive has no folder $top" && exit 1; }
expect "its version is that of the build" cmp <("$top/flashscope" -V) <("$build/viz/flashscope" -V)

# newest PREFIX FILE...: the latest symbol version "PREFIX_1.2.3" that the files need.
newest() { readelf -W --version-info "${@:2}" 2>/dev/null | grep -oE "Name: $1_[0-9.]+" | sed "s/.*_//" | sort -uV | tail -n 1; }
at_most() { printf '%s\n%s\n' "$1" "$2" | sort -CV; }
mapfile -t programs < <(find "$top" -type f -path '*/bin/*')
mapfile -t elf < <(find "$top" -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' - {} \; -print)
((${#elf[@]} > ${#programs[@]})) || fail "there are no libraries"
here=$(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)
if at_most "$here" 2.36; then
  glibc=$(newest GLIBC "${elf[@]}") libstdcxx=$(newest GLIBCXX "${elf[@]}")
  expect "it runs on the glibc of Debian 12 (needs $glibc)" at_most "$glibc" 2.36
  expect "it runs on the libstdc++ of Debian 12 (needs $libstdcxx)" at_most "$libstdcxx" 3.4.30
else
  echo "not held: the glibc of Debian 12, since this is built on $here"
fi

for name in $(cd "$top/lib" && ls -- *.so*); do
  expect "$name is not a library that a host must have itself" not says '^lib\(c\|m\|stdc++\|gcc_s\|X[A-Za-z0-9]*\|xcb\|z\|GL[A-Za-z]*\|EGL\)[.]so' echo "$name"
done
for program in "${programs[@]}"; do
  expect "${program##*/} looks into lib/, the host and lib/if-missing/, in this order" \
    says 'RPATH.*\[$ORIGIN/../lib:/usr/lib/[^:]*:.*:$ORIGIN/../lib/if-missing\]' readelf -W -d "$program"
done
for terms in FlashScope fonts-inter libimgui-dev libglfw3 libx11-6; do
  expect "the archive has the terms of $terms" grep -qx "$terms" "$top/licences.txt"
done
expect "and all of them are complete" not grep -q 'terms were not found' "$top/licences.txt"

page=$source/build/flashscope.html  # made by ./flashscope build page
if [[ -e $page ]]; then
  expect "the page is on top, for a double click" cmp "$page" "$top/flashscope.html"
  expect "serve has its manual" test -s "$top/share/flashscope/manual/docs/index.html"
  expect "the page is there once" test "$(find "$top" -type f -size +2M -path '*/share/*' | wc -l)" = 1
fi

# Another version next to it: each uses its own programs.
cp -r "$top" other
printf '#!/bin/sh\necho other\n' >other/bin/flashscope-kernels
expect "a version runs its own programs" says 'rows agree' env PATH="$PWD/other/bin:$PATH" "$top/flashscope" verify --seqlen 64
expect "another version runs its own programs" says '^other$' env PATH="$PWD/$top/bin:$PATH" other/flashscope verify --seqlen 64

# In a read-only folder.
nobody=()
[[ $(id -u) != 0 ]] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
chmod -R a-w "$top"
in_top() { (cd "$top" && "${nobody[@]}" "$@"); }
if in_top true 2>/dev/null; then
  expect "commands without output files run in a read-only folder" in_top ./flashscope simulate --seqlen 64
  expect "lessons run there" in_top env HOME=/nonexistent ./flashscope lesson 01 --step 1
  expect "what writes says that it cannot" says 'flashscope-demo' in_top ./flashscope demo
  expect "with one line" test "$(in_top ./flashscope demo 2>&1 >/dev/null | wc -l)" = 1
fi

if [[ -e $package ]]; then
  files=$(dpkg-deb -c "$package" | awk '{ print $6 }')
  for file in bin/flashscope-explorer share/man/man1/flashscope.1.gz share/man/man1/flashscope-explorer.1.gz share/applications/flashscope.desktop \
    share/icons/hicolor/scalable/apps/flashscope.svg share/bash-completion/completions/flashscope share/doc/flashscope/copyright; do
    expect "the .deb has usr/$file" says "^./usr/$file\$" echo "$files"
  done
  terms_in_deb() { dpkg-deb --fsys-tarfile "$package" | tar -xOf - ./usr/share/doc/flashscope/copyright; }
  for terms in FlashScope fonts-inter libimgui-dev libeigen3-dev; do
    expect "the .deb has the terms of $terms" says "^$terms\$" terms_in_deb
  done
  expect "and all of them are complete" not says 'terms were not found' terms_in_deb
  if command -v lintian >/dev/null; then expect "lintian finds no error in the .deb" lintian --allow-root --fail-on error "$package"; fi
  expect "the .deb brings no libraries" not says '/lib/\|[.]so' echo "$files"
  expect "the .deb depends on the packages of its libraries" says 'libglfw3.*libstdc++6' dpkg-deb -f "$package" Depends
fi
exit "$failed"
