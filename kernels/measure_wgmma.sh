#!/usr/bin/env bash
# measure_wgmma.sh FLASHSCOPE FOLDER [DEVICE]: what flash3_wgmma, never run on a GPU, must show on its first one: values of
# every tile, type and mask with short and long rows, then its times, into FOLDER/wgmma-bench.txt. DEVICE is cuda, or emulated
# to try the script. Stops at the first scenario that fails. Its time on a GPU is not known yet.
set -euo pipefail
flashscope=$1 folder=$2 device=${3:-cuda}
mkdir -p "$folder"
lengths=(1 127 193 1000 4096) times=(1024 4096 8192 16384)
[[ $device == cuda ]] || lengths=(1 200) times=(200)
masks=("" --causal) tiles=("--head-dim 64 --bc 128" "--head-dim 128 --bc 128" "--head-dim 128 --bc 176")
hopper=(--algorithm flash3 --kernel flash3_wgmma --gpu h100-sxm --device "$device")

for tile in "${tiles[@]}"; do
  for mask in "${masks[@]}"; do
    for type in fp16 bf16; do
      for n in "${lengths[@]}"; do
        # shellcheck disable=SC2086  # words of options
        if ! "$flashscope" verify "${hopper[@]}" $tile $mask --dtype "$type" --batch 2 --heads 4 --kv-heads 2 --seqlen "$n" \
          >"$folder/wgmma-verify.txt"; then
          cat "$folder/wgmma-verify.txt"
          echo "FAILED: $tile $mask $type N $n"
          exit 1
        fi
      done
      echo "ok: $tile $mask $type"
    done
  done
done
for n in "${times[@]}"; do
  for tile in "${tiles[@]}"; do
    for mask in "${masks[@]}"; do
      batch=$((16384 / n))
      [[ $device == cuda ]] || batch=1
      # shellcheck disable=SC2086
      "$flashscope" bench "${hopper[@]}" $tile $mask --batch "$batch" --heads "$([[ $device == cuda ]] && echo 16 || echo 1)" \
        --seqlen "$n" | tee -a "$folder/wgmma-bench.txt" | grep flash3_wgmma
    done
  done
done
