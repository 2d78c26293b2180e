#include "viz/results/sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "kernels/threads/threads.h"
#include "sim/catalogue/typed_values.h"
#include "sim/model/approximate.h"
#include "sim/report/quantities.h"
#include "sim/report/run_json.h"
#include "viz/results/in_order.h"
#include "viz/results/version.h"

namespace results {

FormulaCheck::FormulaCheck(const std::string& formula, std::string against)
    : formula_(sim::Expression::parse(formula, sim::formula_symbols()).source()), against_(std::move(against)) {}

FormulaCheck::Comparison FormulaCheck::compare(const sim::Simulation& simulation,
                                               const nlohmann::ordered_json& json) const {
  const double count = report::number_at(json, against_);
  const double formula = sim::formula_value(formula_, simulation.plan);
  sim::require(formula > 0, "formula: ", formula, " is not above 0");
  const double ratio = count / formula;
  sim::require(std::isfinite(ratio), "formula: ", formula, " is too small for a ratio");
  return {formula, ratio};
}

std::optional<FormulaCheck> formula_check(const std::optional<std::string>& formula,
                                          const std::optional<std::string>& against) {
  sim::require(formula || !against, "against: needs a --formula to compare with");
  if (!formula) return std::nullopt;
  const sim::NamedFormula named = sim::named_formula(*formula);
  const std::string_view usual = named.against.empty() ? "tile_traffic.total" : named.against;
  return FormulaCheck(named.formula, against.value_or(std::string(usual)));
}

namespace {

using Json = nlohmann::ordered_json;

/// True if a value is a keyword instead of a number, such as auto: its result is then a number of the run.
bool is_word(const Axis& axis, const std::string& value) {
  return axis.kind == sim::OptionKind::whole_number && value.find_first_not_of("0123456789") != std::string::npos;
}

/// A value of the command line, typed as in simulate's JSON.
Json typed(const Axis& axis, const std::string& value) {
  if (is_word(axis, value)) return value;
  if (axis.kind == sim::OptionKind::flag) return value == "1";
  if (axis.kind == sim::OptionKind::whole_number) return std::strtoll(value.c_str(), nullptr, 10);
  if (axis.kind == sim::OptionKind::number) return std::strtod(value.c_str(), nullptr);
  return value;
}

/// The default columns of a run, by their paths in its JSON.
std::vector<TableNumber> usual_numbers() {
  std::vector<TableNumber> all = exact_numbers();
  for (const char* tile : {"br", "bc"}) all.push_back({tile, tile, sim::text("scenario.", tile)});
  all.push_back({"bound_by", "bound_by", "time.bound_by"});
  return all;
}

}  // namespace

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  sim::require(slash != std::string::npos, "shard: \"", text.substr(0, 100),
               "\" is not I/N, such as 1/4 for the first of four");
  Shard shard;
  shard.of = sim::typed_whole_number("shard", text.substr(slash + 1), 1, most_points);
  shard.which = sim::typed_whole_number("shard", text.substr(0, slash), 1, shard.of) - 1;
  return shard;
}

Sweep::Sweep(sim::OptionValues fixed, const TypedAxes& axes, Shard shard, std::optional<FormulaCheck> formula,
             std::vector<TableNumber> numbers, const OptionFiles& files)
    : fixed_(std::move(fixed)),
      shard_(shard),
      formula_(std::move(formula)),
      chosen_(!numbers.empty()),
      numbers_(chosen_ ? std::move(numbers) : usual_numbers()) {
  const sim::GpuLookup read_once = [&](const std::string& name) {
    const auto known = gpus_.find(name);
    return known != gpus_.end() ? known->second : gpus_.emplace(name, files.gpu(name)).first->second;
  };
  sim::check_options(fixed_, read_once);
  axes_ = parse_axes(axes, fixed_, {read_once, files.check, files.model});
  for (const Axis& axis : axes_) {
    columns_.push_back(axis.name);
    std::erase_if(numbers_, [&](const TableNumber& number) { return number.name == axis.name; });
  }
  for (const TableNumber& number : numbers_) columns_.push_back(chosen_ ? number.path : number.name);
  if (formula_) columns_.insert(columns_.end(), {"formula", "ratio"});
  columns_.emplace_back("error");
}

Json Sweep::named(const Json& cells) const {
  Json row = Json::object();
  for (std::size_t c = 0; c < cells.size(); ++c) row[columns_[c]] = cells[c];
  return row;
}

std::int64_t Sweep::points() const { return point_count(axes_); }

std::int64_t Sweep::rows() const { return (points() - shard_.which + shard_.of - 1) / shard_.of; }

std::size_t Sweep::coordinate(std::int64_t number, std::size_t axis) const {
  std::int64_t rest = point_of(number);
  for (std::size_t a = axes_.size() - 1; a > axis; --a) rest /= static_cast<std::int64_t>(axes_[a].values.size());
  return static_cast<std::size_t>(rest) % axes_[axis].values.size();
}

std::string Sweep::place(std::int64_t number) const {
  std::string text;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    text += (a == 0 ? "" : ", ") + axes_[a].name + "=" + axes_[a].values[coordinate(number, a)];
  }
  return text;
}

