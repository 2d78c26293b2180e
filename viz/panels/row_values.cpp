#include "viz/panels/row_values.h"

#include <algorithm>

namespace explorer {
namespace {

std::string key_of_row(const Subject& subject, std::int64_t row) {
  std::string key;
  for (const auto& [name, value] : subject.options) key += name + "=" + value + "&";
  const sim::CtaPlace& place = subject.replay->place;
  return sim::text(key, subject.replay->kernel, " ", place.batch, " ", place.head, " ", row);
}

}  // namespace

SeenValues seen_values(View& view, const TileMatrix& matrix) {
  const Subject& subject = view.subject();
  SeenValues seen;
  if (!RowBlock::knows(subject.launch()) || matrix.live(matrix.row).empty()) return seen;
  const std::string key = key_of_row(subject, matrix.row);
  const sim::CtaPlace& place = subject.replay->place;
  RowValues& row = view.model.tasks.get<RowValues>(view.id("values of the row"), key, subject.run,
                                                   subject.replay->kernel, place.batch, place.head, matrix.row);
  seen.row = &row;
  seen.step = matrix.pass * row.block().tiles() + matrix.col - matrix.live(matrix.row).begin;
  const TileValues& tile = view.model.tasks.get<TileValues>(view.id("values of the one tile"),
                                                            sim::text(key, " ", seen.step), row.history(), seen.step);
  seen.tile = tile.found();
  return seen;
}

}  // namespace explorer
