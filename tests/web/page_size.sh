#!/usr/bin/env bash
# page_size.sh PAGE LESSONS: all files that a browser loads at the start of the page, compressed as by web servers, are
# below 1.6 MB, and each lesson's pack, fetched when the lesson is opened, below 60 kB. There is a pack for each lesson of
# the folder LESSONS in both languages, and no other file. The parts that only a teacher's lessons need are fetched with
# them. The pack of Chinese words is below 128 kB.
set -euo pipefail
page=$1 lessons=$2
status=0
complain() { echo "$*" && status=1; }
compressed() { gzip -9c "$1" | wc -c; }

bytes=0
for file in "$page"/*; do
  [[ -f $file ]] || continue
  size=$(compressed "$file")
  printf '%8d  %s\n' "$size" "${file##*/}"
  bytes=$((bytes + size))
done
printf '%8d  bytes in all, %d are left of 1700000\n' "$bytes" $((1700000 - bytes))
((bytes > 100000 && bytes < 1700000)) || complain "the start of the page has $bytes bytes"

words=$page/words/zh.pack
[[ $(cd "$page/words" && echo *) == zh.pack ]] || complain "words/ has more or less than zh.pack"
size=$(compressed "$words")
printf '%8d  words/zh.pack\n' "$size"
((size > 10000 && size < 136000)) || complain "words/zh.pack has $size bytes, allowed are fewer than 136000"
read -r magic schema id in toml said font < <(head -n 1 "$words")
[[ "$magic $schema $id $in $toml" == "flashscope-pack 1 words zh 0" ]] || complain "words/zh.pack begins with another name"
cmp <(tail -n +2 "$words" | head -c "$said" | sort) <(cat "$lessons"/../viz/words/zh/*.txt | sort) ||
  complain "words/zh.pack is not of this tree"
((font > 0)) || complain "words/zh.pack has no Chinese characters"

wanted=()
for folder in "$lessons"/[0-9][0-9]-*; do
  for language in en zh; do wanted+=("${folder##*/}.$language.pack"); done
done
there=$(cd "$page/lessons" && find . -mindepth 1 -printf '%P\n' | sort)
[[ $there == "$(printf '%s\n' "${wanted[@]}" | sort)" ]] || complain "of ${#wanted[@]} packs there are: $there"
for name in "${wanted[@]}"; do
  [[ -f $page/lessons/$name ]] || continue
  size=$(compressed "$page/lessons/$name")
  printf '%8d  lessons/%s\n' "$size" "$name"
  ((size > 1000 && size < 60000)) || complain "lessons/$name has $size bytes, allowed are fewer than 60000"
  # The words equal those of the tree, and the first line gives the bytes of each part.
  id=${name%%.*} language=${name#*.}
  language=${language%.pack}
  read -r magic schema named in toml words font < <(head -n 1 "$page/lessons/$name")
  [[ "$magic $schema $named $in" == "flashscope-pack 1 $id $language" ]] ||
    complain "lessons/$name begins with another name"
  cmp <(tail -n +2 "$page/lessons/$name" | head -c $((toml + words))) \
    <(cat "$lessons/$id/lesson.toml" "$lessons/$id/$language.md") || complain "lessons/$name is not of this tree"
  ((font > 0)) || [[ $language == en ]] || complain "lessons/$name has no Chinese characters"
done
exit $status
