// Lanes of the timeline: one per engine of the CTA, with its work and its waits.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "viz/model/causes.h"
#include "viz/model/event_label.h"
#include "viz/model/listing/equation.h"
#include "viz/panels/description.h"
#include "viz/panels/hatch.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using ui::Phase;

constexpr std::array<sim::Engine, sim::engine_count> lane_order = {sim::Engine::copy_in, sim::Engine::tensor,
                                                                   sim::Engine::fp32,    sim::Engine::exp,
                                                                   sim::Engine::barrier, sim::Engine::copy_out};
constexpr float most_pitch = 40;       // CSS pixels
constexpr float narrowest_label = 11;  // CSS pixels
constexpr float name_height = 12;      // CSS pixels
constexpr float least_apart = 4;       // CSS pixels of an event whose delays are drawn
constexpr std::size_t most_waits_drawn = 400;

std::size_t place(std::int32_t n) { return static_cast<std::size_t>(n); }

Phase phase_of(const sim::Event& event, sim::Cycles now) {
  if (event.released <= now) return Phase::done;
  return event.begin <= now ? Phase::active : Phase::future;
}

/// Colour of a tensor; grey if the tensor has none.
ui::Color fill_of(const ui::Theme& theme, char letter, Phase phase) {
  if (letter != 0) return theme.tensor(letter, phase);
  return phase == Phase::active ? theme.muted : phase == Phase::done ? theme.tile_done : theme.tile_to_do;
}

/// Draws one lane.
class LaneDrawing {
 public:
  LaneDrawing(View& view, const TimeWindow& window, const Lane& lane, const LaneColumns& columns, ui::Rect row)
      : view_(view),
        canvas_(view.canvas()),
        tracks_(tracks_of(view, window)),
        window_(window),
        lane_(lane),
        columns_(columns),
        row_(row),
        trace_(view.subject().replay->trace),
        now_(view.subject().time),
        lit_(lit_cause(view.state.look)) {}

  void draw() {
    const auto [first, last] = view_.subject().replay->index.within(lane_, window_.from, window_.to);
    if (!columns_.empty() && last - first > many_events) return draw_columns();
    for (std::size_t n = first; n < last; ++n) draw_latency(event(n));
    float drawn_to = -1;
    for (std::size_t n = first; n < last; ++n) draw_event(lane_.events[n], drawn_to);
  }
  void draw_waiting(const sim::WaitSpan& wait) { draw_hatched(wait.begin, wait.end, wait.cause); }

 private:
  const sim::Event& event(std::size_t n) const { return trace_.events[place(lane_.events[n])]; }
  ui::Rect part(sim::Cycles begin, sim::Cycles end) const { return tracks_.part(row_, in_ticks(begin), in_ticks(end)); }
  void draw_event(std::int32_t n, float& drawn_to);
  sim::Cycles draw_delays(std::int32_t n);
  void draw_hatched(sim::Cycles begin, sim::Cycles end, sim::Cause cause);
  /// Dims other events if the events of one cause are highlighted.
  ui::Color seen(ui::Color color, bool lit) const {
    return lit_ && !lit ? ui::mix(view_.theme().card, color, 0.25f) : color;
  }
  void draw_latency(const sim::Event& event);
  bool fits(const std::string& label, ui::Rect bar) const;
  void draw_label(const sim::Event& event, ui::Rect bar, ui::Color fill);
  void draw_columns();

  View& view_;
  ui::Canvas& canvas_;
  ui::Tracks tracks_;
  const TimeWindow& window_;
  const Lane& lane_;
  const LaneColumns& columns_;
  ui::Rect row_;
  const sim::Trace& trace_;
  sim::Cycles now_;
  std::optional<sim::Cause> lit_;
  std::map<std::int32_t, std::string> products_;  // by line: reading a listing costs more than drawing
};

/// Hatches the part of an event's time that neighbours on the SM take; it comes first, as in the sums. Returns the
/// start of the work.
sim::Cycles LaneDrawing::draw_delays(std::int32_t n) {
  const auto& delays = trace_.delays;
  sim::Cycles begin = trace_.events[place(n)].begin;
  auto delay = std::partition_point(delays.begin(), delays.end(), [&](const auto& d) { return d.event < n; });
  for (; delay != delays.end() && delay->event == n; ++delay) {
    draw_hatched(begin, begin + delay->time, delay->cause);
    begin += delay->time;
  }
  return begin;
}

