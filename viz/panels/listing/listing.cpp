// The listing panel: the program's own source as equations or as C++, with what happens on its lines at this moment.
#include <cmath>

#include "viz/panels/listing/rows.h"
#include "viz/panels/panels.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using Lines = std::vector<const ListingLine*>;

Lines shown_lines(const View& view) {
  const Subject& subject = view.subject();
  Lines lines;
  for (const ListingLine& line : subject.run->listings[subject.replay->kernel].lines) {
    if (view.state.look.source || in_equations(line)) lines.push_back(&line);
  }
  return lines;
}

/// "FlashAttention-2, forward", with the pass of the current kernel.
std::string title(const View& view) {
  const Subject& subject = view.subject();
  const sim::Program& program = *subject.simulation().plan.code;
  const bool forward = subject.launch().listing == program.forward.listing;
  const std::string_view title = view.say(program.title);
  return forward ? view.say("{}, forward", title) : view.say("{}, backward", title);
}

/// "i = 6   j = 2": the tile that is worked on, else the position of the CTA in its grid.
std::string place(const Subject& subject) {
  const Replay& replay = *subject.replay;
  const sim::GridShape& grid = subject.launch().grid;
  const std::int32_t visit = replay.index.visit_at(subject.time);
  std::string text;
  const auto add = [&](const char* name, std::int64_t index) {
    text += sim::text(text.empty() ? "" : "  ", name, " = ", index);
  };
  if (visit >= 0) {
    const Visit& tile = replay.index.visits()[static_cast<std::size_t>(visit)];
    if (grid.by_kv_head() && subject.problem().shape.heads > subject.problem().shape.kv_heads) add("h", tile.head);
    add("i", tile.row);
    add("j", tile.col);
  } else {
    if (grid.cuts_rows()) add("i", replay.place.row);
    if (grid.cuts_columns()) add(grid.is_split() ? "s" : "j", replay.place.col);
  }
  return text;
}

void draw_head(View& view, ui::Rect rect) {
  ui::Canvas& canvas = view.canvas();
  ui::Space line(rect);
  if (!view.bare) {
    const bool recorded = view.subject().simulation().plan.code->recording != nullptr;
    const std::string_view label = recorded ? std::string_view("Python") : view.say("C++");
    toggle(view, "source", line.right(ui::toggle_width(canvas, label), view.px(14)), label, "source");
  }
  const std::string name = title(view), where = place(view.subject());
  const auto [left, right] = ui::columns(
      line.rest(), view.px(12),
      {ui::rest(canvas.text_width(ui::Style::title, name)), ui::optional(canvas.text_width(ui::Style::table, where))});
  canvas.text(right, ui::Style::table, view.theme().muted, where);
  canvas.text(left, ui::Style::title, view.theme().text, name);
}

/// Another kernel of the run to look at: side by side where their names fit, else as a list.
void draw_kernels(View& view, ui::Rect row) {
  const auto& launches = view.subject().simulation().plan.launches;
  std::vector<std::string_view> names;
  for (const sim::Launch& launch : launches) names.push_back(launch.name);
  const int now = static_cast<int>(view.subject().replay->kernel);
  const float wanted = ui::segmented_width(view.canvas(), names);
  const std::string_view label = view.say("kernel");
  const bool fits = wanted <= row.width;
  row.width = fits ? wanted : std::min(row.width, ui::drop_down_width(view.canvas(), label, names));
  const int next = fits ? ui::segmented(view.ui, view.id("kernel"), row, names, names, now)
                        : ui::drop_down(view.ui, view.id("kernel"), row, label, names, now);
  if (next != now) view.edit(LookAt{static_cast<std::size_t>(next), view.subject().replay->place});
}

/// The line of the playhead among those that are shown.
std::size_t current_line(const Subject& subject, const Lines& lines) {
  const std::int32_t event = subject.replay->index.current(subject.time);
  for (std::size_t n = 0; event >= 0 && n < lines.size(); ++n) {
    if (subject.replay->trace.events[static_cast<std::size_t>(event)].line == lines[n]->number) return n;
  }
  return 0;
}

/// The lines around one that belong together and fit: the widest loop, or else the line with a few neighbours.
std::pair<std::size_t, std::size_t> belongs_together(const Lines& lines, std::size_t at, std::size_t fit) {
  const std::size_t near = fit / 4;
  std::pair<std::size_t, std::size_t> kept{at - std::min(at, near), std::min(at + near + 1, lines.size())};
  for (int depth = lines[at]->depth; depth > 0; --depth) {
    std::size_t first = at, last = at;
    while (first > 0 && lines[first]->depth >= depth) --first;  // the line that holds them
    while (last < lines.size() && lines[last]->depth >= depth) ++last;
    if (last - first <= fit) kept = {first, last};
  }
  return kept;
}

/// Moves the view as little as shows where the playhead is, unless the user looks elsewhere.
float followed(View& view, const Lines& lines, float line_height, float height, float offset) {
  const float fit = std::floor(height / line_height);
  const std::size_t at = current_line(view.subject(), lines);
  float& away = view.ui.state.scrolled[view.id("listing/away")];
  const float top = static_cast<float>(at) * line_height;
  if (top >= offset && top + line_height <= offset + height) away = 0;  // it came into sight again
  if (away > 0 || lines.empty()) return offset;
  const auto [first, last] = belongs_together(lines, at, static_cast<std::size_t>(std::max(1.f, fit)));
  offset = std::max(offset, static_cast<float>(last) * line_height - height);
  return std::min(offset, static_cast<float>(first) * line_height);
}

void draw_lines(View& view, ui::Rect body) {
  const Lines lines = shown_lines(view);
  const LineColumns columns = line_columns(view, body.width, body.height, lines.size());
  body.height = std::floor(body.height / columns.height) * columns.height;  // no line is cut in half
  const float content = columns.height * static_cast<float>(lines.size());
  float& kept = view.ui.state.scrolled[view.id("listing")];
  const float wanted =
      std::clamp(followed(view, lines, columns.height, body.height, kept), 0.f, std::max(0.f, content - body.height));
  const float offset = ui::begin_scroll(view.ui, view.id("listing"), body, content, wanted);
  if (offset != wanted) view.ui.state.scrolled[view.id("listing/away")] = 1;
  kept = offset;
  const float top = body.y - std::round(offset / columns.height) * columns.height;
  const float width = body.width - (content > body.height ? view.px(10) : 0);  // without the bar
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const float y = top + static_cast<float>(n) * columns.height;
    if (y + columns.height <= body.y || y >= body.bottom()) continue;
    draw_listing_line(view, {body.x, y, width, columns.height}, columns, *lines[n]);
  }
  ui::end_scroll();
}

}  // namespace

void draw_listing(View& view, ui::Rect rect) {
  ui::panel(view.canvas(), rect);
  const bool several = view.subject().simulation().plan.launches.size() > 1;
  const auto [head, kernels, lines] = ui::rows(
      rect.inset(view.px(16), view.px(12)), view.px(8),
      {view.px(view.for_fingers() ? 40 : 24), several ? view.control_height(ui::Control::small) : 0, ui::rest()});
  draw_head(view, head);
  if (several) draw_kernels(view, kernels);
  // Lines reach further to both sides than the title: their highlight encloses the text.
  draw_lines(view, lines.inset(-view.px(8), 0));
}

}  // namespace explorer
