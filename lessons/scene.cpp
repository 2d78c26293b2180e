#include "lessons/scene.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lessons/options_text.h"
#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/model/value_check.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/run.h"
#include "sim/trace/decimal.h"

namespace lessons {
namespace {

constexpr std::int64_t longest_in_e4m3 = 1024;

/// Adds the name of the run to the errors of `run`.
template <class Run>
auto named(std::string_view name, Run run) {
  try {
    return run();
  } catch (const sim::Error& error) {
    throw sim::Error("run ", name, ": ", error);
  }
}

/// True if a run is small enough to be followed by hand: only these have values at a cursor.
bool few_values(const sim::Shape& shape) {
  return shape.batch * shape.heads == 1 && shape.seqlen_q <= 64 && shape.seqlen_k <= 64;
}

/// Adds the error of a short run in e4m3 of one head, `values.rmse`: its values take a few hundredths of a second.
void add_error(sim::Simulation& simulation) {
  const sim::Plan& plan = simulation.plan;
  const sim::Shape& shape = plan.problem.shape;
  const bool is_short = shape.batch * shape.heads == 1 && std::max(shape.seqlen_q, shape.seqlen_k) <= longest_in_e4m3;
  if (!plan.problem.fp8() || !is_short) return;
  const sim::AttentionInputs inputs = sim::inputs_of(plan.scenario);
  simulation.check = sim::check_outputs(plan, inputs, sim::compute(plan, inputs));
}

}  // namespace

sim::OptionValues options_of(const Lesson& lesson, const Step& step, const sim::OptionValues& changes) {
  return changed(changed(read_options(lesson.scenario), read_changes(step.scenario)), changes);
}

std::shared_ptr<const sim::Simulation> KeptRuns::of(const sim::OptionValues& options, const sim::GpuLookup& gpu) {
  std::shared_ptr<const sim::Simulation>& run = kept_[options];
  if (run != nullptr) return run;
  const auto made = std::make_shared<sim::Simulation>(sim::simulate(sim::scenario_from(options, gpu)));
  add_error(*made);
  return run = made;
}

Scene::Scene(const Lesson& lesson, const Step& step, sim::GpuLookup gpu, const sim::OptionValues& changes)
    : Scene(lesson, step, std::move(gpu), changes, *std::make_unique<KeptRuns>()) {}

Scene::Scene(const Lesson& lesson, const Step& step, sim::GpuLookup gpu, const sim::OptionValues& changes,
             KeptRuns& runs)
    : gpu_(std::move(gpu)),
      options_(options_of(lesson, step, changes)),
      run_(named("of the step", [&] { return runs.of(options_, gpu_); })) {
  facts_.add("", *run_);
  for (const auto* others : {&lesson.others, &step.others}) {
    for (const Other& other : *others) {
      const auto options = changed(options_, read_changes(other.scenario));
      facts_.add(other.name, *named(other.name, [&] { return runs.of(options, gpu_); }));
    }
  }
  if (!step.at) return;
  cursor_ = find_cursor(*run_, *step.at);
  if (few_values(run_->plan.problem.shape)) facts_.add_here(values_at(*run_, *cursor_));
}

namespace {

/// Formats the other runs of a step for a link: "compare=gpu:t4,gpu:h100-sxm".
std::string compared(const std::vector<Other>& others) {
  std::string all;
  for (const Other& other : others) {
    std::string changes = other.scenario;
    for (char& c : changes) c = c == '&' ? '+' : c == '=' ? ':' : c;
    all += (all.empty() ? "compare=" : ",") + changes;
  }
  return all;
}

}  // namespace

std::string link_of(const sim::OptionValues& options, const Step& step, const std::optional<Cursor>& cursor) {
  std::string link = text_of(options);
  const auto add = [&](const std::string& part) {
    if (!part.empty()) link += (link.empty() ? "" : "&") + part;
  };
  if (cursor) {
    const sim::CtaPlace& place = cursor->place;
    add(sim::text("kernel=", cursor->kernel, "&cta=", place.batch, ",", place.head, ",", place.row, ",", place.col,
                  "&time="));
    sim::append_cycles(link, cursor->time);
  }
  if (step.point == "race") add(compared(step.others) + "&play=run");
  add(step.look);
  return link;
}

}  // namespace lessons
