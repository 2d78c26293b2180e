#include "sim/machine/l2.h"

#include <algorithm>

namespace sim {
namespace {

std::size_t index(Tensor tensor) { return static_cast<std::size_t>(tensor); }

/// Calls visit(part) for the parts whose bit is set.
template <class Visit>
void each_part(const Bundle& bundle, unsigned parts, Visit visit) {
  for (std::size_t n = 0; n < bundle.parts.size(); ++n) {
    if ((parts >> n & 1U) != 0) visit(bundle.parts[n]);
  }
}

}  // namespace

double Bundle::bytes() const {
  double sum = 0;
  for (const Part& part : parts) sum += part.bytes;
  return sum;
}

L2Tally L2Tally::plus(const L2Tally& other, double times) const {
  L2Tally sum = *this;
  const auto add = [times](auto& to, const auto& from) {
    for (std::size_t n = 0; n < to.size(); ++n) {
      to[n].moved += times * from[n].moved;
      to[n].first += times * from[n].first;
      to[n].missed += times * from[n].missed;
    }
  };
  add(sum.read, other.read);
  add(sum.written, other.written);
  return sum;
}

L2::L2(double capacity, std::vector<Bundle> bundles) : capacity_(capacity), bundles_(std::move(bundles)) {
  for (const Bundle& bundle : bundles_) bundle_bytes_.push_back(bundle.bytes());
}

std::int32_t L2::add(int bundle, std::int64_t count) {
  const auto first = static_cast<std::int32_t>(items_.size());
  Item item;
  item.bundle = static_cast<std::int16_t>(bundle);
  items_.resize(items_.size() + static_cast<std::size_t>(count), item);
  return first;
}

void L2::touch(std::int32_t number, double elements, Move move) {
  Item& item = items_[static_cast<std::size_t>(number)];
  const Bundle& bundle = bundles_[static_cast<std::size_t>(item.bundle)];
  const double fresh = std::max(0.0, elements - item.elements);
  const double fetched = item.resident ? fresh : weight_ * elements;
  each_part(bundle, move.reads, [&](const Bundle::Part& part) {
    L2Bytes& read = tally_.read[index(part.tensor)];
    read.moved += weight_ * elements * part.bytes;
    read.first += fresh * part.bytes;
    read.missed += fetched * part.bytes;
  });
  const double newly_written = std::max(0.0, elements - item.ever_written);
  const double left = item.cleaned ? weight_ * elements : newly_written;
  each_part(bundle, move.writes, [&](const Bundle::Part& part) {
    L2Bytes& written = tally_.written[index(part.tensor)];
    written.moved += weight_ * elements * part.bytes;
    written.first += newly_written * part.bytes;
    written.missed += left * part.bytes;
  });
  if (move.writes != 0) {
    item.dirty = true;
    item.cleaned = false;
    item.ever_written += newly_written;
  }
  if (item.resident) unlink(item);
  item.elements += fresh;
  put_on_top(number);
}

void L2::repeat(std::int32_t number, double elements, Move move, double times, double distance) {
  const Item& item = items_[static_cast<std::size_t>(number)];
  const Bundle& bundle = bundles_[static_cast<std::size_t>(item.bundle)];
  const double moved = weight_ * elements * times, missed = distance <= capacity_ ? 0 : moved;
  const auto add = [&](L2Bytes& bytes, double each) {
    bytes.moved += moved * each;
    bytes.missed += missed * each;
  };
  each_part(bundle, move.reads, [&](const Bundle::Part& part) { add(tally_.read[index(part.tensor)], part.bytes); });
  each_part(bundle, move.writes,
            [&](const Bundle::Part& part) { add(tally_.written[index(part.tensor)], part.bytes); });
}

void L2::refresh(std::int32_t number) {
  Item& item = items_[static_cast<std::size_t>(number)];
  if (item.resident) unlink(item);
  put_on_top(number);
}

void L2::unlink(Item& item) {
  (item.newer == none ? newest_ : items_[static_cast<std::size_t>(item.newer)].older) = item.older;
  (item.older == none ? oldest_ : items_[static_cast<std::size_t>(item.older)].newer) = item.newer;
  used_ -= item.held;
  item.resident = false;
}

void L2::put_on_top(std::int32_t number) {
  Item& item = items_[static_cast<std::size_t>(number)];
  item.held = item.elements * bundle_bytes_[static_cast<std::size_t>(item.bundle)];
  item.newer = none;
  item.older = newest_;
  (newest_ == none ? oldest_ : items_[static_cast<std::size_t>(newest_)].newer) = number;
  newest_ = number;
  item.resident = true;
  used_ += item.held;
  while (used_ > capacity_ && oldest_ != none) evict_oldest();
}

void L2::evict_oldest() {
  Item& item = items_[static_cast<std::size_t>(oldest_)];
  item.cleaned = item.cleaned || item.dirty;
  item.dirty = false;
  unlink(item);
}

}  // namespace sim
