#!/usr/bin/env bash
# roots_test.sh SUITE DIST: a user without root unpacks the archive of DIST on a bare Debian SUITE (bookworm, trixie; see
# tests/support/roots.sh) and runs the demo (at most ten seconds intended), a picture without a display and, on a desktop,
# the window, and installs the .deb. Prints the time of each.
set -euo pipefail
suite=$1 dist=$2
tests=$(readlink -f "$(dirname "$0")/..")
# shellcheck source=tests/support/roots.sh
source "$tests/support/roots.sh"
archive=$(find "$dist" -maxdepth 1 -name 'flashscope-*-linux-*.tar.xz' 2>/dev/null | sort | tail -n 1)
[[ -n $archive ]] || skip "there is no archive in $dist: cmake --build --preset release --target dist"
make_root "$suite"
home=/tmp/nobody
in_root mkdir "$home"
in_root chown nobody "$home"
top=$home/$(basename "$archive" .tar.xz)
as_nobody() { in_root runuser -u nobody -- "$@"; }
typed() { as_nobody sh -c 'cd "$0" && "$@"' "$home" "$@"; }  # in the user's folder
now() { date +%s%N; }
took() { printf '%s: %s in %d.%02d s\n' "$suite" "$1" $((($(now) - $2) / 1000000000)) $((($(now) - $2) / 10000000 % 100)); }
fail() { echo "FAILED on $suite: $*" && exit 1; }

start=$(now)
xz -dc "$archive" | as_nobody tar -x -C "$home" -f -  # a bare root has no xz
took "unpacked $(du -sm "$root$top" | cut -f 1) MB of $(($(stat -c %s "$archive") / 1000000)) MB" "$start"
typed "$top/flashscope" demo >"$root/tmp/demo" 2>&1 || { cat "$root/tmp/demo" && fail "demo"; }
took "unpacked and demo" "$start"
(($(now) - start < 10000000000)) || echo "$suite: that is longer than ten seconds: is this machine busy?"
grep -q 'tile traffic' "$root/tmp/demo" || fail "the demo printed no table"

drawing=$(now)
typed "$top/flashscope" screenshot picture.png --link 'seqlen=512' >"$root/tmp/log" 2>&1 || { cat "$root/tmp/log" && fail "screenshot"; }
took screenshot "$drawing"
"$dist/../viz/flashscope" screenshot "$root/tmp/expected.png" --link 'seqlen=512' >/dev/null
cmp "$root/tmp/expected.png" "$root$home/picture.png" || fail "the picture is not the one drawn here"
status=0
typed "$top/flashscope" explore >"$root/tmp/log" 2>&1 || status=$?
((status == 3)) || { cat "$root/tmp/log" && fail "a window without a display ended with $status"; }
typed "$top/flashscope" verify --seqlen 64 | grep 'rows agree' >/dev/null || fail "verify"

# With a desktop: from here on X11 and GL of the host are used.
apt_in_root xvfb xauth libgl1 libgl1-mesa-dri
opening=$(now)
# shellcheck disable=SC2016  # for the shell there
typed xvfb-run --auto-servernum --server-args "-screen 0 1600x1000x24 -noreset" "$top/flashscope" explore --link 'seqlen=512&loop=1' \
  --frames 40 --play >"$root/tmp/log" 2>&1 || { cat "$root/tmp/log" && fail "the window"; }
grep -q '40 rounds, 40 drawn' "$root/tmp/log" || { cat "$root/tmp/log" && fail "the window did not draw"; }
took "a window of 40 frames" "$opening"
x11=$(typed env LD_TRACE_LOADED_OBJECTS=1 "$top/bin/flashscope-explorer" | awk '/libX11/ { print $3 }')
[[ $x11 == /usr/lib/* || $x11 == /lib/* ]] || fail "X11 is $x11, not that of the host"

package=$(find "$dist" -maxdepth 1 -name 'flashscope_*.deb' | sort | tail -n 1)
if [[ -n $package ]]; then
  cp "$package" "$root/tmp"
  installing=$(now)
  apt_in_root "/tmp/${package##*/}"
  took "the .deb installed" "$installing"
  typed flashscope screenshot installed.png --link 'seqlen=512' >/dev/null
  cmp "$root/tmp/expected.png" "$root$home/installed.png" || fail "the .deb draws another picture"
fi
echo "$suite: all of it works as nobody"
