// What e4m3 does to one head of a run: a tile of Q and its scores, and O of its rows by the program, against double.
#pragma once
#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/model/value_check.h"
#include "sim/programs/fp8.h"

namespace sim {

inline constexpr std::int64_t most_quantised_rows = 8192;  ///< queries and keys of a head whose errors are computed

/// A head of a run in e4m3 alone, of its first queries and keys: with its d, tiles, schedule, seed and causal mask. Its
/// inputs are the first elements of the run's.
Scenario one_head_of(const Scenario& run);
/// The same head with other scales, rotated or not.
Scenario quantised_as(Scenario head, Fp8Scales scales, bool rotated);
/// The same head in fp16, with the same row blocks.
Scenario in_fp16(Scenario head);

/// Differences of scores of a tile from those of the exact inputs.
struct ScoreErrors {
  ValueChecks::Squares squares;
  double largest = 0;
};

/// A tile of Q in e4m3, and its scores with all keys.
class QuantisedTile {
 public:
  /// Tile `row` of the head of a plan in e4m3; `exact`: its inputs.
  QuantisedTile(std::shared_ptr<const Plan> plan, std::shared_ptr<const AttentionInputs> exact, std::int64_t row);

  Interval queries() const { return queries_; }
  float scale() const { return scale_; }
  float largest() const { return largest_; }                       ///< magnitude, before it is divided by the scale
  std::size_t largest_at() const { return largest_at_; }           ///< its element of the tile
  const std::vector<float>& values() const { return values_; }     ///< as they are divided by the scale: rotated or not
  std::int64_t beyond(float limit) const;                          ///< values x with |x / scale| > limit
  std::vector<std::int64_t> histogram(std::size_t bins) const;     ///< of x / scale, from -448 to 448
  double rounding_error() const { return rounding_.root_mean(); }  ///< root mean square of scale e4m3(x / scale) - x

  /// Adds the scores of the next block of keys; false if there are none left.
  bool add_scores();
  const ScoreErrors& scores() const { return scores_; }

 private:
  std::shared_ptr<const Plan> plan_;
  std::shared_ptr<const AttentionInputs> exact_;
  DrawnInputs inputs_;
  Interval queries_;
  float scale_ = 1, largest_ = 0;
  std::size_t largest_at_ = 0;
  std::vector<float> values_, rounded_;  ///< rounded_: e4m3
  ValueChecks::Squares rounding_;
  ScoreErrors scores_;
  std::int64_t next_key_ = 0;
};

/// Attention of some queries of a head in double: (queries, d).
std::vector<double> exact_rows(const Plan& plan, const AttentionInputs& exact, Interval queries);
/// Squares of the differences of the program's O of these queries. The kernels of the plan run on their rows alone.
ValueChecks::Squares errors_of_rows(const Plan& plan, const std::shared_ptr<const AttentionInputs>& inputs,
                                    Interval queries, const std::vector<double>& exact);

/// Root mean square errors of O that were published for inputs with outliers; N and d are not stated.
/// Source: Shah et al. 2024 (FlashAttention-3), arXiv 2407.08608, table 3.
struct PublishedError {
  Fp8Scales scales;
  bool rotated;
  double value;
};
inline constexpr std::array<PublishedError, 4> published_errors = {{{Fp8Scales::tensor, false, 2.4e-2},
                                                                    {Fp8Scales::block, false, 2.4e-2},
                                                                    {Fp8Scales::tensor, true, 9.3e-3},
                                                                    {Fp8Scales::block, true, 9.1e-3}}};

}  // namespace sim
