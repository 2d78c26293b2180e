// The doors Ask and Build of the first view.
#include <algorithm>
#include <cmath>

#include "sim/machine/device_spec.h"
#include "sim/programs/models.h"
#include "sim/report/numbers.h"
#include "viz/model/center_view.h"
#include "viz/panels/first/first.h"
#include "viz/panels/ideas.h"
#include "viz/panels/scenario/field.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

/// A question, the idea that answers it, and the view that the idea opens.
struct Asked {
  std::string_view question, idea, view;
};
constexpr std::array<Asked, 5> asked = {{{/*say*/ "Why is it slow?", "why slow", "Engineer"},
                                         {/*say*/ "What fits?", "what fits", "Wall"},
                                         {/*say*/ "Which tiles are best?", "tiles", "Tiles"},
                                         {/*say*/ "Why is the answer still exact?", "exact", "Microscope"},
                                         {/*say*/ "Why is mine slower?", "why is mine slower", /*say*/ "Compare"}}};

/// Draws a question, and at its right the answer and the name of the view; if not both fit, the answer alone, or the
/// name.
void draw_asked(View& view, Rect row, const Asked& one) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const Idea& idea_of = idea(one.idea);
  const ui::Hit hit = ui::hit(view.ui, sim::text("first/ask/", one.idea), row);
  canvas.card(row, hit.hovered ? theme.track : theme.inset, theme.border, view.px(ui::control_radius));
  if (hit.clicked) view.edit(edit_of(idea_of));
  ui::Space rest(row.inset(view.px(10), 0));
  left_text(canvas, rest, Style::control, theme.text, view.say(one.question), view.px(10));
  const std::string opens = sim::text(view.say(one.view), " ›"), answer = answer_of(view, idea_of);
  const float name = canvas.text_width(Style::control, opens) + 1, gap = view.px(10);
  const float wide = ui::rich_width(canvas, Style::caption, answer) + 1;
  if (name <= rest.width() && (wide > rest.width() || wide + gap + name <= rest.width()))
    right_text(canvas, rest, Style::control, theme.text, opens, gap);
  if (wide <= rest.width())
    ui::rich_text(canvas, rest.rest(), Style::caption, {theme.muted, true, theme.inset}, answer);
}

/// Draws a box of a door: a title, a caption, and lines of code, whose tensors have their colours, or names that fit.
bool draw_box(View& view, Rect box, std::string_view id, std::string_view title, std::string_view caption,
              std::span<const std::string> lines, bool code = false) {
  const ui::Theme& theme = view.theme();
  const ui::Hit hit = ui::hit(view.ui, id, box);
  view.canvas().card(box, hit.hovered ? theme.track : theme.inset, theme.border, view.px(ui::control_radius));
  ui::Space rest(box.inset(view.px(10), view.px(7)));
  view.canvas().text(rest.top(view.px(18)), Style::control, theme.text, title);
  view.canvas().text(rest.top(view.px(17), view.px(4)), Style::caption, theme.muted, caption);
  const float step = view.px(20);
  const auto fits = [&](const std::string& line) {
    return ui::rich_width(view.canvas(), Style::table, line) <= rest.width();
  };
  const Style style = std::all_of(lines.begin(), lines.end(), fits) ? Style::table : Style::caption;
  for (const std::string& line : lines) {
    if (rest.height() < step) break;
    const Rect row = rest.top(step);
    if (ui::rich_width(view.canvas(), style, line) > row.width) continue;
    ui::rich_text(view.canvas(), row, style, {theme.text, code, theme.inset}, line);
  }
  return hit.clicked;
}

}  // namespace

void leave_by(const View& view, const Edits& edits) {
  view.act("close");
  view.edit(edits);
}

Rect draw_door(View& view, Rect card, std::string_view id, std::string_view title, std::string_view sentence,
               bool& opened) {
  const ui::Theme& theme = view.theme();
  ui::panel(view.canvas(), card);
  const auto [head, body] = ui::rows(card.inset(view.px(14), view.px(10)), view.px(6), {view.px(38), ui::rest()});
  const auto [words, mark] = ui::columns(head, 0, {ui::rest(), view.px(24)});
  const auto [above, below] = ui::rows(words, 0, {view.px(22), ui::rest()});
  const ui::Hit hit = ui::hit(view.ui, id, head);
  opened = hit.clicked;
  ui::draw_icon(view.canvas(), ui::Icon::next, mark.center(), hit.hovered ? theme.strong : theme.muted, theme.card);
  view.canvas().text(above, Style::title, theme.text, title);
  view.canvas().text(below, Style::caption, theme.muted, sentence);
  return body;
}

void draw_ask(View& view, Rect card) {
  bool opened = false;
  const Rect body = draw_door(view, card, "first/ask", view.say("Ask"),
                              view.say("each question opens the view that answers it"), opened);
  if (opened) view.edit(edit_of(idea(asked[0].idea)));
  const std::vector<Rect> rows = ui::equal_rows(body, view.px(5), asked.size(), view.px(36));
  for (std::size_t n = 0; n < asked.size(); ++n) draw_asked(view, rows[n], asked[n]);
}

void draw_build(View& view, Rect card) {
  bool opened = false;
  const Rect body = draw_door(view, card, "first/build", view.say("Build"),
                              view.say("replace a part by your own, and watch what changes"), opened);
  const auto [algorithm, heads, device] = ui::columns(body, view.px(8), {ui::rest(), ui::rest(), ui::rest()});
  const sim::DeviceSpec& gpu = *view.world.subject(0).scenario().gpu;
  const std::vector<std::string> loop = {"for j in keys:", "  S = Q @ K[j].T", "  P = exp(S - m)", "  O += P @ V[j]"};
  if (draw_box(view, algorithm, "first/build/algorithm", view.say("Your algorithm"), view.say("a loop over tiles"),
               loop, true))
    opened = true;
  std::vector<std::string> models;
  for (const sim::ModelHeads& model : sim::model_heads()) models.push_back(ui::escaped(model.name));
  if (draw_box(view, heads, "first/build/model", view.say("Your model"), view.say("heads, d, layers"), models))
    leave_by(view, {SetLook{"options", "1"}});
  const std::vector<std::string> fields = {
      ui::escaped(device_label(gpu.name)),
      ui::escaped(report::byte_rate(static_cast<double>(gpu.hbm_bytes_per_second))),
      ui::escaped(view.say("{} SMs", gpu.sm_count)), ui::escaped(view.say("{} GPUs", sim::device_names().size()))};
  if (draw_box(view, device, "first/build/gpu", view.say("Your GPU"), view.say("like this, but ..."), fields))
    view.set([](Look& look) { look.overlay = Overlay::device; });
  if (!opened) return;
  leave_by(view, {SetLook{"tab", "code"},
                  Tell{std::string(view.say("Record a loop over tiles in Python, then drop its .fscope file here"))}});
}

}  // namespace explorer
