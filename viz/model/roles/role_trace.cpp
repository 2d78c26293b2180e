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
  issued_.resize(trace.events.size());
  effect_.resize(trace.events.size());
  make_lanes();
  make_phases();
  make_stages();
  add_reads();
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

/// The transpose that a role wrote before it arrived at the barrier of a stage; -1: none. Other tiles that roles write,
/// such as parts of dQ on their way to HBM, are in no ring that products read.
std::int32_t transpose_before(const sim::Trace& trace, std::int32_t arrival) {
  const std::uint8_t role = trace.events[static_cast<std::size_t>(arrival)].role;
  for (std::int32_t n = arrival; n-- > 0;) {
    const Event& event = trace.events[static_cast<std::size_t>(n)];
    if (event.role != role || event.level != sim::Level::smem || event.smem_bytes == 0) continue;
    return event.verb == sim::Verb::transpose ? n : -1;
  }
  return -1;
}

/// Bytes of a tile that fills a stage; one that its role makes there is written and, before that, read.
std::int64_t bytes_of_filling(const Event& event) {
  return event.sync.bytes > 0 ? event.sync.bytes : event.smem_bytes / 2;
}

}  // namespace

/// The copy of most bytes that fills a stage in a phase, or the transpose that a role writes there; -1: nothing does.
std::int32_t RoleTrace::filling_of(const RolePhase& phase) const {
  std::int32_t copy = -1;
  for (const RoleArrival& arrival : phase.arrivals) {
    const Event& event = this->event(arrival.event);
    if (event.engine != sim::Engine::copy_in) continue;
    if (copy < 0 || event.sync.bytes > this->event(copy).sync.bytes) copy = arrival.event;
  }
  if (copy >= 0 || phase.arrivals.empty()) return copy;
  return transpose_before(*trace_, phase.arrivals.back().event);
}

/// A stage has a full barrier and, of the same name, one that tells when it may be filled again.
void RoleTrace::make_stages() {
  const auto& barriers = trace_->barriers;
  for (std::size_t b = 0; b < barriers.size(); ++b) {
    if (barriers[b].kind != sim::BarrierKind::full || phases_[b].empty()) continue;
    RingStage stage{{}, barriers[b].name, 0, static_cast<std::int16_t>(b), -1, {}};
    for (std::size_t e = 0; e < barriers.size(); ++e) {
      if (barriers[e].kind == sim::BarrierKind::empty && barriers[e].name == stage.name)
        stage.empty = static_cast<std::int16_t>(e);
    }
    for (const RolePhase& phase : phases_[b]) {
      const std::int32_t copy = filling_of(phase);
      if (copy < 0) continue;
      const Event& event = this->event(copy);
      stage.tensor = event.tensor;
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
      if (filling == nullptr || !event.asynchronous) continue;
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
