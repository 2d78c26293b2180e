// Mutates command lines by their grammar, the table of options of each command: adds an option, changes a value,
// removes or repeats a word, changes the command. Every other mutation is libFuzzer's own.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>

#include "sim/machine/device_spec.h"
#include "sim/programs/program.h"
#include "tests/fuzz/words.h"
#include "viz/terminal/command.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Words = std::vector<std::string>;
using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t count) { return static_cast<std::size_t>(random()) % count; }
const std::string& one_of(Random& random, const Words& words) { return words[below(random, words.size())]; }

/// The alternatives of an option's values in the help: "fp16|bf16|fp32".
Words alternatives(std::string_view values) {
  Words words;
  while (!values.empty()) {
    const std::string_view word = values.substr(0, values.find('|'));
    words.emplace_back(word);
    values.remove_prefix(std::min(word.size() + 1, values.size()));
  }
  return words;
}

Words names() {
  Words words = sim::device_names(), programs = sim::program_names();
  words.insert(words.end(), programs.begin(), programs.end());
  for (const sim::ModelHeads& model : sim::model_heads()) words.push_back(model.name);
  return words;
}

std::string value(Random& random, std::string_view values) {
  static const Words numbers = {"0",    "1",   "2",    "3",    "7",  "8",  "16",  "31", "32",  "64",
                                "96",   "100", "1000", "1024", "8k", "1m", "-1",  "-0", "0.5", "1e3",
                                "1e-9", "nan", "inf",  "0x10", "",   " 1", "1,2", "1x1"},
                     odd = {"auto", "1/2", "0,0,0,0", "seqlen=8,16", "a=b",      "=",
                            "--",   "-",   "all",     "\xff",        "\x1b[31m", "x.toml"},
                     known = names();
  const Words own = alternatives(values);
  switch (below(random, 8)) {
    case 0:
      return one_of(random, odd);
    case 1:
      return one_of(random, known);
    case 2:
      return one_of(random, known) + "," + one_of(random, known);
    case 3:
    case 4:
      return one_of(random, numbers);
    default:
      return own.empty() ? one_of(random, numbers) : one_of(random, own);
  }
}

terminal::CommandSyntax syntax_of(Random& random, const Words& words) {
  const auto& all = terminal::commands();
  for (const terminal::Command& command : all) {
    if (!words.empty() && command.syntax().name == words[0]) return command.syntax();
  }
  return all[below(random, all.size())].syntax();
}

/// A random option of the command with a value, as one word or two.
Words option(Random& random, const terminal::CommandSyntax& syntax) {
  const auto& scenario = sim::scenario_options();
  const std::size_t own = syntax.own.size(), count = own + (syntax.scenario ? scenario.size() : 0);
  if (count == 0 || below(random, 40) == 0) return {below(random, 2) == 0 ? "--help" : value(random, "")};
  const std::size_t n = below(random, count);
  const std::string name = "--" + (n < own ? syntax.own[n].name : std::string(scenario[n - own].name));
  const std::string_view values = n < own ? std::string_view(syntax.own[n].values) : scenario[n - own].values;
  if (values.empty()) return {name};
  if (below(random, 2) == 0) return {name + "=" + value(random, values)};
  return {name, value(random, values)};
}

void change(Random& random, Words& words) {
  const terminal::CommandSyntax syntax = syntax_of(random, words);
  if (words.empty() || below(random, 30) == 0) {
    words.resize(std::max<std::size_t>(words.size(), 1));
    words[0] = terminal::commands()[below(random, terminal::commands().size())].syntax().name;
    return;
  }
  const auto at = words.begin() + static_cast<std::ptrdiff_t>(1 + below(random, words.size()));  // after the command
  switch (below(random, 5)) {
    case 0:
      if (at != words.end()) words.erase(at);
      return;
    case 1:
      if (at != words.end()) *at = value(random, "");
      return;
    case 2:
      words.push_back(words[below(random, words.size())]);
      return;
    default: {
      const Words more = option(random, syntax);
      words.insert(at, more.begin(), more.end());
    }
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  Random random(seed);
  if (below(random, 4) == 0) return LLVMFuzzerMutate(data, size, most);
  Words words = fuzz::lines_of({reinterpret_cast<const char*>(data), size});
  for (std::size_t n = 1 + below(random, 3); n > 0; --n) change(random, words);
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "\n") + word;
  const std::size_t length = std::min(text.size(), most);
  std::memcpy(data, text.data(), length);
  return length;
}
