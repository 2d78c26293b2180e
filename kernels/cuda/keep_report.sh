#!/usr/bin/env bash
# keep_report.sh COMPILER ARGUMENT...: runs the compiler and stores ptxas's report of registers and spills next to the
# object file, as OBJECT.ptxas, for the test of spills. Passes all other output of the compiler on.
set -uo pipefail
object=
for ((n = 1; n < $#; n++)); do
  if [[ ${!n} == -o ]]; then
    next=$((n + 1))
    object=${!next}
  fi
done
report=${object:-/tmp/nvcc.$$}.ptxas
"$@" 2>"$report"
status=$?
grep -vE '^ptxas info|bytes stack frame' "$report" >&2
exit "$status"
