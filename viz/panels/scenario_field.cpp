#include "viz/panels/scenario_field.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "viz/panels/option_words.h"
#include "viz/terminal/report.h"

namespace explorer {
namespace {

const sim::ScenarioOption& find_option(std::string_view name) {
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (option.name == name) return option;
  }
  throw sim::Error(sim::text("options: the scenario has none that is called \"", name, "\""));
}

std::vector<std::string> split(std::string_view text, char between) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// How a number field behaves for an option.
struct NumberKind {
  std::string_view option;
  ui::Stepping stepping;
  double least, most;
  std::string_view list;  ///< values to choose from, with spaces between
};
constexpr std::array<NumberKind, 15> number_kinds = {{
    {"batch", ui::Stepping::doubling, 1, 1 << 20, {}},
    {"heads", ui::Stepping::by_one, 1, 1 << 20, {}},
    {"kv-heads", ui::Stepping::by_one, 1, 1 << 20, {}},
    {"seqlen", ui::Stepping::doubling, 1, 1 << 30, "128 256 512 1024 2048 4096 8192 16384 32768 65536 131072"},
    {"seqlen-q", ui::Stepping::doubling, 1, 1 << 30, "1 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072"},
    {"seqlen-k", ui::Stepping::doubling, 1, 1 << 30, "1 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072"},
    {"head-dim", ui::Stepping::doubling, 1, 1 << 20, "32 64 80 96 128 160 192 256"},
    {"padding", ui::Stepping::doubling, 0, 1 << 30, {}},
    {"window", ui::Stepping::doubling, 0, 1 << 30, {}},
    {"dropout", ui::Stepping::by_tenth, 0, 0.9999, {}},
    {"scale", ui::Stepping::by_tenth, -1e30, 1e30, {}},
    {"sram", ui::Stepping::doubling, 64, 1e12, {}},
    {"l2", ui::Stepping::doubling, 0, 1e12, {}},
    {"br", ui::Stepping::doubling, 1, 1 << 20, "16 32 64 128 256"},
    {"bc", ui::Stepping::doubling, 1, 1 << 20, "16 32 64 128 256"},
}};

NumberKind kind_of(std::string_view option) {
  for (const NumberKind& kind : number_kinds) {
    if (kind.option == option) return kind;
  }
  return {option, ui::Stepping::by_one, 0, 1e12, {}};
}

/// Whether an error is about an option: it begins with its name, or names it as the command line does.
bool is_about(const std::string& error, std::string_view option) {
  return error.starts_with(std::string(option) + ":") || error.find(sim::text("--", option, " ")) != std::string::npos;
}

/// What the scenario works out where nothing is said, or has none of.
bool is_chosen_by_itself(std::string_view option) {
  constexpr std::array<std::string_view, 9> options = {"kv-heads", "seqlen-q", "seqlen-k", "scale", "window",
                                                       "sram",     "l2",       "br",       "bc"};
  return std::find(options.begin(), options.end(), option) != options.end();
}

/// A number field with what its texts point to.
struct Field {
  std::string value, none, note;
  std::vector<std::string> list;
  std::vector<std::string_view> options;
  ui::NumberField field;
};

void fill(Field& f, const View& view, std::string_view option, std::string_view label, const ScenarioValues& values) {
  const NumberKind kind = kind_of(option);
  f.value = values.text(option);
  if (is_chosen_by_itself(option)) f.none = view.say(option == "window" ? /*say*/ "none" : /*say*/ "auto");
  if (option == "seqlen" && values.text("seqlen-q") != values.text("seqlen-k")) {  // two lengths
    f.value = values.text("seqlen-q");
    f.note = "× " + values.text("seqlen-k");
  }
  if (!kind.list.empty()) {
    f.list = split(kind.list, ' ');
    if (!f.none.empty()) f.list.insert(f.list.begin(), f.none);
    f.options.assign(f.list.begin(), f.list.end());
  }
  f.field = {label, f.value, f.note, f.none, kind.least, kind.most};
  f.field.whole = find_option(option).kind == sim::OptionKind::whole_number;
  f.field.stepping = kind.stepping;
  f.field.options = f.options;
  f.field.is_none = !f.none.empty() && !values.is_asked(option);
  f.field.wrong = is_about(values.error, option);
}

void apply(ViewModel& model, const std::string& option, const ui::NumberChange& change) {
  if (change.text.empty()) return model.reset_option(option);
  if (option == "seqlen" && (model.options().contains("seqlen-q") || model.options().contains("seqlen-k")))
    return model.change_options({{"seqlen", change.text}, {"seqlen-q", ""}, {"seqlen-k", ""}});  // a length for both
  change.drags ? model.drag_option(option, change.text) : model.set_option(option, change.text);
}

std::string choice_label(const View& view, std::string_view option, const std::string& choice) {
  if (choice.empty()) return std::string(view.say("none"));
  if (option == "algorithm") return std::string(view.say(short_name(choice)));
  return option == "gpu" ? device_label(choice) : choice;
}

/// The choices of a name option, and which of them is chosen. A device of a file is one more.
struct Choices {
  std::vector<std::string> values, labels;
  std::vector<std::string_view> names, views;  ///< of the list; no choice is called "none"
  int chosen = 0;
};

Choices choices_now(const View& view, std::string_view option, const ScenarioValues& values) {
  Choices c;
  c.values = choices_of(find_option(option));
  const std::string now = values.text(option);
  auto place = std::find(c.values.begin(), c.values.end(), now);
  if (place == c.values.end()) place = c.values.insert(c.values.end(), now);
  c.chosen = static_cast<int>(place - c.values.begin());
  for (const std::string& value : c.values) c.labels.push_back(choice_label(view, option, value));
  c.views.assign(c.labels.begin(), c.labels.end());
  for (const std::string& value : c.values) c.names.push_back(value.empty() ? std::string_view("none") : value);
  return c;
}

void choose(ViewModel& model, const std::string& option, const std::string& value) {
  value.empty() ? model.reset_option(option) : model.set_option(option, value);
}

}  // namespace

