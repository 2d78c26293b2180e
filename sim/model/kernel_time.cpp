#include "sim/model/kernel_time.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

#include "sim/machine/device_fields.h"
#include "sim/model/cta_time.h"
#include "sim/model/issued_runs.h"

namespace sim {
namespace {

constexpr double port_bytes_per_cycle = 64;  // per SM, to and from the L2

double real(std::int64_t n) { return static_cast<double>(n); }

/// Rates that all SMs share, in bytes per cycle of the SMs' clock, and the slower of the two for this kernel.
struct Chip {
  double l2, hbm, hbm_share;
  bool hbm_is_slower() const { return hbm_share / hbm > 1 / l2; }
};

Chip chip_of(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const double hz = real(clock_hz(plan, launch));
  const double reached = launch.unfused ? framework_efficiency(plan.scenario) * real(gpu.hbm_bytes_per_second)
                                        : replay_number(gpu, &DeviceSpec::hbm_measured_bytes_per_second);
  return {replay_number(gpu, &DeviceSpec::l2_bytes_per_second) / hz, reached / hz,
          real(demand.hbm.count()) / std::max(1.0, real(demand.tile.count()))};
}

/// CTAs in flight before the tail, and the most of them on one SM.
struct InFlight {
  std::int64_t ctas = 1;
  int on_sm = 1;
};

InFlight in_flight_of(const Plan& plan, const KernelDemand& demand, std::int64_t ctas) {
  const std::int64_t sms = plan.scenario.gpu->sm_count;
  return {std::min(ctas, checked_multiply(sms, demand.residents)),
          static_cast<int>(std::min(demand.residents, ceil_div(ctas, sms)))};
}

/// Port of an SM that holds `in_flight.on_sm` CTAs: all CTAs in flight divide the chip's bandwidth evenly.
SmPort port_of(const Plan& plan, const Launch& launch, const Chip& chip, const InFlight& in_flight) {
  const auto cycles = [&](std::int64_t DeviceSpec::*member) { return replay_number(*plan.scenario.gpu, member); };
  const auto of_sm = [&](double bandwidth) { return bandwidth * in_flight.on_sm / real(in_flight.ctas); };
  SmPort port;
  port.cycles_per_byte = std::max({1 / port_bytes_per_cycle, 1 / of_sm(chip.l2), chip.hbm_share / of_sm(chip.hbm)});
  const double l2_latency = (cycles(&DeviceSpec::l2_latency_cycles) + cycles(&DeviceSpec::l2_far_latency_cycles)) / 2;
  port.latency = l2_latency + std::min(1.0, chip.hbm_share) * (cycles(&DeviceSpec::hbm_latency_cycles) - l2_latency);
  port.turnover = (launch.persistent ? 0 : cycles(&DeviceSpec::cta_turnover_cycles)) +
                  (launch.products == Products::wgmma ? plan.scenario.constants.row_block_cycles : 0);
  return port;
}

/// CTAs that skip no tile iterate equally often; others as often as their class has tiles.
Iterations iterations_of_class(const Shape& shape, const Launch& launch, const ClassKey& key, double average) {
  const Blocking keys{shape.seqlen_k, launch.grid.bc};
  if (launch.grid.of_heads()) return {real(keys.count()), average};
  if (!launch.grid.skips || launch.grid.of_tiles()) return {1, average};
  return {1, std::max(1.0, real(key.full_tiles + key.masked_tiles))};
}

std::string resource_of(const Budget& budget, const Chip& chip) {
  std::map<std::string, double> time;
  for (int p = 0; p < pipe_count; ++p) {
    const Pipe pipe = static_cast<Pipe>(p);
    time[std::string(name_of(pipe))] = budget[work_on(pipe)] + budget[busy(pipe)];
  }
  time[chip.hbm_is_slower() ? "hbm" : "l2"] = budget[Cause::bandwidth];
  time["latency"] = budget[Cause::data];
  for (const Cause cause : {Cause::barrier, Cause::turn, Cause::stage, Cause::launch, Cause::tail}) {
    time[std::string(name_of(cause))] = budget[cause];
  }
  return std::max_element(time.begin(), time.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
}

/// Number of CTAs that share a head if a program shares heads, as version 1 of the released flash1 does. Forward, if
/// heads leave slots empty: the fewest that fill their waves to 95 % of the best; backward: one for each block of keys,
/// if that fills waves better. Inaccuracy: together they read the bytes of one CTA; in that code each reads K and V, or
/// Q and dO, again.
std::int64_t ctas_per_head(const Plan& plan, const Launch& launch, std::int64_t heads, std::int64_t slots) {
  if (!plan.code->shares_heads) return 1;
  const auto filled = [&](std::int64_t ctas) {
    return real(ctas * heads) / real(checked_multiply(ceil_div(ctas * heads, slots), slots));
  };
  if (launch.writes(Tensor::dK)) {
    const std::int64_t blocks = ceil_div(plan.problem.shape.seqlen_k, launch.grid.bc);
    return filled(1) >= filled(blocks) / (1 + 1 / real(blocks)) ? 1 : blocks;
  }
  if (5 * heads >= 4 * slots) return 1;
  constexpr std::int64_t most = 30;
  double best = 0;
  for (std::int64_t ctas = 1; ctas <= most; ++ctas) best = std::max(best, filled(ctas));
  std::int64_t ctas = 1;
  while (filled(ctas) < 0.95 * best) ++ctas;
  return ctas;
}

/// Slowdown of each of r CTAs against one alone: scheduled for 1 and for all, linear in between.
std::vector<double> slowdowns(double all, std::int64_t residents) {
  std::vector<double> slowdown;
  for (std::int64_t r = 0; r < residents; ++r)
    slowdown.push_back(1 + (all - 1) * real(r) / real(std::max<std::int64_t>(1, residents - 1)));
  return slowdown;
}

/// Budgets of all CTAs: each next to neighbours, and each alone on its SM.
struct BudgetOfCtas {
  Budget crowded, alone;

  /// Returns the budget of CTAs that hold their slots for so many cycles: some of those in the tail have no neighbours.
  Budget holding(double cycles) const {
    const double most = crowded.total(), least = alone.total();
    const double part = most > least ? std::clamp((cycles - least) / (most - least), 0.0, 1.0) : 1;
    const Budget mixed = Budget{}.add(crowded, part).add(alone, 1 - part);
    return Budget{}.add(mixed, cycles / mixed.total());
  }
};

/// The budget of all CTAs spread over the slots that hold them; what is left of the makespan is tail.
KernelTime in_microseconds(const Plan& plan, std::int64_t hz, const Chip& chip, const BudgetOfCtas& all,
                           const Waves& waves, std::int64_t slots) {
  const double per_cycle = 1e6 / real(hz);
  const auto cycles = [](Cycles time) { return real(time.count()) / real(ticks_per_cycle); };
  const double grid_time = cycles(waves.makespan) * per_cycle;
  const double held = std::min(cycles(waves.busy) / real(slots) * per_cycle, grid_time);
  const double launch = replay_number(*plan.scenario.gpu, &DeviceSpec::launch_nanoseconds) * 1e-3;
  KernelTime time;
  time.clock_hz = hz;
  time.microseconds = launch + grid_time;
  const bool ends_together = grid_time - held <= 1e-6 * grid_time;  // but for a rounding
  const double all_slots = real(slots) / per_cycle;
  time.budget.add(all.holding((ends_together ? grid_time : held) * all_slots), 1 / all_slots);
  if (!ends_together) time.budget[Cause::tail] += grid_time - held;
  time.budget[Cause::launch] += launch;
  time.bound_by = resource_of(time.budget, chip);
  return time;
}

/// The grid as it runs, a segment for each class of entries, and how many CTAs share what one does in the program.
struct SharedGrid {
  std::vector<Grid> segments;
  std::int64_t shares = 1;
  std::int64_t ctas() const {
    std::int64_t all = 0;
    for (const Grid& grid : segments) all = checked_add(all, grid.ctas());
    return all;
  }
};

SharedGrid grid_of(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  SharedGrid shared{segments_of(plan, launch)};
  const std::int64_t slots = checked_multiply(plan.scenario.gpu->sm_count, demand.residents);
  shared.shares = ctas_per_head(plan, launch, shared.ctas(), slots);
  for (Grid& grid : shared.segments) {
    for (Run& run : grid.runs) run.count = checked_multiply(run.count, shared.shares);
  }
  return shared;
}

/// Every CTA of a kernel on the SMs: how long those of each run take, what they spend it on, and when they run.
struct ScheduledGrid {
  SharedGrid grid;
  std::vector<std::size_t> classes;  ///< class of each run of a ragged batch, in issue order
  SmSlots slots;
  BudgetOfCtas budget;
  Waves waves;
  double startup = 0;  ///< cycles before the first of them are as fast as the others
};

/// CTAs of a run: the class that has them, and the cycles of each next to its neighbours.
struct TimedRun {
  IssuedRun issued;
  Run run;
  std::int64_t repeats = 1;
  double cycles = 0;
};

/// Sorts the runs of a ragged batch whose entries each begin with their longest CTAs, those of all heads together:
/// entry after entry, in the order of the file or those with the longest CTA first. A segment is a class, repeated for
/// its entries. Inaccuracy: heads beyond a section (kv_heads_of_section) follow those before them in released code.
std::vector<Grid> entry_by_entry(const Plan& plan, std::vector<TimedRun>& runs) {
  std::vector<double> longest(classes_of(plan).size());
  for (const TimedRun& run : runs) longest[run.issued.of_class] = std::max(longest[run.issued.of_class], run.cycles);
  if (plan.scenario.issue == IssueOrder::file) std::fill(longest.begin(), longest.end(), 0.0);
  std::stable_sort(runs.begin(), runs.end(), [&](const TimedRun& a, const TimedRun& b) {
    const std::size_t of_a = a.issued.of_class, of_b = b.issued.of_class;
    if (of_a == of_b) return a.cycles > b.cycles;
    return longest[of_a] != longest[of_b] ? longest[of_a] > longest[of_b] : of_a < of_b;
  });
  std::vector<Grid> segments;
  for (std::size_t n = 0; n < runs.size(); ++n) {
    const std::size_t of_class = runs[n].issued.of_class;
    const std::int64_t entries = classes_of(plan)[of_class].problem.shape.batch;
    if (n == 0 || runs[n - 1].issued.of_class != of_class) segments.push_back({{}, entries});
    Run run = runs[n].run;
    run.count = checked_multiply(run.count, runs[n].repeats / entries);
    segments.back().runs.push_back(run);
  }
  return segments;
}

/// The order of issue: segment after segment, or longest first, each run a separate segment.
std::vector<Grid> in_issue_order(const Plan& plan, const Launch& launch, const SharedGrid& grid,
                                 std::vector<TimedRun>& runs) {
  if (plan.classes != nullptr && launch.longest_first) return entry_by_entry(plan, runs);
  if (plan.scenario.issue == IssueOrder::file && !launch.longest_first) return grid.segments;
  std::stable_sort(runs.begin(), runs.end(), [](auto& a, auto& b) { return a.cycles > b.cycles; });
  std::vector<Grid> segments;
  for (const TimedRun& timed : runs) segments.push_back({{timed.run}, timed.repeats});
  return segments;
}

/// Times of CTAs next to their neighbours, and their totals.
struct TimedRuns {
  std::vector<TimedRun> runs;
  BudgetOfCtas budget;
  double slowdown = 1;  ///< average of a CTA next to its neighbours
  double startup = 0;   ///< cycles before the first CTAs are as fast as the others
  SharedBandwidth bandwidth;
  WalkPace pace;  ///< pace of a CTA alone on its SM
};

/// The pace of CTAs that take `cycles` next to their neighbours, on average for `iterations`.
WalkPace pace_of(CtaTime& cta, Iterations iterations, double cycles, double slowdown) {
  const auto at = [&](double times) { return cta.at({times * iterations.outer, times * iterations.inner}).total(); };
  const double loops = std::clamp(at(2) - at(1), 0.0, cycles);
  return {loops / iterations.inner / slowdown, (cycles - loops) / slowdown};
}

TimedRuns time_runs(const Plan& plan, const Launch& launch, const KernelDemand& demand, const SharedGrid& grid) {
  SampledCta sampled(plan, launch);
  const Chip chip = chip_of(plan, launch, demand);
  const InFlight all = in_flight_of(plan, demand, grid.ctas());
  CtaTime cta(sampled, port_of(plan, launch, chip, all), all.on_sm);
  TimedRuns timed;
  std::vector<std::pair<Iterations, double>> ctas;  // iterations of each run's CTAs, and their number
  Iterations sum{0, 0};
  double number = 0;
  const std::span<const Plan> classes = classes_of(plan, launch);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const double average = demand.class_iterations.empty() ? demand.iterations : demand.class_iterations[c];
    for (std::size_t n = 0; n < grid.segments[c].runs.size(); ++n) {
      const Run& run = grid.segments[c].runs[n];
      const Iterations iterations =
          iterations_of_class(classes[c].problem.shape, launch, run.key, average / real(grid.shares));
      ctas.emplace_back(iterations, real(run.count) * real(grid.segments[c].repeats));
      number += ctas.back().second;
      sum.outer += ctas.back().second * iterations.outer;
      sum.inner += ctas.back().second * iterations.inner;
      const Budget of_cta = cta.at(iterations);
      timed.budget.crowded.add(of_cta, ctas.back().second);
      timed.runs.push_back({{c, n}, run, grid.segments[c].repeats, of_cta.total()});
    }
  }
  timed.startup = cta.startup();
  const auto alone = [&](const SmPort& port, Budget& of_all) {  // cycles of all CTAs, each alone on its SM
    CtaTime time(sampled, port, 1);
    double cycles = 0;
    for (const auto& [iterations, count] : ctas) {
      const Budget of_cta = time.at(iterations);
      of_all.add(of_cta, count);
      cycles += count * of_cta.total();
    }
    return cycles;
  };
  const SmPort part = port_of(plan, launch, chip, {all.ctas, 1});
  const double together = timed.budget.crowded.total(),
               with_part = all.on_sm > 1 ? alone(part, timed.budget.alone) : together;
  if (all.on_sm == 1) timed.budget.alone = timed.budget.crowded;
  timed.slowdown = std::max(1.0, together / with_part);
  timed.pace = pace_of(cta, {sum.outer / number, sum.inner / number}, together / number, timed.slowdown);
  // Neighbours that have drifted apart take turns at the port. The first ones begin together, each with its part only.
  timed.startup += std::max(0.0, with_part - together) / real(grid.ctas());
  std::vector<SharedBandwidth::Rate> rates;
  const auto add_rate = [&](const SmPort& port) {
    const double byte = port.cycles_per_byte / part.cycles_per_byte, least = rates.empty() ? 0 : rates.back().cta;
    Budget unused;
    rates.push_back({byte, std::clamp(alone(port, unused) / with_part, std::max(byte, least), 1.0)});
  };
  add_rate(port_of(plan, launch, chip, {1, 1}));
  if (all.on_sm > 1) add_rate(port_of(plan, launch, chip, all));  // one CTA is left on each SM
  rates.push_back({1, 1});
  timed.bandwidth.rates = std::move(rates);
  return timed;
}

ScheduledGrid schedule_ctas(const Plan& plan, const Launch& launch, const KernelDemand& demand,
                            std::int64_t residencies) {
  ScheduledGrid all{grid_of(plan, launch, demand), {}, {plan.scenario.gpu->sm_count, {1}}, {}, {}, 0};
  TimedRuns timed = time_runs(plan, launch, demand, all.grid);
  all.budget = timed.budget;
  all.startup = timed.startup;
  all.slots.slowdown = slowdowns(timed.slowdown, in_flight_of(plan, demand, all.grid.ctas()).on_sm);
  all.slots.bandwidth = timed.bandwidth;
  all.grid.segments = in_issue_order(plan, launch, all.grid, timed.runs);
  std::vector<Cycles> durations;  // time of each run's CTA alone
  for (const TimedRun& run : timed.runs) {
    durations.push_back(nearest_tick(run.cycles / all.slots.slowdown.back()));
    if (plan.classes != nullptr || launch.pieces != nullptr) all.classes.push_back(run.issued.of_class);
  }
  all.waves =
      schedule_grid(all.grid.segments, durations, all.slots, {.order = launch.grid.raster, .residencies = residencies});
  return all;
}

}  // namespace

double framework_efficiency(const Scenario& s) {
  const std::int64_t percent = s.gpu->framework_hbm_percent;
  return percent > 0 ? real(percent) / 100 : s.constants.framework_efficiency;
}

std::vector<IssuedRun> issued_runs(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  const SharedGrid grid = grid_of(plan, launch, demand);
  TimedRuns timed = time_runs(plan, launch, demand, grid);
  in_issue_order(plan, launch, grid, timed.runs);
  std::vector<IssuedRun> runs;
  for (const TimedRun& run : timed.runs) runs.push_back(run.issued);
  return runs;
}

SmLoad sm_load(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  const InFlight all = in_flight_of(plan, demand, grid_of(plan, launch, demand).ctas());
  return {port_of(plan, launch, chip_of(plan, launch, demand), all), all.on_sm};
}

GridPace grid_pace(const Plan& plan, const Launch& launch, KernelDemand demand) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const SharedGrid of_program{segments_of(plan, launch)};
  GridPace grid;
  grid.chip.slots.sm_count = gpu.sm_count;
  grid.chip.slots.slowdown = std::vector<double>(static_cast<std::size_t>(demand.residents), 1);
  if (!has_time(gpu)) {
    grid.pace = {1, 0};
    grid.chip.hbm_bytes_per_cycle = std::numeric_limits<double>::infinity();
    return grid;
  }
  demand.hbm = {};
  const TimedRuns timed = time_runs(plan, launch, demand, of_program);
  grid.pace = timed.pace;
  grid.chip.slots.slowdown = slowdowns(timed.slowdown, in_flight_of(plan, demand, of_program.ctas()).on_sm);
  grid.chip.hbm_bytes_per_cycle = chip_of(plan, launch, demand).hbm;
  // A longer latency is part of the pace already.
  grid.chip.hbm_latency =
      std::min(replay_number(gpu, &DeviceSpec::hbm_latency_cycles), timed.pace.step * timed.slowdown);
  return grid;
}

