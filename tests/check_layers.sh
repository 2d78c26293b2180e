#!/usr/bin/env bash
# Checks the layers: allowed includes (the table below), features forbidden in sim, the length of files, the arithmetic of
# pictures, where algorithms are named, and the names of tests.
# check_layers.sh [root]: prints one line per violation; exit code 1 if there is any.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# layer (a folder, or a prefix of file names): the prefixes of the headers it may include. The longest layer that a
# file's path starts with applies. The closed forms see no tile, run or trace: the counts are checked against them.
table='
sim/base:     sim/base/
sim/trace:    sim/base/ sim/trace/
sim/machine:  sim/base/ sim/trace/ sim/machine/
sim/programs: sim/base/ sim/trace/ sim/machine/ sim/programs/
sim/catalogue: sim/base/ sim/trace/ sim/machine/ sim/programs/ sim/model/ sim/catalogue/
sim/catalogue/option: sim/base/ sim/trace/ sim/machine/ sim/programs/ sim/catalogue/option
sim/catalogue/read_options: sim/base/ sim/trace/ sim/machine/ sim/programs/ sim/catalogue/option
sim/model:    sim/base/ sim/trace/ sim/machine/ sim/programs/ sim/catalogue/option sim/model/
sim/programs/[a-z0-9_]*/forms: sim/base/ sim/programs/kernel_form.h sim/programs/[a-z0-9_]*/tensors.h
sim/programs/kernel_form: sim/base/ sim/programs/program.h
sim/model/closed_form: sim/base/ sim/model/closed_form sim/model/live_tiles sim/programs/kernel_form.h sim/programs/plan.h sim/programs/steps.h
sim/model/live_tiles:  sim/base/ sim/model/live_tiles
sim/report:   sim/base/ sim/catalogue/ sim/model/ sim/report/
kernels:      sim/ kernels/
kernels/measurements: sim/ kernels/measurements/
lessons:      sim/ lessons/
viz:          sim/ kernels/ lessons/ viz/
viz/results:  sim/ kernels/measurements/ kernels/threads/ viz/results/
viz/files:    sim/base/ sim/report/ viz/files/
viz/draw:     sim/base/printable.h sim/base/text.h sim/model/roofline.h sim/report/label_places.h sim/report/numbers.h viz/draw/
viz/ui:       sim/base/check.h sim/base/printable.h sim/base/text.h sim/report/line_breaks.h viz/draw/ viz/ui/
viz/model:    sim/ lessons/ viz/words/ viz/model/
viz/words:    sim/base/sentence.h viz/words/
viz/panels:   sim/ lessons/ viz/draw/ viz/model/ viz/ui/ viz/words/ viz/panels/
viz/panels/verification: sim/ kernels/measurements/ viz/model/ viz/ui/ viz/words/ viz/panels/
viz/explorer: sim/ viz/model/ viz/ui/ viz/words/ viz/panels/ viz/platform/ viz/explorer/
viz/explorer/native_verifier: sim/ kernels/ viz/model/ viz/explorer/native_verifier.h
viz/platform: sim/base/check.h viz/draw/steady.h viz/files/ viz/ui/ viz/platform/
python:       sim/ lessons/ viz/results/ viz/model/model.h python/
tests:        sim/ kernels/ lessons/ viz/ tests/
'
# sim is deterministic and silent: no threads, no clock, no printing. Files are read in base/read_file and nowhere else.
forbidden_in_sim='thread mutex iostream chrono ctime'
filesystem_only_in='sim/base/npy'
files_only_in='sim/base/read_file' headers_of_files='fcntl.h sys/stat.h unistd.h'
mutex_only_in='sim/programs/recorded/program_of'  # programs may be replaced while others are simulated
libraries_of_sim='Eigen/ toml++/ Random123/ experimental/coroutine'  # the last for emscripten, which has only that one
libraries_of_report='fmt/ nlohmann/ unistd.h'
longest_file=600
# Everything about an option is in the table of options. Elsewhere only file formats name an alias.
alias='"seqlen"' may_name_alias='sim/catalogue/options.cpp sim/catalogue/option_synonyms.cpp sim/model/published.cpp kernels/pytorch/recording.py'
# Kernels are plain CUDA, and only the dual layer knows their target. Their runtime never prints or exits.
forbidden_in_kernels='<<<|(^|[^_[:alnum:]])(asm|__CUDA_ARCH__|__CUDACC__)([^_[:alnum:]]|$)'
forbidden_in_kernels_folder='(^|[^_[:alnum:]])(printf|fprintf|puts|exit|abort) *[(]|<iostream>'
# A picture has the same bytes on every processor: drawing computes only with + - * / and square roots. Dear ImGui's
# shapes use an approximate 1/sqrt(x), and the C library's functions depend on the processor.
shapes='(->|[.])(Add(Bezier|Circle|ConcavePoly|ConvexPoly|Ellipse|Line|Ngon|Polyline|Quad|Rect|Triangle)|Path[A-Z])[A-Za-z]*[(]'
libm='std::(a?(sin|cos|tan)h?|atan2|exp2?|expm1|log(2|10|1p)?|pow|hypot|cbrt|erfc?|[lt]gamma)f?[(]'

