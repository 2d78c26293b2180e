#include "viz/terminal/verify/scenario_list.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
#include "viz/terminal/arguments.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

constexpr std::size_t most_scenarios = 10000, longest_line = 4000;
constexpr std::int64_t longest_list = 1 << 20;  // bytes

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Decodes %2B to + and the like, as browsers write links.
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const int high = n + 2 < text.size() && text[n] == '%' ? hex_digit(text[n + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[n + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      n += 2;
    } else {
      out += text[n];
    }
  }
  return out;
}

/// One scenario as read: its options and its kernel.
using Options = std::pair<sim::OptionValues, std::optional<std::string>>;

Options from_words(const std::string& line) {
  const CommandSyntax syntax{"scenario", "", true, {{"kernel", "NAME", "", {}}}, ""};
  sim::WordStream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    sim::require(word != "--help" && word != "-h", "--help is not a scenario option");
    words.push_back(word);
  }
  const Arguments arguments = parse(syntax, words);
  return {arguments.scenario, arguments.find("kernel")};
}

Options from_link(std::string_view line) {
  Options options;
  while (!line.empty()) {
    const std::string_view part = line.substr(0, line.find('&'));
    line.remove_prefix(std::min(part.size() + 1, line.size()));
    const std::size_t equals = part.find('=');
    sim::require(equals != std::string_view::npos && equals > 0, "\"", part.substr(0, 100),
                 "\" is not NAME=VALUE, as in algorithm=flash1&seqlen=100");
    const std::string name = decoded(part.substr(0, equals)), value = decoded(part.substr(equals + 1));
    const bool fresh = name == "kernel" ? !options.second : options.first.count(name) == 0;
    sim::require(fresh, name.substr(0, 100), " is given more than once");
    if (name == "kernel")
      options.second = value;
    else
      options.first[name] = sim::exact_value(name, value);
  }
  check_pattern_file(options.first);
  print_notes(sim::make_lengths_exact(options.first));
  return options;
}

/// Throws for a line such as "#algorithm=flash1&...", which would be skipped as a comment but is meant as a link.
void check_comment(std::string_view line) {
  const std::string_view name = line.substr(1, line.find('=') == std::string_view::npos ? 0 : line.find('=') - 1);
  sim::require(sim::find_option(name) == nullptr, "a link is written without its #; a comment has a blank after the #");
}

ListedScenario parse_line(std::string_view line, const std::string& where, const sim::OptionValues& base,
                          const std::optional<std::string>& base_kernel) {
  sim::require(line.size() <= longest_line, "the line has ", line.size(), " characters, allowed are at most ",
               longest_line);
  const std::string text(line);
  auto [options, kernel] = line[0] == '-' ? from_words(text) : from_link(line);
  // Expanded first, so that a line that sets both lengths at once overrides either one from the command line.
  options = sim::expanded(std::move(options));
  for (const auto& [name, value] : sim::expanded(base)) options.emplace(name, value);
  sim::check_options(options, find_gpu);
  return {where, text, std::move(options), kernel ? kernel : base_kernel};
}

}  // namespace

std::vector<ListedScenario> parse_scenarios(std::string_view text, const std::string& name,
                                            const sim::OptionValues& base,
                                            const std::optional<std::string>& base_kernel) {
  std::vector<ListedScenario> scenarios;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    const std::string_view line = sim::trimmed(whole, " \t\r");
    const std::string where = sim::text(name, ":", number);
    try {
      if (!line.empty() && line[0] == '#') check_comment(line);
      if (line.empty() || line[0] == '#') continue;
      scenarios.push_back(parse_line(line, where, base, base_kernel));
    } catch (const sim::Error& error) {
      throw sim::Error(where + ": " + error.what());
    }
    sim::require(scenarios.size() <= most_scenarios, where, ": more than ", most_scenarios, " scenarios");
  }
  sim::require(!scenarios.empty(), "scenarios: ", name, " has no scenario: write one per line, as in ",
               "--algorithm flash1 --seqlen 100 --causal");
  return scenarios;
}

std::vector<ListedScenario> read_scenarios(const Arguments& arguments) {
  const std::string name = *arguments.find("scenarios");
  const auto parsed = [&](std::string_view text) {
    return parse_scenarios(text, name, arguments.scenario, arguments.find("kernel"));
  };
  return name == "default" ? parsed(default_scenarios()) : parsed(read_text("scenarios", name, longest_list));
}

}  // namespace terminal
