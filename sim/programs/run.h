// Running a plan: counting the whole grid, replaying one CTA, computing the values, and the brute force of the tests.
#pragma once
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/attention.h"
#include "sim/programs/plan.h"
#include "sim/trace/trace.h"

namespace sim {

/// Counts one kernel over its whole grid: each kind of iteration once, with how often it happens. O(row blocks).
/// Throws TileOverflow when a tile does not fit.
Trace count(const Plan& plan, const Launch& launch);

/// Counts every kernel. A tile that does not fit gives an Error that also names the largest tiles that do.
std::vector<Trace> count(const Plan& plan);

/// Counts every kernel by walking every CTA and every tile; for tests. O(tiles x batch x heads).
Totals count_by_brute_force(const Plan& plan);

/// One CTA: its head of its batch entry (its KV head if it processes a whole group), its row block and column block (0
/// if the grid has no such coordinate).
struct CtaPlace {
  std::int64_t batch = 0, head = 0, row = 0, col = 0;
  friend bool operator==(const CtaPlace&, const CtaPlace&) = default;
};

/// Every event of one CTA; without times, which scheduled_replay in sim/model adds.
/// With inputs: values too, a copy after each event (`Event::value`). Throws Error if the place is outside the grid, or
/// if more than 2^22 events or 1 GiB of values would be kept.
Trace replay(const Plan& plan, const Launch& launch, const CtaPlace& place, const AttentionInputs* inputs = nullptr);

/// One CTA like `replay` without values, of which each loop does its first and last iterations only, `most_iterations`
/// in all; by depth of the loop, 0: all. Masked iterations are at the ends and stay.
Trace replay_iterations(const Plan& plan, const Launch& launch, const CtaPlace& place,
                        const std::array<std::size_t, 3>& most_iterations);

/// The result of all heads in fp32 as read back from HBM: o (batch, heads, Nq, d), log_sum_exp (batch, heads, Nq): L,
/// m + log l for flash1, empty for standard. With a backward pass the gradients: d_q like o, d_k and d_v (batch,
/// kv_heads, Nk, d).
struct AttentionOutputs {
  std::vector<float> o, log_sum_exp, d_q, d_k, d_v;
  std::int64_t recomputed_blocks = 0;  ///< row blocks of all heads that ran the kernels of Launch::needed
};

/// L = m + log l of a row; -inf if l = 0, for a row that saw nothing.
float log_sum_exp(float m, float l);

/// Throws Error if the tensors of the heads that run together need more than 4 GiB.
void check_value_size(const Plan& plan);

/// Origin of values that are not finite.
struct NonfiniteOrigin {
  std::string_view kernel;   ///< the launch
  std::string_view listing;  ///< listing of its pass: "programs/standard/standard.cpp"
  int line = 0;              ///< line of the verb in it
};

/// The first verb whose result holds a value that is not finite, in the order in which the kernels compute one query
/// head (see FirstNonfinite). Nothing where there is none. Cost: that of computing the head again, up to that verb.
std::optional<NonfiniteOrigin> nonfinite_origin(const Plan& plan, const AttentionInputs& inputs, std::int64_t head);

/// Called after each finished CTA: CTAs done, CTAs in all.
using Progress = void (*)(std::int64_t done, std::int64_t all);

/// Runs every CTA of every kernel with values, head by head (KV head by KV head in a backward pass); a backward pass
/// alone runs the forward pass first. Inputs must already be rounded to the dtype, with d_o for a backward pass.
/// Throws Error when the tensors of what runs together need more than 4 GiB.
AttentionOutputs compute(const Plan& plan, const AttentionInputs& inputs, Progress progress = nullptr);

}  // namespace sim
