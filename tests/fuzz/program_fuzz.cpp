// parse_program: any text is a program that counts and computes a small problem, or an Error.
#include <cstdint>

#include "sim/model/simulation.h"
#include "sim/programs/recorded/recording.h"
#include "sim/programs/run.h"
#include "tests/fuzz/invariant.h"

namespace {

/// Few tiles, partial ones among them, and dead rows, so that a program of nested loops ends soon.
sim::Scenario small_scenario(const std::shared_ptr<const sim::Program>& program, bool dropout) {
  sim::Scenario s;
  s.algorithm = program->name;
  s.named = program;
  s.shape = {1, 2, 1, 40, 24, 16, {dropout, 1, {}}};
  s.br = 16;
  if (!program->whole_rows) s.bc = 16;
  s.dropout = dropout ? 0.25 : 0;
  return s;
}

void run(const sim::Scenario& scenario) {
  const sim::Plan plan = make_plan(scenario);
  std::size_t tiles = 0;
  for (const sim::Trace& trace : count(plan)) tiles += trace.events.size();
  if (tiles > 20'000) return;  // values take long
  const auto inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, 1);
  const sim::AttentionOutputs outputs = compute(plan, inputs);
  fuzz::check(outputs.o.size() == inputs.q.size(), "O has the size of Q");
}

void run_quietly(const sim::Scenario& scenario) {
  try {
    run(scenario);
    sim::simulate(scenario);
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  try {
    const auto program = sim::parse_program({reinterpret_cast<const char*>(input), size}, "fuzz.fscope");
    fuzz::check(!program->name.empty() && program->recording != nullptr, "a program has a name and is recorded");
    for (const bool dropout : {false, true}) run_quietly(small_scenario(program, dropout));
    fuzz::check(sim::listing_text(program->forward.listing).size() <= size, "a source is part of its file");
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}
