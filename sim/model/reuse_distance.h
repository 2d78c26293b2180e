// Reuse distances of accesses to items of different sizes: how much an LRU cache must hold for an access to hit.
// Mattson et al., "Evaluation techniques for storage hierarchies" (1970); by prefix sums as in Bennett and Kruskal,
// "LRU stack processing" (1975).
//
//   accesses    A  B  C  B  A       A, B and C take 1, 2 and 4 bytes
//   distances   -  -  -  6  7       of B: C and B itself; of A: B and C, each once, and A itself
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sim {

class ReuseDistance {
 public:
  /// Adds `count` items that were never accessed; returns the number of the first.
  std::int32_t add(std::int64_t count, std::int64_t bytes);
  std::int64_t bytes(std::int32_t item) const { return bytes_[static_cast<std::size_t>(item)]; }
  std::size_t items() const { return bytes_.size(); }

  /// Accesses an item. Returns the bytes of other items accessed since its last access, each once, and its own; -1 at
  /// the first access. O(log items).
  std::int64_t touch(std::int32_t item);

  /// Accesses `bytes` that are never accessed again, and have no number.
  void pass(std::int64_t bytes) {
    held_ += bytes;
    passed_ += bytes;
  }

 private:
  void renumber();
  void add_at(std::size_t moment, std::int64_t bytes);
  std::int64_t sum_to(std::size_t moment) const;

  std::vector<std::int64_t> bytes_;
  std::vector<std::int32_t> last_;     ///< moment of the last access of each item; -1: none
  std::vector<std::int32_t> item_at_;  ///< item accessed at each moment
  /// Fenwick tree over moments: bytes of the item whose last access it is, and what passed since the moment before.
  std::vector<std::int64_t> sums_;
  std::int64_t held_ = 0;    ///< bytes of all that was accessed so far
  std::int64_t passed_ = 0;  ///< bytes that passed since the last moment
};

}  // namespace sim
