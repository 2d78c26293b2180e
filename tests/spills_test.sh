#!/usr/bin/env bash
# spills_test.sh FOLDER: reads the reports of ptxas that the build left below FOLDER, one for each object, and prints the
# frames that kernels have in local memory. Fails if a tensor-core kernel spills registers, or has wgmma that ptxas serialises or
# waits and fences that it injects, if a kernel has an unknown frame or a known one is missing, or if no report is of a
# tensor-core kernel.
set -euo pipefail
folder=$1
mapfile -t reports < <(find "$folder" -name '*.ptxas' | sort)
if ! grep -q mma <<<"${reports[*]##*/}"; then
  echo "no report of a tensor-core kernel below $folder"
  exit 1
fi
awk '
BEGIN {  # bytes by kernel: dK and dV of the plain backward passes (sums_bytes of kernels/tile/accumulator.h)
  known["flash1_backward_kernel"] = known["flash2_backward_kernel"] = known["flash2_backward_ragged_kernel"] = 1040
  beside = 8  # bytes at most that ptxas keeps next to them, or alone; in kernels of ragged batches 32
}
function short(mangled, at) {  # without the namespace, whose name ends with that of the file and a hash of 8 digits
  if ((at = index(mangled, "_cu_")) > 0) mangled = substr(mangled, at + 12)
  return match(mangled, /[a-z][a-z0-9_]*_kernel/) ? substr(mangled, RSTART, RLENGTH) : mangled
}
/Compiling entry function/ {
  split($0, part, "\x27"); mangled = part[2]; architecture = part[4]; kernel = short(mangled)
  on_tensor_cores = FILENAME ~ /mma[^\/]*$/; kernels += on_tensor_cores
}
/bytes stack frame/ && $1 > 0 {
  frame = kernel ", " $1 " bytes for " architecture; frames[frame]++; seen[kernel]
  if ($1 < known[kernel] || $1 > known[kernel] + (kernel ~ /_ragged_/ ? 32 : beside)) unknown[frame]
}
/\(C75[01][0-9]\)/ { print "wgmma: " $0; wrong++ }
on_tensor_cores && /bytes spill stores/ && !/ 0 bytes spill stores, 0 bytes spill loads/ {
  print "spills: " mangled " for " architecture ":" $0; spills++
}
on_tensor_cores && /Used [0-9]+ registers/ {
  for (n = 1; n < NF; n++) if ($n == "Used" && $(n + 1) + 0 > most) most = $(n + 1) + 0
}
END {
  for (frame in frames) {
    wrong += frame in unknown
    print "frame: " frame ", kernels: " frames[frame] (frame in unknown ? ", not known" : "") | "sort"
  }
  close("sort")
  for (kernel in known) if (!(kernel in seen)) { wrong++; print "no frame: " kernel " has none of " known[kernel] " bytes" }
  print kernels + 0 " tensor-core kernels, at most " most + 0 " registers a thread, " spills + 0 " of them spill"
  exit spills > 0 || kernels == 0 || wrong > 0
}' "${reports[@]}"
