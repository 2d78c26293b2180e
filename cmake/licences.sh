#!/usr/bin/env bash
# Writes the licences of a product as one text: that of FlashScope, then those of all that the product contains.
#
#   licences.sh FILE SECTION|PACKAGE|NAME=TERMS...
#
# SECTION: a section of packages.txt, for its fonts and for the libraries that are compiled in. PACKAGE: a Debian package,
# whose terms are in /usr/share/doc. NAME=TERMS: something else, and the file of its terms. What has no terms is named on
# stderr, and in the text. FlashScope=TERMS replaces the text of its own licence.
#
# Exit codes: 0 done; 1 the file could not be written; 2 wrong usage.
set -euo pipefail
if (($# < 2)); then sed -n "4s/^# *//p" "$0" >&2 && exit 2; fi
folder=$(dirname "$(readlink -f "$0")")
file=$1 own=$folder/../LICENSE parts=()
for word in "${@:2}"; do
  if [[ $word == FlashScope=* ]]; then own=${word#*=}; else parts+=("$word"); fi
done
# shellcheck source=cmake/packages.sh
source "$folder/packages.sh"

# compiled_in WORD...: prints the packages behind sections and names, sorted.
compiled_in() {
  local word
  for word in "$@"; do
    if grep -q "^\[$word\]" "${package_list:?}"; then
      packages_in "$word" | grep -oE '^(fonts-\S+|\S+-dev)' | grep -vxE '(dpkg|python3)-dev' || true
    else
      echo "$word"
    fi
  done | sort -u
}

# terms_of PACKAGE|NAME=TERMS: prints the terms, or that there are none.
terms_of() {
  local text=/usr/share/doc/$1/copyright
  [[ $1 != *=* ]] || text=${1#*=}
  if [[ -s $text ]]; then
    cat "$text"
  else
    echo "licences.sh: the terms of ${1%%=*} are not in $text: put them there, and build again" >&2
    echo "The terms were not found where this was built: they come with the source of ${1%%=*}."
  fi
}

heading() { printf '\n\n%s\n%s\n\n' "$1" "${1//?/=}"; }

mkdir -p "$(dirname "$file")"
{
  echo "FlashScope is under the Apache License 2.0. After it stand the licences of what it contains."
  heading FlashScope
  cat "$own"
  compiled_in "${parts[@]}" | while read -r name; do
    heading "${name%%=*}"
    terms_of "$name"
  done
} >"$file.new"
mv "$file.new" "$file"
