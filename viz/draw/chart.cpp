#include "viz/draw/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/draw/steady.h"

namespace draw {
namespace {

constexpr double room = 0.06;  // of an axis's length, at each end that needs it
constexpr float line_of_names = 17, tick_gap = 10, title_above = 10, sample_of_line = 20;  // CSS pixels

/// Powers of ten; over many decades every n-th of them, over few also their multiples by 2 and 5.
std::vector<double> log_ticks(const Axis& axis, int wanted) {
  const double decades = steady::log(axis.high / axis.low) / steady::log(10);
  const bool multiples = decades < 2;
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, wanted))));
  std::vector<double> result;
  for (int power = steady::exponent_in(10, axis.low); steady::power_of(10, power) <= axis.high; ++power) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * steady::power_of(10, power);
      const bool wanted_one = digit == 1.0 ? power % stride == 0 : multiples;
      if (wanted_one && axis.holds(tick)) result.push_back(tick);
    }
  }
  return result;
}

std::vector<double> linear_ticks(const Axis& axis, int wanted) {
  const double step = round_step((axis.high - axis.low) / std::max(1, wanted));
  std::vector<double> result;
  const auto first = static_cast<int>(std::ceil(axis.low / step)),
             last = static_cast<int>(std::floor(axis.high / step));
  for (int n = first; n <= last; ++n) result.push_back(n * step);
  return result;
}

void draw_x_ticks(Paper& paper, const Chart& c) {
  std::vector<Rect> taken;
  const Rect p = c.place;
  const auto draw = [&](const Tick& tick) {
    const float x = c.x.place(tick.at), width = paper.text_width(Letters::caption, tick.text), half = width / 2;
    const Rect wide = Rect{x - half, 0, width, 1}.inset(-paper.px(tick_gap) / 2, 0);
    if (x - half < p.x - paper.px(c.gutter) || x + half > std::max(p.right() + paper.px(14), c.names_right)) return;
    for (const Rect& other : taken) {
      if (!common(wide, other).empty()) return;
    }
    taken.push_back(wide);
    if (!c.x_grid) paper.line(std::array{Point{x, p.bottom()}, Point{x, p.bottom() + paper.px(4)}}, {Tone::faint, 1});
    paper.text({x, p.bottom() + paper.px(c.numbers_below)}, Letters::caption, tick.first ? Tone::text : Tone::muted,
               tick.text, 0.5f);
  };
  for (const bool first : {true, false}) {
    for (const Tick& tick : c.x_ticks) {
      if (tick.first == first) draw(tick);
    }
  }
}

void draw_axes(Paper& paper, const Chart& c) {
  const Rect p = c.place;
  for (const Tick& tick : c.x_ticks) {
    const float x = c.x.place(tick.at);
    if (c.x_grid) paper.line(std::array{Point{x, p.y}, Point{x, p.bottom()}}, {Tone::grid, 1});
  }
  for (const Tick& tick : c.y_ticks) {
    const float y = c.y.place(tick.at);
    paper.line(std::array{Point{p.x, y}, Point{p.right(), y}}, {Tone::grid, 1});
    paper.text({p.x - paper.px(8), y}, Letters::caption, Tone::muted, tick.text, 1);
  }
  draw_x_ticks(paper, c);
  if (!c.x_title.empty())
    paper.text({p.right(), p.bottom() + paper.px(31)}, Letters::caption, Tone::muted, c.x_title, 1);
  if (!c.y_title.empty())
    paper.text({p.x - paper.px(c.gutter), p.y - paper.px(10)}, Letters::caption, Tone::muted, c.y_title);
}

/// Draws a line in pieces between its gaps, then its marks.
void draw_series(Paper& paper, const Chart& c, const Series& s) {
  std::vector<Point> piece;
  const auto flush = [&] {
    if (piece.size() > 1) paper.line(piece, s.stroke);
    piece.clear();
  };
  for (const Knot& knot : s.knots) {
    if (std::isnan(knot.y))
      flush();
    else
      piece.push_back(c.at(knot.x, knot.y));
  }
  flush();
  for (const Knot& knot : s.knots) {
    if (!std::isnan(knot.y)) paper.mark(c.at(knot.x, knot.y), s.shape, s.radius, s.stroke.tone, knot.tip);
  }
}

