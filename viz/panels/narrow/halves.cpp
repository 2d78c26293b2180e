// Lanes of one CTA in fp16 and in e4m3 on one axis of cycles: products take half as long, exponentials as long as
// before.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/hatch.h"
#include "viz/panels/narrow/narrow.h"
#include "viz/panels/parts.h"
#include "viz/panels/roles/lanes.h"
#include "viz/panels/roles/roles.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using sim::Cycles;
using ui::Rect;
using ui::Style;

constexpr float gutter_wide = 104, numbers_wide = 176, ticks_high = 22, number_line = 20, slim_gutter = 76,
                ticks_apart = 110;                                                                 // CSS pixels
constexpr float products_high = 17, work_high = 27, role_gap = 6, pipe_high = 18, group_gap = 18;  // at full size
constexpr double tiles_shown = 5, tiles_before = 4.3;  // of the run's own type

std::size_t roles_that_compute(const RoleTrace& roles) {
  return static_cast<std::size_t>(
      std::count_if(roles.lanes().begin(), roles.lanes().end(), [](const RoleLane& lane) { return lane.computes; }));
}

float group_height(const RoleTrace& roles) {
  return static_cast<float>(roles_that_compute(roles)) * (products_high + work_high + 1 + role_gap) + pipe_high;
}

/// A few tiles of the run's own type, not the first ones; all of a short CTA.
TimeWindow window_of_halves(const NarrowRun& run, Rect place) {
  const auto end = static_cast<double>(run.roles->end().count());
  if (run.tile == 0) return {Cycles{}, run.roles->end(), place};
  const double tile = run.tile * sim::ticks_per_cycle, span = std::min(end, tiles_shown * tile);
  const double from = std::clamp(tiles_before * tile, 0., end - span);
  return {Cycles(std::llround(from)), Cycles(std::llround(from + span)), place};
}

/// Draws the lanes of a type from the top of a space: of each role that computes products and its warps, then the
/// tensor cores.
void draw_type(View& view, ui::Space& rest, Rect gutter, const TimeWindow& window, const NarrowRun& run, float scale) {
  const RoleTrace& roles = *run.roles;
  const auto high = [&](float css) { return std::floor(css * view.canvas().fonts().scale * scale); };
  RolesLanes lanes{view, roles, window, gutter, {}, {}, {}, {}, {}, {}};
  lanes.whole = true;
  lanes.labels = Style::body;
  ui::Space names(gutter);
  names.top(rest.rest().y - gutter.y, 0);
  std::size_t number = 0;
  for (std::size_t role = 0; role < roles.lanes().size(); ++role) {
    if (!roles.lanes()[role].computes) continue;
    const Rect products = rest.top(high(products_high), 1), work = rest.top(high(work_high), high(role_gap));
    lanes.computing.push_back({role, products, {products.x, work.y, products.width, 0}, work});
    for (const Rect& row : {products, work}) view.canvas().fill(row, ui::with_alpha(view.theme().inset, 0.6f));
    const Rect beside{gutter.x, products.y, gutter.width, work.bottom() - products.y};
    const auto [first, second] = ui::rows(beside, 0, {beside.height / 2, ui::rest()});
    if (number++ == 0) {
      view.canvas().text(first, Style::title, view.theme().text, sim::name_of(run.dtype));
      const std::string size = sim::text(run.tiling.br, " x ", run.tiling.bc), tiles = view.say("tiles {}", size);
      view.canvas().text(second, Style::caption, view.theme().muted,
                         ui::first_that_fits(view.canvas(), Style::caption, second.width, {tiles, size}));
    } else {
      view.canvas().text(first, Style::caption, view.theme().muted,
                         role_name(view.state.look.language, roles.lanes()[role].name));
    }
  }
  lanes.tensor = rest.top(high(pipe_high), 0);
  view.canvas().fill(lanes.tensor, ui::with_alpha(view.theme().inset, 0.6f));
  view.canvas().text({gutter.x, lanes.tensor.y, gutter.width, lanes.tensor.height}, Style::caption, view.theme().text,
                     view.say("Tensor cores"));
  view.canvas().push_clip(window.place);
  draw_role_spans(lanes);
  draw_shared_pipes(lanes);
  view.canvas().pop_clip();
}

std::string cycle_text(double cycles) { return report::thousands(std::llround(cycles)); }

/// Draws what a tile takes.
void draw_type_numbers(View& view, Rect place, const NarrowRun& run, bool slim) {
  ui::Space rest(place);
  const std::string type(sim::name_of(run.dtype));
  const auto line = [&](std::string_view name, std::string_view words, const std::string& number) {
    ui::Space row(rest.top(view.px(number_line)));
    draw_named(view, row.right(view.px(slim ? 48 : 64)), Style::table, view.theme().text, sim::text(name, "/", type),
               number, ui::Align::right);
    view.canvas().text(row.rest(), Style::caption, view.theme().muted, words);
  };
  line("products", view.say("products a tile"), cycle_text(run.products));
  line("exps", view.say("exp a tile"), cycle_text(run.exps));
  if (run.tile == 0) return;
  line("tile", view.say("a tile takes"), cycle_text(run.tile));
  line("key", view.say("cycles a key"), fmt::format("{:.1f}", run.per_key()));
  line("peak", view.say("tensor peak"), report::percent(run.peak()));
}

