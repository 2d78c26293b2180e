#!/usr/bin/env bash
# xvfb_test.sh TESTS PROGRAM: the native window on a display that exists in memory only. TESTS are the cases of
# native_window_test.cpp, PROGRAM is flashscope. Skipped, with exit code 77, if Xvfb is not installed.
set -euo pipefail
tests=$(readlink -f "$1") program=$(readlink -f "$2")
command -v xvfb-run >/dev/null || { echo "skipped: xvfb-run not found: apt-get install xvfb xauth" && exit 77; }

export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0  # graphics drivers leak

# -noreset: a display that resets when its last window closes would reject the next window meanwhile.
on_display() { xvfb-run --auto-servernum --server-args "-screen 0 1600x1000x24 -noreset" "$@"; }

on_display "$tests"

# drawn ROUNDS OPTION...: prints the 3 of "40 rounds, 3 drawn". A paused window draws only when the desktop requests it,
# which may be late; a playing one draws each round, and in a loop it never stops.
drawn() {
  on_display "$program" explore --link 'seqlen=512&loop=1' --frames "$1" "${@:2}" |
    sed -n "s/^$1 rounds, \\([0-9]*\\) drawn\$/\\1/p"
}
for rounds in 40 400; do
  rest=$(drawn "$rounds")
  ((rest > rounds * 3 / 10)) || break
done
playing=$(drawn 40 --play)
if ((rest < 1 || rest > rounds * 3 / 10 || playing != 40)); then
  echo "FAILED: of $rounds rounds $rest drew at rest, and of 40 $playing while playing" && exit 1
fi
echo "ok: $rest of $rounds rounds drew at rest, $playing of 40 while playing"
