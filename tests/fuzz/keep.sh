#!/usr/bin/env bash
# keep.sh NAME [LONGEST]: rewrites corpus/NAME/inputs.txt: from the findings of the fuzzer NAME in build/fuzz and the
# existing lines, the fewest inputs of at most LONGEST bytes (300) that reach the same branches, printed as lines by
# NAME_replay of build/release.
set -euo pipefail
name=$1 longest=${2:-300}
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
fuzz=build/fuzz/tests/fuzz replay=build/release/tests/fuzz/${name}_replay kept=tests/fuzz/corpus/$name
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work"/{all,seeds,fewest} "$kept"
"$fuzz/fuzz_seeds" "$name" "$work/seeds"
if [[ -f $kept/inputs.txt ]]; then "$replay" --files "$kept" "$work/seeds"; fi
for folder in "$fuzz/corpus/$name" "$work/seeds"; do
  [[ ! -d $folder ]] || find "$folder" -type f -size -"$((longest + 1))c" -exec cp -t "$work/all" {} +
done
"$fuzz/${name}_fuzz" -merge=1 -max_len="$longest" "$work/fewest" "$work/all" 2>/dev/null
"$replay" --lines "$work/fewest" >"$work/inputs.txt"
mv "$work/inputs.txt" "$kept/inputs.txt"
wc -lc "$kept/inputs.txt"
