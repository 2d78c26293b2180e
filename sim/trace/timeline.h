// A sequence of kernels on a time axis, as trace viewers draw it: tracks with slices, and counters. Plain data, with
// one walk() that all exporters for viewers share, so that all files show the same.
//
// One CTA of each kernel is drawn, one after the other: a kernel starts when the previous CTA has ended.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/text.h"
#include "sim/trace/trace.h"

namespace sim {

/// One kernel: the trace of the replayed CTA, and the kernel's description.
struct TimelineKernel {
  Trace trace;
  std::string place;                         ///< "CTA: batch 0, head 3, row block 7, column block 0"
  std::int64_t ctas = 1;                     ///< number in the grid
  Bytes live_hbm;                            ///< bytes of all tensors that exist while the kernel runs
  std::map<std::int32_t, std::string> code;  ///< listing lines that its events name
};

struct Timeline {
  std::string title;
  std::int64_t clock_hz = 0;
  std::vector<TimelineKernel> kernels;
};

/// Converts cycles to nanoseconds, rounded down: the order of times is kept, so slices stay ordered and nested. Throws
/// Error for a clock outside 1 Hz to 10 GHz.
std::int64_t nanoseconds(Cycles time, std::int64_t clock_hz);

/// End of the last event of a replayed CTA, since the CTA started.
Cycles end_of(const Trace& trace);

/// A property of a slice. A `word` recurs often (the name of a tensor); a `text` hardly ever does.
struct Argument {
  enum class Kind : std::uint8_t { number, word, text };
  std::string_view name;
  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::string_view text;
};

/// Processes group tracks: 1 the sequence of kernels, 2 the first kernel, 3 the second.
struct Track {
  enum class Kind : std::uint8_t { process, slices, byte_counter };
  Kind kind = Kind::process;
  int process = 1;
  int number = 0;  ///< within its process, below 100; 0 for the process itself
  std::string name;
  std::int64_t id() const { return std::int64_t{process} * 100 + number; }  ///< unique, not 0
};

/// An interval on a track, in nanoseconds. Slices of one track are in order and do not overlap.
struct Slice {
  const Track& track;
  std::int64_t begin = 0, end = 0;
  std::string_view category, name;
  std::span<const Argument> arguments;
};

/// The value of a counter from a time in nanoseconds on.
struct CounterSample {
  const Track& track;
  std::int64_t at = 0;
  std::int64_t bytes = 0;
};

/// Interface of an exporter. A track precedes its slices and samples, which are in the order of time.
class TimelineWriter {
 public:
  virtual ~TimelineWriter() = default;
  virtual void track(const Track& track) = 0;
  virtual void slice(const Slice& slice) = 0;
  virtual void sample(const CounterSample& sample) = 0;
};

/// Passes a timeline to an exporter. Process "kernels": one slice per kernel, and the counter "HBM memory". One process
/// per kernel: a track for each engine that it uses, with a slice [begin, released) for each event (the remaining time
/// until the result is ready is the argument latency_ns); for a scheduled replay the track "waits", with a slice for
/// each wait, named by its cause; and counters "SMEM" and "registers". A counter changes at the largest begin of the
/// events issued before the change. O(events log events).
void walk(const Timeline& timeline, TimelineWriter& writer);

/// "full K 0": the name of a barrier, in traces for other tools.
inline std::string text_of(const TraceBarrier& barrier) { return text(name_of(barrier.kind), " ", barrier.name); }

}  // namespace sim
