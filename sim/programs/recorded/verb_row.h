// A row of the table of verbs, derived from the type of the function that replays it.
#pragma once
#include <utility>

#include "sim/programs/recorded/verbs.h"

namespace sim::recorded {
/// Reads an operand of a C++ type from the table.
template <class Type>
struct As;

template <>
struct As<const SmemTile&> {
  static constexpr Parameter parameter{bit(OperandKind::smem) | bit(OperandKind::nothing), "a tile in SMEM"};
  static const SmemTile& read(Player& player, const Operand& operand) {
    static const SmemTile nothing;
    return std::get<Register>(operand).index < 0 ? nothing : player.held<SmemTile>(operand);
  }
};
template <>
struct As<const AnyTile&> {
  static constexpr Parameter parameter{any_tile | bit(OperandKind::nothing), "a tile"};
  static const AnyTile& read(Player& player, const Operand& operand) {
    static const AnyTile nothing;
    return std::get<Register>(operand).index < 0 ? nothing : player.tile(operand);
  }
};
template <>
struct As<AnyTile&> {
  static constexpr Parameter parameter{any_tile, "a tile"};
  static AnyTile& read(Player& player, const Operand& operand) { return player.tile(operand); }
};
template <>
struct As<RegTile&> {
  static constexpr Parameter parameter{bit(OperandKind::registers), "a tile in registers"};
  static RegTile& read(Player& player, const Operand& operand) { return player.held<RegTile>(operand); }
};
template <>
struct As<const RegTile&> : As<RegTile&> {};
template <>
struct As<SmemTile&&> {
  static constexpr Parameter parameter{bit(OperandKind::smem), "a tile in SMEM", true};
  static SmemTile&& read(Player& player, const Operand& operand) { return std::move(player.held<SmemTile>(operand)); }
};
template <>
struct As<RegTile&&> {
  static constexpr Parameter parameter{bit(OperandKind::registers), "a tile in registers", true};
  static RegTile&& read(Player& player, const Operand& operand) { return std::move(player.held<RegTile>(operand)); }
};
template <>
struct As<RegVec&&> {
  static constexpr Parameter parameter{bit(OperandKind::vector), "a vector", true};
  static RegVec&& read(Player& player, const Operand& operand) { return std::move(player.held<RegVec>(operand)); }
};
template <>
struct As<const RegVec&> {
  static constexpr Parameter parameter{bit(OperandKind::vector), "a vector"};
  static const RegVec& read(Player& player, const Operand& operand) { return player.held<RegVec>(operand); }
};
template <>
struct As<const Block&> {
  static constexpr Parameter parameter{bit(OperandKind::block), "a block"};
  static const Block& read(Player& player, const Operand& operand) { return player.block(operand); }
};
/// Blocks of queries and of keys.
struct QueryBlock {
  const Block& block;
  operator const Block&() const { return block; }  // NOLINT: stands for it
};
struct KeyBlock {
  const Block& block;
  operator const Block&() const { return block; }  // NOLINT: stands for it
};
template <>
struct As<QueryBlock> {
  static constexpr Parameter parameter{bit(OperandKind::block), "a block of queries", false, AxisOf::queries};
  static QueryBlock read(Player& player, const Operand& operand) { return {player.block(operand)}; }
};
template <>
struct As<KeyBlock> {
  static constexpr Parameter parameter{bit(OperandKind::block), "a block of keys", false, AxisOf::keys};
  static KeyBlock read(Player& player, const Operand& operand) { return {player.block(operand)}; }
};
template <>
struct As<const HbmBlock&> {
  static constexpr Parameter parameter{bit(OperandKind::place), "a block of a tensor in HBM"};
  static HbmBlock read(Player& player, const Operand& operand) { return player.place(operand); }
};
template <>
struct As<const HbmTensor&> {
  static constexpr Parameter parameter{bit(OperandKind::like), "a tensor in HBM, as in @O"};
  static const HbmTensor& read(Player& player, const Operand& operand) { return player.like(operand); }
};
template <>
struct As<Tensor> {
  static constexpr Parameter parameter{bit(OperandKind::name), "the name of a tensor, as in :alpha"};
  static Tensor read(Player&, const Operand& operand) { return std::get<Name>(operand).tensor; }
};
template <>
struct As<float> {
  static constexpr Parameter parameter{bit(OperandKind::number), "a number or $scale"};
  static float read(Player& player, const Operand& operand) { return player.number(operand); }
};
template <>
struct As<std::int64_t> {
  static constexpr Parameter parameter{bit(OperandKind::extent), "$head_dim, $head_dim_v, $slice, $keys or $bc"};
  static std::int64_t read(Player& player, const Operand& operand) { return player.extent(operand); }
};

template <class Result>
constexpr OperandKind kind_made() {
  if constexpr (std::is_same_v<Result, SmemTile>) return OperandKind::smem;
  if constexpr (std::is_same_v<Result, RegTile>) return OperandKind::registers;
  return std::is_same_v<Result, RegVec> ? OperandKind::vector : OperandKind::nothing;
}

template <auto function, class Type = decltype(function)>
struct Row;

template <auto function, class Result, class... Operands>
struct Row<function, Result (*)(Cta&, Line, Operands...)> {
  static constexpr std::array<Parameter, sizeof...(Operands)> parameters{As<Operands>::parameter...};

  template <std::size_t... n>
  static Result call(Player& player, const Op& op, std::index_sequence<n...>) {
    return function(player.cta(), op.line, As<Operands>::read(player, op.operands[n])...);
  }
  static Result call(Player& player, const Op& op) { return call(player, op, std::index_sequence_for<Operands...>{}); }

  static void play(Player& player, const Op& op) {
    if constexpr (kind_made<Result>() == OperandKind::nothing) call(player, op);
    if constexpr (kind_made<Result>() != OperandKind::nothing) player.put(op.result, call(player, op));
    for (std::size_t n = 0; n < parameters.size(); ++n) {
      if (parameters[n].ends) player.end(std::get<Register>(op.operands[n]).index);
    }
  }

  static constexpr Verb of(std::string_view name, bool writes = false) {
    if constexpr (std::is_same_v<Result, Loop>) {
      return {name, parameters, OperandKind::nothing, nullptr, call};
    } else {
      return {name, parameters, kind_made<Result>(), play, nullptr, writes};
    }
  }
};

template <auto function>
constexpr Verb row(std::string_view name, bool writes = false) {
  return Row<+function>::of(name, writes);
}

}  // namespace sim::recorded
