// Help of commands as rows, the source of --help, the manual page and shell completions.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "viz/terminal/arguments.h"

namespace terminal {

/// An option, or a positional word.
struct HelpRow {
  std::string name;                ///< "--format", "-h,--help", "OUT.png"
  std::string values;              ///< its argument; empty: a flag, or a word
  std::string help;                ///< its effect, with the default in brackets
  std::vector<std::string> words;  ///< possible values, if they can be listed
  bool repeatable = false;         ///< may be given more than once

  std::string usage() const;  ///< "--over NAME=VALUES ..."
};

/// Rows under a title.
struct HelpSection {
  std::string title;
  std::vector<HelpRow> rows;
};

inline constexpr std::string_view scenario_title = "Scenario", help_option = "-h,--help";

/// Sections of a command: its word, its options, those of a scenario.
std::vector<HelpSection> help_sections(const CommandSyntax& syntax);

/// Usage line of a command: "flashscope screenshot [OPTIONS] [OUT.png]".
std::string usage_of(const CommandSyntax& syntax);

/// The help of a command in lines of at most `columns` characters, except for longer words. Hints name the program as
/// the user typed it.
std::string help_text(const CommandSyntax& syntax, std::size_t columns);

/// The list of all commands, with the same line length.
std::string overview_text(std::size_t columns);

inline constexpr std::string_view program_summary =
    "FlashScope replays attention algorithms tile by tile on a model of a GPU and counts every byte they move.";
inline constexpr std::string_view exit_codes =
    "Exit codes: 0 done; 1 a check failed; 2 wrong usage or input; 3 something is missing here; 130 Ctrl-C.";

/// Width of the terminal on standard output, at least 40; 100 if it is not a terminal.
std::size_t help_columns();

/// Wraps text at `columns` characters; longer words break after one of |,;. The first line already has `used`
/// characters, the others begin with `indent` blanks. Line breaks of the text are kept.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent = 0, std::size_t used = 0);

}  // namespace terminal
