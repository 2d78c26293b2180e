#!/usr/bin/env bash
# hardened_test.sh PROGRAM...: reports which of these each program lacks: full RELRO, position independence, stack canaries,
# and checked calls and indices of the libraries. Skipped, with exit code 77, without readelf.
set -euo pipefail
command -v readelf >/dev/null || { echo "skipped: readelf not found: apt-get install binutils" && exit 77; }

failed=0
expect() {  # WHAT TEXT PATTERN
  grep -Eq -- "$3" <<<"$2" && return
  echo "$program: $1"
  failed=1
}

for program; do
  header=$(readelf -W -h "$program") segments=$(readelf -W -l "$program")
  dynamic=$(readelf -W -d "$program") symbols=$(readelf -W --dyn-syms "$program")
  expect "is not position independent (-pie)" "$header" 'Type: +DYN'
  expect "has no read-only relocations (-z relro)" "$segments" 'GNU_RELRO'
  expect "binds functions late (-z now)" "$dynamic" '(BIND_NOW|FLAGS_1.*NOW)'
  expect "has no canaries (-fstack-protector-strong)" "$symbols" '__stack_chk_fail'
  expect "has no checked calls (_FORTIFY_SOURCE)" "$symbols" '_chk(@|$)'
  expect "has no checked indices (_GLIBCXX_ASSERTIONS)" "$symbols" '__glibcxx_assert_fail|_ZSt21__glibcxx_assert'
  if grep -Eq 'GNU_STACK.* RWE' <<<"$segments"; then echo "$program: its stack can be executed" && failed=1; fi
done
exit "$failed"
