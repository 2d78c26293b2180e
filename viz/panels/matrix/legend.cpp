// Legend of the attention matrix: the colours with their tile counts, and the claim on skipped tiles.
#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/matrix/matrix.h"
#include "viz/panels/parts.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

std::string_view reason(const View& view, const sim::Mask& mask) {
  const bool window = mask.window || mask.window_right;
  const int kinds = (mask.causal ? 1 : 0) + (window ? 1 : 0) + (mask.padding > 0 ? 1 : 0) + (mask.blocks ? 1 : 0) +
                    (mask.documents ? 1 : 0);
  if (kinds > 1) return view.say("the masks hide them");
  if (mask.blocks) return view.say("the pattern hides them");
  if (mask.documents) return view.say("they are in other documents");
  if (window) return view.say("the window hides them");
  if (mask.padding > 0) return view.say("they are padding");
  return view.say("the causal mask hides them");
}

/// True if everything right of `box`'s left edge and above its lower edge is skipped.
bool empty_corner(const MatrixFrame& frame, ui::Rect box) {
  const double queries = frame.lens.query_at(box.bottom());
  if (queries < 0 || queries >= frame.lens.queries) return false;
  const std::int64_t row = static_cast<std::int64_t>(queries) / frame.matrix.rows.size;
  const sim::Interval live = frame.matrix.live(row);
  const double right = live.empty() ? 0 : static_cast<double>(frame.matrix.cols.elements(live.end - 1).end);
  return frame.lens.key_at(box.x) > right;
}

enum class Swatch { done, current, to_do, masked, skipped };

void draw_swatch(const MatrixFrame& frame, ui::Rect box, Swatch swatch) {
  ui::Canvas& canvas = frame.view.canvas();
  const ui::Theme& theme = canvas.theme();
  if (swatch == Swatch::done) canvas.fill(box, theme.tile_done, canvas.px(2));
  if (swatch == Swatch::to_do) canvas.fill(box, theme.tile_to_do, canvas.px(2));
  if (swatch == Swatch::masked)
    canvas.triangle({box.x, box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}, theme.tile_done);
  if (swatch == Swatch::skipped) {
    const float side = canvas.px(2);
    canvas.fill({box.center().x - side / 2, box.center().y - side / 2, side, side}, theme.muted);
  }
  if (swatch != Swatch::current) return;
  canvas.fill(box, theme.tensor('S'));
  canvas.fill(box.share(0.5f), theme.tensor('P'));
  canvas.stroke(box.inset(-canvas.px(1)), theme.strong, canvas.px(1), canvas.px(2));
}

/// Draws the next entry of a line; false if the line is full.
bool draw_entry(const MatrixFrame& frame, ui::Space& line, Swatch swatch, const std::string& words) {
  ui::Canvas& canvas = frame.view.canvas();
  const float width = canvas.text_width(ui::Style::caption, words), side = canvas.px(12);
  if (line.width() < side + canvas.px(6) + width) return false;
  const ui::Rect box = line.left(side, canvas.px(6));
  draw_swatch(frame, {box.x, std::round(box.center().y - side / 2), side, side}, swatch);
  left_text(canvas, line, ui::Style::caption, canvas.theme().muted, words, canvas.px(17));
  return true;
}

/// Explains the states of other CTAs' tiles.
std::string honest_words(const View& view, const TileMatrix& m) {
  if (!m.touched)
    return std::string(view.say("This kernel touches no tile of the matrix: it works on rows of queries."));
  if (m.passes > 1)
    return view.say("Pass {} of {} of this CTA; the states are those of the pass.", m.pass + 1, m.passes);
  return std::string(view.say(words_of(view.subject().launch()).in_matrix));
}

/// Note on what the picture alone does not show: how values are drawn, or which CTAs the other tiles belong to.
std::string note_words(const MatrixFrame& frame, const MatrixValues& values) {
  const View& view = frame.view;
  if (!values.wanted) return honest_words(view, frame.matrix);
  if (values.layers == nullptr) return std::string(view.say("The values of this tile are being computed."));
  const bool backward = view.subject().launch().reads(sim::Tensor::dO) ||
                        view.subject().launch().reads(sim::Tensor::dS) ||
                        view.subject().launch().reads(sim::Tensor::dP);
  return std::string(backward ? view.say("P by its square root; dP and dS by that of their size, 0 in the middle.")
                              : view.say("S from its least to its largest value, P by its square root."));
}

}  // namespace

void draw_matrix_claim(const MatrixFrame& frame, const TileCounts& counts) {
  if (!counts.complete() || !frame.matrix.grid().skips || counts.live() == counts.all() || frame.lens.zoom > 1) return;
  View& view = frame.view;
  ui::Canvas& canvas = view.canvas();
  const auto share = static_cast<double>(counts.all() - counts.live()) / static_cast<double>(counts.all());
  const std::string number = report::percent(share);
  const std::string_view what = view.say("of the tiles are never touched:");
  const std::string_view why = reason(view, frame.matrix.shape().mask);
  const float width =
      std::max({canvas.text_width(ui::Style::number, number), canvas.text_width(ui::Style::caption, what),
                canvas.text_width(ui::Style::caption, why)}) +
      2;
  const ui::Rect area = frame.lens.area;
  const ui::Rect box{area.right() - width - canvas.px(10), area.y + canvas.px(10), width, canvas.px(66)};
  if (!empty_corner(frame, box.inset(-canvas.px(6)))) return;
  canvas.fill(box.inset(-canvas.px(4)), canvas.theme().card);
  const auto [first, second, third] = ui::rows(box, 0, {canvas.px(30), canvas.px(18), canvas.px(18)});
  canvas.text(first, ui::Style::number, canvas.theme().text, number, ui::Align::right);
  canvas.text(second, ui::Style::caption, canvas.theme().muted, what, ui::Align::right);
  canvas.text(third, ui::Style::caption, canvas.theme().muted, why, ui::Align::right);
}

void draw_matrix_legend(const MatrixFrame& frame, const TileCounts& counts, ui::Rect rect, const MatrixValues& values) {
  View& view = frame.view;
  const TileMatrix& m = frame.matrix;
  const auto [above, below] = ui::rows(rect, 0, {view.px(20), ui::rest()});
  ui::Space line(above);
  if (m.touched && counts.complete()) {
    const std::int64_t done = counts.done(m), now = m.working ? 1 : 0;
    const std::int64_t left = counts.live() - done - now, skipped = counts.all() - counts.live();
    bool room = draw_entry(frame, line, Swatch::done, view.say("done {}", report::thousands(done)));
    room = room && draw_entry(frame, line, Swatch::current, std::string(view.say("current")));
    room = room && draw_entry(frame, line, Swatch::to_do, view.say("to do {}", report::thousands(left)));
    if (skipped > 0)
      room = room && draw_entry(frame, line, Swatch::skipped, view.say("skipped {}", report::thousands(skipped)));
    if (counts.masked() > 0 && room)
      draw_entry(frame, line, Swatch::masked, view.say("masked inside {}", report::thousands(counts.masked())));
  }
  view.canvas().text(below, ui::Style::caption, view.theme().muted, note_words(frame, values));
}

}  // namespace explorer
