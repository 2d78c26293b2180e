// Error of a scenario's predicted time: the mean error against published and recorded times of the same kind, from the
// generated table accuracy_table.csv. `flashscope validate --update` writes it; a test checks it against the model.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/programs/plan.h"

namespace sim {

/// Known error of a predicted time.
struct Accuracy {
  bool validated = false;
  std::optional<double> error_percent;  ///< mean |predicted / published - 1| of the neighbouring points
  std::string where;  ///< "12 published times on a100-sxm-80gb (fa2-paper-a100)"; "" if there are none
  std::string known;  ///< sentence on a time that is not validated; "" if nothing is known
};

/// A time counts as validated if scored points of a row of the table are its neighbours:
/// - the same algorithm, tiling rule, built-in GPU, mask, dropout or none, heads that share K and V or none; both
///   without or both with a backward pass;
/// - N and d from half the smallest to twice the largest of the row, and d at most 128 in both or above it in both;
///   batch x heads x N at least half of the least, since a GPU that is not full behaves differently;
/// - as in all points: fp16 or bf16, Nk = Nq, tiles and SRAM not set by hand, options of the program at their defaults,
///   padding at most N / 4.
///
/// Of several such rows the error is the mean over their points. O(rows of the table), about a microsecond; if options
/// of the program are set, two plans are made as well.
Accuracy accuracy_of(const Scenario& scenario);

/// As above, but a time has no known error if the instructions of a kernel are estimated (is_estimated).
Accuracy accuracy_of(const Plan& plan);

/// Largest d of common heads. Wider ones are points of a separate kind: their kernels have smaller tiles and less
/// space.
inline constexpr std::int64_t widest_common_d = 128;

/// One row of the table: scored points of one kind in one group.
struct AccuracyRow {
  std::string group, algorithm, variant, gpu, pass, mask;
  bool dropout = false, shared = false;  ///< shared: fewer KV heads than heads
  std::int64_t shortest = 0, longest = 0, smallest_d = 0, largest_d = 0;
  std::int64_t least_rows = 0;  ///< batch x heads x N
  std::int64_t points = 0;
  double error_percent = 0, bias_percent = 0;
  bool recorded = false;  ///< recorded on a GPU, else published
  bool is_wide() const { return largest_d > widest_common_d; }
  friend bool operator==(const AccuracyRow&, const AccuracyRow&) = default;
};

/// "none", "causal", "padding", or another word for a mask that no row has.
std::string mask_word(const Mask& mask);

/// "", "released" or "paper": the name of a scenario's tiling rule in the tables.
std::string variant_word(TilingRule tiling);

/// True if a scenario meets the condition that all points share: the last one above, and a mask that has a word.
bool is_plain(const Scenario& scenario);

/// The embedded table, read once.
const std::vector<AccuracyRow>& accuracy_table();

/// A table as its file, and back. Errors in percent have one decimal. Throws Error with file, line and column.
std::string accuracy_csv(const std::vector<AccuracyRow>& rows);
std::vector<AccuracyRow> parse_accuracy(std::string_view csv, const std::string& origin);

}  // namespace sim