void draw_halves_legend(View& view, Rect row) {
  const ui::Theme& theme = view.theme();
  const std::vector<ui::Swatch> swatches = {
      {std::string(view.say("product S")), {theme.tensor('S'), {}}},
      {std::string(view.say("product P V")), {theme.tensor('O'), {}}},
      {std::string(view.say("softmax")), {theme.tensor('P'), {}}},
      {std::string(view.say("not its turn")), {theme.muted, theme.inset, hatch_of(sim::Cause::turn)}},
      {std::string(view.say("products not done")), {theme.muted, theme.inset, Hatch::dots}}};
  ui::legend(view.canvas(), row, swatches, [&](std::size_t n) { return view.say("and {} more", n); });
}

/// What FP8 gains, from the cycles of a key.
std::string halves_words(const View& view, const NarrowLanes& lanes) {
  const NarrowRun& narrow = *lanes.narrow();
  const NarrowRun* const wide = lanes.wide();
  if (wide == nullptr) return lanes.error().empty() ? std::string() : view.translate(lanes.error());
  if (wide->tile == 0 || narrow.tile == 0) return std::string(view.say("too few tiles"));
  return view.say("{:.2f} x a key, not 2 x", wide->per_key() / narrow.per_key());
}

void draw_axis_of_halves(const View& view, const TimeWindow& window, Rect row) {
  const ui::Tracks tracks{view.ui, in_ticks(window.from), in_ticks(window.to), window.place};
  tracks.ticks(
      row, window.place, ticks_apart,
      [&](double cycles, double step) {  // the first one has the unit
        const std::string number = cycle_text(cycles);
        return cycles - tracks.from / sim::ticks_per_cycle < step ? view.say("{} cycles", number) : number;
      },
      {}, sim::ticks_per_cycle);
}

/// Draws both types on one axis, each with its numbers: at the right, or below the lanes of a slim card.
void draw_halves(View& view, Rect place, const NarrowLanes& lanes) {
  const NarrowRun &narrow = *lanes.narrow(), *const wide = lanes.wide();
  const bool slim = place.width < view.px(600), covered = view.world.covered.order;  // a question is which is faster
  ui::Space rest(place);
  const std::vector<Rect> below =
      ui::equal_columns(slim ? rest.bottom(view.px(6 * number_line), view.px(6)) : Rect{}, view.px(16), 2);
  const Rect gutter = rest.left(view.px(slim ? slim_gutter : gutter_wide), view.px(8));
  ui::Space numbers(slim ? Rect{} : rest.right(view.px(numbers_wide), view.px(16)));
  const Rect ticks = rest.top(view.px(ticks_high), view.px(2));
  const TimeWindow window = window_of_halves(narrow, rest.rest());
  draw_axis_of_halves(view, window, ticks);
  const float wanted =
      view.px(group_height(*narrow.roles) + (wide == nullptr ? 0 : group_height(*wide->roles) + group_gap));
  const float scale = std::clamp(rest.height() / wanted, 0.4f, 1.25f);
  Rect last;
  for (const NarrowRun* run : {wide, &narrow}) {
    if (run == nullptr) continue;
    numbers.top(rest.rest().y - numbers.rest().y, 0);
    last = !slim ? numbers.rest() : below[run == wide ? 0 : 1];
    const Rect lines{last.x, last.y, last.width, view.px(5 * number_line)};
    covered ? view.canvas().covered(lines, Style::number) : draw_type_numbers(view, lines, *run, slim);
    draw_type(view, rest, gutter, window, *run, scale);
    rest.top(std::floor(view.px(group_gap) * scale), 0);
  }
  const Rect gain{last.x, last.y + view.px(5 * number_line + (slim ? 0 : 4)), last.width, view.px(22)};
  if (!covered) draw_named(view, gain, Style::control, view.theme().text, "gain", halves_words(view, lanes));
}

}  // namespace

void draw_narrow_lanes(View& view, Rect card, const NarrowLanes& lanes) {
  ui::Space rest = draw_narrow_card(view, card, view.say("Half-length products, the same softmax"), {},
                                    view.say("one CTA, one clock in cycles"));
  if (lanes.narrow() == nullptr || draw_no_time(view, rest.rest())) return;
  const bool longer = lanes.narrow()->exps >= lanes.narrow()->products;
  const std::string_view above =
      longer
          ? view.say("8 bits double the rate of the tensor cores, not of the exp unit: now softmax is the longer one.")
          : view.say("8 bits double the rate of the tensor cores, not of the exp unit.");
  const std::string_view below = view.say(
      "The producer's turning of V and the scales are in these lanes. Tiles of 8 bits are wider: compare cycles a "
      "key.");
  const auto words = [&](bool top, std::string_view text) {
    const float high = ui::paragraph_height(view.canvas(), Style::caption, text, rest.width());
    const Rect place = top ? rest.top(high) : rest.bottom(high);
    ui::paragraph(view.canvas(), place, Style::caption, {.color = view.theme().muted}, text);
  };
  words(true, above);
  words(false, below);
  draw_halves_legend(view, rest.bottom(view.px(20), view.px(6)));
  draw_halves(view, rest.rest(), lanes);
}

}  // namespace explorer
