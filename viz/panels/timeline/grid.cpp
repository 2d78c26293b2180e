// All CTAs of the kernel on the SMs, over its predicted time.
#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/model/race_lanes.h"
#include "viz/panels/parts.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

constexpr float tick_row = 20, least_row = 3;  // CSS pixels
constexpr float still_to_come = 0.7f;          // of a colour, mixed into the inset, as in the race

/// True if colours mean row blocks: as chosen, or if there is a single head.
bool colors_rows(const View& view) {
  const sim::Shape& shape = view.subject().problem().shape;
  return view.state.look.by_row_block || shape.batch * shape.heads == 1;
}

/// SMs that have a row: all, or every `stride`-th from `first` on, so that the selected CTA is among them.
struct Rows {
  std::int64_t first = 0, stride = 1, count = 1;
  float pitch = 1;  ///< height of one SM's row
  std::int64_t sm(std::int64_t row) const { return first + row * stride; }
};

class GridDrawing {
 public:
  GridDrawing(View& view, const GridTimeline& grid, TimeWindow window)
      : view_(view),
        size_(grid_of(view.subject().simulation(), view.subject().replay->kernel)),
        canvas_(view.canvas()),
        theme_(view.theme()),
        grid_(grid),
        parts_(parts_of_keys(view)),
        window_(window),
        tracks_(tracks_of(view, window)) {
    find_now();
    tracks_.now = in_ticks(now_);
    const std::int64_t sms = std::min(grid.grid().sms, grid.grid().ctas), slots = grid.grid().ctas_per_sm;
    const auto room = static_cast<std::int64_t>(window.place.height / (view.px(least_row) * static_cast<float>(slots)));
    rows_.stride = sim::ceil_div(sms, std::clamp<std::int64_t>(room, 1, sms));
    rows_.first = looked_ == nullptr ? 0 : looked_->sm % rows_.stride;
    rows_.count = sim::ceil_div(sms - rows_.first, rows_.stride);
    rows_.pitch = std::min(view.px(28), window.place.height / static_cast<float>(rows_.count));
  }

  void draw();
  void draw_names(ui::Rect gutter);
  const CtaSpan* under(float x, float y) const;
  /// Fades all CTAs except those that read the same K and V as this one.
  void light(const CtaSpan* span) { lit_ = span == nullptr ? std::nullopt : std::optional(place_of(*span)); }
  const Rows& rows() const { return rows_; }
  const ui::Tracks& tracks() const { return tracks_; }

 private:
  void find_now();
  ui::Rect slot_place(std::int64_t row, std::int64_t slot) const;
  void draw_slot(std::int64_t row, std::int64_t slot);
  void draw_looked();
  sim::CtaPlace place_of(const CtaSpan& span) const {
    return place_of_cta(view_.subject().simulation(), view_.subject().replay->kernel, span.cta);
  }
  ui::Color color_of(const CtaSpan& span, const sim::CtaPlace& at) const;

  View& view_;
  sim::CtaPlace size_;
  std::optional<sim::CtaPlace> lit_;
  ui::Canvas& canvas_;
  const ui::Theme& theme_;
  const GridTimeline& grid_;
  std::int64_t parts_;  ///< number of parts that the keys are split into
  TimeWindow window_;
  ui::Tracks tracks_;
  Rows rows_;
  const CtaSpan* looked_ = nullptr;
  sim::Cycles now_;
};

/// Finds the playhead of the selected CTA on the grid's time; if the CTA's position is unknown, estimates it by its
/// share of all CTAs.
void GridDrawing::find_now() {
  const Subject& subject = view_.subject();
  const std::int64_t cta = cta_of_place(subject.simulation(), subject.replay->kernel, subject.replay->place);
  looked_ = grid_.find(cta);
  const double ctas = static_cast<double>(grid_.grid().ctas) / static_cast<double>(grid_.grid().shares);
  const auto end = static_cast<double>(std::max<std::int64_t>(1, subject.replay->index.end().count()));
  const double part =
      looked_ != nullptr ? static_cast<double>(subject.time.count()) / end : static_cast<double>(cta) / ctas;
  const sim::Cycles begin = looked_ != nullptr ? looked_->begin : sim::Cycles{};
  const sim::Cycles all = looked_ != nullptr ? looked_->end - looked_->begin : grid_.makespan();
  now_ = begin + sim::Cycles(std::llround(part * static_cast<double>(all.count())));
}

ui::Rect GridDrawing::slot_place(std::int64_t row, std::int64_t slot) const {
  const float slots = static_cast<float>(grid_.grid().ctas_per_sm);
  const float gap = rows_.pitch >= view_.px(4) ? 1 : 0, height = (rows_.pitch - gap) / slots;
  const float y = window_.place.y + static_cast<float>(row) * rows_.pitch + static_cast<float>(slot) * height;
  return {window_.place.x, y, window_.place.width, height >= 3 ? height - 1 : height};
}

