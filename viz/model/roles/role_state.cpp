#include "viz/model/roles/role_state.h"

#include <algorithm>

#include "sim/machine/blocks.h"
#include "viz/model/event_label.h"
#include "viz/model/operand_bytes.h"

namespace explorer {
namespace {

using sim::Cycles;
using sim::Event;

bool covers(Cycles begin, Cycles end, Cycles time) { return begin <= time && time < end; }

/// The newest filling of a stage that has been issued; null: none.
const StageFilling* newest(const RingStage& stage, Cycles time) {
  const auto after = std::partition_point(stage.fillings.begin(), stage.fillings.end(),
                                          [&](const StageFilling& filling) { return filling.begin <= time; });
  return after == stage.fillings.begin() ? nullptr : &*std::prev(after);
}

/// The last product that a role issued before an event of its own; -1: none.
std::int32_t product_before(const RoleTrace& roles, std::uint8_t role, std::int32_t event) {
  std::int32_t last = -1;
  for (const RoleSpan& product : roles.lanes()[role].products) {
    if (product.event < event) last = std::max(last, product.event);
  }
  return last;
}

/// Registers of a thread for a tile in fp32, with the rows and columns of whole blocks.
std::int64_t registers_of(const Event& event) {
  const std::int64_t rows = std::max(event.rows.size, event.rows.block);
  return rows * std::max(event.cols.size, event.cols.block) / sim::warpgroup_threads;
}

const ScoreTile* newest_tile(const RoleLane& lane, Cycles time) {
  const auto after = std::partition_point(lane.tiles.begin(), lane.tiles.end(),
                                          [&](const ScoreTile& tile) { return tile.issued <= time; });
  return after == lane.tiles.begin() ? nullptr : &*std::prev(after);
}

RegisterTile scores_at(const RoleTrace& roles, const RoleLane& lane, Cycles time) {
  RegisterTile tile{"S", 'S', registers_of(roles.event(lane.tiles.front().scores))};
  const ScoreTile* const newest = newest_tile(lane, time);
  if (newest == nullptr || time >= newest->kept) return tile;
  tile.holds = true;
  tile.block = newest->block;
  tile.under_way = time < newest->scores_end;
  tile.turns_to_p = newest->softmax <= time && newest->softmax >= newest->scores_end;
  return tile;
}

RegisterTile weights_at(const RoleTrace& roles, const RoleLane& lane, Cycles time) {
  const std::int64_t in_fp32 = registers_of(roles.event(lane.tiles.front().scores));
  RegisterTile tile{"P", 'P', in_fp32 * operand_bytes(roles.trace()) / 4};
  for (const ScoreTile* of = newest_tile(lane, time); of != nullptr && of + 2 > newest_tile(lane, time); --of) {
    if (covers(of->kept, of->end, time)) {
      tile.holds = true;
      tile.block = of->block;
      tile.under_way = of->read >= 0 && roles.event(of->read).begin <= time;
    }
    if (of == lane.tiles.data()) break;
  }
  return tile;
}

/// True if P reaches its product through shared memory.
bool puts_weights(const RoleTrace& roles) {
  return std::any_of(roles.trace().events.begin(), roles.trace().events.end(),
                     [](const Event& event) { return event.verb == sim::Verb::move; });
}

/// The first product of a lane that computes `tensor` and is issued after the event `after`; null: none.
const RoleSpan* product_after(const RoleTrace& roles, const RoleLane& lane, sim::Tensor tensor, std::int32_t after) {
  for (const RoleSpan& product : lane.products) {
    if (product.event > after && roles.event(product.event).tensor == tensor) return &product;
  }
  return nullptr;
}

bool runs_at(const RoleSpan* product, Cycles time) {
  return product != nullptr && covers(product->begin, product->end, time);
}

/// A sum of the role that stays in registers until its end: dK or dV.
RegisterTile sum_at(const RoleTrace& roles, const RoleLane& lane, sim::Tensor tensor, Cycles time) {
  const RoleSpan* const first = product_after(roles, lane, tensor, -1);
  RegisterTile tile{std::string(name_of(tensor)), letter_of(tensor),
                    first == nullptr ? 0 : registers_of(roles.event(first->event)), time < lane.end};
  const auto [from, to] = spans_within(lane.products, time, time + Cycles(1));
  for (std::size_t n = from; n < to; ++n)
    tile.under_way = tile.under_way || roles.event(lane.products[n].event).tensor == tensor;
  return tile;
}

/// Ends of the work of a tile: of P = exp(...) and of dS = P o (dP - D); its part of dQ is out of the registers.
struct TileEnds {
  Cycles weights, gradients, out;
};

TileEnds ends_of(const RoleTrace& roles, const RoleLane& lane, const ScoreTile& tile, std::int32_t next) {
  TileEnds ends{lane.end, lane.end, lane.end};
  const std::vector<Event>& events = roles.trace().events;
  const std::uint8_t role = roles.event(tile.scores).role;
  const auto last = next < 0 ? static_cast<std::int32_t>(events.size()) : next;
  for (std::int32_t n = tile.scores; n < last; ++n) {
    const Event& event = roles.event(n);
    if (event.role != role) continue;
    if (event.verb == sim::Verb::exp) ends.weights = event.end;
    if (event.verb == sim::Verb::jacobian) ends.gradients = event.end;
    if (event.tensor == sim::Tensor::dQ_acc) ends.out = event.engine == sim::Engine::copy_out ? event.begin : event.end;
  }
  return ends;
}

/// Tiles of a consumer of a backward pass. P and dS are in the dtype once dS is there: they leave the space for dQ.
std::vector<RegisterTile> gradients_at(const RoleTrace& roles, const RoleLane& lane, Cycles time) {
  std::vector<RegisterTile> tiles = {sum_at(roles, lane, sim::Tensor::dK, time),
                                     sum_at(roles, lane, sim::Tensor::dV, time)};
  const std::int64_t in_fp32 = registers_of(roles.event(lane.tiles.front().scores));
  const std::int64_t narrow = in_fp32 * operand_bytes(roles.trace()) / 4;
  const ScoreTile* const tile = newest_tile(lane, time);
  if (tile == nullptr || time >= lane.end) {
    for (const char* name : {"S", "dP"}) tiles.push_back({name, name[0] == 'S' ? 'S' : 'P', in_fp32});
    return tiles;
  }
  const bool last = tile == &lane.tiles.back();
  const TileEnds ends = ends_of(roles, lane, *tile, last ? -1 : (tile + 1)->scores);
  const auto next = [&](sim::Tensor tensor) { return product_after(roles, lane, tensor, tile->scores); };
  if (time < ends.gradients) {
    const bool scores = time < ends.weights;
    tiles.push_back({scores ? "S" : "P", scores ? 'S' : 'P', in_fp32, true, scores && time >= tile->scores_end,
                     time < tile->scores_end, tile->block});
    const RoleSpan* const dP = next(sim::Tensor::dP);
    const bool issued = dP != nullptr && dP->issued <= time;
    tiles.push_back({"dP", 'P', in_fp32, issued, false, runs_at(dP, time), tile->block});
    return tiles;
  }
  const RoleSpan *const dV = next(sim::Tensor::dV), *const dK = next(sim::Tensor::dK),
                        *const dQ = next(sim::Tensor::dQ);
  tiles.push_back({"P", 'P', narrow, dV == nullptr || time < dV->end, false, runs_at(dV, time), tile->block});
  tiles.push_back({"dS", 'S', narrow, dK == nullptr || time < dK->end, false, runs_at(dK, time), tile->block});
  if (dQ == nullptr) return tiles;
  const bool holds = dQ->issued <= time && time < ends.out;
  tiles.push_back({"dQ", 'Q', registers_of(roles.event(dQ->event)), holds, false, runs_at(dQ, time), tile->block});
  return tiles;
}

/// The time that a span shares with those of its cause in RoleCycles.
Cycles& part_of(RoleCycles& cycles, const RoleSpan& span) {
  if (span.does == RoleDoes::work) return cycles.work;
  if (span.is_products) return cycles.products;
  if (span.cause == sim::Cause::barrier) return cycles.meet;
  if (span.cause == sim::Cause::turn) return cycles.turn;
  return span.cause == sim::Cause::stage ? cycles.stage : cycles.rest;
}

}  // namespace

bool is_meeting(const sim::TraceBarrier& barrier) {
  return barrier.kind == sim::BarrierKind::turn && barrier.arrivals > 1;
}

BarrierState barrier_at(const RoleTrace& roles, std::int16_t barrier, Cycles time) {
  const auto n = static_cast<std::size_t>(barrier);
  const auto& phases = roles.phases()[n];
  BarrierState state{0, 0, roles.trace().barriers[n].arrivals, 0};
  const auto running = std::partition_point(phases.begin(), phases.end(),
                                            [&](const RolePhase& phase) { return phase.over && phase.end() <= time; });
  state.phase = static_cast<std::int32_t>(running - phases.begin());
  if (running == phases.end()) return state;
  for (const RoleArrival& arrival : running->arrivals) {
    state.arrived += arrival.effect <= time ? 1 : 0;
    const Event& event = roles.event(arrival.event);
    if (event.engine != sim::Engine::copy_in || roles.issued(arrival.event) > time) continue;
    StageFilling filling;
    filling.begin = event.begin;
    filling.full = event.end;
    const double due = static_cast<double>(event.sync.bytes) * (1 - filling.share(time));
    state.bytes_due += static_cast<std::int64_t>(due);
  }
  return state;
}

StageState stage_at(const RoleTrace& roles, const RingStage& stage, Cycles time) {
  StageState state;
  const StageFilling* const filling = newest(stage, time);
  if (filling == nullptr || time >= filling->released) return state;
  state.filling = filling;
  state.share = filling->share(time);
  for (const RoleArrival& reader : filling->readers) state.let_go += reader.effect <= time ? 1 : 0;
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
    const auto& products = roles.lanes()[r].products;
    const auto [first, last] = spans_within(products, time, time + Cycles(1));
    const bool reads =
        std::any_of(products.begin() + static_cast<std::ptrdiff_t>(first),
                    products.begin() + static_cast<std::ptrdiff_t>(last), [&](const RoleSpan& product) {
                      const auto& operands = roles.event(product.event).operands;
                      return std::find(operands.begin(), operands.end(), filling->copy) != operands.end();
                    });
    if (reads) state.read_by.push_back(static_cast<std::uint8_t>(r));
  }
  state.is = time < filling->full   ? StageState::Is::filling
             : time < filling->read ? StageState::Is::full
                                    : StageState::Is::read;
  return state;
}

