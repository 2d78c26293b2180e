// A trace of one CTA of each kernel as a file for another tool; the suffix of its name chooses the format.
#pragma once
#include <optional>

#include "sim/model/replayed_timeline.h"
#include "viz/terminal/arguments.h"
#include "viz/terminal/output_file.h"

namespace terminal {

/// --trace and --cta.
std::vector<OwnOption> trace_options();

/// "0,3,7,0": batch, head, row block, column block. Throws sim::Error when it is not four whole numbers.
sim::CtaPlace parse_cta(const std::string& text);

/// Opened before the work starts; nothing is left behind unless commit() is reached. Throws sim::Error for an unknown
/// suffix (.pftrace, .json, .csv and .txt are known) and for a path that cannot be written.
class TraceFile {
 public:
  explicit TraceFile(std::filesystem::path path);
  /// Replays the CTAs and writes them. Throws sim::Error for a place outside the grid and on a full disk.
  void write(const sim::Plan& plan, const std::optional<sim::CtaPlace>& place);
  void commit() { file_.commit(); }
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void (*format_)(const sim::Timeline&, const sim::Sink&);
  OutputFile file_;
};

/// What --trace and --cta ask for, written; none without --trace. Throws sim::Error for --cta without --trace.
std::optional<TraceFile> write_asked_trace(const Arguments& arguments, const sim::Plan& plan);

}  // namespace terminal
