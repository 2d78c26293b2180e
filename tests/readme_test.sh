#!/usr/bin/env bash
# The outputs shown in the README are what the program prints: readme_test.sh README PROGRAM.
# In a block that begins with "$ ./flashscope ...", what follows is the output of that command (stdout); the output of
# the demo stands between <!-- demo --> marks. Errors of values, which depend on the machine's arithmetic, are left out.
# The errors between <!-- accuracy --> marks, and the table of errors inside the program, are what `validate --update`
# writes. With UPDATE=1 the blocks are written anew; when the table changes, build again and repeat it.
set -euo pipefail
readme=$(readlink -f "$1") program=$(readlink -f "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

flashscope() { (exec -a ./flashscope "$program" "$@"); }  # as the launcher runs it: hints name what was typed
flashscope demo >demo.txt

# A copy of what `validate --update` writes.
table=sim/model/accuracy_table.csv source=$(dirname "$readme")
mkdir -p sim/model
cp "$source/$table" "$table"
cp "$readme" README.md
flashscope validate --update >validate.txt

# One file per command, by its number.
number=0
while IFS= read -r command; do
  number=$((number + 1))
  eval "flashscope ${command#\$ ./flashscope }" >"$number.txt" 2>/dev/null
done < <(grep -E '^\$ \./flashscope ' README.md)

# Writes the README with its blocks replaced by what was printed.
awk '
  function put(file,    line) { while ((getline line < file) > 0) print line; close(file) }
  /^<!-- demo -->/ { print; print "```"; put("demo.txt"); print "```"; skip = "<!-- /demo -->" }
  /^\$ \.\/flashscope / { print; put(++number ".txt"); skip = "```" }
  skip != "" { if ($0 == skip) { skip = ""; print } ; next }
  { print }
' README.md >new.md

if [[ ${UPDATE-} == 1 ]]; then
  cp new.md "$readme"
  cp "$table" "$source/$table"
else
  differs() { grep -vE '^(error of O|error\.|largest error|Values of)' "$1"; }
  diff <(differs "$readme") <(differs new.md)
  diff "$source/$table" "$table"
fi
