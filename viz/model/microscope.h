// The softmax of one row over time: its tiles, computed in slices, and the steps that the CTA in view has completed at
// its playhead. The playhead is the only state: going to a step moves it to the end of the step's event.
#pragma once
#include <array>

#include "sim/model/row_answer.h"
#include "viz/model/model.h"

namespace explorer {

/// Steps that a program performs on the row in each tile, in the order of Algorithm 1 of FlashAttention-2.
enum class RowStage : std::uint8_t { keys, scores, max, alpha, weights, sum, output };
inline constexpr std::size_t row_stages = 7;

/// A position in a row's softmax: a stage of one of its tiles.
struct RowStop {
  std::size_t tile = 0;
  RowStage stage = RowStage::keys;
};

/// The row's answer after some tiles, with and without the rescaling by alpha, and its largest shares.
struct RowShares {
  static constexpr std::size_t most = 8;
  std::size_t count = 0;  ///< tiles
  sim::RowAnswer kept, skipped;
  std::vector<sim::KeyShare> largest;
  double error = 0;  ///< |O' - O| / |O|
};

/// Adjacent keys of a row that share a pixel.
struct KeyBin {
  std::size_t tile = 0, key = 0;  ///< the first of its keys
  std::int64_t keys = 0;
  float max = sim::unseen_max;  ///< largest of its scores
  double mean = 0;              ///< mean of the scores that are not hidden
  double top = 0, sum = 0;      ///< weights with a maximum m are at most exp(top - m); they sum to sum * exp(top - m)
};

/// Computes the tiles of one row, in slices.
class RowTask : public Task {
 public:
  RowTask(const std::shared_ptr<const Run>& run, std::int64_t head, std::int64_t query,
          const std::shared_ptr<sim::DrawnInputs>& inputs);
  bool advance() override;
  bool done() const { return row_ == nullptr || row_->done(); }
  double share() const { return row_ == nullptr ? 1 : row_->share(); }
  /// The reason if there is no such row; otherwise empty.
  const sim::Sentence& error() const { return error_; }
  const std::vector<sim::SoftmaxTile>& tiles() const;
  /// True if the program multiplies earlier sums by alpha.
  bool rescales() const { return rescales_; }

  /// Shares after `count` tiles; the last result is cached. O(keys).
  const RowShares& shares(std::size_t count);
  /// The keys of tiles [begin, end), adjacent ones merged into at most `most_bins`; the last result is cached.
  static constexpr std::int64_t most_bins = 4096;
  const std::vector<KeyBin>& bins(std::size_t begin, std::size_t end);

 private:
  std::unique_ptr<sim::SoftmaxRow> row_;
  sim::Sentence error_;
  bool rescales_ = false, has_shares_ = false;
  RowShares shares_;
  std::vector<KeyBin> bins_;
  std::size_t bins_begin_ = 0, bins_end_ = 0;
};

/// Ends of the stages of the row's tiles in the CTA in view.
class RowClock : public Task {
 public:
  RowClock(const Subject& subject, std::int64_t query);
  bool advance() override { return false; }
  struct Stop {
    std::size_t tile = 0;  ///< index among the CTA's tiles of the row
    RowStage stage = RowStage::keys;
    sim::Cycles end;
  };
  /// All stops, with strictly increasing times.
  const std::vector<Stop>& stops() const { return stops_; }
  std::size_t tiles() const { return tiles_; }
  std::size_t passed(sim::Cycles time) const;  ///< number of stops that have ended