std::string ScenarioValues::text(std::string_view option) const {
  const auto found = asked.find(option);
  if (found != asked.end()) return found->second;
  const auto value = resolved.find(std::string(option));
  if (value == resolved.end() || value->is_null()) return "";
  if (value->is_boolean()) return value->get<bool>() ? "1" : "0";
  if (value->is_string()) return value->get<std::string>();
  return value->is_number_float() ? sim::text(value->get<double>()) : value->dump();
}

ScenarioValues scenario_values(const View& view) {
  const sim::Plan& plan = view.model.run().simulation.plan;
  return {view.model.options(), terminal::scenario_json(plan.scenario, plan), view.model.error()};
}

std::vector<std::string> choices_of(const sim::ScenarioOption& option) {
  if (option.name == "algorithm") return sim::program_names();
  if (option.name == "gpu") return sim::device_names();
  if (option.name == "pass") return {"forward", "backward", "forward+backward"};
  if (option.name != "model") return split(option.values, '|');
  std::vector<std::string> names = {""};
  for (const sim::ModelHeads& model : sim::model_heads()) names.push_back(model.name);
  return names;
}

std::string device_label(std::string_view name) {
  std::string label(name);
  const bool is_word = label.find_first_of("0123456789") == std::string::npos;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] == '-') label[i] = ' ';
    if (i == 0 || !is_word) label[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[i])));
  }
  return label;
}

void draw_option(View& view, ui::Rect rect, const std::string& id, std::string_view option, std::string_view label,
                 const ScenarioValues& values) {
  const std::string name(option);
  const sim::OptionKind kind = find_option(option).kind;
  if (kind == sim::OptionKind::flag) {
    const bool on = values.is_on(option);
    if (ui::toggle(view.ui, id, rect, label, on) != on) choose(view.model, name, on ? "" : "1");
  } else if (kind == sim::OptionKind::name) {
    const Choices c = choices_now(view, option, values);
    const int next = ui::drop_down(view.ui, id, rect, label, c.views, c.chosen, c.names);
    if (next != c.chosen) choose(view.model, name, c.values[static_cast<std::size_t>(next)]);
  } else {
    Field field;
    fill(field, view, option, label, values);
    if (const auto change = ui::number_field(view.ui, id, rect, field.field)) apply(view.model, name, *change);
  }
}

float option_width(const View& view, std::string_view option, std::string_view label, const ScenarioValues& values) {
  const sim::OptionKind kind = find_option(option).kind;
  if (kind == sim::OptionKind::flag) return ui::toggle_width(view.canvas(), label);
  if (kind == sim::OptionKind::name) {
    const Choices c = choices_now(view, option, values);
    const std::string_view now = c.views[static_cast<std::size_t>(c.chosen)];
    return ui::drop_down_width(view.canvas(), label, {&now, 1});
  }
  Field field;
  fill(field, view, option, label, values);
  return ui::number_field_width(view.canvas(), field.field);
}

}  // namespace explorer
