#!/usr/bin/env bash
# keep_report.sh COMPILER ARGUMENT...: runs the compiler and keeps what ptxas says of registers and spills beside the
# object file, as OBJECT.ptxas, for the test of spills. All else that the compiler says comes through.
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
