// Marks answers from the run. A wrong answer gets the reason written for it if it was anticipated, else one diagnosed
// from its ratio to the right answer.
#pragma once
#include <string>
#include <vector>

#include "lessons/page.h"
#include "lessons/scene.h"
#include "sim/base/sentence.h"

namespace lessons {

/// `error` and `reason` are sentences with values, for words::translate().
struct Verdict {
  bool understood = true;  ///< if false, the answer does not count as a try, and `error` explains why
  bool right = false;
  sim::Sentence error;
  std::string given, expected;  ///< formatted; `given` shows how the answer was read
  std::string why;              ///< key of the text about an anticipated wrong answer; empty if the answer is not one
  sim::Sentence reason;         ///< why a wrong answer is wrong that was not anticipated; empty if no cause is known
  double ratio = 0;             ///< given number over the right one; 0 if there is none
  double score = 0, par = 0;    ///< for a goal: the value to minimise, and its best known value; 0 if there is none
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Marks a learner's answer, in ASCII or in the full-width characters of a Chinese keyboard:
///   number   "4.4 GB", "4,456,448", "3*1024", with or without a unit; "1/e" if it has none; a share also as "0.25"
///   choice   the name of a choice, or its number from 1
///   tile     "0, 1": row block, column block
///   order    the numbers of the lines as shown, from 1: "3 1 2"
///   until    the options that were changed: "br=96&bc=16"; spaces also separate them
///   formula  "(2+3*Tc)*N*d*e", "(2 + 3 T_c) N d e", "4N²"
/// Throws sim::Error only if the lesson itself is wrong. Reads at most 4,096 bytes.
Verdict mark(const Lesson& lesson, const Step& step, const Question& question, const Scene& scene,
             std::string_view answer);

/// Returns an answer that mark() accepts as right, as a learner would type it.
std::string right_answer(const Question& question, const Scene& scene);
/// Returns an answer that makes an anticipated mistake.
std::string wrong_answer(const Question& question, const Wrong& wrong, const Scene& scene);

/// Returns the order in which the lines of an order question are shown, as indices in Question::lines. Never the file's
/// order.
std::vector<std::size_t> shown_order(const Question& question);

/// Returns the choice whose claim holds. Throws sim::Error unless exactly one does.
const Choice& right_choice(const Question& question, const Facts& facts);

/// A tile of the attention matrix: row block and column block, from 0.
struct TilePlace {
  std::int64_t i, j;
  bool operator==(const TilePlace&) const = default;
};
/// Parses "0, 1", "(0, 1)" or "0 1". Throws sim::Error for other texts.
TilePlace typed_tile(std::string_view answer);

/// A typed number in a unit.
///
/// An answer may be rounded to three digits or more: 4.46 MB, 9.13e9. A whole number is exact up to four digits: 130 is
/// not 131, and 3,720 not 3,718. With five digits or more its last zeros may be rounded ones: 307,000 is 307,200.
struct TypedNumber {
  double value = 0;
  std::size_t digits = 0;  ///< without zeros in front, and without those that may be rounded; 0 for a calculation
  double half_digit = 0;   ///< half a unit in the last of them
  bool with_unit = false;  ///< its unit was typed
};
/// Returns the likeliest reading. Throws sim::Error that explains what was not understood.
TypedNumber read_number(std::string_view typed, std::string_view unit);

}  // namespace lessons