existing=()
for folder in sim kernels lessons viz python tests cmake; do [[ ! -d $folder ]] || existing+=("$folder"); done
# shellcheck disable=SC2016  # the dollars in the program are awk's
find "${existing[@]}" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cmake' -o -name '*.sh' -o \
  -name CMakeLists.txt \) | sort |
  xargs awk -v table="$table" -v forbidden="$forbidden_in_sim" -v filesystem="$filesystem_only_in" -v files="$files_only_in" -v of_files="$headers_of_files" -v mutex="$mutex_only_in" \
    -v libraries="$libraries_of_sim" -v of_report="$libraries_of_report" -v longest="$longest_file" -v in_kernels="$forbidden_in_kernels" \
    -v in_kernels_folder="$forbidden_in_kernels_folder" \
    -v shapes="$shapes" -v libm="$libm" '
function complain(message) { print FILENAME ":" FNR ": " message; violations++ }
function starts_with_one_of(name, prefixes,    i, n, prefix) {
  n = split(prefixes, prefix, " ")
  for (i = 1; i <= n; i++)
    if (index(prefix[i], "[") > 0 ? name ~ "^" prefix[i] : index(name, prefix[i]) == 1) return 1
  return 0
}
function layer_of(path,    layer, best) {
  for (layer in allowed)
    if (length(layer) > length(best) && path ~ "^" layer "[/._]") best = layer
  return best
}
function check_quoted(header) {
  if (layer == "") complain("is in no layer of tests/check_layers.sh")
  else if (!starts_with_one_of(header, allowed[layer]))
    complain(layer " must not include \"" header "\"; it may include " allowed[layer])
}
function check_angled_in_sim(header,    known) {
  known = layer == "sim/report" ? of_report : index(FILENAME, files) == 1 ? of_files : libraries
  if (header ~ /[.\/]/ && !starts_with_one_of(header, known))
    complain(layer " must not include <" header ">; its libraries are " known)
  if (header == "mutex" && index(FILENAME, mutex) == 1) return
  if (index(" " forbidden " ", " " header " ")) complain("sim must not include <" header ">")
  if (header == "filesystem" && index(FILENAME, filesystem) != 1) complain("<filesystem> belongs to " filesystem " only")
}
BEGIN {
  n = split(table, rows, "\n")
  for (i = 1; i <= n; i++) if (split(rows[i], row, ": *") == 2) allowed[row[1]] = row[2]
}
FNR == 1 { layer = layer_of(FILENAME) }
FNR == longest + 1 { complain("the file is longer than " longest " lines") }
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
  split($0, part, /["<>]/)
  if ($0 ~ /include[ \t]*"/) check_quoted(part[2])
  else if (index(FILENAME, "sim/") == 1) check_angled_in_sim(part[2])
}
index(FILENAME, "kernels/") == 1 && !/^ *\/\// {
  if (index(FILENAME, "kernels/dev/") != 1 && FILENAME !~ /(txt|cmake|sh)$/ && $0 ~ in_kernels)
    complain("inline PTX, launches and macros of compilers belong to kernels/dev")
  if (FILENAME !~ /(txt|cmake|sh)$/ && $0 ~ in_kernels_folder) complain("kernels never print, exit or abort")
}
FILENAME ~ "^(viz|tests)/.*[.](h|cpp)$" && $0 ~ shapes {
  complain("shapes come from viz/ui/outline: those of Dear ImGui differ from processor to processor")
}
FILENAME ~ "^viz/(draw|ui|panels|platform|explorer)/" && FILENAME != "viz/draw/steady.cpp" && $0 ~ libm {
  complain("functions of the C library differ from processor to processor: use viz/draw/steady")
}
FILENAME ~ "^viz/panels/" && /const_cast/ {
  complain("panels change the state by edits: View::edit() and View::set()")
}
FILENAME ~ "^viz/(app|explorer|panels|terminal)/" && !/^ *\/\// &&
  /state[.](options|changes|place|speed|look|lesson|palette|brush|first_view)[A-Za-z_.]* *([-+*|&]?=[^=]|[.](push_back|clear|erase|insert)[(])/ {
  complain("the state changes by edits, which Model::apply() takes: viz/model/edit.h")
}
# Rectangles are cut by the layout kit, by the layouts of whole windows, which are older than it and whose parts are no
# rows or columns of one kind, and by the drawing below it, which it uses.
FILENAME ~ "^viz/" && FILENAME !~ "^viz/(draw/rect.h|ui/(rect.h|stack.cpp|((first|race|compare)_)?layout.cpp|(canvas|field|number_field|paragraph|tracks|widgets).cpp))$" &&
  /(^|[^a-z_])cut_(top|left|right|bottom)[(]/ {
  complain("rows and columns come from viz/ui/stack")
}
# One entry holds everything about an algorithm: its name appears there, in the table of kernels, and in lessons.
FILENAME ~ "^(sim|kernels|viz)/" && FILENAME !~ "^sim/programs/[a-z0-9_]*/entry.cpp|^kernels/attention/matching_kernels.cu" &&
  /"(flash1|flash2|standard|memory-efficient)"/ {
  complain("an algorithm is named by its entry.cpp: use sim::programs, or what the entry says")
}
# CTest splits names at brackets and semicolons and loses tests; Catch parses a leading dash as an option.
/^TEST_CASE\(/ {
  name = substr($0, index($0, "\"") + 1)
  name = substr(name, 1, index(name, "\"") - 1)
  if (name ~ /[][;]/ || name ~ /^-/) complain("the name of a test holds a bracket or a semicolon, or begins with a dash")
}
END { exit violations > 0 }' || exit 1

status=0
while read -r file; do
  [[ " $may_name_alias " == *" $file "* ]] && continue
  echo "$file: names the option $alias: take what it says from sim/catalogue/options"
  status=1
done < <(grep -rlF "$alias" "${existing[@]}" | grep -E '^(sim|kernels|viz)/' | sort)
exit $status
