// The state of the explorer as a link and as JSON.
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

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
  if (state.place.time > sim::Cycles{}) link.view["time"] = cycles_text(state.place.time);
  if (state.speed != 1) link.view["speed"] = nlohmann::json(state.speed).dump();
  if (!state.changes.empty()) link.view["compare"] = to_text(state.changes);
  for (const LookField& field : look_fields()) {
    if (field.text(state.look) != field.text(Look{})) link.view[std::string(field.name)] = field.text(state.look);
  }
  std::string text = to_link(link);
  if (text.size() > longest_link && link.scenario.erase("pattern") > 0) text = to_link(link);
  return text;
}

void ViewModel::follow(std::string_view text) {
  Link link = read_link(text, gpu_);
  const bool names_scenario = !link.scenario.empty();
  const bool opens_nothing = names_nothing(link);
  complete_first(link, gpu_);
  if (is_bare(link)) link.scenario = sim::filled_card();
  changes_.clear();  // the link sets its own
  if (link.scenario.contains("seqlens")) link.view.emplace("center", "batch");
  take(link, "packing", [&](const std::string& order) {
    if (order == "longest" && link.scenario.contains("seqlens")) link.scenario.emplace("issue", order);
    return order == "longest" || order == "file" || order == "padded";
  });
  const auto center = link.view.find("center"), play = link.view.find("play");
  look.center = Look{}.center;
  look.play = Look{}.play;
  if (center != link.view.end()) look_field("center").set(look, center->second);  // both determine if CTAs are replayed
  if (play != link.view.end()) look_field("play").set(look, play->second);
  if (plays_run() && look.play != Play::run) link.view.emplace("run-time", "1e15");  // the end of a batch
  change(link.scenario);
  follow_place(link);
  follow_look(link);
  if (opens_nothing) show_first_picture();
  classroom.opens_lesson = !names_scenario && !look.lesson.empty();
  classroom.opens_tour = !names_scenario && changes_.empty() && look.overlay == Overlay::tour;
  link_errors_ = std::move(link.link_errors);
}

/// Shows a third of the first head: some rows of its matrix are done, the next one is under way.
void ViewModel::show_first_picture() {
  const std::int64_t rows = grid_of(main_.run->simulation, 0).row;
  look_at(0, {0, 0, rows / 3, 0});
  seek(sim::Cycles(main_.replay->index.end().count() / 3));
}

void ViewModel::follow_place(Link& link) {
  std::size_t kernel = 0;
  sim::CtaPlace place;
  take(link, "kernel", [&](const std::string& value) {
    const auto n = number(value);
    const bool good = n && *n >= 0 && *n < static_cast<double>(main_.run->simulation.plan.launches.size());
    if (good) kernel = static_cast<std::size_t>(*n);
    return good;
  });
  take(link, "cta", [&](const std::string& value) {
    const auto read = read_place(value);
    if (read) place = *read;
    return read.has_value();
  });
  if (!link.view.contains("cta") && !link.view.contains("row") && look.center == Center::microscope) {
    if (const auto query = row_with_tiles(main_.run->simulation, kernel)) link.view["row"] = sim::text(*query);
  }
  if (!link.view.contains("cta") && link.view.contains("row")) {
    const auto row = number(link.view["row"]);  // the key of Look has checked it
    if (row && *row >= 0 && *row <= largest_row)
      place = place_of_row(main_.run->simulation, kernel, 0, static_cast<std::int64_t>(*row));
  }
  look_at(kernel, place);
  seek({});
  take(link, "time", [&](const std::string& value) {
    const auto time = read_cycles(value);
    if (time) seek(*time);
    return time.has_value();
  });
}

void ViewModel::follow_look(Link& link) {
  take(link, "speed", [&](const std::string& value) {
    const auto n = number(value);
    if (n) set_speed(*n);
    return n && speed() == *n;
  });
  look = Look{};
  for (const LookField& field : look_fields())
    take(link, field.name, [&](const std::string& value) { return field.set(look, value); });
  take(link, "compare", [&](const std::string& value) { return compare_with(value); });
  if (changes_.empty()) rebuild_peers();
  if (look.first && !link.view.contains("run-time")) look.run_time = film_moment * run_end();
}

nlohmann::ordered_json ViewModel::state() const {
  const sim::CtaPlace& p = main_.replay->place;
  return {{"link", link()},
          {"error", main_.error.text()},
          {"complaints", sim::texts(link_errors_)},
          {"kernel", main_.run->simulation.plan.launches[main_.replay->kernel].name},
          {"cta", {p.batch, p.head, p.row, p.col}},
          {"cycles", static_cast<double>(main_.time.count()) / static_cast<double>(sim::ticks_per_cycle)},
          {"end_cycles",
           static_cast<double>(main_.replay->index.end().count()) / static_cast<double>(sim::ticks_per_cycle)},
          {"playing", playing()},
          {"can_undo", can_undo()},
          {"can_redo", can_redo()}};
}

}  // namespace explorer
