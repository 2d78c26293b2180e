#!/usr/bin/env bash
# aarch64_test.sh SOURCE: builds the kernels for another processor and runs their tests under qemu: fibers, the hooks of
# the trace and the values must not depend on x86. Exit code 77: packages are missing.
set -euo pipefail
cd "$1"
packages='g++-aarch64-linux-gnu qemu-user-static libboost-context-dev:arm64'
for needed in aarch64-linux-gnu-g++ qemu-aarch64-static; do
  command -v "$needed" >/dev/null ||
    { echo "skipped: no $needed (dpkg --add-architecture arm64 && apt-get update && apt-get install $packages)" && exit 77; }
done
compgen -G '/usr/lib/aarch64-linux-gnu/cmake/boost_context-*' >/dev/null ||
  { echo "skipped: no Boost.Context for arm64 (dpkg --add-architecture arm64 && apt-get update && apt-get install $packages)" &&
    exit 77; }
cmake --preset aarch64
cmake --build build/aarch64 --target kernel_tests

# Some versions of qemu hang when a program starts a thread. There the tests of several workers are left out, and the
# others see a machine with one core: qemu searches system files below this root first.
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
ln -s /usr/aarch64-linux-gnu/* "$root"
tests=(build/aarch64/tests/kernel_tests '~[slow]')
if ! timeout 60 qemu-aarch64-static -L "$root" build/aarch64/tests/kernel_tests 'atomics of several workers*' >/dev/null; then
  echo "note: this qemu cannot run threads: one worker only"
  mkdir -p "$root/sys/devices/system/cpu"
  echo 0 >"$root/sys/devices/system/cpu/online"
  tests[1]='~[slow]~[workers]'
fi
qemu-aarch64-static -L "$root" "${tests[@]}"
