#!/usr/bin/env bash
# What README.md and docs/ promise apart from the outputs that they show: page_checks.sh ROOT PROGRAM.
# - README.md has at most 130 lines, docs/README.md at most 40, and it links to every page.
# - Links lead to files and headings that are there, and so do the files of this tree that stand in `backticks`; this
#   in the README of every folder as well.
# - Commands are known with all their options, and those that are cheap and need no files run.
# - A block shows commands, or an output that readme_test.sh holds; of Python, that tests/python holds (```text).
# - A number of bytes, time or FLOPs in the text, and a ratio "0.16 x", stands in an output of the same page, unless its
#   line says that it is published, or ends in <!-- by hand -->: then nothing but people hold it.
# Prints a line for each complaint; exit code 1 when there is one.
set -euo pipefail
root=$(readlink -f "$1") program=$(readlink -f "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"
: >"$scratch/complaints"
complain() { echo "$1" >>"$scratch/complaints"; }

pages=(README.md docs/*.md)
# The words of lessons have links of their own, into the picture: lessons/check holds them.
mapfile -t every_page < <(find . -name build -prune -o -name '.?*' -prune -o -path './lessons/*/*' -prune -o -name '*.md' -printf '%P\n' | sort)

# Text outside of blocks.
prose() { awk '/^```/ { inside = !inside; next } !inside' "$1"; }
# The `spans` of code in it, a line each.
# shellcheck disable=SC2016  # these are backticks of Markdown
spans() { prose "$1" | { grep -oE '`[^`]+`' || true; } | tr -d '`'; }

check_length() {  # check_length PAGE MOST
  local lines
  lines=$(wc -l <"$1")
  ((lines <= $2)) || complain "$1 has $lines lines, at most $2 are allowed"
}

headings() {  # as GitHub makes anchors of them
  grep -E '^#+ ' "$1" | sed -E 's/^#+ //; s/[^[:alnum:] _-]//g; s/ /-/g' | tr '[:upper:]' '[:lower:]'
}

check_links() {
  local page=$1 link path
  while read -r link; do
    path=${link%%#*}
    if [[ -z $path ]]; then path=$page; else path=$(dirname "$page")/$path; fi
    if ! [[ -e $path ]]; then
      complain "$page: the link $link leads nowhere"
    elif [[ $link == *'#'* ]] && ! headings "$path" | grep -qxF "${link#*#}"; then
      complain "$page: the link $link names no heading of $path"
    fi
  done < <(prose "$page" | { grep -oE '\]\([^)]+\)' || true; } | sed 's/^](//; s/)$//' | grep -vE '^https?:' || true)
}

check_files() {
  local page=$1 name
  while read -r name; do
    [[ -e $name || $name == *NAME* ]] || complain "$page: there is no $name"
  done < <(spans "$page" | grep -E '^(sim|kernels|viz|lessons|tests|docs|python|cmake|\.ci)/[A-Za-z0-9_./-]*$' || true)
}

# The commands of a page, without prompt and comment: "held" those whose output is shown, "shown" other lines of blocks,
# "named" those in the text.
commands_of() {
  awk '
    /^```/ { inside = !inside; next }
    !inside || !/^(\$ )?\.\/flashscope / { next }
    { how = /^\$/ ? "held" : "shown"; sub(/^(\$ )?\.\/flashscope /, ""); sub(/ +# .*/, ""); sub(/ ([|]|[12]?>).*/, "") }
    { print how, $0 }
  ' "$1"
  spans "$1" | sed -nE 's/^(\.\/)?flashscope ([^|]*)$/named \2/p'
  spans "$1" | grep -E "^(${commands// /|}) --?[^|]*$" | sed 's/^/named /' || true
}

is_cheap() {
  case $* in
    *.npy* | *.toml* | *FILE* | *--resume*) return 1 ;;
    'simulate '* | 'compare '* | 'tune '* | 'sweep '* | 'tour'* | 'lesson '[0-9]* | 'lesson --list' | 'devices'* | 'algorithms'* | 'options'* | 'counters'*) return 0 ;;
  esac
  return 1
}

# run_shown WORD...: runs a command that needs nothing; the explorer's as a description of what they would show.
run_shown() {
  local status=0
  case $1 in
    explore) set -- screenshot "${@:2}" --describe ;;
    screenshot) set -- "$@" --describe ;;
  esac
  is_cheap "$@" || [[ $1 == screenshot ]] || return 0
  (cd "$scratch" && "$program" "$@") >"$scratch/out" 2>"$scratch/err" || status=$?
  [[ $status == 0 || $status == 3 ]] || complain "$page: flashscope $* ends with $status: $(tail -n 1 "$scratch/err")"
}

# An option that is known nowhere comes last: it is complained about only where all others are known.
check_command() {  # check_command HOW WORDS
  local words=() how=$1
  mapfile -t words < <(xargs -n 1 printf '%s\n' <<<"${2%% -- *}")  # takes quotes away; behind -- is another program
  case ${words[0]} in test | build | COMMAND | -*) return ;; esac
  [[ ${words[-1]} != --help ]] || unset 'words[-1]'
  "$program" "${words[@]}" --no-such-option 2>"$scratch/err" >&2 || true
  if ! grep -q '"--no-such-option"' "$scratch/err"; then
    complain "$page: flashscope ${words[*]}: $(head -n 1 "$scratch/err")"
  elif [[ $how == shown ]]; then
    run_shown "${words[@]}"
  fi
}

# Options of other programs, of the launcher, and of scripts.
other_options=' --cache-control --clock-control --preset --build --slow --print-summary --emulated '
check_options() {
  local option
  while read -r option; do
    [[ "$known_options$other_options" == *" $option "* ]] || complain "$page: no command has the option $option"
  done < <(spans "$page" | { grep -oE '(^|[ (])--[a-z][a-z0-9-]*' || true; } | tr -d ' (' | sort -u)
}

check_blocks() {
  awk -v page="$1" '
    /^<!-- (demo|accuracy) -->$/ { held = 1 }
    /^```/ && inside { inside = 0; held = 0; next }
    /^```/ { inside = 1; first = 1; source = /^```(toml|latex|html|python|text)$/; next }
    inside && first && /^\$ \.\/flashscope / { held = 1 }
    inside { first = 0 }
    inside && !held && !source && !/^(\.\/flashscope|git|cd|cmake|ctest|python3|kernels\/|tests\/|build\/|\.ci\/|UPDATE=1|\{ cat|sudo apt-get install|  lib|#)/ {
      print page ": a block shows what nothing holds: " $0
    }
  ' "$1" >>"$scratch/complaints"
}

check_numbers() {
  awk -v page="$1" '
    NR == FNR { if (/^```/) inside = !inside; else if (inside) shown = shown "\n" $0; next }
    /^```/ { outside = !outside; next }
    outside || /[Pp]ublished|<!-- by hand -->/ { next }
    {
      rest = " " $0
      while (match(rest, /[^0-9.,A-Za-z]([0-9][0-9.,]*) (GB|MB|kB|KiB|MiB|ms|us|GFLOP|TFLOP|TB\/s|x)[^A-Za-z0-9]/)) {
        number = substr(rest, RSTART + 1, RLENGTH - 2)
        if (!index(shown, number)) print page ": " number " stands in no output of this page"
        rest = substr(rest, RSTART + RLENGTH - 1)
      }
    }
  ' "$1" <(sed 's/$/ /' "$1") >>"$scratch/complaints"
}

commands=$("$program" --help | sed -nE 's/^  ([a-z]+) .*/\1/p' | tr '\n' ' ')
commands=${commands% }
known_options=" $(for command in $commands; do "$program" "$command" --help; done |
  grep -oE '(^|[ ,])--[a-z][a-z0-9-]*' | tr -d ' ,' | sort -u | tr '\n' ' ')"

check_length README.md 130
check_length docs/README.md 40
for page in docs/*.md; do
  [[ $page == docs/README.md ]] || grep -qF "](${page#docs/})" docs/README.md || complain "docs/README.md has no link to $page"
done
for page in "${every_page[@]}"; do check_links "$page" && check_files "$page"; done
for page in "${pages[@]}"; do
  while read -r how command; do check_command "$how" "$command"; done < <(commands_of "$page")
  check_options
  check_blocks "$page"
  check_numbers "$page"
done
cat "$scratch/complaints"
[[ ! -s $scratch/complaints ]]
