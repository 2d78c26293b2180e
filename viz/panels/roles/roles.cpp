// Layout of the view "roles": its bar with the choice of schedule, and its three cards.
#include "viz/panels/roles/roles.h"

#include <algorithm>

#include "sim/model/few_queries.h"
#include "sim/report/numbers.h"
#include "viz/model/center_view.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/field.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float gap = 12, chip_width = 398;             // CSS pixels
constexpr float beside_from = 1300, least_lanes = 470;  // side by side
constexpr float most_top = 352, edge = 12;              // stacked; the bar at the right

/// A choice of the bar: an option of the program, with its words in the order of the bar.
struct Choice {
  std::string_view option;
  std::vector<std::string> names;
  std::vector<std::string_view> labels;
};

Choice choice_of(const View& view, std::string_view option) {
  Choice choice{option, sim::option_called(option).words(), {}};
  std::reverse(choice.names.begin(), choice.names.end());  // from serial to overlapped
  for (const std::string& name : choice.names) choice.labels.push_back(schedule_title(view.state.look.language, name));
  return choice;
}

/// Text before a choice.
std::string_view heading_of(const View& view, const Choice& choice) {
  return choice.option == "arrive" ? view.say("Arrive takes effect") : view.say("Schedule");
}

float width_of(const View& view, const Choice& choice, bool listed) {
  if (listed) return ui::drop_down_width(view.canvas(), heading_of(view, choice), choice.labels);
  const bool headed = choice.option == "arrive";
  const float head = headed ? view.canvas().text_width(Style::caption, heading_of(view, choice)) + view.px(8) : 0;
  return head + ui::segmented_width(view.canvas(), choice.labels);
}

/// Draws a choice as segments, or as a list, and sets its option.
void draw_choice_of(View& view, Rect rect, const Choice& choice, bool listed) {
  ui::Space place(rect);
  const std::string value = scenario_values(view).text(choice.option);
  const auto found = std::find(choice.names.begin(), choice.names.end(), value);
  const int now = static_cast<int>(found - choice.names.begin());
  const std::vector<std::string_view> names(choice.names.begin(), choice.names.end());
  const std::string id = view.id(choice.option), heading(heading_of(view, choice));
  if (!listed && choice.option == "arrive")
    ui::left_text(view.canvas(), place, Style::caption, view.theme().muted, heading, view.px(8));
  const int next = listed ? ui::drop_down(view.ui, id, rect, heading, choice.labels, now, names)
                          : ui::segmented(view.ui, id, place.rest(), names, choice.labels, now);
  if (next != now && !is_locked(view, choice.option))
    view.edit(SetOptions{{{std::string(choice.option), choice.names[static_cast<std::size_t>(next)]}}});
}

/// Draws the choices in the rest of the line if they fit, else in separate lines. A backward pass has none.
void draw_choices(View& view, ui::Space& line, ui::Space& body) {
  if (view.subject().replay->roles.is_backward()) return;
  std::vector<Choice> choices;
  for (const std::string_view option : {"schedule", "arrive"}) {
    if (sim::has_own_option(view.subject().scenario(), option)) choices.push_back(choice_of(view, option));
  }
  const auto width = [&](bool first_listed, bool listed) {
    float all = 0;
    for (const Choice& c : choices)
      all += width_of(view, c, c.option == "schedule" ? first_listed : listed) + view.px(gap);
    return all;
  };
  const bool first_listed = width(false, true) > line.width(),
             listed = first_listed || width(false, false) > line.width();
  const bool own = width(first_listed, listed) > line.width();
  for (const Choice& choice : choices) {
    const bool as_list = choice.option == "schedule" ? first_listed : listed;
    ui::Space row(own ? body.top(view.control_height(), view.px(8)) : line.rest());
    const Rect place = row.left(width_of(view, choice, as_list), view.px(gap));
    draw_choice_of(view, place, choice, as_list);
    if (!own) line = row;
  }
}

/// "4,224 row blocks, 132 resident CTAs".
std::string grid_words(const View& view) {
  const sim::KernelMeters& kernel = view.subject().kernel();
  const std::string ctas = report::thousands(kernel.ctas);
  if (!view.subject().launch().persistent) return view.say("{} CTAs, {} on each SM", ctas, kernel.ctas_per_sm);
  const std::int64_t places = view.subject().scenario().gpu->sm_count * kernel.ctas_per_sm;
  return view.say("{} row blocks, {} resident CTAs", ctas, report::thousands(std::min(kernel.ctas, places)));
}

/// Draws the sentence on the grid if the bar has space for it; returns the note of the listing, which else has it.
std::string draw_grid_words(View& view, Rect line) {
  std::string words = grid_words(view);
  view.ui.state.shown.emplace(view.id("roles/grid"), words);
  if (!ui::fitting_text(view.canvas(), line, Style::body, view.theme().text, words, ui::Align::right)) return words;
  return std::string(view.say("the roles of one CTA, each at its own line"));
}

