#!/usr/bin/env bash
# valgrind_test.sh PROGRAM: runs every command of PROGRAM, a flashscope built without sanitizers, under Valgrind's
# memcheck: an invalid access, a branch on an uninitialised value, or a leak fails. Writes to a separate folder.
set -euo pipefail
program=$(readlink -f "$1")
sandbox=$(mktemp -d)
trap 'rm -rf "$sandbox"' EXIT
cd "$sandbox"
tiny=(--batch 1 --heads 2 --kv-heads 1 --seqlen 40 --head-dim 16 --causal)

# check EXIT_CODE ARGUMENT...: 99 is memcheck's own.
check() {
  local expected=$1 status=0
  shift
  valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect,possible \
    --errors-for-leak-kinds=definite,indirect,possible --error-exitcode=99 --trace-children=yes \
    "$program" "$@" >out 2>err || status=$?
  if [[ $status != "$expected" ]]; then
    echo "FAILED: flashscope $* (exit code $status, not $expected)" && cat out err && exit 1
  fi
  echo "ok: flashscope $*"
}

check 0 demo "${tiny[@]}" --numerics on --output-dir demo
mapfile -t algorithms < <("$program" algorithms --format json | sed -n 's/^ *"name": "\([a-z0-9-]*\)".*/\1/p')
[[ ${#algorithms[@]} -ge 4 ]] || { echo "FAILED: the names of the algorithms are ${algorithms[*]}" && exit 1; }
for algorithm in "${algorithms[@]}"; do
  check 0 simulate "${tiny[@]}" --algorithm "$algorithm" --numerics on --output-dir "of $algorithm" \
    --pass forward+backward --dropout 0.1 --trace "$algorithm.pftrace"
  check 0 simulate "${tiny[@]}" --algorithm "$algorithm" --input-q "of $algorithm/O.npy" --format json
done
check 0 compare "${tiny[@]}" --window 9 --padding 3
check 0 simulate --why tile_traffic.total.read_bytes --dtype fp32 --format csv
check 0 devices
check 0 validate --points
check 0 algorithms --algorithm flash2
check 0 counters
check 2 simulate --gpu no-such-gpu
check 2 simulate --input-q out
check 2 simulate --seqlen 9223372036854775807 --output gone/O.npy
