#include "sim/trace/trace_format.h"

#include "sim/base/check.h"
#include "sim/trace/chrome_json.h"
#include "sim/trace/perfetto.h"
#include "sim/trace/trace_csv.h"

namespace sim {
namespace {

/// Writes the canonical text of each trace, one after the other.
void write_texts(const Timeline& timeline, const Sink& sink) {
  for (const TimelineKernel& kernel : timeline.kernels) write_text(kernel.trace, sink);
}

}  // namespace

TraceFormat trace_format(std::string_view suffix, std::string_view path) {
  if (suffix == ".pftrace") return write_perfetto;
  if (suffix == ".json") return write_chrome_json;
  if (suffix == ".csv") return write_trace_csv;
  if (suffix == ".txt") return write_texts;
  throw Error("trace: the suffix of \"", path, "\" names no format: allowed are .pftrace ",
              "(Perfetto), .json (Chrome), .csv and .txt");
}

}  // namespace sim
