#include "sim/trace/timeline.h"

#include <algorithm>
#include <array>

namespace sim {

std::int64_t nanoseconds(Cycles time, std::int64_t clock_hz) {
  constexpr std::int64_t nano = 1'000'000'000, most_hz = 10 * nano;
  require(clock_hz >= 1 && clock_hz <= most_hz, "timeline: a clock of ", clock_hz, " Hz, allowed are 1 to ", most_hz);
  static_assert(nano % ticks_per_cycle == 0);
  const std::int64_t ticks_per_second = clock_hz * ticks_per_cycle;
  const std::int64_t seconds = time.count() / ticks_per_second;
  const auto rest = static_cast<std::uint64_t>(time.count() % ticks_per_second);  // its product needs the 64th bit
  const std::uint64_t within = rest * (nano / ticks_per_cycle) / static_cast<std::uint64_t>(clock_hz);
  return checked_add(checked_multiply(seconds, nano), static_cast<std::int64_t>(within));
}

Cycles end_of(const Trace& trace) {
  Cycles end;
  for (const Event& event : trace.events) end = std::max(end, event.end);
  return end;
}

namespace {

using Kind = Argument::Kind;

/// The arguments of one slice and the texts that they point to, used again for the next one.
class Arguments {
 public:
  void clear() { used_ = texts_ = 0; }
  void number(std::string_view name, std::int64_t value) { list_.at(used_++) = {name, Kind::number, value, {}}; }
  void number_unless_0(std::string_view name, std::int64_t value) {
    if (value != 0) number(name, value);
  }
  void word(std::string_view name, std::string_view value) { list_.at(used_++) = {name, Kind::word, 0, value}; }
  /// A text to fill.
  std::string& fresh_text() {
    std::string& text = storage_.at(texts_++);
    text.clear();
    return text;
  }
  void text(std::string_view name, std::string_view value) { list_.at(used_++) = {name, Kind::text, 0, value}; }
  std::span<const Argument> all() const { return {list_.data(), used_}; }

 private:
  std::array<Argument, 24> list_;
  std::array<std::string, 8> storage_;
  std::size_t used_ = 0, texts_ = 0;
};

/// Name of the argument with the time that neighbours took from a slice.
std::string_view delay_name(Cause cause) {
  switch (cause) {
    case Cause::tensor_busy:
      return "tensor_busy_ns";
    case Cause::fp32_busy:
      return "fp32_busy_ns";
    case Cause::exp_busy:
      return "exp_busy_ns";
    case Cause::smem_busy:
      return "smem_busy_ns";
    default:
      return "issue_busy_ns";
  }
}

/// "[64, 96)"
void add_range(Arguments& arguments, std::string_view name, const Axis& axis) {
  std::string& text = arguments.fresh_text();
  text.append("[").append(std::to_string(axis.begin)).append(", ");
  text.append(std::to_string(axis.begin + axis.size)).append(")");
  arguments.text(name, text);
}

void add_operands(Arguments& arguments, const Event& event) {
  std::string& text = arguments.fresh_text();
  for (const std::int32_t operand : event.operands) {
    if (operand == no_event) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(operand);
  }
  if (!text.empty()) arguments.text("waits_for_events", text);
}

/// Draws one kernel from `start` on.
class KernelDrawing {
 public:
  KernelDrawing(const Timeline& timeline, std::size_t kernel, Cycles start, TimelineWriter& writer)
      : kernel_(timeline.kernels[kernel]),
        clock_hz_(timeline.clock_hz),
        process_(static_cast<int>(kernel) + 2),
        start_(start),
        writer_(writer) {}

  void draw() {
    add_track({Track::Kind::process, process_, 0, kernel_.trace.kernel + " (" + kernel_.place + ")"});
    for (std::size_t role = 0; role < std::max<std::size_t>(1, kernel_.trace.roles.size()); ++role) {
      draw_events(role);
      draw_waits(role);
    }
    draw_counter("SMEM", engine_count + 2, &OccupancySample::smem);
    draw_counter("registers", engine_count + 3, &OccupancySample::registers);
  }

