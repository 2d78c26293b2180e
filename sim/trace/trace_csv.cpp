#include "sim/trace/trace_csv.h"

#include "sim/trace/decimal.h"

namespace sim {
namespace {

constexpr std::string_view header =
    "kernel,event,line,verb,tensor,rows_begin,rows_end,cols_begin,cols_end,bucket,direction,bytes,matmul_flops,"
    "other_flops,exps,engine,role,head_of_group,begin_cycles,released_cycles,end_cycles,waits_for_events\n";

/// The fields of one row.
class Row {
 public:
  explicit Row(std::string& out) : out_(out) {}
  Row& operator<<(std::int64_t number) {
    separate();
    append_number(out_, number);
    return *this;
  }
  Row& operator<<(Cycles time) {
    separate();
    append_cycles(out_, time);
    return *this;
  }
  Row& operator<<(std::string_view field) {
    separate();
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
      out_ += field;
      return *this;
    }
    out_ += '"';
    for (const char c : field) out_.append(c == '"' ? 2 : 1, c);
    out_ += '"';
    return *this;
  }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  std::string& out_;
  bool first_ = true;
};

/// "0 4"
void append_operands(std::string& out, const Event& event) {
  char separator = ',';
  for (const std::int32_t operand : event.operands) {
    if (operand == no_event) continue;
    out += separator;
    append_number(out, operand);
    separator = ' ';
  }
  if (separator == ',') out += ',';
  out += '\n';
}

void append_row(std::string& out, const Trace& trace, std::size_t index) {
  const Event& e = trace.events[index];
  Row row(out);
  row << trace.kernel << static_cast<std::int64_t>(index) << std::int64_t{e.line} << name_of(e.verb)
      << name_of(e.tensor) << e.rows.begin << e.rows.begin + e.rows.size << e.cols.begin << e.cols.begin + e.cols.size
      << name_of(e.bucket) << name_of(e.direction) << e.bytes << e.matmul_flops << e.other_flops << e.exps
      << name_of(e.engine) << std::int64_t{e.role} << std::int64_t{e.head} << e.begin << e.released << e.end;
  append_operands(out, e);
}

}  // namespace

void write_trace_csv(const Timeline& timeline, const Sink& sink) {
  Pieces pieces(sink);
  pieces.text() += header;
  for (const TimelineKernel& kernel : timeline.kernels) {
    for (std::size_t index = 0; index < kernel.trace.events.size(); ++index) {
      append_row(pieces.text(), kernel.trace, index);
      pieces.next();
    }
  }
  pieces.finish();
}

}  // namespace sim
