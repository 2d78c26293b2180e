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

AnyTile Cta::cols_of(const AnyTile& K, const Block& cols) const {
  AnyTile tile(space_, K.level, K.tensor, K.rows, cols.axis);
  tile.event = K.event;
  const std::int64_t begin = cols.axis.begin - K.cols.begin;
  for (std::int64_t r = 0; r < K.rows.size && !K.values.empty(); ++r) {
    const auto row = K.values.begin() + static_cast<std::ptrdiff_t>(r * K.cols.size + begin);
    tile.values.insert(tile.values.end(), row, row + static_cast<std::ptrdiff_t>(cols.axis.size));
  }
  return tile;
}

namespace {

/// Writes a tile into the columns of another one that it has.
void write_columns(const AnyTile& P, AnyTile& place) {
  const auto cols = static_cast<std::ptrdiff_t>(P.cols.size);
  place.values.resize(static_cast<std::size_t>(place.elements()));
  for (std::int64_t r = 0; r < P.rows.size; ++r)
    std::copy_n(P.values.begin() + r * cols, cols,
                place.values.begin() + (r * place.cols.size + P.cols.begin - place.cols.begin));
}

}  // namespace

void Cta::put(const AnyTile& P, SmemTile& place, Line line) {
  Block all;
  all.axis = P.cols;
  put(P, place, all, line);
}

void Cta::put(const AnyTile& P, SmemTile& place, const Block& j, Line line) {
  place.rows = P.rows;
  place.cols = j.axis;
  AnyTile part(space_, place.level, place.tensor, P.rows, P.cols);
  part.values = P.values;
  round_operand(part.values);
  if (values()) write_columns(part, place);
  Event event = worked(Verb::move, Engine::fp32, part, line);
  event.smem_bytes = product(P.rows.size, P.cols.size, size_of(setup_.dtype));
  place.event = issue(event, {P.event}, part.values, P.cols.size);
}

AnyTile Cta::put(Tensor name, const AnyTile& dQ, Line line) {
  AnyTile tile(space_, Level::smem, name, dQ.rows, dQ.cols);
  tile.values = dQ.values;
  if (name != Tensor::dQ_acc) round_all(setup_.dtype, tile.values);
  Event event = worked(Verb::move, Engine::fp32, tile, line);
  event.smem_bytes = space_.bytes_of(Level::smem, name, dQ.rows.size, dQ.cols.size).count();
  tile.event = issue(event, {dQ.event}, tile.values, dQ.cols.size);
  return tile;
}

AnyTile Cta::transpose(Tensor name, const AnyTile& V, Line line) {
  AnyTile tile(space_, Level::smem, name, V.rows, V.cols);
  tile.values = V.values;
  tile.in = other_iteration_ = V.in;
  Event event = worked(Verb::transpose, Engine::fp32, tile, line);
  event.smem_bytes = product(2, V.rows.size, V.cols.size, size_of(setup_.dtype));
  tile.event = issue(event, {V.event}, tile.values, V.cols.size);
  other_iteration_ = {};
  return tile;
}

namespace {

/// Elements of both operands that pass the shared-memory port: 64 rows of A at a time, and all of B for each of them.
std::int64_t operand_rows(std::int64_t rows, std::int64_t cols, bool first_passes) {
  return (first_passes ? rows : 0) + ceil_div(rows, wgmma_rows) * cols;
}

}  // namespace

/// Reads its operands through the shared-memory port. If both are there, wgmma may compute the transposed product: a
/// kernel does so if its own rows are not whole 64s, or if it then reads less.
void Cta::wgmma(Event event, AnyTile& out, const AnyTile& a, const AnyTile& b, std::int64_t depth) {
  const std::int64_t rows = std::max(out.rows.size, out.rows.block), cols = std::max(out.cols.size, out.cols.block);
  const bool first_passes = a.level == Level::smem;
  std::int64_t passing = operand_rows(rows, cols, first_passes);
  if (first_passes && cols % wgmma_rows == 0) {
    const std::int64_t transposed = operand_rows(cols, rows, true);
    passing = rows % wgmma_rows == 0 ? std::min(passing, transposed) : transposed;
  }
  event.matmul_flops = product(2, out.rows.size, out.cols.size, depth);
  event.smem_bytes = product(passing, depth, size_of(setup_.dtype));
  event.asynchronous = true;
  other_iteration_ = b.in;
  out.event = issue(event, {a.event, b.event, out.event}, out.values, out.cols.size);
  other_iteration_ = {};
  role_->products.push_back(out.event);
}

RegTile Cta::wgmma_nt(const AnyTile& Q, const AnyTile& K, Line line) { return wgmma_nt(Tensor::S, Q, K, line); }

RegTile Cta::wgmma_nt(Tensor name, const AnyTile& Q, const AnyTile& K, Line line) {
  RegTile S(space_, name, Q.rows, K.rows, line);
  if (values()) {
    S.values.assign(static_cast<std::size_t>(S.elements()), 0.0f);
    math::gemm_nt(S.values, Q.values, K.values, S.rows.size, S.cols.size, Q.cols.size, true);
  }
  wgmma(worked(Verb::gemm, matrix_engine(), S, line), S, Q, K, Q.cols.size);
  return S;
}

RegTile Cta::wgmma_nn(Tensor name, const AnyTile& dS, const AnyTile& K, Line line) {
  RegTile dQ(space_, name, dS.rows, K.cols, line);
  if (values()) dQ.values.assign(static_cast<std::size_t>(dQ.elements()), 0.0f);
  wgmma_nn_add(dQ, dS, K, line);
  return dQ;
}

void Cta::wgmma_nn_add(RegTile& O, const AnyTile& P, const AnyTile& V, Line line) {
  if (values()) {
    std::vector<float> room;
    math::gemm_nn(O.values, as_operand(P, room), V.values, O.rows.size, O.cols.size, P.cols.size, true,
                  setup_.nonfinite);
  }
  wgmma(worked(Verb::gemm, matrix_engine(), O, line), O, P, V, P.cols.size);
}

void Cta::wgmma_tn_add(RegTile& dV, const AnyTile& P, const AnyTile& dO, Line line) {
  if (values()) {
    std::vector<float> room;
    math::gemm_tn(dV.values, as_operand(P, room), dO.values, dV.rows.size, dV.cols.size, P.rows.size, setup_.nonfinite);
  }
  wgmma(worked(Verb::gemm, matrix_engine(), dV, line), dV, P, dO, P.rows.size);
}

void Cta::products(std::size_t under_way, Line line) {
  std::vector<std::int32_t>& products = role_->products;
  const std::size_t ended = products.size() - std::min(under_way, products.size());
  const std::int32_t newest = ended > 0 ? products[ended - 1] : no_event;
  products.erase(products.begin(), products.begin() + static_cast<std::ptrdiff_t>(ended));
  synchronise(Verb::wait, {-1, static_cast<std::int16_t>(under_way)}, {newest}, line);
}

}  // namespace sim
