// The listing of a CTA with roles: the function of each role in a column, consumers of one function side by side in it,
// with a badge at the line of each role. A call represents the lines of its function.
#include <algorithm>
#include <cmath>

#include "sim/machine/blocks.h"
#include "viz/panels/listing/rows.h"
#include "viz/panels/roles/badge.h"
#include "viz/panels/roles/roles.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float least_line = 18, most_line = 23, head = 24, badge_side = 16, indentation = 14,
                columns_from = 800;  // CSS pixels

const std::vector<RoleColumn>& columns_in_view(const View& view) {
  return role_runs_of(view).columns(view.state.look.source);
}

/// Rows at which the roles of a column are; -1 for one that is done.
std::vector<int> rows_now(const View& view, const RoleTrace& roles, const RoleColumn& column) {
  std::vector<int> rows;
  for (const std::size_t role : column.roles) {
    const RoleSpan* span = roles.at(role, view.subject().time);
    rows.push_back(span == nullptr || span->event < 0 ? -1 : row_of(column, roles.trace(), span->event));
  }
  return rows;
}

/// Moves to the next time at which a role reaches a row.
void go_to_row(View& view, const RoleTrace& roles, const ListingRow& row) {
  std::optional<sim::Cycles> next, first;
  for (const int number : row.numbers) {
    for (const std::int32_t event : view.subject().replay->lines.events(number)) {
      const sim::Cycles at = roles.issued(event);
      if (!first || at < *first) first = at;
      if (at > view.subject().time && (!next || at < *next)) next = at;
    }
  }
  if (const auto& to = next ? next : first) view.edit(Seek{*to, view.index});
}

/// Width that a line takes as an equation.
float wide_as_equation(const View& view, const ListingLine& line) {
  const float indent = view.px(indentation) * static_cast<float>(line.depth);
  if (!line.typeset || view.state.look.source) return indent + view.canvas().text_width(Style::table, line.code);
  return indent + ui::rich_width(view.canvas(), Style::code, line.equation);
}

/// Draws the cause of a wait at the end of the row, or else what the row's line needs.
void draw_row_end(View& view, ui::Space& rest, const RoleTrace& roles, const RoleColumn& column, const ListingRow& row,
                  const std::vector<std::size_t>& here) {
  std::string words(note_of(view, *row.line));
  bool waits = false;
  for (const std::size_t n : here) {
    const RoleSpan* span = roles.at(column.roles[n], view.subject().time);
    if (span == nullptr || span->does != RoleDoes::wait) continue;
    waits = true;
    words = view.say(sim::name_of(span->cause));
  }
  const float wide = view.canvas().text_width(Style::caption, words);
  const float left = waits ? view.px(90) : wide_as_equation(view, *row.line);
  if (words.empty() || wide + left + view.px(8) > rest.width()) return;
  const ui::Color color = waits ? view.theme().text : view.theme().muted;
  ui::right_text(view.canvas(), rest, Style::caption, color, words, view.px(8));
}

void draw_row(View& view, Rect rect, const RoleTrace& roles, const RoleColumn& column, std::size_t n,
              const std::vector<int>& now) {
  const ui::Theme& theme = view.theme();
  const ListingRow& row = column.rows[n];
  std::vector<std::size_t> here;
  for (std::size_t role = 0; role < now.size(); ++role) {
    if (now[role] == static_cast<int>(n)) here.push_back(role);
  }
  const std::string id = view.id(sim::text("roles/line/", row.line->number));
  const ui::Hit h = ui::hit(view.ui, id, rect);
  if (h.clicked) go_to_row(view, roles, row);
  ui::Color surface = theme.card;
  if (!here.empty() || h.hovered) {
    surface = ui::mix(theme.card, theme.text, here.empty() ? 0.05f : 0.13f);
    view.canvas().fill(rect, surface, view.px(5));
  }
  ui::Space rest(rect);
  ui::Space gutter(rest.left(view.px(badge_side + 2) * static_cast<float>(column.roles.size())), view.px(2));
  std::string badges;
  for (const std::size_t role : here) {
    const std::string& badge = roles.lanes()[column.roles[role]].badge;
    const int only = view.state.look.role;  // whose events steps stop at
    const bool chosen = only < 0 || only == static_cast<int>(column.roles[role]);
    draw_role_badge(view, gutter.left(view.px(badge_side)), badge, chosen);
    badges += badge;
  }
  if (!badges.empty()) view.ui.state.shown.emplace(id, badges);
  view.canvas().text(rest.left(view.px(24), view.px(9)), Style::table, here.empty() ? theme.faint : theme.text,
                     std::to_string(row.line->number), ui::Align::right);
  rest.right(view.px(5));
  draw_row_end(view, rest, roles, column, row, here);
  rest.left(std::min(view.px(indentation) * static_cast<float>(row.line->depth), rest.width() / 2));
  if (view.state.look.source) return draw_code(view, rest.rest(), row.line->code, row.line->runs);
  draw_equation(view, rest.rest(), *row.line, surface);
}

