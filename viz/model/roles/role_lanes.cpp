// Activity of each role over time: a walk through its events with its own clock.
#include <algorithm>
#include <map>

#include "viz/model/event_label.h"
#include "viz/model/roles/role_state.h"
#include "viz/model/tiles/tile_layers.h"

namespace explorer {
namespace {

using sim::Cycles;
using sim::Event;
using sim::Verb;

std::size_t index_of(std::int32_t n) { return static_cast<std::size_t>(n); }

bool is_copy(const Event& event) {
  return event.engine == sim::Engine::copy_in || event.engine == sim::Engine::copy_out;
}

bool is_gradient_of_keys(const Event& event) {
  return event.tensor == sim::Tensor::dK || event.tensor == sim::Tensor::dV;
}

/// Block of keys of a product: that of its scores, or of the tile in shared memory that P meets. In a backward pass its
/// block of queries.
std::int64_t block_of_product(const sim::Trace& trace, const Event& event, bool backward) {
  if (backward && !is_gradient_of_keys(event)) return event.rows.index;
  if (letter_of(event.tensor) == 'S') return event.cols.index;
  return event.operands[1] < 0 ? -1 : trace.events[index_of(event.operands[1])].rows.index;
}

sim::Cause cause_of_wait(const sim::Trace& trace, const Event& event) {
  if (event.sync.barrier < 0) return sim::Cause::tensor;
  const sim::TraceBarrier& barrier = trace.barriers[static_cast<std::size_t>(event.sync.barrier)];
  if (is_meeting(barrier)) return sim::Cause::barrier;
  return barrier.kind == sim::BarrierKind::turn ? sim::Cause::turn : sim::Cause::stage;
}

/// Walks through the events of one role.
class Walk {
 public:
  Walk(const sim::Trace& trace, RoleLane& lane, std::vector<Cycles>& issued, std::vector<Cycles>& effect, bool backward)
      : trace_(trace), lane_(lane), issued_(issued), effect_(effect), backward_(backward) {}

  void pass(std::int32_t n) {
    const Event& event = trace_.events[index_of(n)];
    issued_[index_of(n)] = effect_[index_of(n)] = now_;
    if (event.verb == Verb::wait)
      wait(n, event.begin, event.end, cause_of_wait(trace_, event), event.sync.barrier < 0);
    else if (event.verb == Verb::arrive)
      effect_[index_of(n)] = std::max(now_, event.end);
    else if (is_copy(event))
      copy(n, event);
    else if (event.asynchronous)
      product(n, event);
    else
      work(n, event);
  }

  /// The role waits before an event, or after its last one.
  void wait(std::int32_t n, Cycles begin, Cycles end, sim::Cause cause, bool products = false) {
    if (end > begin) {
      const Event& event = trace_.events[index_of(n)];
      const std::int64_t block = products && event.operands[0] >= 0
                                     ? block_of_product(trace_, trace_.events[index_of(event.operands[0])], backward_)
                                     : -1;
      lane_.doing.push_back({RoleDoes::wait, n, begin, begin, end, end, cause, block, 0, products});
    }
    go_on(end);
  }

 private:
  void go_on(Cycles time) { now_ = lane_.end = std::max(now_, time); }

  void copy(std::int32_t n, const Event& event) {
    effect_[index_of(n)] = event.end;
    lane_.copies.push_back({RoleDoes::copy, n, now_, event.begin, event.released, event.end, sim::Cause::bandwidth,
                            event.rows.index, letter_of(event.tensor)});
  }

  void product(std::int32_t n, const Event& event) {
    lane_.computes = true;
    lane_.products.push_back({RoleDoes::product, n, now_, event.begin, event.end, event.end, event.cause,
                              block_of_product(trace_, event, backward_), letter_of(event.tensor)});
  }

  void work(std::int32_t n, const Event& event) {
    const sim::Axis& visited = backward_ ? event.rows : event.cols;
    const bool of_keys = backward_ && is_gradient_of_keys(event);
    if (holds_matrix(event.tensor) && visited.origin != sim::Origin::whole && !of_keys) block_ = visited.index;
    if (event.end > event.begin)
      lane_.doing.push_back({RoleDoes::work, n, event.begin, event.begin, event.end, event.end, event.cause,
                             of_keys ? -1 : block_, letter_of(event.tensor)});
    go_on(event.end);
  }

