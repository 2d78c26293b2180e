// The CTAs of a kernel as the L2 sees them: in issue order, each a few walks over blocks of tensors, in closed form.
// The kernel's access pattern names the tensors, its grid the blocks of a CTA; nothing is stored per CTA.
//
// Example: FlashAttention-2 under a causal mask, four row blocks, keys upwards. The CTA of row block 2 makes three
// steps:
//
//   step   0     1     2         walks
//   Q      2     .     .         one of axis Q, from item 2, 1 item
//   K V    0     1     2         one of axis K V, from item 0, 3 items, one a step
//   O L    .     .     2         one of axis O L, from item 2, 1 item, at step 2
//
// Q and O are own axes, which only this CTA accesses; all CTAs of the KV head share axis K V.
//
// A large grid is sampled, since later heads repeat earlier ones: a prefix of whole heads (of rows of tiles, in a grid
// of tiles), enough for some waves. Heads whose CTAs share nothing with those of others also run side by side on a part
// of the chip (`parts`), and some of the blocks of their outer loops represent all. Short neighbouring CTAs are stacked
// to taller ones on fewer slots.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/model/access_pattern.h"
#include "sim/programs/plan.h"

namespace sim {

/// Items that are accessed one after the other: blocks of a bundle's tensors, of one head or of one CTA.
struct NestAxis {
  std::int64_t items = 1, short_items = 1;
  double item_bytes = 0, short_bytes = 0;  ///< of all tensors of the bundle; the last items may be short
  double bytes() const {
    return item_bytes * static_cast<double>(items - short_items) + short_bytes * static_cast<double>(short_items);
  }
};

/// Accesses of one CTA to `count` items of an axis: item `from` at step `first_step`, and another one every `stride`
/// steps, upwards or downwards.
struct NestWalk {
  std::int32_t axis = 0;  ///< in the nest; in CtaWalks::own if `own`
  std::int32_t use = 0;   ///< GridNest::uses()
  bool own = false, down = false;
  std::int64_t from = 0, count = 1;
  std::int64_t first_step = 0, stride = 1;
};

/// All accesses of one CTA, in the order of their steps as far as possible.
struct CtaWalks {
  std::vector<NestWalk> walks;
  std::vector<NestAxis> own;  ///< axes that no other CTA accesses
  std::int64_t steps = 0;
  bool late = false;  ///< in the part of the sample that represents the CTAs after it
  std::size_t of_class = 0;
};

/// Use of a bundle in a stage.
struct NestUse {
  BundleUse use;
  const Bundle* bundle = nullptr;
  std::int32_t bundle_number = 0;  ///< counted over all classes
  bool alone = false;              ///< no other CTA accesses the block
  std::size_t of_class = 0;
  unsigned written = 0;  ///< parts that some use of the bundle writes
};

/// Number of KV heads that are issued together, longest first: K and V of those heads take up to 32 MiB, backward Q, dO
/// and dQ_acc of their query heads 40 MiB, as in the released code of flash3; in a ragged batch they are of one entry,
/// whose heads they divide evenly.
std::int64_t kv_heads_of_section(const Problem& problem, bool backward = false);

/// Throws Error for a launch whose loops are not those that a GridNest has: its L2 hits would be wrong, and its time
/// too short. Counts are correct for every nest. `counted`: the events of the launch. Cost: O(events).
///
///   a CTA of     loops                                              for example
///   a block      one after another, query_heads() around them       flash2
///   a head       blocks of queries inside of blocks of keys         flash1
///   a row block  one of keys that it reads, last to first,          flash2 --keys down
///                or so in the CTAs of odd waves                     flash2 --keys sawtooth
///
/// Any other nest is detected by a tile that depends on two loops: K in blocks of keys and, within them, in chunks of
/// d. In a CTA of a head the tiles of scores are such tiles, so there only tiles that move count.
void check_nest(const Launch& launch, const Trace& counted);

class GridNest {
 public:
  /// `patterns`: that of each class of a ragged batch, or of the plan. `in_flight`: CTAs that the chip holds.
  GridNest(const Plan& plan, const Launch& launch, std::vector<AccessPattern> patterns, std::int64_t in_flight);
  GridNest(const GridNest&) = delete;  // its uses point into its patterns
  GridNest& operator=(const GridNest&) = delete;

  std::int64_t ctas() const { return ctas_; }  ///< in the sample
  void walks_of(std::int64_t cta, CtaWalks& walks) const;
  const std::vector<NestAxis>& axes() const { return axes_; }
  const std::vector<NestUse>& uses() const { return uses_; }
  std::int32_t bundles() const { return bundles_; }

  bool whole() const { return whole_; }                ///< nothing is sampled or stacked
  std::int64_t accesses() const { return accesses_; }  ///< of loops, in the sample
  double step_bytes() const { return step_bytes_; }    ///< most that a CTA accesses in a step of its loops
  std::int64_t stacked() const { return stacked_; }    ///< CTAs that one represents, step by step
  std::int64_t parts() const { return parts_; }        ///< parts of the chip, of which the sample has one
  double ctas_after(std::size_t of_class) const;       ///< CTAs of a class for each late one of the sample, after it

