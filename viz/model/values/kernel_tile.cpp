#include "viz/model/values/kernel_tile.h"

#include <algorithm>

#include "sim/model/sampled_cta.h"

namespace explorer {

TilePlace place_of(const Subject& subject, const TileMatrix& matrix) {
  const sim::Shape& shape = subject.problem().shape;
  const sim::CtaPlace& cta = subject.replay->place;
  const std::int64_t group = sim::heads_of_cta(shape, subject.launch().grid);
  TilePlace place{(cta.batch * shape.heads) + cta.head * group, matrix.row, matrix.col, matrix.pass / group};
  if (matrix.visit >= 0) place.head += subject.replay->index.visits()[static_cast<std::size_t>(matrix.visit)].head;
  return place;
}

bool KernelTile::advance() {
  if (!rows_->done() && rows_->advance()) return true;
  if (!before_) begin();
  for (double ns = 0; !before_->done();) {
    ns += before_->next(rows_->window(), sim::KeepValues::none).nanoseconds;
    if (ns >= ns_per_slice) return true;
  }
  finish();
  return false;
}

/// Finds the visit in the CTA's outline; all its other visits are of the same rows.
void KernelTile::begin() {
  const sim::GridAxes axes = sim::grid_axes(plan().problem.shape, launch().grid);
  const sim::Block row = axes.row(place_.row), col = axes.col(launch().grid.cta_column_of(place_.col));
  const sim::Trace outline = rows_->window().outline(launch(), row, col);
  const TraceIndex index(outline);
  std::int64_t passes = 0;
  for (const Visit& visit : index.visits()) {
    if (visit.row == place_.row && visit.col == place_.col && passes++ <= place_.pass) visit_ = visit;
  }
  sim::require(passes > 0, "values: ", launch().name, " never works on tile (", place_.row, ", ", place_.col, ")");
  before_.emplace(launch(), row, col, iterations_before(outline, visit_));
}

void KernelTile::finish() {
  const sim::CtaPart part = before_->last(rows_->window(), visit_.iterations);
  const sim::Shape& shape = plan().problem.shape;
  const sim::GridShape& grid = launch().grid;
  found_ = layers_of(part.trace, visit_, sim::Blocking{shape.seqlen_q, grid.br}.elements(place_.row),
                     sim::Blocking{shape.seqlen_k, grid.bc}.elements(place_.col));
}

}  // namespace explorer
