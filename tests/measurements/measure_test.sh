#!/usr/bin/env bash
# measure_test.sh ROOT PROGRAM READ_RECORDING: tests ROOT/kernels/measure.sh in a separate tree, where flashscope,
# nvidia-smi, compute-sanitizer, cmake and python3 are stand-ins that record their arguments; then with PROGRAM, a built
# flashscope, on the emulated device.
set -euo pipefail
root=$1 program=$(readlink -f "$2") reader=$(readlink -f "$3")
sandbox=$(mktemp -d "$PWD/measure-test-XXXXXX")  # /tmp may be mounted noexec
trap 'rm -rf "$sandbox"' EXIT
tree="$sandbox/a tree" tools="$sandbox/tools" calls="$sandbox/calls" out="$sandbox/out dir"
mkdir -p "$tree/kernels" "$tree/build/release/viz" "$tools"
cp -r "$root"/kernels/{measure,measure.sh} "$tree/kernels"
cd "$sandbox"

tool() { printf '#!/bin/bash\n%s\n' "$2" >"$tools/$1" && chmod +x "$tools/$1"; }
# shellcheck disable=SC2016  # the stand-ins expand their own arguments
tool flashscope 'echo "flashscope $*" >>"$CALLS"
[[ -z ${HANG-} || " $* " != *" $HANG "* ]] || { echo $$ >"$CALLS.pid" && sleep 1000; }
[[ -z ${FAIL-} || " $* " != *" $FAIL "* ]] || { echo "error: as asked" >&2 && exit "$CODE"; }
echo "the table of $1"
[[ " $* " != *" --counters "* || -z ${NO_COUNTERS-} ]] || echo "note: counters: no permission"
while (($#)); do
  if [[ $1 == --output ]]; then printf "%s\\n" "# gpu: ${GPU-t4}" "${NO_COUNTERS-dram__bytes_read.sum}" >"$2"; fi
  shift
done'
# shellcheck disable=SC2016
tool nvidia-smi 'case $* in *=name,*) echo "Tesla T4, 1.2.3" ;; *=name*) echo "Tesla T4" ;; *) exit 9 ;; esac'
# shellcheck disable=SC2016
tool compute-sanitizer 'echo "compute-sanitizer $*" >>"$CALLS"; exec "${@:5}"'
# shellcheck disable=SC2016
tool python3 'echo "python3 $*" >>"$CALLS"; [[ -z ${NO_TORCH-} ]] || { echo "sdpa.py: no torch" >&2 && exit 3; }'
# shellcheck disable=SC2016
tool git 'case $* in *rev-parse*) echo 0123456789ab ;; *) echo "${CHANGES-}" ;; esac'
# shellcheck disable=SC2016
tool cmake 'echo "cmake $*" >>"$CALLS"; cp "$STAND_IN" build/release/viz/flashscope'
export CALLS=$calls STAND_IN=$tools/flashscope PATH="$tools:$PATH"

# run ARGUMENT...: starts the script; leaves its exit code in status, and the files said and out/summary.txt.
run() {
  : >"$calls"
  rm -rf "$out"
  status=0
  "$tree/kernels/measure.sh" --output "$out" "$@" >"$sandbox/said" 2>&1 || status=$?
}
check() {  # check SENTENCE COMMAND...
  if ! "${@:2}"; then
    echo "FAILED: $1 (exit code $status)" && cat "$sandbox/said" "$calls" && exit 1
  fi
  echo "ok: $1"
}
says() { grep -q -e "$1" "$sandbox/said"; }
calls() { grep -q -e "$1" "$calls"; }
no() { ! "$@"; }
gone() {  # waits until the hung process has ended; a zombie counts, which init may reap late or never in a container
  for _ in {1..600}; do
    kill -0 "$(<"$calls.pid")" 2>/dev/null && no grep -q '^State:.Z' "/proc/$(<"$calls.pid")/status" || return 0
    sleep 0.1
  done
  return 1
}

export FLASHSCOPE=$tools/flashscope
run
check "on a GPU all steps run" test "$status" = 0
for step in correctness sanitizer bench families teaching ladder tiles pages counters comparison validate; do
  check "$step is done" grep -Eq "^$step +[0-9]+ s  done$" "$out/summary.txt"
done
check "a program that is given is not built" says 'build .* skipped: FLASHSCOPE is'
check "the default scenarios are verified" calls 'flashscope verify --device cuda --scenarios default'
check "so are larger ones" calls 'verify --device cuda --scenarios .*/larger.txt'
for name in memcheck racecheck synccheck; do
  check "$name runs" calls "compute-sanitizer --tool $name .* verify --device cuda"
done
check "under the sanitizer counters are off" calls '^flashscope verify .*--counters off .*sanitizer.txt'
check "elsewhere they are on" calls '^flashscope bench .* --counters$'
check "lists are named from the root" calls '--scenarios kernels/measure/counters.txt'
for list in default families teaching ladder tiles kernels/measure/pages.txt; do
  check "the list $list is measured" calls "bench --device cuda --scenarios $list .*--commit 0123456789ab "
done
check "PyTorch is timed on the inputs of bench, and checked twice" \
  calls 'python3 .*/sdpa.py --like .*-bench.csv --inputs .*--check .*/check0 --check .*--output .*-pytorch.csv'
check "predictions are compared with the recordings" calls 'validate --recorded .*-bench.csv --recorded .*-families.csv --recorded .*-teaching.csv'
check "recordings are named by card and time" compgen -G "$out/t4-????-??-??-????-bench.csv"
check "the summary has the tables" grep -q '^the table of bench$' "$out/summary.txt"
check "the summary has the driver's report on the card" grep -q '^Tesla T4, 1.2.3$' "$out/summary.txt"
check "the lines for the index are printed" says "^t4-[-0-9]*-ladder.csv$"
check "one archive contains all results" tar -C "$sandbox" -xzf "$out"/t4-*.tar.gz summary.txt log/bench.txt
check "the archive contains the recordings" test "$(tar -tzf "$out"/t4-*.tar.gz | grep -c '[.]csv$')" = 7
check "every step prints a line when it begins" says '^bench: at most [0-9]* s$'

MEASURE_COMMIT=feedc0de run
check "a given commit is recorded" calls '--commit feedc0de '
CHANGES=' M kernels/verify/run.cpp' run
check "changes since the commit are recorded" calls '--commit 0123456789ab-changed '
NO_TORCH=1 run
check "without PyTorch the comparison is skipped" says 'comparison .* skipped: sdpa.py: no torch$'
check "the other steps run without PyTorch" test "$status" = 0
mv "$tools/compute-sanitizer" "$sandbox"
if ! PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer >/dev/null; then
  run
  check "without compute-sanitizer its step is skipped" says 'sanitizer .* skipped: there is no compute-sanitizer'
  check "and the rest is done as well" test "$status" = 0
fi
mv "$sandbox/compute-sanitizer" "$tools"

FAIL=verify CODE=1 run
check "wrong results are exit code 1" test "$status" = 1
check "the end of the failed step is printed" says 'correctness .* failed: exit code 1: error: as asked'
check "nothing is measured after wrong results" no calls 'flashscope bench'
FAIL=verify CODE=1 run --keep-going
check "--keep-going continues after wrong results" calls 'flashscope validate'
check "--keep-going keeps the exit code 1" test "$status" = 1
FAIL=verify CODE=3 run
check "a program that finds no GPU is exit code 3" test "$status" = 3
GPU='' run
check "times of a card without a device table are not validated" says 'validate .* skipped: there is no recording of a'
NO_COUNTERS=yes run
check "counters that cannot be read are skipped" says 'counters .* skipped: counters: no permission$'
check "skipped counters are not a failure" test "$status" = 0

HANG=ladder run --minutes 1
check "a step that exceeds its limit is cut off" says 'ladder .* cut off: it needs more than its [0-9]* s'
check "the steps after a cut-off one run" grep -Eq '^validate +[0-9]+ s  done$' "$out/summary.txt"
check "a cut-off step is exit code 1" test "$status" = 1
check "the hung process has ended" gone

rm "$calls.pid"
HANG=default "$tree/kernels/measure.sh" --output "$out" >"$sandbox/said" 2>&1 &
script=$!
until [[ -s $calls.pid ]]; do sleep 0.1; done
kill "$script"
status=0
wait "$script" || status=$?
check "a signal ends the script with exit code 130" test "$status" = 130
check "a signal ends the running step" gone

FLASHSCOPE=no-such-program run
check "a missing program is wrong usage" test "$status" = 2
unset FLASHSCOPE
run
check "without a program the release preset is built for GPUs" calls '^cmake --preset release -DFLASHSCOPE_CUDA=ON$'
check "only the programs are built" calls '^cmake --build --preset release .*--target flashscope flashscope-kernels$'
check "the built program is measured" test "$status" = 0
tool cmake 'echo "error: no such thing"; exit 1'
run --keep-going
check "a build that fails is exit code 1" test "$status" = 1
check "a failed build ends the run" no calls 'flashscope verify'

for words in --no-such-option --minutes '--minutes 0' '--minutes 8.5' '--minutes 9999' --output surplus; do
  # shellcheck disable=SC2086  # words
  run $words
  check "\"$words\" is wrong usage" test "$status" = 2
  check "\"$words\" shows the usage" says '^kernels/measure.sh .*--keep-going'
done
run --help
check "--help is exit code 0" test "$status" = 0
check "--help shows the usage alone" test "$(head -n 1 "$sandbox/said" | cut -d ' ' -f 1)" = kernels/measure.sh
tool nvidia-smi 'echo "NVIDIA-SMI has failed"; exit 9'
run
check "without a GPU the exit code is 3" test "$status" = 3
check "the error without a GPU is one line" test "$(wc -l <"$sandbox/said")" = 1
check "without a GPU nothing is built or left behind" test ! -e "$out"

export FLASHSCOPE=$program
run --emulated --minutes 600  # no step is cut short, however slow this machine
check "the emulated device runs every step that it can" test "$status" = 0
for step in correctness bench families teaching ladder tiles pages; do
  check "$step is done" grep -Eq "^$step +[0-9]+ s  done$" "$out/summary.txt"
done
check "the emulated device has no counters" grep -Eq '^counters +[0-9]+ s  skipped: counters: ' "$out/summary.txt"
for step in sanitizer comparison validate; do
  check "$step says why it is not" grep -Eq "^$step +[0-9]+ s  skipped: the emulated device" "$out/summary.txt"
done
check "its recordings can be read" "$reader" "$out"/emulated-*-{bench,families,teaching,ladder,tiles,pages,counters}.csv
check "its recordings name no GPU" no grep -q '^# gpu' "$out"/emulated-*.csv
