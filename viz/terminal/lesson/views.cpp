#include "viz/terminal/lesson/views.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/report/numbers.h"

namespace terminal {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using std::string;

/// True if an open question is about a quantity, which is then covered.
bool is_asked(const StepPage& step, std::string_view path, const std::set<string>& answered) {
  const auto names = [&](const string& formula) { return formula.find(path) != string::npos; };
  return std::any_of(step.step().questions.begin(), step.step().questions.end(), [&](const Question& question) {
    const auto& choices = question.choices;
    const bool in_choice =
        std::any_of(choices.begin(), choices.end(), [&](const lessons::Choice& choice) { return names(choice.when); });
    return answered.count(question.text) == 0 && (names(question.answer) || names(question.until) || in_choice);
  });
}

/// Table of bytes per tensor across the SRAM boundary, and derived values. A sum with a covered part is covered too.
string traffic_table(const StepPage& step, const PageStyle& style, const std::set<string>& answered) {
  const lessons::Facts& facts = step.scene.facts();
  report::Table table({say(style.language, "tile traffic"), "B"});
  bool covered = is_asked(step, "tile_traffic.total", answered) || is_asked(step, "tile_traffic.matrix", answered);
  const bool all = covered;
  const auto row = [&](const string& name, const string& path, bool hidden) {
    covered |= hidden;
    table.row({name, hidden ? "?" : report::thousands(std::llround(facts.value(path)))});
  };
  for (const auto& [tensor, traffic] : step.scene.run().totals.by_tensor) {
    if (traffic.total().count() == 0) continue;
    const string name(sim::name_of(tensor)), path = "tile_traffic.by_tensor." + name;
    row("  " + name, path, all || is_asked(step, path, answered));
  }
  row(say(style.language, "all tensors"), "tile_traffic.total", covered);
  table.rule();
  row(say(style.language, "HBM traffic"), "hbm_traffic", is_asked(step, "hbm_traffic", answered));
  return fitted(table, style.columns) +
         (covered ? "? " + say(style.language, "covered until it is answered") + "\n" : "");
}

/// Numbers that answer open questions, as written.
std::set<string> asked_numbers(const StepPage& step, const std::set<string>& answered) {
  std::set<string> numbers;
  for (const Question& question : step.step().questions) {
    if (question.kind != QuestionKind::number || answered.count(question.text) > 0) continue;
    numbers.insert(lessons::written(step.scene.facts().quantity(question.answer).value, "number"));
  }
  return numbers;
}

/// True if an open question asks for a tensor on the chip: its values, or a choice between some.
bool is_tensor_asked(const StepPage& step, const string& tensor, const std::set<string>& answered) {
  const string path = sim::text("here.", tensor, ".");
  const auto& questions = step.step().questions;
  return std::any_of(questions.begin(), questions.end(), [&](const Question& question) {
    const auto& choices = question.choices;
    const bool chosen = std::any_of(choices.begin(), choices.end(),
                                    [&](const lessons::Choice& choice) { return choice.when.starts_with(path); });
    return answered.count(question.text) == 0 && (question.answer.starts_with(path) || chosen);
  });
}

/// Table of the values that a CTA has on chip at the cursor, for runs small enough to follow: a column per tensor.
string values_table(const StepPage& step, const PageStyle& style, const std::set<string>& answered) {
  using Json = nlohmann::ordered_json;
  const Json here = step.scene.facts().run("")->value("here", Json::object());
  if (here.empty()) return "";
  const std::set<string> asked = asked_numbers(step, answered);
  std::vector<string> head = {say(style.language, "row")};
  std::size_t rows = 0;
  for (const auto& [tensor, values] : here.items()) {
    head.push_back(tensor);
    rows = std::max(rows, values.size());
  }
  bool covered = false;
  const auto cell = [&](const string& tensor, const Json& value) {
    const double number = value.is_number() ? value.get<double>() : -INFINITY;
    const string text = std::isfinite(number) ? lessons::written(number, "number") : "−∞";
    const bool hidden = asked.count(text) > 0 || is_tensor_asked(step, tensor, answered);
    covered |= hidden;
    return hidden ? string("?") : text;
  };
  report::Table table(head);
  for (std::size_t n = 0; n < rows; ++n) {
    std::vector<string> line = {std::to_string(n)};
    for (const auto& [tensor, values] : here.items()) {
      const Json row = values.value(std::to_string(n), Json());
      string text = row.is_object() || row.is_null() ? "" : cell(tensor, row);
      if (row.is_object())
        for (const Json& value : row) text += (text.empty() ? "" : "  ") + cell(tensor, value);
      line.push_back(text);
    }
    table.row(line);
  }
  return "\n" + fitted(table, style.columns) +
         (covered ? "? " + say(style.language, "covered until it is answered") + "\n" : "");
}

/// The first, the current and the last row blocks; all if there are few.
std::vector<std::int64_t> shown_rows(std::int64_t rows, std::int64_t current) {
  constexpr std::int64_t few = 8;
  std::vector<std::int64_t> shown;
  for (std::int64_t i = 0; i < std::min(rows, few); ++i) shown.push_back(i);
  if (rows <= few) return shown;
  shown = {0, 1, current - 1, current, current + 1, rows - 1};
  std::erase_if(shown, [&](std::int64_t i) { return i < 0 || i >= rows; });
  std::sort(shown.begin(), shown.end());
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  return shown;
}

/// The tiles of S at the cursor: done, current and to do. In a narrow terminal a character covers several tiles.
string tile_picture(const StepPage& step, const PageStyle& style) {
  const sim::Problem& problem = step.scene.run().plan.problem;
  const std::int64_t rows = sim::ceil_div(problem.shape.seqlen_q, problem.tiling.br);
  const std::int64_t cols = sim::ceil_div(problem.shape.seqlen_k, problem.tiling.bc);
  const auto& cursor = step.scene.cursor();
  if (!cursor || cursor->i < 0 || cursor->j < 0) return "";
  constexpr std::int64_t margin = 16;  // "    Q 1000 |" and "|"
  const std::int64_t at_once = sim::ceil_div(cols, style.columns - margin);
  const sim::GridShape& grid = step.scene.run().plan.launches[cursor->kernel].grid;
  const bool columns_outside = grid.of_heads() && !grid.by_kv_head();
  const auto order = [&](std::int64_t i, std::int64_t j) { return columns_outside ? j * rows + i : i * cols + j; };
  const auto line = [&](std::int64_t i) {
    const string number = std::to_string(i), widest = std::to_string(rows - 1);
    string text = "    Q " + string(widest.size() - number.size(), ' ') + number + " |";
    for (std::int64_t j = 0; j < cols; j += at_once) {
      const std::int64_t last = std::min(j + at_once, cols) - 1;
      const bool here = i == cursor->i && j <= cursor->j && cursor->j <= last;
      text += here && !cursor->finished ? '@' : here || order(i, last) < order(cursor->i, cursor->j) ? '#' : '.';
    }
    return text + "|\n";
  };
  string text = "\n";
  std::int64_t next = 0;
  for (const std::int64_t i : shown_rows(rows, cursor->i)) {
    if (i > next) text += sim::text("    : ", i - next, " ", say(style.language, "more rows"), "\n");
    text += line(i);
    next = i + 1;
  }
  const auto tiles = static_cast<std::size_t>(at_once);
  return text + in_lines(say(style.language, "tiles of S: # done  @ current  . to do"), style.columns, "    ") +
         (tiles == 1 ? ""
                     : in_lines(say(style.language, "a character is {} tiles of a row", tiles), style.columns, "    "));
}

}  // namespace

string views_text(const StepPage& step, const PageStyle& style, const std::set<string>& answered) {
  const string& point = step.step().point;
  string text = tile_picture(step, style) + values_table(step, style, answered);
  if (point == "counters" || point == "memory") text += "\n" + traffic_table(step, style, answered);
  return text;
}

}  // namespace terminal
