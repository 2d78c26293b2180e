// Layout of the view "pages": its bar with the options that share pages, and its cards.
#include "viz/panels/pages/pages.h"

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/field.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float gap = 12, scroll_bar = 12, beside_from = 1000, least_beside = 640;  // CSS pixels
constexpr float stairs_height = 176, cta_height = 172;                              // side by side
constexpr float tables_alone = 420, pool_alone = 380, slots_alone = 330, stairs_alone = 210, cta_alone = 300;

/// Draws the options that decide pages, as far as the line has space beside the headline.
void draw_page_options(View& view, ui::Space& line, float keep) {
  const ScenarioValues values = scenario_values(view);
  for (const std::string_view option : {"page-size", "samples", "shared-prefix", "steps"}) {
    const sim::ScenarioOption& row = sim::option_called(option);
    if (!row.applies(view.subject().scenario())) continue;
    const std::string_view label = view.say(row.label);
    const float wide = option_width(view, option, label, values);
    if (line.width() < wide + keep) return;
    const Rect place = line.left(wide, view.px(8));
    draw_option(view, place, view.id(sim::text("pages/", option)), option, label, values);
  }
}

void draw_page_headline(View& view, const PageMoment& moment, Rect line) {
  const std::string words = pages_headline(view.state.look.language, moment);
  view.ui.state.shown.emplace(view.id("pages/headline"), words);
  if (moment.steps() > 0) {  // the run is the last of the steps: its numbers are others
    ui::fitting_text(view.canvas(), line, Style::body, view.theme().text, words, ui::Align::right);
  } else if (view.canvas().text_width(Style::body, words) <= line.width) {
    draw_number_text(view, line, Style::body, view.theme().text, "pages.blocks", words, ui::Align::right);
  }
}

void draw_pages_beside(PagesShown& shown, Rect body) {
  View& view = shown.view;
  const bool steps = shown.moment.steps() > 0;
  const auto [upper, stairs, cta] =
      ui::rows(body, view.px(gap), {ui::rest(), {steps ? view.px(stairs_height) : 0}, {view.px(cta_height)}});
  const auto [tables, pool, slots] =
      ui::columns(upper, view.px(gap), {ui::share(0.36f), ui::share(0.42f), ui::share(0.22f, view.px(280))});
  ui::mark_place(view.ui, "pages", around(tables, pool));
  const std::vector<TableArrow> arrows = draw_block_tables(shown, tables);
  const PoolGrid grid = draw_page_pool(shown, pool);
  draw_page_slots(shown, slots);
  if (steps) draw_page_steps(shown, stairs);
  draw_page_cta(shown, cta);
  draw_page_arrows(shown, arrows, grid);
}

void draw_pages_stacked(PagesShown& shown, Rect body) {
  View& view = shown.view;
  const bool narrow = body.width < view.px(700);
  const auto slot = [&](auto draw, float height) {
    return ui::Slot{view.px(height), [&shown, draw](Rect place) { draw(shown, place); }};
  };
  const ui::Slot slots[] = {slot(draw_page_steps, shown.moment.steps() > 0 ? stairs_alone + (narrow ? 40.f : 0.f) : 0),
                            slot(
                                [](PagesShown& s, Rect place) {
                                  ui::mark_place(s.view.ui, "pages", place);
                                  draw_block_tables(s, place);
                                },
                                tables_alone),
                            slot([](PagesShown& s, Rect place) { draw_page_pool(s, place); }, pool_alone),
                            slot(draw_page_slots, slots_alone),
                            slot(draw_page_cta, narrow ? 2 * cta_alone : cta_alone)};
  ui::scrolling_column(view.ui, view.id("pages/scroll"), body, view.px(gap), view.px(scroll_bar), slots);
}

/// Options that put K and V of the run into pages, for a program; a decoding one has a query.
Edit with_pages(const View& view, const sim::Program& program) {
  const sim::Shape& shape = view.subject().problem().shape;
  sim::OptionValues options = {{"algorithm", std::string(program.name)}, {"page-size", "16"}, {"pass", ""}};
  if (program.tile_pages != 0)
    options.insert({{std::string(plotted_first), ""}, {"seqlen-q", "1"}, {"seqlen-k", sim::text(shape.seqlen_k)}});
  return SetOptions{options};
}

/// Says of a run whose K and V are in one piece how they come into pages.
void draw_without_pages(View& view, Rect body) {
  ui::panel(view.canvas(), body);
  ui::Space rest(body.inset(view.px(16)), view.px(8));
  const std::string_view title = view.say(view.subject().simulation().plan.program->title);
  const std::string words = view.say(
      "{}: K and V of a sequence are in one piece here. With pages a block table says where each few tokens lie. "
      "Programs that read through such a table:",
      title);
  view.ui.state.shown.emplace(view.id("no pages"), words);
  rest.top(ui::paragraph(view.canvas(), rest.rest(), Style::body, {.color = view.theme().text}, ui::escaped(words)),
           view.px(gap));
  for (const sim::Program& program : sim::built_in_programs()) {
    if (!program.paged || program.pattern == sim::PatternUse::of_tiles) continue;
    const std::string label = view.say("{} with pages of 16", view.say(program.title));
    const Rect place = ui::Space(rest.top(view.control_height())).left(ui::button_width(view.canvas(), label));
    if (ui::button(view.ui, view.id(sim::text("pages/show/", program.name)), place, label))
      view.edit(with_pages(view, program));
  }
}

