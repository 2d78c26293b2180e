#!/usr/bin/env bash
# xvfb_test.sh TESTS PROGRAM: the native window on a display that exists in memory only. TESTS are the cases of
# native_window_test.cpp, PROGRAM is flashscope. Skipped, with exit code 77, where Xvfb is not installed.
set -euo pipefail
tests=$(readlink -f "$1") program=$(readlink -f "$2")
command -v xvfb-run >/dev/null || { echo "skipped: xvfb-run not found: apt-get install xvfb xauth" && exit 77; }

export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0  # graphics drivers leak

on_display() { xvfb-run --auto-servernum --server-args "-screen 0 1600x1000x24" "$@"; }

on_display "$tests" --use-colour no

# "40 rounds, 3 drawn": a window at rest draws what the desktop asks for, and one that plays draws each round.
drawn() { on_display "$program" explore --seqlen 512 --frames 40 "$@" | sed -n 's/^40 rounds, \([0-9]*\) drawn$/\1/p'; }
rest=$(drawn) playing=$(drawn --play)
if ((rest < 1 || rest > 12 || playing != 40)); then
  echo "FAILED: 40 rounds drew $rest at rest and $playing while playing" && exit 1
fi
echo "ok: $rest of 40 rounds drew at rest, $playing while playing"
