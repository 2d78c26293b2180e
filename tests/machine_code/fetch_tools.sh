#!/usr/bin/env bash
# fetch_tools.sh FOLDER: puts cuobjdump and nvdisasm, which can read the output of nvcc 13.0, into FOLDER, which must be
# the folder `disassembler` of a build, for its test machine_code. They come from Debian 13's package nvidia-cuda-toolkit
# (non-free, NVIDIA's licence; 87 MB, of which 51 are kept), also on Debian 12, whose own version (11.8) is too old. apt
# queries the configured mirrors into lists of its own below FOLDER: nothing is installed. Exit code 3, with one line on
# stderr: there is no apt, or no Debian mirror has the package.
set -euo pipefail
folder=$(mkdir -p "$1" && readlink -f "$1")
[[ ! -x $folder/nvdisasm || ! -x $folder/cuobjdump ]] || exit 0
keys=/usr/share/keyrings/debian-archive-keyring.gpg
package=nvidia-cuda-toolkit suite=trixie
fail() {
  echo "fetch_tools: $1; or put cuobjdump and nvdisasm of CUDA 12.4 or later into $folder" >&2
  exit 3
}
command -v apt-get >/dev/null || fail "there is no apt-get here"
[[ -r $keys ]] || fail "there is no $keys: apt-get install debian-archive-keyring"

private=$folder/apt
trap 'rm -rf "$private"' EXIT
rm -rf "$private"
mkdir -p "$private/lists/partial" "$private/cache/archives/partial"
apt-get indextargets --format "deb [signed-by=$keys] \$(REPO_URI) $suite non-free" \
  'Identifier: Packages' 'Component: main' | grep -v security | sort -u >"$private/sources.list"
[[ -s $private/sources.list ]] || fail "apt has no mirror set up"
apt=(apt-get -q -o Dir::Etc::SourceList="$private/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o Dir::State::Lists="$private/lists" -o Dir::Cache="$private/cache" -o APT::Sandbox::User=root)

cd "$private"
"${apt[@]}" update >&2 || true  # one of the configured mirrors is enough
"${apt[@]}" download "$package" >&2 || fail "no mirror that apt knows has Debian 13's $package"
dpkg-deb --extract "$package"_*.deb . >&2
mv usr/bin/cuobjdump usr/bin/nvdisasm "$folder"
