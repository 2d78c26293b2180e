#include "sim/machine/tile.h"

#include <algorithm>

namespace sim {
namespace {

std::string kib(Bytes bytes) {
  const std::int64_t tenths = (bytes.count() * 10 + 512) / 1024;
  return text(tenths / 10, ".", tenths % 10, " KiB");
}

/// True for tiles stored in the dtype: all in SMEM but statistics, a row of scores and sums on their way to HBM, in
/// registers only factors that products read unchanged.
bool is_in_dtype(Level level, Tensor tensor) {
  if (tensor == Tensor::S_row || tensor == Tensor::dQ_acc || is_statistic(tensor)) return false;
  return level == Level::smem || tensor == Tensor::K || tensor == Tensor::V;
}

}  // namespace

void Held::enter(Space* space) noexcept {
  space_ = space;
  if (space_ == nullptr) return;
  before_ = space_->newest_;
  if (before_ != nullptr) before_->after_ = this;
  space_->newest_ = this;
}

void Held::leave() noexcept {
  if (space_ == nullptr) return;
  (after_ == nullptr ? space_->newest_ : after_->before_) = before_;
  if (before_ != nullptr) before_->after_ = after_;
}

Held& Held::operator=(const Held& other) {
  if (&other == this) return *this;
  values = other.values;
  event = other.event;
  if (space_ == nullptr) enter(other.space_);
  return *this;
}

Held& Held::operator=(Held&& other) noexcept {
  values = std::move(other.values);
  event = other.event;
  if (space_ == nullptr) enter(other.space_);
  return *this;
}

Bytes Space::bytes_of(Level level, Tensor tensor, std::int64_t rows, std::int64_t cols) const {
  if (capacity_.paper && tensor == Tensor::PV) return Bytes{};
  if (tensor == Tensor::mask) return Bytes(product(rows, cols));
  return Bytes(product(rows, cols, capacity_.paper || is_in_dtype(level, tensor) ? size_of(capacity_.dtype) : 4));
}

void Space::take(Level level, Tensor tensor, std::int64_t rows, std::int64_t cols, Line line) {
  const std::size_t s = slot(level);
  const Bytes need = bytes_of(level, tensor, rows, cols);
  const bool own = s == 1 && !role_limits_.empty();  // registers of the role
  const Bytes limit = own ? role_limits_.at(role_) : s == 0 ? capacity_.smem : capacity_.registers;
  const Bytes used = own ? role_used_.at(role_) : used_[s];
  if (!capacity_.paper && used + need > limit) {
    throw TileOverflow(capacity_.listing, ":", line.number, ": ", name_of(tensor), " tile (", rows, ", ", cols, ") ",
                       tensor == Tensor::mask       ? "u8"
                       : is_in_dtype(level, tensor) ? name_of(capacity_.dtype)
                                                    : "fp32",
                       " needs ", kib(need), ", ", kib(limit - used), " of ", kib(limit), " ",
                       Sentence(level == Level::smem ? /*say*/ "SMEM"
                                : own                ? /*say*/ "registers of its warpgroup"
                                                     : /*say*/ "registers"),
                       " are free");
  }
  if (noted_in_ != nullptr) make_room_for_notes();
  used_[s] += need;
  if (own) {
    role_used_[role_] += need;
    role_peaks_[role_] = std::max(role_peaks_[role_], role_used_[role_]);
  }
  peak_[s] = std::max(peak_[s], used_[s]);
  ++held_;
  if (noted_in_ != nullptr) note();
}

void Space::share_registers(std::vector<Bytes> roles) {
  role_limits_ = std::move(roles);
  role_used_.assign(role_limits_.size(), Bytes{});
  role_peaks_ = role_used_;
}

void Space::shrink(Level level, Bytes bytes, RoleNumber role) {
  if (noted_in_ != nullptr) make_room_for_notes();
  ++held_;
  give_back(level, bytes, role);
}

void Space::give_back(Level level, Bytes bytes, RoleNumber role) {
  used_[slot(level)] = used_[slot(level)] - bytes;
  if (slot(level) == 1 && !role_used_.empty()) role_used_[role] = role_used_[role] - bytes;
  --held_;
  if (noted_in_ != nullptr) note();
}

// Tiles are given back in destructors, where running out of memory would end the program. So taking a tile reserves
// space for its own note and for that of every tile that is still to be given back.
void Space::make_room_for_notes() {
  std::vector<OccupancySample>& notes = noted_in_->occupancy;
  const std::size_t need = notes.size() + held_ + 2;
  if (notes.capacity() < need) notes.reserve(2 * need);
}

void Space::note() {
  noted_in_->occupancy.push_back({static_cast<std::int64_t>(noted_in_->events.size()), used_[0], used_[1]});
}

}  // namespace sim
