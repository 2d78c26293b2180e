// Reasons why an answer was not understood. Their translations are in viz/words.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>

#include "sim/base/check.h"

namespace lessons {

/// Thrown if an answer was not understood. Values that are not sentences are equal in every language.
class Unclear : public sim::Error {
 public:
  template <class... Value>
  explicit Unclear(std::string_view template_of_it, const Value&... values)
      : sim::Error(sim::Sentence(template_of_it, as_value(values)...)) {}

 private:
  template <class Value>
  static sim::Sentence as_value(const Value& value) {
    if constexpr (std::is_same_v<Value, sim::Sentence>)
      return value;
    else
      return sim::Sentence::name(sim::text(value));
  }
};

/// Throws Unclear unless the condition holds.
template <class... Value>
void require_clear(bool condition, std::string_view template_of_it, const Value&... values) {
  if (!condition) throw Unclear(template_of_it, values...);
}

namespace answer_errors {

inline constexpr std::string_view nothing = /*say*/ "nothing was typed";
inline constexpr std::string_view long_answer = /*say*/ "an answer has at most {} bytes";
inline constexpr std::string_view unseen = /*say*/ "the answer holds what cannot be seen";
inline constexpr std::string_view no_number =
    /*say*/ "{} is not a number: type one, such as 2.5 or 3*1024, with or without a unit";
inline constexpr std::string_view range = /*say*/ "{} is read as a difference, {}: type one number, not a range";
inline constexpr std::string_view unit_missing = /*say*/ "{} is read as {}: type its unit as well, one of {}";
inline constexpr std::string_view no_calculation =
    /*say*/ "{} cannot be calculated: a number, a sign or a bracket is missing";
inline constexpr std::string_view too_long = /*say*/ "{} is too large or has too many digits";
inline constexpr std::string_view no_unit = /*say*/ "{} is not a unit of this number";
inline constexpr std::string_view other_unit = /*say*/ "{} is not a unit of this number: it has {}";
inline constexpr std::string_view no_name = /*say*/ "there is no {} in this formula: it may have {}";
inline constexpr std::string_view no_formula =
    /*say*/ "{} is not a formula: a name, a sign or a bracket is missing, as in 2*N*d";
inline constexpr std::string_view no_tile =
    /*say*/ "{} is not a tile: write its row block and its column block, such as 0, 1";
inline constexpr std::string_view outside =
    /*say*/ "there is no tile {}: row blocks are 0 to {}, column blocks 0 to {}";
inline constexpr std::string_view no_order =
    /*say*/ "{} is not an order: write each number from 1 to {} once, such as {} ... 1";
inline constexpr std::string_view no_option = /*say*/ "{} has no option: type it with its name, such as {}";
inline constexpr std::string_view no_value = /*say*/ "option {} has no value: type name=value";
inline constexpr std::string_view unchanged = /*say*/ "nothing was changed: change {}";
inline constexpr std::string_view locked = /*say*/ "option {} is locked here: change {}";
inline constexpr std::string_view no_choice = /*say*/ "there is no choice {}: type a number from 1 to {}";

}  // namespace answer_errors
}  // namespace lessons
