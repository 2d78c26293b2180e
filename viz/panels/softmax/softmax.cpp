// Online softmax of some rows of the row block: running maximum, running sum, rescaling of earlier sums, and the final
// error of the result.
#include "viz/panels/softmax/softmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/report/numbers.h"
#include "viz/panels/panels.h"
#include "viz/panels/softmax/row_values.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

/// Columns from left to right; columns of width 0 are left out.
struct Columns {
  ui::Rect row, line, max, bar, sum, alpha, error;
};

Columns columns_of(const View& view, ui::Rect rest) {
  Columns at;
  const bool wide = rest.width > view.px(400), narrow = rest.width < view.px(300);
  at.row = cut_left(rest, view.px(narrow ? 36 : 48));
  if (wide) at.error = cut_right(rest, view.px(76));
  if (!narrow) at.alpha = cut_right(rest, view.px(62));
  const float numbers = view.px(46), gap = view.px(14);
  const float pictures = std::max(0.f, rest.width - 2 * numbers - gap);
  at.line = cut_left(rest, pictures * 0.55f);
  at.max = cut_left(rest, numbers);
  cut_left(rest, gap);
  at.bar = cut_left(rest, pictures * 0.45f);
  at.sum = cut_left(rest, numbers);
  return at;
}

/// A column's rectangle in another line of the table.
ui::Rect in_line(ui::Rect column, ui::Rect line) { return {column.x, line.y, column.width, line.height}; }

/// Draws the headings. In a second pass over the keys, m and l may be the final ones of the first pass, and L may
/// replace m.
void draw_head(View& view, const Columns& at, ui::Rect line, const TileStep& step) {
  const auto head = [&](ui::Rect from, ui::Rect to, std::string_view words, ui::Align align) {
    if (to.empty()) return;
    const ui::Rect box{from.x, line.y, to.right() - from.x, line.height};
    view.canvas().text(box, ui::Style::caption, view.theme().muted, words, align);
  };
  head(at.row, at.row, view.say("row"), ui::Align::left);
  const std::string_view max = step.max_runs ? view.say("running max m") : view.say("maximum m");
  head(at.line, at.max, step.of_log_sum ? view.say("L = m + log ℓ") : max, ui::Align::left);
  head(at.bar, at.sum, step.sum_runs ? view.say("running sum ℓ") : view.say("sum ℓ"), ui::Align::left);
  head(at.alpha, at.alpha, view.say("rescale"), ui::Align::right);
  head(at.error, at.error, view.say("error of O"), ui::Align::right);
}

struct Cells {
  float m, l, alpha;
  bool rescaled;  ///< alpha is known
  bool first;     ///< no key was seen before: nothing to rescale
};

Cells cells_of(const TileStep& step, std::size_t row, const Moment& moment) {
  const RowSums& of_max = moment.max_known ? step.after : step.before;
  const RowSums& of_sum = moment.sum_known ? step.after : step.before;
  const bool rescaled = moment.max_known && !step.alpha.empty();
  return {of_max.m[row], of_sum.l[row], rescaled ? step.alpha[row] : 1, rescaled, std::isinf(step.before.m[row])};
}

void draw_max(View& view, const RowValues& values, ui::Rect place, float m) {
  ui::Canvas& canvas = view.canvas();
  place = place.inset(canvas.px(6), 0);
  const float y = std::round(place.center().y), range = values.most_max() - values.least_max();
  canvas.fill({place.x, y, place.width, std::max(1.f, canvas.px(2))}, view.theme().track);
  if (!std::isfinite(m)) return;
  const float share = range > 0 ? std::clamp((m - values.least_max()) / range, 0.f, 1.f) : 0.5f;
  canvas.disc({place.x + share * place.width, y + canvas.px(1)}, canvas.px(5), view.theme().strong);
}

void draw_sum(View& view, const RowValues& values, ui::Rect place, float l) {
  ui::Canvas& canvas = view.canvas();
  const float height = canvas.px(10);
  const ui::Rect bar{place.x, std::round(place.center().y - height / 2), place.width - canvas.px(6), height};
  canvas.fill(bar, view.theme().track, canvas.px(2));
  if (values.most_sum() > 0) canvas.fill(bar.share(l / values.most_sum()), view.theme().tensor('P'), canvas.px(2));
}

void draw_row(View& view, const Columns& at, ui::Rect line, const RowValues& values, const Cells& cells,
              std::size_t which) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const auto cell = [&](ui::Rect column, ui::Color color, const std::string& text) {
    if (!column.empty()) canvas.text(in_line(column, line), ui::Style::table, color, text, ui::Align::right);
  };
  canvas.text(in_line(at.row, line), ui::Style::table, theme.muted,
              sim::text(values.block().queries().begin + values.rows()[which]));
  draw_max(view, values, in_line(at.line, line), cells.m);
  cell(at.max, theme.text, row_number("{:.2f}", cells.m));
  draw_sum(view, values, in_line(at.bar, line), cells.l);
  cell(at.sum, theme.text, row_number("{:.1f}", cells.l));
  const std::string rescale = cells.first ? std::string(view.say("first")) : "×" + row_number("{:.2f}", cells.alpha);
  cell(at.alpha, theme.muted, cells.rescaled ? rescale : std::string("–"));
  cell(at.error, theme.muted, values.errors().empty() ? "…" : report::scientific(values.errors()[which]));
}

