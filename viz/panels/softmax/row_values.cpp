#include "viz/panels/softmax/row_values.h"

#include <algorithm>

namespace explorer {
namespace {

std::string key_of_head(const Subject& subject, std::int64_t head) {
  std::string key;
  for (const auto& [name, value] : subject.options) key += name + "=" + value + "&";
  return sim::text(key, subject.replay->kernel, " ", head);
}

/// Values of a kernel that visits a row of tiles step by step.
SeenValues of_steps(View& view, const TileMatrix& matrix, HeadValues& head, const std::string& key) {
  SeenValues seen;
  if (matrix.live_here().empty()) return seen;
  const std::shared_ptr<RowValues> row = head.row(matrix.row, matrix.part);
  const std::string of = sim::text(key, " ", matrix.row, " ", matrix.part);
  Tasks& tasks = view.model.tasks;
  tasks.get<Resumed>(view.id("values of the row"), of, row);
  const std::int64_t step = matrix.pass * row->block().tiles() + matrix.visited_before();
  const TileValues& tile =
      tasks.get<TileValues>(view.id("values of the one tile"), sim::text(of, " ", step), row->history(), step);
  seen.row = row.get();
  seen.step = tile.found();
  if (seen.step != nullptr) seen.layers = &seen.step->layers;
  return seen;
}

/// Values of any other kernel.
SeenValues of_rows(View& view, const TileMatrix& matrix, HeadValues& head, const std::string& key) {
  SeenValues seen;
  const Subject& subject = view.subject();
  const bool tiles = has_tiles(*subject.run, subject.replay->kernel);
  if (!tiles && !computes_rows(*subject.run, subject.replay->kernel)) return seen;
  const TilePlace place = place_of(subject, matrix);
  const std::shared_ptr<RowsTask> rows = head.numbers(place);
  Tasks& tasks = view.model.tasks;
  const std::string name = sim::text(key, " ", place.row, " ", place.col, " ", place.pass);
  const bool of_tile = subject.launch().grid.of_tiles();
  tasks.get<Resumed>(view.id("values of the row"), of_tile ? name : sim::text(key, " ", place.row), rows);
  seen.numbers = rows.get();
  if (matrix.visit < 0 || !tiles) return seen;
  const KernelTile& tile =
      tasks.get<KernelTile>(view.id("values of the one tile"), name, subject.run, subject.replay->kernel, place, rows);
  seen.layers = tile.found();
  return seen;
}

}  // namespace

SeenValues seen_values(View& view, const TileMatrix& matrix) {
  const Subject& subject = view.subject();
  const std::int64_t of = place_of(subject, matrix).head;
  const std::string key = key_of_head(subject, of);
  HeadValues& head =
      view.model.tasks.get<HeadValues>(view.id("values of the head"), key, subject.run, subject.replay->kernel, of);
  return is_fused_forward(subject.launch()) ? of_steps(view, matrix, head, key) : of_rows(view, matrix, head, key);
}

}  // namespace explorer
