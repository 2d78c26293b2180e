// Explains what is impossible and what would be possible: a card over the dimmed panels, which still show the last
// possible run.
#include "viz/model/nearest_option.h"
#include "viz/model/tiles/largest_tiles.h"
#include "viz/panels/panels.h"
#include "viz/panels/why/error_text.h"
#include "viz/ui/front.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float widest = 560, padding = 20, line_height = 22;  // CSS pixels

/// Tiles that would fit, or the nearest possible value of the option that the error names; searched once.
class Advice : public Task {
 public:
  Advice(const sim::OptionValues& options, const std::string& error,
         const std::shared_ptr<const sim::DeviceSpec>& gpu) {
    const auto lookup = [&](const std::string& name) {
      return gpu->name == name ? gpu : sim::built_in_gpu(name);  // a file's device is known only from its run
    };
    try {
      tiles = largest_tiles(sim::scenario_from(options, lookup));
    } catch (const sim::Error&) {  // the cause is not the tiles
      option = option_of_error(error);
      if (option != nullptr) value = nearest_possible(options, *option, lookup);
    }
  }
  bool advance() override { return false; }
  std::optional<TilePair> tiles;
  const sim::ScenarioOption* option = nullptr;
  std::optional<std::string> value;
};

const Advice& advice_for(View& view) {
  const std::tuple key(view.state.options, view.world.error().text());
  return view.world.tasks.get_for<Advice>(0, key, view.state.options, view.world.error().text(),
                                          view.subject().scenario().gpu);
}

/// "FlashAttention-2, N 2048, d 128, tiles 128 x 64"
std::string last_possible(const View& view) {
  const Subject& s = view.subject();
  const sim::Shape& shape = s.problem().shape;
  const sim::Tiling& tiles = s.problem().tiling;
  return view.say("Below: the last possible run, {}, N {}, d {}, tiles {} x {}.",
                  view.say(s.simulation().plan.program->title), shape.seqlen_q, sim::text_of(shape.head_dims()),
                  tiles.br, tiles.bc);
}

struct Way {
  std::string_view id;
  std::string label;
  void (*take)(View&, const Advice&);
};

/// Ways out: the nearest possible scenario first, then back.
std::vector<Way> ways_out(View& view, const Advice& advice) {
  std::vector<Way> ways;
  if (advice.tiles) {
    ways.push_back({"error/fit", view.say("Use Br {}, Bc {}, which fit", advice.tiles->br, advice.tiles->bc),
                    [](View& v, const Advice& a) {
                      v.edit(SetOptions{{{"br", std::to_string(a.tiles->br)}, {"bc", std::to_string(a.tiles->bc)}}});
                    }});
  } else if (advice.value) {
    ways.push_back({"error/nearest",
                    view.say("Use {} {}, the nearest", option_in_words(view, *advice.option), *advice.value),
                    [](View& v, const Advice& a) {
                      v.edit(SetOptions{{{std::string(a.option->name), *a.value}}});
                    }});
  }
  if (view.model.can_undo()) {
    ways.push_back({"error/undo", std::string(view.say("Undo")), [](View& v, const Advice&) { v.edit(Undo{}); }});
  }
  ways.push_back({"error/defaults", std::string(view.say("Use the default tiles")), [](View& v, const Advice&) {
                    v.edit(SetOptions{{{"br", ""}, {"bc", ""}, {"tiling", ""}, {"sram", ""}}});
                  }});
  return ways;
}

/// Height of the buttons: side by side, or stacked if the card is narrow.
float buttons_height(const View& view, float width, const std::vector<Way>& ways) {
  float needed = 0;
  for (const Way& way : ways) needed += ui::button_width(view.canvas(), way.label) + view.px(8);
  const bool fits = needed <= width;
  return fits ? view.control_height() : static_cast<float>(ways.size()) * (view.control_height() + view.px(6));
}

