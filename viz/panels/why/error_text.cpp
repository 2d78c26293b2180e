#include "viz/panels/why/error_text.h"

#include <algorithm>

#include "sim/programs/program.h"
#include "viz/panels/scenario/field.h"

namespace explorer {
namespace {

bool is_of_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

/// Error without a leading "flash2.cpp:19: ".
std::string_view without_place(std::string_view error) {
  const std::size_t file = error.find(".cpp:"), end = error.find(": ");
  return file < end && end != std::string_view::npos ? error.substr(end + 2) : error;
}

/// Translates a name of the command line into that of the window; empty if the text is not a name. Apart from the first
/// word, only tiles and options with dashes count as names: "heads" and "seed" are also plain words.
std::string in_words(const View& view, std::string_view name, bool first) {
  const bool dashed = name.starts_with("--");
  const sim::ScenarioOption* option = sim::find_option(dashed ? name.substr(2) : name);
  const bool is_name = dashed || first || name == "br" || name == "bc" || name.find('-') != std::string_view::npos;
  if (option != nullptr && is_name) return option_in_words(view, *option);
  const std::vector<std::string> programs = sim::all_program_names();
  if (std::find(programs.begin(), programs.end(), name) != programs.end())
    return std::string(view.say(sim::find_program(name)->title));
  const std::vector<std::string> devices = sim::device_names();
  return std::find(devices.begin(), devices.end(), name) != devices.end() ? device_label(name) : std::string();
}

}  // namespace

std::string option_in_words(const View& view, const sim::ScenarioOption& option) {
  return std::string(option.label.empty() ? option.name : view.say(option.label));
}

std::string error_in_words(const View& view, const sim::Sentence& sentence) {
  const std::string translated = view.translate(sentence);
  std::string_view error = without_place(translated);
  std::string text;
  while (!error.empty()) {
    const auto end = static_cast<std::size_t>(std::find_if_not(error.begin(), error.end(), is_of_name) - error.begin());
    const std::string named = end > 1 ? in_words(view, error.substr(0, end), text.empty()) : std::string();
    text += named.empty() ? std::string(error.substr(0, end)) : named;
    error.remove_prefix(end);
    const auto next = static_cast<std::size_t>(std::find_if(error.begin(), error.end(), is_of_name) - error.begin());
    text += error.substr(0, next);
    error.remove_prefix(next);
  }
  const std::string_view stop = view.state.look.language == Language::zh ? "。" : ".";
  return text.ends_with(stop) ? text : text + std::string(stop);
}

}  // namespace explorer
