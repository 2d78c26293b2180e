#include <algorithm>
#include <array>

#include "viz/model/comparison.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/field.h"

namespace explorer {
namespace {

/// Program of a run; for an impossible run, the requested one.
std::shared_ptr<const sim::Program> program_of(const Subject& run) {
  const auto asked = run.options.find("algorithm");
  const std::shared_ptr<const sim::Program>& simulated = run.simulation().plan.scenario.named;
  if (run.error.empty() || asked == run.options.end()) return simulated;
  const auto all = sim::programs_now();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p->name == asked->second; });
  return found == all.end() ? simulated : *found;
}

/// Options that the user set and in which a run differs from the first: set for it, or for a first run of the same
/// program.
std::vector<std::string> set_differences(const Subject& first, const Subject& run) {
  std::vector<std::string> names;
  if (!run.error.empty()) {  // no simulation of its own
    for (const auto& [name, value] : run.options) {
      const auto before = first.options.find(name);
      if (before == first.options.end() || before->second != value) names.push_back(name);
    }
  } else {
    names = differences(first, run);
  }
  const bool same_program = program_of(first)->name == program_of(run)->name;
  std::erase_if(names, [&](const std::string& name) {
    return name == "algorithm" || !(run.options.contains(name) || (same_program && first.options.contains(name)));
  });
  return names;
}

/// "Br 64", "Causal", "Causal off"
std::string option_text(Language language, const Subject& run, const std::string& name) {
  const sim::ScenarioOption& option = sim::option_called(name);
  const auto set = run.options.find(name);
  const std::string value =
      set == run.options.end() ? sim::text_of(option.resolved(run.simulation().plan)) : set->second;
  const std::string label(words::say(language, option.label));
  if (option.kind == sim::OptionKind::flag)
    return value == "1" ? label : words::say_with(language, /*say*/ "{} off", label);
  if (name == "gpu") return device_label(value);
  return sim::text(label, " ", words::say(language, value.empty() ? /*say*/ "none" : value));
}

/// "Causal, H100 SXM"; empty if the user set nothing else.
std::string text_of_differences(const Model& model, std::size_t n) {
  std::string text;
  for (const std::string& option : set_differences(model.world.subject(0), model.world.subject(n)))
    text += (text.empty() ? "" : ", ") + option_text(model.state.look.language, model.world.subject(n), option);
  return text;
}

std::string name_of_run(const Model& model, std::size_t n, bool short_title) {
  const auto program = program_of(model.world.subject(n));
  const std::string options = text_of_differences(model, n);
  return sim::text(words::say(model.state.look.language, short_title ? program->short_title : program->title),
                   options.empty() ? "" : ", ", options);
}

/// Names what distinguishes a run from a first run of the same program; empty for another program.
std::string options_alone(const Model& model, std::size_t n) {
  const bool same = program_of(model.world.subject(0))->name == program_of(model.world.subject(n))->name;
  return same && n > 0 ? text_of_differences(model, n) : std::string();
}

/// "Padded", if all runs are packings of one batch; else empty.
std::string_view packing_of_run(const Model& model, std::size_t n) {
  for (std::size_t other = 1; other < model.world.subjects(); ++other) {
    if (!packing_of(model.world.subject(other), model.world.subject(0))) return {};
  }
  const auto packing = packing_of(model.world.subject(n), model.world.subject(0));
  return packing ? packing_name(model.state.look.language, *packing) : std::string_view();
}

/// Name of the run that ratios refer to.
std::string_view reference_name(const View& view, bool short_title) {
  const std::size_t n = lane_order(view.model).front();
  const sim::Program& program = *view.world.subject(n).simulation().plan.program;
  const std::string_view packing = packing_of_run(view.model, n);
  return !packing.empty() ? packing : view.say(short_title ? program.short_title : program.title);
}

}  // namespace

std::string_view packing_name(Language language, Packing packing) {
  constexpr std::array<std::string_view, 3> names = {/*say*/ "Padded", /*say*/ "Packed", /*say*/ "Longest first"};
  return words::say(language, names[static_cast<std::size_t>(packing)]);
}

std::string run_name(const Model& model, std::size_t n, bool short_title) {
  if (const std::string_view packing = packing_of_run(model, n); !packing.empty()) return std::string(packing);
  std::string name = name_of_run(model, n, short_title);
  for (std::size_t before = 0; before < n; ++before) {
    if (name_of_run(model, before, short_title) == name) return sim::text(name, " (", n + 1, ")");
  }
  return name;
}

std::string shortest_run_name(const Model& model, std::size_t n) {
  const std::string options = packing_of_run(model, n).empty() ? options_alone(model, n) : std::string();
  return options.empty() ? run_name(model, n, true) : options;
}

std::string run_name_in(const View& view, ui::Style style, float width) {
  const auto fits = [&](const std::string& name) { return view.canvas().text_width(style, name) <= width; };
  std::string name = run_name(view.model, view.index);
  if (fits(name)) return name;
  name = run_name(view.model, view.index, true);
  if (fits(name)) return name;
  const std::string shortest = shortest_run_name(view.model, view.index);
  return fits(shortest) ? shortest : sim::text(view.index + 1, ": ", name);
}

std::string_view algorithm_label(const View& view, std::string_view name) {
  if (view.state.look.language == Language::en) return name;
  const auto all = sim::programs_now();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& program) { return program->name == name; });
  return found == all.end() ? name : view.say((*found)->short_title);
}

std::string_view first_run(const View& view) { return reference_name(view, true); }

std::vector<std::string> ratios_to_first(const View& view, double ratio) {
  const std::string words = ratio_words(view, ratio, true);
  std::vector<std::string> sentences;
  for (const std::string_view name : {reference_name(view, false), reference_name(view, true)})
    sentences.push_back(is_even(ratio) ? view.say("{} as {}", words, name) : view.say("{} than {}", words, name));
  return sentences;
}

std::string ratio_to_first(const View& view, ui::Style style, float width, double ratio) {
  for (std::string& sentence : ratios_to_first(view, ratio)) {
    if (view.canvas().text_width(style, sentence) <= width) return std::move(sentence);
  }
  return {};
}

}  // namespace explorer
