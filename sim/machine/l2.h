// The L2 as an LRU stack, fully associative and write-back. It holds items, each a block of rows of tensors that always
// move together (a bundle): K_j with V_j, O_i with l_i and m_i. An access hits if the bytes that other accesses touched
// since the previous access to the item (its reuse distance) and the item's own bytes fit together.
//
// Inaccuracies: no sets, sectors or partitions beyond the effective capacity; a tensor that is written is not fetched.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "sim/trace/event.h"

namespace sim {

/// Tensors that always move together, with the bytes of one element of a block (a row, or an entry of a matrix).
struct Bundle {
  struct Part {
    Tensor tensor = Tensor::none;
    double bytes = 0;
  };
  std::vector<Part> parts;  ///< at most 32
  double bytes() const;     ///< sum over parts
};

/// Reads and writes of an access to the parts of a bundle: bit n is part n.
struct Move {
  unsigned reads = 0, writes = 0;
};

/// Bytes in one direction, as doubles, because only ratios leave the model. first <= missed <= moved.
struct L2Bytes {
  double moved = 0;   ///< between SMs and L2: tile traffic
  double first = 0;   ///< first move of each byte: the traffic that an infinite L2 leaves
  double missed = 0;  ///< between L2 and HBM
};

/// Bytes read and written, by tensor.
struct L2Tally {
  std::array<L2Bytes, tensor_capacity> read, written;
  L2Tally plus(const L2Tally& other, double times) const;  ///< this + times x other
};

class L2 {
 public:
  L2(double capacity, std::vector<Bundle> bundles);

  /// Adds `count` items of a bundle, none of them in L2; returns the number of the first.
  std::int32_t add(int bundle, std::int64_t count);

  /// Accesses the first `elements` of an item: moves it to the top and evicts the least recently used items that no
  /// longer fit. O(1) amortised.
  void touch(std::int32_t item, double elements, Move move);

  /// Counts `times` further accesses to the item just touched, each after `distance` bytes of other data and its own.
  void repeat(std::int32_t item, double elements, Move move, double times, double distance);

  /// Moves an item to the top without an access.
  void refresh(std::int32_t item);

  /// Counts every later touch() and repeat() `weight` times.
  void weigh(double weight) { weight_ = weight; }

  /// Bytes so far, including the write-back of dirty data at the end of the kernel.
  const L2Tally& tally() const { return tally_; }

 private:
  static constexpr std::int32_t none = -1;
  struct Item {
    std::int32_t newer = none, older = none;
    std::int16_t bundle = 0;
    bool resident = false;
    bool dirty = false;       ///< written since it was last loaded
    bool cleaned = false;     ///< evicted since the last write, so that the next write reaches HBM again
    double elements = 0;      ///< elements touched so far
    double held = 0;          ///< bytes while resident
    double ever_written = 0;  ///< elements written so far; each reaches HBM at least once
  };
  void unlink(Item& item);
  void put_on_top(std::int32_t number);
  void evict_oldest();
  double capacity_, used_ = 0, weight_ = 1;
  std::int32_t newest_ = none, oldest_ = none;
  std::vector<Bundle> bundles_;
  std::vector<double> bundle_bytes_;
  std::vector<Item> items_;
  L2Tally tally_;
};

}  // namespace sim
