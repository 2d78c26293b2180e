#include "viz/terminal/input_file.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/csv.h"
#include "sim/base/text.h"
#include "sim/programs/recorded/recording.h"
#include "viz/files/files_in_use.h"
#include "viz/results/model_config.h"

namespace terminal {

void check_input(const std::string& option, const std::string& path, std::int64_t limit) {
  results::check_input(option, path, limit);
  files::note_input(option, path);
}

void check_pattern_file(const sim::OptionValues& values) { results::check_pattern_file(values, check_input); }

void expand_model_file(sim::OptionValues& options, std::vector<std::string>& notes) {
  results::expand_model_file(options, notes, check_input);
}

std::string read_text(const std::string& option, const std::string& path, std::int64_t limit) {
  check_input(option, path, limit);
  return results::read_text(option, path, limit);
}

std::shared_ptr<const sim::DeviceSpec> find_gpu(const std::string& name) {
  if (results::names_device_file(name)) check_input("gpu", name, results::longest_device);
  return results::find_gpu(name);
}

CommandOption program_option() {
  return {"program", program_word, "a program that was recorded in Python; it runs unless an algorithm is named", {}};
}

void load_program_of(const CommandSyntax& syntax, Arguments& arguments) {
  const auto option = arguments.find("program"), word = arguments.find(program_word);
  if (!option && !word) return;
  sim::require(!option || !word, syntax.name, ": two programs are named, ", word.value_or(""), " and ",
               option.value_or(""), ": one is shown at a time");
  const std::string path = option ? *option : *word;
  const auto program = sim::parse_program(read_text("program", path, std::int64_t{1} << 20), path);
  try {
    sim::load_program(program);
  } catch (const sim::Error& error) {
    throw sim::Error(path, ": ", error);
  }
  arguments.program = program->name;
  const auto over = arguments.repeated.find("over");
  const bool swept = over != arguments.repeated.end() &&
                     std::any_of(over->second.begin(), over->second.end(),
                                 [](const std::string& axis) { return axis.starts_with("algorithm="); });
  if (syntax.one_algorithm && !swept) arguments.scenario.emplace("algorithm", arguments.program);
}

void refuse_program(const CommandSyntax& syntax, std::string_view word) {
  sim::require(word.substr(0, word.find('=')) != "--program", syntax.name,
               ": takes no --program: a recorded program has no kernel that runs; flashscope simulate --program ",
               program_word, " --numerics on checks its values");
}

namespace {

constexpr std::int64_t longest_head = 1 << 16;  // bytes before the table

measurements::Recording read_recording(const std::string& path) {
  const std::int64_t longest = static_cast<std::int64_t>(sim::longest_csv) + longest_head;
  measurements::Recording recording = measurements::parse_recording(read_text("recorded", path, longest), path);
  sim::require(!recording.gpu.empty(), path, ": was not measured on a GPU");
  return recording;
}

}  // namespace

CommandOption recorded_option(std::string_view more) {
  return {"recorded",
          "FILE.csv",
          sim::text("a recording of flashscope bench on a GPU, added to the built-in ones; ", more,
                    "may be given more than once, later files win"),
          {},
          true};
}

std::vector<std::string> recorded_files(const Arguments& arguments) {
  const auto found = arguments.repeated.find("recorded");
  return found == arguments.repeated.end() ? std::vector<std::string>{} : found->second;
}

std::vector<measurements::Recording> all_recordings(const Arguments& arguments) {
  std::vector<measurements::Recording> all = measurements::recordings();
  for (const std::string& path : recorded_files(arguments)) all.push_back(read_recording(path));
  return all;
}

std::string elsewhere_note(const std::vector<std::string>& gpus) {
  std::string names;
  for (const std::string& gpu : gpus) names += (names.empty() ? "" : ", ") + gpu;
  return gpus.empty() ? "" : sim::text("recorded on ", names, " as well: --gpu ", gpus.front(), " shows it");
}

}  // namespace terminal
