#include <algorithm>

#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/field.h"

namespace explorer {
namespace {

/// The program of a run; of an impossible one that which it asks for.
const sim::Program& program_of(const Subject& run) {
  const auto asked = run.options.find("algorithm");
  if (run.error.empty() || asked == run.options.end()) return *run.simulation().plan.program;
  const auto& all = sim::catalog();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.name == asked->second; });
  return found == all.end() ? *run.simulation().plan.program : *found;
}

/// Options in which a run differs from the first and that the user set: for it, or for a first run of its program.
std::vector<std::string> set_differences(const Subject& first, const Subject& run) {
  std::vector<std::string> names;
  if (!run.error.empty()) {  // it has no simulation of its own
    for (const auto& [name, value] : run.options) {
      const auto before = first.options.find(name);
      if (before == first.options.end() || before->second != value) names.push_back(name);
    }
  } else {
    names = differences(first, run);
  }
  const bool same_program = program_of(first).name == program_of(run).name;
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

std::string name_of_run(const ViewModel& model, std::size_t n, bool short_title) {
  const Language language = model.look.language;
  const Subject &first = model.subject(0), &run = model.subject(n);
  const sim::Program& program = program_of(run);
  std::string name(words::say(language, short_title ? program.short_title : program.title));
  for (const std::string& option : set_differences(first, run)) name += ", " + option_text(language, run, option);
  return name;
}

}  // namespace

std::string run_name(const ViewModel& model, std::size_t n, bool short_title) {
  std::string name = name_of_run(model, n, short_title);
  for (std::size_t before = 0; before < n; ++before) {
    if (name_of_run(model, before, short_title) == name) return sim::text(name, " (", n + 1, ")");
  }
  return name;
}

std::string run_name_in(const View& view, ui::Style style, float width) {
  const auto fits = [&](const std::string& name) { return view.canvas().text_width(style, name) <= width; };
  std::string name = run_name(view.model, view.index);
  if (fits(name)) return name;
  name = run_name(view.model, view.index, true);
  return fits(name) ? name : sim::text(view.index + 1, ": ", name);
}

std::string_view algorithm_label(const View& view, std::string_view name) {
  if (view.model.look.language == Language::en) return name;
  const auto& all = sim::catalog();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& program) { return program.name == name; });
  return found == all.end() ? name : view.say(found->short_title);
}

std::string_view first_run(const View& view) {
  return view.say(view.model.subject(0).simulation().plan.program->short_title);
}

std::string ratio_to_first(const View& view, ui::Style style, float width, double ratio) {
  const std::string words = ratio_words(view, ratio, true);
  const sim::Program& first = *view.model.subject(0).simulation().plan.program;
  for (const std::string_view name : {view.say(first.title), view.say(first.short_title)}) {
    std::string sentence = view.say("{} than {}", words, name);
    if (view.canvas().text_width(style, sentence) <= width) return sentence;
  }
  return {};
}

}  // namespace explorer
