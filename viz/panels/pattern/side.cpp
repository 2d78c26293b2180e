// Column next to the blocks: presets with their numbers, blocks of each kind, and results of the run.
#include <array>

#include "sim/report/numbers.h"
#include "viz/model/deep_link.h"
#include "viz/model/explained.h"
#include "viz/panels/pattern/pattern.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/number_field.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float gap = 6, line = 24, ratio_width = 80, hint_height = 66;  // CSS pixels

struct Preset {
  sim::PatternKind kind;
  std::string_view name, title, typed;  ///< typed: the value of --pattern; empty: every block
};
constexpr std::array<Preset, 7> presets = {
    {{sim::PatternKind::none, "dense", /*say*/ "Dense", ""},
     {sim::PatternKind::causal, "causal", /*say*/ "Causal", "causal"},
     {sim::PatternKind::window, "window", /*say*/ "Window", "window:2"},
     {sim::PatternKind::local_global, "local-global", /*say*/ "Local and global", "local-global:1,1"},
     {sim::PatternKind::strided, "strided", /*say*/ "Strided", "strided:4"},
     {sim::PatternKind::butterfly, "butterfly", /*say*/ "Butterfly", "butterfly"},
     {sim::PatternKind::random, "random", /*say*/ "Random", "random:0.25"}}};

void draw_presets(View& view, ui::Rect rect) {
  const sim::PatternKind now = view.subject().scenario().pattern.kind;
  const std::vector<ui::Rect> lines = ui::equal_rows(rect, view.px(gap), (presets.size() + 1) / 2);
  for (std::size_t n = 0; n < presets.size(); ++n) {
    const Preset& preset = presets[n];
    const ui::Rect place = ui::equal_columns(lines[n / 2], view.px(gap), 2)[n % 2];
    const ui::Weight weight = preset.kind == now ? ui::Weight::primary : ui::Weight::normal;
    if (!ui::button(view.ui, sim::text("pattern/", preset.name), place, view.say(preset.title), weight)) continue;
    if (preset.kind != now) view.edit(SetOptions{{{"pattern", std::string(preset.typed)}}});
  }
}

/// Draws a field for a number of the pattern; a change becomes a new pattern.
void draw_number_of(View& view, ui::Rect place, std::string_view label, const sim::Pattern& pattern,
                    std::int64_t sim::Pattern::*number) {
  const std::string value = std::to_string(pattern.*number);
  ui::NumberField field{label, value};
  field.least = pattern.kind == sim::PatternKind::strided ? 1 : 0;
  field.most = 1 << 20;
  const auto change = ui::number_field(view.ui, sim::text("pattern/", label), place, field);
  if (!change) return;
  sim::Pattern next = pattern;
  next.*number = std::atoll(change->text.c_str());
  view.edit(SetNumber{"pattern", text_of(next), true});
}

void draw_share(View& view, ui::Rect place, const sim::Pattern& pattern) {
  const std::string value = sim::text(pattern.share);
  ui::NumberField field{"s", value};
  field.least = 0;
  field.most = 1;
  field.whole = false;
  field.stepping = ui::Stepping::by_tenth;
  const auto change = ui::number_field(view.ui, "pattern/s", place, field);
  if (change) view.edit(SetNumber{"pattern", "random:" + change->text, true});
}

/// Draws the numbers of a preset; for painted blocks, a note that they are painted.
void draw_numbers_of_pattern(View& view, ui::Rect row) {
  const sim::Pattern pattern = view.subject().scenario().pattern;
  row.height = view.control_height();
  const auto [left, right] = ui::columns(row, view.px(gap), {ui::share(1), ui::share(1)});
  if (pattern.kind == sim::PatternKind::window) draw_number_of(view, left, "W", pattern, &sim::Pattern::reach);
  if (pattern.kind == sim::PatternKind::strided) draw_number_of(view, left, "S", pattern, &sim::Pattern::reach);
  if (pattern.kind == sim::PatternKind::random) draw_share(view, left, pattern);
  if (pattern.kind == sim::PatternKind::local_global) {
    draw_number_of(view, left, "G", pattern, &sim::Pattern::globals);
    draw_number_of(view, right, "W", pattern, &sim::Pattern::reach);
  }
  if (pattern.kind != sim::PatternKind::picture) return;
  const bool too_long = is_too_long_for_link(view.model);
  view.canvas().text(row, ui::Style::caption, view.theme().muted,
                     too_long ? view.say("Painted; too large for a link: save it") : view.say("Painted"));
}

