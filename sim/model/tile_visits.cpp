#include "sim/model/tile_visits.h"

#include <algorithm>

#include "sim/trace/tensors.h"

namespace sim {
namespace {

std::size_t index_of(std::int32_t event) { return static_cast<std::size_t>(event); }

bool copies(const Event& event) { return event.engine == Engine::copy_in || event.engine == Engine::copy_out; }

/// True if an event computes scores, with which a tile of the matrix begins.
bool makes_scores(const Event& event) {
  return event.verb == Verb::gemm && (event.tensor == Tensor::S || event.tensor == Tensor::dP);
}

/// Returns the tile of the matrix that an event computes on, as the event that has its axes; null if there is none.
const Event* tile_of(const Trace& trace, const Event& event) {
  if (event.verb == Verb::fill) return nullptr;
  if (is_score_matrix(event.tensor)) return &event;
  for (const std::int32_t operand : event.operands) {
    if (operand == no_event) continue;
    const Event& made = trace.events[index_of(operand)];
    if (is_score_matrix(made.tensor)) return &made;
  }
  return nullptr;
}

}  // namespace

std::vector<std::int32_t> computing_events(const Trace& trace) {
  std::vector<std::int32_t> computing;
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    if (!copies(trace.events[n])) computing.push_back(static_cast<std::int32_t>(n));
  }
  std::stable_sort(computing.begin(), computing.end(), [&](std::int32_t a, std::int32_t b) {
    return trace.events[index_of(a)].begin < trace.events[index_of(b)].begin;
  });
  return computing;
}

std::vector<TileVisit> visits_of(const Trace& trace, const std::vector<std::int32_t>& computing) {
  const bool roles = !trace.roles.empty();  // warpgroups reach a tile one after the other
  const std::size_t most_open = roles ? 24 : 4;
  std::size_t open = 1;
  std::vector<TileVisit> visits;
  std::vector<std::int32_t> loops;        // for each visit, line of the innermost loop around the first event; 0: none
  std::vector<std::uint64_t> weighed_by;  // for each visit, a bit for each role that computed P
  for (const std::int32_t n : computing) {
    const Event& event = trace.events[index_of(n)];
    const Event* tile = tile_of(trace, event);
    if (tile == nullptr) continue;
    const auto same = [&](const TileVisit& visit) {
      const std::int32_t loop = loops[static_cast<std::size_t>(&visit - visits.data())];
      const bool same_loop = roles || loop == event.loop || loop == 0 || event.loop == 0;  // roles have their own
      return same_loop && visit.row == tile->rows.index && visit.col == tile->cols.index && visit.head == event.head;
    };
    if (makes_scores(event)) open = most_open;
    const std::size_t most = makes_scores(event) && !roles ? 1 : std::min(open, visits.size());
    const std::uint64_t role = std::uint64_t{1} << event.role;
    const auto last = visits.rbegin() + static_cast<std::ptrdiff_t>(std::min(most, visits.size()));
    auto known = std::find_if(visits.rbegin(), last, same);
    const auto place = [&](const TileVisit& visit) { return static_cast<std::size_t>(&visit - visits.data()); };
    const bool scores = event.verb == Verb::gemm && event.tensor == Tensor::S;
    if (scores && known != last && (weighed_by[place(*known)] & role) != 0) known = last;
    const bool begins = known == last;
    if (begins) {
      visits.push_back(
          {tile->rows.index, tile->cols.index, event.head, event.begin, event.end, {event.iteration, event.iteration}});
      loops.push_back(event.loop);
      weighed_by.push_back(0);
    }
    TileVisit& visit = begins ? visits.back() : *known;
    visit.end = std::max(visit.end, event.end);
    if (event.verb == Verb::mask) visit.masked = true;
    visit.iterations.end = std::max<std::int64_t>(visit.iterations.end, event.iteration + 1);
    if (event.verb != Verb::exp) continue;
    visit.weighed = true;
    weighed_by[place(visit)] |= role;
  }
  return visits;
}

const std::vector<float>* values_of(const Trace& trace, std::int32_t event) {
  if (event == no_event) return nullptr;
  const std::int32_t value = trace.events[index_of(event)].value;
  return value < 0 ? nullptr : &trace.values[static_cast<std::size_t>(value)].values;
}

}  // namespace sim
