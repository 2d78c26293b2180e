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

bool shows_first(const ViewModel& model) {
  const Look& look = model.look;
  const bool behind_card =
      look.overlay == Overlay::none || look.overlay == Overlay::help || look.overlay == Overlay::device;
  return look.first && behind_card && look.lesson.empty() && model.plays_run() && !model.subject(0).is_ragged();
}

void go_to_link(ViewModel& model, std::string_view link) {
  const Look before = model.look;
  model.play(false);
  model.first_view.again = false;
  model.follow(link);
  model.look.theme = before.theme;
  model.look.language = before.language;
  model.look.still = before.still;
}

void open_first(ViewModel& model, std::string behind) {
  go_to_link(model, "first=1");
  model.first_view = {std::move(behind), 0, !model.look.still};
  if (model.look.still) return;
  model.seek_run(0);
  model.play(true);
}

void leave_first(ViewModel& model) {
  model.look.first = false;
  if (model.can_undo()) model.undo();  // the film's scenario is not one that the user chose
  go_to_link(model, std::exchange(model.first_view.behind, {}));
}

bool FirstFacts::advance() {
  const auto run = static_cast<FactRun>(made_.size());
  made_.push_back(
      std::make_shared<const sim::Simulation>(sim::simulate(sim::scenario_from(options_of(run, gpu_), gpu_))));
  return !ready();
}

const FirstFacts& first_facts(const ViewModel& model) {
  return model.tasks.get_for<FirstFacts>(0, std::tuple(), model.gpu());
}

}  // namespace explorer
