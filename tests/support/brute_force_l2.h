// L2 by brute force: every tile that every CTA of every head reads or writes passes through an exact LRU.
//
// CTAs start in waves in issue order. The CTAs of a wave run in lockstep: one iteration of each (tests/support/
// cta_accesses.h), in issue order, then the next iteration of each. The LRU is fully associative and holds tiles; since
// every kernel walks the rows of a tile in the same order, single rows would hit and miss alike.
#pragma once
#include <list>
#include <map>
#include <unordered_map>

#include "tests/support/cta_accesses.h"

namespace sim {

/// Evicts the least recently used tiles first, writing dirty ones to HBM.
class BruteForceL2 {
 public:
  explicit BruteForceL2(std::int64_t capacity) : capacity_(capacity) {}

  void access(std::int64_t head, const TileAccess& tile) {
    const Key key{tile.tensor, head, tile.row, tile.col};
    const auto found = where_.find(key);
    if (found != where_.end()) {
      lines_.splice(lines_.begin(), lines_, found->second);
    } else {
      if (tile.reads) hbm[tile.tensor].read += Bytes(tile.bytes);
      lines_.push_front({key, tile.bytes, false});
      where_[key] = lines_.begin();
      used_ += tile.bytes;
    }
    lines_.front().dirty = lines_.front().dirty || tile.writes;
    while (used_ > capacity_) evict();
  }
  void flush() {
    while (!lines_.empty()) evict();
  }

  std::map<Tensor, Traffic> hbm;

 private:
  struct Key {
    Tensor tensor;
    std::int64_t head, row, col;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::size_t hash = static_cast<std::size_t>(k.tensor);
      for (const std::int64_t part : {k.head, k.row, k.col}) {
        hash = (hash ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
      }
      return hash;
    }
  };
  struct Held {
    Key key;
    std::int64_t bytes;
    bool dirty;
  };
  void evict() {
    const Held& last = lines_.back();
    if (last.dirty) hbm[last.key.tensor].written += Bytes(last.bytes);
    used_ -= last.bytes;
    where_.erase(last.key);
    lines_.pop_back();
  }
  std::int64_t capacity_, used_ = 0;
  std::list<Held> lines_;
  std::unordered_map<Key, std::list<Held>::iterator, Hash> where_;
};

/// Returns the HBM traffic of one kernel by tensor, with `in_flight` CTAs at a time and a cold L2 of `capacity` bytes.
/// Cost: O(tiles x batch x heads).
inline std::map<Tensor, Traffic> brute_force_hbm(const Plan& plan, const Launch& launch, std::int64_t in_flight,
                                                 std::int64_t capacity) {
  const CtasInOrder all = ctas_in_order(plan, launch);
  const std::int64_t heads_per_kv_head = plan.problem.shape.heads / plan.problem.shape.kv_heads;
  const auto ctas = static_cast<std::int64_t>(all.ctas.size());
  BruteForceL2 l2(capacity);
  for (std::int64_t first = 0; first < ctas; first += in_flight) {
    const std::int64_t past = std::min(ctas, first + in_flight);
    bool running = true;
    for (std::size_t iteration = 0; running; ++iteration) {
      running = false;
      for (std::int64_t n = first; n < past; ++n) {
        const CtasInOrder::Cta& cta = all.ctas[static_cast<std::size_t>(n)];
        const std::vector<TileAccesses>& iterations = all.of_block[cta.block];
        if (iteration >= iterations.size()) continue;
        running = true;
        const CtasInOrder::OfClass& c = all.classes[cta.of_class];
        for (const TileAccess& tile : iterations[iteration]) {
          const bool per_kv = plan.problem.hbm[tile.tensor].per_kv_head(), by_kv = launch.grid.by_kv_head();
          const std::int64_t of = by_kv ? (per_kv ? cta.head : cta.head * heads_per_kv_head + tile.head)
                                        : (per_kv ? cta.head / heads_per_kv_head : cta.head);
          l2.access((per_kv ? c.kv_heads_before : c.heads_before) + of, tile);
        }
      }
    }
  }
  l2.flush();
  return l2.hbm;
}

}  // namespace sim
