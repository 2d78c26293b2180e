#include "viz/model/progress.h"

#include <algorithm>

namespace explorer {
namespace {

Amounts operator+(const Amounts& a, const Amounts& b) {
  return {a.read_bytes + b.read_bytes, a.write_bytes + b.write_bytes, a.matmul_flops + b.matmul_flops,
          a.other_flops + b.other_flops};
}

Amounts amounts_of(const sim::Event& event) {
  const sim::Traffic traffic = sim::traffic_of(event);
  return {traffic.read.count(), traffic.written.count(), event.matmul_flops, event.other_flops};
}

bool does_something(const sim::Event& event) {
  return event.bytes != 0 || event.matmul_flops != 0 || event.other_flops != 0;
}

}  // namespace

Progress::Progress(const sim::Trace& trace) {
  std::vector<const sim::Event*> events;
  for (const sim::Event& event : trace.events) {
    if (does_something(event)) events.push_back(&event);
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const sim::Event* a, const sim::Event* b) { return a->end < b->end; });
  for (const sim::Event* event : events) {
    ends_.push_back(event->end);
    after_.push_back(all() + amounts_of(*event));
  }
}

Amounts Progress::at(sim::Cycles time) const {
  const auto next = std::upper_bound(ends_.begin(), ends_.end(), time) - ends_.begin();
  return next == 0 ? Amounts{} : after_[static_cast<std::size_t>(next - 1)];
}

sim::Cycles Progress::moved(double bytes) const {
  if (bytes <= 0 || ends_.empty()) return {};
  const auto found =
      std::partition_point(after_.begin(), after_.end(), [&](const Amounts& sum) { return sum.bytes() < bytes; });
  return found == after_.end() ? ends_.back() : ends_[static_cast<std::size_t>(found - after_.begin())];
}

}  // namespace explorer