void LaneDrawing::draw_event(std::int32_t n, float& drawn_to) {
  const sim::Event& event = trace_.events[place(n)];
  const bool apart = part(event.begin, event.released).width >= view_.px(least_apart);
  const sim::Cycles begin = apart ? draw_delays(n) : event.begin;
  const Phase phase = phase_of(event, now_);
  const bool lit = lit_ && works_on(event, *lit_);
  const ui::Color fill = seen(fill_of(view_.theme(), letter_of(event.tensor), lit ? Phase::active : phase), lit);
  const ui::Rect box =
      tracks_.span(row_, in_ticks(begin), in_ticks(event.released), fill, phase == Phase::active, drawn_to);
  if (box.width >= view_.px(narrowest_label) && row_.height >= view_.px(12)) draw_label(event, box, fill);
}

/// Draws the time between the last byte's leaving the port and the copy's arrival.
void LaneDrawing::draw_latency(const sim::Event& event) {
  if (event.end <= event.released) return;
  const ui::Rect tail = part(event.released, event.end);
  if (tail.width < 2) return;
  const float thick = std::max(1.f, view_.px(2));
  canvas_.fill(
      {tail.x, std::round(row_.center().y - thick / 2), tail.width, thick},
      seen(fill_of(view_.theme(), letter_of(event.tensor), event.end <= now_ ? Phase::done : Phase::future), false));
}

/// True if the whole label is inside its bar's outline; scripts extend above and below the line.
bool LaneDrawing::fits(const std::string& label, ui::Rect bar) const {
  const float height = ui::rich_height(canvas_, ui::Style::caption, label);
  return ui::rich_width(canvas_, ui::Style::caption, label) + view_.px(2) <= bar.width &&
         height + 2 * view_.px(1.5f) <= bar.height;
}

/// Draws the product, or the tensor with its block; the tensor alone if only that fits.
void LaneDrawing::draw_label(const sim::Event& event, ui::Rect bar, ui::Color fill) {
  if (view_.world.covered.order) return;
  std::string label;
  if (event.verb == sim::Verb::gemm) {
    auto [found, fresh] = products_.try_emplace(event.line);
    if (fresh) found->second = bar_label(event, trace_.listing);
    label = found->second;
  } else {
    label = bar_label(event, trace_.listing);
  }
  for (const std::string& text : {label, label_of(event.tensor)}) {
    if (!fits(text, bar)) continue;
    const ui::Color color = seen(ui::text_on(fill), lit_ && works_on(event, *lit_));
    ui::rich_text(canvas_, bar, ui::Style::caption, {.color = color}, text, ui::Align::center);
    return;
  }
}

/// Draws a lane with more events than pixels: each column shows the tensor that takes most of its time, the fainter the
/// less busy it is.
void LaneDrawing::draw_columns() {
  const std::int64_t column =
      std::max<std::int64_t>(1, (window_.to - window_.from).count() / static_cast<std::int64_t>(row_.width));
  const auto& parts = columns_.parts(columns_.level(sim::Cycles(column)));
  const double end = static_cast<double>(view_.subject().replay->index.end().count());
  const auto color_at = [&](float x) {
    const sim::Cycles time = window_.at(x);
    const auto n =
        static_cast<std::size_t>(static_cast<double>(time.count()) / end * static_cast<double>(parts.size()));
    const LaneColumn& part = parts[std::min(n, parts.size() - 1)];
    const Phase phase = time <= now_ ? Phase::done : Phase::future;
    return ui::mix(view_.theme().card, fill_of(view_.theme(), part.letter, phase), static_cast<float>(part.busy) / 255);
  };
  float from = row_.x;
  ui::Color color = color_at(from + 0.5f);
  for (float x = row_.x + 1; x <= row_.right(); ++x) {
    const ui::Color next = x < row_.right() ? color_at(x + 0.5f) : ui::Color{};
    if (next == color) continue;
    canvas_.fill({from, row_.y, x - from, row_.height}, color);
    from = x;
    color = next;
  }
}

/// Draws the hatch of a wait; one narrower than that is left out.
void LaneDrawing::draw_hatched(sim::Cycles begin, sim::Cycles end, sim::Cause cause) {
  const ui::Rect box = part(begin, end).inset(0, view_.px(3));
  if (box.width < 2) return;
  draw_wait(canvas_, box, hatch_of(cause), begin <= now_, lit_ ? std::optional(lit_ == cause) : std::nullopt);
}

