#include "viz/model/gpus.h"

#include <algorithm>
#include <cmath>

#include "sim/catalogue/options.h"
#include "sim/machine/device_override.h"
#include "sim/report/numbers.h"
#include "viz/words/words.h"

namespace explorer {
namespace {

constexpr OwnerWords owner_words[] = {
    {sim::Parallel::ring, /*say*/ "Contiguous", /*say*/ "GPU r has tokens r n to (r + 1) n", 0.521},
    {sim::Parallel::striped, /*say*/ "Striped", /*say*/ "GPU r has tokens r, r + P, r + 2P, ...", 0.744},
    {sim::Parallel::zigzag, /*say*/ "Zigzag", /*say*/ "GPU r has chunks r and 2P - 1 - r of 2P", 0.852},
    {sim::Parallel::gather, /*say*/ "All-gather", /*say*/ "contiguous; K and V of all come first"},
    {sim::Parallel::ulysses, /*say*/ "Ulysses", /*say*/ "contiguous; heads for tokens, and back"}};

constexpr LinkPreset presets[] = {{"NVLink 4", 450'000'000'000, 2'500},
                                  {"NVLink 3", 300'000'000'000, 2'500},
                                  {"InfiniBand", 50'000'000'000, 5'000}};  // latencies are estimates

/// Sums of what GPUs compute: the kinds that are nowhere the slowest are measured too.
OwnerRun owner_run(sim::Scenario scenario, sim::Parallel parallel) {
  scenario.parallel = parallel;
  OwnerRun owner{.parallel = parallel, .meters = sim::measure_gpus(scenario)};
  const sim::GpuRun& run = owner.meters.run;
  double all = 0, longest = 0;
  for (std::int64_t gpu = 0; gpu < run.gpus; ++gpu) all += owner.computes_in_all(gpu);
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
  if (!of.traces.empty()) return of.microseconds + (step > 0 ? of.merge_microseconds : 0);
  const sim::GpuKind &first = meters.kinds.front(), &last = meters.kinds.back();
  const auto further = [&](std::int64_t pairs) { return static_cast<double>(pairs - first.pairs); };
  const std::int64_t pairs = pairs_of_kind(meters.run.kinds[static_cast<std::size_t>(kind)].shape);
  return first.microseconds + (last.microseconds - first.microseconds) * further(pairs) / further(last.pairs);
}

double OwnerRun::computes_in_all(std::int64_t gpu) const {
  double all = 0;
  for (std::int64_t step = 0; step < meters.run.steps; ++step) all += compute(step, gpu);
  return all;
}

double OwnerRun::balance_of_tiles() const {
  return static_cast<double>(meters.all_pairs) /
         (static_cast<double>(meters.run.gpus) * static_cast<double>(meters.elements));
}

/// Of an owner that the length refuses the view has no card, unless it is that of the run.
void GpusMoment::add_owner(sim::Parallel parallel) {
  try {
    owners_.push_back(owner_run(scenario_, parallel));
  } catch (const sim::Error&) {
    if (parallel == scenario_.parallel) throw;
  }
}

GpusMoment::GpusMoment(const sim::OptionValues& options, const sim::GpuLookup& gpu) {
  try {
    scenario_ = sim::scenario_from(options, gpu);
    const bool whole = scenario_.parallel == sim::Parallel::gather || scenario_.parallel == sim::Parallel::ulysses;
    add_owner(whole ? scenario_.parallel : sim::Parallel::ring);
    add_owner(sim::Parallel::striped);
    add_owner(sim::Parallel::zigzag);
  } catch (const sim::Error& error) {
    owners_.clear();
    error_ = error.what();
  }
}

const OwnerRun& GpusMoment::own() const {
  return *std::find_if(owners_.begin(), owners_.end(),
                       [&](const OwnerRun& owner) { return owner.parallel == scenario_.parallel; });
}

const OwnerRun& GpusMoment::slowest() const {
  return *std::max_element(owners_.begin(), owners_.end(), [](auto& a, auto& b) { return a.all() < b.all(); });
}

const OwnerRun& GpusMoment::fastest() const {
  return *std::min_element(owners_.begin(), owners_.end(), [](auto& a, auto& b) { return a.all() < b.all(); });
}

bool has_gpus(const Subject& subject) {
  const auto gpus = subject.options.find("gpus");
  return gpus != subject.options.end() && gpus->second != "1" && !gpus->second.empty();
}

const GpusMoment& gpus_moment(const World& world, std::size_t subject) {
  const Subject& of = world.subject(subject);
  return world.tasks.get_for<GpusMoment>(subject, std::pair(of.options, of.run), of.options, world.gpu());
}

std::int64_t chosen_gpu(const Look& look, const GpusMoment& moment) {
  if (look.rank >= 0) return std::min<std::int64_t>(look.rank, moment.gpus() - 1);
  std::int64_t longest = 0;
  for (std::int64_t gpu = 1; gpu < moment.gpus(); ++gpu) {
    if (moment.own().computes_in_all(gpu) >= moment.own().computes_in_all(longest)) longest = gpu;
  }
  return longest;
}

bool in_gpus(const Model& model) {
  const Look& look = model.state.look;
  return look.center == Center::gpus && fills_window(look, false) && model.world.has_run() &&
         has_gpus(model.world.subject(0)) && !gpus_moment(model.world).owners().empty();
}

Edits next_gpu(const Model& model, int direction) {
  const GpusMoment& moment = gpus_moment(model.world);
  const std::int64_t next = chosen_gpu(model.state.look, moment) + direction;
  return {SetLook{"rank", sim::text(std::clamp<std::int64_t>(next, 0, moment.gpus() - 1))}};
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

std::string with_link(const sim::OptionValues& options, const LinkPreset& link) {
  const auto given = options.find("gpu");
  const sim::DeviceText device = sim::split_device(given == options.end() ? sim::Scenario{}.gpu->name : given->second);
  std::string changed(device.name);
  for (const std::string& field : device.fields) {
    if (!field.starts_with("link_")) changed += ":" + field;
  }
  return sim::text(changed, ":link_bytes_per_second=", link.bytes_per_second,
                   ":link_latency_nanoseconds=", link.nanoseconds);
}

std::string gpus_headline(Language language, const GpusMoment& m) {
  const OwnerRun &first = m.owners().front(), &fastest = m.fastest(), &slowest = m.slowest();
  if (report::microseconds(fastest.all()) == report::microseconds(slowest.all()))
    return words::say_with(language, /*say*/ "{} GPUs take {}, whichever tokens each has", m.gpus(),
                           report::microseconds(fastest.all()));
  const OwnerRun& other = &fastest == &first ? slowest : first;
  const auto title = [&](const OwnerRun& owner) { return words::say(language, words_of(owner.parallel).title); };
  return words::say_with(language, /*say*/ "{} GPUs: {} takes {}, {} {}", m.gpus(), title(fastest),
                         report::microseconds(fastest.all()), title(other), report::microseconds(other.all()));
}

namespace {

/// Shortest and longest computation with a transfer beside it; all but the last have one.
struct Beside {
  double shortest = 0, longest = 0, hop = 0;
};
Beside beside_of(const OwnerRun& owner) {
  Beside beside;
  for (const sim::GpuStep& step : owner.meters.timeline) {
    if (step.transfer <= 0) continue;
    beside.shortest = beside.hop == 0 ? step.compute : std::min(beside.shortest, step.compute);
    beside.longest = std::max(beside.longest, step.compute);
    beside.hop = step.transfer;
  }
  return beside;
}

/// What K, V and the rest wait for that all GPUs need before they begin.
std::string whole_sentence(Language language, const OwnerRun& own) {
  const std::string time = report::microseconds(own.link), share = report::percent(own.link / own.all());
  if (own.parallel == sim::Parallel::ulysses)
    return words::say_with(
        language,
        /*say*/ "Q, K and V travel before the one step, O after it: {}, {} of the time, and nothing hides it.", time,
        share);
  return words::say_with(
      language, /*say*/ "K and V of all GPUs arrive before the one step: {}, {} of the time, and nothing hides it.",
      time, share);
}

/// Why the pairs of the slowest GPU are those that they are.
std::string reason_of_balance(Language language, const GpusMoment& m, const OwnerRun& owner) {
  if (owner.parallel == sim::Parallel::ulysses)
    return words::say_with(language, /*say*/ "Each GPU has all tokens of {} heads.",
                           m.scenario().shape.heads / m.gpus());
  if (!m.scenario().shape.mask.causal)
    return std::string(words::say(language, /*say*/ "Without a mask each GPU has as much."));
  switch (owner.parallel) {
    case sim::Parallel::ring:
      return std::string(words::say(language, /*say*/ "The last GPU works in every step, the first in one."));
    case sim::Parallel::gather:
      return std::string(words::say(language, /*say*/ "The last GPU sees all keys, the first only its own."));
    case sim::Parallel::striped:
      return std::string(words::say(language, /*say*/ "Every step of every GPU has a diagonal."));
    default:
      return std::string(words::say(language, /*say*/ "Each GPU has an early and a late chunk."));
  }
}

}  // namespace

std::string gpus_sentence(Language language, const GpusMoment& m) {
  const OwnerRun& own = m.own();
  if (!own.passes()) return whole_sentence(language, own);
  const Beside beside = beside_of(own);
  const std::string hop = report::microseconds(beside.hop), shortest = report::microseconds(beside.shortest),
                    longest = report::microseconds(beside.longest), link = report::microseconds(own.link);
  if (own.link == 0 && own.imbalance < 5e-4 * own.all())
    return words::say_with(language, /*say*/ "A hop of {} hides behind each step, of {} or more: no GPU waits.", hop,
                           shortest);
  if (own.link == 0)
    return words::say_with(
        language,
        /*say*/ "A hop of {} hides behind each step, of {} or more: GPUs wait {} of their time, for the slowest.", hop,
        shortest, report::percent(own.imbalance / own.all()));
  if (beside.hop <= beside.longest)
    return words::say_with(language,
                           /*say*/ "A hop of {} hides behind steps of {}, not behind those of {}: {} of it show.", hop,
                           longest, shortest, link);
  return words::say_with(language, /*say*/ "A hop of {} is longer than each step, of {} or less: {} of hops show.", hop,
                         longest, link);
}

std::string gpus_description(Language language, const GpusMoment& m) {
  return gpus_headline(language, m) + ". " + gpus_sentence(language, m);
}

std::string threshold_sentence(Language language, const GpusMoment& m) {
  if (!m.own().passes()) return "";
  // A step takes x^2 of its time with x of the tokens, and a hop x of it, but for its latency.
  const Beside beside = beside_of(m.own());
  const double latency = 1e-3 * static_cast<double>(m.scenario().gpu->link_latency_nanoseconds);
  const double rate = beside.hop - latency, step = beside.shortest;
  const double x = (rate + std::sqrt(rate * rate + 4 * step * latency)) / (2 * step);
  const double tokens = std::ceil(x * static_cast<double>(m.scenario().shape.seqlen_k / m.gpus()));
  return words::say_with(
      language,
      /*say*/ "At the speed of its shortest step a hop hides from n = {} tokens a GPU on: n >= (e/2)(F/link)(Hk/H).",
      report::thousands(static_cast<std::int64_t>(tokens)));
}

std::string balance_sentence(Language language, const GpusMoment& m, const OwnerRun& owner) {
  const std::string reason = reason_of_balance(language, m, owner), tiles = report::percent(owner.balance_of_tiles());
  if (tiles == report::percent(owner.meters.balance())) return reason;
  return words::say_with(language, /*say*/ "With whole tiles {}. {}", tiles, reason);
}

}  // namespace explorer