 private:
  using Ends = std::array<sim::Cycles, row_stages>;
  void add_tile(const Ends& ends);
  void add_visits(const Subject& subject, std::int64_t query);
  void add_parts(const Replay& replay);
  std::vector<Stop> stops_;
  std::size_t tiles_ = 0;
};

/// Position that the playhead has reached.
struct RowMoment {
  std::size_t tile = 0;                ///< the row's current tile
  std::array<bool, row_stages> has{};  ///< stages that the program has in the current tile
  std::array<bool, row_stages> done{};
  std::size_t first = 0, last = 0;  ///< tiles of the CTA in view; empty if it has none
  std::size_t begin = 0, end = 0;   ///< tiles of the current kernel and pass
  int steps = 0, steps_done = 0;    ///< in the current tile
  bool is(RowStage stage) const { return done[static_cast<std::size_t>(stage)]; }
  /// Tiles whose sums are complete.
  std::size_t complete() const { return tile + (steps_done == steps && steps > 0 ? 1 : 0); }
};

/// The row of the first run that the microscope shows.
struct ShownRow {
  std::int64_t head = 0, query = 0;
  sim::Interval queries;          ///< rows of the CTA in view
  sim::Cycles time;               ///< time of the playhead
  std::shared_ptr<RowTask> task;  ///< kept alive when a click navigates elsewhere
  std::shared_ptr<const RowClock> clock;
  RowMoment moment;
  const std::vector<sim::SoftmaxTile>& tiles() const { return task->tiles(); }
  /// True if a stage of a tile is past; for a stage that the program does not have, if its tile has begun.
  bool knows(std::size_t t, RowStage stage) const {
    if (t != moment.tile) return t < moment.tile;
    const auto n = static_cast<std::size_t>(stage);
    return moment.has[n] ? moment.done[n] : moment.steps_done > 0;
  }
};
ShownRow shown_row(const Model& model);

/// The weight exp(s - m) of a key of tile `t` at that moment, with the maximum at that time; 0 if hidden. If the
/// program loads the statistics, the final weight.
double weight_now(const ShownRow& row, std::size_t t, std::size_t key);
/// The maximum with which tile `t` is weighted at that moment, and the one before the current tile; -infinity if none.
double max_now(const ShownRow& row, std::size_t t);
double max_before(const ShownRow& row, std::size_t t);

/// Moves the playhead to the end of a stage, in the CTA that has the tile.
void go_to_stop(Model& model, RowStop stop);
/// Moves to the next (direction +1) or the previous (-1) stage of the row.
void step_row(Model& model, int direction);
/// Shows another query, or another query head (counted over all batch entries), at the same time of its CTA.
void show_query(Model& model, std::int64_t query);
void show_head(Model& model, std::int64_t head);
/// Moves to the end of the tile with the smallest alpha of the row in view; if nothing is rescaled, of its last tile.
/// If the row takes more than about 0.2 s to compute, to the end of the CTA.
void show_telling_moment(Model& model);
/// Sets the inputs to a text and moves to the telling moment of the last row of its last head; "" restores drawn
/// inputs.
void choose_text(Model& model, const std::string& name);

/// The CTA of a kernel that computes a query of a query head, on part `part` of the keys.
sim::CtaPlace place_of_row(const sim::Simulation& simulation, std::size_t kernel, std::int64_t head, std::int64_t query,
                           std::int64_t part = 0);

/// The middle query of the last row block that sees several tiles, if the first block sees at most one (causal mask).
std::optional<std::int64_t> row_with_tiles(const sim::Simulation& simulation, std::size_t kernel);

/// P of some or all rows of a head: the largest score of each group of keys.
class Thumbnail : public Task {
 public:
  static constexpr std::int64_t most_side = 64;                       ///< rows and groups of keys: 16 KiB of maxima
  static constexpr std::int64_t most_scores = std::int64_t{1} << 19;  ///< limit of the scores computed for it
  static constexpr std::int64_t least_rows = 8;                       ///< fewer rows are not drawn

  Thumbnail(const std::shared_ptr<const Run>& run, std::int64_t head, std::shared_ptr<sim::DrawnInputs> inputs);
  bool advance() override;
  /// Queries that are shown; empty if rows are too long.
  const std::vector<std::int64_t>& queries() const { return queries_; }
  std::int64_t keys_per_cell() const { return keys_per_cell_; }
  std::int64_t columns() const { return columns_; }
  /// (queries, columns), -infinity if hidden or not computed yet.
  const std::vector<float>& scores() const { return scores_; }
  /// True if the query of a line has been computed.
  bool knows(std::size_t line) const { return line < at_; }

 private:
  void take(const sim::SoftmaxRow& row);
  std::shared_ptr<const Run> run_;
  std::int64_t head_;
  std::shared_ptr<sim::DrawnInputs> inputs_;
  std::vector<std::int64_t> queries_;
  std::vector<float> scores_;
  std::int64_t keys_per_cell_ = 1, columns_ = 0;
  std::size_t at_ = 0;
  std::unique_ptr<sim::SoftmaxRow> row_;
};
const Thumbnail& thumbnail_of(const Model& model, const ShownRow& row);

/// The words of the run's text; empty if there is none.
std::span<const std::string_view> words_of(const Subject& subject);

}  // namespace explorer
