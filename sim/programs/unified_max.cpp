#include "sim/programs/unified_max.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/text.h"

namespace sim {
namespace {

/// Adds the first row blocks of a class as plans of their own: whole batch entries, whole groups of heads of the next
/// one, single heads of the next group, and the first rows of the next head.
void add_pieces(std::vector<Plan>& pieces, const Plan& of_class, std::int64_t row_blocks) {
  const Shape& shape = of_class.problem.shape;
  const std::int64_t br = of_class.problem.tiling.br, of_head = ceil_div(shape.seqlen_q, br),
                     group = shape.heads / shape.kv_heads, heads = row_blocks / of_head;
  const auto add = [&](std::int64_t batch, std::int64_t kv_heads, std::int64_t of_kv_head, std::int64_t queries) {
    if (product(batch, kv_heads, of_kv_head, queries) == 0) return;
    Plan& piece = pieces.emplace_back(of_class);
    piece.problem.shape.batch = batch;
    piece.problem.shape.heads = kv_heads * of_kv_head;
    piece.problem.shape.kv_heads = kv_heads;
    piece.problem.hbm = tensors_of(piece.problem);
    for (Launch& launch : piece.launches) launch.grid.queries = queries == shape.seqlen_q ? 0 : queries;
  };
  const std::int64_t of_entry = heads % shape.heads;
  add(heads / shape.heads, shape.kv_heads, group, shape.seqlen_q);
  add(1, of_entry / group, group, shape.seqlen_q);
  add(1, 1, of_entry % group, shape.seqlen_q);
  add(1, 1, 1, row_blocks % of_head * br);
}

}  // namespace

void restrict_to_fallback(Plan& plan) {
  std::int64_t left = plan.problem.fallback_blocks;
  if (left == 0) return;
  auto pieces = std::make_shared<std::vector<Plan>>();
  for (const Plan& c : classes_of(plan)) {
    const Shape& shape = c.problem.shape;
    const std::int64_t all = product(shape.batch, shape.heads, ceil_div(shape.seqlen_q, c.problem.tiling.br));
    add_pieces(*pieces, c, std::min(left, all));
    left -= std::min(left, all);
  }
  for (Launch& launch : plan.launches) {
    if (launch.needed != nullptr) launch.pieces = pieces;
  }
}

void check_unified_max(const Scenario& s) {
  constexpr double largest = std::numeric_limits<float>::max();  // kernels subtract in fp32
  require(!s.phi || std::abs(*s.phi) <= largest, "phi: ", s.phi.value_or(0), " is not a number from -", largest, " to ",
          largest);
  require(!s.range || s.range->low < s.range->high, "range: ", text_of(unified_range(s)),
          " is not A,B with A < B, the bounds of x - phi");
  require(!s.fallback || (*s.fallback >= 0 && *s.fallback <= 1), "fallback: ", s.fallback.value_or(0),
          " is not in [0, 1], the share of row blocks");
  require(s.steps == 0 || s.fallback.value_or(0) == 0, "fallback: ", s.fallback.value_or(0),
          " is a share of the row blocks of one run: leave it out, or --steps");
}

std::string text_of(const ScoreRange& range) { return text(range.low, ",", range.high); }

ScoreRange unified_range(const Scenario& s) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr ScoreRange of_llama2{-16.8, 6.5};  // Hong et al. 2024: more than 99.99 % of the scores of Llama2-7B
  return s.range.value_or(s.dtype == Dtype::fp32 ? ScoreRange{-infinite, infinite} : of_llama2);
}

}  // namespace sim
