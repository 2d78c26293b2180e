// A lesson: steps that each show a scenario, what they claim of its runs, and what they ask. Read from lesson.toml; the
// text is in en.md and zh.md next to it (page.h). README.md explains how to write one.
//
//   lesson  = scenario + steps                    each run of a step changes some options of the lesson's scenario
//   step    = text + claims + questions           and a moment of the run to show (cursor.h)
//   answers = formulas over the runs (facts.h)    no number that a learner sees is hard-coded
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lessons {

/// A run to compare the step's with: its name, and the changed keys of the step's scenario, "algorithm=standard&br=4".
struct Other {
  std::string name, scenario;
};

/// A formula with a name, see names.h.
struct Name {
  std::string name, formula;
  int line = 0;       ///< line number in lesson.toml
  bool used = false;  ///< in a formula of the lesson or of a text that was read with it
};

/// A moment of a run that has the same meaning on every GPU: a line, and the blocks that it works on.
struct Address {
  std::string kernel;                ///< "flash1_forward"
  std::string cta = "0,0,0,0";       ///< batch, head, row block, column block
  std::string line;                  ///< its equation in the listing: "O = (alpha l O + beta PV)/l'"
  std::optional<std::int64_t> i, j;  ///< blocks of queries and of keys, from 0; empty if there is only one
  bool begin = false;                ///< before the line, not after it
};

enum class QuestionKind { number, choice, tile, order, until, formula };
std::string_view name_of(QuestionKind kind);

/// An anticipated wrong answer, and the key of the text that explains why it is wrong.
struct Wrong {
  std::string when, why;
};

/// An option of a multiple-choice question; it is right if its claim holds.
struct Choice {
  std::string name, when;
};

struct Question {
  std::string text;  ///< key of its text
  QuestionKind kind = QuestionKind::number;
  bool retrieval = false;  ///< asks about something from an earlier lesson
  std::string answer;      ///< number: "FORMULA | UNIT"; tile: "ROW BLOCK, COLUMN BLOCK"; formula: what it must equal
  double tolerance = 0;    ///< for a number: allowed relative error
  std::vector<Wrong> wrong;
  std::vector<Choice> choices;
  std::vector<std::string> lines;  ///< order: equations, prefixed by the name of another kernel: "softmax: P_i"
  std::string kernel;              ///< kernel of the lines without a prefix
  std::vector<std::string> over;   ///< formula: scenarios in which it must hold as well

  std::string solution;  ///< formula and until: a correct answer
  int tries = 0;         ///< wrong answers before the solution is shown; goals allow any number

  // until: the learner changes options until a claim holds.
  std::vector<std::string> change;  ///< the options that may change; the others are locked
  std::string until, score, par;    ///< claim; formula to minimise; its best known value
  int line = 0;                     ///< line number in lesson.toml
};

struct Step {
  std::string name;      ///< name in the headings of the text
  std::string scenario;  ///< changes to the lesson's scenario
  std::vector<Other> others;
  std::vector<Name> names;
  std::vector<Other> vary;  ///< as Lesson::vary, for this step only
  std::vector<Other> drag;  ///< options that the learner drags in it, each with its stops: "1024, 2048"
  std::string look;         ///< keys of the explorer's link that are not scenario options: "tab=memory"
  std::string point;        ///< the panel that it points at: "matrix"
  std::optional<Address> at;
  std::optional<std::int64_t> from;  ///< start of its clip, which ends at the moment shown: cycles, or µs in a race
  std::vector<std::string> claims;   ///< "time.microseconds < standard time.microseconds", see facts.h
  std::string myth;                  ///< source of the myth that it checks; empty if there is none
  std::string meters;                ///< "papers", "levels" if claims set tile traffic against HBM traffic; else empty
  std::string makes;                 ///< product that the learner makes in it; empty if there is none
  std::vector<Question> questions;   ///< in the order of the file, except that goals come last
  int line = 0;                      ///< line number in lesson.toml
};

struct Lesson {
  std::string id;  ///< "07-flash1-by-hand"
  int version = 1, minutes = 0;
  int tries = 2;  ///< default for its questions
  std::vector<std::string> needs, introduces, sources;
  std::string scenario;
  std::vector<Other> others;  ///< runs to compare in every step
  std::vector<Name> names;    ///< of formulas, in the order of the file
  std::vector<Other> vary;    ///< options with the values that students may get: "512, 1024"; see variation.h
  std::vector<Step> steps;

  std::string_view number() const { return std::string_view(id).substr(0, 2); }
};

/// Returns a step by its name or number, from 1. Throws sim::Error that names the nearest.
Step& step_called(Lesson& lesson, const std::string& name);

/// Prefix and text of an error in a file: file, line (omitted if 0), message.
std::string at_line(std::string_view file, int line, std::string_view what);

/// Reads lesson.toml. `file` is for errors: sim::Error with file and line for invalid TOML, an unknown key, a wrong
/// type, a missing or duplicate name, more than 40 steps, 20 questions in a step, or 256 KiB.
Lesson read_lesson(std::string_view toml, const std::string& file);

}  // namespace lessons