RoleState role_at(const RoleTrace& roles, std::size_t role, Cycles time) {
  RoleState state;
  const RoleLane& lane = roles.lanes()[role];
  for (const auto* spans : {&lane.products, &lane.copies}) {
    for (const RoleSpan& span : *spans) {
      if (covers(span.issued, span.ready, time)) state.beside.push_back(span.event);
    }
  }
  state.span = roles.at(role, time);
  if (state.span == nullptr) return state;
  state.left = state.span->end - time;
  if (state.span->does == RoleDoes::work) return state;
  const Event& event = roles.event(state.span->event);
  if (state.span->is_products) {
    state.ends_it = event.operands[0];
    state.by = static_cast<std::uint8_t>(role);
  }
  state.phase = event.verb == sim::Verb::wait ? roles.phase_of(state.span->event) : nullptr;
  if (state.phase == nullptr || state.phase->arrivals.empty()) return state;
  const RoleArrival& last = state.phase->arrivals.back();
  state.ends_it = last.event;
  state.by = last.role;
  state.is_issued = roles.issued(last.event) <= time;
  if (roles.event(last.event).sync.after_products) state.after = product_before(roles, last.role, last.event);
  return state;
}

std::vector<RegisterTile> registers_at(const RoleTrace& roles, std::size_t role, Cycles time) {
  const RoleLane& lane = roles.lanes()[role];
  if (lane.tiles.empty()) return {};
  if (roles.is_backward()) return gradients_at(roles, lane, time);
  std::vector<RegisterTile> tiles;
  for (const RoleSpan& product : lane.products) {
    if (product.letter != 'O') continue;
    const auto [first, last] = spans_within(lane.products, time, time + Cycles(1));
    RegisterTile O{"O", 'O', registers_of(roles.event(product.event)), time < lane.end};
    for (std::size_t n = first; n < last; ++n) O.under_way = O.under_way || lane.products[n].letter == 'O';
    tiles.push_back(O);
    break;
  }
  tiles.push_back(scores_at(roles, lane, time));
  if (!puts_weights(roles)) tiles.push_back(weights_at(roles, lane, time));
  return tiles;
}

RoleCycles cycles_of(const RoleTrace& roles, std::size_t role) {
  RoleCycles cycles;
  for (const RoleSpan& span : roles.lanes()[role].doing) part_of(cycles, span) += span.end - span.begin;
  cycles.rest += roles.end() - roles.lanes()[role].end;
  return cycles;
}

}  // namespace explorer
