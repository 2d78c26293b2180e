#include "viz/terminal/trace_file.h"

#include <limits>

#include "sim/base/check.h"
#include "sim/trace/chrome_json.h"
#include "sim/trace/perfetto.h"
#include "sim/trace/trace_csv.h"

namespace terminal {
namespace {

using Format = void (*)(const sim::Timeline&, const sim::Sink&);

/// The canonical text of each trace, one after the other.
void write_texts(const sim::Timeline& timeline, const sim::Sink& sink) {
  for (const sim::TimelineKernel& kernel : timeline.kernels) sim::write_text(kernel.trace, sink);
}

Format format_of(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (suffix == ".pftrace") return sim::write_perfetto;
  if (suffix == ".json") return sim::write_chrome_json;
  if (suffix == ".csv") return sim::write_trace_csv;
  if (suffix == ".txt") return write_texts;
  throw sim::Error(sim::text("trace: the suffix of \"", path.string(), "\" names no format: allowed are .pftrace ",
                             "(Perfetto), .json (Chrome), .csv and .txt"));
}

}  // namespace

std::vector<OwnOption> trace_options() {
  return {
      {"trace",
       "FILE",
       "write a trace of one CTA per kernel: .pftrace (for https://ui.perfetto.dev), .json (Chrome), .csv or .txt",
       {}},
      {"cta", "BATCH,HEAD,ROW,COL", "the CTA to trace, blocks counted from 0 [the last row of the first head]", {}}};
}

sim::CtaPlace parse_cta(const std::string& text) {
  sim::CtaPlace place;
  sim::WordStream in(text);
  std::string word;
  for (std::int64_t* number : {&place.batch, &place.head, &place.row, &place.col}) {
    sim::require(static_cast<bool>(std::getline(in, word, ',')), "cta: \"", text,
                 "\" is not BATCH,HEAD,ROW,COL: four whole numbers, for example 0,3,7,0");
    *number = sim::parse_whole_number("cta", word, 0, std::numeric_limits<std::int64_t>::max());
  }
  sim::require(in.eof(), "cta: \"", text, "\" has more than four numbers: BATCH,HEAD,ROW,COL is allowed");
  return place;
}

void write_trace(files::OutputFile& file, const sim::Plan& plan, const std::optional<sim::CtaPlace>& place) {
  const Format format = format_of(file.path());
  format(sim::replay_timeline(plan, place), [&](std::string_view piece) { file.write(piece); });
}

void add_asked_trace(files::OutputSet& outputs, const Arguments& arguments, const sim::Plan& plan) {
  const auto path = arguments.find("trace"), cta = arguments.find("cta");
  sim::require(path || !cta, "cta: chooses what --trace writes, and there is no --trace");
  if (!path) return;
  std::optional<sim::CtaPlace> place;
  if (cta) place = parse_cta(*cta);
  format_of(*path);  // an unknown suffix is said first
  write_trace(outputs.add(*path), plan, place);
}

}  // namespace terminal
