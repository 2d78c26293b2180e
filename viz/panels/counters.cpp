// Five counters: what the whole run moves, computes, takes and needs, as `simulate` prints it. The line below says how
// that compares; the bar says how far the CTA is that is looked at.
#include <array>

#include "viz/model/explained.h"
#include "viz/panels/number.h"
#include "viz/panels/panels.h"

namespace explorer {
namespace {

/// Phrases of the line below a counter, side by side as long as there is room.
class Line {
 public:
  Line(View& view, ui::Rect rect) : view_(view), rest_(rect) {}

  /// Words, as "bound by exp".
  void phrase(std::string_view text) {
    if (begin(text)) end(view_.canvas().text(rest_, style, view_.theme().muted, text));
  }
  /// A number among words, as "16.8 MB written".
  void phrase(std::string_view path, std::string_view text) {
    if (begin(text)) end(draw_number_text(view_, rest_, style, view_.theme().muted, path, text));
  }

 private:
  static constexpr ui::Style style = ui::Style::caption;

  /// The first phrase is cut where it does not fit, the others are left out.
  bool begin(std::string_view text) {
    if (first_) return true;
    const std::string_view dot = "·";
    const float space = view_.px(3), dot_width = view_.canvas().text_width(style, dot);
    if (2 * space + dot_width + view_.canvas().text_width(style, text) > rest_.width) return false;
    cut_left(rest_, space);
    view_.canvas().text(cut_left(rest_, dot_width + 1), style, view_.theme().muted, dot);
    cut_left(rest_, space);
    return true;
  }
  void end(float width) {
    cut_left(rest_, width);
    first_ = false;
  }

  View& view_;
  ui::Rect rest_;
  bool first_ = true;
};

/// What a counter shows: its large number, the line below, and how full its bar is.
struct Counter {
  std::string_view title;
  std::string_view path, ratio;  ///< of the large number, and to standard attention
  double (*value)(const sim::Simulation&);
  void (*line)(View&, Line&);
  double (*progress)(const Subject&);
};

double part(std::int64_t done, std::int64_t all) {
  return all == 0 ? 0 : static_cast<double>(done) / static_cast<double>(all);
}

Amounts so_far(const Subject& s) { return s.replay->progress.at(s.time); }
Amounts at_the_end(const Subject& s) { return s.replay->progress.all(); }

double moved(const Subject& s) {
  const Amounts now = so_far(s), all = at_the_end(s);
  return part(now.read_bytes + now.write_bytes, all.read_bytes + all.write_bytes);
}
double computed(const Subject& s) {
  const Amounts now = so_far(s), all = at_the_end(s);
  return part(now.matmul_flops + now.other_flops, all.matmul_flops + all.other_flops);
}
double passed(const Subject& s) { return part(s.time.count(), s.replay->index.end().count()); }
double filled(const Subject& s) { return derived_value(*s.run, "memory.sram_share"); }

double bytes(sim::Bytes n) { return static_cast<double>(n.count()); }

/// A number of this run as text.
std::string written(std::string_view path, double value) { return number_text(path, value); }
std::string written(const View& view, std::string_view path) {
  return number_text(path, derived_value(*view.subject().run, path));
}

void tile_line(View& view, Line& line) {
  constexpr std::string_view path = "tile_traffic.total.write_bytes";
  line.phrase(path, view.say("{} written", written(path, bytes(view.subject().simulation().totals.total.written))));
}

void hbm_line(View& view, Line& line) {
  constexpr std::string_view path = "hbm_traffic.write_bytes", hits = "hbm_traffic.l2_hit_rate";
  line.phrase(path, view.say("{} written", written(path, bytes(view.subject().simulation().hbm.written))));
  line.phrase(hits, view.say("L2 serves {}", written(view, hits)));
}

void work_line(View& view, Line& line) {
  constexpr std::string_view path = "work.other_flops", intensity = "hbm_traffic.intensity";
  const auto other = static_cast<double>(view.subject().simulation().totals.other_flops.count());
  line.phrase(path, view.say("{} other", written(path, other)));
  line.phrase(intensity, written(view, intensity));
}

void time_line(View& view, Line& line) {
  const sim::Simulation& s = view.subject().simulation();
  line.phrase(view.say("bound by {}", s.bound_by));
  constexpr std::string_view path = "time.error_percent";
  if (s.accuracy.error_percent) {
    line.phrase(path, "± " + written(path, *s.accuracy.error_percent));
  } else {
    line.phrase(view.say("not validated"));
  }
}

void memory_line(View& view, Line& line) {
  const sim::MemoryMeter& memory = view.subject().simulation().memory;
  constexpr std::string_view path = "memory.peak_sram_bytes", capacity = "memory.sram_capacity_bytes";
  line.phrase(path, "SMEM " + written(path, bytes(memory.peak_sram)));
  line.phrase(capacity, view.say("limit {}", written(capacity, bytes(memory.sram_capacity))));
}

constexpr std::array<Counter, 5> counters = {
    {{/*say*/ "Tiles read, L2 → SM", "tile_traffic.total.read_bytes", "tile_traffic.ratio",
      [](const sim::Simulation& s) { return bytes(s.totals.total.read); }, tile_line, moved},
     {/*say*/ "HBM reads, after L2", "hbm_traffic.read_bytes", "hbm_traffic.ratio",
      [](const sim::Simulation& s) { return bytes(s.hbm.read); }, hbm_line, moved},
     {/*say*/ "Matrix products", "work.matmul_flops", "",
      [](const sim::Simulation& s) { return static_cast<double>(s.totals.matmul_flops.count()); }, work_line, computed},
     {/*say*/ "Predicted time", "time.microseconds", "time.ratio",
      [](const sim::Simulation& s) { return s.microseconds; }, time_line, passed},
     {/*say*/ "Memory beyond Q, K, V, O", "memory.extra_hbm_bytes", "memory.ratio",
      [](const sim::Simulation& s) { return bytes(s.memory.extra_hbm); }, memory_line, filled}}};

/// The large number, and at the end of the row what it is of standard attention's.
void draw_value(View& view, ui::Rect row, const Counter& counter) {
  const Subject& subject = view.subject();
  const double value = counter.value(subject.simulation());
  cut_left(row, draw_number(view, row, ui::Style::number, counter.path, value) + view.px(8));
  if (counter.ratio.empty() || subject.run->standard == nullptr) return;
  const std::string text = view.say("{} of standard", written(view, counter.ratio));
  if (view.canvas().text_width(ui::Style::caption, text) > row.width) return;
  const float drop = view.px(5);  // on the line of the large number
  draw_number_text(view, row.moved(0, drop), ui::Style::caption, view.theme().muted, counter.ratio, text,
                   ui::Align::right);
}

}  // namespace

void draw_counter(View& view, ui::Rect rect, std::size_t which) {
  const Counter& counter = counters.at(which);
  ui::panel(view.canvas(), rect);
  ui::Rect rest = rect.inset(view.px(16), view.px(11));
  const ui::Rect bar = cut_bottom(rest, view.px(3));
  const ui::Theme& theme = view.theme();
  view.canvas().text(cut_top(rest, view.px(17)), ui::Style::caption, theme.muted, view.say(counter.title));
  draw_value(view, cut_top(rest, view.px(31)), counter);
  ui::Rect below = cut_top(rest, view.px(16));
  below.width += view.px(8);
  Line line(view, below);
  counter.line(view, line);
  ui::progress_bar(view.canvas(), bar, static_cast<float>(counter.progress(view.subject())), theme.strong);
}

}  // namespace explorer
