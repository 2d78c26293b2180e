#include "viz/terminal/help.h"

#include <unistd.h>

#include <algorithm>

#include "sim/base/text.h"
#include "viz/terminal/command.h"
#include "viz/terminal/terminal_width.h"

namespace terminal {
namespace {

constexpr std::size_t option_column = 30, command_column = 14, columns_of_pipe = 100;

std::vector<std::string> words_of(const sim::ScenarioOption& option) {
  return option.words != nullptr ? option.words() : std::vector<std::string>();
}

/// Row of a command's own option; if a scenario option has the same name, its values are listed.
HelpRow row_of(const CommandOption& option) {
  const sim::ScenarioOption* const namesake = sim::find_option(option.name);
  const bool listed = !option.choices.empty() || namesake == nullptr;
  return {"--" + option.name, option.values, option.help, listed ? option.choices : words_of(*namesake),
          option.repeatable};
}

HelpRow row_of(const sim::ScenarioOption& option) {
  return {"--" + std::string(option.name), std::string(option.values), std::string(option.help), words_of(option)};
}

/// Splits a text into unbreakable parts. `separators` end a part and belong to it.
std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size() - 1) + 1;
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return parts;
}

/// Writes words one after another, breaking lines as needed.
class Wrapping {
 public:
  Wrapping(std::size_t columns, std::size_t indent, std::size_t used)
      : columns_(std::max(columns, indent + 1)), indent_(indent), used_(used) {}

  void add(std::string_view word) {
    if (used_ + blank_ + word.size() <= columns_) return write(word);
    if (indent_ + word.size() > columns_) {
      for (const std::string_view part : parts_of(word, "|,;")) add_part(part);
      return;
    }
    break_line();
    write(word);
  }
  void break_line() {
    text_ += "\n" + std::string(indent_, ' ');
    used_ = indent_;
    blank_ = 0;
  }
  const std::string& text() const { return text_; }

 private:
  void write(std::string_view word) {
    text_.append(blank_, ' ').append(word);
    used_ += blank_ + word.size();
    blank_ = 1;
  }
  void add_part(std::string_view part) {
    if (used_ + blank_ + part.size() > columns_ && used_ > indent_) break_line();
    write(part);
    blank_ = 0;
  }

  std::string text_;
  std::size_t columns_, indent_, used_, blank_ = 0;
};

/// A row of two columns; the second is wrapped next to the first, or below it if the first is too long.
std::string row_text(const std::string& left, std::string_view right, std::size_t second, std::size_t columns) {
  std::string text = "  " + wrapped(left, columns, 6, 2);
  std::size_t used = text.size() - (text.rfind('\n') + 1);
  if (used + 1 > second || text.find('\n') != std::string::npos) {
    text += "\n";
    used = 0;
  }
  return text + std::string(second - used, ' ') + wrapped(right, columns, second, second) + "\n";
}

std::string section_text(const HelpSection& section, std::size_t columns) {
  std::string text = "\n" + section.title + ":\n";
  for (const HelpRow& row : section.rows) text += row_text(row.usage(), as_typed(row.help), option_column, columns);
  return text;
}

/// An example command, broken between words by backslashes as shells accept it; a quoted text is one word.
std::string example_text(const std::string& command, std::size_t columns) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : command) {
    quoted = quoted != (c == '\'');
    if (c == ' ' && !quoted) words.emplace_back();
    if (c != ' ' || quoted) words.back() += c;
  }
  std::string text = "Example:";
  std::size_t used = text.size();
  for (const std::string& word : words) {
    // One blank before it, one blank and a backslash after it.
    const bool fits = &word == &words.front() || used + word.size() + 3 <= columns;
    text += fits ? " " : " \\\n  ";
    used = (fits ? used + 1 : 2) + word.size();
    text += word;
  }
  return text + "\n";
}

}  // namespace

std::string HelpRow::usage() const { return name + (values.empty() ? "" : " " + values) + (repeatable ? " ..." : ""); }

std::vector<HelpSection> help_sections(const CommandSyntax& syntax) {
  std::vector<HelpSection> sections;
  if (!syntax.word.name.empty())
    sections.push_back(
        {"Arguments", {{syntax.word.name, "", syntax.word.help, syntax.word.choices, syntax.word.repeatable}}});
  sections.push_back({"Options", {{std::string(help_option), "", "print this help", {}}}});
  for (const CommandOption& option : syntax.own) sections.back().rows.push_back(row_of(option));
  if (syntax.common) {
    for (const CommandOption& option : common_options()) sections.back().rows.push_back(row_of(option));
  }
  if (!syntax.scenario) return sections;
  sections.push_back({std::string(scenario_title), {}});
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (syntax.one_algorithm || option.name != "algorithm") sections.back().rows.push_back(row_of(option));
  }
  return sections;
}

std::string usage_of(const CommandSyntax& syntax) {
  const auto optional = [](const CommandOption& word) {
    return word.name.empty() ? "" : " [" + word.name + (word.repeatable ? " ...]" : "]");
  };
  return "flashscope " + syntax.name + " [OPTIONS]" + optional(syntax.word) +
         (syntax.behind.name.empty() ? "" : " [-- " + syntax.behind.values + "]");
}

std::string help_text(const CommandSyntax& syntax, std::size_t columns) {
  std::string text =
      wrapped(syntax.summary, columns) + "\n" + wrapped("Usage: " + as_typed(usage_of(syntax)), columns, 2) + "\n";
  for (const HelpSection& section : help_sections(syntax)) text += section_text(section, columns);
  if (!syntax.example.empty()) text += "\n" + example_text(as_typed(syntax.example), columns);
  if (!syntax.note.empty()) text += wrapped(as_typed(syntax.note), columns) + "\n";
  return text;
}

std::string overview_text(std::size_t columns) {
  std::string text =
      wrapped(program_summary, columns) + as_typed("\n\nUsage: flashscope COMMAND [OPTIONS]\n\nCommands:\n");
  for (const Command& command : commands()) {
    const CommandSyntax syntax = command.syntax();
    text += row_text(syntax.name, syntax.summary, command_column, columns);
  }
  const std::string more = as_typed(
      "flashscope COMMAND --help lists the options, flashscope --version (-V) prints the version.\nBegin with: "
      "flashscope demo\n");
  return text + "\n" + wrapped(more + std::string(exit_codes), columns) + "\n";
}

std::size_t help_columns() {
  const std::size_t columns = terminal_columns(STDOUT_FILENO);
  return columns == 0 ? columns_of_pipe : columns;
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent, std::size_t used) {
  Wrapping wrapping(columns, indent, used);
  bool first = true;
  for (const std::string_view line : sim::split(text, "\n")) {
    if (!std::exchange(first, false)) wrapping.break_line();
    for (const std::string_view word : sim::split(line, " ")) {
      if (!word.empty()) wrapping.add(word);
    }
  }
  return wrapping.text();
}

}  // namespace terminal
