// Parses the Python source of a recorded program: functions, and the kind of each of their lines.
#include <algorithm>

#include "sim/base/text.h"
#include "sim/trace/line_comment.h"
#include "viz/model/listing/equation.h"
#include "viz/model/listing/listing.h"

namespace explorer {
namespace {

using Kind = ListingLine::Kind;

/// A line of the file: its text without indentation.
struct PythonLine {
  std::size_t indent = 0;
  std::string_view text;  ///< empty for a blank line
};

std::vector<PythonLine> python_lines(std::string_view source) {
  std::vector<PythonLine> lines;
  for (const std::string_view line : sim::split(source, "\n")) {
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    lines.push_back({indent, sim::trimmed(line, " \t\r")});
  }
  return lines;
}

/// Lines [first, last] of the body of a function, counted from 1.
struct PythonFunction {
  std::size_t first = 0, last = 0;
};

std::vector<PythonFunction> python_functions(const std::vector<PythonLine>& lines) {
  std::vector<PythonFunction> functions;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (!lines[n].text.starts_with("def ")) continue;
    PythonFunction function{n + 2, n + 1};
    while (function.last < lines.size() &&
           (lines[function.last].text.empty() || lines[function.last].indent > lines[n].indent))
      ++function.last;
    while (function.last > n + 1 && lines[function.last - 1].text.empty()) --function.last;
    functions.push_back(function);
  }
  return functions;
}

void set_words(ListingLine& line, const std::string& words) {
  line.equation = words_markup(words);
  line.typeset = true;
}

/// Reads "for j in cta.key_blocks(i):" with "column blocks".
void read_loop(ListingLine& line, const std::string& words) {
  line.kind = Kind::loop;
  const std::string_view head = std::string_view(line.code).substr(4);
  const std::string variable(head.substr(0, head.find(" in ")));
  if (!words.empty()) set_words(line, "for " + variable + " in " + words);
}

void read_condition(ListingLine& line, std::string_view condition, const std::string& words) {
  line.kind = Kind::condition;
  line.equation = "if " + std::string(condition);
  if (!words.empty()) set_words(line, "if " + words);
}

/// Reads a verb. A comment that only names a tile belongs to a load, a store or a draw.
void read_verb(ListingLine& line, std::string_view verb, const std::string& said) {
  line.kind = Kind::verb;
  if (said.empty()) return;
  const bool named = said.find(" = ") == std::string::npos;
  const std::string_view word = !named                          ? ""
                                : verb.starts_with("load")      ? "load "
                                : verb.starts_with("store")     ? "store "
                                : verb.starts_with("keep_mask") ? "draw "
                                                                : "";
  line.equation = std::string(word) + equation_markup(said);
  line.typeset = true;
}

bool names_place(std::string_view code) {
  return code.find("cta.row()") != std::string_view::npos || code.find("cta.col()") != std::string_view::npos;
}

void read_statement(ListingLine& line, std::string_view code, const std::string& said) {
  const std::size_t verb = code.find("cta.");
  if (names_place(code)) {
    if (said.empty()) return;
    line.kind = Kind::place;
    set_words(line, std::string(sim::trimmed(code.substr(0, code.find('=')))) + " ← " + said);
  } else if (verb != std::string_view::npos) {
    read_verb(line, code.substr(verb + 4), said);
  } else if (said.find(" = ") != std::string::npos) {
    line.kind = Kind::step;
    line.equation = equation_markup(said);
    line.typeset = true;
  }
}

ListingLine read_line(std::string_view text) {
  ListingLine line;
  std::string_view code = sim::trimmed(text.substr(0, sim::comment_at(text)));
  if (text.starts_with('#')) code = text;
  const sim::LineComment comment = sim::comment_of(text);
  line.code = line.equation = code;
  line.shape = comment.shape;
  line.reference = comment.reference;
  const std::size_t colon = code.find(": ");
  if (code.starts_with("for ")) {
    read_loop(line, comment.equation);
  } else if (code.starts_with("if ") && code.ends_with(':')) {
    read_condition(line, code.substr(3, code.size() - 4), comment.equation);
  } else if (code == "else:") {
    line.kind = Kind::condition;
    set_words(line, "else");
  } else if (code.starts_with("if ") && colon != std::string_view::npos) {
    line.condition = code.substr(3, colon - 3);
    read_statement(line, code.substr(colon + 2), comment.equation);
  } else {
    read_statement(line, code, comment.equation);
  }
  return line;
}

}  // namespace

std::vector<ListingLine> read_python_body(std::string_view source, const std::vector<int>& used) {
  const std::vector<PythonLine> lines = python_lines(source);
  std::vector<ListingLine> read;
  std::size_t done = 0;  // last line read: a nested function is already included
  for (const PythonFunction& f : python_functions(lines)) {
    const bool runs = std::any_of(used.begin(), used.end(), [&](int n) {
      return static_cast<std::size_t>(n) >= f.first && static_cast<std::size_t>(n) <= f.last;
    });
    if (!runs || f.first <= done) continue;
    done = f.last;
    std::vector<std::size_t> indents;  // indents of the enclosing lines
    for (std::size_t n = f.first; n <= f.last; ++n) {
      const PythonLine& line = lines[n - 1];
      if (line.text.empty()) continue;
      while (!indents.empty() && indents.back() >= line.indent) indents.pop_back();
      read.push_back(read_line(line.text));
      read.back().number = static_cast<int>(n);
      read.back().depth = static_cast<int>(indents.size());
      if (read.back().code.ends_with(':')) indents.push_back(line.indent);
    }
  }
  return read;
}

}  // namespace explorer
