#!/usr/bin/env bash
# page_size.sh PAGE: all files of the page that a browser loads, compressed as web servers do, are below 1 MB.
set -euo pipefail
bytes=0
for file in "$1"/*; do
  compressed=$(gzip -9c "$file" | wc -c)
  printf '%8d  %s\n' "$compressed" "${file##*/}"
  bytes=$((bytes + compressed))
done
printf '%8d  bytes in all, allowed are fewer than 1000000\n' "$bytes"
((bytes > 100000 && bytes < 1000000))
