// Values of the first and the last step of a run over steps.
#include "sim/catalogue/run_values.h"

namespace sim {
namespace {

void add_step(RunValues& values, const std::string& path, const StepMeters& step) {
  const auto say = [keys = step.keys](std::string_view words) {
    return [keys, words] { return Explanation{{{words, keys}}}; };
  };
  values.number(path + "keys", step.keys, [] {
    return Explanation{{/*say*/ "the keys of the cache before the step, and the one that it appends"}};
  });
  values.number(path + "microseconds", step.microseconds,
                say(/*say*/ "predicted, all kernels of the step over {} keys"));
  values.number(path + "tile_bytes", step.tile.count(),
                say(/*say*/ "tile traffic of all kernels of the step over {} keys"));
  values.number(path + "hbm_bytes", step.hbm.count(),
                say(/*say*/ "HBM traffic of all kernels of the step over {} keys"));
}

}  // namespace

void add_steps(const Simulation& s, RunValues& values) {
  if (!s.steps) return;
  values.number("steps.count", s.steps->count, [] { return Explanation{{{/*say*/ "the option {}", "steps"}}}; });
  add_step(values, "steps.first.", s.steps->first);
  add_step(values, "steps.last.", s.steps->last);
}

}  // namespace sim
