#include "sim/trace/trace_csv.h"

#include "sim/trace/decimal.h"

namespace sim {
namespace {

constexpr std::string_view header =
    "kernel,event,line,verb,tensor,rows_begin,rows_end,cols_begin,cols_end,bucket,direction,bytes,matmul_flops,"
    "other_flops,exps,engine,role,head_of_group,begin_cycles,released_cycles,end_cycles,waits_for_events,cause,"
    "busy_cycles,barrier,phase\n";

/// The fields of one row.
class CsvRow {
 public:
  explicit CsvRow(std::string& out) : out_(out) {}
  CsvRow& operator<<(std::int64_t number) {
    separate();
    append_number(out_, number);
    return *this;
  }
  CsvRow& operator<<(Cycles time) {
    separate();
    append_cycles(out_, time);
    return *this;
  }
  CsvRow& operator<<(std::string_view field) {
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

/// Appends operands as ",0 4".
void append_operands(std::string& out, const Event& event) {
  char separator = ',';
  for (const std::int32_t operand : event.operands) {
    if (operand == no_event) continue;
    out += separator;
    append_number(out, operand);
    separator = ' ';
  }
  if (separator == ',') out += ',';
}

void append_row(std::string& out, std::string_view kernel, std::int64_t number, const Event& e,
                std::string_view track) {
  CsvRow row(out);
  row << kernel << number << std::int64_t{e.line} << name_of(e.verb) << name_of(e.tensor) << e.rows.begin
      << e.rows.begin + e.rows.size << e.cols.begin << e.cols.begin + e.cols.size << name_of(e.bucket)
      << name_of(e.direction) << e.bytes << e.matmul_flops << e.other_flops << e.exps << track << std::int64_t{e.role}
      << std::int64_t{e.head} << e.begin << e.released << e.end;
  append_operands(out, e);
}

void append_time(std::string& out, std::string_view cause, Cycles busy) {
  out.append(",").append(cause).append(",");
  append_cycles(out, busy);
}

/// Appends the barrier at which an event waits or arrives, and its phase; two empty fields if there is none.
void append_barrier(std::string& out, const Trace& trace, const Sync& sync) {
  out += ',';
  if (sync.barrier >= 0) out += text_of(trace.barriers.at(static_cast<std::size_t>(sync.barrier)));
  out += ',';
  if (sync.barrier >= 0) append_number(out, sync.phase);
  out += '\n';
}

/// Appends the row of an event. `delay` is the index of the first delay of this event or a later one; advances to the
/// next event's.
void append_event(std::string& out, const Trace& trace, std::size_t index, std::size_t& delay) {
  const Event& event = trace.events[index];
  append_row(out, trace.kernel, static_cast<std::int64_t>(index), event, name_of(event.engine));
  Cycles busy;
  for (; delay < trace.delays.size() && trace.delays[delay].event == static_cast<std::int32_t>(index); ++delay) {
    busy += trace.delays[delay].time;
  }
  const bool works = event.direction == Direction::none && event.engine != Engine::barrier;
  append_time(out, works && !trace.waits.empty() ? name_of(event.cause) : std::string_view(), busy);
  append_barrier(out, trace, event.sync);
}

void append_wait(std::string& out, const Trace& trace, const WaitSpan& wait) {
  Event event = trace.events.at(static_cast<std::size_t>(wait.event));
  event.verb = Verb::wait;
  event.direction = Direction::none;
  event.bytes = event.matmul_flops = event.other_flops = event.exps = 0;
  event.begin = wait.begin;
  event.released = event.end = wait.end;
  if (wait.awaited != no_event) {
    event.operands.fill(no_event);
    event.operands[0] = wait.awaited;
  }
  append_row(out, trace.kernel, wait.event, event, "waits");
  append_time(out, name_of(wait.cause), Cycles{});
  append_barrier(out, trace, event.sync);
}

}  // namespace

void write_trace_csv(const Timeline& timeline, const Sink& sink) {
  Pieces pieces(sink);
  pieces.text() += header;
  for (const TimelineKernel& kernel : timeline.kernels) {
    std::size_t delay = 0;
    for (std::size_t index = 0; index < kernel.trace.events.size(); ++index) {
      append_event(pieces.text(), kernel.trace, index, delay);
      pieces.next();
    }
    for (const WaitSpan& wait : kernel.trace.waits) {
      append_wait(pieces.text(), kernel.trace, wait);
      pieces.next();
    }
  }
  pieces.finish();
}

}  // namespace sim
