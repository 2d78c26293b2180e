// Rows of a kernel that computes a softmax, tile by tile: S and P, and m, l and O before and after each tile. Runs the
// kernel's own program, iteration by iteration, on these rows only (sim/programs/row_window.h).
#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "sim/model/tile_visits.h"
#include "sim/programs/row_window.h"

namespace sim {

/// True if a kernel loops over the keys, or a part of them, with a softmax of its own, and computes O from them.
bool is_fused_forward(const Launch& launch);
/// True if a kernel computes a softmax: a fused forward, one chunk of keys each, or P in HBM.
bool computes_softmax(const Launch& launch);

/// Running maximum of a row that has seen no key yet.
inline constexpr float unseen_max = -std::numeric_limits<float>::infinity();

/// Sink that a kernel's softmax of a row begins with; unseen_max if there is none.
float sink_of(const Problem& problem, const Launch& launch, std::int64_t head, std::int64_t row);

/// The maximum and the sum of each row so far.
struct RowSums {
  std::vector<float> m, l;
};

/// State of a row block between two tiles: its sums, and the keyframe from which its program resumes.
struct RowState : RowSums {
  Keyframe keyframe;
  std::int64_t bytes() const { return keyframe.bytes() + static_cast<std::int64_t>(4 * (m.size() + l.size())); }
};

/// Result of one step of the rows: a tile of keys.
struct TileStep {
  std::int64_t col = 0;  ///< block of keys
  Trace trace;           ///< trace of the step, with all values; empty unless requested
  TileVisit visit;       ///< its visit in the trace
  /// Factor on the rows of O so far, exp(m - m') in most programs; empty if nothing is rescaled.
  std::vector<float> alpha;
  RowSums before;
  RowState after;
  std::vector<float> O;  ///< (rows, d), after the sum of the step
  bool divided = false;  ///< O is divided by l in every step
  /// False: an earlier pass computed m and l, which stay unchanged.
  bool max_runs = true, sum_runs = true;
  bool of_log_sum = false;    ///< the pass loads L: m then holds L
  bool reads_values = false;  ///< V enters the sum
  double nanoseconds = 0;     ///< approximate time on one core
};

class RowSteps {
 public:
  enum class Keep { numbers, all };

  /// Rows of a window in a kernel of the plan, and, in a grid that splits the keys, in part `part` of them. All rows
  /// are in one row block of the kernel. Throws Error for a kernel that does not compute a softmax, and if the rows are
  /// in more than one block.
  RowSteps(std::shared_ptr<const Plan> plan, std::size_t kernel, std::int64_t part, std::shared_ptr<RowWindow> window);
  /// Row block `row` of a query head (counted over all batch entries).
  RowSteps(const std::shared_ptr<const Plan>& plan, std::size_t kernel, std::int64_t head, std::int64_t row,
           std::int64_t part, std::shared_ptr<DrawnInputs> inputs);

  std::int64_t steps() const { return static_cast<std::int64_t>(visits_.size()); }
  std::int64_t tiles() const { return tiles_; }  ///< tiles of the rows, or of their part, that are not skipped
  std::int64_t col_of(std::int64_t step) const { return visits_[static_cast<std::size_t>(step)].col; }
  Interval keys_of(std::int64_t step) const;
  Interval queries() const { return window_->queries(); }
  std::int64_t head() const { return window_->head(); }
  const Problem& problem() const { return plan_->problem; }
  DrawnInputs& inputs() { return window_->inputs(); }

  RowState start() const;
  /// Runs one step from the state before it.
  TileStep step(std::int64_t step, RowState before, Keep keep = Keep::numbers);
  /// Returns O in HBM, or that of the part, after the last step: (rows, d).
  std::vector<float> stored() const;

 private:
  const Launch& launch() const { return plan_->launches[kernel_]; }
  std::int64_t end_of(std::size_t step) const;
  void begin_again(TileStep& step) const;
  void read_rows(const Trace& trace, const TileVisit& visit, TileStep& step) const;
  void run_ahead(std::size_t step, Keep keep);

  std::shared_ptr<const Plan> plan_;
  std::size_t kernel_;
  Block row_, col_;  ///< blocks of the CTA
  std::shared_ptr<RowWindow> window_;
  std::vector<TileVisit> visits_;
  std::int64_t tiles_ = 0;
  bool writes_at_end_ = false;  ///< iterations after the last visit write to HBM

  /// Steps that a CTA with roles has run: it always runs from its start.
  struct Ahead {
    std::size_t begin = 0, end = 0;
    Keep keep = Keep::numbers;
    Trace trace;
    double nanoseconds = 0;  ///< duration of one step
  };
  bool has_roles_ = false;
  std::optional<Ahead> ahead_;
};

}  // namespace sim