 private:
  Track add_track(Track track) {
    writer_.track(track);
    return track;
  }
  std::int64_t at(Cycles time) const { return nanoseconds(start_ + time, clock_hz_); }
  Track add_track_of(std::size_t role, int number, std::string_view what);
  void draw_events(std::size_t role);
  void draw_event(std::size_t index, const Track& track);
  void draw_waits(std::size_t role);
  void set_name(const Event& event);
  void add_time(std::size_t index);
  void add_line(const Event& event);
  void add_arguments(const Event& event, std::int64_t latency);
  void draw_counter(std::string_view name, int number, Bytes OccupancySample::*held);

  const TimelineKernel& kernel_;
  std::int64_t clock_hz_;
  int process_;
  Cycles start_;
  TimelineWriter& writer_;
  Arguments arguments_;
  std::string name_, barrier_;  // arguments point into them
};

/// A track of a role, whose name precedes that of what it shows; of all warps where there is one role.
Track KernelDrawing::add_track_of(std::size_t role, int number, std::string_view what) {
  const std::vector<TraceRole>& roles = kernel_.trace.roles;
  const std::string name = roles.empty() ? std::string(what) : text(roles.at(role).name, ": ", what);
  constexpr int tracks_of_role = engine_count + 4;
  return add_track({Track::Kind::slices, process_, static_cast<int>(role) * tracks_of_role + number, name});
}

/// Engine by engine in the order of time: copies may run ahead of the order of issue.
void KernelDrawing::draw_events(std::size_t role) {
  const std::vector<Event>& events = kernel_.trace.events;
  std::array<std::vector<std::size_t>, engine_count> indices;
  for (std::size_t n = 0; n < events.size(); ++n) {
    if (events[n].role == role) indices[static_cast<std::size_t>(events[n].engine)].push_back(n);
  }
  const auto earlier = [&](std::size_t a, std::size_t b) { return events[a].begin < events[b].begin; };
  for (std::size_t e = 0; e < indices.size(); ++e) {
    if (indices[e].empty()) continue;
    if (!std::is_sorted(indices[e].begin(), indices[e].end(), earlier)) {
      std::stable_sort(indices[e].begin(), indices[e].end(), earlier);
    }
    const Track track = add_track_of(role, static_cast<int>(e) + 1, name_of(static_cast<Engine>(e)));
    for (const std::size_t index : indices[e]) draw_event(index, track);
  }
}

void KernelDrawing::draw_event(std::size_t index, const Track& track) {
  const Event& event = kernel_.trace.events[index];
  const std::int64_t released = at(event.released);
  set_name(event);
  arguments_.clear();
  arguments_.number("event", static_cast<std::int64_t>(index));
  add_arguments(event, at(event.end) - released);
  add_time(index);
  writer_.slice({track, at(event.begin), released, name_of(event.verb), name_, arguments_.all()});
}

void KernelDrawing::draw_waits(std::size_t role) {
  const Trace& trace = kernel_.trace;
  if (trace.waits.empty()) return;
  const Track track = add_track_of(role, engine_count + 1, "waits");
  for (const WaitSpan& wait : trace.waits) {
    const Event& event = trace.events.at(static_cast<std::size_t>(wait.event));
    if (event.role != role) continue;
    arguments_.clear();
    arguments_.word("cause", name_of(wait.cause));
    arguments_.number("event", wait.event);
    add_line(event);
    if (wait.awaited == no_event) {
      add_operands(arguments_, event);
    } else {
      set_name(trace.events.at(static_cast<std::size_t>(wait.awaited)));
      arguments_.word("waits_for", name_);
      arguments_.number("waits_for_event", wait.awaited);
    }
    writer_.slice({track, at(wait.begin), at(wait.end), "wait", name_of(wait.cause), arguments_.all()});
  }
}

/// "load K"
void KernelDrawing::set_name(const Event& event) {
  name_.assign(name_of(event.verb));
  if (event.tensor != Tensor::none) name_.append(" ").append(name_of(event.tensor));
}

/// Adds the causes of a scheduled event's time.
void KernelDrawing::add_time(std::size_t index) {
  const Trace& trace = kernel_.trace;
  const Event& event = trace.events[index];
  if (trace.waits.empty() || event.direction != Direction::none || event.engine == Engine::barrier) return;
  arguments_.word("slowest_on", name_of(event.cause));
  const auto number = static_cast<std::int32_t>(index);
  auto delay = std::lower_bound(trace.delays.begin(), trace.delays.end(), number,
                                [](const Delay& d, std::int32_t n) { return d.event < n; });
  for (; delay != trace.delays.end() && delay->event == number; ++delay) {
    arguments_.number(delay_name(delay->cause), nanoseconds(delay->time, clock_hz_));
  }
}

void KernelDrawing::add_line(const Event& event) {
  arguments_.word("kernel", kernel_.trace.kernel);
  arguments_.number("line", event.line);
  const auto code = kernel_.code.find(event.line);
  if (code != kernel_.code.end()) arguments_.word("code", code->second);
}

void KernelDrawing::add_arguments(const Event& event, std::int64_t latency) {
  arguments_.word("tensor", name_of(event.tensor));
  add_range(arguments_, "rows", event.rows);
  add_range(arguments_, "cols", event.cols);
  if (event.direction != Direction::none) {
    arguments_.word("direction", name_of(event.direction));
    arguments_.word("bucket", name_of(event.bucket));
  }
  arguments_.number_unless_0("bytes", event.bytes);
  arguments_.number_unless_0("matmul_flops", event.matmul_flops);
  arguments_.number_unless_0("other_flops", event.other_flops);
  arguments_.number_unless_0("exps", event.exps);
  arguments_.number_unless_0("tanhs", event.tanhs);
  arguments_.number_unless_0("latency_ns", latency);
  arguments_.number_unless_0("role", event.role);
  arguments_.number_unless_0("head_of_group", event.head);
  if (event.sync.barrier >= 0) {
    barrier_ = text_of(kernel_.trace.barriers.at(static_cast<std::size_t>(event.sync.barrier)));
    arguments_.word("barrier", barrier_);
    arguments_.number("phase", event.sync.phase);
  }
  arguments_.number_unless_0("transaction_bytes", event.sync.bytes);
  add_line(event);
  add_operands(arguments_, event);
}

void KernelDrawing::draw_counter(std::string_view name, int number, Bytes OccupancySample::*held) {
  const std::vector<Event>& events = kernel_.trace.events;
  const Track track = add_track({Track::Kind::byte_counter, process_, number, std::string(name)});
  Bytes before;
  writer_.sample({track, at(Cycles{}), 0});
  Cycles latest;
  std::size_t seen = 0;
  for (const OccupancySample& sample : kernel_.trace.occupancy) {
    for (; seen < static_cast<std::size_t>(sample.events); ++seen) latest = std::max(latest, events.at(seen).begin);
    if (sample.*held != before) writer_.sample({track, at(latest), (sample.*held).count()});
    before = sample.*held;
  }
}

void add_arguments_of(Arguments& arguments, const TimelineKernel& kernel) {
  Totals totals;
  add_to(totals, kernel.trace);
  arguments.word("shown", kernel.place);
  arguments.number("ctas_in_grid", kernel.ctas);
  arguments.number("read_bytes_of_cta", totals.total.read.count());
  arguments.number("written_bytes_of_cta", totals.total.written.count());
  arguments.number("events", static_cast<std::int64_t>(kernel.trace.events.size()));
  arguments.number("peak_smem_bytes", kernel.trace.peak_smem.count());
  arguments.number("peak_register_bytes", kernel.trace.peak_registers.count());
  arguments.number("live_hbm_bytes", kernel.live_hbm.count());
}

/// The process "kernels".
void draw_sequence(const Timeline& timeline, TimelineWriter& writer) {
  const Track process{Track::Kind::process, 1, 0, "kernels"}, slices{Track::Kind::slices, 1, 1, timeline.title},
      memory{Track::Kind::byte_counter, 1, 2, "HBM memory"};
  for (const Track& track : {process, slices, memory}) writer.track(track);
  Cycles start;
  Arguments arguments;
  for (const TimelineKernel& kernel : timeline.kernels) {
    const std::int64_t begin = nanoseconds(start, timeline.clock_hz);
    start += end_of(kernel.trace);
    arguments.clear();
    add_arguments_of(arguments, kernel);
    writer.slice(
        {slices, begin, nanoseconds(start, timeline.clock_hz), "kernel", kernel.trace.kernel, arguments.all()});
    writer.sample({memory, begin, kernel.live_hbm.count()});
  }
}

}  // namespace

void walk(const Timeline& timeline, TimelineWriter& writer) {
  draw_sequence(timeline, writer);
  Cycles start;
  for (std::size_t kernel = 0; kernel < timeline.kernels.size(); ++kernel) {
    KernelDrawing(timeline, kernel, start, writer).draw();
    start += end_of(timeline.kernels[kernel].trace);
  }
}

}  // namespace sim
