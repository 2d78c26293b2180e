#include "viz/panels/roofline/plot_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/report/numbers.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"

namespace explorer {
namespace {

constexpr float left_gutter = 66, bottom_gutter = 24;  // CSS pixels
constexpr float row = 17, tick_gap = 10;

constexpr std::array<float, 2> dashes = {7, 4}, dots = {2, 3}, long_dashes = {14, 4}, dots_of_formulas = {1, 4};
constexpr std::array<float, 4> dash_dots = {8, 3, 2, 3};

/// Dashes of a line: the current line is solid; each algorithm always has the same dashes.
Dashes dashes_of(const PlotLine& line) {
  if (line.current) return {};
  if (line.family != nullptr) return dots_of_formulas;
  const std::array<Dashes, 4> all = {dashes, dots, dash_dots, long_dashes};
  return all[line.place % all.size()];
}

ui::Color color_of(const ui::Theme& theme, const PlotLine& line) { return line.current ? theme.strong : theme.muted; }

/// "100.0 MB" -> "100 MB"
std::string without_zeros(std::string text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return text;
  std::size_t end = point + 1;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  std::size_t keep = end;
  while (keep > point + 1 && text[keep - 1] == '0') --keep;
  if (keep == point + 1) keep = point;
  return text.erase(keep, end - keep);
}

/// Labels the simulated values that fit, from the left; the current one first.
void draw_values(View& view, const PlotPicture& p, std::int64_t current) {
  ui::Canvas& canvas = view.canvas();
  std::vector<ui::Rect> taken;
  const auto label = [&](std::int64_t value, ui::Color color) {
    const std::string text = plot_value_text(p.plot.axis(), value);
    const float width = canvas.text_width(ui::Style::caption, text) + 2, x = p.x_of(value);
    const ui::Rect box{std::round(x - width / 2), p.area.bottom() + view.px(5), width, view.px(row)};
    const ui::Rect wide = box.inset(-view.px(tick_gap) / 2, 0);
    for (const ui::Rect& other : taken) {
      if (!common(wide, other).empty()) return;
    }
    taken.push_back(wide);
    canvas.line({x, p.area.bottom()}, {x, p.area.bottom() + view.px(4)}, view.theme().faint, view.px(1));
    canvas.text(box, ui::Style::caption, color, text, ui::Align::center);
  };
  label(current, view.theme().text);
  for (const std::int64_t value : p.plot.values()) {
    if (value != current) label(value, view.theme().muted);
  }
}

struct EndLabel {
  const PlotLine* line;
  ui::Point end;
  bool early;  ///< the line ends before the others do
};

/// Ends of the lines, from top to bottom.
std::vector<EndLabel> ends_of(const PlotPicture& p) {
  std::vector<EndLabel> ends;
  for (const PlotLine& line : p.plot.lines()) {
    for (std::size_t n = line.points.size(); n-- > 0;) {
      const auto place = p.place(line, n);
      if (!place) continue;
      ends.push_back({&line, *place, n + 1 < p.plot.values().size()});
      break;
    }
  }
  std::sort(ends.begin(), ends.end(), [](const EndLabel& a, const EndLabel& b) { return a.end.y < b.end.y; });
  return ends;
}

void draw_name(View& view, const PlotLine& line, ui::Point left, float width) {
  const ui::Rect box{left.x, left.y - view.px(row) / 2, width, view.px(row)};
  const std::string_view name = algorithm_label(view, line.name());
  const float needed = view.canvas().text_width(ui::Style::caption, name);
  view.canvas().fill(box.inset(0, view.px(2)).share(needed / width), view.theme().card);  // hides lines behind the name
  view.canvas().text(box, ui::Style::caption, color_of(view.theme(), line), name);
}

/// Draws the names right of the plot; the name of a line that ends early is at its last point.
void draw_names(View& view, const PlotPicture& p) {
  const std::vector<EndLabel> ends = ends_of(p);
  std::vector<float> centers;
  for (const EndLabel& each : ends) centers.push_back(each.end.y);
  spread(centers, view.px(row), p.area.y, p.area.bottom());
  for (std::size_t n = 0; n < ends.size(); ++n) {
    const ui::Point end = ends[n].end;
    const ui::Point left{ends[n].early ? end.x + view.px(14) : p.area.right() + view.px(10), centers[n]};
    view.canvas().polyline(std::array{ui::Point{end.x + view.px(5), end.y}, ui::Point{left.x - view.px(3), left.y}},
                           ui::with_alpha(color_of(view.theme(), *ends[n].line), 0.4f), view.px(1));
    draw_name(view, *ends[n].line, left, p.right - left.x);
  }
}

/// Width of the longest name right of the plot, at most a third of the whole.
float names_width(const View& view, const Plot& plot, float width) {
  float widest = 0;
  for (const PlotLine& line : plot.lines())
    widest = std::max(widest, view.canvas().text_width(ui::Style::caption, algorithm_label(view, line.name())));
  return std::min(std::ceil(widest) + view.px(12), std::floor(width / 3));
}

/// Draws a line in runs of adjacent points: it has a gap at impossible scenarios.
void draw_line(View& view, const PlotPicture& p, const PlotLine& line) {
  ui::Canvas& canvas = view.canvas();
  const ui::Color color = color_of(view.theme(), line);
  std::vector<ui::Point> piece;
  const auto flush = [&] {
    if (piece.size() > 1) dashed_line(canvas, piece, color, view.px(line.current ? 2.f : 1.5f), dashes_of(line));
    piece.clear();
  };
  for (std::size_t n = 0; n < line.points.size(); ++n) {
    const auto place = p.place(line, n);
    if (place)
      piece.push_back(*place);
    else
      flush();
  }
  flush();
  for (std::size_t n = 0; n < line.points.size() && line.family == nullptr; ++n) {
    if (const auto place = p.place(line, n)) canvas.disc(*place, view.px(line.current ? 3.5f : 2.5f), color);
  }
}

}  // namespace

std::optional<ui::Point> PlotPicture::place(const PlotLine& line, std::size_t n) const {
  if (n >= line.points.size() || !line.points[n].values) return std::nullopt;
  const double value = (*line.points[n].values)[quantity];
  if (value < 0 || (y.log && value == 0)) return std::nullopt;
  return ui::Point{x_of(line.points[n].at), y.place(value)};
}

std::string plot_value_text(const PlotAxis& axis, std::int64_t value) {
  return axis.option == "sram" ? without_zeros(report::kibibytes(value)) : report::thousands(value);
}

PlotPicture make_plot_picture(const View& view, const Plot& plot, std::size_t quantity, std::string_view path,
                              ui::Rect body) {
  PlotPicture p{plot, quantity, path, body, body.right(), {}, {}};
  cut_left(p.area, view.px(left_gutter));
  cut_bottom(p.area, view.px(bottom_gutter));
  cut_top(p.area, view.px(6));
  cut_right(p.area, names_width(view, plot, body.width));
  double least = std::numeric_limits<double>::max(), most = 0;
  for (const PlotLine& line : plot.lines()) {
    for (const PlotPoint& point : line.points) {
      if (!point.values || (*point.values)[quantity] < 0) continue;
      p.empty = false;
      least = std::min(least, (*point.values)[quantity]);
      most = std::max(most, (*point.values)[quantity]);
    }
  }
  const bool log = view.model.look.log_axes;
  p.x = make_scale(static_cast<double>(plot.values().front()), static_cast<double>(plot.values().back()), log, p.area.x,
                   p.area.right());
  p.y = make_scale(least, most, log, p.area.bottom(), p.area.y);
  return p;
}

void draw_axes(View& view, const PlotPicture& p) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const int wanted = std::max(2, static_cast<int>(p.area.height / view.px(56)));
  for (const double tick : ticks(p.y, wanted)) {
    const float y = p.y.place(tick);
    canvas.line({p.area.x, y}, {p.area.right(), y}, theme.track, view.px(1));
    canvas.text({p.area.x - view.px(left_gutter), y - view.px(row) / 2, view.px(left_gutter - 8), view.px(row)},
                ui::Style::caption, theme.muted, without_zeros(number_text(p.path, tick)), ui::Align::right);
  }
  canvas.line({p.area.x, p.area.bottom()}, {p.area.right(), p.area.bottom()}, theme.border, view.px(1));
  const std::int64_t current = value_on(p.plot.axis(), view.subject().simulation().plan);
  const float x = p.x_of(current);
  constexpr std::array<float, 2> marks = {3, 3};
  if (x >= p.area.x && x <= p.area.right()) {
    dashed_line(canvas, std::array{ui::Point{x, p.area.y}, ui::Point{x, p.area.bottom()}}, theme.faint, view.px(1),
                marks);
  }
  draw_values(view, p, current);
  const float last = canvas.text_width(ui::Style::caption, plot_value_text(p.plot.axis(), p.plot.values().back()));
  const float left = std::max(p.area.right(), p.x_of(p.plot.values().back()) + last / 2) + view.px(8);
  canvas.text({left, p.area.bottom() + view.px(5), p.right - left, view.px(row)}, ui::Style::control, theme.text,
              p.plot.axis().letter);
}

void draw_lines(View& view, const PlotPicture& p) {
  const std::vector<PlotLine>& lines = p.plot.lines();
  for (std::size_t n = lines.size(); n-- > 0;) draw_line(view, p, lines[n]);  // the current one on top
  draw_names(view, p);
  const double value = quantity_of(view.subject().simulation(), static_cast<PlotQuantity>(p.quantity));
  const std::int64_t current = value_on(p.plot.axis(), view.subject().simulation().plan);
  if (p.y.log && value <= 0) return;
  const ui::Point here{p.x_of(current), p.y.place(value)};
  if (p.area.inset(-view.px(2)).contains(here)) view.canvas().ring(here, view.px(8), view.theme().strong, view.px(2));
}

void draw_crosshair(View& view, const PlotPicture& p, std::size_t n) {
  const float x = p.x_of(p.plot.values()[n]);
  view.canvas().line({x, p.area.y}, {x, p.area.bottom()}, view.theme().muted, view.px(1));
  for (const PlotLine& line : p.plot.lines()) {
    if (const auto place = p.place(line, n))
      view.canvas().ring(*place, view.px(6), color_of(view.theme(), line), view.px(1.5f));
  }
}

}  // namespace explorer