/// Tone of a name next to a line or a mark: texts are never faint.
Tone tone_of_name(const Tone& tone) {
  if (tone.kind == Tone::strong) return Tone::text;
  return tone.kind == Tone::faint || tone.kind == Tone::grid ? Tone::muted : tone;
}

struct End {
  const Series* series;
  Point at;
  bool early;  ///< other lines go on
};

/// Ends of the lines that have a name there, from top to bottom.
std::vector<End> ends_of(const Chart& c) {
  std::vector<End> ends;
  for (const Series& s : c.series) {
    const auto last = std::find_if(s.knots.rbegin(), s.knots.rend(), [](const Knot& k) { return !std::isnan(k.y); });
    if (s.name.empty() || s.named_at >= 0 || last == s.knots.rend()) continue;
    ends.push_back({&s, c.at(last->x, last->y), false});
  }
  float right = 0;
  for (const End& end : ends) right = std::max(right, end.at.x);
  for (End& end : ends) end.early = end.at.x < right - 1;
  std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.at.y < b.at.y; });
  return ends;
}

/// Writes the names of lines right of the chart, each after a piece of its line with its mark.
void name_right(Paper& paper, const Chart& c, const std::vector<End>& ends) {
  if (ends.empty()) return;
  const float usual = paper.px(c.names == Letters::label ? 16 : line_of_names);
  std::vector<float> centers;
  for (const End& each : ends) centers.push_back(each.at.y);
  spread(centers, std::min(usual, c.place.height / static_cast<float>(ends.size())), c.place.y, c.place.bottom());
  const float left = c.place.right() + paper.px(12), sample = paper.px(sample_of_line);
  for (std::size_t n = 0; n < ends.size(); ++n) {
    const Series& s = *ends[n].series;
    const Point end = ends[n].at;
    paper.line(std::array{Point{end.x + paper.px(5), end.y}, Point{left - paper.px(2), centers[n]}}, {Tone::faint, 1});
    paper.line(std::array{Point{left, centers[n]}, Point{left + sample, centers[n]}}, s.stroke);
    paper.mark({left + sample / 2, centers[n]}, s.shape, s.radius, s.stroke.tone);
    paper.text({left + sample + paper.px(5), centers[n]}, c.names, tone_of_name(s.stroke.tone), s.name);
  }
}

/// Keeps names off the title, marks and lines, but for faint dotted ones, which only guide the eye.
void reserve(Paper& paper, const Chart& c, Names& names) {
  const Point title{c.place.x - paper.px(c.gutter), c.place.y - paper.px(title_above)};
  if (c.names_above > 0) names.avoid(title, {title.x + paper.text_width(Letters::caption, c.y_title), title.y});
  for (const Series& s : c.series) {
    if (s.stroke.dash == Dash::dotted && s.stroke.tone.kind == Tone::faint) continue;
    for (std::size_t n = 1; n < s.knots.size(); ++n) {
      const Knot &a = s.knots[n - 1], &b = s.knots[n];
      if (!std::isnan(a.y) && !std::isnan(b.y)) names.avoid(c.at(a.x, a.y), c.at(b.x, b.y));
    }
  }
  for (const Mark& mark : c.marks) names.avoid(c.at(mark.x, mark.y), mark.radius + 1);
}

