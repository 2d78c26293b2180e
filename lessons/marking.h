// Marking an answer: by the run, with the reason for each wrong answer that was expected, and by its ratio to the right
// one for the others.
#pragma once
#include <string>
#include <vector>

#include "lessons/page.h"
#include "lessons/scene.h"

namespace lessons {

/// What a ratio to the right number says; `none`: nothing is guessed.
enum class Diagnosis { none, twice, half, elements, heads, batch, one_head, binary, term };

/// English sentence for what a ratio says, for words::say; empty for `none` and `term`.
std::string_view sentence_of(Diagnosis diagnosis);

struct Verdict {
  bool understood = true;  ///< false: it costs nothing, `complaint` says what was not understood
  bool right = false;
  std::string complaint, complaint_zh;
  std::string given, expected;  ///< as people read them; the answer as it was read
  std::string why;              ///< the key of the words of an anticipated wrong answer; empty for none
  Diagnosis diagnosis = Diagnosis::none;
  std::string term;           ///< of Diagnosis::term: what is missing, "tile_traffic.by_tensor.O"
  double ratio = 0;           ///< of a number to the right one; 0 for none
  double score = 0, par = 0;  ///< of a goal: what is to be small, and the best there is; 0 for none

  const std::string& complaint_in(Language language) const {
    return language == Language::zh ? complaint_zh : complaint;
  }
};

/// Marks what a learner typed, in ASCII or in the wide signs of a Chinese keyboard:
///   number   "4.4 GB", "4,456,448", "3*1024", with or without a unit
///   choice   the name of a choice, or its place from 1
///   tile     "0, 1": row block, column block
///   order    the places of the lines as shown, from 1: "3 1 2"
///   until    the options that were changed: "br=96&bc=16"; blanks separate as well
///   formula  "(2+3*Tc)*N*d*e"
/// Throws sim::Error only where the lesson itself is wrong. At most 4,096 bytes are read.
Verdict mark(const Lesson& lesson, const Step& step, const Question& question, const Scene& scene,
             std::string_view answer);

/// True if a question needs nothing more after its last answer, of which `wrong` were wrong.
bool is_over(const Question& question, const Verdict& last, int wrong);

/// An answer that mark() takes for right, as a learner would type it.
std::string right_answer(const Question& question, const Scene& scene);
/// The answer that leads to an anticipated mistake.
std::string wrong_answer(const Question& question, const Wrong& wrong, const Scene& scene);

/// The lines of an order question as they are shown: places in Question::lines. Never the order of the file.
std::vector<std::size_t> shown_order(const Question& question);

/// The choice that holds. Throws sim::Error unless it is exactly one.
const Choice& right_choice(const Question& question, const Facts& facts);

/// A tile of the attention matrix: row block and column block, from 0.
struct TilePlace {
  std::int64_t i, j;
  bool operator==(const TilePlace&) const = default;
};
/// "0, 1", "(0, 1)" or "0 1". Throws sim::Error for what is no tile.
TilePlace typed_tile(std::string_view answer);

/// A typed number in a unit: its value, half of the last digit that was typed where there are three or more, and
/// whether the unit was typed.
struct TypedNumber {
  double value = 0, half_digit = 0;
  bool with_unit = false;
};
/// Throws sim::Error that says what was not understood.
TypedNumber read_number(std::string_view typed, std::string_view unit);

}  // namespace lessons
