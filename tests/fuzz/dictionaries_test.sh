#!/usr/bin/env bash
# dictionaries_test.sh: every line of every dictionary here is valid for libFuzzer: a word in quotes, in which \\, \"
# and \x0a are the only escapes. A fuzzer whose dictionary has another line ends before its first run.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
entry='^([A-Za-z0-9_]+=)?"([^"\]|\\\\|\\"|\\x[0-9a-fA-F]{2})+"$|^#|^$'
if grep -nvE "$entry" ./*.dict; then
  echo "libFuzzer cannot read these lines: write a line feed as \\x0a" >&2
  exit 1
fi
