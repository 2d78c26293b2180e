// The SMs of a run over time as rectangles coloured by the head, or the row block, of their CTAs. If several CTAs share
// an SM, or several SMs a band, the colour is their mean.
#pragma once
#include "viz/model/race.h"

namespace explorer {

/// Position of a CTA in the order of heads, batch entry by batch entry, or of row blocks: 0 to 1. `size`: grid_of().
double place_in_order(const sim::CtaPlace& at, const sim::CtaPlace& size, bool by_row_block);

/// Number of colour steps of an order, from the first head or row block to the last.
inline constexpr int order_steps = 64;

/// Columns [left, right) and bands [top, bottom) of the picture.
struct LaneRect {
  std::uint16_t left = 0, right = 0, top = 0, bottom = 0;
  std::uint8_t step = 0;  ///< 0 to order_steps - 1; order_steps: padding
};

/// Cells of the picture.
struct LaneGrid {
  std::size_t columns = 1;  ///< over time, from 0 to `end`
  std::size_t bands = 1;    ///< over SMs, at most one per SM
  double end = 1;           ///< microseconds
  bool by_row_block = false;
  friend bool operator==(const LaneGrid&, const LaneGrid&) = default;
};

/// Merges equal adjacent cells into rectangles, first along a band, then with the band above. `step_of`: colour step of
/// a column and a band, negative if empty.
std::vector<LaneRect> merged_cells(std::size_t columns, std::size_t bands,
                                   const std::function<int(std::size_t, std::size_t)>& step_of);

/// SMs per band: ⌈SMs / bands⌉.
std::int64_t sms_per_band(std::int64_t sms, std::size_t bands);

class RaceLanes : public Task {
 public:
  RaceLanes(std::shared_ptr<RaceRun> run, LaneGrid grid) : run_(std::move(run)), grid_(grid) {}
  /// Adds one kernel per slice once the run is ready. O(CTAs + columns x bands).
  bool advance() override;

  const std::vector<LaneRect>& rects() const { return rects_; }
  /// SMs that are busy for at least half of each column.
  const std::vector<float>& busy() const { return busy_; }
  bool ready() const { return next_ == run_->kernels().size(); }

 private:
  struct Cell {
    float weight = 0, value = 0;
  };
  void add_kernel(std::size_t kernel);
  void add_sm(std::size_t kernel, std::int64_t sm);
  void add(std::int64_t sm, double begin, double end, double first, double last);
  void merge();

  std::shared_ptr<RaceRun> run_;
  LaneGrid grid_;
  std::size_t next_ = 0;
  std::vector<Cell> cells_;
  std::vector<bool> working_;  ///< one SM, by column
  std::vector<float> busy_;
  std::vector<LaneRect> rects_;
};

}  // namespace explorer