/// Colour of a CTA's head, row block or part of the keys; faded if it is in the future or not highlighted.
ui::Color GridDrawing::color_of(const CtaSpan& span, const sim::CtaPlace& at) const {
  const bool rows = colors_rows(view_);
  const ui::Color full = parts_ > 1 ? part_color(theme_, at.col, parts_)
                                    : theme_.in_order(static_cast<float>(place_in_order(at, size_, rows)));
  const bool faded = lit_ && (at.batch != lit_->batch || kv_head_of(view_, at.head) != kv_head_of(view_, lit_->head));
  if (faded) return ui::mix(full, theme_.inset, 0.85f);
  return lit_ || span.begin <= now_ ? full : ui::mix(full, theme_.inset, still_to_come);
}

void GridDrawing::draw_slot(std::int64_t row, std::int64_t slot) {
  const ui::Rect place = slot_place(row, slot);
  float drawn_to = -1;
  for (const CtaSpan& span : grid_.row(rows_.sm(row), slot)) {
    if (window_.x(span.end) < drawn_to) continue;
    const sim::CtaPlace at = place_of(span);
    const ui::Color color = color_of(span, at);
    const bool current = span.begin <= now_ && now_ < span.end;
    const ui::Rect bar =
        tracks_.span(place, in_ticks(span.begin), in_ticks(span.end), color, current, drawn_to, {2, 1, 4});
    if (bar.height < view_.px(13) || bar.width < view_.px(24)) continue;
    canvas_.text(bar.inset(view_.px(4), 0), ui::Style::caption, ui::text_on(color), place_text(at), ui::Align::center);
  }
}

void GridDrawing::draw_looked() {
  if (looked_ == nullptr) return;
  const ui::Rect place = slot_place((looked_->sm - rows_.first) / rows_.stride, looked_->slot);
  const float left = window_.x(looked_->begin), right = std::max(window_.x(looked_->end), left + view_.px(4));
  const ui::Rect bar{left, place.y, right - left, place.height};
  const float grow = std::max(0.f, view_.px(6) - bar.height) / 2;
  canvas_.stroke({bar.x, bar.y - grow, bar.width, bar.height + 2 * grow}, theme_.strong, view_.px(2), view_.px(2));
}

void GridDrawing::draw() {
  canvas_.push_clip(window_.place.inset(0, -view_.px(2)));
  if (grid_.one_by_one()) {
    for (std::int64_t row = 0; row < rows_.count; ++row) {
      for (std::int64_t slot = 0; slot < grid_.grid().ctas_per_sm; ++slot) draw_slot(row, slot);
    }
    draw_looked();
  } else {
    const sim::Waves& waves = grid_.grid().waves;
    const auto [full, tail] =
        ui::columns(window_.place, 0, {window_.x(waves.tail_begin) - window_.place.x, ui::rest()});
    tracks_.fill(full, {theme_.tile_done, theme_.tile_to_do});
    canvas_.fill(tail, ui::mix(theme_.card, theme_.tile_to_do, 0.5f));
  }
  canvas_.pop_clip();
}

void GridDrawing::draw_names(ui::Rect gutter) {
  const float height = view_.px(16);
  if (!grid_.one_by_one()) return;
  const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(height / rows_.pitch)));
  for (std::int64_t row = 0; row < rows_.count; row += step) {
    const float y = window_.place.y + static_cast<float>(row) * rows_.pitch;
    if (y + std::max(height, rows_.pitch) > gutter.bottom() + 1) return;
    canvas_.text({gutter.x, y, gutter.width, std::max(height, rows_.pitch)}, ui::Style::caption, theme_.muted,
                 sim::text("SM ", rows_.sm(row)));
  }
}

const CtaSpan* GridDrawing::under(float x, float y) const {
  const auto row = static_cast<std::int64_t>((y - window_.place.y) / rows_.pitch);
  if (row < 0 || row >= rows_.count) return nullptr;
  const sim::Cycles time = window_.at(x);
  for (std::int64_t slot = 0; slot < grid_.grid().ctas_per_sm; ++slot) {
    const ui::Rect place = slot_place(row, slot);
    if (y < place.y || y > place.bottom() + 1) continue;
    const auto& spans = grid_.row(rows_.sm(row), slot);
    const auto after =
        std::partition_point(spans.begin(), spans.end(), [&](const CtaSpan& s) { return s.begin <= time; });
    if (after != spans.begin() && std::prev(after)->end > time) return &*std::prev(after);
  }
  return nullptr;
}

