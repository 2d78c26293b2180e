// Every Br x Bc of a scenario, as far as tiles fit on chip: what the tile picker shows. The same tiles as `flashscope
// tune` tries, counted in slices.
#pragma once
#include <vector>

#include "sim/model/tile_attempt.h"
#include "viz/model/task.h"

namespace explorer {

class TilePlane : public Task {
 public:
  /// Of the scenario with any tiles and `--tiling kernel`, the one rule that refuses what does not fit. The sides are
  /// multiples of 16, where 16 x 16 does not fit small powers of two; the last one of each axis is the first that fits
  /// with no partner, unless the axis of the problem ends before. O(log sides) attempts.
  explicit TilePlane(const sim::Scenario& scenario);

  /// Tries some 2 ms of tiles, a row of Br after the other. Within a row the first Bc that does not fit ends it: larger
  /// ones take more.
  bool advance() override;

  enum class State { unknown, fits, too_large };
  struct Cell {
    State state = State::unknown;
    sim::TriedTiles tiles;  ///< where they fit
  };
  const std::vector<std::int64_t>& rows() const { return rows_; }  ///< Br
  const std::vector<std::int64_t>& cols() const { return cols_; }  ///< Bc
  const Cell& cell(std::size_t row, std::size_t col) const { return cells_[row * cols_.size() + col]; }
  std::size_t tried() const { return next_; }
  std::size_t cells() const { return cells_.size(); }
  std::size_t fitting() const { return fitting_; }
  bool done() const { return next_ == cells_.size(); }

  /// Of those tried so far; null while none fits. O(1).
  const sim::TriedTiles* best(sim::Goal goal) const;
  /// The most bytes, or the longest time, of those tried so far.
  double most(sim::Goal goal) const { return most_[static_cast<std::size_t>(goal)]; }

  /// What the kernels' own rule gives each pass, different ones only.
  const std::vector<sim::Tiling>& by_rule() const { return by_rule_; }
  /// Why a cell does not fit. One attempt.
  std::string refusal(std::size_t row, std::size_t col) const;
  const sim::Capacity& capacity() const { return capacity_; }

 private:
  void set_axes(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& cols);
  bool fits(std::int64_t br, std::int64_t bc) const;
  std::int64_t try_next();
  void take(Cell& cell);

  sim::Scenario scenario_;
  sim::Capacity capacity_;
  std::vector<std::int64_t> rows_, cols_;
  std::vector<Cell> cells_;
  std::vector<sim::Tiling> by_rule_;
  std::size_t next_ = 0, fitting_ = 0;
  std::size_t best_[2] = {};
  double most_[2] = {};
};

/// The measure of a goal: bytes of tile traffic, or microseconds.
inline double cost(const sim::TriedTiles& tiles, sim::Goal goal) {
  return goal == sim::Goal::bytes ? static_cast<double>(tiles.tile_traffic.count()) : tiles.microseconds;
}

}  // namespace explorer
