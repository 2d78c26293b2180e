// Command lines, a word per line: any words are an Error, or arguments that survive being written and parsed again.
// Cheap commands are run, if their shapes are small and they touch no file.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "sim/base/printable.h"
#include "sim/model/simulation.h"
#include "sim/report/run_json.h"
#include "tests/fuzz/invariant.h"
#include "tests/fuzz/words.h"
#include "viz/terminal/command.h"

namespace {

using terminal::Arguments;
using terminal::CommandSyntax;
using Words = std::vector<std::string>;

const std::map<std::string, int (*)(const Arguments&)> runners = {{"simulate", terminal::run_simulate},
                                                                  {"compare", terminal::run_compare},
                                                                  {"tune", terminal::run_tune},
                                                                  {"devices", terminal::run_devices},
                                                                  {"algorithms", terminal::run_algorithms},
                                                                  {"counters", terminal::run_counters},
                                                                  {"options", terminal::run_options}};

Words written(const CommandSyntax& syntax, const Arguments& arguments) {
  Words words;
  const auto add = [&](const std::string& name, const std::string& value, bool flag) {
    words.push_back(flag || value.empty() ? "--" + name : "--" + name + "=" + value);
    if (!flag && value.empty()) words.emplace_back();
  };
  for (const terminal::CommandOption& option : syntax.own) {
    if (const auto value = arguments.find(option.name)) add(option.name, *value, option.values.empty());
    const auto repeated = arguments.repeated.find(option.name);
    if (repeated == arguments.repeated.end()) continue;
    for (const std::string& value : repeated->second) add(option.name, value, false);
  }
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    const auto found = arguments.scenario.find(option.name);
    if (found != arguments.scenario.end()) add(found->first, found->second, option.kind == sim::OptionKind::flag);
  }
  if (const auto word = arguments.find(syntax.word.name); word && !syntax.word.name.empty()) words.push_back(*word);
  return words;
}

void check_written(const CommandSyntax& syntax, const Arguments& arguments) {
  const Arguments again = terminal::parse(syntax, written(syntax, arguments));
  const auto known = [&](const std::string& note) {  // of a tiny size; those on synonyms are gone
    return std::find(arguments.notes.begin(), arguments.notes.end(), note) != arguments.notes.end();
  };
  fuzz::check(again.own == arguments.own && again.repeated == arguments.repeated &&
                  again.scenario == arguments.scenario && std::all_of(again.notes.begin(), again.notes.end(), known),
              "arguments survive being written and read again");
}

/// The option text of a JSON value: "64" of 64, "fp16" of "fp16", "1" of true.
std::string as_option(const nlohmann::ordered_json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Checks that the scenario of a JSON, read as options, gives the same scenario.
void check_scenario(const Arguments& arguments) {
  const sim::Simulation run = sim::simulate(sim::scenario_from(arguments.scenario, sim::built_in_gpu));
  const nlohmann::ordered_json json = report::scenario_json(run.plan);
  sim::OptionValues options;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    const auto found = json.find(std::string(option.name));
    if (found != json.end() && !found->is_null()) options[std::string(option.name)] = as_option(*found);
  }
  const sim::Simulation again = sim::simulate(sim::scenario_from(options, sim::built_in_gpu));
  fuzz::check(report::scenario_json(again.plan) == json, "the scenario of a JSON is the same");
}

bool is_file(const std::string& values) {
  return values.find("FILE") != std::string::npos || values.find("DIR") != std::string::npos ||
         values.find(".npy") != std::string::npos;
}

bool touches_files(const CommandSyntax& syntax, const Arguments& arguments) {
  const bool own = std::any_of(syntax.own.begin(), syntax.own.end(), [&](const terminal::CommandOption& option) {
    return option.name != "gpu" && is_file(option.values) && arguments.find(option.name);
  });
  const auto gpu = arguments.scenario.find("gpu");
  const std::string device = gpu != arguments.scenario.end() ? gpu->second : arguments.value("gpu", "");
  return own || device.ends_with(".toml");
}

/// False for sizes that take long: values do, and so does tune, which simulates every tiling.
bool is_small(const std::string& command, const Arguments& arguments) {
  const bool long_work = command == "tune" || arguments.value("numerics", "off") == "on";
  const bool sized = arguments.scenario.count("seqlen") > 0 && arguments.scenario.count("model") == 0;
  if (long_work && !sized) return false;
  return std::all_of(arguments.scenario.begin(), arguments.scenario.end(), [&](const auto& option) {
    const bool real = option.first == "scale" || option.first == "dropout" || option.first == "seed";
    return real || fuzz::longest_number(option.second) < (long_work ? 2u : 3u) || option.first == "gpu" ||
           option.first == "model";
  });
}

void check_words(const Words& words) {
  const auto& all = terminal::commands();
  const auto command = std::find_if(all.begin(), all.end(),
                                    [&](const terminal::Command& each) { return each.syntax().name == words[0]; });
  if (command == all.end()) return;
  const CommandSyntax syntax = command->syntax();
  const Arguments arguments = terminal::parse(syntax, {words.begin() + 1, words.end()});
  if (arguments.help) return;
  check_written(syntax, arguments);
  if (touches_files(syntax, arguments) || !is_small(syntax.name, arguments)) return;
  if (syntax.scenario) check_scenario(arguments);
  if (const auto runner = runners.find(syntax.name); runner != runners.end())
    fuzz::check(runner->second(arguments) == terminal::exit_done, "what is right is done");
}

/// Discards the output of commands; the fuzzer and the sanitizers write to the original stderr.
bool silence() {
  stderr = std::fopen("/dev/null", "w");
  return std::freopen("/dev/null", "w", stdout) != nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  static const bool silent = silence();
  const Words words = fuzz::lines_of({reinterpret_cast<const char*>(input), size});
  if (words.empty() || !silent) return 0;
  try {
    check_words(words);
  } catch (const sim::Error& error) {
    fuzz::check(*error.what() != '\0' && sim::printable(error.what()).size() < 20000,
                "a message is not empty and not long");
  }
  return 0;
}
