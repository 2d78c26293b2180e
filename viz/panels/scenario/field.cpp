#include "viz/panels/scenario/field.h"

#include <algorithm>
#include <cctype>

#include "sim/base/painted.h"
#include "sim/base/text.h"
#include "sim/machine/device_override.h"
#include "sim/report/quantities.h"
#include "viz/model/numbers.h"
#include "viz/panels/scenario/option_words.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

ui::Stepping stepping_of(sim::Pace pace) {
  switch (pace) {
    case sim::Pace::by_one:
      return ui::Stepping::by_one;
    case sim::Pace::by_tenth:
      return ui::Stepping::by_tenth;
    case sim::Pace::doubling:
      return ui::Stepping::doubling;
  }
  return ui::Stepping::by_one;
}

/// True if an error is about an option: it starts with the option's name, or names it with dashes.
bool is_about(const std::string& error, std::string_view option) {
  return error.starts_with(std::string(option) + ":") || error.find(sim::text("--", option, " ")) != std::string::npos;
}

/// A number field, and the texts that it refers to.
struct Field {
  std::string value, none, note, shown;
  std::vector<std::string_view> options;
  ui::NumberField field;
};

void fill(Field& f, const View& view, const sim::ScenarioOption& option, std::string_view label,
          const ScenarioValues& values) {
  const sim::OptionNumber& number = option.number;
  f.value = values.text(option.name);
  if (option.is(sim::automatic)) f.none = view.say(option.name == "window" ? /*say*/ "none" : /*say*/ "auto");
  if (option.is_alias() && values.text(option.covers[0]) != values.text(option.covers[1])) {  // two lengths
    f.value = values.text(option.covers[0]);
    f.note = "× " + values.text(option.covers[1]);
  }
  if (!number.offered.empty()) {
    f.options = sim::split(number.offered, " ");
    if (!f.none.empty()) f.options.insert(f.options.begin(), f.none);
  }
  f.shown = shown_number(option, f.value);
  f.field = {label, f.value, f.note, f.shown, f.none, number.field_least, number.field_most};
  f.field.whole = option.kind == sim::OptionKind::whole_number;
  f.field.pair = option.name == "window";
  f.field.stepping = stepping_of(number.pace);
  f.field.options = f.options;
  f.field.is_none = !f.none.empty() && !values.is_asked(option.name);
  f.field.wrong = is_about(values.error, option.name);
}

}  // namespace

std::string shown_number(const sim::ScenarioOption& option, const std::string& value) {
  const bool digits = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || value.size() > 18) return value;
  const sim::Measure measure = sim::measure_of(option.number.unit);
  const bool has_unit = measure == sim::Measure::clock || measure == sim::Measure::bytes;
  return has_unit ? report::amount_in(option.number.unit, std::stoll(value)) : value;
}

namespace {

/// Values of --pass; the list of choices shows them in the language of the window.
[[maybe_unused]] constexpr std::string_view passes[] = {/*say*/ "forward", /*say*/ "backward",
                                                        /*say*/ "forward+backward"};

std::string choice_label(const View& view, std::string_view option, const std::string& choice) {
  if (choice.empty()) return std::string(view.say("none"));
  for (const auto& program : sim::programs_now()) {
    if (option == "algorithm" && program->name == choice) return std::string(view.say(program->short_title));
  }
  if (option == "pattern" && choice.starts_with(sim::painted_name)) return std::string(view.say("painted"));
  if (option == "pass") return std::string(view.say(choice));
  constexpr std::size_t longest = 24;  // lengths may be thousands of lines
  if (option == "seqlens" && choice.size() > longest) return choice.substr(0, choice.rfind(',', longest)) + ", …";
  if (option == "documents" && choice.size() > longest) return choice.substr(0, choice.rfind(' ', longest)) + " …";
  return option == "gpu" ? device_label(choice) : choice;
}

/// Last choice of a GPU: opens the form for its fields.
constexpr std::string_view like_this = "like-this";

/// Choices of a name option, and which one is chosen. The device of a file is an additional one.
struct Choices {
  std::vector<std::string> values, labels;
  std::vector<std::string_view> names, views;  ///< entries of the list; an empty value is called "none"
  int chosen = 0;
};

Choices choices_now(const View& view, std::string_view option, const ScenarioValues& values) {
  Choices c;
  c.values = choices_of(sim::option_called(option));
  const std::string now = values.text(option);
  auto place = std::find(c.values.begin(), c.values.end(), now);
  if (place == c.values.end()) place = c.values.insert(c.values.end(), now);
  c.chosen = static_cast<int>(place - c.values.begin());
  for (const std::string& value : c.values) c.labels.push_back(choice_label(view, option, value));
  if (option == "gpu") {
    c.values.emplace_back(like_this);
    c.labels.emplace_back(view.say("like this, but ..."));
  }
  c.views.assign(c.labels.begin(), c.labels.end());
  for (const std::string& value : c.values) c.names.push_back(value.empty() ? std::string_view("none") : value);
  return c;
}

void choose(const View& view, const std::string& option, const std::string& value) {
  if (value == like_this) return view.set([](Look& look) { look.overlay = Overlay::device; });
  view.edit(SetOptions{{{option, value}}});
}

/// Draws a locked option, dimmed; its tooltip gives the reason.
void draw_locked(View& view, ui::Rect rect, const std::string& id, std::string_view label, const std::string& value) {
  const ui::Theme& theme = view.theme();
  const ui::Color dim = ui::mix(theme.muted, theme.card, 0.45f);
  const ui::Hit h = ui::hit(view.ui, id, rect);
  view.canvas().stroke(rect, theme.border, view.px(1), view.px(ui::control_radius));
  const std::string text = label.empty() || value.empty() ? std::string(label) + value : sim::text(label, " ", value);
  view.canvas().text(rect.inset(view.px(6), 0), ui::Style::control, dim, text, ui::Align::center);
  if (h.hovered)
    draw_tooltip(view, tooltip_lines(view, view.say("Locked: this step lets you change {}.", free_options(view))));
}

/// Value to show for a locked option.
std::string value_text(const View& view, const sim::ScenarioOption& option, const ScenarioValues& values) {
  if (option.kind == sim::OptionKind::flag) return "";
  return option.kind == sim::OptionKind::name ? choice_label(view, option.name, values.text(option.name))
                                              : shown_number(option, values.text(option.name));
}

}  // namespace