/// Draws the progress of the row block's computation, then the error and its reference.
void draw_footer(View& view, ui::Rect line, const RowValues& values) {
  ui::Canvas& canvas = view.canvas();
  if (values.errors().empty()) {
    const std::int64_t done = values.done(), all = values.block().steps();
    canvas.fill({line.x, line.y, line.width, canvas.px(2)}, view.theme().track);
    canvas.fill(
        ui::Rect{line.x, line.y, line.width, canvas.px(2)}.share(static_cast<float>(done) / static_cast<float>(all)),
        view.theme().muted);
    canvas.text(
        line, ui::Style::caption, view.theme().muted,
        view.say("computing: {} of {} tiles of the row block", report::thousands(done), report::thousands(all)));
    return;
  }
  const double worst = *std::max_element(values.errors().begin(), values.errors().end());
  canvas.text(
      line, ui::Style::caption, view.theme().muted,
      view.say("error of O as it is stored, against double: at most {} in these rows", report::scientific(worst)));
}

/// Explains in two lines why there is no online softmax to show.
std::array<std::string_view, 2> reasons(const View& view, const TileMatrix& matrix) {
  const sim::Launch& launch = view.subject().launch();
  if (launch.grid.is_split() && matrix.live_here().empty())
    return {view.say("This row block sees no key of this part:"),
            view.say("nothing is loaded; the part is 0, its L −∞.")};
  if (is_fused_forward(launch) && matrix.live_here().empty())
    return {view.say("No key is visible to this row block:"), view.say("nothing is loaded, and O = 0 is written.")};
  if (launch.unfused && launch.writes(sim::Tensor::dV))
    return {view.say("P is read as the softmax of the forward pass"), view.say("left it in HBM.")};
  if (launch.unfused)
    return {view.say("Standard attention has its softmax in a separate kernel:"),
            view.say("S is read from HBM, and P is written there.")};
  return {view.say("The backward pass needs no running maximum:"),
          view.say("it computes P again from what is saved of each row.")};
}

void draw_table(View& view, ui::Rect rest, const RowValues& values, const TileStep& step, const Moment& moment,
                std::int64_t count) {
  const ui::Rect head = cut_top(rest, view.px(20));
  const auto most = static_cast<std::int64_t>(values.rows().size());
  const Columns at = columns_of(view, head);
  draw_head(view, at, head, step);
  const float height = std::min(rest.height / static_cast<float>(count), view.px(34));
  for (std::int64_t n = 0; n < count; ++n) {
    const auto which = static_cast<std::size_t>((2 * n + 1) * most / (2 * count));
    const ui::Rect line = cut_top(rest, height);
    draw_row(view, at, line, values, cells_of(step, static_cast<std::size_t>(values.rows()[which]), moment), which);
  }
}

/// Number of rows that fit between the title and head of the table, and the footer.
std::int64_t rows_shown(const View& view, ui::Rect rect, const RowValues& values) {
  const auto room = static_cast<std::int64_t>((rect.height - view.px(96)) / view.px(19));
  return std::clamp<std::int64_t>(room, 1, static_cast<std::int64_t>(values.rows().size()));
}

}  // namespace

void draw_softmax(View& view, ui::Rect rect) {
  const TileMatrix matrix(view.subject());
  const SeenValues seen = seen_values(view, matrix);
  if (seen.numbers != nullptr && uses_numbers(view.subject().launch()))
    return draw_row_numbers(view, rect, matrix, *seen.numbers);
  if (seen.row == nullptr) {
    ui::Rect rest = draw_card(view, rect, view.say("Online softmax"));
    for (const std::string_view line : reasons(view, matrix))
      view.canvas().text(cut_top(rest, view.px(22)), ui::Style::caption, view.theme().muted, line);
    return;
  }
  const std::int64_t count = rows_shown(view, rect, *seen.row);
  const std::string note = view.say("{} of {} rows in block {}", count, seen.row->block().queries().size(), matrix.row);
  ui::Rect rest = draw_card(view, rect, view.say("Online softmax"), note);
  const ui::Rect footer = cut_bottom(rest, view.px(20));
  draw_footer(view, footer, *seen.row);
  if (seen.step != nullptr) draw_table(view, rest, *seen.row, *seen.step, moment_of(view.subject(), matrix), count);
}

}  // namespace explorer