void draw_count(View& view, ui::Rect row, BlockState state, std::string_view words, std::int64_t blocks,
                std::int64_t all) {
  const float side = view.px(12);
  const auto [block, number, percent] = ui::columns(row, 0, {side + view.px(8), ui::rest(), view.px(ratio_width)});
  draw_block(view, {block.x, std::round(block.center().y - side / 2), side, side}, state, false);
  const double share = static_cast<double>(blocks) / static_cast<double>(all);
  view.canvas().text(percent, ui::Style::body, view.theme().text, report::percent(share), ui::Align::right);
  view.canvas().text(number, ui::Style::body, view.theme().text, report::thousands(blocks), ui::Align::right);
  view.canvas().text(number, ui::Style::body, view.theme().text, words);
}

bool counts_blocks(const View& view) { return is_paintable(PatternBlocks(view.subject()).matrix()); }

void draw_counts(View& view, ui::Rect rect) {
  if (!counts_blocks(view)) return;
  const BlockCounts counts = PatternBlocks(view.subject()).counts();
  const bool as_mask = view.subject().simulation().plan.code->pattern == sim::PatternUse::as_mask;
  const std::vector<ui::Rect> lines = ui::equal_rows(rect, 0, 3, view.px(line));
  draw_count(view, lines[0], BlockState::full, view.say("full"), counts.full, counts.all());
  draw_count(view, lines[1], BlockState::partial, view.say("partial"), counts.partial, counts.all());
  draw_count(view, lines[2], BlockState::skipped, as_mask ? view.say("masked") : view.say("skipped"), counts.skipped,
             counts.all());
}

/// Run without a pattern, for comparison; simulated once.
class Dense : public Task {
 public:
  explicit Dense(sim::Scenario scenario) {
    scenario.pattern = {};
    run.simulation = sim::simulate(scenario);
  }
  bool advance() override { return false; }
  Run run;
};

const Run& dense_of(View& view) {
  sim::OptionValues options = view.subject().options;
  options.erase("pattern");
  return view.world.tasks.get_for<Dense>(view.index, options, view.subject().scenario()).run;
}

struct Effect {
  std::string_view title, path;
};
constexpr std::array<Effect, 3> effects = {{{/*say*/ "Tile traffic", "tile_traffic.bytes"},
                                            {/*say*/ "HBM traffic", "hbm_traffic.bytes"},
                                            {/*say*/ "Predicted time", "time.microseconds"}}};

double value_of(const Run& run, std::string_view path) {
  return path == "time.microseconds" ? run.simulation.microseconds : derived_value(run, path);
}

void draw_effects(View& view, ui::Rect rect) {
  const Run& dense = dense_of(view);
  const std::vector<ui::Rect> lines = ui::equal_rows(rect, 0, effects.size() + 1);
  view.canvas().text(lines.front(), ui::Style::caption, view.theme().muted, view.say("of dense"), ui::Align::right);
  for (std::size_t n = 0; n < effects.size(); ++n) {
    const auto& [title, path] = effects[n];
    const auto [number, ratio] = ui::columns(lines[n + 1], 0, {ui::rest(), view.px(ratio_width)});
    const double value = value_of(*view.subject().run, path), whole = value_of(dense, path);
    view.canvas().text(ratio, ui::Style::body, view.theme().text, report::ratio(value / whole), ui::Align::right);
    draw_number(view, number, ui::Style::body, path, value, ui::Align::right);
    view.canvas().text(number, ui::Style::body, view.theme().muted, view.say(title));
  }
}

/// Heights of the results, the blocks of each kind, the presets, the numbers of a preset, and a hint.
std::array<ui::Part, 5> side_rows(const View& view) {
  const float control = view.control_height(), space = view.px(gap);
  return {4 * view.px(line), counts_blocks(view) ? 3 * view.px(line) + space : 0, 4 * control + 3 * space,
          control + space, ui::rest(view.px(hint_height))};
}

}  // namespace

float pattern_side_height(const View& view) { return ui::length_of(view.px(gap), side_rows(view)); }

void draw_pattern_side(View& view, ui::Rect rect) {
  const auto [results, counts, buttons, numbers, hint] = ui::rows(rect, view.px(gap), side_rows(view));
  draw_effects(view, results);
  draw_counts(view, counts);
  draw_presets(view, buttons);
  draw_numbers_of_pattern(view, numbers);
  ui::paragraph(view.canvas(), hint, ui::Style::caption, {.color = view.theme().muted},
                view.say("A press flips a block, a drag sets other blocks to the same. Arrows and Space do the same."));
}

}  // namespace explorer
