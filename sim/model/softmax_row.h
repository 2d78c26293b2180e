// The softmax of one query, one tile of keys at a time, as the kernels of a run compute it: the scores and their
// maximum, m, alpha, the sum of p, l and O, before and after each tile. Kernels with a softmax run step by step
// (sim/model/row_steps.h), the others whole, in the order of the plan; so standard attention has the tile, or the two
// passes, of its softmax kernel, and Flash-Decoding its parts and then their combination.
#pragma once
#include "sim/model/row_steps.h"

namespace sim {

/// One tile of keys. All floats are values of the run.
struct SoftmaxTile {
  std::size_t kernel = 0;  ///< kernel of the plan
  std::int64_t part = 0;   ///< part of the keys, in a grid that splits them
  bool of_parts = false;   ///< a combination: its key is the part, its score that part's L or m
  std::int64_t pass = 0;   ///< number of the pass over the keys
  Interval keys;
  std::vector<float> scores;   ///< (Bc): scale q k^T; -infinity if hidden
  std::vector<float> weights;  ///< (Bc): exp(s - m'), before dropout; exp(s - L) in a pass that loads L
  float score_max = 0;         ///< maximum of the scores
  float m_before = 0, m = 0;   ///< running maximum; L in a pass that loads it
  float alpha = 1;             ///< exp(m - m'), 0 at the first tile
  float sum = 0;               ///< sum of the weights, rounded once
  float l_before = 0, l = 0;
  float sink = unseen_max;  ///< logit that the kernel's softmax of the row begins with
  /// (d): sum of p v with m, before it is divided by l; empty if the kernel does not compute O.
  std::vector<float> O_before, O_scaled, O;
  bool max_runs = true, sum_runs = true, of_log_sum = false;  ///< as in TileStep
  bool rescales = false;                                      ///< the program multiplies earlier sums by alpha
  bool divided = false;                                       ///< the program holds O / l between tiles
  /// Computed in double from the scores: maximum, and sums of p and of p v (d) with the running maximum.
  double exact_m = 0, exact_sum = 0;
  std::vector<double> exact_added;
  std::int64_t bytes() const;
};

class SoftmaxRow {
 public:
  /// Largest number of keys of a row: scores and weights are kept, 8 bytes a key, and 5 rows of d a tile.
  static constexpr std::int64_t most_keys = std::int64_t{1} << 22;

  /// Follows query `query` of a query head (counted over all batch entries) of the shape as the program sees it
  /// (Plan::problem). `inputs` are those of that head; null: those of the scenario. Throws Error if there is no such
  /// row, the run has no forward pass, or the row has more than most_keys.
  SoftmaxRow(std::shared_ptr<const Plan> plan, std::int64_t head, std::int64_t query,
             std::shared_ptr<DrawnInputs> inputs = nullptr);

  /// Advances by one tile, or by one CTA of a kernel without a softmax. False if all is done.
  bool advance();
  void finish() {
    while (advance()) {
    }
  }
  bool done() const { return at_ == jobs_.size(); }
  double share() const;                                ///< share of the work done, 0..1
  double nanoseconds() const { return nanoseconds_; }  ///< approximate time of the last advance()
  const std::vector<SoftmaxTile>& tiles() const { return tiles_; }
  /// (d): O in HBM, after the last kernel; empty until all is done.
  const std::vector<float>& O() const { return O_; }
  const Plan& plan() const { return *plan_; }    ///< for a ragged batch, the plan of the row's class
  const Plan& asked() const { return *asked_; }  ///< the whole plan
  std::int64_t head() const { return head_; }
  std::int64_t query() const { return window_->queries().begin; }
  std::int64_t bytes() const;

 private:
  struct Job {
    std::size_t kernel;
    std::int64_t row, col;  ///< indices of the CTA in the grid
    enum class Kind { whole, softmax, combination } kind;
  };
  void plan_jobs();
  void step();
  void combine(const Job& job);
  void read_scores(SoftmaxTile& tile, const TileStep& step) const;
  void read_tile(const TileStep& step);
  void follow_exactly(SoftmaxTile& tile);
  void add_part(const Trace& trace, Interval before, Interval events, const Job& job);
  void weigh_at_once(SoftmaxTile& tile, const Trace& trace, Interval before) const;
  void weigh_in_turn(SoftmaxTile& tile, const Trace& trace, Interval events, const SoftmaxTile* before) const;
  CtaPart run(const Job& job, KeepValues keep);
  const Launch& launch(const Job& job) const { return plan_->launches[job.kernel]; }

  std::shared_ptr<const Plan> asked_, plan_;
  std::int64_t head_;
  std::shared_ptr<RowWindow> window_;
  std::vector<Job> jobs_;
  std::size_t at_ = 0;
  std::optional<RowSteps> steps_;  ///< steps of the current job, while any are left
  std::int64_t step_ = 0;
  RowState state_;
  std::vector<SoftmaxTile> tiles_;
  std::vector<float> O_;
  double nanoseconds_ = 0;
};

/// True if the forward pass has a softmax whose rows can be followed; all current algorithms do.
bool has_softmax_row(const Plan& plan);

}  // namespace sim