/// Writes the names of marks, of lines along them, and of lines that end early. Returns the ends that have none yet.
std::vector<End> name_near(Paper& paper, const Chart& c, std::vector<End> ends) {
  const auto near = [](const Series& s) { return s.named_at >= 0 && !s.name.empty() && s.knots.size() > 1; };
  if (std::none_of(c.marks.begin(), c.marks.end(), [](const Mark& m) { return !m.names.empty(); }) &&
      std::none_of(c.series.begin(), c.series.end(), near) &&
      std::none_of(ends.begin(), ends.end(), [](const End& e) { return e.early; }))
    return ends;
  const float above = paper.px(c.names_above);
  Names names(paper, {c.place.x, c.place.y - above, c.place.width, c.place.height + above});
  reserve(paper, c, names);
  for (const Series& s : c.series) {
    if (!near(s)) continue;
    const Point a = c.at(s.knots[0].x, s.knots[0].y), b = c.at(s.knots[1].x, s.knots[1].y);
    names.put({a.x + s.named_at * (b.x - a.x), a.y + s.named_at * (b.y - a.y)}, std::span(&s.name, 1), Letters::caption,
              tone_of_name(s.stroke.tone), true);
  }
  std::erase_if(ends, [&](const End& end) {
    const Series& s = *end.series;
    return end.early && names.put(end.at, std::span(&s.name, 1), c.names, tone_of_name(s.stroke.tone), true);
  });
  for (std::size_t n = c.marks.size(); n-- > 0;) {
    const Mark& m = c.marks[n];
    names.put(c.at(m.x, m.y), m.names, c.names, tone_of_name(m.tone), m.may_be_far);
  }
  return ends;
}

}  // namespace

float names_width(const Paper& paper, std::span<const Series> series, Letters letters) {
  float widest = 0;
  for (const Series& s : series) widest = std::max(widest, s.name.empty() ? 0 : paper.text_width(letters, s.name));
  return widest > 0 ? widest + paper.px(12 + sample_of_line + 5) : 0;
}

float Axis::place(double value) const {
  const double share = log ? steady::log(value / low) / steady::log(high / low) : (value - low) / (high - low);
  return begin + static_cast<float>(share) * (end - begin);
}

Axis make_axis(double least, double most, bool log, float begin, float end) {
  Axis axis{std::min(0.0, least), most > 0 ? most * (1 + room) : 1, log && least > 0, begin, end};
  if (!axis.log) return axis;
  const double factor = most > least ? steady::power(most / least, room) : 2;
  axis.low = least / factor;
  axis.high = most * factor;
  return axis;
}