void react(View& view, const ui::Hit& hit, const GridTimeline& grid, const CtaSpan* under, const TimeWindow& window) {
  const ImGuiIO& io = ImGui::GetIO();
  if (hit.hovered) {
    zoom_timeline(view, zoom_steps(view), window.place.width);
    view.ui.state.letters = "W";
    if (ui::typed('w')) zoom_timeline(view, 1, window.place.width);
  }
  if (view.index != 0) return;
  if (!grid.one_by_one()) {  // approximately: CTAs follow each other evenly
    const double part = static_cast<double>(window.at(io.MousePos.x).count()) /
                        static_cast<double>(std::max<std::int64_t>(1, grid.makespan().count()));
    const std::int64_t ctas = grid.grid().ctas / grid.grid().shares;
    if (hit.clicked) look_at_cta(view, std::min(ctas - 1, static_cast<std::int64_t>(part * static_cast<double>(ctas))));
    return;
  }
  if (under == nullptr) return;
  if (hit.clicked) return look_at_cta(view, under->cta);
  draw_tooltip(view, about_cta(view, *under));
}

/// Names the kernel that combines the parts of the keys, and its time.
std::string combined_by(const View& view) {
  const std::size_t next = view.subject().replay->kernel + 1;
  if (parts_of_keys(view) == 1 || next >= view.subject().simulation().kernels.size()) return {};
  const sim::KernelMeters& kernel = view.subject().simulation().kernels[next];
  return view.say("{} adds the {} parts up, in {}.", kernel.name, parts_of_keys(view),
                  time_text(kernel.time.microseconds));
}

/// Sentences, the most important first; the first in its short form if it does not fit.
std::vector<std::string> note_of(const View& view, const GridTimeline& grid, const Rows& rows, float width) {
  const sim::GridInTime& g = grid.grid();
  const std::string waves =
      fmt::format("{:.2f}", static_cast<double>(g.ctas) / static_cast<double>(g.sms * g.ctas_per_sm));
  const double held = static_cast<double>(g.waves.makespan.count()) * static_cast<double>(g.sms * g.ctas_per_sm);
  if (g.ctas == 1) return {view.say("One CTA: {} of {} SMs have nothing to do.", g.sms - 1, g.sms)};
  std::vector<std::string> note = {view.say(
      "{} CTAs on {} SMs, {} on each: {} waves; slots are empty for {} of the time at the end.",
      report::thousands(g.ctas), std::min(g.sms, g.ctas), std::min(g.ctas_per_sm, sim::ceil_div(g.ctas, g.sms)), waves,
      report::percent(held > 0 ? static_cast<double>(g.waves.tail_idle.count()) / held : 0))};
  if (view.canvas().text_width(ui::Style::caption, note.front()) > width)
    note.front() = view.say("{} CTAs, {} waves.", report::thousands(g.ctas), waves);
  if (!grid.one_by_one())
    note.emplace_back(view.say("Too many to draw one by one: a click looks at one of about that time."));
  if (std::string after = combined_by(view); !after.empty()) note.push_back(std::move(after));
  if (const sim::Shape& shape = view.subject().problem().shape; shape.heads > shape.kv_heads)
    note.push_back(view.say("{} heads share one K and V.", shape.heads / shape.kv_heads));
  if (g.ctas < g.sms) note.push_back(view.say("{} SMs have nothing to do.", g.sms - g.ctas));
  if (grid.one_by_one() && rows.stride > 1) note.push_back(view.say("One SM of {} is drawn.", rows.stride));
  return note;
}

/// Draws the sentences that fit into the line.
void draw_note(View& view, ui::Rect line, const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) {
    const std::string longer = text.empty() ? sentence : sim::text(text, " ", sentence);
    if (view.canvas().text_width(ui::Style::caption, longer) <= line.width) text = longer;
  }
  view.canvas().text(line, ui::Style::caption, view.theme().muted, text);
}

}  // namespace

void draw_grid(View& view, ui::Rect gutter, ui::Rect rect, ui::Rect note) {
  const GridTimeline& grid = grid_timeline_of(view);
  const auto [ticks, lanes] = ui::rows(rect, 0, {view.px(tick_row), ui::rest()});
  if (!grid.ready()) {
    view.canvas().text(lanes, ui::Style::body, view.theme().muted, view.say("Putting the CTAs on the SMs …"),
                       ui::Align::center);
    return;
  }
  const TimeWindow window{sim::Cycles{}, grid.makespan(), lanes};
  GridDrawing drawing(view, grid, window);
  const ui::Hit hit = ui::hit(view.ui, view.id("timeline"), window.place);
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const bool one_by_one = grid.one_by_one() && (hit.hovered || hit.clicked);
  const CtaSpan* const under = one_by_one ? drawing.under(pointer.x, pointer.y) : nullptr;
  drawing.light(view.for_fingers() ? nullptr : under);
  draw_ticks(view, drawing.tracks(), ticks, lanes);
  drawing.draw();
  drawing.draw_names({gutter.x, lanes.y, gutter.width, lanes.height});
  drawing.tracks().playhead(ticks, lanes);
  draw_note(view, note, note_of(view, grid, drawing.rows(), note.width));
  react(view, hit, grid, under, window);
}

}  // namespace explorer