/// Rows of the lanes, from the top.
std::vector<LaneRow> rows_of(const View& view, ui::Rect gutter, ui::Rect place) {
  const auto& lanes = view.subject().replay->index.lanes();
  const float pitch =
      std::min(view.px(most_pitch), place.height / static_cast<float>(std::max<std::size_t>(1, lanes.size())));
  const float gap = std::min(view.px(6), std::round(0.2f * pitch));
  std::vector<LaneRow> rows;
  const std::size_t most = view.subject().replay->index.roles() * lane_order.size();
  for (std::size_t at = 0; at < most; ++at) {  // role by role, the producer first
    const auto is_next = [&](const Lane& lane) {
      return lane.role == at / lane_order.size() && lane.engine == lane_order[at % lane_order.size()];
    };
    const auto next = std::find_if(lanes.begin(), lanes.end(), is_next);
    if (next == lanes.end()) continue;
    const float y = std::round(place.y + static_cast<float>(rows.size()) * pitch + gap / 2);
    const float height = std::round(pitch - gap);
    const auto n = static_cast<std::size_t>(next - lanes.begin());
    rows.push_back({n, {place.x, y, place.width, height}, {gutter.x, y, gutter.width, height}});
  }
  return rows;
}

/// Name of a lane; with roles "consumer 1 · tensor".
std::string name_of(const View& view, std::size_t lane) {
  const Replay& replay = *view.subject().replay;
  const Lane& of = replay.index.lanes()[lane];
  std::string engine(engine_name(view.state.look.language, of.engine));
  if (replay.trace.roles.empty()) return engine;
  const bool warps = of.engine == sim::Engine::fp32;
  return sim::text(role_name(view.state.look.language, replay.trace.roles.at(of.role).name), " · ",
                   warps ? std::string(view.say("warps")) : engine);
}

void draw_waits(View& view, const TimeWindow& window, const std::vector<LaneRow>& rows) {
  const Replay& replay = *view.subject().replay;
  const auto& waits = replay.trace.waits;
  const auto first =
      std::partition_point(waits.begin(), waits.end(), [&](const auto& w) { return w.end <= window.from; });
  const auto last = std::partition_point(first, waits.end(), [&](const auto& w) { return w.begin < window.to; });
  if (static_cast<std::size_t>(last - first) > most_waits_drawn) return;
  for (auto wait = first; wait != last; ++wait) {
    if (wait->event < 0) continue;
    const std::int32_t of = replay.index.lane_of(replay.trace.events[place(wait->event)]);
    for (const LaneRow& row : rows) {
      const Lane& lane = replay.index.lanes()[row.lane];
      if (static_cast<std::int32_t>(row.lane) == of)
        LaneDrawing(view, window, lane, replay.columns[row.lane], row.place).draw_waiting(*wait);
    }
  }
}

/// Writes the names of lanes. In a window too low for them the lanes of a role share one, next to a line along them.
void draw_lane_names(View& view, const std::vector<LaneRow>& rows) {
  const Replay& replay = *view.subject().replay;
  const auto role_of = [&](const LaneRow& row) { return replay.index.lanes()[row.lane].role; };
  const bool low = rows.size() > 1 && rows[1].gutter.y - rows[0].gutter.y < view.px(name_height);
  const bool grouped = low && !replay.trace.roles.empty();
  float free = -1e9f;  // middle of the next name, at least
  for (auto first = rows.begin(); first != rows.end();) {
    const auto other = [&](const LaneRow& row) { return !grouped || role_of(row) != role_of(*first); };
    const auto next = std::find_if(first + 1, rows.end(), other);
    const ui::Rect all = around(first->gutter, std::prev(next)->gutter);
    const std::string name =
        grouped ? std::string(role_name(view.state.look.language, replay.trace.roles.at(role_of(*first)).name))
                : name_of(view, first->lane);
    if (all.center().y >= free) {
      view.canvas().text(all, ui::Style::caption, view.theme().muted, name);
      free = all.center().y + view.px(name_height);
    }
    const float line = std::max(1.f, view.px(2));
    if (grouped) view.canvas().fill({all.right() - view.px(8), all.y, line, all.height}, view.theme().border);
    first = next;
  }
}

}  // namespace

void draw_lanes(View& view, ui::Rect gutter, const TimeWindow& window) {
  const Replay& replay = *view.subject().replay;
  const std::vector<LaneRow> rows = rows_of(view, gutter, window.place);
  view.canvas().push_clip(window.place);
  for (const LaneRow& row : rows) view.canvas().fill(row.place, ui::with_alpha(view.theme().inset, 0.6f));
  draw_waits(view, window, rows);
  for (const LaneRow& row : rows)
    LaneDrawing(view, window, replay.index.lanes()[row.lane], replay.columns[row.lane], row.place).draw();
  view.canvas().pop_clip();
  draw_lane_names(view, rows);
  const float bottom = rows.empty() ? window.place.bottom() : rows.back().place.bottom() + view.px(4);
  draw_selection(view, window, std::min(bottom, window.place.bottom()));
  react_to_pointer(view, window, rows);
}

}  // namespace explorer
