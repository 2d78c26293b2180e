#!/usr/bin/env bash
# Measures the kernels on this machine's GPU, from the build to the comparison with PyTorch:
#
#   kernels/measure.sh [--output DIR] [--minutes M] [--emulated] [--keep-going]
#
#   --output DIR   where the files go [build/measurements]
#   --minutes M    all steps together take at most as long, from 1 to 600 [8]
#   --emulated     everything on the emulated device, with tiny scenarios: to try it out
#   --keep-going   continue after a step that failed
#
# Leaves recordings DIR/GPU-TIME-*.csv, what every step printed in DIR/log/, DIR/summary.txt, and all of them together in
# DIR/GPU-TIME.tar.gz. A step that lacks a tool is skipped, one that needs longer than its part of the time is cut off; the
# others continue. Clocks, power limit and modes of the GPU stay as they are. A bundle measures with its own program, and
# FLASHSCOPE=PROGRAM with that one: nothing is built then. MEASURE_COMMIT=ID goes into the recordings as their commit.
#
# Exit codes: 0 done, or done but for what was skipped; 1 a step failed or was cut off; 2 wrong usage; 3 no GPU here;
# 130 Ctrl-C.
set -euo pipefail
self=$(readlink -f "${BASH_SOURCE[0]}")
root=${self%/kernels/*}
lists=kernels/measure  # from the root, where every step runs
usage() { sed -n '4,8s/^# \{0,3\}//p' "$self"; }
wrong() { echo "measure.sh: $*" >&2 && usage >&2 && exit 2; }

# Steps in order, and their shares of the time left when they begin.
steps=(build correctness sanitizer bench families teaching ladder tiles pages counters comparison validate)
declare -A part=([build]=20 [correctness]=2 [sanitizer]=4 [bench]=6 [families]=4 [teaching]=6 [ladder]=1 [tiles]=2 [pages]=1 [counters]=2
  [comparison]=6 [validate]=1)
skipped=77  # exit code of a step that could not run; its last line gives the reason

# --- The steps. Each runs in a process of its own, with the settings below in its environment.

skip() { echo "$*" && exit "$skipped"; }
flashscope() { "$FLASHSCOPE" "$@"; }
recording() { echo "$MEASURE_OUTPUT/$MEASURE_NAME-$1.csv"; }
emulated() { [[ $MEASURE_DEVICE == emulated ]]; }

# Scenarios of a step: on the emulated device a fixed small set.
scenarios() { if emulated; then echo "$lists/tiny.txt"; else echo "$1"; fi; }

build() {
  [[ $MEASURE_BUILD == yes ]] || skip "FLASHSCOPE is $FLASHSCOPE"
  local cuda=(-DFLASHSCOPE_CUDA=ON)
  if emulated; then cuda=(); fi
  cmake --preset release "${cuda[@]}"
  cmake --build --preset release --parallel "$(nproc)" --target flashscope flashscope-kernels
}

correctness() {
  flashscope verify --device "$MEASURE_DEVICE" --scenarios "$(scenarios default)"
  emulated || flashscope verify --device cuda --scenarios "$lists/larger.txt"
}

# The tools reserve the GPU's counters, so the program must not use them.
sanitizer() {
  emulated && skip "the emulated device finds races and wild accesses itself"
  command -v compute-sanitizer >/dev/null || skip "there is no compute-sanitizer: it comes with the CUDA toolkit"
  for tool in memcheck racecheck synccheck; do
    if [[ $tool == synccheck ]] && ((SECONDS * 3 > MEASURE_LIMIT * 2)); then
      echo "no time is left for synccheck" && return
    fi
    echo "== $tool"
    compute-sanitizer --tool "$tool" --error-exitcode 1 "$FLASHSCOPE" verify --device cuda \
      --counters off --scenarios "$lists/sanitizer.txt"
  done
}

# timed NAME SCENARIOS OPTION...: writes a recording.
timed() {
  flashscope bench --device "$MEASURE_DEVICE" --scenarios "$(scenarios "$2")" --output "$(recording "$1")" \
    ${MEASURE_COMMIT:+--commit "$MEASURE_COMMIT"} "${@:3}"
}
bench() { timed bench default --seconds 0.2 --inputs-dir "$MEASURE_SCRATCH"; }
families() { timed families families --seconds 0.1; }
teaching() { timed teaching teaching --seconds 0.1; }
ladder() { timed ladder ladder --seconds 0.1; }
tiles() { timed tiles tiles --seconds 0.1; }
pages() { timed pages "$lists/pages.txt" --seconds 0.1; }
counters() {
  local said=$MEASURE_SCRATCH/counters.txt
  timed counters "$lists/counters.txt" --seconds 0.05 --counters | tee "$said"
  grep -q '__.*\.sum' "$(recording counters)" || skip "$(grep -o 'counters: .*' "$said" || echo "none were read")"
}

comparison() {
  emulated && skip "the emulated device has no times to compare"
  command -v python3 >/dev/null || skip "there is no python3"
  [[ -s $(recording bench) ]] || skip "the step bench left no recording"
  local checks=()
  for scenario in "--seqlen 1000 --head-dim 64 --causal" "--seqlen 2048 --head-dim 128"; do
    checks+=(--check "$MEASURE_SCRATCH/check${#checks[@]}")
    # shellcheck disable=SC2086  # words
    flashscope bench --device cuda --heads 4 --pass forward+backward $scenario --seconds 0.05 \
      --output-dir "${checks[-1]}"
  done
  python3 kernels/sdpa.py --like "$(recording bench)" --inputs "$MEASURE_SCRATCH" "${checks[@]}" \
    --output "$(recording pytorch)" --seconds 0.1
}

validate() {
  emulated && skip "the emulated device has no times to predict"
  local recorded=()
  for name in bench families teaching ladder tiles pages counters; do
    if grep -qs '^# gpu: .' "$(recording "$name")"; then recorded+=(--recorded "$(recording "$name")"); fi
  done
  ((${#recorded[@]})) || skip "there is no recording of a card that has a device table"
  flashscope validate "${recorded[@]}"
}

if [[ ${1-} == --step ]]; then
  cd "$root"
  "$2"
  exit
fi

# --- Settings

output=$root/build/measurements minutes=8 keep_going=no
export MEASURE_DEVICE=cuda
while (($#)); do
  case $1 in
    --output) [[ -n ${2-} ]] || wrong "--output needs a folder" && output=$2 && shift ;;
    --minutes) [[ ${2-} =~ ^[1-9][0-9]{0,2}$ && $2 -le 600 ]] || wrong "--minutes needs a whole number from 1 to 600"
      minutes=$2 && shift ;;
    --emulated) MEASURE_DEVICE=emulated ;;
    --keep-going) keep_going=yes ;;
    --help | -h) usage && exit ;;
    *) wrong "unknown option $1" ;;
  esac
  shift
done
for place in /usr/local/cuda/bin /usr/local/nvidia/bin; do [[ ! -d $place ]] || PATH+=:$place; done
bundled=no
[[ -e $root/CMakeLists.txt || ! -x $root/flashscope ]] || bundled=yes

# Queries the driver about the GPU; reads only.
asked() { nvidia-smi --id=0 --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }
gpu=emulated
if ! emulated; then
  gpu=$(asked name) || gpu=
  [[ -n $gpu ]] || { echo "measure.sh: nvidia-smi finds no GPU here; --emulated does without" >&2 && exit 3; }
fi
commit() {  # nothing where git does not know, or where the program does
  local id changes
  [[ $bundled == no ]] || return 0
  id=$(git -C "$root" rev-parse --short=12 HEAD 2>/dev/null) || return 0
  changes=$(git -C "$root" status --porcelain --untracked-files=no)
  echo "$id${changes:+-changed}"
}
card=$(sed -E 's/nvidia |tesla |geforce //g; s/[^a-z0-9]+/-/g' <<<"${gpu,,}")
MEASURE_NAME=$card-$(date -u +%F-%H%M)  # "NVIDIA A100-SXM4-40GB" -> a100-sxm4-40gb-2026-01-02-1345
MEASURE_BUILD=no MEASURE_COMMIT=${MEASURE_COMMIT-$(commit)} MEASURE_SCRATCH=$(mktemp -d)
trap 'rm -rf "$MEASURE_SCRATCH"' EXIT
if [[ $bundled == yes ]]; then FLASHSCOPE=${FLASHSCOPE-$root/flashscope}; fi
if [[ -n ${FLASHSCOPE-} ]]; then
  FLASHSCOPE=$(readlink -f "$(command -v "$FLASHSCOPE")") || wrong "FLASHSCOPE is not a program"
else
  MEASURE_BUILD=yes FLASHSCOPE=$root/build/release/viz/flashscope
fi
mkdir -p "$output/log" || wrong "--output: $output cannot be written"
MEASURE_OUTPUT=$(realpath --relative-base="$root" "$output")  # as recordings name it
export FLASHSCOPE MEASURE_NAME MEASURE_BUILD MEASURE_COMMIT MEASURE_SCRATCH MEASURE_OUTPUT MEASURE_LIMIT

# --- The run

say() { echo "$*" | tee -a "$output/summary.txt"; }
seconds_for() {  # seconds_for STEP: its part of the time that is left, at least a second
  local parts=0 counting=no seconds name
  for name in "${steps[@]}"; do
    [[ $name != "$1" ]] || counting=yes
    [[ $counting == no ]] || ((parts += part[$name]))
  done
  seconds=$(((minutes * 60 - SECONDS) * part[$1] / parts))
  echo $((seconds > 1 ? seconds : 1))
}

child=
stop() {
  [[ -z $child ]] || kill "$child" 2>/dev/null || true
  exit 130
}
trap stop INT TERM

# run_step STEP: prints how it ended, and sets `ending` to that.
run_step() {
  local name=$1 start=$SECONDS log=$output/log/$1.txt code=0 why
  MEASURE_LIMIT=$(seconds_for "$name")
  echo "$name: at most $MEASURE_LIMIT s"
  timeout --kill-after=5 "$MEASURE_LIMIT" "$self" --step "$name" >"$log" 2>&1 </dev/null &
  child=$!
  wait "$child" || code=$?
  child=''
  why=$(tail -n 1 "$log")
  case $code in
    0) ending='done' why='' ;;
    3 | "$skipped") ending=skipped why=": $why" ;;
    124 | 137) ending="cut off" why=": it needs more than its $MEASURE_LIMIT s" ;;
    *) ending=failed why=": exit code $code: $why" ;;
  esac
  say "$(printf '%-11s %4s s  %s' "$name" $((SECONDS - start)) "$ending$why")"
  [[ $name != correctness || $code != 3 ]] || exit 3
}

{
  echo "$MEASURE_NAME, commit ${MEASURE_COMMIT:-unknown}, at most $minutes min"
  emulated || asked name,driver_version,clocks.max.sm,power.limit
} >"$output/summary.txt"
result=0 ran=()
for step in "${steps[@]}"; do
  ran+=("$step")
  run_step "$step"
  [[ $ending == failed || $ending == "cut off" ]] || continue
  result=1
  [[ $step != build ]] || break
  [[ $ending == "cut off" || $keep_going == yes ]] || break
done

for step in "${ran[@]}"; do
  [[ $step == build ]] || printf '\n== %s\n%s\n' "$step" "$(<"$output/log/$step.txt")" >>"$output/summary.txt"
done
echo "what every step printed: $output/log, summary: $output/summary.txt"
recordings=("$output/$MEASURE_NAME"-*.csv)
[[ -e ${recordings[0]} ]] || recordings=()
if tar -C "$output" -czf "$output/$MEASURE_NAME.tar.gz" log summary.txt "${recordings[@]##*/}"; then
  echo "all of it: $output/$MEASURE_NAME.tar.gz"
else
  echo "measure.sh: $output/$MEASURE_NAME.tar.gz could not be written" >&2 && result=1
fi
if ((${#recordings[@]})) && ! emulated; then
  echo "to build the recordings in, put them into kernels/measurements and add to its index.txt:"
  printf '%s\n' "${recordings[@]##*/}"
fi
((result == 0))
