#include "viz/terminal/recorded_program.h"

#include <algorithm>

#include "sim/programs/recorded/recording.h"
#include "viz/terminal/input_file.h"

namespace terminal {

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
    throw sim::Error(sim::text(path, ": ", error.what()));
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

}  // namespace terminal
