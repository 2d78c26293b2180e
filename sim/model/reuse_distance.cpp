#include "sim/model/reuse_distance.h"

#include <algorithm>
#include <bit>

namespace sim {
namespace {

constexpr std::size_t fewest_moments = 1024;

}  // namespace

std::int32_t ReuseDistance::add(std::int64_t count, std::int64_t bytes) {
  const auto first = static_cast<std::int32_t>(bytes_.size());
  bytes_.resize(bytes_.size() + static_cast<std::size_t>(count), bytes);
  last_.resize(bytes_.size(), -1);
  return first;
}

std::int64_t ReuseDistance::touch(std::int32_t item) {
  if (item_at_.size() + 1 >= sums_.size()) renumber();
  const auto at = static_cast<std::size_t>(item);
  const std::int32_t last = last_[at];
  std::int64_t distance = -1;
  if (last >= 0) {
    const auto moment = static_cast<std::size_t>(last);
    distance = held_ - sum_to(moment) + bytes_[at];
    add_at(moment, -bytes_[at]);
  } else {
    held_ += bytes_[at];
  }
  last_[at] = static_cast<std::int32_t>(item_at_.size());
  add_at(item_at_.size(), passed_ + bytes_[at]);
  passed_ = 0;
  item_at_.push_back(item);
  return distance;
}

/// Numbers the last accesses of all items again, in their order. What passed at other moments moves to the next one.
void ReuseDistance::renumber() {
  std::vector<std::int64_t> bytes;  // of each moment that is kept
  std::int64_t before = 0;
  for (std::size_t moment = 0; moment < item_at_.size(); ++moment) {
    const auto item = static_cast<std::size_t>(item_at_[moment]);
    if (last_[item] != static_cast<std::int32_t>(moment)) continue;
    const std::int64_t sum = sum_to(moment);
    last_[item] = static_cast<std::int32_t>(bytes.size());
    item_at_[bytes.size()] = item_at_[moment];
    bytes.push_back(sum - before);
    before = sum;
  }
  passed_ = held_ - before;
  item_at_.resize(bytes.size());
  sums_.assign(std::bit_ceil(std::max(fewest_moments, 2 * bytes.size() + 2)), 0);
  for (std::size_t n = 1; n < sums_.size(); ++n) {
    if (n <= bytes.size()) sums_[n] += bytes[n - 1];
    if (n + (n & (0 - n)) < sums_.size()) sums_[n + (n & (0 - n))] += sums_[n];
  }
}

void ReuseDistance::add_at(std::size_t moment, std::int64_t bytes) {
  for (std::size_t n = moment + 1; n < sums_.size(); n += n & (0 - n)) sums_[n] += bytes;
}

std::int64_t ReuseDistance::sum_to(std::size_t moment) const {
  std::int64_t sum = 0;
  for (std::size_t n = moment + 1; n > 0; n &= n - 1) sum += sums_[n];
  return sum;
}

}  // namespace sim