/// Returns an unknown time: NaN, except for the number of SMs that get a CTA.
KernelTime unknown_time(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  KernelTime time;
  time.clock_hz = clock_hz(plan, launch);
  time.microseconds = unknown;
  for (const Cause cause : all_causes) time.budget[cause] = unknown;
  time.sms_busy = std::min(grid_of(plan, launch, demand).ctas(), plan.scenario.gpu->sm_count);
  return time;
}

namespace {

/// Lifts the time to that of CTAs which queue for HBM together.
void wait_for_hbm(const Plan& plan, const Launch& launch, KernelDemand demand, KernelTime& time) {
  const double stretch = demand.stretch, begin = time.budget[Cause::launch];
  demand.hbm = {};
  demand.stretch = 1;
  const KernelTime own = predict(plan, launch, demand);
  const double coupled = own.microseconds + (stretch - 1) * (own.microseconds - begin);
  if (coupled <= time.microseconds) return;
  time.budget[Cause::bandwidth] += coupled - time.microseconds;
  time.microseconds = coupled;
}

}  // namespace

KernelTime predict(const Plan& plan, const Launch& launch, const KernelDemand& demand) {
  if (!has_time(*plan.scenario.gpu)) return unknown_time(plan, launch, demand);
  ScheduledGrid all = schedule_ctas(plan, launch, demand, 0);
  const std::int64_t slots = std::min(all.grid.ctas(), all.slots.count());
  all.waves.makespan += nearest_tick(all.startup);
  all.waves.busy += nearest_tick(all.startup * real(slots));
  for (Budget* budget : {&all.budget.crowded, &all.budget.alone}) (*budget)[Cause::launch] += all.startup * real(slots);
  KernelTime time =
      in_microseconds(plan, clock_hz(plan, launch), chip_of(plan, launch, demand), all.budget, all.waves, slots);
  time.sms_busy = std::min(all.grid.ctas(), all.slots.sm_count);
  if (demand.stretch > 1) wait_for_hbm(plan, launch, demand, time);
  return time;
}

