// Operands of a line of code: r4, b0, Q[b0], @O, :alpha, $scale, -inf.
#pragma once
#include "sim/programs/recorded/verbs.h"

namespace sim::recorded {

/// Operand that a word of code names, and its kind; the caller determines the kind of registers.
struct ReadOperand {
  Operand operand;
  OperandKind kind = OperandKind::nothing;
  bool is_register = false;
};

/// Blocks in scope: row, col, those of the enclosing loops, in the order of BlockName::index.
struct NamedBlock {
  std::string name;
  AxisOf axis;
};
using BlockNames = std::vector<NamedBlock>;

/// Parses a word. Throws Error with the fault of the word but without its location.
ReadOperand read_operand(std::string_view word, const BlockNames& blocks);

/// Returns 12 for "r12"; -1 for anything else.
int register_number(std::string_view word);

/// Returns the tensor of a name. Throws Error with the nearest name.
Tensor tensor_named(std::string_view name, bool in_hbm);

}  // namespace sim::recorded
