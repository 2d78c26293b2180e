// The arguments of one command: scenario options plus its own, read with CLI11.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"

namespace terminal {

/// An option of one command beside the scenario options.
struct OwnOption {
  std::string name, values, help;    ///< no values: a flag
  std::vector<std::string> choices;  ///< empty: any value
  bool repeatable = false;           ///< may be given more than once
};

/// What a command takes.
struct CommandSyntax {
  std::string name, summary;
  bool scenario = false;  ///< takes the scenario options
  std::vector<OwnOption> own;
  std::string example;
  bool one_algorithm = true;  ///< false: --algorithm is refused with a hint and left out of the help
  OwnOption word{};           ///< one that stands without its name; no name: there is none
  std::string note{};         ///< below the example, a sentence
  OwnOption behind{};         ///< all words behind "--", as they are; no name: "--" is a word like others
  bool common = true;         ///< takes the common options; false: the launcher reads the words
};

/// Options that every command takes: --color.
const std::vector<OwnOption>& common_options();

struct Arguments {
  sim::OptionValues scenario;
  std::map<std::string, std::string> own;
  std::map<std::string, std::string> common;                 ///< they change no result, and command_text() omits them
  std::map<std::string, std::vector<std::string>> repeated;  ///< the values of repeatable options, in order
  bool help = false;                                         ///< print the help instead of running
  bool version = false;                                      ///< -V: print the version instead of running
  std::string program;                                       ///< name of the one that --program has loaded
  std::vector<std::string> notes;                            ///< which names were taken for which
  std::string value(const std::string& name, const std::string& otherwise) const;
  std::optional<std::string> find(const std::string& name) const;
};

/// Parses `words`. Throws sim::Error that names the word and the nearest or all allowed ones; an option given twice, or
/// without its value, is an error too.
Arguments parse(const CommandSyntax& syntax, const std::vector<std::string>& words);

/// The command again with the options that it took, for what it makes: "flashscope compare --format latex --batch 4".
/// What was typed is command_line().
std::string command_text(const CommandSyntax& syntax, const Arguments& arguments);

}  // namespace terminal
