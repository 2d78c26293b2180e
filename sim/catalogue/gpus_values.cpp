// Values of a run on several GPUs.
#include "sim/catalogue/run_values.h"

namespace sim {
namespace {

/// Says what the slowest GPU computes, problem by problem.
Explanation explain_problems(const GpuMeters& m, std::int64_t GpuKind::*count) {
  Explanation e{{/*say*/ "of the slowest GPU of each step, summed over the steps"}};
  for (std::size_t n = 0; n < m.kinds.size(); ++n) {
    if (m.times[n] == 0) continue;
    const Shape& shape = m.kinds[n].plan.scenario.shape;
    const Sentence what = shape.mask.causal
                              ? Sentence(/*say*/ "{} queries x {} keys, causal", shape.seqlen_q, shape.seqlen_k)
                              : Sentence(/*say*/ "{} queries x {} keys", shape.seqlen_q, shape.seqlen_k);
    e.terms.push_back({"", what, m.kinds[n].*count, m.times[n]});
  }
  return e;
}

Explanation explain_sent(const Simulation& s) {
  const GpuRun& run = s.gpus->run;
  switch (run.parallel) {
    case Parallel::gather:
      return {{{/*say*/ "K and V of every GPU to {} others, before it computes: {} bytes", run.gpus - 1,
                run.sent_before.count()}}};
    case Parallel::ulysses:
      return {{{/*say*/ "Q, K and V of all but 1/{} of the heads before it computes, {} bytes, and their O after it, "
                        "{} bytes",
                run.gpus, run.sent_before.count(), run.sent_after.count()}}};
    default:
      return {{{/*say*/ "K and V of {} tokens beside each of {} steps: {} bytes a step",
                s.plan.scenario.shape.seqlen_k / run.gpus, run.gpus - 1, run.sent_beside.count()}}};
  }
}

Sentence held_words(Parallel parallel) {
  if (parallel == Parallel::gather) return {/*say*/ "K and V of all tokens"};
  if (parallel == Parallel::ulysses) return {/*say*/ "K and V of its tokens, and those of its heads"};
  return {/*say*/ "K and V that it computes with, and those that arrive meanwhile"};
}

Explanation explain_exposed(const GpuMeters& m) {
  std::int64_t exposed = 0;
  double travel = 0;
  for (const GpuStep& step : m.timeline) {
    exposed += step.exposed() > 0 ? 1 : 0;
    travel += step.transfer;
  }
  return {
      {{/*say*/ "transfers take {} us; in {} of them the GPU computes for less time, or for none", travel, exposed}}};
}

}  // namespace

void add_several_gpus(const Simulation& s, RunValues& values) {
  if (!s.gpus) return;
  const GpuMeters& m = *s.gpus;
  const auto add = [&](const char* leaf, auto value, const Sentence& why) {
    values.number(text("gpus.", leaf), value, [why] { return Explanation{{why}}; });
  };
  add("steps", m.run.steps,
      {/*say*/ "computations one after another: a step for the keys of each GPU on a ring, else one"});
  values.number("gpus.sent_bytes", m.run.sent().count(), [&s] { return explain_sent(s); });
  add("held_bytes", m.run.held.count(), held_words(m.run.parallel));
  values.number("gpus.pairs_slowest", m.pairs, [&m] { return explain_problems(m, &GpuKind::pairs); });
  add("balance", m.balance(),
      {/*say*/ "visible pairs of all GPUs / (GPUs x those of the slowest) = {} / ({} x {})", m.all_pairs, m.run.gpus,
       m.pairs});
  values.number("gpus.elements_slowest", m.elements, [&m] { return explain_problems(m, &GpuKind::elements); });
  add("merged_bytes", m.merged.count(),
      {/*say*/ "O and L in fp32, read and written, in every computation but the first: in no other number, but in the "
               "time, {} us",
       m.merge_microseconds});
  values.number("gpus.exposed_microseconds", m.exposed_microseconds, [&m] { return explain_exposed(m); });
}

}  // namespace sim
