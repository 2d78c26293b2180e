// Verbs of warp-specialised programs: copies that complete a phase, asynchronous products, operations at barriers.
#include <algorithm>

#include "sim/machine/roles.h"
#include "sim/machine/tile_math.h"

namespace sim {

void Cta::act_as(Role& role) {
  role_ = &role;
  space_.act_as(role.id);
}

std::int16_t Cta::add_barrier(const TraceBarrier& barrier) {
  const auto number = static_cast<std::size_t>(barriers_);
  if (trace_.barriers.size() == number) trace_.barriers.push_back(barrier);  // else a CTA counted before had it
  return barriers_++;
}

std::int32_t Cta::synchronise(Verb verb, Sync sync, std::initializer_list<std::int32_t> operands, Line line) {
  Event event;
  event.verb = verb;
  event.engine = Engine::barrier;
  event.line = line.number;
  event.sync = sync;
  return issue(event, operands, {}, 1);
}

/// Results of products are garbage until their warpgroup has waited for them; products themselves come in order.
void Cta::check_products(const Event& event) const {
  for (const std::int32_t product : role_->products) {
    const bool reads = std::find(event.operands.begin(), event.operands.end(), product) != event.operands.end();
    require(!reads || product == no_event, "line ", event.line, " reads ",
            name_of(trace_.events[static_cast<std::size_t>(std::max(0, product))].tensor),
            " before products() has waited for the product that makes it");
  }
}

AnyTile Cta::load(const HbmBlock& from, Phase full, Line line) {
  check_pages(from, line);
  AnyTile tile(space_, Level::smem, from.tensor->name, from.rows, from.cols);
  if (values()) tile.values = read_values(from);
  Event event = moved(Verb::load, Direction::read, from, tile.level, line);
  const std::int64_t box = product(std::max(from.rows.size, from.rows.block), from.cols.size);
  event.sync = {full.barrier->index(), -1, static_cast<std::int32_t>(full.number),
                checked_multiply(box, size_of(from.tensor->dtype))};
  tile.in = other_iteration_ = from.in;
  tile.event = issue(event, {}, tile.values, from.cols.size);
  other_iteration_ = {};
  full.barrier->arrive(full.number, tile.event);
  return tile;
}

AnyTile Cta::rows_of(const AnyTile& Q, const Block& rows) const {
  AnyTile tile(space_, Q.level, Q.tensor, rows.axis, Q.cols);
  tile.event = Q.event;
  const auto begin = static_cast<std::ptrdiff_t>((rows.axis.begin - Q.rows.begin) * Q.cols.size);
  if (!Q.values.empty()) tile.values.assign(Q.values.begin() + begin, Q.values.begin() + begin + tile.elements());
  return tile;
}

void Cta::put(const AnyTile& P, SmemTile& place, Line line) {
  place.rows = P.rows;
  place.cols = P.cols;
  place.values = P.values;
  round_all(setup_.dtype, place.values);
  Event event = worked(Verb::move, Engine::fp32, place, line);
  event.smem_bytes = product(P.rows.size, P.cols.size, size_of(setup_.dtype));
  place.event = issue(event, {P.event}, place.values, P.cols.size);
}

/// Reads both operands through the shared-memory port as wgmma does: 64 rows of A at a time, and all of B for them.
void Cta::wgmma(Event event, AnyTile& out, const AnyTile& a, const AnyTile& b) {
  const std::int64_t depth = a.cols.size;
  const std::int64_t rows = std::max(out.rows.size, out.rows.block), cols = std::max(out.cols.size, out.cols.block);
  event.matmul_flops = product(2, out.rows.size, out.cols.size, depth);
  event.smem_bytes =
      product((a.level == Level::smem ? rows : 0) + ceil_div(rows, 64) * cols, depth, size_of(setup_.dtype));
  event.asynchronous = true;
  other_iteration_ = b.in;
  out.event = issue(event, {a.event, b.event, out.event}, out.values, out.cols.size);
  other_iteration_ = {};
  role_->products.push_back(out.event);
}

RegTile Cta::wgmma_nt(const AnyTile& Q, const AnyTile& K, Line line) {
  RegTile S(space_, Tensor::S, Q.rows, K.rows, line);
  if (values()) {
    S.values.assign(static_cast<std::size_t>(S.elements()), 0.0f);
    math::gemm_nt(S.values, Q.values, K.values, S.rows.size, S.cols.size, Q.cols.size, true);
  }
  wgmma(worked(Verb::gemm, matrix_engine(), S, line), S, Q, K);
  return S;
}

void Cta::wgmma_nn_add(RegTile& O, const AnyTile& P, const AnyTile& V, Line line) {
  if (values()) {
    std::vector<float> room;
    math::gemm_nn(O.values, as_operand(P, room), V.values, O.rows.size, O.cols.size, P.cols.size, true,
                  setup_.nonfinite);
  }
  wgmma(worked(Verb::gemm, matrix_engine(), O, line), O, P, V);
}

void Cta::products(std::size_t under_way, Line line) {
  std::vector<std::int32_t>& products = role_->products;
  const std::size_t ended = products.size() - std::min(under_way, products.size());
  const std::int32_t newest = ended > 0 ? products[ended - 1] : no_event;
  products.erase(products.begin(), products.begin() + static_cast<std::ptrdiff_t>(ended));
  synchronise(Verb::wait, {-1, static_cast<std::int16_t>(under_way)}, {newest}, line);
}

}  // namespace sim
