#include "sim/machine/cta_record.h"

#include <algorithm>

namespace sim {

void CtaRecord::span(std::size_t task, double begin, double end, double ready) {
  spans[task] = {nearest_tick(begin), nearest_tick(end), nearest_tick(ready)};
}

void CtaRecord::add(WaitSpan wait) {
  if (wait.end > wait.begin) waits.push_back(wait);
}

void CtaRecord::wait(std::size_t task, Cause cause, double begin, double end) {
  add({nearest_tick(begin), nearest_tick(end), cause, static_cast<std::int32_t>(task), -1});
}

void CtaRecord::wait_for_copy(std::size_t task, std::int32_t copy, double begin, double transferred, double end) {
  const Cycles from = nearest_tick(begin), to = nearest_tick(end);
  const Cycles between = std::clamp(nearest_tick(transferred), from, to);
  add({from, between, Cause::bandwidth, static_cast<std::int32_t>(task), copy});
  add({between, to, Cause::data, static_cast<std::int32_t>(task), copy});
}

void CtaRecord::sort() {
  std::stable_sort(waits.begin(), waits.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::stable_sort(delays.begin(), delays.end(), [](const auto& a, const auto& b) { return a.event < b.event; });
}

void CtaRecord::delays_of(std::size_t task, const std::array<double, pipe_count>& cycles_by_pipe) {
  for (int p = 0; p < pipe_count; ++p) {
    const Cycles time = nearest_tick(cycles_by_pipe[static_cast<std::size_t>(p)]);
    if (time > Cycles{}) delays.push_back({static_cast<std::int32_t>(task), busy(static_cast<Pipe>(p)), time});
  }
}

}  // namespace sim
