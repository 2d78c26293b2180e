#!/usr/bin/env bash
# cuda_test.sh ROOT: a kernel for GPUs compiles with nvcc and without ccache, as on a user's machine.
set -euo pipefail
root=$(readlink -f "$1")
command -v nvcc >/dev/null || { echo "skipped: there is no nvcc here" && exit 77; }
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
object=kernels/cuda/CMakeFiles/kernels_cuda.dir/__/attention/standard.cu.o

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DFLASHSCOPE_CUDA=ON -DCCACHE=OFF \
  -DFLASHSCOPE_CUDA_ARCHITECTURES=80-real >"$build/log" 2>&1 ||
  { cat "$build/log" && exit 1; }
! grep -q "bin/ccache" "$build/build.ninja" || { echo "FAILED: the build still calls ccache" && exit 1; }
ninja -C "$build" "$object"
[[ -s $build/$object ]] || { echo "FAILED: $object is not there" && exit 1; }
grep -q 'registers' "$build/$object.ptxas" || { echo "FAILED: no report of registers next to $object" && exit 1; }
echo "ok: standard.cu compiled without ccache"
