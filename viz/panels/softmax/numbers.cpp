// Statistics per row of kernels without an online softmax: L, or m and l, and D.
#include "sim/report/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "viz/panels/softmax/softmax.h"

namespace explorer {
namespace {

using sim::Launch;
using sim::Tensor;

constexpr std::int64_t most_rows = 12;

bool writes_dots(const Launch& launch) { return launch.writes(Tensor::D) || launch.writes(Tensor::dS); }

/// True if D is an operand or is computed here.
bool uses_dots(const Launch& launch) {
  return writes_dots(launch) || launch.reads(Tensor::D) || launch.reads(Tensor::dS) ||
         (launch.reads(Tensor::dO) && launch.reads(Tensor::O));
}

/// True if each chunk has a softmax of its own and stores its maximum and its sum.
bool has_chunks(const Launch& launch) { return launch.writes(Tensor::m_part); }

/// True if the kernel combines the results of the parts of the keys.
bool combines_parts(const Launch& launch) { return launch.reads(Tensor::O_part); }

/// A statistic: its name, and a number per row; empty until known.
struct Column {
  std::string_view name;
  std::vector<float> values;
};

/// Takes the statistic of a single row whose softmax is under way, as known after the blocks of keys visited so far.
void take_running(std::vector<float>& values, const std::vector<float>& running, const TileMatrix& matrix, bool known) {
  const std::int64_t blocks = (matrix.pass > 0 ? matrix.cols.count() : matrix.col) + (known ? 1 : 0);
  const auto count = std::min(running.size(), static_cast<std::size_t>(matrix.visit < 0 ? 0 : blocks));
  values = count == 0 ? std::vector<float>{} : std::vector<float>{running[count - 1]};
}

/// True if D is known at the playhead: some kernels compute it.
bool knows_dots(const Subject& subject, const TileMatrix& matrix) {
  const Launch& launch = subject.launch();
  if (!launch.reads(Tensor::O)) return true;                    // it was loaded
  if (launch.writes(Tensor::D) && matrix.col > 0) return true;  // in the first column
  if (matrix.touched) return moment_of(subject, matrix).dot_known;
  const auto& events = subject.replay->trace.events;
  return std::any_of(events.begin(), events.end(), [&](const sim::Event& event) {
    return event.verb == sim::Verb::dot && event.end <= subject.time;
  });
}

/// True if a kernel without tiles has computed all of a tensor.
bool has_made(const Subject& subject, Tensor tensor) {
  const auto& events = subject.replay->trace.events;
  return std::none_of(events.begin(), events.end(), [&](const sim::Event& event) {
    return event.tensor == tensor && event.direction == sim::Direction::none && event.end > subject.time;
  });
}

/// Statistics of the rows that are known at the playhead.
RowNumbers known_numbers(const View& view, const TileMatrix& matrix, const RowsTask& rows) {
  const Launch& launch = view.subject().launch();
  RowNumbers numbers = rows.numbers();
  if (!rows.done()) return {numbers.queries, {}, {}, {}, {}};
  if (!launch.unfused && !knows_dots(view.subject(), matrix)) numbers.D = {};
  if (combines_parts(launch) && !has_made(view.subject(), Tensor::m)) numbers.m = {};
  if (combines_parts(launch) && !has_made(view.subject(), Tensor::l)) numbers.l = {};
  if (!launch.unfused && !has_chunks(launch)) return numbers;
  const Moment moment = moment_of(view.subject(), matrix);
  if (has_chunks(launch) && !moment.max_known) numbers.m = {};
  if (has_chunks(launch) && !moment.sum_known) numbers.l = {};
  if (!launch.unfused) return numbers;
  const RowsTask::Running& running = rows.running();
  if (launch.writes(Tensor::P)) take_running(numbers.m, running.m, matrix, moment.max_known);
  if (launch.writes(Tensor::P)) take_running(numbers.l, running.l, matrix, moment.sum_known);
  if (launch.writes(Tensor::dS)) take_running(numbers.D, running.D, matrix, moment.dot_known);
  return numbers;
}

std::vector<Column> columns_of(const View& view, const TileMatrix& matrix, const RowsTask& rows) {
  const Launch& launch = view.subject().launch();
  const RowNumbers numbers = known_numbers(view, matrix, rows);
  const bool of_weights = (launch.unfused && !uses_dots(launch)) || has_chunks(launch) || combines_parts(launch);
  std::vector<Column> columns;
  if (launch.reads(Tensor::L)) columns.push_back({view.say("saved L"), numbers.L});
  if (launch.reads(Tensor::m) || of_weights) columns.push_back({view.say("maximum m"), numbers.m});
  if (launch.reads(Tensor::l) || of_weights) columns.push_back({view.say("sum ℓ"), numbers.l});
  if (uses_dots(launch)) columns.push_back({"D", numbers.D});
  return columns;
}

std::string_view sentence(const View& view) {
  const Launch& launch = view.subject().launch();
  if (launch.unfused) {
    if (launch.writes(Tensor::P)) return view.say("The softmax of a whole row: P = exp(S − m) / ℓ.");
    if (launch.writes(Tensor::dS)) return view.say("dS = P ∘ (dP − D), with D = rowsum(P ∘ dP).");
    if (launch.reads(Tensor::dS)) return view.say("dS was made with D = rowsum(P ∘ dP), in the kernel before.");
    return view.say("P was made with m and ℓ of the whole row, in the softmax kernel.");
  }
  if (has_chunks(launch)) return view.say("Each chunk has its own softmax: P = exp(S − m).");
  if (combines_parts(launch)) return view.say("The parts of a row are brought to one maximum and added up.");
  if (!launch.reads(Tensor::Q)) return view.say("D = rowsum(dO ∘ O), for the kernels that follow.");
  if (launch.reads(Tensor::m)) return view.say("P = exp(S − m) / ℓ from the saved m and ℓ; dS uses D.");
  if (uses_dots(launch)) return view.say("P = exp(S − L) from the saved L; dS uses D.");
  return view.say("P = exp(S − L) from the saved L.");
}

/// Whole sentence if it fits; its first part is also in the title.
std::string footer_words(const View& view, float width) {
  const std::string_view what = sentence(view);
  const Launch& launch = view.subject().launch();
  if (launch.unfused || has_chunks(launch) || !launch.reads(Tensor::Q)) return std::string(what);
  const std::string whole = view.say("No online softmax: {}", what);
  return view.canvas().text_width(ui::Style::caption, whole) <= width ? whole : std::string(what);
}

struct Range {
  float least = 0, most = 0;
};

Range range_of(const std::vector<float>& values) {
  Range range{INFINITY, -INFINITY};
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    range = {std::min(range.least, value), std::max(range.most, value)};
  }
  return range;
}

/// Draws a row's number and its position between the least and the largest of the block.
void draw_cell(View& view, ui::Rect place, const Column& column, std::size_t row) {
  ui::Canvas& canvas = view.canvas();
  const ui::Rect text = cut_right(place, std::min(place.width, view.px(58)));
  const bool known = row < column.values.size();
  canvas.text(text, ui::Style::table, known ? view.theme().text : view.theme().muted,
              known ? row_number("{:.3f}", column.values[row]) : std::string("–"), ui::Align::right);
  place = place.inset(view.px(6), 0);
  if (place.width < view.px(24) || column.values.size() < 2) return;  // a single row has no range
  const float y = std::round(place.center().y);
  canvas.fill({place.x, y, place.width, std::max(1.f, view.px(2))}, view.theme().track);
  if (!known || !std::isfinite(column.values[row])) return;
  const Range range = range_of(column.values);
  const float share = range.most > range.least ? (column.values[row] - range.least) / (range.most - range.least) : 0.5f;
  canvas.disc({place.x + share * place.width, y + view.px(1)}, view.px(5), view.theme().strong);
}

void draw_lines(View& view, ui::Rect rest, const std::vector<Column>& columns, sim::Interval queries,
                sim::Interval shown, std::int64_t count) {
  ui::Canvas& canvas = view.canvas();
  ui::Rect head = cut_top(rest, view.px(20));
  const float first = view.px(rest.width < view.px(300) ? 44 : 56), gap = view.px(14);
  const float width = (head.width - first) / static_cast<float>(columns.size());
  canvas.text(cut_left(head, first), ui::Style::caption, view.theme().muted, view.say("row"));
  for (const Column& column : columns)
    canvas.text(cut_left(head, width), ui::Style::caption, view.theme().muted, column.name, ui::Align::right);
  const float height = std::min(rest.height / static_cast<float>(count), view.px(34));
  for (std::int64_t n = 0; n < count; ++n) {
    ui::Rect line = cut_top(rest, height);
    const std::int64_t query = shown.begin + (2 * n + 1) * shown.size() / (2 * count);
    canvas.text(cut_left(line, first), ui::Style::table, view.theme().muted, sim::text(query));
    for (const Column& column : columns) {
      ui::Rect cell = cut_left(line, width);
      cut_left(cell, std::min(gap, cell.width / 4));
      draw_cell(view, cell, column, static_cast<std::size_t>(query - queries.begin));
    }
  }
}

}  // namespace

bool uses_numbers(const Launch& launch) {
  if (!launch.unfused) return true;
  return launch.reads(Tensor::P) || launch.reads(Tensor::P_dropped) || launch.writes(Tensor::P) || uses_dots(launch);
}

void draw_row_numbers(View& view, ui::Rect rect, const TileMatrix& matrix, const RowsTask& rows) {
  const sim::Interval shown = matrix.rows.elements(matrix.row);
  const auto room = static_cast<std::int64_t>((rect.height - view.px(96)) / view.px(19));
  const std::int64_t count = std::clamp<std::int64_t>(room, 1, std::min(most_rows, shown.size()));
  const std::string note = view.say("{} of {} rows in block {}", count, shown.size(), matrix.row);
  ui::Rect rest = draw_card(view, rect, view.say("Statistics of the rows"), note);
  const ui::Rect footer = cut_bottom(rest, view.px(20));
  view.canvas().text(footer, ui::Style::caption, view.theme().muted,
                     rows.done() ? footer_words(view, footer.width)
                                 : view.say("computing: {} of the rows' tiles", report::percent(rows.share())));
  draw_lines(view, rest, columns_of(view, matrix, rows), rows.numbers().queries, shown, count);
}

}  // namespace explorer
