#include "viz/model/nearest_option.h"

#include "sim/programs/run.h"

namespace explorer {
namespace {

constexpr std::int64_t around = 64;

/// True if a scenario with this value can be simulated.
bool is_possible(sim::OptionValues options, const std::string& name, std::int64_t value, const sim::GpuLookup& gpu) {
  options[name] = std::to_string(value);
  try {
    sim::count(sim::make_plan(sim::scenario_from(options, gpu)));
    return true;
  } catch (const sim::Error&) {
    return false;
  }
}

std::optional<std::int64_t> value_of(const sim::OptionValues& options, const std::string& name) {
  const auto found = options.find(name);
  if (found == options.end() || found->second.empty() || found->second.size() > 15 ||
      found->second.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoll(found->second);
}

}  // namespace

const sim::ScenarioOption* option_of_error(std::string_view error) {
  const std::size_t end = error.find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
  const bool names_one = end != std::string_view::npos && (error[end] == ':' || error.substr(end).starts_with(" is "));
  return names_one ? sim::find_option(error.substr(0, end)) : nullptr;
}

std::optional<std::string> nearest_possible(const sim::OptionValues& options, const sim::ScenarioOption& option,
                                            const sim::GpuLookup& gpu) {
  const std::string name(option.name);
  const auto asked = value_of(options, name);
  if (!asked || option.kind != sim::OptionKind::whole_number) return std::nullopt;
  const auto fits = [&](std::int64_t value) {
    return value >= option.number.least && is_possible(options, name, value, gpu);
  };
  for (std::int64_t step = 1; step <= around; ++step) {
    for (const std::int64_t value : {*asked - step, *asked + step}) {
      if (fits(value)) return std::to_string(value);
    }
  }
  std::int64_t good = option.number.least, bad = *asked;
  if (bad <= good || !fits(good)) return std::nullopt;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return std::to_string(good);
}

}  // namespace explorer
