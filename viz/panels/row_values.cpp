#include "viz/panels/row_values.h"

#include <algorithm>

namespace explorer {
namespace {

std::string key_of_head(const Subject& subject, std::int64_t head) {
  std::string key;
  for (const auto& [name, value] : subject.options) key += name + "=" + value + "&";
  return sim::text(key, subject.replay->kernel, " ", head);
}

/// A kernel that goes along rows of tiles.
SeenValues of_steps(View& view, const TileMatrix& matrix, HeadValues& head, const std::string& key) {
  SeenValues seen;
  if (matrix.live(matrix.row).empty()) return seen;
  const std::shared_ptr<RowValues> row = head.row(matrix.row);
  Tasks& tasks = view.model.tasks;
  tasks.get<Resumed>(view.id("values of the row"), sim::text(key, " ", matrix.row), row);
  const std::int64_t step = matrix.pass * row->block().tiles() + matrix.col - matrix.live(matrix.row).begin;
  const TileValues& tile = tasks.get<TileValues>(view.id("values of the one tile"),
                                                 sim::text(key, " ", matrix.row, " ", step), row->history(), step);
  seen.row = row.get();
  seen.step = tile.found();
  if (seen.step != nullptr) seen.layers = &seen.step->layers;
  return seen;
}

bool uses_rows(const sim::Launch& launch) {
  return knows_tiles(launch) || (launch.reads(sim::Tensor::dO) && launch.writes(sim::Tensor::D));
}

/// Any other kernel.
SeenValues of_rows(View& view, const TileMatrix& matrix, HeadValues& head, const std::string& key) {
  SeenValues seen;
  const Subject& subject = view.subject();
  if (!uses_rows(subject.launch())) return seen;
  const TilePlace place = place_of(subject, matrix);
  const std::shared_ptr<RowsTask> rows = head.numbers(place.row);
  Tasks& tasks = view.model.tasks;
  tasks.get<Resumed>(view.id("values of the row"), sim::text(key, " ", place.row), rows);
  seen.numbers = rows.get();
  if (matrix.visit < 0 || !knows_tiles(subject.launch())) return seen;
  const std::string name = sim::text(key, " ", place.row, " ", place.col, " ", place.pass);
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
  return RowBlock::knows(subject.launch()) ? of_steps(view, matrix, head, key) : of_rows(view, matrix, head, key);
}

}  // namespace explorer
