#!/usr/bin/env bash
# Adds to the files of the .deb what only Debian wants: terms, changelog and compressed manual pages.
#
#   debian_files.sh USR VERSION
#
# USR: the folder that becomes /usr.
set -euo pipefail
if (($# != 2)); then sed -n "4s/^# *//p" "$0" >&2 && exit 2; fi
usr=$1 version=$2
root=$(readlink -f "$(dirname "$0")/..")
doc=$usr/share/doc/flashscope
mkdir -p "$doc"

rm -f "$doc/LICENSE"
cat >"$doc/own" <<'END'
Copyright 2026 FlashScope developers

Licensed under the Apache License, Version 2.0. Debian has its text in /usr/share/common-licenses/Apache-2.0.
END
"$root/cmake/licences.sh" "$doc/copyright" "FlashScope=$doc/own" flashscope flashscope-kernels fonts flashscope-explorer flashscope-serve
rm "$doc/own"

date=$(git -C "$root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$root/CHANGELOG.md")
{
  echo "flashscope ($version) unstable; urgency=medium"
  echo
  awk '/^## / { if (++sections > 1) exit; next } sections == 1 && NF { sub(/^- /, "* "); print }' "$root/CHANGELOG.md" |
    fold -s -w 76 | sed "s/^ */  /; s/ *$//"
  echo
  echo " -- FlashScope developers <developers@flashscope.invalid>  $(LC_ALL=C date -u -R -d "@${SOURCE_DATE_EPOCH:-$date}")"
} | gzip -9n >"$doc/changelog.gz"

manual=$usr/share/man/man1
for program in flashscope-kernels flashscope-explorer flashscope-serve; do
  echo ".so man1/flashscope.1" | gzip -9n >"$manual/$program.1.gz"
done
gzip -9nf "$manual/flashscope.1"
rm -rf "$usr/share/zsh/site-functions"  # zsh of Debian reads vendor-completions/
