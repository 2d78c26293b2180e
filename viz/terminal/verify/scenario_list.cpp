#include "viz/terminal/verify/scenario_list.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
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
      throw sim::Error(where, ": ", error);
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

namespace {

// The built-in list of `flashscope verify --scenarios default`.

constexpr std::string_view default_list =
    R"(# passes and dtypes of every family of kernels; 130 rows are two tiles of 64 and a tail of 2
--algorithm standard --seqlen 130 --head-dim 32
--algorithm standard --seqlen 130 --head-dim 32 --dtype bf16 --pass backward
--algorithm standard --seqlen 100 --head-dim 40 --dtype fp32 --pass forward+backward
--algorithm flash1   --seqlen 130 --head-dim 32
--algorithm flash1   --seqlen 130 --head-dim 32 --dtype bf16 --pass backward
--algorithm flash1   --seqlen 100 --head-dim 40 --dtype fp32 --pass forward+backward
--algorithm flash2   --seqlen 130 --head-dim 32 --dtype fp32
--algorithm flash2   --seqlen 130 --head-dim 32 --dtype fp32 --pass backward
--algorithm flash2   --seqlen 100 --head-dim 40 --dtype fp32 --pass forward+backward
--algorithm flash2   --seqlen 130 --head-dim 32 --dtype bf16 --kernel flash2
--algorithm flash2   --seqlen 300
--algorithm flash2   --seqlen 300 --dtype bf16 --head-dim 128
--algorithm flash2   --seqlen 200 --pass backward
--algorithm flash2   --seqlen 200 --dtype bf16 --pass forward+backward
--algorithm flash-decoding --seqlen-q 1 --seqlen-k 200 --head-dim 32 --dtype fp32 --splits 3
--algorithm flash-decoding --seqlen-q 3 --seqlen-k 1100 --splits 3
--algorithm flash-decoding --seqlen-q 20 --seqlen-k 700 --head-dim 128 --dtype bf16 --splits 1
--algorithm flash-decoding --seqlen-q 70 --seqlen-k 130 --head-dim 32 --heads 200 --batch 2
--algorithm flash2-block-sparse --seqlen 150 --head-dim 32 --dtype fp32 --pass forward+backward --pattern random:0.5
--algorithm flash2-block-sparse --seqlen 400 --pattern strided:2
--algorithm flash2-block-sparse --seqlen 300 --dtype bf16 --pattern local-global:1,0 --pass backward
--algorithm flash2-block-sparse --seqlen 130 --head-dim 32 --kernel flash2-block-sparse --pattern causal

# masks: the diagonal, hidden keys, a window, and queries that see nothing
--algorithm standard --seqlen 130 --head-dim 32 --causal --pass forward+backward
--algorithm standard --seqlen-q 70 --seqlen-k 101 --head-dim 32 --causal --padding 3 --window 33
--algorithm flash1   --seqlen 130 --head-dim 32 --causal --pass forward+backward
--algorithm flash1   --seqlen-q 70 --seqlen-k 101 --head-dim 32 --causal --padding 3 --window 33
--algorithm flash1   --seqlen-q 101 --seqlen-k 70 --head-dim 32 --causal
--algorithm flash2   --seqlen 130 --head-dim 32 --dtype fp32 --causal --pass forward+backward
--algorithm flash2   --seqlen-q 101 --seqlen-k 70 --head-dim 32 --dtype fp32 --causal --pass forward+backward
--algorithm flash2   --seqlen 300 --causal
--algorithm flash2   --seqlen-q 170 --seqlen-k 301 --causal --padding 3 --window 33
--algorithm flash2   --seqlen 200 --causal --window 40 --pass forward+backward
--algorithm flash2   --seqlen-q 201 --seqlen-k 130 --causal --dtype bf16 --pass forward+backward
--algorithm flash-decoding --seqlen-q 5 --seqlen-k 90 --head-dim 32 --dtype fp32 --causal --padding 3 --window 33 --splits 2
--algorithm flash-decoding --seqlen-q 600 --seqlen-k 550 --causal --padding 7 --splits 3
--algorithm flash2-block-sparse --seqlen-q 300 --seqlen-k 260 --br 64 --bc 64 --causal --padding 3 --window 99 --pattern butterfly --pass forward+backward
--algorithm flash2   --seqlen 130 --head-dim 32 --dtype fp32 --window 20,9 --pass forward+backward
--algorithm flash2   --seqlen 100 --head-dim 32 --dtype fp32 --causal --prefix 40 --pass forward+backward
--algorithm flash2   --seqlen 200 --causal --prefix 70
--algorithm flash-decoding --seqlen-q 16 --seqlen-k 700 --window -1,30 --prefix 690 --splits 2

# score steps
--algorithm flash2   --heads 4 --kv-heads 2 --seqlen 100 --head-dim 32 --dtype fp32 --causal --softcap 2 --alibi --pass forward+backward
--algorithm flash2   --heads 3 --seqlen 300 --causal --softcap 2 --alibi
--algorithm flash2   --seqlen 200 --head-dim 128 --dtype bf16 --alibi
--algorithm flash-decoding --heads 6 --kv-heads 2 --seqlen-q 1 --seqlen-k 90 --head-dim 32 --dtype fp32 --softcap 2 --alibi --splits 2
--algorithm flash-decoding --heads 24 --kv-heads 2 --seqlen-q 1 --seqlen-k 600 --softcap 2 --alibi --splits 2

# sinks
--algorithm flash2   --heads 4 --kv-heads 2 --seqlen 100 --head-dim 32 --dtype fp32 --causal --sink 1,-2,0.5,-inf --pass forward+backward
--algorithm flash2   --heads 3 --seqlen 300 --causal --window 100 --sink 1,0.5,-2
--algorithm flash2   --seqlen 200 --sink 2 --pass forward+backward
--algorithm flash-decoding --heads 4 --kv-heads 2 --seqlen-q 5 --seqlen-k 90 --head-dim 32 --dtype fp32 --sink 1,-2,0.5,-inf --splits 2
--algorithm flash-decoding --heads 24 --kv-heads 2 --seqlen-q 1 --seqlen-k 600 --sink 2 --splits 2
--algorithm flash-decoding --heads 4 --kv-heads 2 --seqlen-q 16 --seqlen-k 600 --sink 1,-2,0.5,-inf --splits 1

# batches and grouped heads
--algorithm standard --batch 2 --heads 4 --kv-heads 2 --seqlen 40 --head-dim 16 --pass forward+backward
--algorithm flash1   --batch 2 --heads 4 --kv-heads 2 --seqlen 40 --head-dim 16 --pass forward+backward
--algorithm flash2   --batch 2 --heads 4 --kv-heads 2 --seqlen 40 --head-dim 16 --pass forward+backward --dtype fp32
--algorithm flash2   --batch 2 --heads 4 --kv-heads 1 --seqlen 100 --pass forward+backward
--algorithm flash-decoding --batch 2 --heads 8 --kv-heads 2 --seqlen-q 1 --seqlen-k 600 --splits 2
--algorithm flash-decoding --batch 2 --heads 8 --kv-heads 2 --seqlen-q 1 --seqlen-k 600 --splits 2 --pack 0
--algorithm flash2-block-sparse --batch 2 --heads 4 --kv-heads 1 --seqlen 200 --pattern window:0 --pass forward+backward

# pages
--algorithm flash-decoding --batch 2 --heads 4 --kv-heads 2 --seqlen-q 1 --seqlen-k 600 --page-size 16 --splits 2
--algorithm flash-decoding --seqlen-q 20 --seqlen-k 300 --head-dim 128 --dtype bf16 --causal --page-size 128
--algorithm paged-attention --batch 2 --heads 4 --kv-heads 2 --seqlen-q 1 --seqlen-k 150
--algorithm paged-attention --batch 2 --heads 4 --kv-heads 2 --seqlen-q 1 --seqlen-k 150 --partition 64 --page-size 32 --dtype bf16
algorithm=paged-attention&seqlens=2%201%2033,1%201%20130&heads=4&kv-heads=1&head-dim=40&dtype=fp32&partition=48

# batch entries of different lengths
algorithm=flash2&seqlens=2%2020%2033,1%2070%20130,3%201%2040&head-dim=32&dtype=fp32&heads=4&kv-heads=2&causal=1&pass=forward%2Bbackward
algorithm=flash2&seqlens=1%20300%20300,2%2065%20200&heads=2&issue=longest&pass=forward%2Bbackward

# dropout
--algorithm standard --seqlen 70 --head-dim 32 --dropout 0.2 --pass forward+backward
--algorithm flash1   --seqlen 70 --head-dim 32 --dropout 0.2 --pass forward+backward
--algorithm flash2   --seqlen 70 --head-dim 32 --dropout 0.2 --pass forward+backward --dtype fp32
--algorithm flash2   --seqlen 150 --dropout 0.2 --causal --pass forward+backward
--algorithm flash-decoding --seqlen-q 4 --seqlen-k 100 --head-dim 32 --dtype fp32 --dropout 0.2 --splits 2
--algorithm flash2-block-sparse --seqlen 150 --head-dim 32 --dtype fp32 --dropout 0.2 --pattern strided:2 --pass forward+backward

# one row, one key, other tiles, another scale
--algorithm standard --seqlen 1 --head-dim 8
--algorithm flash1   --seqlen-q 1 --seqlen-k 70 --head-dim 8 --br 16 --bc 32
--algorithm flash2   --seqlen-q 70 --seqlen-k 1 --head-dim 8 --dtype fp32 --br 16 --bc 48
--algorithm flash2   --seqlen 1
--algorithm flash2   --seqlen 300 --gpu a100-sxm-40gb --head-dim 96 --scale 0.25
)";

}  // namespace

std::string_view default_scenarios() { return default_list; }

}  // namespace terminal