void draw_ways(View& view, ui::Rect below, const std::vector<Way>& ways, const Advice& advice) {
  const bool stacked = below.height > view.control_height();
  ui::Space rest(below, view.px(stacked ? 6 : 8));
  for (const Way& way : ways) {
    const float width = ui::button_width(view.canvas(), way.label);
    const ui::Rect place = stacked ? rest.top(view.control_height()) : rest.left(width);
    const bool first = &way == &ways.front();
    if (ui::button(view.ui, way.id, place, way.label, first ? ui::Weight::primary : ui::Weight::normal))
      return way.take(view, advice);
  }
}

}  // namespace

void draw_error(View& view, ui::Rect place, ui::Rect stale) {
  const sim::Sentence& error = view.world.error();
  if (error.empty()) return;
  const ui::Theme& theme = view.theme();
  view.canvas().fill(stale, ui::with_alpha(theme.window, 0.6f));
  const Advice& advice = advice_for(view);
  const std::vector<Way> ways = ways_out(view, advice);
  const float width = std::min(view.px(widest), place.width - view.px(16)), inner = width - view.px(2 * padding);
  const std::string message = ui::escaped(error_in_words(view, error)), shown = ui::escaped(last_possible(view));
  ui::Canvas& canvas = view.canvas();
  const std::array<ui::Part, 4> parts = {
      view.px(line_height), ui::paragraph_height(canvas, ui::Style::body, message, inner),
      ui::paragraph_height(canvas, ui::Style::caption, shown, inner) + view.px(8), buttons_height(view, inner, ways)};
  const float height = ui::length_of(view.px(6), parts) + 2 * view.px(padding);
  const ui::Rect card{std::round(place.center().x - width / 2), place.y + view.px(48), width, height};
  ui::in_front(view.ui, "error card", card, [&](ui::Ui& ui) {
    View front{ui, view, view.index};
    const auto [title, why, below, buttons] = ui::rows(card.inset(front.px(padding)), front.px(6), parts);
    ui.canvas.text(title, ui::Style::title, theme.text,
                   front.say(advice.tiles ? /*say*/ "These tiles do not fit" : /*say*/ "This is not possible"));
    ui::paragraph(ui.canvas, why, ui::Style::body, {.color = theme.text}, message);
    ui::paragraph(ui.canvas, below, ui::Style::caption, {.color = theme.muted}, shown);
    draw_ways(front, buttons, ways, advice);
  });
}

void draw_link_errors(View& view, ui::Rect window) {
  if (view.model.link_errors.empty()) return;
  std::vector<std::string> link_errors;
  for (const sim::Sentence& error : view.model.link_errors) link_errors.push_back(ui::escaped(view.translate(error)));
  const float width = std::min(view.px(720), window.width - view.px(32)), inner = width - view.px(2 * padding);
  ui::Canvas& canvas = view.canvas();
  std::vector<ui::Part> parts;
  for (const std::string& line : link_errors)
    parts.push_back(ui::paragraph_height(canvas, ui::Style::caption, line, inner));
  const float height = std::min(ui::length_of(0, parts) + view.px(2 * padding + 34), window.height - view.px(80));
  const ui::Rect card{std::round(window.center().x - width / 2), window.y + view.px(64), width, height};
  ui::in_front(view.ui, "complaints card", card, [&](ui::Ui& ui) {
    View front{ui, view, view.index};
    const float high = front.control_height(ui::Control::small);
    const auto [line, body] = ui::rows(card.inset(front.px(padding)), front.px(6), {high, ui::rest()});
    const auto [title, close] = ui::columns(line, 0, {ui::rest(), high});
    if (ui::icon_button(ui, "complaints/close", close, ui::Icon::close)) view.edit(DismissErrors{});
    ui.canvas.text(title, ui::Style::title, front.theme().text, front.say("Parts of the link were left out"));
    const std::vector<ui::Rect> places = ui::rows(body, 0, parts);
    for (std::size_t n = 0; n < places.size(); ++n)
      ui::paragraph(ui.canvas, places[n], ui::Style::caption, {.color = front.theme().muted}, link_errors[n]);
  });
}

}  // namespace explorer
