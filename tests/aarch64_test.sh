#!/usr/bin/env bash
# aarch64_test.sh SOURCE: builds the kernels for another processor and runs their tests under qemu: fibers, the hooks of
# the trace and the values must not depend on x86. Exit code 77: the packages for it are missing.
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
qemu-aarch64-static -L /usr/aarch64-linux-gnu build/aarch64/tests/kernel_tests '~[slow]'
