// The verbs of a unified maximum: the range of its scores, and parts of O that only add.
#include <algorithm>
#include <limits>

#include "sim/machine/cta.h"

namespace sim {
namespace {

/// True if the scores of a row are within the range. NaN is not; a hidden pair is.
bool is_row_in_range(const float* row, std::int64_t cols, float m, float low, float high) {
  return std::all_of(row, row + cols, [&](float s) {
    const float x = s - m;
    return s == -std::numeric_limits<float>::infinity() || (low < x && x < high);
  });
}

}  // namespace

RegVec Cta::in_range(const AnyTile& S, const RegVec& m, float low, float high, const RegVec& ok, Line line) {
  Event event = worked(Verb::compare, Engine::fp32, S, line);
  event.tensor = ok.tensor;
  event.level = Level::registers;
  event.other_flops = S.elements();
  RegVec still = ok;
  for (std::size_t r = 0; r < still.values.size(); ++r) {
    const float* const row = S.values.data() + r * static_cast<std::size_t>(S.cols.size);
    if (!is_row_in_range(row, S.cols.size, m.values[r], low, high)) still.values[r] = 0;
  }
  still.event = issue(event, {S.event, m.event, ok.event}, still.values, 1);
  return still;
}

RegVec Cta::or_infinity(const RegVec& l, const RegVec& ok, Line line) {
  RegVec result = row_result(l.tensor, l.rows);
  for (std::size_t r = 0; r < result.values.size(); ++r)
    result.values[r] = ok.values[r] == 0 ? std::numeric_limits<float>::infinity() : l.values[r];
  result.event = issue(per_row(Verb::max, result, line), {l.event, ok.event}, result.values, 1);
  return result;
}

void Cta::add(RegTile& O, const RegTile& O_part, Line line) {
  Event event = worked(Verb::sum, Engine::fp32, O, line);
  event.other_flops = O.elements();
  for (std::size_t n = 0; n < O.values.size(); ++n) O.values[n] += O_part.values[n];
  O.event = issue(event, {O.event, O_part.event}, O.values, O.cols.size);
}

}  // namespace sim
