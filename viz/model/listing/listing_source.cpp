// Parses the source of a program: functions, the lines of a body, and the kind of each line.
#include <algorithm>
#include <set>

#include "sim/trace/line_comment.h"
#include "viz/model/listing/equation.h"
#include "viz/model/listing/listing.h"

namespace explorer {
namespace {

using Kind = ListingLine::Kind;

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }
bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}
bool is_name_character(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// The text between two markers; empty unless both occur.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + before.size());
  const std::size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

/// The name at the end of a text: "RegTile S" -> "S".
std::string_view last_name(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && is_name_character(text[begin - 1])) --begin;
  return text.substr(begin);
}

/// The contents of the bracket at the start of a text: "(a(b)) c" -> "a(b)".
std::string_view in_bracket(std::string_view text) {
  int open = 0;
  for (std::size_t n = 0; n < text.size(); ++n) {
    if (text[n] == '(') ++open;
    if (text[n] == ')' && --open == 0) return text.substr(1, n - 1);
  }
  return {};
}

/// A function of the file: lines [first, last] are its body, counted from 1.
struct Function {
  std::string name;
  int first = 0, last = 0;
};

std::vector<std::string_view> lines_of(std::string_view source) {
  std::vector<std::string_view> lines;
  while (!source.empty()) {
    const std::size_t end = source.find('\n');
    lines.push_back(source.substr(0, end));
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
  }
  return lines;
}

/// Finds functions: they begin and end at the left edge, as clang-format leaves them.
std::vector<Function> functions_of(const std::vector<std::string_view>& lines) {
  std::vector<Function> functions;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view line = lines[n];
    const std::size_t open = line.find('(');
    if (line.empty() || !is_name_character(line[0]) || open == std::string_view::npos || !ends_with(line, "{"))
      continue;
    Function function{std::string(last_name(line.substr(0, open))), static_cast<int>(n) + 2, 0};
    while (n < lines.size() && lines[n] != "}") ++n;
    function.last = static_cast<int>(n);
    functions.push_back(std::move(function));
  }
  return functions;
}

class BodyReader {
 public:
  BodyReader(std::vector<std::string_view> lines, std::vector<Function> functions)
      : lines_(std::move(lines)), functions_(std::move(functions)) {}

  /// Reads the used functions: first those that no other function calls, each with its callees inlined.
  std::vector<ListingLine> read(const std::vector<int>& used) {
    std::vector<const Function*> entries;
    for (const Function& f : functions_) {
      const bool runs = std::any_of(used.begin(), used.end(), [&](int n) { return n >= f.first && n <= f.last; });
      if (runs && !is_called(f)) entries.push_back(&f);
    }
    for (const Function* entry : entries) {
      inlined_.insert(entry);
      read_function(*entry, 0);
      ++entry_;
    }
    return std::move(read_);
  }

 private:
  std::string_view line(int number) const { return lines_[static_cast<std::size_t>(number - 1)]; }

  /// The function that a statement of a body calls, with the body's `cta`; a launch that passes its own is none.
  const Function* called_by(std::string_view code) const {
    for (const Function& f : functions_) {
      const std::size_t at = code.find(f.name + "(cta, ");
      if (at != std::string_view::npos && (at == 0 || !is_name_character(code[at - 1]))) return &f;
    }
    return nullptr;
  }

  bool is_called(const Function& function) const {
    return std::any_of(functions_.begin(), functions_.end(), [&](const Function& other) {
      for (int n = other.first; &other != &function && n <= other.last; ++n) {
        const std::string_view text = line(n);
        const std::size_t begin = text.find_first_not_of(' ');
        if (begin != std::string_view::npos && called_by(text.substr(begin)) == &function) return true;
      }
      return false;
    });
  }

  void read_function(const Function& function, int depth) {
    for (int n = function.first; n <= function.last; ++n) {
      const std::string_view text = line(n);
      const std::size_t indent = text.find_first_not_of(' ');
      if (indent == std::string_view::npos) continue;
      ListingLine read = read_line(text.substr(indent));
      read.number = n;
      read.depth = depth + static_cast<int>(indent) / 2 - 1;
      read.entry = entry_;
      read.called = depth > 0;
      const Function* callee = called_by(read.code);
      if (callee != nullptr) set_call(read, *callee, sim::comment_of(text).equation);
      read_.push_back(std::move(read));
      if (callee != nullptr && inlined_.insert(callee).second) read_function(*callee, read_.back().depth + 1);
    }
  }

