#include "sim/programs/launch_cta.h"

#include <algorithm>

#include "sim/machine/cta.h"

namespace sim {

CtaSetup setup_of(const Plan& plan, const Launch& launch) {
  CtaSetup setup;
  setup.shape = &plan.problem.shape;
  setup.dtype = plan.problem.dtype;
  setup.round_p = launch.round_p;
  setup.fma = launch.products == Products::fma;
  setup.br = launch.grid.br;
  setup.bc = launch.grid.bc;
  setup.key_blocks = launch.grid.key_blocks();
  setup.all_keys = launch.grid.all_keys;
  setup.dropout = plan.problem.dropout;
  setup.score_steps = (launch.score_steps != nullptr ? launch.score_steps : plan.problem.score_steps).get();
  setup.sinks = plan.problem.sinks.get();
  if (launch.grid.by_kv_head()) setup.group = plan.problem.shape.heads / plan.problem.shape.kv_heads;
  setup.in_flight = launch.in_flight;
  setup.warps = launch.threads / 32;
  setup.resume_seed = plan.resume_seed;
  return setup;
}

Trace empty_trace(const Launch& launch) {
  Trace trace;
  trace.kernel = launch.name;
  trace.listing = launch.listing;
  return trace;
}

bool run_cta(const Plan& plan, const Launch& launch, const CtaSetup& setup, const Problem& problem, Trace& trace,
             Carried* held) {
  Capacity capacity = plan.capacity;
  capacity.listing = launch.listing.substr(launch.listing.rfind('/') + 1);
  const bool noted = setup.mode == Mode::replay && setup.keep_events;
  Space space(std::move(capacity), noted ? &trace : nullptr);
  Cta cta(setup, space, trace);
  Problem of_pass = problem;
  of_pass.tiling = launch.tiling;
  launch.body(cta, of_pass);
  trace.peak_smem = std::max(trace.peak_smem, space.peak_smem());
  trace.peak_registers = std::max(trace.peak_registers, space.peak_registers());
  if (held != nullptr) *held = std::move(cta.counter().carried());
  return !cta.counter().over();
}

CtaSetup replay_setup(const Plan& plan, const Launch& launch, const Block& row, const Block& col) {
  CtaSetup setup = setup_of(plan, launch);
  setup.mode = Mode::replay;
  setup.row = row;
  setup.col = col;
  return setup;
}

GridAxes grid_axes(const Shape& shape, GridShape grid) {
  return {grid.cta_rows(shape), grid.cta_columns(shape), grid.cuts_rows() ? Origin::cta : Origin::whole,
          grid.cuts_columns() ? Origin::cta : Origin::whole};
}

}  // namespace sim