/// True if the CTA shown is of a backward pass, whose consumers share a block of keys.
bool is_backward(const View& view) {
  return view.subject().simulation().plan.launches[view.subject().replay->kernel].writes(sim::Tensor::dK);
}

/// "64 keys each": a consumer's part of dK and dV, of keys or of columns.
std::string part_words(const View& view, const RoleTrace& roles, std::size_t role) {
  for (const RoleSpan& product : roles.lanes()[role].products) {
    const sim::Event& event = roles.event(product.event);
    if (event.tensor != sim::Tensor::dK) continue;
    const bool whole = event.cols.size == view.subject().simulation().plan.problem.shape.head_dim;
    return whole ? view.say("{} keys each", std::max(event.rows.size, event.rows.block))
                 : view.say("{} columns of dK and dV each", event.cols.size);
  }
  return "";
}

/// "Producer", "Consumer 1", "Consumers 1, 2", and what its warpgroups have.
std::pair<std::string, std::string> heading_of(const View& view, const RoleTrace& roles, const RoleColumn& column) {
  const RoleLane& lane = roles.lanes()[column.roles.front()];
  if (lane.badge == "W")
    return {role_name(view.state.look.language, lane.name), std::string(view.say("one warp issues"))};
  if (!lane.computes) return {std::string(view.say("Producer")), std::string(view.say("one thread issues"))};
  std::string badges;
  for (const std::size_t role : column.roles) badges += (badges.empty() ? "" : ", ") + roles.lanes()[role].badge;
  const bool one = column.roles.size() == 1;
  const std::string name = one ? view.say("Consumer {}", badges) : view.say("Consumers {}", badges);
  if (is_backward(view)) return {name, one ? "" : part_words(view, roles, column.roles.front())};
  return {name, one ? view.say("{} rows", sim::wgmma_rows) : view.say("{} rows each, the same keys", sim::wgmma_rows)};
}

void draw_column(View& view, Rect rect, const RoleTrace& roles, const RoleColumn& column) {
  auto [top, place] = ui::rows(rect, 0, {view.px(head), ui::rest()});
  ui::Space line(top);
  const auto [title, note] = heading_of(view, roles, column);
  ui::left_text(view.canvas(), line, Style::control, view.theme().text, title, view.px(8));
  view.canvas().text(line.rest(), Style::caption, view.theme().muted, note);
  const std::vector<int> now = rows_now(view, roles, column);
  const auto count = static_cast<float>(std::max<std::size_t>(1, column.rows.size()));
  const float high = std::clamp(std::floor(place.height / count), view.px(least_line), view.px(most_line));
  const auto fit = static_cast<std::size_t>(std::max(1.f, std::floor(place.height / high)));
  const std::string id = view.id(sim::text("roles/listing/", column.roles.front()));
  const float content = high * static_cast<float>(column.rows.size());
  float& kept = view.ui.state.scrolled[id];
  float& away = view.ui.state.scrolled[id + "/away"];  // the time, plus 1, at which the user looks elsewhere
  const float time = static_cast<float>(view.subject().time.count()) + 1;
  const float followed = high * static_cast<float>(first_in_view(column, now, fit));
  const float wanted = away == time ? kept : std::min(followed, std::max(0.f, content - place.height));
  place.height = std::floor(place.height / high) * high;  // no line is cut in half
  const float offset = ui::begin_scroll(view.ui, id, place, content, wanted);
  if (offset != wanted) away = time;
  kept = offset;
  const float bar = content > place.height ? view.px(10) : 0;
  const float first = place.y - std::round(offset / high) * high;
  for (std::size_t n = 0; n < column.rows.size(); ++n) {
    const float y = first + high * static_cast<float>(n);
    if (y + high <= place.y || y >= place.bottom()) continue;
    draw_row(view, {place.x, y, place.width - bar, high}, roles, column, n, now);
  }
  ui::end_scroll();
}