double round_step(double least) {
  const double power = steady::power_of(10, steady::exponent_in(10, least));
  for (const double factor : {1., 2., 5.}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

std::vector<double> ticks(const Axis& axis, int wanted) {
  return axis.log ? log_ticks(axis, wanted) : linear_ticks(axis, wanted);
}

std::string tick_text(double value) {
  return value >= 1000 ? report::thousands(std::llround(value)) : fmt::format("{:g}", value);
}

std::vector<double> powers(const Axis& axis, int base) {
  std::vector<double> result;
  for (int n = steady::exponent_in(base, axis.low); steady::power_of(base, n) <= axis.high; ++n) {
    if (axis.holds(steady::power_of(base, n))) result.push_back(steady::power_of(base, n));
  }
  return result;
}

void spread(std::vector<float>& centers, float height, float top, float bottom) {
  float least = top + height / 2;
  for (float& center : centers) {
    center = std::max(center, least);
    least = center + height;
  }
  float most = bottom - height / 2;
  for (std::size_t n = centers.size(); n-- > 0;) {
    centers[n] = std::min(centers[n], most);
    most = centers[n] - height;
  }
}

void draw_chart(Paper& paper, const Chart& chart) {
  draw_axes(paper, chart);
  for (std::size_t n = chart.series.size(); n-- > 0;) draw_series(paper, chart, chart.series[n]);
  for (const Mark& m : chart.marks) paper.mark(chart.at(m.x, m.y), m.shape, m.radius, m.tone, m.tip);
  name_right(paper, chart, name_near(paper, chart, ends_of(chart)));
}

std::optional<std::size_t> nearest_mark(const Chart& chart, Point to, float within) {
  std::optional<std::size_t> nearest;
  for (std::size_t n = 0; n < chart.marks.size(); ++n) {
    const Point at = chart.at(chart.marks[n].x, chart.marks[n].y);
    const float distance = steady::length(at.x - to.x, at.y - to.y);
    if (distance >= within) continue;
    within = distance;
    nearest = n;
  }
  return nearest;
}

Shape shape_of(std::size_t n) {
  constexpr std::array shapes = {Shape::disc,    Shape::square,   Shape::ring,
                                 Shape::diamond, Shape::triangle, Shape::cross};
  return shapes.at(n % shapes.size());
}

Dash dash_of(std::size_t n) { return static_cast<Dash>(n % 5); }

void draw_key(Paper& paper, Point at, float right, std::span<const KeyEntry> entries) {
  float x = at.x, y = at.y;
  for (const KeyEntry& entry : entries) {
    const float sample = paper.px(entry.shape == Shape::none ? 26 : entry.radius > 5 ? 14 : 12);
    const float width = sample + paper.px(6) + paper.text_width(Letters::caption, entry.name);
    if (x > at.x && x + width > right) {
      x = at.x;
      y += paper.px(20);
    }
    if (entry.shape == Shape::none)
      paper.line(std::array{Point{x, y}, Point{x + sample, y}}, entry.line);
    else
      paper.mark({x + sample / 2, y}, entry.shape, entry.radius, entry.tone);
    paper.text({x + sample + paper.px(6), y}, Letters::caption, Tone::muted, entry.name);
    x += width + paper.px(12);
  }
}

float draw_bars(Paper& paper, Rect place, std::span<const Bar> bars) {
  const float height = paper.px(34), gap = paper.px(22);
  double most = 0;
  for (const Bar& bar : bars) {
    double sum = 0;
    for (const BarPart& part : bar.parts) sum += part.amount;
    most = std::max(most, sum);
  }
  float y = place.y;
  for (const Bar& bar : bars) {
    const float middle = y + height / 2;
    paper.text({place.x - paper.px(12), middle}, Letters::name, Tone::text, bar.name, 1);
    paper.fill({place.x, y, place.width, height}, Tone::track);
    double before = 0;
    for (const BarPart& part : bar.parts) {
      if (!(part.amount > 0)) continue;
      const auto width = static_cast<float>(part.amount / most) * place.width;
      const Rect rect{place.x + static_cast<float>(before / most) * place.width, y, width, height};
      paper.fill(rect, part.tone, part.tip);
      if (width > paper.text_width(Letters::label, part.name) + paper.px(8))
        paper.text(rect.center(), Letters::label, Tone(part.tone.of, part.tone.lighter, true), part.name, 0.5f);
      before += part.amount;
    }
    paper.text({place.right() + paper.px(12), middle}, Letters::caption, Tone::muted, bar.total);
    if (!bar.note.empty()) paper.text({place.x, y + height + paper.px(10)}, Letters::small, Tone::muted, bar.note);
    y += height + gap;
  }
  return y;
}

Names::Names(Paper& paper, Rect plot)
    : paper_(paper), places_({css(plot.x), css(plot.y), css(plot.right()), css(plot.bottom())}) {}

void Names::avoid(Point p, float radius) {
  const auto r = static_cast<double>(radius);
  places_.avoid(report::Box{css(p.x) - r, css(p.y) - r, css(p.x) + r, css(p.y) + r});
}

void Names::avoid(Point from, Point to) {
  places_.avoid(report::Segment{css(from.x), css(from.y), css(to.x), css(to.y)}, 1);
}

bool Names::put(Point at, std::span<const std::string> texts, Letters letters, Tone tone, bool may_be_far) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return put(at, text, letters, tone, may_be_far); });
}

bool Names::put(Point at, const std::string& text, Letters letters, Tone tone, bool may_be_far) {
  report::LabelPlaces tried = places_;
  const report::LabelPlace place = tried.take(css(at.x), css(at.y), css(paper_.text_width(letters, text)) + 2);
  if (!place.free || (place.leader && !may_be_far)) return false;
  places_ = std::move(tried);
  const auto px = [&](double css) { return static_cast<float>(css) * paper_.scale(); };
  if (place.leader) paper_.line(std::array{at, Point{px(place.near_x), px(place.near_y)}}, {Tone::faint, 1});
  paper_.text({px(place.x), px(place.y - 4)}, letters, tone, text);
  return true;
}

}  // namespace draw
