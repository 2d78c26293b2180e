// The verbs that compute: matrix products, work per element of a tile, work per row.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/machine/cta.h"
#include "sim/machine/tile_math.h"
#include "sim/trace/tensors.h"

namespace sim {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

std::size_t count(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Number of a row; a vector of one number has it for all rows.
float in_row(const RegVec& vec, std::size_t row) { return vec.values[vec.values.size() == 1 ? 0 : row]; }

}  // namespace

Event Cta::worked(Verb verb, Engine engine, const AnyTile& tile, Line line) const {
  Event event;
  event.verb = verb;
  event.engine = engine;
  event.tensor = tile.tensor;
  event.level = tile.level;
  event.line = line.number;
  event.rows = tile.rows;
  event.cols = tile.cols;
  return event;
}

/// Bytes of shared memory that the warps read for a product of whole blocks: a warp takes 32 rows of the output, and
/// other warps of these rows split its columns. A first operand in registers passes through shared memory if split.
/// Multiply-adds have the second operand in registers, and every value of the first comes from shared memory once.
std::int64_t Cta::fragment_bytes(const AnyTile& out, std::int64_t depth, bool first_in_registers) const {
  if (setup_.fma) return product(out.rows.size, depth, size_of(setup_.dtype));
  const std::int64_t rows = std::max(out.rows.size, out.rows.block), cols = std::max(out.cols.size, out.cols.block);
  const std::int64_t along_rows = std::min(setup_.warps, ceil_div(rows, 32));
  const std::int64_t along_cols = std::max<std::int64_t>(1, setup_.warps / along_rows);
  const bool stays = first_in_registers && along_cols == 1;
  const std::int64_t first_passes = stays ? 0 : along_cols + (first_in_registers ? 1 : 0);  // written once
  return product(product(rows, first_passes) + product(cols, along_rows), depth, size_of(setup_.dtype));
}

Event Cta::per_row(Verb verb, const RegVec& vec, Line line) const {
  Event event;
  event.verb = verb;
  event.engine = Engine::fp32;
  event.tensor = vec.tensor;
  event.level = Level::registers;
  event.line = line.number;
  event.rows = vec.rows;
  event.cols = {0, 0, 1, Origin::whole};
  return event;
}

RegVec Cta::row_result(Tensor name, Axis rows) const {
  RegVec result(space_, name, rows);
  if (values()) result.values.resize(count(rows.size));
  return result;
}

RegTile Cta::zeros(Tensor name, const Block& rows, const HbmTensor& like, Line line) {
  Block all;
  all.axis = {0, 0, like.cols, Origin::whole};
  return zeros(name, rows, all, line);
}

RegTile Cta::zeros(Tensor name, const Block& rows, const Block& cols, Line line) {
  RegTile tile(space_, name, rows.axis, cols.axis, line);
  if (values()) tile.values.assign(count(tile.elements()), 0.0f);
  tile.event = issue(worked(Verb::fill, Engine::fp32, tile, line), {}, tile.values, tile.cols.size);
  return tile;
}

RegVec Cta::vec(Tensor name, const Block& rows, float value, Line line) {
  RegVec vec = row_result(name, rows.axis);
  std::fill(vec.values.begin(), vec.values.end(), value);
  vec.event = issue(per_row(Verb::fill, vec, line), {}, vec.values, 1);
  return vec;
}

RegTile Cta::gemm_nt(const SmemTile& Q, const AnyTile& K, Line line) { return gemm_nt(Tensor::S, Q, K, line); }

RegTile Cta::gemm_nt(Tensor name, const SmemTile& Q, const AnyTile& K, Line line) {
  RegTile S(space_, name, Q.rows, K.rows, line);
  if (values()) S.values.assign(count(S.elements()), 0.0f);
  gemm_nt_add(S, Q, K, line);
  return S;
}

void Cta::gemm_nt_add(RegTile& S, const SmemTile& Q, const AnyTile& K, Line line) {
  Event event = worked(Verb::gemm, matrix_engine(), S, line);
  event.matmul_flops = product(2, S.rows.size, S.cols.size, Q.cols.size);
  event.smem_bytes = fragment_bytes(S, Q.cols.size, false);
  if (values()) math::gemm_nt(S.values, Q.values, K.values, S.rows.size, S.cols.size, Q.cols.size, true);
  S.event = issue(event, {Q.event, K.event, S.event}, S.values, S.cols.size);
}

RegTile Cta::gemm_nn(const AnyTile& P, const AnyTile& V, Line line) { return gemm_nn(Tensor::PV, P, V, line); }

RegTile Cta::gemm_nn(Tensor name, const AnyTile& P, const AnyTile& V, Line line) {
  RegTile PV(space_, name, P.rows, V.cols, line);
  if (values()) PV.values.assign(count(PV.elements()), 0.0f);
  gemm_nn_add(PV, P, V, line);
  return PV;
}

/// Rounds weights to the dtype.
void Cta::round_operand(std::vector<float>& weights) const {
  if (setup_.dtype == Dtype::e4m3)
    for (float& p : weights) p *= e4m3_weights;
  round_all(setup_.dtype, weights);
}

/// Returns a tile as the tensor cores read it: registers are rounded to the dtype, into `room`; what is in shared
/// memory was rounded on its way there.
const std::vector<float>& Cta::as_operand(const AnyTile& P, std::vector<float>& room) const {
  if (!setup_.round_p || (setup_.dtype == Dtype::e4m3 && P.level == Level::smem)) return P.values;
  room = P.values;
  round_operand(room);
  return room;
}

void Cta::gemm_nn_add(AnyTile& O, const AnyTile& P, const AnyTile& V, Line line) {
  Event event = worked(Verb::gemm, matrix_engine(), O, line);
  event.matmul_flops = product(2, O.rows.size, O.cols.size, P.cols.size);
  event.smem_bytes = fragment_bytes(O, P.cols.size, true);
  if (values()) {
    std::vector<float> room;
    math::gemm_nn(O.values, as_operand(P, room), V.values, O.rows.size, O.cols.size, P.cols.size, true,
                  setup_.nonfinite);
  }
  O.event = issue(event, {P.event, V.event, O.event}, O.values, O.cols.size);
}

void Cta::gemm_tn_add(RegTile& dV, const AnyTile& P, const SmemTile& dO, Line line) {
  Event event = worked(Verb::gemm, matrix_engine(), dV, line);
  event.matmul_flops = product(2, dV.rows.size, dV.cols.size, P.rows.size);
  event.smem_bytes = fragment_bytes(dV, P.rows.size, true);
  if (values()) {
    std::vector<float> room;
    math::gemm_tn(dV.values, as_operand(P, room), dO.values, dV.rows.size, dV.cols.size, P.rows.size, setup_.nonfinite);
  }
  dV.event = issue(event, {P.event, dO.event, dV.event}, dV.values, dV.cols.size);
}

void Cta::scale(AnyTile& S, float factor, Line line) {
  Event event = worked(Verb::scale, Engine::fp32, S, line);
  event.other_flops = S.elements();
  for (float& s : S.values) s *= factor;
  S.event = issue(event, {S.event}, S.values, S.cols.size);
}

void Cta::scale_by(AnyTile& S, const RegVec& q, const RegVec& k, Line line) {
  Event event = worked(Verb::scale, Engine::fp32, S, line);
  event.other_flops = S.elements();
  if (values()) {
    const float factor = q.values.front() * k.values.front();
    for (float& s : S.values) s *= factor;
  }
  S.event = issue(event, {S.event, q.event, k.event}, S.values, S.cols.size);
}

void Cta::mask(AnyTile& S, const Block& i, const Block& j, Line line) {
  if (values()) math::apply_mask(S.values, *setup_.shape, i.elements(), j.elements());
  S.event = issue(worked(Verb::mask, Engine::fp32, S, line), {S.event}, S.values, S.cols.size);
}

RegVec Cta::row_max(const AnyTile& S, Line line) {
  RegVec none = row_result(Tensor::m, S.rows);
  std::fill(none.values.begin(), none.values.end(), minus_infinity);
  return row_max(S, none, line);
}

RegVec Cta::row_max(const AnyTile& S, const RegVec& m, Line line) {
  Event event = worked(Verb::max, Engine::fp32, S, line);
  event.other_flops = S.counted();
  RegVec m_new = m;
  event.tensor = m.tensor;
  event.level = Level::registers;
  if (values()) math::row_max(m_new.values, S.values, S.cols.size);
  m_new.event = issue(event, {S.event, m.event}, m_new.values, 1);
  return m_new;
}

void Cta::exp_in_place(AnyTile& S, const RegVec& m, Line line) {
  S.tensor = is_statistic(S.tensor) ? Tensor::beta : Tensor::P;
  Event event = worked(Verb::exp, Engine::exp, S, line);
  event.other_flops = S.counted();  // the subtraction
  event.exps = S.counted();
  if (values()) math::exp_sub(S.values, m.values, S.cols.size);
  S.event = issue(event, {S.event, m.event}, S.values, S.cols.size);
}

RegTile Cta::gaussian(const SmemTile& X, const SmemTile& Z, float factor, Line line) {
  RegTile P(space_, Tensor::P, X.rows, Z.rows, line);
  Event event = worked(Verb::exp, Engine::exp, P, line);
  event.other_flops = P.counted() * (3 * X.cols.size + 1);
  event.exps = P.counted();
  event.smem_bytes = fragment_bytes(P, X.cols.size, false);
  if (values()) P.values = math::gaussian(X.values, Z.values, X.cols.size, factor);
  P.event = issue(event, {X.event, Z.event}, P.values, Z.rows.size);
  return P;
}

RegVec Cta::row_sum(const AnyTile& P, Line line) { return add_row_sum(row_result(Tensor::l, P.rows), P, line); }

RegVec Cta::add_row_sum(const RegVec& l, const AnyTile& P, Line line) {
  Event event = worked(Verb::sum, Engine::fp32, P, line);
  event.tensor = l.tensor;
  event.level = Level::registers;
  event.other_flops = P.counted();
  RegVec l_new = l;
  if (values()) math::row_sum(l_new.values, P.values, P.cols.size);
  l_new.event = issue(event, {l.event, P.event}, l_new.values, 1);
  return l_new;
}

RegVec Cta::add_row_sum(const RegVec& l, const RegVec& alpha, const AnyTile& P, Line line) {
  RegVec scaled = l;
  scaled.event = std::max(l.event, alpha.event);
  if (values()) math::scale_rows(scaled.values, alpha.values, 1);
  return add_row_sum(scaled, P, line);
}

void Cta::scale_rows(RegTile& O, const RegVec& alpha, Line line) {
  Event event = worked(Verb::rescale, Engine::fp32, O, line);
  event.other_flops = O.elements();
  if (values()) math::scale_rows(O.values, alpha.values, O.cols.size);
  O.event = issue(event, {O.event, alpha.event}, O.values, O.cols.size);
}

void Cta::divide_rows(AnyTile& O, const RegVec& l, Line line) {
  Event event = worked(Verb::divide, Engine::fp32, O, line);
  event.other_flops = O.counted();
  if (values()) math::divide_rows(O.values, l.values, O.cols.size);
  O.event = issue(event, {O.event, l.event}, O.values, O.cols.size);
}

void Cta::blend(AnyTile& O, const RegVec& alpha, const RegVec& l, const RegTile& PV, const RegVec& beta,
                const RegVec& l_new, Line line) {
  Event event = worked(Verb::rescale, Engine::fp32, O, line);
  event.other_flops = product(3, O.elements());  // two scalings and an addition
  if (values()) math::blend(O.values, alpha.values, l.values, PV.values, beta.values, l_new.values, O.cols.size);
  O.event = issue(event, {O.event, alpha.event, l.event, PV.event, beta.event, l_new.event}, O.values, O.cols.size);
}

void Cta::blend(AnyTile& O, const RegVec& beta, const RegTile& O_s, Line line) {
  Event event = worked(Verb::rescale, Engine::fp32, O, line);
  event.other_flops = product(2, O.elements());  // a multiply-add
  if (values()) math::add_scaled(O.values, beta.values, O_s.values, O.cols.size);
  O.event = issue(event, {O.event, beta.event, O_s.event}, O.values, O.cols.size);
}

SmemTile Cta::columns_of(SmemTile&& K, const HbmTensor& V) const {
  SmemTile tile = std::move(K);
  const auto all = static_cast<std::ptrdiff_t>(tile.cols.size), some = static_cast<std::ptrdiff_t>(V.cols);
  const std::ptrdiff_t rows = std::ssize(tile.values) / all;
  for (std::ptrdiff_t r = 0; r < rows; ++r)
    std::copy_n(tile.values.begin() + r * all, some, tile.values.begin() + r * some);
  tile.values.resize(static_cast<std::size_t>(rows * some));
  tile.tensor = V.name;
  tile.cols.size = V.cols;
  return tile;
}

SmemTile Cta::row_of_scores(const Block& i, const Block& s, Line line) {
  Axis keys = s.axis;
  keys.size = checked_multiply(ceil_div(keys.size, setup_.bc), setup_.bc);
  SmemTile S(space_, Tensor::S_row, i.axis, keys, line);
  if (values()) S.values.resize(count(S.elements()));
  return S;
}

namespace {

/// Calls visit(first in S_j, first in S, values) for each row of block j of a row of scores.
template <class Visit>
void each_row_of_keys(const AnyTile& S_j, const AnyTile& S, const Block& j, Visit visit) {
  const auto keys = static_cast<std::ptrdiff_t>(j.size());
  for (std::int64_t r = 0; r < S_j.rows.size; ++r)
    visit(r * j.size(), r * S.cols.size + j.axis.begin - S.cols.begin, keys);
}

}  // namespace

void Cta::keep(const AnyTile& S_j, SmemTile& S, const Block& j, Line line) {
  if (values()) {
    each_row_of_keys(S_j, S, j, [&](std::ptrdiff_t from, std::ptrdiff_t to, std::ptrdiff_t keys) {
      std::copy_n(S_j.values.begin() + from, keys, S.values.begin() + to);
    });
  }
  Event event = worked(Verb::move, Engine::fp32, S_j, line);
  event.level = Level::smem;
  event.smem_bytes = product(S_j.elements(), size_of(Dtype::fp32));
  S.event = issue(event, {S_j.event}, S_j.values, S_j.cols.size);
}

RegTile Cta::cols_of(const SmemTile& S, const Block& j, Line line) {
  RegTile S_j(space_, Tensor::S, S.rows, j.axis, line);
  S_j.event = S.event;
  if (!values()) return S_j;
  S_j.values.resize(count(S_j.elements()));
  each_row_of_keys(S_j, S, j, [&](std::ptrdiff_t to, std::ptrdiff_t from, std::ptrdiff_t keys) {
    std::copy_n(S.values.begin() + from, keys, S_j.values.begin() + to);
  });
  return S_j;
}

RegVec Cta::column(const AnyTile& W, const Block& s) const {
  RegVec result = row_result(W.tensor, W.rows);
  for (std::size_t r = 0; r < result.values.size(); ++r) {
    result.values[r] = W.values[r * count(W.cols.size) + count(s.axis.index)];
  }
  result.event = W.event;
  return result;
}

RegVec Cta::exp_sub(const RegVec& m, const RegVec& m_new, Tensor name, Line line) {
  RegVec result = row_result(name, m_new.rows);
  for (std::size_t r = 0; r < result.values.size(); ++r) {
    const float of_row = in_row(m, r);
    result.values[r] = of_row == minus_infinity ? 0.0f : std::exp(of_row - m_new.values[r]);
  }
  result.event = issue(per_row(Verb::exp, result, line), {m.event, m_new.event}, result.values, 1);
  return result;
}

RegVec Cta::max(const RegVec& a, const RegVec& b, Line line) {
  RegVec result = row_result(a.tensor, a.rows);
  for (std::size_t r = 0; r < result.values.size(); ++r) result.values[r] = std::max(a.values[r], in_row(b, r));
  result.event = issue(per_row(Verb::max, result, line), {a.event, b.event}, result.values, 1);
  return result;
}

RegVec Cta::in_units(const RegVec& v, float factor, const RegVec& unit, Line line) {
  RegVec result = row_result(v.tensor, v.rows);
  for (std::size_t r = 0; r < result.values.size(); ++r) {
    const float of_row = in_row(unit, r);
    result.values[r] = std::isinf(of_row) ? std::numeric_limits<float>::quiet_NaN() : factor / of_row * v.values[r];
  }
  result.event = issue(per_row(Verb::rescale, result, line), {v.event, unit.event}, result.values, 1);
  return result;
}

RegVec Cta::in_units(const RegVec& v, const RegVec& before, const RegVec& unit, Line line) {
  return in_units(v, values() ? before.values.front() : 1, unit, line);
}

RegVec Cta::blend(const RegVec& alpha, const RegVec& l, const RegVec& beta, const RegVec& l_tilde, Line line) {
  RegVec result = row_result(l.tensor, l.rows);
  for (std::size_t r = 0; r < result.values.size(); ++r) {
    result.values[r] = alpha.values[r] * l.values[r] + beta.values[r] * l_tilde.values[r];
  }
  result.event =
      issue(per_row(Verb::sum, result, line), {alpha.event, l.event, beta.event, l_tilde.event}, result.values, 1);
  return result;
}

RegVec Cta::log_sum_exp(const RegVec& m, const RegVec& l, Line line) {
  RegVec L = row_result(Tensor::L, m.rows);
  for (std::size_t r = 0; r < L.values.size(); ++r) {
    L.values[r] = l.values[r] == 0.0f ? minus_infinity : m.values[r] + std::log(l.values[r]);
  }
  L.event = issue(per_row(Verb::log, L, line), {m.event, l.event}, L.values, 1);
  return L;
}

}  // namespace sim
