#!/usr/bin/env bash
# fetch_imgui.sh FOLDER: puts the source of Dear ImGui, the version that apt offers, into FOLDER/imgui. The build for the
# browser compiles it: the packaged library is for this machine's processor. apt uses the repositories configured on this
# machine, with their keys, mirrors and proxies, as deb-src entries in lists of its own below FOLDER: the machine's own
# lists do not change. Prints the download size on stderr; apt's output goes to FOLDER/fetch.log. Exit code 3, with one
# line on stderr: there is no apt, or it has no such source package.
set -euo pipefail
folder=$(mkdir -p "$1" && readlink -f "$1")
[[ ! -e $folder/imgui/imgui.cpp ]] || exit 0
fail() {
  echo "fetch_imgui: $1; or put the source of Dear ImGui into $folder/imgui" >&2
  exit 3
}
command -v apt-get >/dev/null || fail "there is no apt-get here"
command -v dpkg-source >/dev/null || fail "dpkg-source is missing: apt-get install dpkg-dev"

private=$folder/apt log=$folder/fetch.log
rm -rf "$private"
mkdir -p "$private/parts" "$private/lists/partial" "$private/cache/archives/partial"
# apt has two formats: lines "deb ..." in *.list, and "Types: deb" in *.sources.
eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
for file in "${list:-}" "${parts:-}"/*.list "${parts:-}"/*.sources; do
  [[ ! -s $file ]] || sed -e 's/^deb[[:space:]]/deb-src /' -e 's/^\(Types:\).*/\1 deb-src/' "$file" >"$private/parts/${file##*/}"
done
compgen -G "$private/parts/*" >/dev/null || fail "apt has no sources: none is in ${list:-} and ${parts:-}"
apt=(apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$private/parts"
  -o Dir::State::Lists="$private/lists" -o Dir::Cache="$private/cache" -o APT::Sandbox::User=root)

cd "$private"
"${apt[@]}" update >"$log" 2>&1 || true  # one of the configured repositories is enough
# Prints lines "'URL' FILE BYTES HASH".
files=$("${apt[@]}" source --print-uris --download-only imgui 2>>"$log" | grep "^'") ||
  fail "apt has no source package imgui in what ${list:-} and ${parts:-} name"
awk '{ sum += $3 } $2 ~ /dsc$/ { file = $2 } END { printf "flashscope: fetching the source of Dear ImGui (%s), %.1f MB\n", file, sum / 1e6 }' \
  <<<"$files" >&2
"${apt[@]}" source --download-only imgui >>"$log" 2>&1 || fail "the source of Dear ImGui cannot be fetched, see $log"
rm -rf "$folder/imgui"
dpkg-source --extract imgui_*.dsc imgui >>"$log" 2>&1
mv imgui "$folder/imgui"