  /// Sets the equation of a call: that of its comment, or else the name of the function.
  static void set_call(ListingLine& line, const Function& callee, const std::string& said) {
    line.kind = Kind::call;
    line.from = callee.first;
    line.to = callee.last;
    if (!said.empty()) return set_equation(line, callee.name, said);
    line.equation = callee.name;
    std::replace(line.equation.begin(), line.equation.end(), '_', ' ');
    line.typeset = true;
  }

  ListingLine read_line(std::string_view text) {
    ListingLine line;
    const std::size_t slashes = text.find("  //");
    std::string_view code = text.substr(0, slashes);
    code = code.substr(0, code.find_last_not_of(' ') + 1);
    line.code = code;
    line.equation = code;
    const sim::LineComment comment = sim::comment_of(text);
    line.shape = comment.shape;
    line.reference = comment.reference;
    if (starts_with(code, "for (")) {
      read_loop(line, comment.equation);
    } else if (starts_with(code, "if (") && ends_with(code, "{")) {
      read_condition(line, comment.equation);
    } else if (starts_with(code, "} else")) {
      line.kind = Kind::condition;
      line.equation = "else";
      line.typeset = true;
    } else {
      read_statement(line, comment.equation);
    }
    return line;
  }

  static void set_words(ListingLine& line, const std::string& words) {
    line.equation = words_markup(words);
    line.typeset = true;
  }

  static void read_loop(ListingLine& line, const std::string& words) {
    line.kind = Kind::loop;
    const std::string variable(last_name(between(line.code, "&", " :")));
    if (!words.empty() && !variable.empty()) set_words(line, "for " + variable + " in " + words);
  }

  static void read_condition(ListingLine& line, const std::string& words) {
    line.kind = Kind::condition;
    const std::string condition(in_bracket(std::string_view(line.code).substr(3)));
    line.equation = "if " + condition;
    if (!words.empty()) set_words(line, "if " + words);
  }

  void read_statement(ListingLine& line, const std::string& said) {
    std::string_view code = line.code;
    if (starts_with(code, "if (")) {
      line.condition = in_bracket(code.substr(3));
      code.remove_prefix(std::min(code.size(), line.condition.size() + 6));  // "if (" and ") "
    }
    const std::size_t verb = code.find("cta.");
    const bool equation = said.find(" = ") != std::string::npos;
    if (const std::string meets = sync_markup(code); !meets.empty()) {
      line.kind = Kind::verb;
      line.equation = meets;
      line.typeset = true;
    } else if (starts_with(code, "const Block")) {
      read_place(line, said);
    } else if (verb != std::string_view::npos && !starts_with(code, "const ")) {
      line.kind = Kind::verb;
      if (!said.empty()) set_equation(line, code.substr(verb + 4), said);
    } else if (equation) {
      line.kind = Kind::step;
      line.equation = equation_markup(said);
      line.typeset = true;
    }
  }

  /// Sets the equation. A comment that only names a tile belongs to a load, a store or a draw.
  static void set_equation(ListingLine& line, std::string_view verb, const std::string& said) {
    const bool named = said.find(" = ") == std::string::npos;
    const std::string_view word = !named                           ? ""
                                  : starts_with(verb, "load")      ? "load "
                                  : starts_with(verb, "store")     ? "store "
                                  : starts_with(verb, "keep_mask") ? "draw "
                                                                   : "";
    line.equation = std::string(word) + equation_markup(said);
    line.typeset = true;
  }

  /// Reads "const Block &i = cta.row(), &j = cta.col();" with "output tile of this CTA".
  static void read_place(ListingLine& line, const std::string& words) {
    if (words.empty()) return;
    std::string names;
    std::string_view rest = line.code;
    for (std::size_t at = rest.find('&'); at != std::string_view::npos; at = rest.find('&')) {
      rest.remove_prefix(at + 1);
      const std::size_t begin = rest.find_first_not_of(' ');
      names += (names.empty() ? "" : ", ") + std::string(last_name(rest.substr(begin, rest.find(" =") - begin)));
    }
    line.kind = Kind::place;
    set_words(line, names + " ← " + words);
  }

  std::vector<std::string_view> lines_;
  std::vector<Function> functions_;
  std::vector<ListingLine> read_;
  std::set<const Function*> inlined_;
  int entry_ = 0;
};

}  // namespace

std::vector<ListingLine> read_body(std::string_view source, const std::vector<int>& used) {
  std::vector<std::string_view> lines = lines_of(source);
  std::vector<Function> functions = functions_of(lines);
  return BodyReader(std::move(lines), std::move(functions)).read(used);
}

}  // namespace explorer
