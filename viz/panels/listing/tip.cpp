// Tooltip of a listing line.
#include "sim/report/numbers.h"
#include "viz/panels/description.h"
#include "viz/panels/listing/rows.h"
#include "viz/panels/scenario/number.h"

namespace explorer {
namespace {

/// "flash1.cpp, line 19. In the paper: line 8 of Dao et al. 2022, Algorithms 1 and 2"
std::string where(const View& view, const ListingLine& line) {
  const Subject& subject = view.subject();
  const Listing& listing = subject.run->listings[subject.replay->kernel];
  const std::string_view file = listing.file.substr(listing.file.rfind('/') + 1);
  if (line.reference.empty() || line.reference == "bytes") return view.say("{}, line {}", file, line.number);
  return view.say("{}, line {}; in the paper {}", file, line.number, line.reference);
}

/// "S (Br, Bc): 128 × 128, in registers"
std::string shape(const View& view, const ListingLine& line) {
  const sim::Event& sample = line.work->sample;
  const std::string size = sim::text(sim::name_of(sample.tensor), line.shape.empty() ? "" : " " + line.shape, ": ",
                                     sample.rows.size, " × ", sample.cols.size);
  if (sample.level == sim::Level::smem) return view.say("{}, in shared memory", size);
  if (sample.level == sim::Level::registers) return view.say("{}, in registers", size);
  return view.say("{}, in HBM", size);
}

void add_amounts(const View& view, const LineWork& work, std::vector<std::string>& lines) {
  const std::int64_t read = work.traffic.read.count(), written = work.traffic.written.count();
  if (read > 0 && written > 0) {
    lines.push_back(
        view.say("{} read and {} written across the SRAM boundary", report::bytes(read), report::bytes(written)));
  } else if (read > 0) {
    lines.push_back(view.say("{} read across the SRAM boundary", report::bytes(read)));
  } else if (written > 0) {
    lines.push_back(view.say("{} written across the SRAM boundary", report::bytes(written)));
  }
  if (work.matmul_flops > 0) lines.push_back(view.say("{} of matrix products", report::flops(work.matmul_flops)));
  if (work.other_flops > 0) lines.push_back(view.say("{} element by element", report::flops(work.other_flops)));
  if (work.exps > 0) lines.push_back(view.say("{} exponentials", report::thousands(work.exps)));
  if (work.tanhs > 0) lines.push_back(view.say("{} tanh", report::thousands(work.tanhs)));
}

/// Adds the events and times of the line in the CTA in view.
void add_replayed(const View& view, const ListingLine& line, std::vector<std::string>& lines) {
  const Subject& subject = view.subject();
  const LineIndex& index = subject.replay->lines;
  const std::size_t events = index.events(line.number).size();
  if (events == 0) {
    lines.emplace_back(view.say("this CTA does not run the line"));
    return;
  }
  lines.push_back(view.say("this CTA: {} times, {} of its engine", report::thousands(static_cast<std::int64_t>(events)),
                           number_text("time.microseconds", subject.microseconds(index.busy(line.number)))));
}

}  // namespace

std::vector<std::string> describe_line(const View& view, const ListingLine& line) {
  std::vector<std::string> lines = {line.code, where(view, line)};
  if (!line.work) {
    if (!line.runs) lines.emplace_back(view.say("not in this run"));
    return lines;
  }
  lines.push_back(shape(view, line));
  lines.push_back(
      view.say("verb {}: {}", verb_word(view.state.look.language, line.work->sample.verb), note_of(view, line)));
  lines.push_back(view.say("whole grid: {} times", report::thousands(line.work->times)));
  add_amounts(view, *line.work, lines);
  add_replayed(view, line, lines);
  return lines;
}

}  // namespace explorer
