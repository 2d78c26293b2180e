#!/usr/bin/env bash
# Compares the outputs in the README, the pages of docs/ and the README of recordings with the program: readme_test.sh README PROGRAM.
# In a block that begins with "$ ./flashscope ...", the stdout of that command follows; the demo's output is between
# <!-- demo --> marks; the block between <!-- accuracy --> marks, docs/accuracy.svg, and the table of errors inside the
# program are written by `validate --update`. On x86-64 every digit is compared. Other processors have other libms: there errors of values may
# differ by a factor of 2. With UPDATE=1 the blocks are rewritten; if the table of errors changes, build again and repeat.
# Everything else that can be checked mechanically is in page_checks.sh.
set -euo pipefail
readme=$(readlink -f "$1") program=$(readlink -f "$2")
tests=$(dirname "$(readlink -f "$0")") source=$(dirname "$readme")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A copy of the pages and of the files that `validate --update` writes. Commands run next to it.
table=sim/model/accuracy_table.csv chart=docs/accuracy.svg
mkdir -p "$folder"/{tree/sim/model,run} "$folder"/{tree,new,equal}/{docs,kernels/measurements}
cp "$source/$table" "$folder/tree/$table"
cp -r "$source/README.md" "$source/docs" "$folder/tree"
cp "$source/kernels/measurements/README.md" "$folder/tree/kernels/measurements"
flashscope() { (exec -a ./flashscope "$program" "$@"); }  # as the launcher runs it: hints use the typed name
(cd "$folder/tree" && flashscope validate --update >validate.txt)
cd "$folder/run"

# printed COMMAND: the output of `$ ./flashscope ...`; each command runs once.
declare -A output=()
printed() {
  if [[ -z ${output[$1]-} ]]; then
    output[$1]=$folder/output-${#output[@]}
    if ! (eval "set -o pipefail; flashscope ${1#\$ ./flashscope }") >"${output[$1]}" 2>"$folder/err"; then
      echo "failed: $1" >&2 && cat "$folder/err" >&2 && exit 1
    fi
  fi
  cat "${output[$1]}"
}

# updated PAGE: prints the page with its blocks replaced by the printed output.
updated() {
  local line skip=
  while IFS= read -r line; do
    if [[ -n $skip ]]; then
      [[ $line != "$skip" ]] || { echo "$line" && skip=; }
      continue
    fi
    echo "$line"
    case $line in
      '<!-- demo -->') echo '```' && printed '$ ./flashscope demo' && echo '```' && skip='<!-- /demo -->' ;;
      '$ ./flashscope '*) printed "$line" && skip='```' ;;
    esac
  done <"$1"
  [[ -z $skip ]] || { echo "failed: the last output of $1 has no end" >&2 && exit 1; }
}

# within_two OLD NEW: the new page, with old lines where only errors of values differ: numbers with an exponent, each at
# most twice the other, or differences of such numbers.
within_two() {
  [[ $(uname -m) != x86_64 ]] || { cat "$2" && return; }
  awk '
    function is_error(word) { return word ~ /^[-+]?[0-9.]+e[-+][0-9]+[,).]*$/ }
    function near(a, b,    x, y) {
      if (a ~ /^[-+0]/ && b ~ /^[-+0]/) return (is_error(a) || a == 0) && (is_error(b) || b == 0)  # a difference
      x = a + 0; y = b + 0
      return is_error(a) && is_error(b) && x <= 2 * y && y <= 2 * x
    }
    function same(old, new,    i, n, a, b) {
      n = split(old, a, " +")
      if (n != split(new, b, " +")) return 0
      for (i = 1; i <= n; i++) if (a[i] != b[i] && !near(a[i], b[i])) return 0
      return 1
    }
    NR == FNR { old[NR] = $0; next }
    /^(error of O|error\.|largest error|Values of one head)/ && same(old[FNR], $0) { print old[FNR]; next }
    { print }
  ' "$1" "$2"
}

failed=0
for path in "$folder"/tree/{README,docs/*,kernels/measurements/README}.md; do
  page=${path#"$folder"/tree/}
  updated "$path" >"$folder/new/$page"
  within_two "$source/$page" "$folder/new/$page" >"$folder/equal/$page"
  if [[ ${UPDATE-} == 1 ]]; then
    cmp -s "$folder/equal/$page" "$source/$page" || cp "$folder/equal/$page" "$source/$page"
  else
    diff --label "$page" --label "$page as the program prints it" -u "$source/$page" "$folder/equal/$page" || failed=1
  fi
done
if [[ ${UPDATE-} == 1 ]]; then
  cp "$folder/tree/$table" "$source/$table" && cp "$folder/tree/$chart" "$source/$chart"
else
  diff "$source/$table" "$folder/tree/$table" || failed=1
  cmp "$source/$chart" "$folder/tree/$chart" || failed=1
fi
"$tests/page_checks.sh" "$source" "$program" || failed=1
exit "$failed"