/// True for a program that ignores the pattern because its variant for patterns is also on the axis algorithm.
bool Sweep::is_dense_beside(const sim::OptionValues& values) const {
  for (const Axis& axis : axes_) {
    if (axis.name != "algorithm") continue;
    const auto program = sim::find_program(values.at("algorithm"));
    return std::find(axis.values.begin(), axis.values.end(), program->under_pattern) != axis.values.end();
  }
  return false;
}

sim::OptionValues Sweep::options(std::int64_t number) const {
  sim::OptionValues values = fixed_;
  for (const bool fields : {false, true}) {
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if ((axes_[a].field != nullptr) == fields) set_value(axes_[a], axes_[a].values[coordinate(number, a)], values);
    }
  }
  if (is_dense_beside(values)) values.erase("pattern");
  return values;
}

std::optional<sim::Scenario> Sweep::scenario(std::int64_t number) const {
  try {
    return sim::scenario_from(options(number), [this](const std::string& name) { return gpus_.at(name); });
  } catch (const sim::Error&) {
    return std::nullopt;
  }
}

bool Sweep::shows_times() const {
  return formula_ || std::any_of(numbers_.begin(), numbers_.end(),
                                 [](const TableNumber& number) { return number.path.starts_with("time"); });
}

std::vector<std::string> Sweep::doubts() const {
  constexpr int most_tries = 16;  // rows of a kind that cannot run
  std::vector<std::string> all;
  std::map<std::string, int> tries;
  for (std::int64_t number = 0; shows_times() && number < rows(); ++number) {
    std::string kind;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if (axes_[a].field != nullptr || axes_[a].kind == sim::OptionKind::name || axes_[a].name == "clock")
        kind += axes_[a].values[coordinate(number, a)] + "\n";
    }
    if (tries[kind] >= most_tries) continue;
    try {
      const auto known_gpu = [this](const std::string& name) { return gpus_.at(name); };
      for (std::string& doubt : sim::doubts_about_clock(sim::make_plan(sim::scenario_from(options(number), known_gpu))))
        if (std::find(all.begin(), all.end(), doubt) == all.end()) all.push_back(std::move(doubt));
      tries[kind] = most_tries;
    } catch (const sim::Error&) {  // the row has the reason
      ++tries[kind];
    }
  }
  return all;
}

void Sweep::add_comparison(const sim::Simulation& simulation, std::int64_t number, Json& cells) const {
  try {
    const FormulaCheck::Comparison comparison = formula_->compare(simulation, report::to_json(simulation));
    cells.push_back(comparison.formula);
    cells.push_back(comparison.ratio);
  } catch (const sim::Error& error) {
    throw sim::Error("at ", place(number), ": ", error);
  }
}

std::string Sweep::row(std::int64_t number) const {
  Json cells = Json::array();
  for (std::size_t a = 0; a < axes_.size(); ++a)
    cells.push_back(typed(axes_[a], axes_[a].values[coordinate(number, a)]));
  sim::Simulation simulation;
  std::vector<sim::PathValue> values;
  try {
    const auto known_gpu = [this](const std::string& name) { return gpus_.at(name); };
    simulation = sim::simulate(sim::scenario_from(options(number), known_gpu));
    values = sim::values_of(simulation);
  } catch (const sim::Error& error) {
    while (cells.size() + 1 < columns_.size()) cells.push_back(nullptr);
    cells.push_back(error.what());
    return report::to_line(cells);
  }
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (is_word(axes_[a], axes_[a].values[coordinate(number, a)]))
      cells[a] = report::value_at(values, "scenario." + axes_[a].name);
  }
  for (const TableNumber& column : numbers_) cells.push_back(number_in(values, column.path));
  if (formula_) add_comparison(simulation, number, cells);
  cells.push_back(nullptr);
  return report::to_line(cells);
}

Json Sweep::description() const {
  Json axes = Json::array(), devices = Json::object();
  for (const Axis& axis : axes_) axes.push_back({{"name", axis.name}, {"values", axis.values}});
  for (const auto& [name, gpu] : gpus_) {
    for (const sim::Provenance& p : gpu->provenance) devices[name][p.field] = p.value + " " + p.unit;
  }
  return {{"version", FLASHSCOPE_VERSION},
          {"sources", source_hash()},
          {"scenario", Json(fixed_)},
          {"axes", axes},
          {"shard", sim::text(shard_.which + 1, "/", shard_.of)},
          {"formula", formula_ ? Json(formula_->formula()) : Json(nullptr)},
          {"against", formula_ ? Json(formula_->against()) : Json(nullptr)},
          {"columns", columns_},
          {"devices", devices}};
}

std::vector<std::string> all_rows(const Sweep& sweep, int jobs, const std::function<void(std::int64_t)>& each,
                                  const std::function<bool()>& stop) {
  std::vector<std::string> rows;
  const auto make = [&](std::int64_t number) { return sweep.row(number); };
  const auto take = [&](const std::string& row) {
    rows.push_back(row);
    each(std::ssize(rows));
  };
  InOrder<std::string>(make, take, stop).run(sweep.rows(), jobs == 0 ? threads::all_cores() : jobs);
  return rows;
}

}  // namespace results