 private:
  /// Batch entries of equal lengths.
  struct Class {
    Shape shape;
    GridShape grid;
    AccessPattern pattern;
    std::vector<KeySection> sections;    ///< of the keys, by which entries hold them; one if entries share none
    std::int64_t depth = 1, slice = 1;   ///< depth of a GEMM with a tile for each CTA, and of its slices
    std::int64_t blocks = 1, units = 1;  ///< CTAs of a head; KV heads, with their query heads
    std::int64_t taken_blocks = 1, taken_units = 1;  ///< in the sample
    std::int64_t heads_together = 0;                 ///< kv_heads_of_section(), longest first; 0: in order
    std::int64_t together = 1;  ///< units of a group: of the entries that share keys, or of one that shares with all
    std::int32_t first_use = 0;
    std::vector<std::int32_t> first_axes = {};  ///< of each bundle
    std::int64_t group() const { return shape.heads / shape.kv_heads; }
    std::int64_t heads_of_unit() const { return grid.by_kv_head() ? 1 : group(); }  ///< that have CTAs of their own
    std::int64_t looped_heads() const { return grid.by_kv_head() ? group() : 1; }   ///< that one CTA loops over
    bool by_row() const { return grid.cuts_rows(); }
    Blocking rows() const { return {shape.seqlen_q, grid.br}; }
    Blocking keys() const { return {shape.seqlen_k, grid.bc}; }
    Blocking streamed() const { return by_row() ? keys() : rows(); }  ///< axis that CTAs of a block loop over
    std::int64_t slices() const { return ceil_div(depth, slice); }
    std::int64_t width() const { return by_row() ? grid.cta_columns(shape).count() : 1; }  ///< CTAs of a row block
    Visit visit(std::int64_t block) const;
    Interval live_keys() const;
    NestAxis own_axis(std::size_t bundle, double height, const Visit& visit) const;
    bool shares_keys() const { return sections.size() > 1 || sections[0].entries > 1; }
    std::int64_t holder_of(const KeySection& section, std::int64_t unit) const;  ///< number of its axis
    std::int64_t axes_of(const KeySection& section) const;                       ///< in the sample
    std::int64_t sample_of(std::int64_t wanted) const;         ///< of the units: whole groups of those who share keys
    Interval blocks_of(const KeySection& section) const;       ///< key blocks that it touches
    bool takes_rows() const { return taken_blocks < blocks; }  ///< the sample is row blocks, else heads
    Interval late() const;  ///< KV heads or row blocks of the sample that represent those after it
  };
  /// CTAs that are issued one after the other: `together` heads alternate, and advance from block to block.
  struct Piece {
    std::size_t of_class = 0;
    std::int64_t first_block = 0, blocks = 1, heads = 1, together = 1;
    bool last_first = false;
    std::int64_t first_cta = 0;
  };
  struct Place {
    const Class& c;
    std::int64_t head = 0, block = 0;
    std::int64_t wave = 0;  ///< BlockOrder::sawtooth alternates by it
    std::int64_t unit() const { return head / c.heads_of_unit(); }
  };

  void add_class(const Problem& problem, const Launch& launch, AccessPattern pattern);
  void stack(std::int64_t in_flight);
  void take_group(Class& c, std::int64_t in_flight);
  void take_sample(std::int64_t in_flight, bool longest);
  void take_heads_of_classes(std::int64_t in_flight);
  void take_heads_in_parts(std::int64_t in_flight);
  void issue(bool longest, Raster raster);
  std::vector<Piece> runs_of(std::size_t of_class) const;
  void number_axes();
  std::int64_t steps_of_head(const Class& c) const;
  NestAxis axis_of(const Class& c, std::size_t bundle) const;
  void add_axes(const Class& c, std::size_t bundle);
  void loop_of_keys(const Place& place, std::size_t bundle, Interval piece, const NestWalk& walk, CtaWalks& out) const;
  Place place_of(std::int64_t cta, CtaWalks& out) const;
  void stream(const Place& place, CtaWalks& out) const;
  void loop(const Place& place, std::size_t stage, const Visit& visit, std::int64_t head, CtaWalks& out) const;
  void nested(const Place& place, CtaWalks& out) const;
  void sweep(const Place& place, std::int64_t key, CtaWalks& out) const;
  void tile(const Place& place, CtaWalks& out) const;
  std::int32_t shared_axis(const Place& place, std::size_t bundle, std::int64_t looped_head) const;

  std::vector<Class> classes_;
  std::vector<Piece> pieces_;
  std::vector<NestUse> uses_;
  std::vector<NestAxis> axes_;
  std::int64_t ctas_ = 0, accesses_ = 0, stacked_ = 1, parts_ = 1, sweep_stride_ = 1;
  std::int64_t in_wave_ = 0;  ///< CTAs of a wave of Launch::in_flight; 0: it has none
  std::int32_t bundles_ = 0;
  double step_bytes_ = 0;
  bool whole_ = true;
};

}  // namespace sim
