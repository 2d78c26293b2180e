// Reads lesson.toml. All allowed keys are listed here, with a reader for each kind of table.
#include <algorithm>
#include <set>

#include "lessons/lesson.h"
#include "lessons/names.h"
#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/base/toml_file.h"

namespace lessons {
namespace {

using sim::require;
using std::string;
using std::string_view;

const sim::TomlRules rules{
    "a lesson", std::size_t{256} * 1024, {"[names]", "[[step]]", "[step.names]", "[[step.question]]", "[[step.goal]]"}};
constexpr std::size_t most_steps = 40, most_questions = 20, longest_text = 2000;

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

/// One table of the file, read key by key. Keys that were never requested are errors.
class Reader {
 public:
  Reader(const toml::table& table, string what, string file)
      : table_(&table), what_(std::move(what)), file_(std::move(file)) {}

  int line() const { return line_of(*table_); }
  string where() const { return at_line(file_, line(), what_ + ": "); }

  string text(string_view key) {
    const toml::node* node = find(key);
    require(node != nullptr, where(), key, " is missing: add ", key, " = \"...\"");
    return sim::toml_text(node, key, at_line(file_, line_of(*node), ""), longest_text);
  }
  string text_or(string_view key, string otherwise) { return find(key) != nullptr ? text(key) : std::move(otherwise); }

  std::optional<std::int64_t> whole(string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    require(node->is_integer() && node->as_integer()->get() >= 0, at_line(file_, line_of(*node), key),
            " must be a whole number");
    return node->as_integer()->get();
  }

  bool flag(string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return false;
    require(node->is_boolean(), at_line(file_, line_of(*node), key), " must be true or false");
    return node->as_boolean()->get();
  }

  std::vector<string> texts(string_view key) {
    std::vector<string> all;
    each(key, [&](const toml::node& node, const string& place) {
      all.push_back(sim::toml_text(&node, key, place, longest_text));
    });
    return all;
  }

  /// Reads `key = [{...}, {...}]`, or [[step.key]].
  template <class Read>
  void tables(string_view key, const string& what, Read read) {
    each(key, [&](const toml::node& node, const string& place) {
      require(node.is_table(), place, key, " must be a list of tables");
      Reader one(*node.as_table(), what, file_);
      read(one);
      one.end();
    });
  }

  /// Reads `key = { ... }`.
  template <class Read>
  void table(string_view key, Read read) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    require(node->is_table(), at_line(file_, line_of(*node), key), " must be a table: ", key, " = { ... }");
    Reader one(*node->as_table(), string(key), file_);
    read(one);
    one.end();
  }

  /// Reads `key = { name = "...", ... }`.
  std::vector<Other> named(string_view key) {
    std::vector<Other> all;
    table(key, [&](Reader& one) {
      for (auto&& [name, node] : *one.table_) all.push_back({string(name.str()), one.text(name.str())});
    });
    return all;
  }

  /// Reads `names = { Tc = "..." }` or [names], in the order of the file.
  std::vector<Name> names() {
    std::vector<std::pair<std::pair<toml::source_index, toml::source_index>, Name>> placed;
    table("names", [&](Reader& one) {
      for (auto&& [name, node] : *one.table_) {
        const toml::source_position at = node.source().begin;
        placed.push_back({{at.line, at.column}, {string(name.str()), one.text(name.str()), line_of(node)}});
      }
    });
    std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Name> all;
    for (auto& [at, name] : placed) all.push_back(std::move(name));
    return all;
  }

  /// Throws sim::Error if the table has a key that was not requested. To be called last.
  void end() const {
    for (auto&& [key, node] : *table_) {
      if (asked_.count(key.str()) > 0) continue;
      throw sim::Error(at_line(file_, line_of(node), ""),
                       sim::unknown_name_message("key of a " + what_, key.str(), {asked_.begin(), asked_.end()}));
    }
  }

 private:
  const toml::node* find(string_view key) {
    asked_.emplace(key);
    return table_->get(key);
  }

  template <class Visit>
  void each(string_view key, Visit visit) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    require(node->is_array(), at_line(file_, line_of(*node), key), " must be a list: ", key, " = [ ... ]");
    for (const toml::node& one : *node->as_array()) visit(one, at_line(file_, line_of(one), ""));
  }

  const toml::table* table_;
  string what_, file_;
  std::set<string, std::less<>> asked_;
};

constexpr std::pair<string_view, QuestionKind> kinds[] = {
    {"number", QuestionKind::number}, {"choice", QuestionKind::choice}, {"tile", QuestionKind::tile},
    {"order", QuestionKind::order},   {"until", QuestionKind::until},   {"formula", QuestionKind::formula}};

QuestionKind kind_of(const string& name, const string& where) {
  std::vector<string> known;
  for (const auto& [word, kind] : kinds) {
    if (word == name) return kind;
    if (kind != QuestionKind::until) known.emplace_back(word);
  }
  throw sim::Error(where, sim::unknown_name_message("kind of question", name, known));
}

/// Converts "0.5 %" to 0.005.
double part_of(const string& percent, const string& where) {
  char* end = nullptr;
  const double value = std::strtod(percent.c_str(), &end);
  require(end != percent.c_str() && sim::trimmed(end) == "%" && value >= 0 && value <= 100, where, "tolerance ",
          sim::quoted(percent), " is not a percentage: \"1 %\"");
  return value / 100;
}

std::vector<Wrong> wrong_answers(Reader& reader) {
  std::vector<Wrong> all;
  reader.tables("wrong", "wrong answer", [&](Reader& one) { all.push_back({one.text("when"), one.text("why")}); });
  return all;
}

