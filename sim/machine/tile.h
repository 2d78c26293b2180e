// Tiles: a program's data on chip. The memory level is in the type, and the space is released when the scope ends, so
// occupancy and overflow need no code in programs and an illegal combination does not compile.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/base/dtype.h"
#include "sim/machine/blocks.h"
#include "sim/machine/capacity.h"
#include "sim/trace/tensors.h"
#include "sim/trace/trace.h"

namespace sim {

class Space;

/// Index of a part of a CTA with its own registers; 0 if all warps do the same.
using RoleNumber = std::uint8_t;

/// Values that a body holds on chip. The ledger lists them as long as they live: those held between two iterations are
/// the loop-carried ones.
class Held {
 public:
  std::vector<float> values;      ///< row-major; empty while counting
  std::int32_t event = no_event;  ///< event that wrote them last

  Held() = default;  ///< holds nothing
  explicit Held(Space& space) { enter(&space); }
  Held(const Held& other) : values(other.values), event(other.event) { enter(other.space_); }
  Held(Held&& other) noexcept : values(std::move(other.values)), event(other.event) { enter(other.space_); }
  Held& operator=(const Held& other);
  Held& operator=(Held&& other) noexcept;
  ~Held() { leave(); }
  Held* before() const { return before_; }  ///< held since before this one; null if this is the first

 private:
  void enter(Space* space) noexcept;
  void leave() noexcept;
  Space* space_ = nullptr;
  Held *before_ = nullptr, *after_ = nullptr;
};

/// The ledger of on-chip memory of one CTA. Given a trace, it records every change there (Trace::occupancy).
class Space {
 public:
  explicit Space(Capacity capacity, Trace* noted_in = nullptr) : capacity_(std::move(capacity)), noted_in_(noted_in) {}
  /// Bytes of a tile: dtype elements in SMEM except statistics and a row of scores, fp32 in registers except the
  /// factors K and V (in the papers' two-level model: dtype everywhere, and a product PV to be added to O takes no
  /// space); one byte in a dropout mask.
  Bytes bytes_of(Level level, Tensor tensor, std::int64_t rows, std::int64_t cols) const;
  Bytes bytes_in_dtype(std::int64_t rows, std::int64_t cols) const {
    return Bytes(product(rows, cols, size_of(capacity_.dtype)));
  }
  /// Maximum bytes that tiles of each role have held at a time.
  const std::vector<Bytes>& peaks_of_roles() const { return role_peaks_; }
  /// Gives each role its own limit of register bytes, instead of the capacity's.
  void share_registers(std::vector<Bytes> roles);
  /// Assigns tiles taken from now on to this role.
  void act_as(RoleNumber role) { role_ = role; }
  RoleNumber role() const { return role_; }
  /// Allocates space. Throws Error with line, tile, needed and free bytes if it does not fit.
  void take(Level level, Tensor tensor, std::int64_t rows, std::int64_t cols, Line line);
  void give_back(Level level, Bytes bytes, RoleNumber role);
  void shrink(Level level, Bytes bytes, RoleNumber role);  ///< gives back a part of a tile
  Bytes peak_smem() const { return peak_[0]; }
  Bytes peak_registers() const { return peak_[1]; }
  const Capacity& capacity() const { return capacity_; }
  Held* newest() const { return newest_; }  ///< newest of the values held now; null if there are none

 private:
  friend class Held;
  std::size_t slot(Level level) const { return capacity_.paper || level == Level::smem ? 0 : 1; }
  void make_room_for_notes();
  void note();
  Capacity capacity_;
  Trace* noted_in_;
  Held* newest_ = nullptr;
  std::size_t held_ = 0;  ///< number of tiles
  Bytes used_[2], peak_[2];
  RoleNumber role_ = 0;
  std::vector<Bytes> role_limits_, role_used_, role_peaks_;  ///< registers; empty where all warps do the same
};

/// (rows, cols) values at whichever level. Verbs that work at both levels take this.
struct AnyTile : Held {
  AnyTile() = default;
  AnyTile(Space& space, Level where, Tensor name, Axis row_axis, Axis col_axis)
      : Held(space), level(where), tensor(name), rows(row_axis), cols(col_axis) {}
  Level level = Level::none;
  Tensor tensor = Tensor::none;
  Axis rows, cols;
  InLoop in;  ///< iteration of an asynchronous copy
  std::int64_t elements() const { return rows.size * cols.size; }
  /// Elements whose arithmetic counts: none of statistics, of which there are a few per row.
  std::int64_t counted() const { return is_per_row(tensor) ? 0 : elements(); }
};

/// A tile at one memory level. Moves, never copies: a copy would be traffic that no program requests.
template <Level where>
class Tile : public AnyTile {
 public:
  Tile() = default;  ///< holds nothing
  Tile(Space& space, Tensor name, Axis row_axis, Axis col_axis, Line line)
      : AnyTile(space, where, name, row_axis, col_axis), space_(&space) {
    space.take(where, tensor, rows.size, cols.size, line);
    bytes_ = space.bytes_of(where, tensor, rows.size, cols.size);
    role_ = space.role();
  }
  Tile(Tile&& other) noexcept
      : AnyTile(std::move(other)),
        space_(std::exchange(other.space_, nullptr)),
        bytes_(other.bytes_),
        role_(other.role_) {}
  Tile& operator=(Tile&& other) noexcept {
    if (this == &other) return *this;
    free();
    AnyTile::operator=(std::move(other));
    space_ = std::exchange(other.space_, nullptr);
    bytes_ = other.bytes_;
    role_ = other.role_;
    return *this;
  }
  ~Tile() { free(); }
  /// Keeps its values in the dtype from now on, as an operand of products: releases the rest of its registers.
  void narrow() {
    const Bytes bytes = space_->bytes_in_dtype(rows.size, cols.size);
    space_->shrink(where, bytes_ - bytes, role_);
    bytes_ = bytes;
  }

 private:
  void free() {
    if (space_ != nullptr) space_->give_back(where, bytes_, role_);
    space_ = nullptr;
  }
  Space* space_ = nullptr;
  Bytes bytes_;
  RoleNumber role_ = 0;
};

using SmemTile = Tile<Level::smem>;
using RegTile = Tile<Level::registers>;

/// One fp32 per row in registers: m, l, L, alpha, beta. A few hundred bytes, which the ledger leaves out.
struct RegVec : Held {
  RegVec() = default;
  RegVec(Space& space, Tensor name, Axis row_axis) : Held(space), tensor(name), rows(row_axis) {}
  Tensor tensor = Tensor::none;
  Axis rows;
};

}  // namespace sim
