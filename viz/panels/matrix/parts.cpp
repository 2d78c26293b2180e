// Parts of the keys, below the matrix of a grid that splits them, and the SM that works on each for the row block in
// view.
#include "viz/panels/parts.h"

#include <algorithm>
#include <vector>

#include "sim/report/numbers.h"
#include "viz/panels/matrix/matrix.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

constexpr float bar_height = 18;  // CSS pixels

/// One part of the keys, for the head and the row block in view.
struct Part {
  std::int64_t number = 0, of = 1, cta = 0;
  sim::Interval keys;
  const CtaSpan* span = nullptr;  ///< null if the timeline does not know single CTAs
};

/// Parts of the row and, as far as known, when and where they run.
std::vector<Part> parts_of_row(View& view, const MatrixFrame& frame) {
  const Subject& subject = view.subject();
  const GridTimeline& grid = grid_timeline_of(view);
  const sim::Blocking keys = frame.matrix.grid().cta_columns(frame.matrix.shape());
  sim::CtaPlace place = subject.replay->place;
  place.row = frame.matrix.row;
  std::vector<Part> parts;
  for (place.col = 0; place.col < keys.count(); ++place.col) {
    const std::int64_t cta = cta_of_place(subject.simulation(), subject.replay->kernel, place);
    const CtaSpan* const span = grid.ready() ? grid.find(cta) : nullptr;
    parts.push_back({place.col, keys.count(), cta, keys.elements(place.col), span});
  }
  return parts;
}

/// Draws the longest form that fits: "s = 3 · SM 17".
void draw_name(View& view, const Part& part, ui::Rect bar, ui::Color ground) {
  const std::string number = sim::text("s = ", part.number), plain = sim::text(part.number);
  const std::string sm = part.span == nullptr ? number : sim::text(number, " · SM ", part.span->sm);
  for (const std::string& words : {sm, number, plain}) {
    if (view.canvas().text_width(ui::Style::caption, words) + view.px(6) > bar.width) continue;
    return void(view.canvas().text(bar, ui::Style::caption, ui::text_on(ground), words, ui::Align::center));
  }
}

std::vector<std::string> about(const View& view, const Part& part) {
  std::vector<std::string> lines = {view.say("Part {} of {} of the keys", part.number, part.of)};
  lines.push_back(part.keys.empty() ? std::string(view.say("no key is in it: it writes 0 and −∞"))
                                    : view.say("keys {} to {}", part.keys.begin, part.keys.end - 1));
  if (part.span == nullptr) return lines;
  lines.push_back(when_words(view, *part.span));
  lines.push_back(where_words(view, *part.span));
  return lines;
}

void draw_part(View& view, const MatrixFrame& frame, const Part& part, ui::Rect row) {
  const ui::Rect in_matrix = frame.lens.rect({0, 1}, part.keys);
  const ui::Rect bar = common({in_matrix.x, row.y, in_matrix.width - view.px(1), row.height}, row);
  if (bar.empty()) return;
  const bool here = part.number == frame.matrix.part;
  const ui::Color color = part_color(view.theme(), part.number, part.of);
  view.canvas().fill(bar, color, view.px(2));
  if (here) view.canvas().stroke(bar, view.theme().strong, view.px(2), view.px(2));
  draw_name(view, part, bar, color);
  const ui::Hit hit = ui::hit(view.ui, view.id(sim::text("part/", part.number)), bar);
  if (hit.clicked && view.index == 0) look_at_cta(view, part.cta);
  if (hit.hovered) draw_tooltip(view, about(view, part));
}

}  // namespace

float parts_height(const View& view) { return parts_of_keys(view) > 1 ? view.px(bar_height + 6) : 0; }

void draw_matrix_parts(const MatrixFrame& frame) {
  View& view = frame.view;
  if (parts_of_keys(view) == 1) return;
  const ui::Rect area = frame.lens.area;
  const ui::Rect row{area.x, area.bottom() + view.px(6), area.width, view.px(bar_height)};
  view.canvas().text({area.x - view.px(120), row.y, view.px(112), row.height}, ui::Style::caption, view.theme().muted,
                     "s", ui::Align::right);
  for (const Part& part : parts_of_row(view, frame)) draw_part(view, frame, part, row);
}

}  // namespace explorer