/// Reads `tries = 3`; returns `otherwise` if the table has no such key.
int read_tries(Reader& reader, int otherwise) {
  const std::int64_t tries = reader.whole("tries").value_or(otherwise);
  require(tries >= 1 && tries <= 9, reader.where(), "tries is a whole number from 1 to 9");
  return static_cast<int>(tries);
}

Question read_question(Reader& reader, const Lesson& lesson) {
  Question question;
  question.line = reader.line();
  question.text = reader.text("text");
  question.kind = kind_of(reader.text("kind"), reader.where());
  question.retrieval = reader.flag("retrieval");
  question.tolerance = part_of(reader.text_or("tolerance", "0 %"), reader.where());
  question.wrong = wrong_answers(reader);
  reader.tables("choices", "choice", [&](Reader& one) {
    question.choices.push_back({one.text("name"), one.text("when")});
  });
  question.lines = reader.texts("lines");
  question.kernel = reader.text_or("kernel", "");
  question.over = reader.texts("over");
  question.tries = read_tries(reader, lesson.tries);
  const bool one_answer = question.kind != QuestionKind::choice && question.kind != QuestionKind::order;
  if (one_answer) question.answer = reader.text("answer");
  if (question.kind == QuestionKind::formula) question.solution = reader.text("solution");
  require(question.kind != QuestionKind::choice || question.choices.size() > 1, reader.where(),
          "a choice needs at least two choices");
  require(question.kind != QuestionKind::order || question.lines.size() > 1, reader.where(),
          "an order needs at least two lines");
  return question;
}

Question read_goal(Reader& reader) {
  Question goal;
  goal.line = reader.line();
  goal.kind = QuestionKind::until;
  goal.text = reader.text("text");
  goal.change = reader.texts("change");
  goal.until = reader.text("until");
  goal.score = reader.text_or("score", "");
  goal.par = reader.text_or("par", "");
  goal.solution = reader.text("solution");
  require(!goal.change.empty(), reader.where(), "change is missing: name the options that may change");
  return goal;
}

Address read_address(Reader& reader) {
  Address at;
  at.kernel = reader.text("kernel");
  at.line = reader.text("line");
  at.cta = reader.text_or("cta", at.cta);
  at.i = reader.whole("i");
  at.j = reader.whole("j");
  const string edge = reader.text_or("edge", "end");
  require(edge == "begin" || edge == "end", reader.where(), "edge is begin or end");
  at.begin = edge == "begin";
  return at;
}

Step read_step(Reader& reader, const Lesson& lesson) {
  Step step;
  step.line = reader.line();
  step.name = reader.text("name");
  step.scenario = reader.text_or("scenario", "");
  step.others = reader.named("others");
  step.names = reader.names();
  step.vary = reader.named("vary");
  step.drag = reader.named("drag");
  step.from = reader.whole("from");
  step.look = reader.text_or("look", "");
  step.point = reader.text_or("point", "matrix");
  step.claims = reader.texts("claims");
  step.myth = reader.text_or("myth", "");
  step.makes = reader.text_or("makes", "");
  step.meters = reader.text_or("meters", "");
  require(step.meters.empty() || step.meters == "papers" || step.meters == "levels", reader.where(), "meters ",
          sim::quoted(step.meters), " is not papers or levels");
  reader.table("at", [&](Reader& at) { step.at = read_address(at); });
  reader.tables("question", "question", [&](Reader& one) { step.questions.push_back(read_question(one, lesson)); });
  reader.tables("goal", "goal", [&](Reader& one) { step.questions.push_back(read_goal(one)); });
  require(step.questions.size() <= most_questions, reader.where(), "more than ", most_questions, " questions");
  return step;
}

void check_names_of(const Lesson& lesson, const string& file) {
  std::set<string> names;
  for (const Step& step : lesson.steps) {
    require(names.insert(step.name).second, at_line(file, step.line, "step "), sim::quoted(step.name),
            " is given twice");
    std::set<string> texts;
    for (const Question& question : step.questions)
      require(texts.insert(question.text).second, at_line(file, question.line, "question "), sim::quoted(question.text),
              " is given twice in its step");
  }
}

}  // namespace

string_view name_of(QuestionKind kind) { return kinds[static_cast<std::size_t>(kind)].first; }

string at_line(string_view file, int line, string_view what) {
  return line > 0 ? sim::text(file, ":", line, ": ", what) : sim::text(file, ": ", what);
}

Lesson read_lesson(string_view text, const string& origin) {
  const string file = sim::shortened(origin, 1000);
  const toml::table root = sim::read_toml(text, file, rules);
  Reader reader(root, "lesson", file);
  Lesson lesson;
  lesson.id = reader.text("id");
  lesson.version = static_cast<int>(std::min<std::int64_t>(reader.whole("version").value_or(1), 1'000'000));
  lesson.minutes = static_cast<int>(std::min<std::int64_t>(reader.whole("minutes").value_or(0), 1000));
  lesson.tries = read_tries(reader, lesson.tries);
  lesson.needs = reader.texts("needs");
  lesson.introduces = reader.texts("introduces");
  lesson.sources = reader.texts("sources");
  lesson.scenario = reader.text_or("scenario", "");
  lesson.others = reader.named("others");
  lesson.names = reader.names();
  lesson.vary = reader.named("vary");
  reader.tables("step", "step", [&](Reader& one) { lesson.steps.push_back(read_step(one, lesson)); });
  reader.end();
  require(!lesson.steps.empty(), file, ": no steps: add [[step]]");
  require(lesson.steps.size() <= most_steps, file, ": more than ", most_steps, " steps");
  check_names_of(lesson, file);
  expand_names(lesson, file);
  return lesson;
}

}  // namespace lessons
