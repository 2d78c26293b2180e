#include "sim/programs/recorded/read_code.h"

#include <algorithm>
#include <charconv>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/programs/recorded/read_operand.h"
#include "sim/trace/tensors.h"

namespace sim::recorded {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::size_t most_operands = 6;

Words words_of(std::string_view line) {
  Words words;
  for (const std::string_view word : split(line, " ")) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

/// Content of a register while the code is parsed.
struct Holds {
  OperandKind kind = OperandKind::nothing;
  std::size_t scope = 0;  ///< number of open loop bodies where it was made
};

std::string_view word_of(OperandKind kind) {
  constexpr std::string_view words[] = {"none",     "a tile in SMEM", "a tile in registers",
                                        "a vector", "a block",        "a place in HBM",
                                        "a tensor", "a name",         "a number",
                                        "an extent"};
  return words[static_cast<std::size_t>(kind)];
}

class CodeReader {
 public:
  CodeReader(std::string_view code, const CodeRules& rules) : rest_(code), rules_(rules) {}

  Body read() {
    Body body;
    try {
      read_ops(body.all);
      require(words_.empty(), "end has no turn or loop to end");
    } catch (const Error& error) {
      throw Error(rules_.where, "code line ", number_, ": ", error);
    }
    body.registers = static_cast<int>(held_.size());
    return body;
  }

 private:
  /// Advances to the next line that is not blank; words_ is empty at the end of the code.
  void next() {
    words_.clear();
    while (words_.empty() && !rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      words_ = words_of(trimmed(rest_.substr(0, end), " \r\t"));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
    }
  }

  bool at(std::string_view word) const { return !words_.empty() && words_.front() == word; }

  /// Reads lines up to the `end` of a loop body, or the end of the code. Registers made in it end with it.
  void read_ops(Turn& turn) {
    for (next(); !words_.empty() && !at("end"); next()) {
      if (at("carry")) {
        read_carry(turn);
      } else {
        require(turn.carries.empty(), "a carry is followed by the end of its turn");
        read_op(turn);
      }
    }
    for (const int made : turn.made) held_[static_cast<std::size_t>(made)] = {};
  }

  void read_op(Turn& turn) {
    require(*rules_.ops_left > 0, "a file has at most ", most_ops, " lines of code");
    --*rules_.ops_left;
    Op op;
    std::size_t word = 0;
    if (!at("free")) op.line = read_line_number(words_[word++]);
    require(word < words_.size(), "there is no verb after the line");
    if (words_[word] == "loop") return read_loop(std::move(op), turn);
    if (word + 1 < words_.size() && words_[word + 1] == "=") {
      op.result = register_number(words_[word]);
      require(op.result >= 0, quoted(words_[word]), " is not a register: r0, r1, ...");
      word += 2;
      require(word < words_.size(), "there is no verb after =");
    }
    read_verb(op, word);
    require(op.verb->loop == nullptr, op.verb->name, " is a loop: LINE loop bN ", op.verb->name);
    if (op.result >= 0) make(op, turn);
    turn.ops.push_back(std::move(op));
  }

  int read_line_number(std::string_view word) const {
    int line = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), line);
    require(error == std::errc{} && end == word.data() + word.size() && line >= 1 && line <= rules_.source_lines,
            quoted(word), " is not a line of the source, which has ", rules_.source_lines);
    return line;
  }

  /// Finds the verb of this name that takes these operands.
  void read_verb(Op& op, std::size_t word) {
    const std::string_view name = words_[word];
    std::vector<ReadOperand> operands;
    for (++word; word < words_.size(); ++word) operands.push_back(read_operand(words_[word], blocks_));
    require(operands.size() <= most_operands, quoted(name), " has ", operands.size(), " operands, no verb more than ",
            most_operands);
    for (ReadOperand& operand : operands) {
      if (operand.is_register) operand.kind = kind_of(std::get<Register>(operand.operand).index);
    }
    op.verb = &find_verb(name, operands);
    require(op.verb->makes != OperandKind::nothing || op.result < 0, name, " makes nothing: leave out the register");
    require(op.verb->makes == OperandKind::nothing || op.result >= 0, name, " makes ", word_of(op.verb->makes),
            ": write rN = ", name);
    for (std::size_t n = 0; n < operands.size(); ++n) {
      if (op.verb->parameters[n].ends) take_over(std::get<Register>(operands[n].operand).index);
      if (const auto* place = std::get_if<Place>(&operands[n].operand)) check_place(*place, op.verb->writes);
      if (const auto* block = std::get_if<BlockName>(&operands[n].operand)) check_axis(*op.verb, n, *block);
      op.operands.push_back(operands[n].operand);
    }
  }

