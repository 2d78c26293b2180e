#!/usr/bin/env bash
# gpu_test.sh FLASHSCOPE: the kernels against their programs on this machine's GPU, and samples of a larger run. Exit
# code 77 without a GPU.
set -euo pipefail
flashscope=$1

"$flashscope" verify --device cuda --scenarios default || {
  code=$?
  ((code != 3)) && exit "$code"
  echo "skipped: no GPU"
  exit 77
}
for pass in forward backward; do
  for d in 64 128; do
    "$flashscope" bench --heads 4 --seqlen 4001 --head-dim "$d" --causal --pass "$pass" --seconds 0.02
  done
done
