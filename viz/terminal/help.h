// The help of commands as rows: what --help prints, the manual page and the completions of shells are made of them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "viz/terminal/arguments.h"

namespace terminal {

/// An option, or a word that stands without one.
struct HelpRow {
  std::string name;                ///< "--format", "-h,--help", "OUT.png"
  std::string values;              ///< what it takes; empty: a flag, or a word
  std::string help;                ///< what it does, with the default in brackets
  std::vector<std::string> words;  ///< what may be typed, as far as that is a list
  bool repeatable = false;         ///< may be given more than once

  std::string usage() const;  ///< "--over NAME=VALUES ..."
};

/// Rows under a title.
struct HelpSection {
  std::string title;
  std::vector<HelpRow> rows;
};

inline constexpr std::string_view scenario_title = "Scenario", help_option = "-h,--help";

/// The sections of a command: its word, its options, those of a scenario.
std::vector<HelpSection> help_sections(const CommandSyntax& syntax);

/// "flashscope screenshot [OPTIONS] [OUT.png]"
std::string usage_of(const CommandSyntax& syntax);

/// The help of a command in lines of at most so many characters, but for words that are longer. Hints name what the
/// person typed.
std::string help_text(const CommandSyntax& syntax, std::size_t columns);

/// The list of all commands, in the same way.
std::string overview_text(std::size_t columns);

inline constexpr std::string_view program_summary =
    "FlashScope replays attention algorithms tile by tile on a model of a GPU and counts every byte they move.";
inline constexpr std::string_view exit_codes =
    "Exit codes: 0 done; 1 a check failed; 2 wrong usage or input; 3 something is missing here; 130 Ctrl-C.";

/// The width of the terminal that standard output is, at least 40; 100 where it is none.
std::size_t help_columns();

/// Words in lines of at most so many characters; a word breaks behind one of |,; where it is longer. The first line
/// has `used` characters already, the others begin with `indent` blanks. A line break of the text stays one.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent = 0, std::size_t used = 0);

}  // namespace terminal
