// Runs one CTA of a launch, and walks the CTAs of one head.
#pragma once
#include "sim/machine/cta_setup.h"
#include "sim/machine/grid.h"
#include "sim/programs/run.h"

namespace sim {

CtaSetup setup_of(const Plan& plan, const Launch& launch);
CtaSetup replay_setup(const Plan& plan, const Launch& launch, const Block& row, const Block& col);
Trace empty_trace(const Launch& launch);

/// Runs the body once; its events go to the trace. Returns false if a cut stopped it; `held` then receives its values.
bool run_cta(const Plan& plan, const Launch& launch, const CtaSetup& setup, const Problem& problem, Trace& trace,
             Carried* held = nullptr);

/// The axes of a grid cut into the blocks of its CTAs; an axis that the grid does not cut is one block, at every index.
struct GridAxes {
  Blocking rows, cols;
  Origin row_origin, col_origin;
  Block row(std::int64_t i) const { return make_block(rows, row_origin == Origin::cta ? i : 0, row_origin); }
  Block col(std::int64_t j) const { return make_block(cols, col_origin == Origin::cta ? j : 0, col_origin); }
};
GridAxes grid_axes(const Shape& shape, GridShape grid);

/// Calls visit(row block, column block) for every CTA of one head in issue order.
template <class Visitor>
void each_cta(const Shape& shape, GridShape grid, Visitor visit) {
  const GridAxes axes = grid_axes(shape, grid);
  for (std::int64_t i = 0; i < axes.rows.count(); ++i) {
    for (std::int64_t j = 0; j < axes.cols.count(); ++j) visit(axes.row(i), axes.col(j));
  }
}

}  // namespace sim
