#include "viz/model/gpus.h"

#include <algorithm>

#include "sim/catalogue/options.h"
#include "sim/machine/device_override.h"
#include "sim/report/numbers.h"
#include "viz/words/words.h"

namespace explorer {
namespace {

constexpr OwnerWords owner_words[] = {
    {sim::Parallel::ring, /*say*/ "Contiguous", /*say*/ "GPU r has tokens r n to (r + 1) n", 0.521},
    {sim::Parallel::striped, /*say*/ "Striped", /*say*/ "GPU r has tokens r, r + P, r + 2P, ...", 0.744},
    {sim::Parallel::zigzag, /*say*/ "Zigzag", /*say*/ "GPU r has chunks r and 2P - 1 - r of 2P", 0.852}};

constexpr LinkPreset presets[] = {
    {"NVLink 4", 450'000'000'000}, {"NVLink 3", 300'000'000'000}, {"InfiniBand", 50'000'000'000}};

/// Sums of what GPUs compute: the kinds that are nowhere the slowest are measured too.
OwnerRun owner_run(sim::Scenario scenario, sim::Parallel parallel) {
  scenario.parallel = parallel;
  OwnerRun owner{.parallel = parallel, .meters = sim::measure_gpus(scenario)};
  const sim::GpuRun& run = owner.meters.run;
  double all = 0, longest = 0;
  for (std::int64_t step = 0; step < run.steps; ++step) {
    for (std::int64_t gpu = 0; gpu < run.gpus; ++gpu) all += owner.compute(step, gpu);
  }
  for (const sim::GpuStep& step : owner.meters.timeline) longest += step.compute;
  owner.computes = all / static_cast<double>(run.gpus);
  owner.imbalance = std::max(0.0, longest - owner.computes);  // 0, but for its rounding
  owner.link = owner.meters.exposed_microseconds;
  return owner;
}

}  // namespace

double OwnerRun::compute(std::int64_t step, std::int64_t gpu) const {
  const int kind = meters.run.kind_of(step, gpu);
  if (kind < 0) return 0;
  const sim::GpuKind& of = meters.kinds[static_cast<std::size_t>(kind)];
  const double merge = step > 0 ? of.merge_microseconds : 0;
  return of.microseconds + merge;
}

GpusMoment::GpusMoment(const sim::OptionValues& options, const sim::GpuLookup& gpu) {
  try {
    scenario_ = sim::scenario_from(options, gpu);
    for (const OwnerWords& owner : owner_words) owners_.push_back(owner_run(scenario_, owner.parallel));
  } catch (const sim::Error& error) {
    owners_.clear();
    error_ = error.what();
  }
}

const OwnerRun& GpusMoment::slowest() const {
  return *std::max_element(owners_.begin(), owners_.end(), [](auto& a, auto& b) { return a.all() < b.all(); });
}

bool has_gpus(const Subject& subject) {
  const auto gpus = subject.options.find("gpus");
  return gpus != subject.options.end() && gpus->second != "1" && !gpus->second.empty();
}

const GpusMoment& gpus_moment(const World& world, std::size_t subject) {
  const Subject& of = world.subject(subject);
  return world.tasks.get_for<GpusMoment>(subject, std::pair(of.options, of.run), of.options, world.gpu());
}

std::vector<std::int64_t> owners_of(const sim::GpuRun& run, std::int64_t side) {
  std::vector<std::int64_t> owner(static_cast<std::size_t>(side));
  for (std::int64_t gpu = 0; gpu < run.gpus; ++gpu) {
    for (const std::int64_t token : tokens_of(run, side, gpu)) owner[static_cast<std::size_t>(token)] = gpu;
  }
  return owner;
}

const OwnerWords& words_of(sim::Parallel parallel) {
  return *std::find_if(std::begin(owner_words), std::end(owner_words),
                       [&](const OwnerWords& words) { return words.parallel == parallel; });
}

std::span<const LinkPreset> link_presets() { return presets; }

std::string with_link(const sim::OptionValues& options, std::int64_t bytes_per_second) {
  const auto given = options.find("gpu");
  const sim::DeviceText device = sim::split_device(given == options.end() ? sim::Scenario{}.gpu->name : given->second);
  std::string changed(device.name);
  for (const std::string& field : device.fields) {
    if (!field.starts_with("link_bytes_per_second=")) changed += ":" + field;
  }
  return sim::text(changed, ":link_bytes_per_second=", bytes_per_second);
}

std::string gpus_headline(Language language, const GpusMoment& m) {
  const OwnerRun &ring = m.owners().front(), &zigzag = m.owners().back();
  return words::say_with(language, /*say*/ "{} GPUs: zigzag takes {}, contiguous {}", m.gpus(),
                         report::microseconds(zigzag.all()), report::microseconds(ring.all()));
}

std::string gpus_sentence(Language language, const GpusMoment& m) {
  const OwnerRun& zigzag = m.owners().back();
  const double hop = transfer_microseconds(*m.scenario().gpu, zigzag.meters.run.sent_beside);
  const double step = zigzag.meters.timeline.back().compute;
  if (zigzag.link == 0)
    return words::say_with(
        language,
        /*say*/ "A hop of {} is hidden behind each step of {}: who waits, waits for the slowest GPU.",
        report::microseconds(hop), report::microseconds(step));
  return words::say_with(language, /*say*/ "A hop of {} is longer than a step of {}: the rest of it shows.",
                         report::microseconds(hop), report::microseconds(step));
}

}  // namespace explorer