/// Draws chip and listing above the lanes; they scroll in a low window.
void draw_upper_and_lanes(View& view, Rect body, const RoleRuns& runs, std::string_view note) {
  const RoleTrace& roles = runs.shown().roles;
  const auto upper = [&](Rect place) {
    const auto [chip, listing] = ui::columns(place, view.px(gap), {view.px(chip_width), ui::rest()});
    draw_roles_chip(view, chip, roles);
    draw_roles_listing(view, listing, roles, note);
  };
  const float lanes = std::max(view.px(least_lanes), body.height - view.px(most_top + gap));
  const ui::Slot slots[] = {{view.px(most_top), upper},
                            {lanes, [&](Rect place) { draw_roles_lanes(view, place, runs); }}};
  const float bar = lanes > view.px(least_lanes) ? 0 : view.px(edge);
  ui::scrolling_column(view.ui, view.id("roles/scroll"), body, view.px(gap), bar, slots);
}

void draw_one_below_another(View& view, Rect body, const RoleRuns& runs, std::string_view note) {
  const RoleTrace& roles = runs.shown().roles;
  const float width = body.width - view.px(edge);
  const ui::Slot slots[] = {
      {roles_lanes_height(view, width), [&](Rect place) { draw_roles_lanes(view, place, runs); }},
      {roles_listing_height(view, roles, width), [&](Rect place) { draw_roles_listing(view, place, roles, note); }},
      {view.px(most_top), [&](Rect place) { draw_roles_chip(view, place, roles); }}};
  ui::scrolling_column(view.ui, view.id("roles/scroll"), body, view.px(gap), view.px(edge), slots);
}

/// Says above the cards what the released code does with few queries.
void draw_few_queries(View& view, ui::Space& cards) {
  const std::string_view note = sim::note_on_few_queries(view.subject().simulation().plan);
  if (note.empty()) return;
  const std::string words(view.say(note));
  view.ui.state.shown.emplace(view.id("roles/few queries"), words);
  const ui::Ink muted{.color = view.theme().muted};
  cards.top(ui::paragraph(view.canvas(), cards.rest(), Style::caption, muted, ui::escaped(words)), view.px(8));
}

bool has_roles(const sim::Program& program) {
  return std::any_of(program.options.begin(), program.options.end(),
                     [](const sim::OwnOption& option) { return option.name == "schedule"; });
}

/// Draws a paragraph, and below it a button for each of some edits.
void draw_offers(View& view, Rect body, const std::string& words,
                 const std::vector<std::tuple<std::string, std::string, Edit>>& offers) {
  ui::panel(view.canvas(), body);
  ui::Space rest(body.inset(view.px(16)), view.px(8));
  view.ui.state.shown.emplace(view.id("no roles"), words);
  rest.top(ui::paragraph(view.canvas(), rest.rest(), Style::body, {.color = view.theme().text}, ui::escaped(words)),
           view.px(gap));
  for (const auto& [id, label, edit] : offers) {
    const Rect place = ui::Space(rest.top(view.control_height())).left(ui::button_width(view.canvas(), label));
    if (ui::button(view.ui, view.id("roles/show/" + id), place, label)) view.edit(edit);
  }
}

/// Offers the kernel with roles where another one of the run is in view, such as that before a backward pass; true if
/// there is one.
bool draw_other_kernel(View& view, Rect body) {
  const sim::Simulation& simulation = view.subject().simulation();
  const std::size_t here = view.subject().replay->kernel, kernel = kernel_with_roles(simulation, here);
  if (kernel == here) return false;
  const std::string name(simulation.plan.launches[kernel].name);
  draw_offers(
      view, body,
      view.say("All warps of {} do the same. Those of {} have roles.", simulation.plan.launches[here].name, name),
      {{"kernel", view.say("Show {}", name), LookAt{kernel, {}}}});
  return true;
}

/// Names the algorithms with roles if that in view has none, and offers them.
void draw_without_roles(View& view, Rect body) {
  if (draw_other_kernel(view, body)) return;
  std::string titles;
  std::vector<std::tuple<std::string, std::string, Edit>> offers;
  for (const sim::Program& program : sim::built_in_programs()) {
    if (!has_roles(program)) continue;
    offers.emplace_back(program.name, view.say("Show {}", view.say(program.title)),
                        SetOptions{{{"algorithm", std::string(program.name)}}});
    titles += (titles.empty() ? "" : ", ") + std::string(view.say(program.title));
  }
  const std::string words =
      view.say("{} has no roles: all warps of a CTA do the same. Warpgroups of these have roles: {}.",
               view.say(view.subject().simulation().plan.program->title), titles);
  draw_offers(view, body, words, offers);
}

}  // namespace

std::string_view schedule_title(Language language, std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> titles[] = {
      {"serial", /*say*/ "Serial"},       {"warp-specialised", /*say*/ "Warp-specialised"},
      {"ping-pong", /*say*/ "Ping-pong"}, {"overlapped", /*say*/ "Overlapped"},
      {"issued", /*say*/ "when issued"},  {"ended", /*say*/ "when its products ended"}};
  for (const auto& [name, title] : titles) {
    if (name == word) return words::say(language, title);
  }
  return word;
}

void draw_roles(View& view, Rect line, Rect body) {
  if (view.subject().replay->roles.empty()) return draw_without_roles(view, body);
  ui::Space words(line), cards(body);
  draw_choices(view, words, cards);
  draw_few_queries(view, cards);
  const std::string note = draw_grid_words(view, words.rest());
  const RoleRuns& runs = role_runs_of(view);
  if (body.width >= view.px(beside_from)) return draw_upper_and_lanes(view, cards.rest(), runs, note);
  draw_one_below_another(view, cards.rest(), runs, note);
}

}  // namespace explorer
