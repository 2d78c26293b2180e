#!/usr/bin/env bash
# Packs what a machine with a GPU needs to measure the kernels, and nothing that it would have to build or install:
#
#   bundle.sh PROGRAMS ARCHIVE.tar.gz
#
# PROGRAMS is the folder with the built programs flashscope and flashscope-kernels. The archive holds them, the libraries
# that they need but glibc and libstdc++, which every machine has, the scripts and lists of kernels/measure.sh, and sdpa.py.
# It runs on the glibc that it was built with and later ones.
#
# Exit codes: 0 done; 1 a program is missing or something could not be written; 2 wrong usage.
set -euo pipefail
if (($# != 2)) || [[ $2 != *.tar.gz ]]; then sed -n "4s/^# *//p" "$0" >&2 && exit 2; fi
programs=$1 archive=$(realpath -m "$2")
root=$(readlink -f "$(dirname "$0")/../..")
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
top=$stage/$(basename "$archive" .tar.gz)
mkdir -p "$top/lib" "$top/kernels" "$(dirname "$archive")"

for name in flashscope flashscope-kernels; do
  [[ -x $programs/$name ]] || { echo "bundle.sh: there is no program $programs/$name: build it" >&2 && exit 1; }
  strip -o "$top/$name" "$programs/$name"
done
everywhere='^(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s))[-.]'
ldd "$top"/flashscope* | awk '/=> \// { print $1, $3 }' | sort -u | while read -r name path; do
  [[ $name =~ $everywhere ]] || cp -L "$path" "$top/lib/$name"
done
cp "$root/LICENSE" "$top"
cp "$root"/kernels/{measure.sh,sdpa.py} "$top/kernels"
cp -r "$root"/kernels/{measure,pytorch} "$top/kernels"
find "$top" -name __pycache__ -prune -exec rm -r {} +
cp "$root/kernels/measure/README.md" "$top/README.md"

tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - "$(basename "$top")" | gzip -n9 >"$stage/new"
mv "$stage/new" "$archive"
echo "$archive: $(($(stat -c %s "$archive") / 1000000)) MB"
