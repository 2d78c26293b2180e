#!/usr/bin/env bash
# run.sh NAME FOLDER LONGEST: runs FOLDER/NAME_fuzz for FUZZ_SECONDS (3600 unless set) on inputs of up to LONGEST bytes.
# It starts from the seeds and from the corpus that earlier runs left in FOLDER/corpus/NAME. An input that fails is kept
# as FOLDER/failed-NAME-*; `NAME_fuzz FILE` runs it again.
set -euo pipefail
name=$1 folder=$2 longest=$3
source=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
seconds=${FUZZ_SECONDS:-3600}
[[ $seconds =~ ^[1-9][0-9]{0,5}$ ]] || { echo "FUZZ_SECONDS is \"$seconds\", allowed are 1 to 999999" >&2 && exit 2; }

seeds="$folder/seeds/$name" corpus="$folder/corpus/$name"
mkdir -p "$seeds" "$corpus"
"$folder/fuzz_seeds" "$name" "$seeds"
options=(-max_total_time="$seconds" -max_len="$longest" -rss_limit_mb=1024 -timeout=10 -print_final_stats=1
  -print_funcs=0)
[[ ! -f $source/$name.dict ]] || options+=(-dict="$source/$name.dict")

"$folder/${name}_fuzz" "${options[@]}" -artifact_prefix="$folder/failed-$name-" "$corpus" "$seeds" 2>&1 |
  grep --line-buffered -v -E '^#[0-9]+[[:space:]]+(NEW|REDUCE) '  # omits a line per find
