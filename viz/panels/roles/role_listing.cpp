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

/// Draws the cause of a wait at the row, or else what the row's line needs. Returns the place left of it.
Rect draw_row_end(View& view, Rect rest, const RoleTrace& roles, const RoleColumn& column, const ListingRow& row,
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
  if (words.empty() || wide + left + view.px(8) > rest.width) return rest;
  view.canvas().text(cut_right(rest, wide + 1), Style::caption, waits ? view.theme().text : view.theme().muted, words);
  cut_right(rest, view.px(8));
  return rest;
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
  Rect rest = rect, gutter = cut_left(rest, view.px(badge_side + 2) * static_cast<float>(column.roles.size()));
  std::string badges;
  for (const std::size_t role : here) {
    const std::string& badge = roles.lanes()[column.roles[role]].badge;
    const int only = view.state.look.role;  // whose events steps stop at
    const bool chosen = only < 0 || only == static_cast<int>(column.roles[role]);
    draw_role_badge(view, cut_left(gutter, view.px(badge_side)), badge, chosen);
    cut_left(gutter, view.px(2));
    badges += badge;
  }
  if (!badges.empty()) view.ui.state.shown.emplace(id, badges);
  view.canvas().text(cut_left(rest, view.px(24)), Style::table, here.empty() ? theme.faint : theme.text,
                     std::to_string(row.line->number), ui::Align::right);
  cut_left(rest, view.px(9));
  cut_right(rest, view.px(5));
  rest = draw_row_end(view, rest, roles, column, row, here);
  cut_left(rest, std::min(view.px(indentation) * static_cast<float>(row.line->depth), rest.width / 2));
  if (view.state.look.source) return draw_code(view, rest, row.line->code, row.line->runs);
  draw_equation(view, rest, *row.line, surface);
}

/// "Producer", "Consumer 1", "Consumers 1, 2", and what its warpgroups have.
std::pair<std::string, std::string> heading_of(const View& view, const RoleTrace& roles, const RoleColumn& column) {
  if (!roles.lanes()[column.roles.front()].computes)
    return {std::string(view.say("Producer")), std::string(view.say("one thread issues"))};
  std::string badges;
  for (const std::size_t role : column.roles) badges += (badges.empty() ? "" : ", ") + roles.lanes()[role].badge;
  const bool one = column.roles.size() == 1;
  return {one ? view.say("Consumer {}", badges) : view.say("Consumers {}", badges),
          one ? view.say("{} rows", sim::wgmma_rows) : view.say("{} rows each, the same keys", sim::wgmma_rows)};
}

void draw_column(View& view, Rect place, const RoleTrace& roles, const RoleColumn& column) {
  Rect line = cut_top(place, view.px(head));
  const auto [title, note] = heading_of(view, roles, column);
  cut_left(line, view.canvas().text(line, Style::control, view.theme().text, title) + view.px(8));
  view.canvas().text(line, Style::caption, view.theme().muted, note);
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
  Rect rows = place;
  if (content > place.height) cut_right(rows, view.px(10));  // for the bar
  const float top = place.y - std::round(offset / high) * high;
  for (std::size_t n = 0; n < column.rows.size(); ++n) {
    const float y = top + high * static_cast<float>(n);
    if (y + high <= place.y || y >= place.bottom()) continue;
    draw_row(view, {rows.x, y, rows.width, high}, roles, column, n, now);
  }
  ui::end_scroll();
}

float column_height(const View& view, const RoleColumn& column) {
  return view.px(head) + view.px(20) * static_cast<float>(column.rows.size());
}

void draw_listing_head(View& view, Rect line, const RoleTrace& roles, std::string_view note) {
  ui::Canvas& canvas = view.canvas();
  if (!view.bare) {
    const Rect toggle = cut_right(line, ui::toggle_width(canvas, view.say("C++")));
    explorer::toggle(view, "source", toggle, view.say("C++"), "source");
    cut_right(line, view.px(14));
  }
  const std::string tile = view.say("tile {} of {}", roles.tile_at(view.subject().time), roles.blocks().size());
  const std::string title = view.say("{}, forward", view.say(view.subject().simulation().plan.code->title));
  const float wide = canvas.text_width(Style::table, tile) + 1;
  if (canvas.text_width(Style::title, title) + wide + view.px(12) <= line.width) {
    canvas.text(cut_right(line, wide), Style::table, view.theme().muted, tile);
    cut_right(line, view.px(12));
  }
  cut_left(line, canvas.text(line, Style::title, view.theme().text, title) + view.px(10));
  if (canvas.text_width(Style::caption, note) <= line.width)
    canvas.text(line, Style::caption, view.theme().muted, note);
}

}  // namespace

float roles_listing_height(const View& view, const RoleTrace& roles, float width) {
  if (width >= view.px(columns_from)) return view.px(352);
  float all = view.px(24 + 24 + 8) + roles_now_height(view, roles) + view.px(12);
  for (const RoleColumn& column : columns_in_view(view)) all += column_height(view, column) + view.px(12);
  return all;
}

void draw_roles_listing(View& view, Rect card, const RoleTrace& roles, std::string_view note) {
  ui::mark_place(view.ui, "roles", card);
  ui::panel(view.canvas(), card);
  Rect rest = card.inset(view.px(16), view.px(12));
  draw_listing_head(view, cut_top(rest, view.px(24)), roles, note);
  cut_top(rest, view.px(8));
  const std::vector<RoleColumn>& columns = columns_in_view(view);
  if (card.width < view.px(columns_from)) {
    draw_roles_now(view, cut_top(rest, roles_now_height(view, roles)), roles);
    for (const RoleColumn& column : columns) {
      cut_top(rest, view.px(12));
      draw_column(view, cut_top(rest, column_height(view, column)), roles, column);
    }
    return;
  }
  Rect now = cut_right(rest, std::floor(0.305f * rest.width));
  cut_right(rest, view.px(14));
  const bool two = columns.size() > 1;
  const float first = two ? std::floor(0.455f * rest.width) : rest.width;
  for (std::size_t n = 0; n < columns.size(); ++n) {
    draw_column(view, cut_left(rest, n == 0 ? first : rest.width), roles, columns[n]);
    cut_left(rest, view.px(12));
  }
  view.canvas().text(cut_top(now, view.px(head)), Style::control, view.theme().text, view.say("Now, each waits for"));
  draw_roles_now(view, now, roles);
}

}  // namespace explorer