  static bool takes(const Verb& verb, const std::vector<ReadOperand>& operands) {
    return std::equal(verb.parameters.begin(), verb.parameters.end(), operands.begin(), operands.end(),
                      [](const Parameter& parameter, const ReadOperand& operand) {
                        return (parameter.kinds & bit(operand.kind)) != 0;
                      });
  }

  static const Verb& find_verb(std::string_view name, const std::vector<ReadOperand>& operands) {
    std::string takes_these;
    std::vector<std::string> names;
    for (const Verb& verb : verbs()) {
      if (verb.name == name && takes(verb, operands)) return verb;
      if (std::find(names.begin(), names.end(), verb.name) == names.end()) names.emplace_back(verb.name);
      if (verb.name != name) continue;
      std::vector<std::string_view> words;
      for (const Parameter& parameter : verb.parameters) words.push_back(parameter.word);
      takes_these += (takes_these.empty() ? "" : "; or ") + (words.empty() ? "nothing" : joined(words));
    }
    if (takes_these.empty()) throw Error(unknown_name_message("verb", name, names));
    std::vector<std::string_view> given;
    for (const ReadOperand& operand : operands) given.push_back(word_of(operand.kind));
    throw Error(name, " takes ", takes_these, "; not ", given.empty() ? "nothing" : joined(given));
  }

  OperandKind kind_of(int index) const {
    const auto at = static_cast<std::size_t>(index);
    require(at < held_.size() && held_[at].kind != OperandKind::nothing, "r", index,
            " holds nothing here: it was not made, or has ended");
    return held_[at].kind;
  }

  /// Ends a register that a verb takes over. Values made outside a loop must survive its iterations.
  void take_over(int index) {
    Holds& held = held_[static_cast<std::size_t>(index)];
    require(held.kind != OperandKind::nothing, "r", index, " is taken over twice");
    require(held.scope == open_turns_, "r", index, " was made before the loop: a turn cannot end it");
    held = {};
  }

  void check_place(const Place& place, bool written) const {
    const Kernel& k = *rules_.kernel;
    const auto in = [&](const std::vector<Tensor>& tensors) {
      return std::find(tensors.begin(), tensors.end(), place.tensor) != tensors.end();
    };
    require(!written || in(k.outputs) || in(k.scratch), name_of(place.tensor),
            " is written, but is not among the outputs and scratch of the kernel");
    const bool given = place.tensor == Tensor::slopes || place.tensor == Tensor::block_table;
    require(written || given || in(k.inputs) || in(k.outputs) || in(k.scratch), name_of(place.tensor),
            " is read, but is not among the inputs, outputs and scratch of the kernel");
  }

  void check_axis(const Verb& verb, std::size_t n, const BlockName& given) const {
    const NamedBlock& block = blocks_[static_cast<std::size_t>(given.index)];
    const Parameter& parameter = verb.parameters[n];
    require(parameter.axis.value_or(block.axis) == block.axis, verb.name, " takes ", parameter.word, ", but ",
            block.name, " is one of ", name_of(block.axis));
  }

  void make(const Op& op, Turn& turn) {
    const auto at = static_cast<std::size_t>(op.result);
    if (held_.size() <= at) held_.resize(at + 1);
    require(held_[at].kind == OperandKind::nothing, "r", op.result, " is still held: take another register");
    held_[at] = {op.verb->makes, open_turns_};
    turn.made.push_back(op.result);
  }

