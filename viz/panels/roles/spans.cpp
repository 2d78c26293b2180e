// Bars of the roles: copies, products, work and waits; the tensor cores and the exp unit that they share.
#include <algorithm>
#include <cmath>

#include "viz/model/event_label.h"
#include "viz/panels/hatch.h"
#include "viz/panels/roles/lanes.h"
#include "viz/panels/roles/roles.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using sim::Cycles;
using ui::Rect;

constexpr float past_part = 0.28f, future_part = 0.64f;  // of the inset in a colour

/// Draws a label in the middle of a box if it fits, else the shorter one if that does.
void draw_bar_label(const RolesLanes& lanes, Rect box, ui::Color fill, const std::string& label,
                    const std::string& shorter) {
  View& view = lanes.view;
  ui::Canvas& canvas = view.canvas();
  if (view.world.covered.order) return;
  for (const std::string* const text : {&label, &shorter}) {
    const bool fits = ui::rich_width(canvas, lanes.labels, *text) + view.px(4) <= box.width &&
                      ui::rich_height(canvas, lanes.labels, *text) <= box.height + view.px(lanes.whole ? 0 : 2);
    if (!fits) continue;
    ui::rich_text(canvas, box, lanes.labels, {.color = ui::text_on(fill)}, *text, ui::Align::center);
    return;
  }
}

/// A bar in a tensor's colour; what runs at the playhead has an outline.
void draw_bar(const RolesLanes& lanes, Rect row, const RoleSpan& span, Cycles begin, Cycles end,
              const std::string& label, float& drawn_to) {
  const ui::Color fill = span_color(lanes.view.theme(), span.letter, begin, end, lanes.whole ? begin : lanes.now());
  const bool runs = begin <= lanes.now() && lanes.now() < end;
  const Rect box = lanes.tracks().span(row, in_ticks(begin), in_ticks(end), fill, runs, drawn_to);
  if (box.empty()) return;
  if (span.letter != 0) ui::mark_place(lanes.view.ui, sim::text("tensor:", std::string(1, span.letter)), box);
  const bool sums = lanes.roles.is_backward() && span.does == RoleDoes::product;
  draw_bar_label(lanes, box, fill, label, sums ? name_on_chip(lanes.roles.event(span.event).tensor) : std::string());
}

/// Draws what comes after a copy's transfer: its latency, up to where its bytes count.
void draw_latency(const RolesLanes& lanes, const RoleRow& row, const RoleSpan& copy) {
  const float thick = std::max(1.f, lanes.view.px(1.5f)), line = std::round(row.lower.center().y);
  const ui::Color color = span_color(lanes.view.theme(), copy.letter, copy.begin, copy.ready, lanes.now());
  const float left = std::max(lanes.window.place.x, lanes.x(copy.end)), right = lanes.x(copy.ready);
  if (copy.end >= lanes.window.from)
    lanes.view.canvas().fill({std::round(left), row.between.bottom(), thick, line - row.between.bottom()}, color);
  lanes.view.canvas().fill({left, line, right - left, thick}, color);
  lanes.view.canvas().disc({right, line + thick / 2}, lanes.view.px(2.5f), color);
}

/// Draws the copies of a role in a row.
void draw_copies_of(const RolesLanes& lanes, const RoleRow& row, const RoleLane& lane, float& drawn_to) {
  for (const RoleSpan& copy : lane.copies) {
    if (!lanes.shows(copy.begin, copy.ready)) continue;
    draw_bar(lanes, row.between, copy, copy.begin, copy.end, copied_markup(lanes.roles, copy), drawn_to);
    if (copy.ready > copy.end && !lanes.dense()) draw_latency(lanes, row, copy);
  }
}

