// The SMs of a run over time as coloured rectangles. By the head or the row block of their CTAs: if several CTAs share
// an SM, or several SMs a band, the colour is their mean. In a ragged batch by the class of their entries, or padding:
// whichever has most of a cell.
#pragma once
#include <optional>

#include "viz/model/batch.h"

namespace explorer {

/// Position of a CTA in the order of heads, batch entry by batch entry, or of row blocks: 0 to 1. `size`: grid_of().
double place_in_order(const sim::CtaPlace& at, const sim::CtaPlace& size, bool by_row_block);

/// Number of colour steps of an order, from the first head, row block or class of entries to the last.
inline constexpr int order_steps = 64;
/// Padding, instead of a step of the order.
inline constexpr std::uint8_t padding_step = order_steps;

/// Columns [left, right) and bands [top, bottom) of the picture.
struct LaneRect {
  std::uint16_t left = 0, right = 0, top = 0, bottom = 0;
  std::uint8_t step = 0;  ///< 0 to order_steps - 1, or padding_step
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

/// True if every CTA of every kernel is known by itself.
bool one_by_one(const RaceRun& run);

class RaceLanes : public Task {
 public:
  /// `ragged`: the run whose classes of entries colour the lanes; the padded run of the same batch does its useful
  /// tiles first. Its CTAs that are not known by themselves are drawn nowhere.
  RaceLanes(std::shared_ptr<RaceRun> run, LaneGrid grid, std::shared_ptr<const Run> ragged = {})
      : run_(std::move(run)), grid_(grid), ragged_(std::move(ragged)) {}
  /// Adds some bands per slice once the run is ready. O(CTAs + columns x bands).
  bool advance() override;

  const std::vector<LaneRect>& rects() const { return rects_; }
  /// SMs that are busy for at least half of each column.
  const std::vector<float>& busy() const { return busy_; }

 private:
  struct Kernel {
    CtaNumbers numbers;
    sim::CtaPlace size;
    std::optional<UsefulParts> useful;  ///< where the run is padded
  };
  struct Cell {
    float weight = 0, value = 0;
  };
  void begin();
  void add_band(std::size_t band);
  void add_sm(std::size_t kernel, std::int64_t sm);
  void add_entry(const Kernel& of, std::int64_t cta, CtaTimes times);
  void work(double begin, double end);
  void add(double begin, double end, double first, double last);
  void add_step(double begin, double end, std::size_t step);
  template <class Use>
  void each_column(double begin, double end, Use use) const;
  int step_of(std::size_t column) const;

  std::shared_ptr<RaceRun> run_;
  LaneGrid grid_;
  std::shared_ptr<const Run> ragged_;
  std::vector<float> ranks_;  ///< of the classes
  std::vector<Kernel> kernels_;
  std::size_t next_ = 0;            ///< band
  std::vector<Cell> cells_;         ///< of a band, by column
  std::vector<float> of_step_;      ///< of a band, by column and step, for classes
  std::vector<bool> working_;       ///< one SM, by column
  std::vector<std::int8_t> steps_;  ///< of all cells; -1: empty
  std::vector<float> busy_;
  std::vector<LaneRect> rects_;
};

}  // namespace explorer
