#include "viz/model/roles/role_trace.h"

#include <algorithm>

namespace explorer {
namespace {

using sim::Cycles;
using sim::Event;
using sim::Verb;

bool moves_bytes(const Event& event) {
  return event.engine == sim::Engine::copy_in || event.engine == sim::Engine::copy_out;
}

bool arrives(const Event& event) { return event.sync.barrier >= 0 && event.verb != Verb::wait; }

void sort_unique(std::vector<Cycles>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

}  // namespace

double StageFilling::share(Cycles time) const {
  if (time >= full) return 1;
  if (time <= begin) return 0;
  return static_cast<double>((time - begin).count()) / static_cast<double>((full - begin).count());
}

RoleTrace::RoleTrace(const sim::Trace& trace) : trace_(&trace) {
  if (trace.roles.empty()) return;
  backward_ = std::any_of(trace.events.begin(), trace.events.end(),
                          [](const Event& event) { return event.tensor == sim::Tensor::dK; });
  issued_.resize(trace.events.size());
  effect_.resize(trace.events.size());
  make_lanes();
  make_phases();
  make_stages();
  add_reads();
  make_met_stages();
  make_stops();
  for (const RoleLane& lane : lanes_) {
    if (!blocks_.empty()) break;
    for (const ScoreTile& tile : lane.tiles) blocks_.push_back(tile.block);
  }
}

RolePhase& RoleTrace::phase_at(std::int16_t barrier, std::int32_t number) {
  auto& phases = phases_[static_cast<std::size_t>(barrier)];
  while (phases.size() <= static_cast<std::size_t>(number))
    phases.push_back({barrier, static_cast<std::int32_t>(phases.size()), {}, {}});
  return phases[static_cast<std::size_t>(number)];
}

void RoleTrace::make_phases() {
  phases_.resize(trace_->barriers.size());
  for (std::size_t n = 0; n < trace_->events.size(); ++n) {
    const Event& event = trace_->events[n];
    if (event.sync.barrier < 0 || event.sync.phase < 0) continue;
    RolePhase& phase = phase_at(event.sync.barrier, event.sync.phase);
    const auto number = static_cast<std::int32_t>(n);
    if (arrives(event))
      phase.arrivals.push_back({number, event.role, moves_bytes(event) ? event.released : issued_[n], effect_[n]});
    else
      phase.waits.push_back({number, event.role, event.begin, event.end});
  }
  for (auto& phases : phases_) {
    for (RolePhase& phase : phases) {
      std::stable_sort(phase.arrivals.begin(), phase.arrivals.end(),
                       [](const auto& a, const auto& b) { return a.effect < b.effect; });
      std::stable_sort(phase.waits.begin(), phase.waits.end(),
                       [](const auto& a, const auto& b) { return a.end < b.end; });
      const int needed = trace_->barriers[static_cast<std::size_t>(phase.barrier)].arrivals;
      phase.over = phase.arrivals.size() >= static_cast<std::size_t>(needed);
    }
  }
}

namespace {

/// The tile that a role wrote into a stage before it arrived at the stage's barrier: a transpose, or its part of dQ;
/// -1: none. P and dS are in no ring: at their barriers all consumers meet.
std::int32_t tile_before(const sim::Trace& trace, std::int32_t arrival) {
  const std::uint8_t role = trace.events[static_cast<std::size_t>(arrival)].role;
  for (std::int32_t n = arrival; n-- > 0;) {
    const Event& event = trace.events[static_cast<std::size_t>(n)];
    if (event.role != role || event.level != sim::Level::smem || event.smem_bytes == 0) continue;
    return event.verb == sim::Verb::transpose || event.tensor == sim::Tensor::dQ_acc ? n : -1;
  }
  return -1;
}

/// Bytes of a tile that fills a stage; a transpose is written there and, before that, read.
std::int64_t bytes_of_filling(const Event& event) {
  if (event.sync.bytes > 0) return event.sync.bytes;
  return event.verb == Verb::transpose ? event.smem_bytes / 2 : event.smem_bytes;
}

/// The last event of a role before one of its own that writes a tile of `tensor` to shared memory; -1: none.
std::int32_t put_before(const sim::Trace& trace, const RoleArrival& arrival, sim::Tensor tensor) {
  for (std::int32_t n = arrival.event; n-- > 0;) {
    const Event& event = trace.events[static_cast<std::size_t>(n)];
    if (event.role == arrival.role && event.verb == Verb::move && event.tensor == tensor) return n;
  }
  return -1;
}

/// A tile that all consumers write together, complete when they have met: `phase` of their barrier.
StageFilling filling_of_all(const sim::Trace& trace, const RolePhase& phase, sim::Tensor tensor) {
  StageFilling filling;
  filling.phase = phase.number;
  filling.full = filling.read = filling.released = phase.end();
  filling.begin = phase.end();
  for (const RoleArrival& arrival : phase.arrivals) {
    const std::int32_t n = put_before(trace, arrival, tensor);
    if (n < 0) continue;
    const Event& put = trace.events[static_cast<std::size_t>(n)];
    filling.copy = n;
    filling.block = put.rows.index;
    filling.bytes += put.smem_bytes;
    filling.begin = std::min(filling.begin, put.begin);
  }
  filling.issued = filling.begin;
  return filling;
}

/// True if a role arrived at a phase before it reached `event`.
bool arrived_before(const RolePhase& phase, std::uint8_t role, std::int32_t event) {
  return std::any_of(phase.arrivals.begin(), phase.arrivals.end(),
                     [&](const RoleArrival& arrival) { return arrival.role == role && arrival.event < event; });
}

/// True if a product reads a tile of `tensor` that a role has put into shared memory.
bool reads_put(const sim::Trace& trace, const Event& product, sim::Tensor tensor) {
  return std::any_of(product.operands.begin(), product.operands.end(), [&](std::int32_t n) {
    return n >= 0 && trace.events[static_cast<std::size_t>(n)].verb == Verb::move &&
           trace.events[static_cast<std::size_t>(n)].tensor == tensor;
  });
}

}  // namespace

/// Adds the products of a lane that read fillings of all consumers, the n-th of them in phase n.
void RoleTrace::add_reads_of_all(const RoleLane& lane, sim::Tensor tensor, const std::vector<RolePhase>& phases,
                                 std::vector<StageFilling>& fillings) const {
  std::size_t passed = 0;
  for (const RoleSpan& product : lane.products) {
    const Event& event = this->event(product.event);
    if (!reads_put(*trace_, event, tensor)) continue;
    while (passed < phases.size() && arrived_before(phases[passed], event.role, product.event)) ++passed;
    if (passed == 0) continue;
    StageFilling& filling = fillings[passed - 1];
    if (filling.released == filling.full || product.begin < filling.read) {
      filling.read = std::max(filling.full, product.begin);
      filling.reader = event.role;
    }
    filling.released = std::max(filling.released, product.end);
  }
}

/// Adds P and dS of a backward pass: parts of all consumers, complete when these have met. There are as many stages of
/// dS as of dO, and one of P.
void RoleTrace::make_met_stages() {
  if (!backward_) return;
  const auto of_do = static_cast<std::size_t>(std::count_if(
      stages_.begin(), stages_.end(), [](const RingStage& stage) { return stage.tensor == sim::Tensor::dO; }));
  for (std::size_t b = 0; b < trace_->barriers.size(); ++b) {
    for (const sim::Tensor tensor : {sim::Tensor::P, sim::Tensor::dS}) {
      if (trace_->barriers[b].name != name_of(tensor) || phases_[b].empty()) continue;
      std::vector<StageFilling> fillings;
      for (const RolePhase& phase : phases_[b]) fillings.push_back(filling_of_all(*trace_, phase, tensor));
      for (const RoleLane& lane : lanes_) add_reads_of_all(lane, tensor, phases_[b], fillings);
      const std::size_t count = tensor == sim::Tensor::P ? 1 : std::max<std::size_t>(1, of_do);
      for (std::size_t s = 0; s < std::min(count, fillings.size()); ++s) {
        RingStage stage{tensor, sim::text(name_of(tensor), " ", s), 0, static_cast<std::int16_t>(b), -1, {}};
        for (std::size_t n = s; n < fillings.size(); n += count) {
          stage.bytes = std::max(stage.bytes, fillings[n].bytes);
          stage.fillings.push_back(fillings[n]);
        }
        stages_.push_back(std::move(stage));
      }
    }
  }
}

/// The copy of most bytes that fills a stage in a phase, or the tile that a role writes there; -1: nothing does.
std::int32_t RoleTrace::filling_of(const RolePhase& phase) const {
  std::int32_t copy = -1;
  for (const RoleArrival& arrival : phase.arrivals) {
    const Event& event = this->event(arrival.event);
    if (event.engine != sim::Engine::copy_in) continue;
    if (copy < 0 || event.sync.bytes > this->event(copy).sync.bytes) copy = arrival.event;
  }
  if (copy >= 0 || phase.arrivals.empty()) return copy;
  return tile_before(*trace_, phase.arrivals.back().event);
}

/// A stage has a full barrier and after it, of the same name, one that tells when it may be filled again. Consumers
/// have a ring of dQ each, named after them.
void RoleTrace::make_stages() {
  const auto& barriers = trace_->barriers;
  for (std::size_t b = 0; b < barriers.size(); ++b) {
    if (barriers[b].kind != sim::BarrierKind::full || phases_[b].empty()) continue;
    RingStage stage{{}, barriers[b].name, 0, static_cast<std::int16_t>(b), -1, {}};
    for (std::size_t e = b + 1; e < barriers.size() && stage.empty < 0; ++e) {
      if (barriers[e].kind == sim::BarrierKind::empty && barriers[e].name == stage.name)
        stage.empty = static_cast<std::int16_t>(e);
    }
    for (const RolePhase& phase : phases_[b]) {
      const std::int32_t copy = filling_of(phase);
      if (copy < 0) continue;
      const Event& event = this->event(copy);
      stage.tensor = event.tensor;
      if (event.tensor == sim::Tensor::dQ_acc) stage.name = sim::text("dQ ", lanes_[event.role].badge);
      stage.bytes = std::max(stage.bytes, bytes_of_filling(event));
      stage.fillings.push_back({copy,
                                event.rows.index,
                                bytes_of_filling(event),
                                phase.number,
                                issued_[static_cast<std::size_t>(copy)],
                                event.begin,
                                event.end,
                                event.end,
                                0,
                                event.end,
                                {}});
    }
    if (!stage.fillings.empty()) stages_.push_back(std::move(stage));
  }
}

/// Adds the readers and the release of each filling. Without a release, it ends with its last product.
void RoleTrace::add_reads() {
  std::vector<StageFilling*> of_copy(trace_->events.size(), nullptr);
  for (RingStage& stage : stages_) {
    for (StageFilling& filling : stage.fillings) of_copy[static_cast<std::size_t>(filling.copy)] = &filling;
  }
  std::vector<bool> read(trace_->events.size());
  for (const Event& event : trace_->events) {
    for (const std::int32_t operand : event.operands) {
      StageFilling* const filling = operand < 0 ? nullptr : of_copy[static_cast<std::size_t>(operand)];
      const bool reads = event.asynchronous || event.verb == Verb::atomic_add;
      if (filling == nullptr || !reads) continue;
      const auto n = static_cast<std::size_t>(operand);
      if (!read[n] || event.begin < filling->read) {
        filling->read = event.begin;
        filling->reader = event.role;
        read[n] = true;
      }
      filling->released = std::max(filling->released, event.end);
    }
  }
  for (RingStage& stage : stages_) {
    if (stage.empty < 0) continue;
    const auto& phases = phases_[static_cast<std::size_t>(stage.empty)];
    for (StageFilling& filling : stage.fillings) {
      if (static_cast<std::size_t>(filling.phase) >= phases.size()) continue;
      const RolePhase& phase = phases[static_cast<std::size_t>(filling.phase)];
      filling.readers = phase.arrivals;
      if (phase.over) filling.released = phase.end();
    }
  }
}

void RoleTrace::make_stops() {
  stops_.assign(lanes_.size() + 1, {Cycles{}, end_});
  const auto add = [&](std::size_t role, Cycles time) {
    stops_[0].push_back(time);
    stops_[role + 1].push_back(time);
  };
  for (std::size_t r = 0; r < lanes_.size(); ++r) {
    const RoleSpan* before = nullptr;
    for (const RoleSpan& span : lanes_[r].doing) {
      const bool goes_on = before != nullptr && span.does == RoleDoes::work && before->does == RoleDoes::work &&
                           span.block == before->block;  // softmax of a tile is one step
      if (!goes_on) add(r, span.begin);
      before = &span;
    }
    for (const RoleSpan& product : lanes_[r].products) add(r, product.begin);
    for (const RoleSpan& copy : lanes_[r].copies) add(r, copy.begin);
    add(r, lanes_[r].end);
  }
  for (const auto& phases : phases_) {
    for (const RolePhase& phase : phases) {
      for (const RoleArrival& arrival : phase.arrivals) {
        add(arrival.role, arrival.issued);
        add(arrival.role, arrival.effect);
      }
    }
  }
  for (auto& stops : stops_) sort_unique(stops);
}

const RolePhase* RoleTrace::phase_of(std::int32_t n) const {
  const sim::Sync& sync = event(n).sync;
  if (sync.barrier < 0 || sync.phase < 0) return nullptr;
  const auto& phases = phases_[static_cast<std::size_t>(sync.barrier)];
  const auto number = static_cast<std::size_t>(sync.phase);
  return number < phases.size() ? &phases[number] : nullptr;
}

const RoleSpan* RoleTrace::at(std::size_t role, Cycles time) const {
  const auto& doing = lanes_[role].doing;
  const auto [first, last] = spans_within(doing, time, time + Cycles(1));
  return first < last ? &doing[first] : nullptr;
}

std::size_t RoleTrace::tile_at(Cycles time) const {
  std::size_t most = 0;
  for (const RoleLane& lane : lanes_) {
    std::size_t begun = 0;
    for (const RoleSpan& product : lane.products) begun += product.letter == 'S' && product.begin <= time ? 1 : 0;
    most = std::max(most, begun);
  }
  return most;
}

const std::vector<Cycles>& RoleTrace::stops(std::optional<std::size_t> role) const {
  return stops_[role ? std::min(*role + 1, stops_.size() - 1) : 0];
}

std::pair<std::size_t, std::size_t> spans_within(const std::vector<RoleSpan>& spans, Cycles from, Cycles to) {
  const auto first = std::partition_point(spans.begin(), spans.end(), [&](const auto& s) { return s.end <= from; });
  const auto last = std::partition_point(first, spans.end(), [&](const auto& s) { return s.begin < to; });
  return {static_cast<std::size_t>(first - spans.begin()), static_cast<std::size_t>(last - spans.begin())};
}

}  // namespace explorer
