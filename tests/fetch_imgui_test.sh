#!/usr/bin/env bash
# fetch_imgui_test.sh SCRIPT: cmake/fetch_imgui.sh queries only apt's configured sources, in either of their formats. A
# stand-in for apt-get records the sources it was given. Skipped, with exit code 77, if there is no apt.
set -euo pipefail
script=$(readlink -f "$1")
command -v apt-config >/dev/null || { echo "skipped: there is no apt" && exit 77; }
command -v dpkg-source >/dev/null || { echo "skipped: no dpkg-source: apt-get install dpkg-dev" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/parts" "$work/bin"
printf 'Dir::Etc::sourcelist "%s/none";\nDir::Etc::sourceparts "%s/parts";\n' "$work" "$work" >"$work/apt.conf"
export APT_CONFIG=$work/apt.conf PATH=$work/bin:$PATH
printf '#!/bin/sh\ncat parts/* >%s/given 2>/dev/null\nexit 100\n' "$work" >"$work/bin/apt-get"
chmod +x "$work/bin/apt-get"

expect() { # expect MESSAGE: the script fails with code 3 and this message as its last line.
  local code=0
  "$script" "$work/folder" >"$work/out" 2>"$work/err" || code=$?
  [[ $code == 3 && ! -s $work/out && $(tail -n 1 "$work/err") == "fetch_imgui: $1"* ]] ||
    { echo "FAILED: code $code, not \"$1\":" && cat "$work/err" && exit 1; }
}

expect "apt has no sources"
printf 'deb [signed-by=/k.gpg] http://one.example/debian trixie main\n' >"$work/parts/one.list"
printf 'Types: deb\nURIs: http://two.example/debian\nSuites: trixie\nComponents: main\n' >"$work/parts/two.sources"
expect "apt has no source package imgui"
printf 'deb-src [signed-by=/k.gpg] http://one.example/debian trixie main\n' >"$work/expected"
printf 'Types: deb-src\nURIs: http://two.example/debian\nSuites: trixie\nComponents: main\n' >>"$work/expected"
diff "$work/expected" "$work/given"
echo "ok: apt's sources alone, in both formats"
