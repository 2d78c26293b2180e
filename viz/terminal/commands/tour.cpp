// flashscope tour: the guided tour of the explorer in the terminal.
#include "sim/base/printable.h"
#include "sim/catalogue/options.h"
#include "sim/report/line_breaks.h"
#include "viz/terminal/command.h"
#include "viz/terminal/request.h"
#include "viz/tour/page.h"

namespace terminal {
namespace {

constexpr float columns = 100;

explorer::Language language_of(const Arguments& arguments) {
  return arguments.value("lang", "en") == "zh" ? explorer::Language::zh : explorer::Language::en;
}

/// Columns of a terminal: Chinese characters take two.
float width_of(std::string_view text) {
  float width = 0;
  while (!text.empty()) {
    const sim::Character character = sim::first_character(text);
    text.remove_prefix(character.size);
    const char32_t c = character.code;
    width += c >= 0x2E80 && c < 0x10000 ? 2 : 1;
  }
  return width;
}

/// Equations as typed: Q_i K_j^T and e^(m - m') need neither braces nor backslashes.
std::string typed(std::string_view markup) {
  std::string text;
  for (const char c : markup) {
    if (c == '{') text += '(';
    if (c == '}') text += ')';
    if (c != '{' && c != '}' && c != '\\') text += c;
  }
  return text;
}

std::string in_lines(const std::string& text) {
  std::string result;
  for (const std::string_view line : report::break_lines(text, columns, width_of)) result += std::string(line) + "\n";
  return result;
}

/// One below the other.
std::string equation_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(tour::between_equations));
    text.remove_prefix(std::min(text.size(), one.size() + tour::between_equations.size()));
    result += sim::text("    ", typed(one), "\n");
  }
  return result;
}

std::string step_text(std::size_t n, explorer::Language language) {
  const tour::Step& step = tour::steps()[n];
  const tour::Page page = tour::filled_page(language, n, tour::facts_of(step, find_gpu));
  std::string text = sim::text(n + 1, "/", tour::steps().size(), "  ", page.title, "\n");
  for (const tour::Block& block : page.blocks)
    text += "\n" + (block.equations ? equation_lines(block.text) : in_lines(typed(block.text)));
  return text +
         as_typed(sim::text("\nflashscope explore --link \"", step.link, "&overlay=tour&tour-step=", n + 1, "\"\n"));
}

std::string list(explorer::Language language) {
  std::string text;
  for (std::size_t n = 0; n < tour::steps().size(); ++n)
    text += sim::text(n < 9 ? " " : "", n + 1, "  ", tour::written_page(language, n).title, "\n");
  return text;
}

}  // namespace

int run_tour(const Arguments& arguments) {
  const explorer::Language language = language_of(arguments);
  const auto steps = static_cast<std::int64_t>(tour::steps().size());
  if (arguments.find("list")) {
    print(list(language));
    return exit_done;
  }
  const auto one = arguments.find("step");
  const std::int64_t first = one ? sim::parse_whole_number("step", *one, 1, steps) : 1;
  for (std::int64_t n = first; n <= (one ? first : steps); ++n)
    print((n > first ? "\n\n" : "") + step_text(static_cast<std::size_t>(n - 1), language));
  return exit_done;
}

}  // namespace terminal
