#include "sim/trace/trace.h"

#include "sim/base/check.h"

namespace sim {

Traffic& Traffic::operator+=(const Traffic& other) {
  read += other.read;
  written += other.written;
  return *this;
}

Traffic Totals::tensor(Tensor t) const {
  const auto found = by_tensor.find(t);
  return found == by_tensor.end() ? Traffic{} : found->second;
}

Bytes TraceRole::register_bytes() const {
  constexpr std::int64_t bytes_each = 4;
  return Bytes(product(threads, registers, bytes_each));
}

Traffic traffic_of(const Event& event) {
  const Bytes bytes = Bytes(event.bytes) * event.times;
  if (event.direction == Direction::read) return {bytes, Bytes{}};
  if (event.direction == Direction::write) return {Bytes{}, bytes};
  if (event.direction == Direction::both) return {bytes, bytes};
  return {};
}

void add_to(Totals& totals, const Trace& trace) {
  for (const Event& event : trace.events) {
    totals.matmul_flops += Flops(event.matmul_flops) * event.times;
    totals.other_flops += Flops(event.other_flops) * event.times;
    totals.exps += Exps(event.exps) * event.times;
    totals.tanhs += Exps(event.tanhs) * event.times;
    if (event.direction == Direction::none) continue;
    const Traffic moved = traffic_of(event);
    totals.by_bucket[static_cast<std::size_t>(event.bucket)] += moved;
    totals.by_tensor[event.tensor] += moved;
    totals.by_line[{trace.kernel, event.line}] += moved;
    totals.total += moved;
    if (event.verb == Verb::atomic_add) totals.atomic += moved.written;
  }
}

std::string_view name_of(BarrierKind kind) {
  constexpr std::array<std::string_view, 3> names = {"full", "empty", "turn"};
  return names.at(static_cast<std::size_t>(kind));
}

namespace {

void write_sync(std::ostream& out, const Sync& sync) {
  if (sync.barrier >= 0) out << " barrier " << sync.barrier << " phase " << sync.phase;
  if (sync.bytes > 0) out << " transaction " << sync.bytes;
  if (sync.after_products) out << " after products";
  if (sync.under_way >= 0) out << " products " << sync.under_way;
}

void write_axis(std::ostream& out, const Axis& axis) {
  out << axis.index << '[' << axis.begin << ',' << axis.begin + axis.size << ")@" << name_of(axis.origin);
}

void write_event(std::ostream& out, const Trace& trace, const Event& event) {
  out << event.line << ' ' << name_of(event.verb) << ' ' << name_of(event.tensor) << ' ';
  write_axis(out, event.rows);
  out << ' ';
  write_axis(out, event.cols);
  if (event.head != 0) out << " head " << event.head;
  out << ' ' << name_of(event.bucket) << " bytes " << event.bytes << " flops " << event.matmul_flops << '+'
      << event.other_flops << " exps " << event.exps << " times " << event.times << " role " << int{event.role} << ' '
      << name_of(event.engine) << ' ' << event.begin.count() << ".." << event.end.count();
  write_sync(out, event.sync);
  const bool works = event.direction == Direction::none && event.engine != Engine::barrier;
  if (!trace.waits.empty() && works) out << " on " << name_of(event.cause);
  if (event.tanhs != 0) out << " tanhs " << event.tanhs;
  out << " after";
  for (const std::int32_t operand : event.operands) {
    if (operand != no_event) out << ' ' << operand;
  }
  out << '\n';
}

void write_wait(std::ostream& out, const WaitSpan& wait) {
  out << "wait " << wait.event << ' ' << name_of(wait.cause) << ' ' << wait.begin.count() << ".." << wait.end.count();
  if (wait.awaited != no_event) out << " for " << wait.awaited;
  out << '\n';
}

void write_delay(std::ostream& out, const Delay& delay) {
  out << "delay " << delay.event << ' ' << name_of(delay.cause) << ' ' << delay.time.count() << '\n';
}

}  // namespace

std::string to_text(const Trace& trace) {
  std::string all;
  write_text(trace, [&](std::string_view piece) { all += piece; });
  return all;
}

void write_text(const Trace& trace, const Sink& sink) {
  TextStream out;
  const auto hand_over = [&](std::size_t least) {
    if (out.tellp() < static_cast<std::streamoff>(least)) return;
    sink(out.str());
    out.str("");
  };
  const auto write_all = [&](const auto& lines, auto write) {
    for (const auto& line : lines) {
      write(line);
      hand_over(piece_size);
    }
  };
  out << "kernel " << trace.kernel << " listing " << trace.listing << " smem " << trace.peak_smem.count()
      << " registers " << trace.peak_registers.count() << '\n';
  write_all(trace.events, [&](const Event& event) { write_event(out, trace, event); });
  write_all(trace.waits, [&](const WaitSpan& wait) { write_wait(out, wait); });
  write_all(trace.delays, [&](const Delay& delay) { write_delay(out, delay); });
  hand_over(0);
}

}  // namespace sim
