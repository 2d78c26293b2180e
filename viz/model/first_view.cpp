#include "viz/model/first_view.h"

#include <array>
#include <utility>

#include "viz/model/center_view.h"

namespace explorer {
namespace {

/// Scenarios of FactRun as links; the first is the film's first run.
constexpr std::array<std::string_view, fact_runs> fact_links = {
    "algorithm=standard&batch=4&heads=32&seqlen=2048",
    "algorithm=flash1&batch=4&heads=32&seqlen=2048",
    "algorithm=flash2&batch=4&heads=32&seqlen=2048",
    "algorithm=flash2&batch=4&heads=32&seqlen=2048&br=64&bc=64",
    "algorithm=standard&batch=4&heads=32&seqlen=131072",
    "algorithm=flash2&batch=4&heads=32&seqlen=131072",
    "algorithm=flash2&batch=4&heads=32&seqlen=2048&causal=1",
    "algorithm=flash-decoding&batch=4&heads=32&seqlen-q=1&seqlen-k=65536"};
constexpr std::string_view film_rivals = "flash1,flash2";

sim::OptionValues options_of(FactRun run, const sim::GpuLookup& gpu) {
  return read_link(fact_links[static_cast<std::size_t>(run)], gpu).scenario;
}

}  // namespace

void complete_first(Link& link, const sim::GpuLookup& gpu) {
  const auto asked = link.view.find("first");
  if (asked == link.view.end() || asked->second != "1") return;
  if (link.scenario.empty() && !link.view.contains("compare")) {
    link.scenario = options_of(FactRun::standard, gpu);
    link.view["compare"] = film_rivals;
  }
  link.view["play"] = "run";
}

bool shows_first(const Model& model) {
  const Look& look = model.state.look;
  const bool behind_card =
      look.overlay == Overlay::none || look.overlay == Overlay::help || look.overlay == Overlay::device;
  return look.first && behind_card && look.lesson.empty() && model.state.plays_run() &&
         !model.world.subject(0).is_ragged();
}

void go_to_link(Model& model, std::string_view link) {
  const Look before = model.state.look;
  model.play(false);
  model.state.first_view.again = false;
  model.follow(link);
  model.state.look.theme = before.theme;
  model.state.look.language = before.language;
  model.state.look.still = before.still;
}

void open_first(Model& model, std::string behind) {
  go_to_link(model, "first=1");
  model.state.first_view = {std::move(behind), 0, !model.state.look.still};
  if (model.state.look.still) return;
  model.seek_run(0);
  model.play(true);
}

void leave_first(Model& model) {
  model.state.look.first = false;
  if (model.can_undo()) model.undo();  // the film's scenario is not one that the user chose
  go_to_link(model, std::exchange(model.state.first_view.behind, {}));
}

bool FirstFacts::advance() {
  const auto run = static_cast<FactRun>(made_.size());
  made_.push_back(
      std::make_shared<const sim::Simulation>(sim::simulate(sim::scenario_from(options_of(run, gpu_), gpu_))));
  return !ready();
}

const FirstFacts& first_facts(const Model& model) {
  return model.world.tasks.get_for<FirstFacts>(0, std::tuple(), model.world.gpu());
}

}  // namespace explorer
