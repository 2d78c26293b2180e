// Who marches past what, in kernels whose CTAs take one block of an axis and walk the other axis: the turns of each
// CTA, the CTAs that march together, the waves; and how much of a large kernel is walked.
#pragma once
#include "sim/model/l2_walks.h"

namespace sim {

/// Where the CTA of one block marches: past `live` blocks of the axis that it walks, in turns [begin, end) of joined
/// blocks.
struct March {
  Interval live, elements;
  std::int64_t begin = 0, end = 0;
  std::int64_t turns() const { return end - begin; }
};

/// CTAs of neighbouring blocks of one head that begin together, in issue order; later ones march as long or longer.
struct Marcher {
  std::int64_t head = 0, first = 0, past = 0;
  std::int64_t neighbours = 1;     ///< heads between which its CTAs take turns
  std::int64_t tiles_at_once = 1;  ///< shared tiles that its wave is at, were no blocks joined
  std::int64_t done = 0;           ///< CTAs that are through
  std::vector<std::int32_t> own;   ///< first item of each bundle of its own tiles
};

/// A unit is what shares a KV head: its query heads and their CTAs.
class Marches {
 public:
  explicit Marches(const L2Scene& scene);

  const L2Scene& scene() const { return scene_; }  ///< maybe with fewer CTAs in flight and less L2, see below
  const March& of(std::int64_t block) const { return marches_[static_cast<std::size_t>(block)]; }
  bool by_row() const { return scene_.grid.cuts_rows(); }
  bool heads_first() const { return scene_.grid.raster == Raster::head_outermost; }
  const Blocking& ctas() const { return ctas_; }      ///< of one head
  const Blocking& walked() const { return walked_; }  ///< the axis that they walk
  /// Blocks of the walked axis that one turn stands for.
  std::int64_t joined() const { return std::int64_t{1} << log_joined_; }
  std::int64_t stacked() const { return stacked_; }  ///< CTAs that one stands for
  std::int64_t turns() const { return ceil_div(walked_.count(), joined()); }
  std::int64_t units() const { return units_; }
  std::int64_t group() const { return group_; }                         ///< query heads of a unit
  std::int64_t heads_of_unit() const { return by_row() ? group_ : 1; }  ///< that the grid has
  std::int64_t looped_heads() const { return by_row() ? 1 : group_; }   ///< that one CTA loops over
  /// Loops, times those heads.
  std::int64_t rounds() const { return static_cast<std::int64_t>(loops_.size()) * looped_heads(); }
  const std::vector<std::size_t>& loops() const { return loops_; }  ///< the stages that are loops

  /// How often CTAs of neighbouring blocks part, were no blocks joined: they come to a tile one after the other.
  std::int64_t partings(Interval blocks) const;

  std::int64_t waves() const;
  std::int64_t warm_up() const;                ///< waves of the first unit
  double repeats() const { return repeats_; }  ///< how often what comes after them stands for itself
  std::vector<Marcher> wave(std::int64_t number) const;

 private:
  bool together(std::int64_t a, std::int64_t b) const;
  void stack_ctas();
  void find_marches();
  void join_blocks(int log);
  std::int64_t accesses_of_unit() const;
  bool small() const;
  void choose_size();
  void choose_units();
  void let_one_stand_for(std::int64_t heads);
  std::vector<Marcher> cut_wave(std::int64_t number) const;
  void add_run(std::vector<Marcher>& marchers, Marcher run) const;

  L2Scene scene_;
  std::int64_t group_, units_;
  Blocking ctas_, walked_;
  std::int64_t stacked_ = 1;
  int log_joined_ = 0;
  std::int64_t stride_ = 1;  ///< of this many waves one is walked
  double repeats_ = 1;
  bool whole_ = true;        ///< all units are walked
  bool one_by_one_ = false;  ///< no CTAs are merged
  std::vector<March> marches_;
  std::vector<std::int64_t> parties_;  ///< of each block: CTAs before it that march apart
  std::vector<std::size_t> loops_;
};

}  // namespace sim