  void read_carry(Turn& turn) {
    require(open_turns_ > 0, "a carry belongs to a turn of a loop");
    require(words_.size() == 3, "a carry is: carry rTO rFROM");
    Carry carry{register_number(words_[1]), register_number(words_[2])};
    require(carry.to >= 0 && carry.from >= 0, "a carry is: carry rTO rFROM");
    require(kind_of(carry.to) == OperandKind::vector && kind_of(carry.from) == OperandKind::vector,
            "only vectors go from turn to turn: a tile ends with its turn");
    require(held_[static_cast<std::size_t>(carry.to)].scope < open_turns_, "r", carry.to,
            " was made in this turn: a carry goes to a vector of before the loop");
    turn.carries.push_back(carry);
  }

  void read_loop(Op op, Turn& turn) {
    require(words_.size() >= 4, "a loop is: LINE loop bN VERB ARG...");
    require(blocks_.size() < 2 + most_loops, "a body has at most ", most_loops, " loops in each other");
    const std::string block(words_[2]);
    require(block.size() > 1 && block[0] == 'b' && std::all_of(block.begin() + 1, block.end(), is_digit), quoted(block),
            " is not a block of a loop: b0, b1, ...");
    const bool taken =
        std::any_of(blocks_.begin(), blocks_.end(), [&](const auto& other) { return other.name == block; });
    require(!taken, block, " is the block of a loop around");
    read_verb(op, 3);
    require(op.verb->loop != nullptr, op.verb->name, " is not a loop");
    op.block = static_cast<int>(blocks_.size());
    blocks_.push_back({block, axis_of(op)});
    ++open_turns_;
    read_turns(op);
    --open_turns_;
    blocks_.pop_back();
    turn.ops.push_back(std::move(op));
  }

  /// Axis of a loop.
  static AxisOf axis_of(const Op& loop) {
    const std::string_view name = loop.verb->name;
    if (name == "query_heads") return AxisOf::heads;
    if (name != "chunks") return name.find("key_blocks") == std::string_view::npos ? AxisOf::queries : AxisOf::keys;
    const Value::Of extent = std::get<Value>(loop.operands[0]).of;
    if (extent == Value::Of::keys) return AxisOf::keys;
    if (extent == Value::Of::head_dim_v) return AxisOf::width_of_v;
    require(extent == Value::Of::head_dim, "chunks are of $keys, $head_dim or $head_dim_v");
    return AxisOf::width;
  }

  void read_turns(Op& op) {
    std::array<bool, 4> there{};
    for (next(); !at("end"); next()) {
      require(at("turn"), words_.empty() ? "the code ends inside a loop" : "a loop has turns: turn 00 01 10 11");
      require(words_.size() > 1, "turn 00 01 10 11: masked and last, 1 if true");
      for (std::size_t n = 1; n < words_.size(); ++n) {
        const std::size_t kind = kind_of_turn(words_[n]);
        require(!std::exchange(there[kind], true), "turn ", words_[n], " occurs twice");
        op.turn_of[kind] = static_cast<std::uint8_t>(op.turns.size());
      }
      Turn turn;
      read_ops(turn);
      require(at("end"), "the code ends inside a turn");
      op.turns.push_back(std::move(turn));
    }
    for (std::size_t kind = 0; kind < 4; ++kind)
      require(there[kind], "turn ", kind / 2, kind % 2, " of the loop is missing");
  }

  static std::size_t kind_of_turn(std::string_view word) {
    const bool known = word.size() == 2 && word.find_first_not_of("01") == std::string_view::npos;
    require(known, quoted(word), " is not a kind of turn: 00, 01, 10 or 11, for masked and last");
    return 2 * static_cast<std::size_t>(word[0] - '0') + static_cast<std::size_t>(word[1] - '0');
  }

  std::string_view rest_;
  const CodeRules& rules_;
  Words words_;
  int number_ = 0;
  BlockNames blocks_{{"row", AxisOf::queries}, {"col", AxisOf::keys}};
  std::size_t open_turns_ = 0;
  std::vector<Holds> held_;
};

}  // namespace

Body read_code(std::string_view code, const CodeRules& rules) { return CodeReader(code, rules).read(); }

}  // namespace sim::recorded
