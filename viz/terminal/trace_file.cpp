#include "viz/terminal/trace_file.h"

#include <limits>

#include "sim/base/check.h"
#include "sim/catalogue/typed_values.h"
#include "sim/trace/trace_format.h"

namespace terminal {
namespace {

sim::TraceFormat format_of(const std::filesystem::path& path) {
  return sim::trace_format(path.extension().string(), path.string());
}

}  // namespace

std::vector<CommandOption> trace_options() {
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
    *number = sim::typed_whole_number("cta", word, 0, std::numeric_limits<std::int64_t>::max());
  }
  sim::require(in.eof(), "cta: \"", text, "\" has more than four numbers: BATCH,HEAD,ROW,COL is allowed");
  return place;
}

void write_trace(files::OutputFile& file, const sim::Plan& plan, const std::optional<sim::CtaPlace>& place) {
  const sim::TraceFormat format = format_of(file.path());
  format(sim::replay_timeline(plan, place), [&](std::string_view piece) { file.write(piece); });
}

void add_asked_trace(files::OutputSet& outputs, const Arguments& arguments, const sim::Plan& plan) {
  const auto path = arguments.find("trace"), cta = arguments.find("cta");
  sim::require(path || !cta, "cta: selects the CTA that --trace writes: add --trace");
  if (!path) return;
  std::optional<sim::CtaPlace> place;
  if (cta) place = parse_cta(*cta);
  format_of(*path);  // reports an unknown suffix first
  write_trace(outputs.add(*path), plan, place);
}

}  // namespace terminal
