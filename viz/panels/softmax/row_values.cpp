#include "viz/panels/softmax/row_values.h"

#include <algorithm>

namespace explorer {
namespace {

/// Values of a kernel that visits a row of tiles step by step.
SeenValues of_steps(View& view, const TileMatrix& matrix, HeadValues& head) {
  SeenValues seen;
  if (matrix.live_here().empty()) return seen;
  const std::shared_ptr<RowValues> row = head.row(matrix.row, matrix.part);
  Tasks& tasks = view.world.tasks;
  tasks.get<Resumed>(view.index, row);
  const std::int64_t step = matrix.pass * row->block().tiles() + matrix.visited_before();
  const auto& tile = tasks.get<TileValues>(view.index, row->history(), step);
  seen.row = row.get();
  seen.step = tile.found();
  if (seen.step != nullptr) seen.layers = &seen.step->layers;
  return seen;
}

/// Values of any other kernel.
SeenValues of_rows(View& view, const TileMatrix& matrix, HeadValues& head) {
  SeenValues seen;
  const Subject& subject = view.subject();
  const bool tiles = has_tiles(*subject.run, subject.replay->kernel);
  if (!tiles && !computes_rows(*subject.run, subject.replay->kernel)) return seen;
  const TilePlace place = place_of(subject, matrix);
  const std::shared_ptr<RowsTask> rows = head.numbers(place);
  Tasks& tasks = view.world.tasks;
  tasks.get<Resumed>(view.index, rows);
  seen.numbers = rows.get();
  if (matrix.visit < 0 || !tiles) return seen;
  const auto& tile = tasks.get<KernelTile>(view.index, subject.run, subject.replay->kernel, place, rows);
  seen.layers = tile.found();
  return seen;
}

}  // namespace

SeenValues seen_values(View& view, const TileMatrix& matrix) {
  const Subject& subject = view.subject();
  const std::int64_t of = place_of(subject, matrix).head;
  auto& head = view.world.tasks.get<HeadValues>(view.index, subject.run, subject.replay->kernel, of);
  return is_fused_forward(subject.launch()) ? of_steps(view, matrix, head) : of_rows(view, matrix, head);
}

}  // namespace explorer
