#!/usr/bin/env bash
# bundle_test.sh ROOT BUILD READ_RECORDING: packs the built programs, unpacks the archive into a root with glibc,
# libstdc++, a shell and standard tools, but no package of this project, and measures there on the emulated device with an
# empty environment. Exit code 77: no user namespaces here.
set -euo pipefail
root=$1 build=$2 programs=$2/viz reader=$(readlink -f "$3")
sandbox=$(mktemp -d "$PWD/bundle-test-XXXXXX")
trap 'rm -rf "$sandbox"' EXIT
unshare --map-root-user --mount true 2>/dev/null || { echo "skipped: no namespaces of users can be made here" && exit 77; }
check() {  # check SENTENCE COMMAND...
  "${@:2}" || { echo "FAILED: $1" && exit 1; }
  echo "ok: $1"
}
no() { ! "$@"; }

"$root/cmake/pack.sh" gpu "$build" "$sandbox/flashscope-1.tar.gz"
check "the archive takes at most 40 MB" test "$(stat -c %s "$sandbox/flashscope-1.tar.gz")" -lt 40000000
check "packing fails without the programs" no "$root/cmake/pack.sh" gpu "$sandbox" "$sandbox/none.tar.gz"
check "a failed packing leaves no archive" test ! -e "$sandbox/none.tar.gz"

bare=$sandbox/bare
mkdir -p "$bare"/{tmp,home,dev,proc}
touch "$bare/dev/null"
tar -C "$bare/home" -xzf "$sandbox/flashscope-1.tar.gz"
install_program() {  # with its libraries
  local path=$1 library
  mkdir -p "$bare$(dirname "$path")"
  cp -L "$path" "$bare$path"
  for library in $(ldd "$path" | grep -o '/[^ ]*'); do
    mkdir -p "$bare$(dirname "$library")"
    [[ -e $bare$library ]] || cp -L "$library" "$bare$library"
  done
}
for tool in bash env basename cat cut date dirname grep gzip head mkdir mktemp mv nproc readlink realpath rm sed sleep \
  sort tail tar tee timeout tr uname; do
  install_program "$(readlink -f "$(command -v "$tool")" | sed "s|[^/]*$|$tool|")"
done
ln -sf bash "$bare$(dirname "$(readlink -f "$(command -v bash)")")/sh"
for library in $(ldd "$programs/flashscope-kernels" | grep -oE '/[^ ]*(libstdc|libgcc_s|libm\.)[^ ]*'); do
  mkdir -p "$bare$(dirname "$library")" && cp -L "$library" "$bare$library"
done
ln -sfn usr/bin "$bare/bin" 2>/dev/null || true
check "the root has nothing of this project" no compgen -G "$bare/usr/lib/*/libfmt*"

said=$sandbox/said
status=0
# shellcheck disable=SC2016  # the inner shell expands
unshare --map-root-user --mount --fork bash -c '
  mount --bind /dev/null "$1/dev/null" && mount --rbind /proc "$1/proc" &&
  exec chroot "$1" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/home bash -c \
    "cd / && home/flashscope-1/kernels/measure.sh --emulated --minutes 600 --output /home/out"' - "$bare" >"$said" 2>&1 || status=$?
check "measure.sh runs in the bare root (exit code $status)" test "$status" = 0 || { cat "$said" && exit 1; }
for step in correctness bench families teaching ladder tiles pages; do
  check "$step is done" grep -Eq "^$step +[0-9]+ s  done$" "$bare/home/out/summary.txt"
done
check "nothing is built there" grep -q 'build .* skipped: FLASHSCOPE is /home/flashscope-1/bin/flashscope$' "$bare/home/out/summary.txt"
check "its recordings can be read" "$reader" "$bare"/home/out/emulated-*-{bench,families,teaching,ladder,tiles,pages,counters}.csv
check "one archive contains all results" tar -tzf "$bare"/home/out/emulated-*.tar.gz summary.txt log/bench.txt >/dev/null
