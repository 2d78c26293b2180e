#include "viz/panels/why/formula.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "sim/base/text.h"
#include "sim/report/numbers.h"
#include "viz/ui/rich_text.h"
#include "viz/words/words.h"

namespace explorer {
namespace {

constexpr std::string_view values_begin = "   with ", dot = " · ";

/// Number with commas between thousands, if it is whole.
std::string grouped(std::string_view number) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool whole = error == std::errc{} && end == number.data() + number.size();
  return whole ? report::thousands(value) : std::string(number);
}

bool is_number(std::string_view word) { return !word.empty() && word.front() >= '0' && word.front() <= '9'; }

/// Markup of "B batch entries; Rq query rows", with symbols as in the equations.
std::string glossary(std::string_view text) {
  std::string out;
  for (const std::string_view entry : sim::split(text, "; ")) {
    const std::size_t end = std::min(entry.find(' '), entry.size());
    if (!out.empty()) out += "; ";
    out += symbol_markup(entry.substr(0, end)) + ui::escaped(entry.substr(end));
  }
  return out;
}

/// Reads "B = 1, H = 1, e = 2 = 4096" into values by symbol; returns the result, which follows the last.
std::string read_values(std::string_view text, std::map<std::string_view, std::string_view>& values) {
  std::string result;
  for (const std::string_view pair : sim::split(text, ", ")) {
    const std::vector<std::string_view> parts = sim::split(pair, " = ");
    if (parts.size() > 1) values[parts[0]] = parts[1];
    if (parts.size() > 2) result = grouped(parts[2]);
  }
  return result;
}

FormulaLine product(std::string_view heading, std::string_view equation, std::string_view with) {
  FormulaLine line;
  line.heading = heading;
  std::map<std::string_view, std::string_view> values;
  const std::string result = read_values(with, values);
  for (const std::string_view factor : sim::split(equation, " ")) {
    if (!line.equation.empty()) {
      line.equation += dot;
      line.filled += dot;
    }
    const auto value = values.find(factor);
    line.equation += symbol_markup(factor);
    line.filled += grouped(value == values.end() ? factor : value->second);
  }
  if (!result.empty()) line.filled += " = " + result;
  return line;
}

}  // namespace

std::string symbol_markup(std::string_view symbol) {
  if (symbol.size() != 2 || is_number(symbol)) return ui::escaped(symbol);
  return std::string(symbol.substr(0, 1)) + "_" + std::string(symbol.substr(1));
}

FormulaLine read_formula(const sim::Sentence& line, Language language) {
  constexpr std::string_view where = "where ";
  if (line.words().starts_with(where)) {
    const sim::Sentence symbols = line.values().empty() ? line.words().substr(where.size()) : line.values().front();
    return {{}, glossary(words::translate(language, symbols)), {}, true};
  }
  const std::string said = words::translate(language, line);
  const std::string_view text = said;
  const std::size_t with = text.find(values_begin);
  if (with == std::string_view::npos) {
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    return {{}, ui::escaped(text.substr(first)), {}, true};
  }
  const std::string_view before = text.substr(0, with);
  const std::size_t colon = before.rfind(": ");
  const bool headed = colon != std::string_view::npos;
  return product(headed ? before.substr(0, colon) : std::string_view(), headed ? before.substr(colon + 2) : before,
                 text.substr(with + values_begin.size()));
}

}  // namespace explorer
