// Waves of kernels whose CTAs take one block of an axis and loop over the other axis: the iterations of each CTA, and
// the groups of CTAs that do the same at the same time.
//
// Example: four row blocks under a causal window of one block, two CTAs in flight; x is a visible block of keys.
//
//                 keys   0 1 2 3
//   wave 0   row block 0 x . . .   both begin at key block 0: one group; its first CTA ends after iteration 0, and the
//            row block 1 x x . .   group continues with the other
//   wave 1   row block 2 . x x .   these begin at 1 and 2 and never read the same block in the same iteration:
//            row block 3 . . x x   two groups
//
// A large kernel is reduced, in this order: short neighbouring CTAs become a tall one (stacked), 2^n blocks of the
// streamed axis become one iteration (joined), one wave in `stride` is run, and some heads represent all (repeats).
// Cost: O(blocks of both axes) once, O(CTAs in flight) each wave.
#pragma once
#include <optional>

#include "sim/model/l2_reuse.h"

namespace sim {

/// Range that the CTA of one block loops over: the `live` blocks of the other axis, in iterations [begin, end) of
/// joined blocks. If a pattern leaves gaps, the iterations in `steps`: then begin is 0 and end is their number.
struct LoopRange {
  struct Step {
    std::int64_t at = 0, elements = 0;  ///< index of the joined block, and its number of visited elements
    friend bool operator==(const Step&, const Step&) = default;
  };
  Interval live, elements;
  std::int64_t begin = 0, end = 0;
  std::vector<Step> steps = {};
  std::int64_t iterations() const { return end - begin; }
  std::int64_t at(std::int64_t nth) const {
    return steps.empty() ? begin + nth : steps[static_cast<std::size_t>(nth)].at;
  }
};

/// Head of the grid, and block of that head.
struct BlockOfHead {
  std::int64_t head = 0, block = 0;
};

/// Bytes that only one CTA accesses in a stage: for each of its rows, and for each entry of its rows and a block's.
struct AloneBytes {
  double row = 0, entry = 0;
};

/// CTAs of neighbouring blocks of one head that begin together, in issue order; later ones loop as long or longer.
struct WaveGroup {
  std::int64_t head = 0, first = 0, past = 0;
  std::int64_t neighbours = 1;     ///< number of heads among which CTAs are issued alternately
  std::int64_t tiles_at_once = 1;  ///< shared tiles that its wave reads at a time if no blocks are joined
  std::int64_t done = 0;           ///< CTAs that have ended
  std::vector<std::int32_t> own;   ///< first item of each bundle of the group's own tiles
};

/// Waves of a kernel. A unit is a KV head with its query heads and their CTAs.
class L2Waves {
 public:
  explicit L2Waves(const L2Scene& scene);

  const L2Scene& scene() const { return scene_; }  ///< may have fewer CTAs in flight and less L2, see below
  const LoopRange& range_of(std::int64_t block) const { return ranges_[static_cast<std::size_t>(block)]; }
  bool by_row() const { return scene_.grid.cuts_rows(); }
  bool heads_first() const { return scene_.grid.raster == Raster::head_outermost; }
  /// CTAs of one head. In a grid that splits the keys a row block has one CTA per part, each with all its rows.
  const Blocking& ctas() const { return ctas_; }
  std::int64_t parts() const { return parts_; }  ///< consecutive CTAs with equal rows
  std::int64_t row_blocks() const { return ceil_div(ctas_.count(), parts_); }
  std::int64_t rows(Interval ctas) const;  ///< sum over these CTAs
  std::int64_t all_ctas() const { return product(ctas_.count(), units_, heads_of_unit()); }
  BlockOfHead place_of(std::int64_t cta) const;           ///< place of a CTA in issue order
  const Blocking& streamed() const { return streamed_; }  ///< axis that the CTAs loop over
  /// Number of blocks of the streamed axis per iteration.
  std::int64_t joined() const { return std::int64_t{1} << log_joined_; }
  std::int64_t stacked() const { return stacked_; }  ///< number of CTAs that one represents
  /// Number n of neighbouring blocks of the streamed axis of which one is simulated, with 1 / n of the L2.
  std::int64_t thinned() const { return thinned_; }
  /// Share of accesses that are the first to their block, if iterations are skipped; else 0.
  double first_part() const { return first_part_; }
  /// Number of iterations per period: the last `counted` of them count, and the same number before those only warm up
  /// the L2.
  std::int64_t period() const { return period_; }
  std::int64_t counted() const { return counted_; }
  AloneBytes alone_in(std::size_t from, std::size_t past) const;  ///< sum over the stages [from, past)
  double shared_row() const;  ///< bytes of a row of all tensors that CTAs share in an iteration of the first loop
  bool apart() const { return apart_; }  ///< each CTA is at a different block in the same iteration: l2_apart.cpp
  bool gaps() const { return gaps_; }    ///< a pattern leaves gaps in what a CTA loops over
  bool takes(std::int64_t at) const { return at % thinned_ == thinned_ / 2; }
  std::int64_t iterations() const { return ceil_div(streamed_.count(), joined()); }
  std::int64_t units() const { return units_; }
  std::int64_t units_in_flight() const { return ceil_div(scene_.in_flight, ctas_.count() * heads_of_unit()); }
  std::int64_t heads_per_kv_head() const { return heads_per_kv_head_; }             ///< query heads per unit
  std::int64_t heads_of_unit() const { return by_row() ? heads_per_kv_head_ : 1; }  ///< number of heads in the grid
  std::int64_t looped_heads() const { return by_row() ? 1 : heads_per_kv_head_; }   ///< heads that one CTA loops over
  /// Number of loops times looped_heads().
  std::int64_t rounds() const { return static_cast<std::int64_t>(loops_.size()) * looped_heads(); }
  const std::vector<std::size_t>& loops() const { return loops_; }  ///< stages that are loops

