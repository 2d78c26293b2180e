#!/usr/bin/env bash
# The outputs shown in the README are what the program prints: readme_test.sh README PROGRAM.
# A block begins with the line "$ ./flashscope ..." or stands between <!-- demo --> marks; errors of values, which depend
# on the machine's arithmetic, are left out. With UPDATE=1 the blocks are written anew.
set -euo pipefail
readme=$(readlink -f "$1") program=$(readlink -f "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$program" demo >demo.txt
why='simulate --algorithm flash1 --seqlen 4096 --causal --why tile_traffic.by_tensor.O.read_bytes'
# shellcheck disable=SC2086  # words
"$program" $why >why.txt

# Writes the README with its blocks replaced by what was printed.
awk -v why="\$ ./flashscope $why" '
  function put(file,    line) { while ((getline line < file) > 0) print line; close(file) }
  /^<!-- demo -->/ { print; print "```"; put("demo.txt"); print "```"; skip = "<!-- /demo -->" }
  $0 == why { print; put("why.txt"); skip = "```" }
  skip != "" { if ($0 == skip) { skip = ""; print } ; next }
  { print }
' "$readme" >new.md

if [[ ${UPDATE-} == 1 ]]; then
  cp new.md "$readme"
else
  differs() { grep -vE '^(error of O|Values of one head)' "$1"; }
  diff <(differs "$readme") <(differs new.md)
fi
