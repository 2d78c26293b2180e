// Reuse in kernels whose CTAs each compute one tile of a matrix from slices of rows of two tensors.
#include <algorithm>

#include "sim/model/l2_reuse.h"

namespace sim {
namespace {

constexpr std::int64_t tile_budget = 4 * access_budget;  // tile accesses are the cheapest
constexpr std::int64_t most_slices = 16, most_heads = 64;

class TileReuse {
 public:
  explicit TileReuse(const L2Scene& scene);
  const L2Tally& run();

 private:
  /// Index of the tile of the matrix that a CTA computes.
  struct TileIndex {
    std::int64_t head, row, col;
  };
  void choose_size();
  TileIndex tile_of(std::int64_t cta) const;
  std::int64_t slices() const { return ceil_div(scene_.shape.head_dim, slice_); }
  void slice_iteration(const Stage& stage, const TileIndex& at, std::int64_t slice);
  void once(const Stage& stage, const TileIndex& at);

  L2Scene scene_;
  std::int64_t heads_per_kv_head_, heads_, slice_;
  Blocking rows_, cols_;  ///< columns are joined if there are many
  std::vector<std::int32_t> items_;
  L2 l2_;
};

TileReuse::TileReuse(const L2Scene& scene)
    : scene_(scene),
      heads_per_kv_head_(scene.shape.heads / scene.shape.kv_heads),
      heads_(scene.shape.batch * scene.shape.heads),
      slice_(scene.slice),
      rows_{scene.shape.seqlen_q, scene.grid.br},
      cols_{scene.shape.seqlen_k, scene.grid.bc},
      l2_(0, {}) {
  choose_size();
}

/// Joins columns so that some rows of tiles fit into the budget; later CTAs would repeat the first ones.
void TileReuse::choose_size() {
  const auto accesses_of_row = [&] { return 3 * slices() * cols_.count(); };
  while (slices() > most_slices) slice_ *= 2;
  while (accesses_of_row() > tile_budget / 4 && cols_.count() > 1) {
    cols_.size *= 2;
    scene_.in_flight = std::max<std::int64_t>(1, scene_.in_flight / 2);
  }
  if (scene_.grid.raster == Raster::head_outermost) return;
  if (rows_.count() <= tile_budget / accesses_of_row() / heads_) return;
  const std::int64_t units = heads_ / heads_per_kv_head_;  // the KV heads move alike: one represents all
  scene_.capacity /= static_cast<double>(units);
  scene_.in_flight = std::max<std::int64_t>(1, (scene_.in_flight + units / 2) / units);
  heads_ = std::min(heads_per_kv_head_, most_heads);
}

TileReuse::TileIndex TileReuse::tile_of(std::int64_t cta) const {
  const std::int64_t tiles = rows_.count() * cols_.count();
  const bool heads_first = scene_.grid.raster == Raster::head_outermost;
  const std::int64_t tile = heads_first ? cta % tiles : cta / heads_, head = heads_first ? cta / tiles : cta % heads_;
  return {head, tile / cols_.count(), tile % cols_.count()};
}

const L2Tally& TileReuse::run() {
  l2_ = L2(scene_.capacity, scene_.pattern.bundles);
  const std::int64_t tiles = checked_multiply(rows_.count(), cols_.count());
  const std::int64_t ctas = std::min(checked_multiply(tiles, heads_),
                                     std::clamp(2 * scene_.in_flight, tile_budget / (3 * slices()), tile_budget));
  const std::int64_t rows = ceil_div(ctas, cols_.count());  // only these are reached
  rows_.extent = std::min(rows_.extent, checked_multiply(rows, rows_.size));
  const bool heads_first = scene_.grid.raster == Raster::head_outermost;
  const std::int64_t heads = heads_first ? std::min(heads_, ceil_div(ctas, tiles)) : heads_;
  for (std::size_t n = 0; n < scene_.pattern.bundles.size(); ++n) {
    const std::int64_t blocks = scene_.pattern.scopes[n] == Scope::keys ? cols_.count() : rows_.count();
    const bool shared = scene_.pattern.scopes[n] != Scope::own;
    items_.push_back(shared ? l2_.add(static_cast<int>(n), product(blocks, slices(), heads)) : 0);
  }
  for (std::int64_t first = 0; first < ctas; first += scene_.in_flight) {
    const std::int64_t past = std::min(ctas, first + scene_.in_flight);
    for (std::int64_t slice = 0; slice < slices(); ++slice) {
      for (std::int64_t cta = first; cta < past; ++cta) {
        for (const Stage& stage : scene_.pattern.stages) {
          if (stage.loop()) slice_iteration(stage, tile_of(cta), slice);
          if (!stage.loop() && slice + 1 == slices()) once(stage, tile_of(cta));
        }
      }
    }
  }
  return l2_.tally();
}

void TileReuse::slice_iteration(const Stage& stage, const TileIndex& at, std::int64_t slice) {
  const std::int64_t width = Blocking{scene_.shape.head_dim, slice_}.elements(slice).size();
  for (const BundleUse& use : stage.uses) {
    const bool keys = scene_.pattern.scopes[static_cast<std::size_t>(use.bundle)] == Scope::keys;
    const Blocking& axis = keys ? cols_ : rows_;
    const std::int64_t block = keys ? at.col : at.row, head = keys ? at.head / heads_per_kv_head_ : at.head;
    l2_.touch(items_[static_cast<std::size_t>(use.bundle)] +
                  static_cast<std::int32_t>((head * axis.count() + block) * slices() + slice),
              static_cast<double>(axis.elements(block).size() * width), use.move);
  }
}

void TileReuse::once(const Stage& stage, const TileIndex& at) {
  const std::int64_t entries = rows_.elements(at.row).size() * cols_.elements(at.col).size();
  for (const BundleUse& use : stage.uses) l2_.touch(l2_.add(use.bundle, 1), static_cast<double>(entries), use.move);
}

}  // namespace

L2Tally reuse_in_tiles(const L2Scene& scene) { return TileReuse(scene).run(); }

}  // namespace sim
