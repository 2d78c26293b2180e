#include "viz/panels/lesson/places.h"

#include <algorithm>
#include <charconv>

#include "lessons/places.h"
#include "sim/trace/tensors.h"
#include "viz/panels/matrix/matrix.h"

namespace explorer {
namespace {

using std::string_view;
using ui::Rect;

using Rects = std::vector<Rect>;

void add_probe(Rects& rects, const View& view, string_view name) {
  const auto found = view.ui.state.probes.find(name);
  if (found != view.ui.state.probes.end()) rects.push_back(found->second);
}

void add_marked(Rects& rects, const View& view, string_view name) {
  const auto [begin, end] = view.ui.state.places.equal_range(name);
  for (auto at = begin; at != end; ++at) rects.push_back(at->second);
}

std::int64_t number_or(string_view digits, std::int64_t otherwise) {
  std::int64_t number = otherwise;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// Adds a block of the matrix; a place without numbers is the block at the playhead.
void add_block(Rects& rects, View& view, string_view kind, string_view name) {
  const auto area = view.ui.state.probes.find("matrix");
  if (area == view.ui.state.probes.end()) return;
  const TileMatrix matrix(view.subject());
  const MatrixFrame frame{view, matrix, lens_of(view, matrix, area->second)};
  const std::size_t comma = std::min(name.find(','), name.size());
  std::int64_t row = matrix.row, col = matrix.col;
  if (kind != "column") row = number_or(name.substr(0, comma), row);
  if (kind == "column") col = number_or(name, col);
  if (kind == "tile") col = number_or(name.substr(std::min(comma + 1, name.size())), col);
  if (row >= matrix.rows.count() || col >= matrix.cols.count()) return;  // the learner changed the tiles
  Rect place = frame.tile(row, col);
  if (kind == "row") place = {area->second.x, place.y, area->second.width, place.height};
  if (kind == "column") place = {place.x, area->second.y, place.width, area->second.height};
  place = common(place.inset(-view.px(2)), area->second.inset(-view.px(4)));
  if (!place.empty()) rects.push_back(place);
}

/// Adds the whole matrix for a score matrix that is stored; for others, the tile at the playhead.
void add_scores(Rects& rects, View& view, sim::Tensor tensor) {
  if (!sim::is_score_matrix(tensor)) return;
  const auto& launch = view.subject().launch();
  if (launch.reads(tensor) || launch.writes(tensor)) return add_probe(rects, view, "matrix");
  add_block(rects, view, "tile", "");
}

/// Adds a tensor's blocks on chip: "smem/K3", "registers/O0".
void add_tiles(Rects& rects, const View& view, string_view name) {
  for (const string_view level : {"smem/", "registers/"}) {
    const std::string first = sim::text(level, name);
    const auto& probes = view.ui.state.probes;
    for (auto at = probes.lower_bound(first); at != probes.end() && at->first.starts_with(first); ++at) {
      const string_view rest = string_view(at->first).substr(first.size());
      if (rest.empty() || sim::is_digit(rest[0])) rects.push_back(at->second);
    }
  }
}

void add_lines(Rects& rects, const View& view, string_view name) {
  const Subject& subject = view.subject();
  for (const ListingLine& line : subject.run->listings[subject.replay->kernel].lines) {
    if (line.work && sim::name_of(line.work->sample.tensor) == name)
      add_probe(rects, view, sim::text("line/", line.number));
  }
}

void add_tensor(Rects& rects, View& view, string_view name) {
  add_marked(rects, view, sim::text("tensor:", name));
  add_probe(rects, view, sim::text("hbm/", name));
  add_tiles(rects, view, name);
  add_lines(rects, view, name);
  for (const sim::Tensor tensor : sim::all_tensors()) {
    if (sim::name_of(tensor) == name) add_scores(rects, view, tensor);
  }
}

Rect panel_called(const ui::Layout& stage, string_view name) {
  const std::pair<string_view, Rect> panels[] = {{"controls", stage.controls}, {"counters", stage.counters[0]},
                                                 {"roofline", stage.roofline}, {"memory", stage.memory},
                                                 {"matrix", stage.matrix},     {"code", stage.code},
                                                 {"softmax", stage.softmax},   {"timeline", stage.timeline}};
  for (const auto& [panel, place] : panels) {
    if (panel == name) return place;
  }
  return {};
}

}  // namespace

Rects rects_of(View& view, const ui::Layout& stage, string_view place) {
  const auto [kind, name] = lessons::kind_and_name(place);
  Rects rects;
  if (kind == "tensor") {
    add_tensor(rects, view, name);
  } else if (kind == "row" || kind == "column" || kind == "tile") {
    add_block(rects, view, kind, name);
    if (rects.empty()) add_marked(rects, view, kind);  // a view without the matrix
  } else if (kind == "level" || kind == "run" || kind == "occupancy" || kind == "kept" || kind == "batch" ||
             kind == "roles" || kind == "pages" || kind == "page-cta" || kind == "numbers" || kind == "gpus") {
    add_marked(rects, view, place);
    if (rects.empty() && name == "hbm") add_marked(rects, view, "level:HBM");  // the wall's name
  } else if (kind == "kernel") {
    add_probe(rects, view, sim::text("kernel/", name));
  } else if (kind == "option") {
    add_probe(rects, view, name);
    if (rects.empty()) add_probe(rects, view, sim::text("gpus/", name));  // in the bar of that view
    if (rects.empty()) add_probe(rects, view, "options");                 // the button behind which it is
  } else if (kind == "counter") {
    const auto* const found = std::find(std::begin(lessons::counter_names), std::end(lessons::counter_names), name);
    if (found != std::end(lessons::counter_names))
      rects.push_back(stage.counters[static_cast<std::size_t>(found - lessons::counter_names)]);
  } else {
    rects.push_back(panel_called(stage, kind));
  }
  if (kind == "kept" && rects.empty()) rects.push_back(stage.softmax);  // panels share a tab
  std::erase_if(rects, [](const Rect& rect) { return rect.empty(); });
  return rects;
}

}  // namespace explorer