  /// Number of times that CTAs of neighbouring blocks separate, if no blocks are joined: they then reach a tile one
  /// after the other.
  std::int64_t splits(Interval blocks) const;

  std::int64_t waves() const;
  std::int64_t warm_up() const;                      ///< number of waves of the first unit
  double repeats() const { return repeats_; }        ///< factor by which later waves count
  Interval ctas_of_wave(std::int64_t number) const;  ///< numbers in issue order
  std::vector<WaveGroup> wave(std::int64_t number) const;

  /// Tally of kernels that are `apart`: of data that CTAs share, from elements; other data moves once and needs none.
  L2Tally tally_of_shared(const L2Bytes& elements) const;
  void take_units(std::int64_t most);  ///< runs `most` units, which represent all
  /// Samples CTAs that are apart: if there are too many accesses, iterations are skipped, or else blocks.
  void thin_out();

 private:
  bool together(std::int64_t a, std::int64_t b) const;
  bool goes_down() const;
  void stack_ctas();
  Visit visit_of(std::int64_t block) const;
  void find_ranges();
  void join_blocks(int log);
  void join_steps();
  std::vector<LoopRange::Step> steps_of(std::int64_t block) const;
  std::int64_t accesses_of_unit() const;
  bool small() const;
  void choose_size();
  bool leave_iterations_out(std::int64_t surplus);
  std::int64_t live_blocks() const;
  void choose_units(std::int64_t budget, std::int64_t accesses);
  void let_one_stand_for(std::int64_t heads);
  std::vector<WaveGroup> cut_wave(std::int64_t number) const;
  void add_groups(std::vector<WaveGroup>& groups, WaveGroup run) const;

  L2Scene scene_;
  std::int64_t heads_per_kv_head_, units_;
  Blocking ctas_, streamed_;
  std::int64_t stacked_ = 1, parts_ = 1;
  int log_joined_ = 0;
  std::int64_t thinned_ = 1, period_ = 1, counted_ = 1;
  std::int64_t stride_ = 1;  ///< one wave in this many is run
  double repeats_ = 1, first_part_ = 0;
  bool whole_ = true;        ///< no unit is skipped
  bool one_by_one_ = false;  ///< no CTAs are merged
  bool apart_ = false;
  bool gaps_ = false;  ///< a pattern leaves gaps in what a CTA loops over
  std::vector<LoopRange> ranges_;
  std::vector<std::int64_t> splits_before_;  ///< for each block: number of separations of CTAs before it
  std::vector<std::size_t> loops_;
};

/// Reuse of kernels that are `apart`, access by access.
L2Tally reuse_apart(const L2Waves& waves);

/// Reuse of kernels that are `apart`, from bounds on reuse distances; empty if they do not decide it.
std::optional<L2Tally> reuse_by_bounds(const L2Waves& waves);

}  // namespace sim
