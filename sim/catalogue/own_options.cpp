// Rows of the options that programs declare.
#include <algorithm>

#include "sim/base/text.h"
#include "sim/catalogue/option_places.h"
#include "sim/programs/plan.h"

namespace sim {
namespace {

/// Makes the row of an option that a program declares, with named values.
ScenarioOption row_of_words(const OwnOption& own) {
  const auto words = [own] {
    const auto split_words = own.words();
    return std::vector<std::string>(split_words.begin(), split_words.end());
  };
  const auto worded = [words](std::optional<std::int64_t> number) {
    return number ? OptionValue(words()[static_cast<std::size_t>(*number)]) : OptionValue();
  };
  ScenarioOption option{own.name, own.values, OptionKind::name, own.help, own.label, own.note};
  option.traits = automatic | seldom | (own.of_fp8 ? no_traits : of_speed);
  option.words = words;
  option.asked = [own, worded](const Scenario& s) { return worded(own_option(s, own.name)); };
  option.resolved = [own, worded](const Plan& plan) {
    const bool is_of_run = !own.of_fp8 || plan.problem.fp8();
    return is_of_run && has_own_option(plan.scenario, own.name) ? worded(value_of(own, plan)) : OptionValue();
  };
  option.set = [name = own.name, words](Scenario& s, const std::string& value, const GpuLookup&) {
    s.own[std::string(name)] = static_cast<std::int64_t>(parse_choice(name, value, words()));
  };
  option.applies = [own](const Scenario& s) {
    return has_own_option(s, own.name) && (!own.forward_only || s.pass == Pass::forward) &&
           (!own.of_fp8 || s.dtype == Dtype::e4m3);
  };
  return option;
}

/// Makes the row of an option that a program declares.
ScenarioOption row_of(const OwnOption& own) {
  if (own.of_words) return row_of_words(own);
  ScenarioOption option{own.name, own.values, OptionKind::whole_number, own.help, own.label, own.note};
  option.number = {
      own.unit,    own.least, static_cast<double>(own.least), static_cast<double>(own.most), Pace::doubling, {},
      own.plotted, own.most};
  option.traits = automatic | of_speed;
  option.applies = [name = own.name](const Scenario& s) { return has_own_option(s, name); };
  option.asked = [name = own.name](const Scenario& s) { return value_in(own_option(s, name)); };
  option.resolved = [own, applies = option.applies](const Plan& plan) {
    return applies(plan.scenario) ? OptionValue(value_of(own, plan)) : OptionValue();
  };
  option.set = [own](Scenario& s, const std::string& value, const GpuLookup&) {
    const std::string name(own.name);
    s.own.erase(name);
    const bool automatic_too = own.values.find("auto") != std::string_view::npos;
    if (automatic_too && value == "auto") return;
    try {
      s.own[name] = parse_whole_number(own.name, value, own.least, own.most);
    } catch (const Error& error) {
      if (!automatic_too) throw;
      throw Error(error, ", or auto");
    }
  };
  return option;
}

}  // namespace

std::vector<ScenarioOption> own_options() {
  std::vector<ScenarioOption> rows;
  for (const Program& program : built_in_programs()) {
    for (const OwnOption& own : program.options) {
      const auto is_there = [&](const ScenarioOption& row) { return row.name == own.name; };
      if (std::none_of(rows.begin(), rows.end(), is_there)) rows.push_back(row_of(own));  // programs may share one
    }
  }
  return rows;
}

}  // namespace sim
