// The pattern of a run as blocks that are painted: what each of them comes to, and what painting makes of the scenario.
#pragma once
#include "sim/base/pattern.h"
#include "viz/model/view_model.h"

namespace explorer {

/// A block of the pattern in a run: no pair of it is visible, some are, all are.
enum class BlockState { skipped, partial, full };

struct BlockCounts {
  std::int64_t skipped = 0, partial = 0, full = 0;
  std::int64_t all() const { return skipped + partial + full; }
};

/// The blocks that the pattern of a run counts in: its own tiles, or those of the run that it is compared with.
class PatternBlocks {
 public:
  explicit PatternBlocks(const Subject& subject);

  const sim::BlockedMatrix& matrix() const { return matrix_; }
  bool holds(BlockPlace at) const;
  bool shown(BlockPlace at) const;        ///< by the pattern alone
  BlockState state(BlockPlace at) const;  ///< under the other masks as well
  BlockCounts counts() const;             ///< O(blocks)
  /// Throws sim::Error where there are more than sim::most_pixels.
  sim::Picture picture() const;

 private:
  sim::BlockedMatrix matrix_;
  const sim::Shape* shape_;
};

/// Whether the program of a run has the option.
bool takes_pattern(const Subject& subject);

/// Whether the pattern makes the link longer than is read of one: then it is left out of it.
bool is_too_long_for_link(const ViewModel& model);

/// Whether there are few enough blocks to be painted, and to be counted in each frame.
bool is_paintable(const sim::BlockedMatrix& matrix);

/// Shows or hides the blocks on the straight line between two. The strokes of one drag are one step of undo. Throws
/// sim::Error where there are more than sim::most_painted.
void paint(ViewModel& model, BlockPlace from, BlockPlace to, bool shows);

/// A press on a block begins a stroke that makes it what it is not, a place to which the pointer then went goes on.
void begin_stroke(ViewModel& model, BlockPlace at);
void go_on_with_stroke(ViewModel& model, BlockPlace at);

/// A picture that has another size than the run has blocks, drawn with as many; none where that is not what is wrong.
std::optional<std::string> fitting_pattern(const ViewModel& model);

}  // namespace explorer
