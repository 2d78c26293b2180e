// Arguments of one command: scenario options plus its own, read with CLI11.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "viz/results/axes.h"

namespace terminal {

/// An option of one command besides the scenario options.
struct CommandOption {
  std::string name, values, help;    ///< values empty: a flag
  std::vector<std::string> choices;  ///< empty: any value
  bool repeatable = false;           ///< may be given more than once
};

/// Syntax of a command: its options and words.
struct CommandSyntax {
  std::string name, summary;
  bool scenario = false;  ///< takes the scenario options
  std::vector<CommandOption> own;
  std::string example;
  bool one_algorithm = true;  ///< false: --algorithm is rejected with a hint and not in the help
  CommandOption word{};       ///< positional word; none if it has no name
  std::string note{};         ///< sentence below the example
  CommandOption behind{};     ///< all words after "--", unchanged; if it has no name, "--" is an ordinary word
  bool common = true;         ///< takes the common options; false: the launcher reads the words
};

/// Options that every command takes: --color.
const std::vector<CommandOption>& common_options();

struct Arguments {
  sim::OptionValues scenario;
  std::map<std::string, std::string> own;
  std::map<std::string, std::string> common;                 ///< no effect on results; command_text() omits them
  std::map<std::string, std::vector<std::string>> repeated;  ///< the values of repeatable options, in order
  bool help = false;                                         ///< print the help instead of running
  bool version = false;                                      ///< -V: print the version instead of running
  std::string program;                                       ///< name of the program loaded by --program
  std::vector<std::string> notes;                            ///< substitutions of names that were made
  std::string value(const std::string& name, const std::string& otherwise) const;
  std::optional<std::string> find(const std::string& name) const;
};

/// Parses `words`. Throws sim::Error that names the word and the nearest or all allowed ones; also for an option given
/// twice, or without its value.
Arguments parse(const CommandSyntax& syntax, const std::vector<std::string>& words);

/// The axes of --over, in order; empty for commands without it. Throws sim::Error for one without "=".
results::TypedAxes axes_of(const Arguments& arguments);

/// The command with the options it took, to record in its results: "flashscope compare --format latex --batch 4". For
/// the line as typed, see command_line().
std::string command_text(const CommandSyntax& syntax, const Arguments& arguments);

}  // namespace terminal
