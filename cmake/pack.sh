#!/usr/bin/env bash
# Packs the built programs into an archive that runs where nothing is installed:
#
#   pack.sh all|gpu BUILD ARCHIVE.tar.xz|ARCHIVE.tar.gz
#
# all: the component runtime of `cmake --install`. gpu: the files that a machine with a GPU needs to measure the kernels:
# flashscope, flashscope-kernels, the scripts and lists of kernels/measure.sh, and sdpa.py. Both archives have the required
# libraries in lib/, except glibc, libstdc++, libgcc and GL: the host's graphics driver may need newer versions of these.
# Libraries that a desktop usually has, X11 and zlib, are in lib/if-missing/ and used only if the host has none.
# The programs find both folders by the DT_RPATH set in viz/CMakeLists.txt.
# An archive runs with the glibc that it was built with, and later versions.
#
# Exit codes: 0 done; 1 a program is missing or something could not be written; 2 wrong usage.
set -euo pipefail
if (($# != 3)) || [[ $1 != all && $1 != gpu ]] || [[ $3 != *.tar.xz && $3 != *.tar.gz ]]; then sed -n "4s/^# *//p" "$0" >&2 && exit 2; fi
kind=$1 build=$2 archive=$(realpath -m "$3")
root=$(readlink -f "$(dirname "$0")/..")
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
top=$stage/$(basename "${archive%.tar.*}")
mkdir -p "$top"/{bin,lib/if-missing} "$(dirname "$archive")"

programs=(flashscope flashscope-kernels) sections=(flashscope flashscope-kernels)  # sections of cmake/packages.txt
[[ $kind == gpu ]] || { programs+=(flashscope-explorer flashscope-serve) && sections+=(fonts flashscope-explorer flashscope-serve); }
for name in "${programs[@]}"; do
  [[ -x $build/viz/$name ]] || { echo "pack.sh: there is no program $build/viz/$name: build it" >&2 && exit 1; }
done
if [[ $kind == all ]]; then
  cmake --install "$build" --prefix "$top" --component runtime >/dev/null
  [[ ! -e $top/share/flashscope/flashscope.html ]] || ln -s share/flashscope/flashscope.html "$top"  # for a double click
  cp "$root/cmake/archive.md" "$top/README.md"
else
  mkdir "$top/kernels"
  cp "$root"/kernels/{measure.sh,sdpa.py} "$top/kernels"
  cp -r "$root"/kernels/{measure,pytorch} "$top/kernels"
  find "$top" -name __pycache__ -prune -exec rm -r {} +
  cp "$root/kernels/measure/README.md" "$top/README.md"
fi
for name in "${programs[@]}"; do
  strip -o "$top/bin/$name" "$build/viz/$name"
done
ln -s bin/flashscope "$top/flashscope"  # so that the commands of the manual work here as well

hosts='^(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|GL|GLX|EGL)[-.])'
if_missing='^lib(X|xcb|bsd|md|z)[A-Za-z0-9]*[-.]'
ldd "${programs[@]/#/$build/viz/}" | awk '/=> \// { print $1, $3 }' | sort -u >"$stage/libraries"
while read -r name path; do
  [[ ! $name =~ $hosts ]] || continue
  if [[ $name =~ $if_missing ]]; then cp -L "$path" "$top/lib/if-missing/$name"; else cp -L "$path" "$top/lib/$name"; fi
  # Collects the names of the packages that the libraries come from, for their licences.
  package=$(dpkg -S "*/$(basename "$(readlink -f "$path")")" 2>/dev/null | head -n 1 | cut -d : -f 1 || true)
  echo "${package:-unknown}"
done <"$stage/libraries" >"$stage/packages"
mapfile -t packages < <(sort -u "$stage/packages")
"$root/cmake/licences.sh" "$top/licences.txt" "${sections[@]}" "${packages[@]}"

compress() { if [[ $archive == *.xz ]]; then xz -9 --threads=1; else gzip -n9; fi; }
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX --mtime=@0 -cf - "$(basename "$top")" | compress >"$stage/new"
mv "$stage/new" "$archive"
echo "$archive: $(($(stat -c %s "$archive") / 1000000)) MB"
