// The L2 as a stack of what was used last: least recently used first out, fully associative, write-back. It holds
// items, each a block of rows of the tensors that always move together (a bundle): K_j with V_j, O_i with l_i and m_i.
// An access hits when the bytes that others touched since the last one (its reuse distance) and its own fit together.
//
// Inaccuracies: no sets, sectors or partitions but for the effective capacity; a tensor that is written is not fetched.
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
  double bytes() const;     ///< of all parts
};

/// What an access does with the parts of a bundle: bit n stands for part n.
struct Move {
  unsigned reads = 0, writes = 0;
};

/// Bytes in one direction; doubles, since only ratios leave the model. first <= missed <= moved.
struct L2Bytes {
  double moved = 0;   ///< between SMs and L2: tile traffic
  double first = 0;   ///< the first time that a byte moves: what an endless L2 leaves
  double missed = 0;  ///< between L2 and HBM
};

/// By tensor.
struct L2Tally {
  std::array<L2Bytes, tensor_capacity> read, written;
  L2Tally plus(const L2Tally& other, double times) const;  ///< this + times x other
};

class L2 {
 public:
  L2(double capacity, std::vector<Bundle> bundles);

  /// `count` new items of a bundle, none of them in L2; returns the number of the first.
  std::int32_t add(int bundle, std::int64_t count);

  /// One access to the first `elements` of an item: it comes to the top, what no longer fits leaves. O(1) amortised.
  void touch(std::int32_t item, double elements, Move move);

  /// `times` accesses more to what was just touched, each after `distance` bytes of other and own data.
  void repeat(std::int32_t item, double elements, Move move, double times, double distance);

  /// Brings an item to the top without an access.
  void refresh(std::int32_t item);

  /// From now on every access stands for `weight` of them.
  void weigh(double weight) { weight_ = weight; }

  /// So far, and with what is dirty written to HBM as at the kernel's end.
  const L2Tally& tally() const { return tally_; }

 private:
  static constexpr std::int32_t none = -1;
  struct Item {
    std::int32_t newer = none, older = none;
    std::int16_t bundle = 0;
    bool resident = false;
    bool dirty = false;       ///< written since it came
    bool cleaned = false;     ///< left L2 since it was written last, so that the next write reaches HBM once more
    double elements = 0;      ///< touched so far
    double held = 0;          ///< bytes while resident
    double ever_written = 0;  ///< elements; they reach HBM once at least
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
