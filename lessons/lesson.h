// A lesson: steps that each show a scenario, what they claim of its runs, and what they ask. Read from lesson.toml; the
// words stand beside it in en.md and zh.md (page.h). README.md tells how to write one.
//
//   lesson  = scenario + steps                    all runs of a step change the lesson's scenario a little
//   step    = words + claims + questions          and where in the run one looks (cursor.h)
//   answers = formulas over the runs (facts.h)    nothing that a learner sees is typed in
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lessons {

/// A run that a step compares its own with: the step's scenario with these keys changed, "algorithm=standard&br=4".
struct Other {
  std::string name, scenario;
};

/// A moment of a run that means the same on every GPU: a line, and the blocks that it works on.
struct Address {
  std::string kernel;                ///< "flash1_forward"
  std::string cta = "0,0,0,0";       ///< batch, head, row block, column block
  std::string line;                  ///< its equation as the listing has it: "O = (alpha l O + beta PV)/l'"
  std::optional<std::int64_t> i, j;  ///< blocks of queries and of keys, from 0; none: there is but one
  bool begin = false;                ///< before the line, not after it
};

enum class QuestionKind { number, choice, tile, order, until, formula };
std::string_view name_of(QuestionKind kind);

/// A wrong answer that is expected, and the key of the words that say why it is wrong.
struct Wrong {
  std::string when, why;
};

/// An answer to choose, which is the right one where its claim holds.
struct Choice {
  std::string name, when;
};

struct Question {
  std::string text;  ///< the key of its words
  QuestionKind kind = QuestionKind::number;
  bool retrieval = false;  ///< asks for something of an earlier lesson
  std::string answer;      ///< number: "FORMULA | UNIT"; tile: "ROW BLOCK, COLUMN BLOCK"; formula: what it must equal
  double tolerance = 0;    ///< of a number: a part of the right answer
  std::vector<Wrong> wrong;
  std::vector<Choice> choices;
  std::vector<std::string> lines;  ///< order: equations, those of another kernel after its name: "softmax: P_i"
  std::string kernel;              ///< of the lines without a name
  std::vector<std::string> over;   ///< formula: scenarios in which it must hold as well

  std::string solution;  ///< formula and until: an answer that is right
  int tries = 0;         ///< wrong answers before the solution is shown; a goal is tried until it is reached

  // until: the learner changes options until a claim holds.
  std::vector<std::string> change;  ///< the options; all else is locked
  std::string until, score, par;    ///< claim; formula of what is to be small; the best there is
  int line = 0;                     ///< of lesson.toml
};

struct Step {
  std::string name;      ///< as in the headings of the words
  std::string scenario;  ///< what it changes of the lesson's
  std::vector<Other> others;
  std::vector<Other> vary;  ///< as the lesson's, of this step alone
  std::vector<Other> drag;  ///< options that the learner drags in it, each with its stops: "1024, 2048"
  std::string look;         ///< the keys of the explorer's link that are no scenario: "tab=memory"
  std::string point;        ///< the panel that it points at: "matrix"
  std::optional<Address> at;
  std::optional<std::int64_t> from;  ///< its clip begins there and ends at the moment it shows: cycles; of a race µs
  std::vector<std::string> claims;   ///< "time.microseconds < standard time.microseconds", see facts.h
  std::string myth;                  ///< where the myth that it checks was read; empty for none
  std::string makes;                 ///< what the learner makes in it; empty for nothing
  std::vector<Question> questions;   ///< in the order of the file, goals behind the others
  int line = 0;                      ///< of lesson.toml
};

struct Lesson {
  std::string id;  ///< "07-flash1-by-hand"
  int version = 1, minutes = 0;
  int tries = 2;  ///< of its questions that do not say otherwise
  std::vector<std::string> needs, introduces, sources;
  std::string scenario;
  std::vector<Other> others;  ///< of every step
  std::vector<Other> vary;    ///< options with the values that students may get: "512, 1024"; see variation.h
  std::vector<Step> steps;

  std::string_view number() const { return std::string_view(id).substr(0, 2); }
};

/// What a reader of files says: which file, which line (0: none), what is wrong.
std::string at_line(std::string_view file, int line, std::string_view what);

/// Reads lesson.toml. `file` is for errors: sim::Error with file and line for what is no TOML, an unknown key, a wrong
/// type, a missing or doubled name, more than 40 steps, 20 questions a step, or 256 KiB.
Lesson read_lesson(std::string_view toml, const std::string& file);

}  // namespace lessons
