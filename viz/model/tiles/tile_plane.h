// Every Br x Bc of a scenario that fits on chip, for the tile picker: the tiles of `flashscope tune`, in slices.
#pragma once
#include <vector>

#include "sim/model/tile_attempt.h"
#include "viz/model/task.h"

namespace explorer {

class TilePlane : public Task {
 public:
  /// Takes the scenario with free tiles and `--tiling kernel`, the only rule that rejects tiles that do not fit. Sides
  /// are multiples of 16, or small powers of two if 16 x 16 does not fit; each axis ends with the first size that
  /// does not fit with any partner, or with the axis of the problem. O(log sides) attempts.
  explicit TilePlane(const sim::Scenario& scenario);

  /// Tries about 2 ms of tiles, row by row of Br. The first Bc that does not fit ends its row: larger ones cannot fit.
  bool advance() override;

  enum class State { unknown, fits, too_large };
  struct Cell {
    State state = State::unknown;
    sim::TriedTiles tiles;  ///< set if they fit
  };
  const std::vector<std::int64_t>& rows() const { return rows_; }  ///< Br
  const std::vector<std::int64_t>& cols() const { return cols_; }  ///< Bc
  const Cell& cell(std::size_t row, std::size_t col) const { return cells_[row * cols_.size() + col]; }
  std::size_t tried() const { return next_; }
  std::size_t cells() const { return cells_.size(); }
  std::size_t fitting() const { return fitting_; }
  bool done() const { return next_ == cells_.size(); }

  /// The best tiles tried so far; null if none fits yet. O(1).
  const sim::TriedTiles* best(sim::Goal goal) const;
  /// The largest number of bytes, or the longest time, of those tried so far.
  double most(sim::Goal goal) const { return most_[static_cast<std::size_t>(goal)]; }

  /// Tiles that the kernels' own rule gives each pass, without duplicates.
  const std::vector<sim::Tiling>& by_rule() const { return by_rule_; }
  /// The reason why a cell does not fit. One attempt.
  sim::Sentence refusal(std::size_t row, std::size_t col) const;
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

/// True if the measure is a time that is estimated, since no kernel is compiled for the tiles.
inline bool is_estimated(const sim::TriedTiles& tiles, sim::Goal goal) {
  return goal == sim::Goal::time && tiles.compiled == false;
}

}  // namespace explorer