bool is_locked(const View& view, std::string_view option) { return is_locked(view.model, option); }

std::string free_options(const View& view) {
  std::string names;
  for (const std::string& name : unlocked_options(view.model)) {
    const std::string_view label = sim::option_called(name).label;
    names += sim::text(names.empty() ? "" : ", ", label.empty() ? std::string_view(name) : view.say(label));
  }
  return names;
}

std::string ScenarioValues::text(std::string_view option) const {
  const auto found = asked.find(option);
  if (found != asked.end()) return found->second;
  const auto value = resolved.find(option);
  return value == resolved.end() ? "" : value->second;
}

ScenarioValues scenario_values(const View& view) {
  ScenarioValues values{view.state.options, {}, view.world.error().text()};
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (option.resolved)
      values.resolved[std::string(option.name)] = sim::text_of(option.resolved(view.world.run().simulation.plan));
  }
  return values;
}

std::vector<std::string> choices_of(const sim::ScenarioOption& option) {
  std::vector<std::string> names = option.words();
  if (!option.resolved || option.is(sim::automatic)) names.insert(names.begin(), "");  // a model may be absent
  return names;
}

std::string device_label(std::string_view device) {
  const sim::DeviceText parts = sim::split_device(device);
  const std::string& name = parts.name;
  std::string label = name;
  const bool is_word = label.find_first_of("0123456789") == std::string::npos;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] == '-') label[i] = ' ';
    if (i == 0 || !is_word) label[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[i])));
  }
  return parts.fields.empty() ? label : label + " *";
}

void draw_option(View& view, ui::Rect rect, const std::string& id, std::string_view option, std::string_view label,
                 const ScenarioValues& values, sim::OptionValues* draft) {
  const std::string name(option);
  const sim::ScenarioOption& row = sim::option_called(option);
  if (is_locked(view, option)) return draw_locked(view, rect, id, label, value_text(view, row, values));
  if (row.kind == sim::OptionKind::flag) {
    const bool on = values.is_on(option);
    if (ui::toggle(view.ui, id, rect, label, on) != on) choose(view, name, on ? "" : "1");
  } else if (row.kind == sim::OptionKind::name) {
    const Choices c = choices_now(view, option, values);
    const int next = ui::drop_down(view.ui, id, rect, label, c.views, c.chosen, c.names);
    if (next != c.chosen) choose(view, name, c.values[static_cast<std::size_t>(next)]);
  } else {
    Field field;
    fill(field, view, row, label, values);
    const auto change = ui::number_field(view.ui, id, rect, field.field);
    if (!change) return;
    if (draft == nullptr) return view.edit(SetNumber{std::string(option), change->text, change->drags});
    (*draft)[name] = change->text;
  }
}

float option_width(const View& view, std::string_view option, std::string_view label, const ScenarioValues& values) {
  const sim::ScenarioOption& row = sim::option_called(option);
  if (row.kind == sim::OptionKind::flag) return ui::toggle_width(view.canvas(), label);
  if (row.kind == sim::OptionKind::name) {
    const Choices c = choices_now(view, option, values);
    const std::string_view now = c.views[static_cast<std::size_t>(c.chosen)];
    return ui::drop_down_width(view.canvas(), label, {&now, 1});
  }
  Field field;
  fill(field, view, row, label, values);
  return ui::number_field_width(view.canvas(), field.field);
}

}  // namespace explorer