void draw_too_many_pages(View& view, const PageMoment& moment, Rect body) {
  ui::panel(view.canvas(), body);
  const std::string words = view.say(
      "A block table of {} pages for each of {} sequences is too long to be drawn: use "
      "larger pages, or fewer tokens.",
      report::thousands(moment.most_pages()), report::thousands(moment.all_sequences()));
  view.ui.state.shown.emplace(view.id("too many pages"), words);
  ui::paragraph(view.canvas(), body.inset(view.px(16)), Style::body, {.color = view.theme().text}, ui::escaped(words));
}

/// True if an open question asks for what the pictures show: pages can be counted.
bool covers_pages(const Covered& covered) {
  return covered.order || std::any_of(covered.quantities.begin(), covered.quantities.end(),
                                      [](const std::string& path) { return path.starts_with("pages"); });
}

}  // namespace

bool PagesShown::holds_chosen(std::size_t n) const {
  const std::vector<std::int32_t>& pages = moment.sequences()[n].pages;
  const auto block = static_cast<std::size_t>(chosen.block);
  return chosen.page != sim::no_page && block < pages.size() && pages[block] == chosen.page;
}

ui::Color sequence_color(const PagesShown& shown, std::size_t sequence) {
  const std::size_t all = shown.moment.sequences().size();
  return shown.view.theme().in_order(all < 2 ? 0 : static_cast<float>(sequence) / static_cast<float>(all - 1));
}

ui::Color shared_color(const View& view) { return ui::mix(view.theme().muted, view.theme().inset, 0.45f); }

ui::Color page_color(const PagesShown& shown, std::int64_t page) {
  if (shown.pool().holders(static_cast<std::int32_t>(page)) > 1) return shared_color(shown.view);
  return sequence_color(shown, static_cast<std::size_t>(shown.moment.home(page).sequence));
}

void draw_page(PagesShown& shown, Rect place, std::int64_t page, bool framed) {
  View& view = shown.view;
  const ui::Color color = page_color(shown, page);
  const float share = static_cast<float>(shown.pool().tokens_in(static_cast<std::int32_t>(page))) /
                      static_cast<float>(shown.moment.rows());
  const float high = std::max(1.f, std::round(place.height * share));
  if (high < place.height) view.canvas().fill(place, ui::mix(color, view.theme().inset, 0.7f), view.px(3));
  view.canvas().fill({place.x, place.bottom() - high, place.width, high}, color, high < place.height ? 0 : view.px(3));
  if (framed) view.canvas().stroke(place, view.theme().strong, view.px(2), view.px(3));
}

void choose_page(const View& view, std::int64_t sequence, std::int64_t block) {
  view.set([&](Look& look) {
    look.sequence = static_cast<int>(sequence);
    look.page = static_cast<int>(block);
  });
}

void react_to_page(PagesShown& shown, std::string_view id, Rect place, std::int64_t sequence, std::int64_t block) {
  View& view = shown.view;
  const ui::Hit hit = ui::hit(view.ui, view.id(id), place);
  if (hit.clicked) choose_page(view, sequence, block);
  if (!hit.hovered) return;
  const PageMoment& m = shown.moment;
  const std::int32_t page = m.sequences()[static_cast<std::size_t>(sequence)].pages[static_cast<std::size_t>(block)];
  std::vector<std::string> lines = {view.say("page {} of {}, at place {} of the pool", block,
                                             sequence_name(view.state.look.language, m, sequence), page),
                                    view.say("{} of {} slots filled; held by {}", shown.pool().tokens_in(page),
                                             m.rows(), shown.pool().holders(page))};
  if (const std::int32_t from = m.copied_to(page); from != sim::no_page)
    lines.push_back(view.say("copied in this step from page {}", from));
  draw_tooltip(view, lines);
}

std::string pages_description(Language language, const State& state, const World& world) {
  const PageMoment& moment = page_moment(state, world);
  return pages_headline(language, moment) + ". " + pages_sentence(language, moment);
}

void draw_pages(View& view, Rect line, Rect body) {
  if (!has_pages(view.subject())) return draw_without_pages(view, body);
  if (covers_pages(view.world.covered)) return view.canvas().covered(body, Style::number);
  const PageMoment& moment = page_moment(view.state, view.world, view.index);
  ui::Space bar(line);
  const float headline = view.canvas().text_width(Style::body, pages_headline(view.state.look.language, moment));
  if (!view.bare) draw_page_options(view, bar, headline + view.px(16));
  draw_page_headline(view, moment, bar.rest());
  if (!moment.pool()) return draw_too_many_pages(view, moment, body);
  PagesShown shown{view, moment, chosen_page(view.state.look, moment)};
  if (body.width >= view.px(beside_from) && body.height >= view.px(least_beside)) return draw_pages_beside(shown, body);
  draw_pages_stacked(shown, body);
}

}  // namespace explorer
