#include "lessons/facts.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/check.h"
#include "sim/base/expression.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/machine/device_fields.h"
#include "sim/model/roofline.h"
#include "sim/report/numbers.h"
#include "sim/report/quantities.h"
#include "sim/report/run_json.h"

namespace lessons {
namespace {

using Json = nlohmann::ordered_json;
using std::string_view;

Json device_json(const sim::DeviceSpec& gpu) {
  Json json;
  for (const sim::DeviceField& field : sim::device_fields()) {
    const std::int64_t number = gpu.*field.member;
    json[field.name] = number == 0 ? Json(nullptr) : Json(number);  // absent
  }
  return json;
}

Json roofs_json(const sim::Simulation& simulation) {
  const sim::Roofs roofs = sim::roofs_of(*simulation.plan.scenario.gpu, simulation.plan.scenario.dtype);
  const sim::RooflinePoint all = sim::roofline(simulation).back();
  return {{"matrix_peak", roofs.matrix_peak},
          {"hbm_ridge", roofs.hbm_ridge()},
          {"hbm_intensity", all.hbm_intensity()},
          {"achieved", all.achieved()},
          {"peak", all.peak(roofs)}};
}

/// Formats a whole number. Typed numbers may exceed the range of int64.
std::string whole(std::string (*format)(std::int64_t), double n) {
  return std::abs(n) < 9e18 ? format(std::llround(n)) : fmt::format("{:.3g}", n);
}

/// Formats a number with three significant digits, without trailing zeros in a fraction.
std::string number(double n) {
  if (n == std::floor(n) || std::abs(n) >= 100) return whole(report::thousands, n);
  const int decimals = std::abs(n) >= 10 ? 1 : std::abs(n) >= 1 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", n, decimals);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// Formats a time as the screen shows it: µ where the command line has u.
std::string microseconds(double n) {
  std::string text = report::microseconds(n);
  if (text.ends_with(" us")) text.replace(text.size() - 2, 1, "µ");
  return text;
}

std::string exact_bytes(double n) { return whole(report::thousands, n) + " B"; }

struct Unit {
  string_view name;
  std::string (*format)(double);
};

constexpr Unit units[] = {
    {"number", number},
    {"microseconds", microseconds},
    {"bytes", [](double n) { return whole(report::bytes, n); }},
    {"exact_bytes", exact_bytes},
    {"ratio", report::ratio},
    {"kibibytes", [](double n) { return whole(report::kibibytes, n); }},
    {"flops", [](double n) { return whole(report::flops, n); }},
    {"count", [](double n) { return whole(report::count, n); }},
    {"percent", report::percent},
    {"intensity", report::intensity},
    {"flop_rate", [](double n) { return whole(report::flops, n) + "/s"; }},
    {"byte_rate", [](double n) { return whole(report::bytes, n) + "/s"; }},
};

/// Returns the name stored in the table, which outlives the text it was read from; an unknown name as it is, to be
/// rejected later.
string_view lasting(string_view unit) {
  for (const Unit& known : units) {
    if (known.name == unit) return known.name;
  }
  return unit;
}

/// Returns the unit that a name implies.
string_view unit_of(string_view name) {
  constexpr std::pair<string_view, string_view> endings[] = {
      {"sram_bytes", "kibibytes"}, {"_bytes_per_second", "byte_rate"},
      {"_bytes", "bytes"},         {"microseconds", "microseconds"},
      {"_flops", "flops"},         {"exp_count", "count"},
      {"hit_rate", "percent"},     {"_ridge", "intensity"},
      {"_intensity", "intensity"}, {"matrix_peak", "flop_rate"},
      {"achieved", "flop_rate"},   {"hbm_traffic", "bytes"},
      {".total", "bytes"},         {"gpu.smem_bytes_per_cta", "kibibytes"}};
  for (const auto& [ending, unit] : endings) {
    if (name.ends_with(ending)) return unit;
  }
  const bool traffic = name.find("by_tensor.") != string_view::npos;
  const bool cause = name.find("budget.") != string_view::npos;
  return traffic ? "bytes" : cause ? "microseconds" : "number";
}

bool goes_on(char c) { return sim::is_letter(c) || sim::is_digit(c) || c == '_' || c == '.' || c == '-'; }

/// Returns the name at the start of a text; empty if there is none.
string_view name_at(string_view text) {
  std::size_t size = 0;
  while (size < text.size() && goes_on(text[size]) && (size > 0 || sim::is_letter(text[0]))) ++size;
  return text.substr(0, size);
}

/// Returns the number at a path. If it is unknown for the run's device, throws an Error with the reason.
double known_number(const Json& run, const std::string& path) {
  const Json found = report::quantity_at(run, path);
  const bool unknown = found.is_null() || (found.is_number() && std::isnan(found.get<double>()));
  std::string why;
  for (const Json& warning : unknown ? run.value("warnings", Json::array()) : Json::array()) {
    const auto words = warning.get<std::string>();
    if (words.starts_with("no ") && words.find(" is ") != std::string::npos) why = words;
  }
  sim::require(why.empty(), "lesson: there is no number \"", path, "\": ", why);
  const bool of_several = !path.starts_with("gpus.") || run.contains("gpus");
  sim::require(of_several, "lesson: one GPU has no number \"", path, "\": take several");
  return report::number_at(run, path);
}

}  // namespace

void Facts::add(std::string name, const sim::Simulation& simulation) {
  Run run{std::move(name), report::to_json(simulation)};
  run.quantities["gpu"] = device_json(*simulation.plan.scenario.gpu);
  run.quantities["roofs"] = roofs_json(simulation);
  runs_.push_back(std::move(run));
}

const Json* Facts::find(string_view name) const {
  for (const Run& run : runs_) {
    if (run.name == name) return &run.quantities;
  }
  return nullptr;
}

/// Replaces names by q0, q1, ... with their values, then evaluates the rest as an Expression.
double Facts::value(string_view formula) const {
  std::string source;
  std::vector<std::string> names;
  std::vector<double> values;
  const Json* run = find("");
  for (const FormulaPart& part : formula_parts(formula)) {
    if (part.kind != FormulaPart::Kind::word) {
      source += part.text;
    } else if (const Json* other = find(part.text)) {
      run = other;
    } else {
      sim::require(run != nullptr, "lesson: no run to take \"", part.text, "\" from");
      names.push_back(sim::text("q", names.size()));
      values.push_back(known_number(*run, std::string(part.text)));
      source += names.back();
      run = find("");
    }
  }
  return sim::Expression::parse(source, names).evaluate(values);
}

Facts::Quantity Facts::quantity(string_view formula) const {
  const std::size_t bar = formula.find('|');
  const string_view quantity = sim::trimmed(formula.substr(0, bar));
  const string_view unit = bar == string_view::npos ? unit_of(quantity) : sim::trimmed(formula.substr(bar + 1));
  return {value(quantity), lasting(unit)};
}

std::string Facts::text(string_view formula) const {
  const Quantity found = quantity(formula);
  return written(found.value, found.unit);
}

std::string Facts::filled(string_view text) const {
  return with_formulas(text, [&](string_view formula) { return this->text(formula); });
}

bool Facts::holds(string_view text) const {
  const Claim claim = claim_of(text);
  const double left = value(claim.left), right = value(claim.right);
  if (!claim.percent.empty()) return std::abs(left - right) <= value(claim.percent) / 100 * std::abs(right);
  return claim.between == "<" ? left < right : claim.between == ">" ? left > right : left == right;
}

std::string Facts::sides(string_view text) const {
  const Claim claim = claim_of(text);
  const double left = value(claim.left), right = value(claim.right);
  const bool alike = left != right && plain_number(left) == plain_number(right);
  const auto side = [&](double number) { return alike ? fmt::format("{:.17g}", number) : plain_number(number); };
  return sim::text(side(left), " ", claim.between, " ", side(right));
}

void Facts::add_here(Json values) {
  for (Run& run : runs_) {
    if (run.name.empty()) run.quantities["here"] = std::move(values);
  }
}

void Facts::change(string_view name, string_view path, double value) {
  for (Run& run : runs_) {
    if (run.name != name) continue;
    Json* place = &run.quantities;
    for (const string_view part : sim::split(path, ".")) {
      const std::string key(part);
      const bool known =
          place->is_array() ? !key.empty() && key.size() < 4 && sim::is_digit(key[0]) && std::stoul(key) < place->size()
                            : place->is_object() && place->contains(key);
      sim::require(known, "lesson: run ", sim::quoted(name), " has no number \"", path, "\"");
      place = place->is_array() ? &(*place)[std::stoul(key)] : &(*place)[key];
    }
    sim::require(place->is_number(), "lesson: ", path, " is not a number");
    *place = value;
    return;
  }
  throw sim::Error("lesson: there is no run \"", name, "\"");
}

Claim claim_of(string_view text) {
  constexpr string_view within = " within ", of = " % of ";
  if (const std::size_t at = text.find(within); at != string_view::npos) {
    const std::size_t end = text.find(of, at);
    sim::require(end != string_view::npos, "lesson: \"", text,
                 "\" claims nothing: write FORMULA within 5 % of FORMULA");
    const std::size_t percent = at + within.size(), right = end + of.size();
    return {text.substr(0, at), sim::trimmed(text.substr(at, right - at)), text.substr(right),
            text.substr(percent, end - percent)};
  }
  const std::size_t sign = text.find_first_of("<>=");
  sim::require(sign != string_view::npos, "lesson: \"", text, "\" claims nothing: it has no <, >, = or within");
  return {text.substr(0, sign), text.substr(sign, 1), text.substr(sign + 1)};
}

bool is_claim(string_view text) {
  return text.find(" within ") != string_view::npos || text.find_first_of("<>=") != string_view::npos;
}

std::vector<FormulaPart> formula_parts(string_view formula) {
  using Kind = FormulaPart::Kind;
  std::vector<FormulaPart> parts;
  while (!formula.empty()) {
    const string_view name = name_at(formula);
    const std::size_t digits = formula.find_first_not_of("0123456789.e");
    const string_view part = !name.empty() ? name : formula.substr(0, sim::is_digit(formula[0]) ? digits : 1);
    formula.remove_prefix(part.size());
    parts.push_back({name.empty() ? Kind::sign : formula.starts_with('(') ? Kind::function : Kind::word, part});
  }
  return parts;
}

std::string with_formulas(string_view text, const std::function<std::string(string_view)>& put) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const bool script = open != string_view::npos && open > 0 && (text[open - 1] == '_' || text[open - 1] == '^');
    const std::size_t close = open == string_view::npos ? open : text.find('}', open);
    result += text.substr(0, open);
    if (close == string_view::npos) return result + std::string(open == string_view::npos ? "" : text.substr(open));
    const string_view inside = text.substr(open + 1, close - open - 1);
    result += script ? sim::text('{', inside, '}') : put(inside);
    text.remove_prefix(close + 1);
  }
  return result;
}

std::string written(double value, string_view unit) {
  std::vector<std::string> names;
  for (const Unit& known : units) {
    if (known.name == unit) return known.format(value);
    names.emplace_back(known.name);
  }
  throw sim::Error("lesson: ", sim::unknown_name_message("unit", unit, names));
}

std::string plain_number(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  return whole ? report::thousands(std::llround(value)) : fmt::format("{:.4g}", value);
}

std::string written_exactly(double value, string_view unit) {
  return unit == "bytes" || unit == "kibibytes" ? exact_bytes(value) : written(value, unit);
}

}  // namespace lessons