namespace {

/// Waves that take `factor` times as long.
Waves stretched(Waves waves, double factor) {
  const auto stretch = [factor](Cycles& time) {
    time = nearest_tick(real(time.count()) / real(ticks_per_cycle) * factor);
  };
  for (Cycles* time :
       {&waves.makespan, &waves.busy, &waves.tail_begin, &waves.tail_idle, &waves.skip_begin, &waves.skip_end})
    stretch(*time);
  for (RunTimes& run : waves.runs) {
    stretch(run.begin);
    stretch(run.end);
  }
  for (Residency& residency : waves.residencies) {
    stretch(residency.begin);
    stretch(residency.end);
  }
  return waves;
}

}  // namespace

GridInTime grid_in_time(const Plan& plan, const Launch& launch, const KernelDemand& demand, std::int64_t residencies) {
  ScheduledGrid all = schedule_ctas(plan, launch, demand, residencies);
  if (has_time(*plan.scenario.gpu)) {
    // CTAs load their first tiles at the same time, and queue for HBM together: a picture spreads this over all of
    // them.
    const KernelTime time = predict(plan, launch, demand);
    const double launching = replay_number(*plan.scenario.gpu, &DeviceSpec::launch_nanoseconds) * 1e-3;
    const double cycles = (time.microseconds - launching) * 1e-6 * real(time.clock_hz);
    all.waves = stretched(std::move(all.waves), cycles * real(ticks_per_cycle) / real(all.waves.makespan.count()));
  }
  return {all.grid.ctas(),         all.grid.shares,      all.slots.sm_count,
          all.slots.ctas_per_sm(), std::move(all.waves), std::move(all.classes)};
}

}  // namespace sim