/// Draws all copies: those of a role that writes dQ in its row, the others together.
void draw_copies(const RolesLanes& lanes) {
  float drawn_to = -1;
  for (std::size_t role = 0; role < lanes.roles.lanes().size(); ++role) {
    const RoleLane& lane = lanes.roles.lanes()[role];
    const auto own =
        std::find_if(lanes.writing.begin(), lanes.writing.end(), [&](const RoleRow& row) { return row.role == role; });
    if (own == lanes.writing.end()) {
      draw_copies_of(lanes, lanes.copies, lane, drawn_to);
      continue;
    }
    float own_drawn_to = -1;
    draw_copies_of(lanes, *own, lane, own_drawn_to);
  }
}

/// Work on a tile of scores is one bar, of P, and in a backward pass another one of dS; what else the role does has the
/// colour of what it makes.
struct WorkBar {
  RoleSpan span;
  Cycles end;
  bool is_gradient = false;  ///< of dS
};

std::vector<WorkBar> work_bars(const RoleTrace& roles, const RoleLane& lane, Cycles from, Cycles to) {
  std::vector<WorkBar> bars;
  const auto [first, last] = spans_within(lane.doing, from, to);
  for (std::size_t n = first; n < last; ++n) {
    const RoleSpan& span = lane.doing[n];
    if (span.does != RoleDoes::work) continue;
    const sim::Tensor tensor = roles.event(span.event).tensor;
    const bool is_gradient = tensor == sim::Tensor::dS || tensor == sim::Tensor::dP;
    const bool goes_on = !bars.empty() && bars.back().end == span.begin && is_softmax(span) &&
                         is_softmax(bars.back().span) && bars.back().span.block == span.block &&
                         bars.back().is_gradient == is_gradient;
    if (goes_on) {
      bars.back().end = span.end;
      continue;
    }
    bars.push_back({span, span.end, is_gradient});
    if (is_softmax(span)) bars.back().span.letter = is_gradient ? 'S' : 'P';
  }
  return bars;
}

/// "P_3", "dS_3", "O", "dK"; empty for a statistic.
std::string work_label(const RoleTrace& roles, const WorkBar& bar) {
  if (bar.span.letter == 0) return {};
  if (is_softmax(bar.span)) return sim::text(bar.is_gradient ? "dS_{" : "P_{", bar.span.block, "}");
  const std::string name = name_on_chip(roles.event(bar.span.event).tensor);
  return bar.span.block < 0 || !roles.is_backward() ? name : sim::text(name, "_{", bar.span.block, "}");
}

Hatch hatch_of_wait(const RoleSpan& wait) { return wait.is_products ? Hatch::dots : hatch_of(wait.cause); }

void draw_waits_of(const RolesLanes& lanes, Rect row, const RoleLane& lane) {
  const auto [first, last] = spans_within(lane.doing, lanes.window.from, lanes.window.to);
  for (std::size_t n = first; n < last; ++n) {
    const RoleSpan& span = lane.doing[n];
    const Rect box = lanes.part(row, span.begin, span.end);
    if (span.does != RoleDoes::wait || box.width < 2) continue;
    draw_wait(lanes.view.canvas(), box, hatch_of_wait(span), span.begin <= lanes.now());
  }
}

void draw_computing(const RolesLanes& lanes, const RoleRow& row) {
  const RoleLane& lane = lanes.roles.lanes()[row.role];
  float drawn_to = -1;
  const auto [first, last] = spans_within(lane.products, lanes.window.from, lanes.window.to);
  for (std::size_t n = first; n < last; ++n) {
    const RoleSpan& product = lane.products[n];
    draw_bar(lanes, row.upper, product, product.begin, product.end, product_markup(lanes.roles, product), drawn_to);
  }
  draw_waits_of(lanes, row.lower, lane);
  drawn_to = -1;
  for (const WorkBar& bar : work_bars(lanes.roles, lane, lanes.window.from, lanes.window.to))
    draw_bar(lanes, row.lower, bar.span, bar.span.begin, bar.end, work_label(lanes.roles, bar), drawn_to);
}

