// Lists of scenarios for `verify`: one per line, as options of the command line or of a link.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"
#include "viz/terminal/arguments.h"

namespace terminal {

struct ListedScenario {
  std::string where;  ///< "FILE:7", for errors
  std::string text;   ///< the line as written
  sim::OptionValues options;
  std::optional<std::string> kernel;
};

/// Reads the scenarios of a list. A line is `--algorithm flash1 --seqlen 100 --causal` or
/// `algorithm=flash1&seqlen=100&causal=1` (%2B and the like are decoded); blank lines and lines that begin with # are
/// skipped. `base`: options that apply unless a line sets them. Throws Error that names the file and the line.
std::vector<ListedScenario> parse_scenarios(std::string_view text, const std::string& name,
                                            const sim::OptionValues& base,
                                            const std::optional<std::string>& base_kernel);

/// Reads the list named by --scenarios: a file, or default.
std::vector<ListedScenario> read_scenarios(const Arguments& arguments);

/// The list of `--scenarios default`: every algorithm, pass, dtype, mask, grouped heads and tails, small.
std::string_view default_scenarios();

}  // namespace terminal
