// P of all rows at the moment: as far as the row in view has come, with the running maximum of that time.
#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/microscope/microscope.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Align;
using ui::Rect;
using ui::Style;

/// Keys that the playhead has reached, and the line of the row in view.
struct Seen {
  std::int64_t keys = 0;
  sim::Interval tile;  ///< keys of the current one
  std::size_t line = 0;
};

Seen seen_of(const ShownRow& row, const Thumbnail& thumbnail) {
  Seen seen;
  const sim::SoftmaxTile& tile = row.tiles()[row.moment.tile];
  const bool all = tile.of_parts || tile.pass > 0;
  for (std::size_t t = 0; t < row.tiles().size() && (all || t <= row.moment.tile); ++t) {
    const sim::SoftmaxTile& before = row.tiles()[t];
    if (!before.of_parts && row.knows(t, RowStage::weights)) seen.keys = std::max(seen.keys, before.keys.end);
  }
  if (!all) seen.tile = tile.keys;
  const auto& queries = thumbnail.queries();
  while (seen.line + 1 < queries.size() && queries[seen.line] < row.query) ++seen.line;
  return seen;
}

void draw_cells(View& view, const Thumbnail& thumbnail, const Seen& seen, Rect place) {
  const ui::Theme& theme = view.theme();
  const auto rows = thumbnail.queries().size(), columns = static_cast<std::size_t>(thumbnail.columns());
  const float width = place.width / static_cast<float>(columns), height = place.height / static_cast<float>(rows);
  const float between = width >= 5 && height >= 5 ? 1.f : 0.f;
  const auto known = static_cast<std::size_t>(sim::ceil_div(seen.keys, thumbnail.keys_per_cell()));
  const ui::Color P = theme.tensor('P'), ground = ui::mix(theme.inset, P, 0.06f);
  for (std::size_t n = 0; n < rows; ++n) {
    const float* const scores = thumbnail.scores().data() + n * columns;
    float m = sim::unseen_max;
    for (std::size_t c = 0; c < std::min(known, columns); ++c) m = std::max(m, scores[c]);
    const float top = std::round(place.y + static_cast<float>(n) * height);
    const float bottom = std::round(place.y + static_cast<float>(n + 1) * height);
    for (std::size_t c = 0; c < columns; ++c) {
      const float left = std::round(place.x + static_cast<float>(c) * width);
      const float right = std::round(place.x + static_cast<float>(c + 1) * width);
      const bool to_do = c >= known || !thumbnail.knows(n);
      const bool seen_key = scores[c] != sim::unseen_max;
      const float weight = seen_key ? static_cast<float>(exp_of(static_cast<double>(scores[c] - m))) : 0;
      view.canvas().fill({left, top, right - left - between, bottom - top - between},
                         to_do ? theme.tile_to_do : ui::mix(ground, P, weight));
    }
  }
}

void draw_frames(View& view, const Thumbnail& thumbnail, const Seen& seen, Rect place) {
  const auto rows = static_cast<float>(thumbnail.queries().size());
  const float height = place.height / rows, thick = std::max(1.f, view.px(1.5f));
  const float top = place.y + static_cast<float>(seen.line) * height;
  const ui::Color strong = view.theme().strong;
  view.canvas().stroke({place.x - 2, top - 2, place.width + 3, height + 3}, strong, thick, 2);
  if (seen.tile.empty()) return;
  const auto cells = static_cast<float>(thumbnail.keys_per_cell()) * static_cast<float>(thumbnail.columns());
  const float left = place.x + place.width * static_cast<float>(seen.tile.begin) / cells;
  const float right = place.x + place.width * static_cast<float>(seen.tile.end) / cells;
  view.canvas().stroke({left - 1, place.y - 2, right - left + 1, place.height + 3}, view.theme().muted, 1, 2);
}

/// Describes what a cell shows, and what is left out.
std::string thumbnail_words(const View& view, const ShownRow& row, const Thumbnail& thumbnail) {
  const sim::Shape& shape = view.subject().problem().shape;
  const std::size_t rows = thumbnail.queries().size();
  std::string words(view.say("A cell is a weight with the maximum of its row so far."));
  if (thumbnail.keys_per_cell() > 1)
    words = view.say("{} of {} rows; a cell is the largest weight of {} keys. At most {} are kept.", rows,
                     report::thousands(shape.seqlen_q), thumbnail.keys_per_cell(),
                     report::capacity(Thumbnail::most_side * Thumbnail::most_side * 4));
  else if (static_cast<std::int64_t>(rows) < shape.seqlen_q)
    words = view.say("{} of {} rows.", rows, report::thousands(shape.seqlen_q)) + " " + words;
  if (!words_of(view.subject()).empty() && row.head < 4)
    words += " " + std::string(view.say("Scores are synthetic: no model computed them."));
  return words;
}

/// Draws the colour scale from no weight to the largest.
void draw_scale(View& view, Rect line) {
  const ui::Theme& theme = view.theme();
  const ui::Color P = theme.tensor('P'), ground = ui::mix(theme.inset, P, 0.06f);
  line.width = std::min(line.width, view.px(100));
  const auto [bar, numbers] = ui::rows(line, 0, {{view.px(8)}, ui::rest()});
  constexpr int steps = 16;
  for (int n = 0; n < steps; ++n) {
    const float left = bar.x + bar.width * static_cast<float>(n) / steps;
    view.canvas().fill({left, bar.y, bar.width / steps + 1, bar.height},
                       ui::mix(ground, P, static_cast<float>(n) / (steps - 1)), 0);
  }
  view.canvas().text(numbers, Style::caption, theme.muted, "0");
  view.canvas().text(numbers, Style::caption, theme.muted, "1", Align::right);
}

}  // namespace

void draw_row_thumbnail(View& view, const ShownRow& row, Rect rect) {
  const ui::Theme& theme = view.theme();
  const Rect rest = draw_card(view, rect, view.say("P of all rows"));
  const Thumbnail& thumbnail = thumbnail_of(view.model, row);
  if (thumbnail.queries().empty()) {
    const std::string words =
        view.say("P of all rows would take more than {} scores here: the rows are too long for a picture of them all.",
                 report::thousands(Thumbnail::most_scores));
    ui::paragraph(view.canvas(), rest, Style::body, {theme.muted}, ui::escaped(words));
    return;
  }
  const auto [space, body] = ui::rows(rest, 0, {{view.px(6)}, ui::rest()});
  const bool beside = body.width > 1.45f * body.height;
  const float below = view.px(62),
              side = beside ? std::min(body.height, 0.6f * body.width) : std::min(body.width, body.height - below);
  const auto [picture, words] =
      beside ? ui::columns(body, view.px(14), {{side}, ui::rest()}) : ui::rows(body, 0, {ui::rest(), {below}});
  const Rect place{picture.x + 2, picture.y + 2, std::floor(side) - 4, std::floor(side) - 4};
  const auto [scale, gap, text] = ui::rows(words, 0, {{beside ? view.px(26) : 0}, {view.px(6)}, ui::rest()});
  const Seen seen = seen_of(row, thumbnail);
  draw_cells(view, thumbnail, seen, place);
  draw_frames(view, thumbnail, seen, place);
  if (beside) draw_scale(view, scale);
  ui::paragraph(view.canvas(), text, Style::caption, {theme.muted}, ui::escaped(thumbnail_words(view, row, thumbnail)));
}

}  // namespace explorer
