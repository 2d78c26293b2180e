// Counts a plan over its whole grid, with a brute force that checks it.
#include "sim/programs/launch_cta.h"

namespace sim {
namespace {

/// Returns the largest value in [1, start] for which `fits` holds, 0 if there is none; once false, fits must stay false
/// for larger values.
template <class Fits>
std::int64_t largest_that(Fits fits, std::int64_t start) {
  std::int64_t good = 0, bad = start + 1;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

[[noreturn]] void explain_overflow(const Plan& plan, const Launch& launch, const TileOverflow& overflow) {
  const Tiling& t = launch.tiling;
  const Scenario& s = plan.scenario;
  const std::int64_t br_step = plan.code->br_step, bc_step = plan.code->bc_step;
  const auto fits = [&](std::int64_t rows, std::int64_t keys) { return tiles_fit(s, rows, keys); };
  const std::int64_t bc =
      bc_step * largest_that([&](std::int64_t n) { return fits(t.br, bc_step * n); }, t.bc / bc_step);
  const std::int64_t br =
      br_step * largest_that([&](std::int64_t n) { return fits(br_step * n, t.bc); }, t.br / br_step);
  const Sentence fewer_keys = Sentence::of("with --br ", t.br, " the largest --bc is ", bc);
  const Sentence fewer_rows = Sentence::of("with --bc ", t.bc, " the largest --br is ", br);
  const Sentence advice = bc > 0 && br > 0 ? Sentence::of(fewer_keys, ", ", fewer_rows)
                          : bc > 0         ? fewer_keys
                          : br > 0         ? fewer_rows
                                   : Sentence(/*say*/ "neither a smaller --br nor a smaller --bc alone is enough");
  const Problem& p = plan.problem;
  const Sentence wider = !p.runs_wider() ? ""
                                         : Sentence::of("; head-dim ", text_of(p.shape.head_dims()),
                                                        " runs as the kernel of ", text_of(p.kernel_dims));
  throw Error(overflow, wider, "; tiles (br ", t.br, ", bc ", t.bc, ") do not fit on ", s.gpu->name, ": ", advice);
}

}  // namespace

Trace count(const Plan& plan, const Launch& launch) {
  if (plan.problem.runs_wider())
    count(as_compiled(plan), of_all_rows(launch));  // the tiles of the compiled kernel have to fit
  Trace trace = empty_trace(launch);
  for (const Plan& of_class : classes_of(plan, launch)) {
    const Launch& seen = launch_of(of_class, launch);
    CtaSetup setup = setup_of(of_class, seen);
    for (const CtaGroup& group : cta_groups(of_class.problem.shape, seen.grid)) {
      setup.row = group.row;
      setup.col = group.col;
      setup.times = group.times;
      run_cta(of_class, seen, setup, of_class.problem, trace);
    }
  }
  return trace;
}

std::vector<Trace> count(const Plan& plan) {
  std::vector<Trace> traces;
  for (const Launch& launch : plan.launches) {
    try {
      traces.push_back(count(plan, launch));
    } catch (const TileOverflow& overflow) {
      explain_overflow(plan, launch, overflow);
    }
  }
  return traces;
}

Totals count_by_brute_force(const Plan& plan) {
  Totals totals;
  for (const Launch& of_plan : plan.launches) {
    for (const Plan& of_class : classes_of(plan, of_plan)) {
      const Launch& launch = launch_of(of_class, of_plan);
      for (std::int64_t head = 0; head < launch.grid.repeats(of_class.problem.shape); ++head) {
        each_cta(of_class.problem.shape, launch.grid, [&](const Block& row, const Block& col) {
          Trace trace = empty_trace(launch);
          run_cta(of_class, launch, replay_setup(of_class, launch, row, col), of_class.problem, trace);
          add_to(totals, trace);
        });
      }
    }
  }
  return totals;
}

std::optional<std::int64_t> asked_bc(const Scenario& s) {
  const auto program = program_of(s);
  if (program->tile_pages > 0) {
    const std::int64_t rows = s.page_size.value_or(program->tile_pages);
    require(!s.bc || *s.bc == rows, "bc: ", s.bc.value_or(0), " is not ", rows,
            ", the tokens of a page: key blocks of ", program->name, " are pages; use --page-size");
    return rows;
  }
  for (const OwnOption& option : program->options) {
    const auto named = own_option(s, option.name);
    if (!option.sets_bc || !named) continue;
    require(!s.bc || *s.bc == *named, option.name, ": ", *named, " and --bc ", s.bc.value_or(0),
            " are the same size of ", program->name, ": give one of them");
    return named;
  }
  return s.bc;
}

Scenario with_tiles(Scenario scenario, std::optional<std::int64_t> br, std::optional<std::int64_t> bc) {
  const auto program = program_of(scenario);
  scenario.br = br;
  scenario.bc = program->whole_rows || program->tile_pages > 0 ? std::nullopt : bc;
  if (program->tile_pages > 0 && bc) scenario.page_size = bc;
  for (const OwnOption& option : program->options) {
    if (option.sets_bc) scenario.own.erase(std::string(option.name));
  }
  return scenario;
}

bool tiles_fit(const Scenario& scenario, std::int64_t br, std::int64_t bc) {
  try {
    const Plan plan = make_plan(with_tiles(scenario, br, bc));
    for (const Launch& launch : plan.launches) count(plan, launch);
  } catch (const TileOverflow&) {
    return false;
  }
  return true;
}

}  // namespace sim
