// Operands of a line of code: r4, b0, Q[b0], @O, :alpha, $scale, -inf.
#pragma once
#include "sim/programs/recorded/verbs.h"

namespace sim::recorded {

/// Operand that a word of code names, and its kind; the caller knows those of registers.
struct ReadOperand {
  Operand operand;
  Kind kind = Kind::nothing;
  bool is_register = false;
};

/// The blocks that there are: row, col, those of the loops around. Their places are those of BlockName.
struct NamedBlock {
  std::string name;
  AxisOf axis;
};
using BlockNames = std::vector<NamedBlock>;

/// Throws Error without place: what is wrong with the word.
ReadOperand read_operand(std::string_view word, const BlockNames& blocks);

/// "r12" -> 12; -1 for anything else.
int register_number(std::string_view word);

/// The tensor of a name. Throws Error with the nearest one.
Tensor tensor_named(std::string_view name, bool in_hbm);

}  // namespace sim::recorded