float column_height(const View& view, const RoleColumn& column) {
  return view.px(head) + view.px(20) * static_cast<float>(column.rows.size());
}

void draw_listing_head(View& view, Rect place, const RoleTrace& roles, std::string_view note) {
  ui::Canvas& canvas = view.canvas();
  ui::Space line(place);
  if (!view.bare) {
    const Rect toggle = line.right(ui::toggle_width(canvas, view.say("C++")), view.px(14));
    explorer::toggle(view, "source", toggle, view.say("C++"), "source");
  }
  const std::string tile = view.say("tile {} of {}", roles.tile_at(view.subject().time), roles.blocks().size());
  const std::string_view name = view.say(view.subject().simulation().plan.code->title);
  const std::string title = is_backward(view) ? view.say("{}, backward", name) : view.say("{}, forward", name);
  const float both = canvas.text_width(Style::title, title) + canvas.text_width(Style::table, tile) + 1;
  if (both + view.px(12) <= line.width())
    ui::right_text(canvas, line, Style::table, view.theme().muted, tile, view.px(12));
  ui::left_text(canvas, line, Style::title, view.theme().text, title, view.px(10));
  ui::fitting_text(canvas, line.rest(), Style::caption, view.theme().muted, note);
}

/// Draws the columns side by side. Of three the second one, of the warp that writes dQ, is below the producer's.
void draw_columns(View& view, Rect listing, const RoleTrace& roles, const std::vector<RoleColumn>& columns) {
  const bool stacked = columns.size() == 3;
  std::vector<ui::Part> parts(stacked ? 2 : columns.size(), ui::rest());
  if (columns.size() > 1) parts.front() = {std::floor((stacked ? 0.42f : 0.455f) * listing.width)};
  std::vector<Rect> places = ui::columns(listing, view.px(12), parts);
  if (stacked) {
    const float low = view.px(head) + view.px(20) * static_cast<float>(columns[1].rows.size()) + view.px(2);
    const auto [above, below] = ui::rows(places[0], view.px(4), {ui::rest(), std::min(low, places[0].height / 2)});
    places = {above, below, places[1]};
  }
  for (std::size_t n = 0; n < places.size(); ++n) draw_column(view, places[n], roles, columns[n]);
}

/// In a narrow card: what the roles do now, and each column below it.
std::vector<ui::Part> parts_of_listing(const View& view, const RoleTrace& roles) {
  std::vector<ui::Part> parts = {roles_now_height(view, roles)};
  for (const RoleColumn& column : columns_in_view(view)) parts.push_back(column_height(view, column));
  return parts;
}

}  // namespace

float roles_listing_height(const View& view, const RoleTrace& roles, float width) {
  if (width >= view.px(columns_from)) return view.px(352);
  return view.px(24 + 24 + 8 + 12) + ui::length_of(view.px(12), parts_of_listing(view, roles));
}

void draw_roles_listing(View& view, Rect card, const RoleTrace& roles, std::string_view note) {
  ui::mark_place(view.ui, "roles", card);
  ui::panel(view.canvas(), card);
  const auto [line, body] = ui::rows(card.inset(view.px(16), view.px(12)), view.px(8), {view.px(24), ui::rest()});
  draw_listing_head(view, line, roles, note);
  const std::vector<RoleColumn>& columns = columns_in_view(view);
  if (card.width < view.px(columns_from)) {
    const std::vector<Rect> places = ui::rows(body, view.px(12), parts_of_listing(view, roles));
    draw_roles_now(view, places[0], roles);
    for (std::size_t n = 0; n < columns.size(); ++n) draw_column(view, places[n + 1], roles, columns[n]);
    return;
  }
  const auto [listing, right] = ui::columns(body, view.px(14), {ui::rest(), std::floor(0.305f * body.width)});
  draw_columns(view, listing, roles, columns);
  const auto [title, now] = ui::rows(right, 0, {view.px(head), ui::rest()});
  view.canvas().text(title, Style::control, view.theme().text, view.say("Now, each waits for"));
  draw_roles_now(view, now, roles);
}

}  // namespace explorer
