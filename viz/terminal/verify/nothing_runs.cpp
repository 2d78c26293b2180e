#include "viz/terminal/verify/nothing_runs.h"

#include "viz/terminal/request.h"

namespace terminal {

void refuse_options_of_runs(const Arguments& arguments, const std::vector<std::string>& more,
                            std::string_view instead) {
  std::vector<std::string> names = more;
  names.insert(names.end(), {"schedules", "counters", "workers"});
  for (const CommandOption& option : value_options()) names.push_back(option.name);
  for (const std::string& name : names) {
    sim::require(!arguments.find(name), name, ": is for kernels that run here, ", instead);
  }
}

std::string words_of(const sim::Simulation& program) {
  const sim::Scenario& s = program.plan.scenario;
  return sim::text(program.plan.program->title, " ", sim::name_of(s.pass), ": ", shape_text(s), ", ", s.gpu->name,
                   "; tiles ", tile_text(program.plan));
}

}  // namespace terminal
