#!/usr/bin/env bash
# spills_test.sh FOLDER: reads the reports of ptxas that the build left below FOLDER. Fails when a tensor-core kernel
# spills registers, or when there is no report of one.
set -euo pipefail
folder=$1
mapfile -t reports < <(find "$folder" -name '*mma*.ptxas' | sort)
if ((${#reports[@]} == 0)); then
  echo "no report of a tensor-core kernel below $folder"
  exit 1
fi
awk '
/Compiling entry function/ { split($0, part, "\x27"); kernel = part[2]; architecture = part[4]; kernels++ }
/bytes spill stores/ && !/ 0 bytes spill stores, 0 bytes spill loads/ { print "spills: " kernel " for " architecture ":" $0; spills++ }
/Used [0-9]+ registers/ { for (n = 1; n < NF; n++) if ($n == "Used" && $(n + 1) + 0 > most) most = $(n + 1) + 0 }
END {
  print kernels + 0 " kernels, at most " most + 0 " registers a thread, " spills + 0 " of them spill"
  exit spills > 0 || kernels == 0
}' "${reports[@]}"
