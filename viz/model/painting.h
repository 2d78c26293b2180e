// The pattern of a run as blocks to paint: the state of each block, and the scenario that painting produces.
#pragma once
#include "sim/base/pattern.h"
#include "viz/model/model.h"

namespace explorer {

/// State of a block in a run: none, some or all of its pairs are visible.
enum class BlockState { skipped, partial, full };

struct BlockCounts {
  std::int64_t skipped = 0, partial = 0, full = 0;
  std::int64_t all() const { return skipped + partial + full; }
};

/// Blocks in which the pattern of a run is counted: its own tiles, or those of the run that it is compared with.
class PatternBlocks {
 public:
  explicit PatternBlocks(const Subject& subject);

  const sim::BlockedMatrix& matrix() const { return matrix_; }
  bool holds(BlockPlace at) const;
  bool shown(BlockPlace at) const;        ///< by the pattern alone
  BlockState state(BlockPlace at) const;  ///< under the other masks as well
  BlockCounts counts() const;             ///< O(blocks)
  /// The pattern as a picture. Throws sim::Error if there are more than sim::most_pixels blocks.
  sim::Picture picture() const;

 private:
  sim::BlockedMatrix matrix_;
  const sim::Shape* shape_;
};

/// True if the program of a run has the option `pattern`.
bool takes_pattern(const Subject& subject);

/// True if the pattern makes the link longer than the limit of read_link(): it is then left out.
bool is_too_long_for_link(const Model& model);

/// True if there are few enough blocks to paint, and to count in each frame.
bool is_paintable(const sim::BlockedMatrix& matrix);

/// Shows or hides the blocks on the straight line between two. The strokes of one drag are one step of undo. Throws
/// sim::Error if there are more than sim::most_painted blocks.
void paint(Model& model, BlockPlace from, BlockPlace to, bool shows);

/// A press on a block begins a stroke and inverts the block; the stroke gives each block it crosses that state.
void begin_stroke(Model& model, BlockPlace at);
void go_on_with_stroke(Model& model, BlockPlace at);

/// The picture of the pattern, resized to the run's blocks; empty unless its size is the error.
std::optional<std::string> fitting_pattern(const Model& model);

}  // namespace explorer
