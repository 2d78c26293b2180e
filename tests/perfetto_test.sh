#!/usr/bin/env bash
# Decodes the program's Perfetto traces with protoc: perfetto_test.sh FOLDER_OF_THE_SCHEMA PROGRAM.
# Checks that every field is in the schema, that tracks and interned strings are defined before they are used, that slices
# of a track are ordered and closed, and that events and bytes equal the CSV of the same CTAs.
set -euo pipefail
command -v protoc >/dev/null || { echo "skipped: no protoc: apt-get install protobuf-compiler" && exit 77; }
schema=$(readlink -f "$1") program=$(readlink -f "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# check FILE EVENTS BYTES KERNELS: checks a decoded trace against the counts of its CSV. Fields of a packet are ordered by
# number, so interned strings follow the event that uses them; a packet is checked at its end.
check() {
  awk -v events="$2" -v bytes="$3" -v kernels="$4" '
    function fail(message) { print FILENAME ":" FNR ": " message; failures++ }
    function judge(    i, part) {
      if (sequence != 1) fail("a packet of sequence " sequence)
      if ((packets == 1) != (flags == 1)) fail("packet " packets " has sequence flags " flags)
      for (i = 0; i < uses; i++) {
        if (!(use[i] in introduced)) fail("word " use[i] " is used before it is introduced")
        split(use[i], part, " ")
        if (part[1] == "argument" && introduced[use[i]] == "\"bytes\"") sum += value[i]
      }
      if (type == "") return
      if (!(track in tracks)) fail("track " track " is not described")
      if (time < latest[track]) fail("track " track " goes back to " time " from " latest[track])
      latest[track] = time
      if (type == "TYPE_SLICE_BEGIN") { slices++; if (open[track]++) fail("a slice of " track " is open") }
      if (type == "TYPE_SLICE_END" && --open[track]) fail("no slice of " track " is open")
      if (type == "TYPE_COUNTER") samples++
    }
    /^packet \{/ { packets++; sequence = flags = track = time = 0; type = ""; uses = 0; next }
    /^\}/ { judge(); next }
    /^ *[0-9]+(:| \{)/ { fail("the schema does not know " $0) }
    $1 == "trusted_packet_sequence_id:" { sequence = $2 }
    $1 == "sequence_flags:" { flags = $2 }
    $1 == "timestamp:" { time = $2 }
    $1 == "type:" { type = $2 }
    $1 == "track_uuid:" { track = $2 }
    $1 == "uuid:" { if ($2 in tracks) fail("track " $2 " is described twice"); tracks[$2] = 1 }
    $1 == "parent_uuid:" && !($2 in tracks) { fail("parent " $2 " is not described") }
    $1 == "category_iids:" { use[uses++] = "category " $2 }
    $1 == "debug_annotations" { in_argument = 1 }
    $1 == "name_iid:" { use[uses++] = (in_argument ? "argument " : "event ") $2; in_argument = 0 }
    $1 == "int_value:" { value[uses - 1] = $2 }
    $1 == "string_value_iid:" { use[uses++] = "word " $2 }
    $1 == "event_categories" { kind = "category" }
    $1 == "event_names" { kind = "event" }
    $1 == "debug_annotation_names" { kind = "argument" }
    $1 == "debug_annotation_string_values" { kind = "word" }
    $1 == "iid:" { number = $2 }
    $1 == "name:" && kind != "" {
      if ((kind " " number) in introduced) fail(kind " " number " is introduced twice")
      introduced[kind " " number] = substr($0, index($0, "\""))
      kind = ""
    }
    END {
      if (slices != events + kernels) fail(slices " slices, but " events " events of " kernels " kernels")
      if (sum != bytes) fail(sum " bytes, but " bytes " in the CSV")
      if (samples == 0) fail("no counter")
      for (track in open) if (open[track]) fail("a slice of " track " is never closed")
      exit failures > 0
    }' "$1"
}

for options in "--algorithm standard --causal --seqlen 300" "--algorithm flash1 --seqlen 500 --head-dim 40" \
  "--algorithm memory-efficient --window 9" "--causal --seqlen 4000 --gpu toy" "--dtype fp32 --seqlen 1" \
  "--pass forward+backward --dropout 0.1 --heads 4 --kv-heads 2 --seqlen 300" \
  "--algorithm standard --pass backward --dropout 0.1 --seqlen 200"; do
  # shellcheck disable=SC2086  # words
  "$program" simulate $options --trace trace.pftrace >table.txt
  # shellcheck disable=SC2086  # words
  "$program" simulate $options --trace trace.csv >table.txt
  protoc --decode=perfetto.protos.Trace -I "$schema" perfetto_subset.proto <trace.pftrace >decoded.txt
  read -r events bytes kernels < <(
    awk -F, 'NR > 1 { n++; bytes += $12; kernels[$1] } END { print n, bytes, length(kernels) }' trace.csv)
  check decoded.txt "$events" "$bytes" "$kernels" || { echo "FAILED: simulate $options" && exit 1; }
  echo "ok: simulate $options: $events events, $bytes bytes, $kernels kernels"
done
