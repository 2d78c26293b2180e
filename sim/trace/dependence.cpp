#include "sim/trace/dependence.h"

#include <algorithm>
#include <map>

namespace sim {
namespace {

std::size_t index_of(std::int32_t event) { return static_cast<std::size_t>(event); }

bool share(const Axis& a, const Axis& b) { return a.begin < b.begin + b.size && b.begin < a.begin + a.size; }

class Dependence {
 public:
  explicit Dependence(const Trace& trace) : trace_(trace), seen_(trace.events.size()) {
    for (std::size_t n = 0; n < trace.events.size(); ++n) {
      if (trace.events[n].moves(Direction::write))
        writers_[trace.events[n].tensor].push_back(static_cast<std::int32_t>(n));
    }
  }

  std::set<std::int64_t> iterations_of(std::vector<std::int32_t> open) {
    std::set<std::int64_t> iterations;
    while (!open.empty()) {
      const std::int32_t n = open.back();
      open.pop_back();
      if (n == no_event || seen_[index_of(n)]) continue;
      seen_[index_of(n)] = true;
      const Event& event = trace_.events[index_of(n)];
      // Every run computes the start, but only the first writes its results to HBM.
      if (event.iteration > 0 || event.moves(Direction::write)) iterations.insert(event.iteration);
      open.insert(open.end(), event.operands.begin(), event.operands.end());
      if (event.moves(Direction::read)) open.push_back(writer_of(n));
    }
    return iterations;
  }

 private:
  /// Returns the last event before a load that wrote some of what the load reads.
  std::int32_t writer_of(std::int32_t load) const {
    const Event& event = trace_.events[index_of(load)];
    const auto known = writers_.find(event.tensor);
    if (known == writers_.end()) return no_event;
    const std::vector<std::int32_t>& all = known->second;
    for (auto n = std::lower_bound(all.begin(), all.end(), load); n != all.begin();) {
      const Event& writer = trace_.events[index_of(*--n)];
      if (share(writer.rows, event.rows) && share(writer.cols, event.cols)) return *n;
    }
    return no_event;
  }

  const Trace& trace_;
  std::vector<bool> seen_;
  std::map<Tensor, std::vector<std::int32_t>> writers_;
};

}  // namespace

std::set<std::int64_t> iterations_behind(const Trace& trace, const std::vector<std::int32_t>& events) {
  return Dependence(trace).iterations_of(events);
}

}  // namespace sim
