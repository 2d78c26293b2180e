#include "lessons/options_text.h"

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"

namespace lessons {

namespace {

sim::OptionValues read_pairs(std::string_view text, bool may_unset) {
  sim::OptionValues options;
  if (sim::trimmed(text).empty()) return options;
  for (const std::string_view pair : sim::split(text, "&")) {
    const std::size_t equals = pair.find('=');
    const std::string name(sim::trimmed(pair.substr(0, equals)));
    const std::string typed(equals == std::string_view::npos ? "1" : pair.substr(equals + 1));
    if (sim::find_option(name) == nullptr)
      throw sim::Error(sim::unknown_name_message("option", name, sim::option_names()));
    sim::require(may_unset || !typed.empty(), "option ", sim::quoted(name), " has no value");
    const std::string value = typed.empty() ? "" : sim::exact_value(name, typed);
    sim::require(options.emplace(name, value).second, "option ", sim::quoted(name), " is given twice");
  }
  return options;
}

}  // namespace

sim::OptionValues read_options(std::string_view text) { return read_pairs(text, false); }

sim::OptionValues read_changes(std::string_view text) { return read_pairs(text, true); }

std::string text_of(const sim::OptionValues& options) {
  std::string text;
  for (const auto& [name, value] : options) text += (text.empty() ? "" : "&") + name + "=" + value;
  return text;
}

sim::OptionValues changed(sim::OptionValues options, const sim::OptionValues& changes) {
  for (const auto& [name, value] : changes) {
    options.erase(name);
    if (value.empty()) continue;
    for (const std::string_view covered : sim::option_called(name).covers) options.erase(std::string(covered));
    options[name] = value;
  }
  if (options.contains("seqlens") && changes.contains("seqlens")) options = sim::without_others(std::move(options));
  return options;
}

}  // namespace lessons