void draw_shared(const RolesLanes& lanes, Rect row, bool exps) {
  float drawn_to[2] = {-1, -1};
  for (const SharedPiece& piece : shared_pieces(lanes.roles, exps, lanes.window.from, lanes.window.to)) {
    const float high = row.height / static_cast<float>(piece.places);
    const Rect part{row.x, row.y + high * static_cast<float>(piece.place), row.width,
                    high - (piece.places > 1 ? 1.f : 0.f)};
    const std::string product =
        exps ? sim::text("P_{", piece.span->block, "}") : product_markup(lanes.roles, *piece.span);
    const std::string label = sim::text(lanes.roles.lanes()[piece.role].badge, ": ", product);
    draw_bar(lanes, part, *piece.span, piece.begin, piece.end, label, drawn_to[std::min(1, piece.place)]);
  }
}

/// Products of all roles, or their exponentials, by begin.
std::vector<SharedPiece> sharing_spans(const RoleTrace& roles, bool exps, Cycles from, Cycles to) {
  std::vector<SharedPiece> spans;
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
    const std::vector<RoleSpan>& all = exps ? roles.lanes()[r].doing : roles.lanes()[r].products;
    const auto [first, last] = spans_within(all, from, to);
    for (std::size_t n = first; n < last; ++n) {
      const bool is_exp = all[n].does == RoleDoes::work && all[n].letter == 'P' && roles.event(all[n].event).exps > 0;
      if (!exps || is_exp) spans.push_back({&all[n], r, all[n].begin, all[n].end});
    }
  }
  std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  return spans;
}

bool goes_on(const SharedPiece& before, const SharedPiece& piece) {
  return before.span == piece.span && before.end == piece.begin && before.place == piece.place &&
         before.places == piece.places;
}

}  // namespace

ui::Color span_color(const ui::Theme& theme, char letter, Cycles begin, Cycles end, Cycles now) {
  const ui::Color full = letter != 0 ? theme.tensor(letter) : theme.muted;
  if (begin <= now && now < end) return full;
  return ui::mix(full, theme.inset, end <= now ? past_part : future_part);
}

std::vector<SharedPiece> shared_pieces(const RoleTrace& roles, bool exps, Cycles from, Cycles to) {
  std::vector<SharedPiece> spans = sharing_spans(roles, exps, from, to), pieces;
  std::vector<Cycles> edges;
  for (const SharedPiece& span : spans) edges.insert(edges.end(), {span.begin, span.end});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<SharedPiece> here;  // at an edge
  std::size_t next = 0;
  for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
    std::erase_if(here, [&](const SharedPiece& span) { return span.end <= edges[e]; });
    for (; next < spans.size() && spans[next].begin <= edges[e]; ++next) here.push_back(spans[next]);
    std::sort(here.begin(), here.end(), [](const auto& a, const auto& b) { return a.role < b.role; });
    const std::size_t before = pieces.size() < 8 ? 0 : pieces.size() - 8;
    for (std::size_t n = 0; n < here.size(); ++n) {
      const SharedPiece piece{here[n].span, here[n].role,        edges[e],
                              edges[e + 1], static_cast<int>(n), static_cast<int>(here.size())};
      const auto same = std::find_if(pieces.begin() + static_cast<std::ptrdiff_t>(before), pieces.end(),
                                     [&](const SharedPiece& p) { return goes_on(p, piece); });
      if (same != pieces.end())
        same->end = piece.end;
      else
        pieces.push_back(piece);
    }
  }
  return pieces;
}

void draw_role_spans(const RolesLanes& lanes) {
  const RoleLane& copies = lanes.roles.lanes()[lanes.copies.role];
  const bool has_row = !lanes.copies.between.empty();
  if (has_row && !copies.computes) draw_waits_of(lanes, lanes.copies.upper, copies);
  for (const RoleRow& row : lanes.writing) draw_waits_of(lanes, row.upper, lanes.roles.lanes()[row.role]);
  if (has_row) draw_copies(lanes);
  for (const RoleRow& row : lanes.computing) draw_computing(lanes, row);
}

void draw_shared_pipes(const RolesLanes& lanes) {
  draw_shared(lanes, lanes.tensor, false);
  if (!lanes.exp.empty()) draw_shared(lanes, lanes.exp, true);
}

}  // namespace explorer
