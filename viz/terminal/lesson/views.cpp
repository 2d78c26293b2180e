#include "viz/terminal/lesson/views.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "lessons/covered.h"
#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/report/numbers.h"

namespace terminal {
namespace {

using std::string;

/// Returns the quantities that the open questions of a step ask for.
lessons::Quantities asked_now(const StepPage& step, const std::set<string>& answered) {
  lessons::Quantities all;
  for (const lessons::Question& question : step.step().questions) {
    if (answered.count(question.text) > 0) continue;
    for (string& path : asked_quantities(step.written->lesson, step.step(), question, step.scene))
      all.push_back(std::move(path));
  }
  return all;
}

/// True if a count is the number that an open question of the step asks for, whatever it counts.
bool is_answer(const StepPage& step, const std::set<string>& answered, double count) {
  const auto& questions = step.step().questions;
  return count >= 1000 && std::any_of(questions.begin(), questions.end(), [&](const lessons::Question& question) {
           return question.kind == lessons::QuestionKind::number && answered.count(question.text) == 0 &&
                  step.scene.facts().quantity(question.answer).value == count;
         });
}

string cover_note(bool covered, const PageStyle& style) {
  return covered ? "? " + say(style.language, "covered until it is answered") + "\n" : "";
}

/// Table of bytes per tensor across the SRAM boundary, and derived values. A sum with a covered part is covered too.
string traffic_table(const StepPage& step, const PageStyle& style, const std::set<string>& answered) {
  const lessons::Facts& facts = step.scene.facts();
  const lessons::Quantities asked = asked_now(step, answered);
  const auto is_asked = [&](std::string_view path) { return lessons::is_among(asked, path); };
  report::Table table({say(style.language, "tile traffic"), "B"});
  const bool all = is_asked("tile_traffic.total") || is_asked("tile_traffic.matrix");
  bool covered = all;
  const auto row = [&](const string& name, const string& path, bool asked_for) {
    const double count = facts.value(path);
    const bool hidden = asked_for || is_answer(step, answered, count);
    covered |= hidden;
    table.row({name, hidden ? "?" : report::thousands(std::llround(count))});
  };
  for (const auto& [tensor, traffic] : step.scene.run().totals.by_tensor) {
    if (traffic.total().count() == 0) continue;
    const string name(sim::name_of(tensor)), path = "tile_traffic.by_tensor." + name;
    row("  " + name, path, all || is_asked(path));
  }
  row(say(style.language, "all tensors"), "tile_traffic.total", covered);
  table.rule();
  row(say(style.language, "HBM traffic"), "hbm_traffic", is_asked("hbm_traffic"));
  return fitted(table, style.columns) + cover_note(covered, style);
}

/// A table of values, or, if it is too wide, each row as "K: 1  0", "V: 2  1" and so on, several in a line.
string values_text(const report::Table& table, const PageStyle& style) {
  if (table.columns() <= static_cast<std::size_t>(style.columns)) return table.text();
  const auto& rows = table.rows();
  string text;
  for (std::size_t r = 2; r < rows.size(); ++r) {
    if (rows[r].empty()) continue;
    std::vector<string> pieces = {rows.front()[0] + " " + rows[r][0]};
    for (std::size_t c = 1; c < rows[r].size(); ++c)
      if (!rows[r][c].empty()) pieces.push_back(rows.front()[c] + ": " + rows[r][c]);
    text += in_row(pieces, style.columns);
  }
  return text;
}

/// Table of the values that a CTA has on chip at the cursor, for runs small enough to follow: a column per tensor.
string values_table(const StepPage& step, const PageStyle& style, const std::set<string>& answered) {
  using Json = nlohmann::ordered_json;
  const Json here = step.scene.facts().run("")->value("here", Json::object());
  if (here.empty() || !lessons::has_few_values(step.scene.run().plan.problem)) return "";
  const lessons::Quantities asked = asked_now(step, answered);
  std::vector<string> head = {say(style.language, "row")};
  std::size_t rows = 0;
  for (const auto& [tensor, values] : here.items()) {
    head.push_back(tensor);
    rows = std::max(rows, values.size());
  }
  bool covered = false;
  const auto cell = [&](const string& path, const Json& value) {
    const bool hidden = lessons::is_among(asked, path);
    covered |= hidden;
    const double number = value.is_number() ? value.get<double>() : -INFINITY;
    return hidden ? string("?") : std::isfinite(number) ? lessons::written(number, "number") : "−∞";
  };
  report::Table table(head);
  for (std::size_t n = 0; n < rows; ++n) {
    const string number = std::to_string(n);
    std::vector<string> line = {number};
    for (const auto& [tensor, values] : here.items()) {
      const Json row = values.value(number, Json());
      const string path = sim::text("here.", tensor, ".", number);
      string text = row.is_object() || row.is_null() ? "" : cell(path, row);
      if (row.is_object())
        for (const auto& [col, value] : row.items())
          text += (text.empty() ? "" : "  ") + cell(sim::text(path, ".", col), value);
      line.push_back(text);
    }
    table.row(line);
  }
  return "\n" + values_text(table, style) + cover_note(covered, style);
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
