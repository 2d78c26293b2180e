// The state of the explorer as a link and as JSON.
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "viz/model/comparison.h"
#include "viz/model/first_view.h"
#include "viz/model/microscope.h"

namespace explorer {
namespace {

std::optional<double> number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Reports and ignores invalid values of a view option, as read_link() does with keys.
template <class Apply>
void take(Link& link, std::string_view name, Apply apply) {
  const auto found = link.view.find(name);
  if (found == link.view.end() || apply(found->second)) return;
  link.link_errors.push_back(sim::Sentence::of("link: ", name, " = \"", found->second, "\" makes no sense here"));
}

}  // namespace

std::string link_of(const State& state) {
  Link link{with_batch_and_heads(state.options), {}, {}};
  const sim::CtaPlace& p = state.place.place;
  if (state.place.kernel != 0) link.view["kernel"] = sim::text(state.place.kernel);
  if (p.batch + p.head + p.row + p.col > 0) link.view["cta"] = place_text(p);
  const bool names_time = state.place.time > sim::Cycles{} || state.look.center == Center::microscope;
  if (names_time) link.view["time"] = cycles_text(state.place.time);
  if (state.speed != 1) link.view["speed"] = nlohmann::json(state.speed).dump();
  if (!state.changes.empty()) link.view["compare"] = to_text(state.changes);
  for (const LookField& field : look_fields()) {
    if (field.text(state.look) != field.text(Look{})) link.view[std::string(field.name)] = field.text(state.look);
  }
  std::string text = to_link(link);
  if (text.size() > longest_link && link.scenario.erase("pattern") > 0) text = to_link(link);
  return text;
}

void Model::follow(std::string_view text) {
  Link link = read_link(text, world.gpu());
  const bool names_scenario = !link.scenario.empty();
  const bool opens_nothing = names_nothing(link);
  complete_first(link, world.gpu());
  if (is_bare(link)) link.scenario = sim::filled_card();
  state.changes.clear();  // the link sets its own
  if (link.scenario.contains("seqlens")) link.view.emplace("center", "batch");
  take(link, "packing", [&](const std::string& order) {
    if (order == "longest" && link.scenario.contains("seqlens")) link.scenario.emplace("issue", order);
    return order == "longest" || order == "file" || order == "padded";
  });
  const auto center = link.view.find("center"), play = link.view.find("play");
  state.look.center = Look{}.center;
  state.look.play = Look{}.play;
  if (center != link.view.end())
    look_field("center").set(state.look, center->second);  // both determine if CTAs are replayed
  if (play != link.view.end()) look_field("play").set(state.look, play->second);
  if (state.plays_run() && state.look.play != Play::run) link.view.emplace("run-time", "1e15");  // the end of a batch
  change(link.scenario);
  follow_place(link);
  follow_look(link);
  if (opens_nothing) show_first_picture();
  if (state.look.center == Center::microscope && !link.view.contains("time") && !world.subject(0).is_ragged())
    show_telling_moment(*this);
  classroom.opens_lesson = !names_scenario && !state.look.lesson.empty();
  classroom.opens_tour = !names_scenario && !state.compares() && state.look.overlay == Overlay::tour;
  link_errors = std::move(link.link_errors);
}

/// Shows a third of the first head: some rows of its matrix are done, the next one is under way.
void Model::show_first_picture() {
  const std::int64_t rows = grid_of(world.run().simulation, 0).row;
  look_at(0, {0, 0, rows / 3, 0});
  seek(sim::Cycles(world.replay().index.end().count() / 3));
}

void Model::follow_place(Link& link) {
  std::size_t kernel = 0;
  if (state.look.center == Center::roles) kernel = kernel_with_roles(world.run().simulation, kernel);
  sim::CtaPlace place;
  take(link, "kernel", [&](const std::string& value) {
    const auto n = number(value);
    const bool good = n && *n >= 0 && *n < static_cast<double>(world.run().simulation.plan.launches.size());
    if (good) kernel = static_cast<std::size_t>(*n);
    return good;
  });
  take(link, "cta", [&](const std::string& value) {
    const auto read = read_place(value);
    if (read) place = *read;
    return read.has_value();
  });
  if (!link.view.contains("cta") && !link.view.contains("row") && state.look.center == Center::microscope) {
    if (const auto query = row_with_tiles(world.run().simulation, kernel)) link.view["row"] = sim::text(*query);
  }
  if (!link.view.contains("cta") && link.view.contains("row")) {
    const auto row = number(link.view["row"]);  // the key of Look has checked it
    if (row && *row >= 0 && *row <= largest_row)
      place = place_of_row(world.run().simulation, kernel, 0, static_cast<std::int64_t>(*row));
  }
  look_at(kernel, place);
  seek({});
  take(link, "time", [&](const std::string& value) {
    const auto time = read_cycles(value);
    if (time) seek(*time);
    return time.has_value();
  });
}

void Model::follow_look(Link& link) {
  take(link, "speed", [&](const std::string& value) {
    const auto n = number(value);
    if (n) set_speed(*n);
    return n && state.speed == *n;
  });
  state.look = Look{};
  for (const LookField& field : look_fields())
    take(link, field.name, [&](const std::string& value) { return field.set(state.look, value); });
  take(link, "compare", [&](const std::string& value) {
    const auto changes = read_comparison(value);
    if (changes) compare(*changes);
    return changes.has_value();
  });
  if (!state.compares()) simulate_peers();
  if (state.look.first && !link.view.contains("run-time")) state.look.run_time = film_moment * world.run_end();
}

nlohmann::ordered_json Model::to_json() const {
  const sim::CtaPlace& p = world.replay().place;
  return {{"link", link()},
          {"error", world.error().text()},
          {"complaints", sim::texts(link_errors)},
          {"kernel", world.run().simulation.plan.launches[world.replay().kernel].name},
          {"cta", {p.batch, p.head, p.row, p.col}},
          {"cycles", static_cast<double>(world.time().count()) / static_cast<double>(sim::ticks_per_cycle)},
          {"end_cycles",
           static_cast<double>(world.replay().index.end().count()) / static_cast<double>(sim::ticks_per_cycle)},
          {"playing", playing()},
          {"can_undo", can_undo()},
          {"can_redo", can_redo()}};
}

}  // namespace explorer
