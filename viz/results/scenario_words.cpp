#include "viz/results/scenario_words.h"

#include "sim/base/named_steps.h"
#include "sim/base/text.h"
#include "sim/catalogue/options.h"
#include "sim/report/numbers.h"

namespace results {

std::string tile_text(const sim::Plan& plan) {
  const auto tile = [](const sim::Tiling& t) { return sim::text(t.br, " x ", t.bc); };
  const std::string first = tile(plan.problem.tiling), last = tile(plan.launches.back().tiling);
  return first == last ? first : first + ", " + last;
}

namespace {

std::string mask_text(const sim::Mask& mask) {
  const auto side = [](std::optional<std::int64_t> keys) {
    return keys ? report::thousands(*keys) : std::string("-1");
  };
  std::string text;
  if (mask.causal) text += ", causal";
  if (mask.diagonal != sim::DiagonalFrom::bottom_right) text += sim::text(" from ", sim::name_of(mask.diagonal));
  if (mask.window_right) text += ", window " + side(mask.window) + "," + side(mask.window_right);
  if (mask.window && !mask.window_right) text += ", window " + side(mask.window);
  if (mask.padding > 0) text += ", padding " + report::thousands(mask.padding);
  if (mask.prefix > 0) text += ", prefix " + report::thousands(mask.prefix);
  if (mask.documents) text += ", documents " + report::thousands(std::ssize(*mask.documents) - 1);
  return text;
}

std::string steps_text(const sim::Scenario& s) {
  std::string text;
  for (const sim::NamedStep& step : sim::named_steps()) {
    const auto given = s.score_steps.find(step.name);
    if (given == s.score_steps.end()) continue;
    text += sim::text(", ", step.name);
    if (step.takes != sim::NamedStep::Takes::nothing) text += sim::text(" ", given->second);
  }
  return text;
}

}  // namespace

std::string shape_text(const sim::Scenario& s) {
  const sim::Shape& shape = s.shape;
  std::string text = sim::text("batch ", shape.batch, ", heads ", shape.heads);
  if (shape.kv_heads != shape.heads) text += sim::text(" (", shape.kv_heads, " KV)");
  text += s.sequences ? ", at most N " : ", N ";
  text += report::thousands(shape.seqlen_q);
  if (s.cached_keys() != shape.seqlen_q) text += " x " + report::thousands(s.cached_keys());
  text += sim::text(", d ", sim::text_of(shape.head_dims()), ", ", sim::name_of(s.dtype));
  if (s.gpus > 1) text += ", " + report::thousands(s.gpus) + " GPUs by " + std::string(name_of(s.parallel));
  if (s.steps > 0) text += ", steps " + report::thousands(s.steps);
  text += mask_text(shape.mask);
  text += steps_text(s);
  if (s.samples > 1) text += sim::text(", samples ", s.samples);
  if (s.shared_prefix > 0) text += ", shared prefix " + report::thousands(s.shared_prefix);
  if (s.sinks != nullptr) text += s.sinks->size() == 1 ? ", sink " + sim::text_of_sinks(*s.sinks) : ", sinks";
  if (s.pattern.any()) text += ", pattern " + sim::text_of(s.pattern);
  if (s.dropout > 0) text += sim::text(", dropout ", s.dropout);
  for (const auto& own : s.own) {  // options of the program that were set
    const sim::ScenarioOption& option = sim::option_called(own.first);
    if (sim::applies_to(option, s)) text += sim::text(", ", own.first, " ", sim::text_of(option.asked(s)));
  }
  if (s.inputs == sim::InputRule::worked) text += ", inputs of the worked example";
  if (s.inputs == sim::InputRule::outliers) text += ", inputs with outliers";
  if (s.inputs == sim::InputRule::text) text += ", synthetic scores over the text " + s.text;
  return text;
}

}  // namespace results
