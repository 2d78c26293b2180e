#!/usr/bin/env bash
# processors_test.sh libm|rsqrt|rsqrt_in_all_views PROCESSOR UI_TESTS GOLDEN_PICTURE_TESTS: draws the golden pictures as
# another processor would.
#   libm    with a C library that may not use FMA and AVX2: logarithms, sin and the like differ in their last bits
#   rsqrt   on the processor that qemu emulates: another approximate 1/sqrt(x); one view, since qemu is slow, or all
# PROCESSOR is tests/support/processor.cpp: it shows that numbers do differ there. Exit code 77 if they do not, or if there
# is no qemu: this test then shows nothing.
set -euo pipefail
what=${1%_in_all_views} processor=$2 ui_tests=$3 golden_picture_tests=$4
skip() { echo "processors_test: skipped: $1" && exit 77; }

case $what in
libm) other=(env GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-FMA_Usable,-FMA4_Usable,-AVX2_Usable) ;;
rsqrt)
  qemu=$(command -v qemu-x86_64-static || command -v qemu-x86_64) || skip "no qemu-x86_64: apt-get install qemu-user-static"
  other=("$qemu")
  ;;
*) echo "processors_test: libm or rsqrt, not $what" >&2 && exit 2 ;;
esac

word() { grep -o "$what=[0-9a-f]*"; }
here=$("$processor" | word) there=$("${other[@]}" "$processor" | word)
[[ $here != "$there" ]] || skip "both processors give $here"
echo "processors_test: $here here, $there there"
unset FLASHSCOPE_UPDATE_GOLDEN FLASHSCOPE_GOLDEN_VIEW
[[ $1 != rsqrt ]] || export FLASHSCOPE_GOLDEN_VIEW=flash2-dark  # has every panel of the window, and slanted lines
"${other[@]}" "$ui_tests" "*the same bits on every processor"
"${other[@]}" "$golden_picture_tests" "the pictures of fifteen views are golden*"