  const sim::Trace& trace_;
  RoleLane& lane_;
  std::vector<Cycles>& issued_;
  std::vector<Cycles>& effect_;
  bool backward_;
  Cycles now_;
  std::int64_t block_ = -1;  // of keys, of the last tile that was worked on
};

/// Waits of work, and of stores at the end of a role, by event; waits at barriers have events of their own.
std::multimap<std::int32_t, sim::WaitSpan> waits_by_event(const sim::Trace& trace) {
  std::multimap<std::int32_t, sim::WaitSpan> waits;
  for (const sim::WaitSpan& wait : trace.waits) {
    if (trace.events[index_of(wait.event)].verb != Verb::wait) waits.emplace(wait.event, wait);
  }
  return waits;
}

void sort_by_begin(std::vector<RoleSpan>& spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

}  // namespace

void RoleTrace::make_lanes() {
  const auto waits = waits_by_event(*trace_);
  std::vector<Walk> walks;
  lanes_.resize(trace_->roles.size());
  for (RoleLane& lane : lanes_) walks.emplace_back(*trace_, lane, issued_, effect_, backward_);
  std::vector<std::int32_t> last(lanes_.size(), -1);
  for (std::size_t n = 0; n < trace_->events.size(); ++n) last[trace_->events[n].role] = static_cast<std::int32_t>(n);
  for (std::size_t n = 0; n < trace_->events.size(); ++n) {
    const auto event = static_cast<std::int32_t>(n);
    const std::uint8_t role = trace_->events[n].role;
    const bool at_end = event == last[role] && is_copy(trace_->events[n]);
    if (at_end) walks[role].pass(event);
    for (auto [wait, end] = waits.equal_range(event); wait != end; ++wait)
      walks[role].wait(event, wait->second.begin, wait->second.end, wait->second.cause);
    if (!at_end) walks[role].pass(event);
  }
  int consumers = 0;
  for (std::size_t r = 0; r < lanes_.size(); ++r) {
    RoleLane& lane = lanes_[r];
    lane.name = trace_->roles[r].name;
    lane.registers = trace_->roles[r].registers;
    lane.threads = trace_->roles[r].threads;
    const bool writes = r > 0 && lane.threads < trace_->roles[0].threads;  // a warp beside the producer
    lane.badge = lane.computes ? std::to_string(++consumers) : writes ? "W" : "P";
    sort_by_begin(lane.products);
    sort_by_begin(lane.copies);
    make_tiles(lane);
    end_ = std::max(end_, lane.end);
  }
  for (const Event& event : trace_->events) {
    if (is_copy(event)) end_ = std::max(end_, event.end);
  }
}

/// Follows S of each block, and of each query head of a backward pass, into P and into the product that reads it.
void RoleTrace::make_tiles(RoleLane& lane) const {
  std::map<std::pair<std::int32_t, std::int64_t>, std::size_t> of_block;
  const auto key = [&](const RoleSpan& span) { return std::pair(event(span.event).head, span.block); };
  const char last = backward_ ? 'V' : 'O';
  for (const RoleSpan& product : lane.products) {
    if (product.letter != 'S') continue;
    of_block[key(product)] = lane.tiles.size();
    lane.tiles.push_back({product.block, product.event, -1, -1, product.issued, product.end, product.end, {}, end_});
  }
  for (auto span = lane.doing.rbegin(); span != lane.doing.rend(); ++span) {  // so that the first of a tile stays
    const auto tile = span->does == RoleDoes::work ? of_block.find(key(*span)) : of_block.end();
    if (tile == of_block.end()) continue;
    const sim::Tensor tensor = event(span->event).tensor;
    if (tensor == sim::Tensor::S || tensor == sim::Tensor::S_masked) lane.tiles[tile->second].softmax = span->begin;
    if (tensor == sim::Tensor::P) lane.tiles[tile->second].weights = span->event;
  }
  for (const RoleSpan& product : lane.products) {
    const auto tile = product.letter == last ? of_block.find(key(product)) : of_block.end();
    if (tile == of_block.end()) continue;
    lane.tiles[tile->second].read = product.event;
    lane.tiles[tile->second].end = product.end;
  }
  for (std::size_t n = 0; n < lane.tiles.size(); ++n) {
    ScoreTile& tile = lane.tiles[n];
    tile.kept = tile.weights < 0 ? tile.end : event(tile.weights).end;
    if (n > 0) tile.kept = std::max(tile.kept, lane.tiles[n - 1].end);
    if (tile.read < 0) tile.end = std::max(tile.kept, lane.end);
  }
}

}  // namespace explorer
