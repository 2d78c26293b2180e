#!/usr/bin/env bash
# fetch_imgui.sh FOLDER: puts the source of Dear ImGui 1.86, as Debian keeps it, into FOLDER/imgui. The build for the
# browser compiles it: the packaged library is for this machine's processor. apt reads a list of its own below FOLDER,
# with the mirror, keys and proxy that are set up here; the lists of this machine stay as they are.
set -euo pipefail
folder=$(mkdir -p "$1" && readlink -f "$1")
version=1.86+ds-1
[[ ! -e $folder/imgui/imgui.cpp ]] || exit 0
command -v apt-get >/dev/null || { echo "fetch_imgui: there is no apt-get here: put the source of Dear ImGui 1.86 into $folder/imgui" >&2 && exit 3; }
command -v dpkg-source >/dev/null || { echo "fetch_imgui: dpkg-source is missing: apt-get install dpkg-dev" >&2 && exit 3; }

private=$folder/apt
mkdir -p "$private/lists/partial" "$private/cache/archives/partial"
# shellcheck disable=SC2016  # apt fills these in
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' 2>/dev/null | head -n 1)
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} bookworm main" \
  >"$private/sources.list"
apt=(apt-get -q -o Dir::Etc::SourceList="$private/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$private/lists"
  -o Dir::Cache="$private/cache" -o APT::Sandbox::User=root)

cd "$private"
"${apt[@]}" update >&2
"${apt[@]}" source --download-only "imgui=$version" >&2
rm -rf "$folder/imgui"
dpkg-source --extract "imgui_${version}.dsc" imgui >&2
mv imgui "$folder/imgui"
