#include "sim/programs/recorded/read_operand.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/programs/recorded/read_code.h"
#include "sim/trace/tensors.h"

namespace sim::recorded {
namespace {

constexpr std::pair<std::string_view, Value::Of> value_names[] = {
    {"scale", Value::Of::scale}, {"head_dim", Value::Of::head_dim}, {"head_dim_v", Value::Of::head_dim_v},
    {"slice", Value::Of::slice}, {"keys", Value::Of::keys},         {"bc", Value::Of::bc}};

int block_named(std::string_view name, const BlockNames& blocks) {
  std::vector<std::string> known;
  for (const NamedBlock& block : blocks) {
    if (block.name == name) return static_cast<int>(known.size());
    known.push_back(block.name);
  }
  throw Error(quoted(name), " is not a block here: there are ", joined(known));
}

AxisOf rows_of(const TensorFacts& facts) {
  return facts.rows == extents::Nk || facts.rows == extents::Np ? AxisOf::keys : AxisOf::queries;
}
AxisOf cols_of(const TensorFacts& facts) {
  if (facts.in_parts) return AxisOf::keys;
  return facts.cols == extents::d ? AxisOf::width : facts.cols == extents::dv ? AxisOf::width_of_v : AxisOf::keys;
}

bool is_width(AxisOf axis) { return axis == AxisOf::width || axis == AxisOf::width_of_v; }

/// Checks that the blocks are on the axes of the tensor; those of the other width are right where both are equal.
void check_axes(Place& place, const BlockNames& blocks) {
  const TensorFacts& facts = facts_of(place.tensor);
  const auto check = [&](int index, AxisOf needed, std::string_view what) {
    if (index < 0) return;
    const NamedBlock& block = blocks[static_cast<std::size_t>(index)];
    place.of_other_width = is_width(needed) && is_width(block.axis) && needed != block.axis;
    require(block.axis == needed || place.of_other_width, block.name, " is a block of ", name_of(block.axis), ", but ",
            facts.name, " has ", name_of(needed), " in its ", what);
  };
  check(place.rows, rows_of(facts), "rows");
  check(place.cols, place.shape == Place::Shape::part ? AxisOf::keys : cols_of(facts), "columns");
  require(place.cols < 0 || facts.in_parts || !is_per_row(place.tensor), facts.name,
          " has one number a row: ", facts.name, "[b]");
}

/// Reads "Q[b0]", "S[row,b0]", "O_part.part[b0,col]" and "O.all".
Place read_place(std::string_view word, const BlockNames& blocks) {
  Place place;
  const std::size_t open = std::min(word.find('['), word.size());
  std::string_view name = word.substr(0, open);
  if (word.ends_with(".all")) return {tensor_named(word.substr(0, word.size() - 4), true)};
  const bool of_part = name.ends_with(".part");
  if (of_part) name.remove_suffix(5);
  place.tensor = tensor_named(name, true);
  require(place.tensor != Tensor::slopes, "slopes has one number a head: slopes.all");
  require(word.ends_with(']'), quoted(word), " has no ]");
  const std::vector<std::string_view> inside = split(word.substr(open + 1, word.size() - open - 2), ",");
  require(inside.size() <= 2 && (!of_part || inside.size() == 2), quoted(word), " names ", inside.size(),
          " blocks: Q[b], Q[b,b] or O_part.part[b,b]");
  place.rows = block_named(inside[0], blocks);
  if (inside.size() == 2) place.cols = block_named(inside[1], blocks);
  place.shape = of_part ? Place::Shape::part : inside.size() == 2 ? Place::Shape::tile : Place::Shape::rows;
  require(!of_part || is_in_parts(place.tensor), name_of(place.tensor), " has no parts");
  check_axes(place, blocks);
  require(of_part || !is_in_parts(place.tensor), name_of(place.tensor), " is in parts: ", name_of(place.tensor),
          ".part[b,b]");
  return place;
}

ReadOperand read_value(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [word, of] : value_names) {
    if (word == name) return {Value{of}, of == Value::Of::scale ? OperandKind::number : OperandKind::extent};
    known.emplace_back(word);
  }
  throw Error(unknown_name_message("value", name, known));
}

ReadOperand read_number(std::string_view word) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (word == "inf") return {Number{infinity}, OperandKind::number};
  if (word == "-inf") return {Number{-infinity}, OperandKind::number};
  char* end = nullptr;
  const std::string digits(word);
  const float number = std::strtof(digits.c_str(), &end);
  const bool plain = digits.find_first_not_of("0123456789+-.eE") == std::string::npos;
  require(plain && *end == '\0' && std::abs(number) < infinity, quoted(word),
          " is not an operand: a register, a block, a tensor, $value, number or none");
  return {Number{number}, OperandKind::number};
}

bool is_block(std::string_view word) {
  return word == "row" || word == "col" ||
         (word.size() > 1 && word[0] == 'b' && std::all_of(word.begin() + 1, word.end(), is_digit));
}

}  // namespace

std::string_view name_of(AxisOf axis) {
  constexpr std::string_view names[] = {"queries", "keys", "columns of d", "columns of dv", "heads"};
  return names[static_cast<std::size_t>(axis)];
}

Tensor tensor_named(std::string_view name, bool in_hbm) {
  std::vector<std::string> known;
  for (const Tensor tensor : in_hbm ? hbm_tensors() : all_tensors()) {
    if (name_of(tensor) == name) return tensor;
    known.emplace_back(name_of(tensor));
  }
  throw Error(unknown_name_message("tensor", name, known));
}

int register_number(std::string_view word) {
  if (word.size() < 2 || word[0] != 'r' || !std::all_of(word.begin() + 1, word.end(), is_digit)) return -1;
  int number = 0;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), number);
  require(error == std::errc{} && number < most_registers, quoted(word), ": a body has at most ", most_registers,
          " registers, r0 to r", most_registers - 1);
  return number;
}

ReadOperand read_operand(std::string_view word, const BlockNames& blocks) {
  if (word == "none") return {Register{}, OperandKind::nothing};
  if (const int number = register_number(word); number >= 0) return {Register{number}, OperandKind::nothing, true};
  if (is_block(word)) return {BlockName{block_named(word, blocks)}, OperandKind::block};
  if (word.starts_with('@')) return {Like{tensor_named(word.substr(1), true)}, OperandKind::like};
  if (word.starts_with(':')) return {Name{tensor_named(word.substr(1), false)}, OperandKind::name};
  if (word.starts_with('$')) return read_value(word.substr(1));
  if (word.ends_with(".all") || word.find('[') != std::string_view::npos)
    return {read_place(word, blocks), OperandKind::place};
  return read_number(word);
}

}  // namespace sim::recorded
