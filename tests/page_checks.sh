#!/usr/bin/env bash
# Checks README.md, docs/ and kernels/measurements/README.md except the outputs that they show: page_checks.sh ROOT PROGRAM.
# - README.md has at most 130 lines, docs/README.md at most 40, and it links to every page.
# - Links lead to existing files and headings, and files of this tree named in `backticks` exist; also in the README of
#   every folder.
# - Commands exist with all their options, and cheap ones that need no files run.
# - A block shows commands, or an output checked by readme_test.sh; Python output (```text) is checked by tests/python.
# - A number of bytes, time or FLOPs in the text, and a ratio "0.16 x", appears in an output of the same page, unless its
#   line cites a publication, or ends in <!-- by hand -->: then only people check it.
# Prints a line for each error; exit code 1 if there is any.
set -euo pipefail
root=$(readlink -f "$1") program=$(readlink -f "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"
: >"$scratch/complaints"
complain() { echo "$1" >>"$scratch/complaints"; }

pages=(README.md docs/*.md kernels/measurements/README.md)
# Lessons have links into the picture, which lessons/check verifies.
mapfile -t every_page < <(find . -name build -prune -o -name '.?*' -prune -o -path './lessons/*/*' -prune -o -name '*.md' -printf '%P\n' | sort)

# Text outside blocks.
prose() { awk '/^```/ { inside = !inside; next } !inside' "$1"; }
# The `spans` of code in it, a line each.
# shellcheck disable=SC2016  # these are backticks of Markdown
spans() { prose "$1" | { grep -oE '`[^`]+`' || true; } | tr -d '`'; }

check_length() {  # check_length PAGE MOST
  local lines
  lines=$(wc -l <"$1")
  ((lines <= $2)) || complain "$1 has $lines lines, at most $2 are allowed"
}

headings() {  # as GitHub's anchors
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

# Commands of a page, without prompt and comment: "held" if their output is shown, "shown" on other lines of blocks,
# "named" in the text.
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
    *.npy* | *.toml* | *FILE*) return 1 ;;
    'simulate '* | 'compare '* | 'tune '* | 'sweep '* | 'tour'* | 'lesson '[0-9]* | 'lesson --list' | 'devices'* | 'algorithms'* | 'options'* | 'counters'*) return 0 ;;
  esac
  return 1
}

# run_shown WORD...: runs a command that needs no files; commands of the explorer print a description instead.
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

# An unknown option is tried last: it is reported only if all others are known.
check_command() {  # check_command HOW WORDS
  local words=() how=$1
  mapfile -t words < <(xargs -n 1 printf '%s\n' <<<"${2%% -- *}")  # removes quotes; after -- is another program
  case ${words[0]} in test | build | COMMAND | -*) return ;; esac
  [[ ${words[-1]} != --help ]] || unset 'words[-1]'
  "$program" "${words[@]}" --no-such-option 2>"$scratch/err" >&2 || true
  if ! grep -q '"--no-such-option"' "$scratch/err"; then
    complain "$page: flashscope ${words[*]}: $(head -n 1 "$scratch/err")"
  elif [[ $how == shown ]]; then
    run_shown "${words[@]}"
  fi
}

# Options of other programs, of the launcher, and of scripts; synonyms of options.
other_options=' --cache-control --clock-control --preset --build --slow --print-summary --emulated --batch-size --bf16 --hidden-size --num-heads --window-size '
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
        if (!index(shown, number)) print page ": " number " is not in any output of this page"
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
