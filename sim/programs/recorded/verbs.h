// Verbs of a table: their operands and their replay. Both are defined by one line of verbs.cpp.
#pragma once
#include <span>

#include "sim/machine/cta.h"
#include "sim/programs/recorded/recording.h"

namespace sim::recorded {

/// OperandKind of an operand, as far as verbs distinguish.
enum class OperandKind : std::uint8_t { nothing, smem, registers, vector, block, place, like, name, number, extent };
using Kinds = unsigned;  ///< a bit for each kind
constexpr Kinds bit(OperandKind kind) { return 1U << static_cast<unsigned>(kind); }
inline constexpr Kinds any_tile = bit(OperandKind::smem) | bit(OperandKind::registers);

/// Axis of a block. Query heads are not an axis of a tensor: a CTA's tensors are those of one head.
enum class AxisOf : std::uint8_t { queries, keys, width, width_of_v, heads };
std::string_view name_of(AxisOf axis);  ///< "queries", "keys", "columns of d", "heads"

/// An operand of a verb.
struct Parameter {
  Kinds kinds = 0;
  std::string_view word;            ///< name in errors: "a tile in SMEM"
  bool ends = false;                ///< the verb consumes it
  std::optional<AxisOf> axis = {};  ///< axis of a block, if the verb requires one
};

class Player;

struct Verb {
  std::string_view name;
  std::span<const Parameter> parameters;
  OperandKind makes = OperandKind::nothing;
  void (*play)(Player&, const Op&) = nullptr;  ///< null: a loop
  Loop (*loop)(Player&, const Op&) = nullptr;  ///< null: not a loop
  bool writes = false;                         ///< writes to its place in HBM
};

/// Every verb and every loop; a name may have several rows with different operands.
std::span<const Verb> verbs();

/// Replays a body.
class Player {
 public:
  Player(Cta& cta, const Problem& problem, const Body& body);
  void play(const Turn& turn);

  Cta& cta() { return cta_; }
  const Op& now() const { return *now_; }
  template <class Made>
  void put(int index, Made made) {
    held_[static_cast<std::size_t>(index)].template emplace<Made>(std::move(made));
  }
  void end(int index) { held_[static_cast<std::size_t>(index)].emplace<std::monostate>(); }

  AnyTile& tile(const Operand& operand);
  template <class Of>
  Of& held(const Operand& operand) {
    return std::get<Of>(held_[static_cast<std::size_t>(std::get<Register>(operand).index)]);
  }
  const Block& block(const Operand& operand) const { return block(std::get<BlockName>(operand).index); }
  HbmBlock place(const Operand& operand) const;
  HbmBlock place_of_pages(const Place& p) const;
  const HbmTensor& like(const Operand& operand) const { return problem_.hbm[std::get<Like>(operand).tensor]; }
  float number(const Operand& operand) const;
  std::int64_t extent(const Operand& operand) const;

 private:
  using Held = std::variant<std::monostate, SmemTile, RegTile, RegVec>;
  const Block& block(int index) const { return blocks_[static_cast<std::size_t>(index)]; }
  void repeat(const Op& op);
  void carry(const std::vector<Carry>& carries);

  Cta& cta_;
  const Problem& problem_;
  const Op* now_ = nullptr;
  std::vector<Held> held_;
  std::array<Block, 5> blocks_;  ///< row, col, and one for each loop
};

/// Error for tiles of incompatible sizes.
class WrongSize : public Error {
 public:
  using Error::Error;
};

}  // namespace sim::recorded
