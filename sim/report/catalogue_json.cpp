#include "sim/report/catalogue_json.h"

#include <nlohmann/json.hpp>

#include "sim/report/run_json.h"

namespace report {
namespace {

using Json = nlohmann::ordered_json;

Json option_json(const sim::ScenarioOption& option) {
  const bool whole = option.kind == sim::OptionKind::whole_number;
  Json json = {{"name", option.name}, {"kind", sim::name_of(option.kind)}, {"default", value_json(default_of(option))}};
  json["unit"] = whole || option.kind == sim::OptionKind::number ? Json(option.number.unit) : Json(nullptr);
  json["least"] = whole ? Json(option.number.least) : Json(nullptr);
  json["most"] = whole ? Json(option.number.most) : Json(nullptr);
  json["words"] = option.words != nullptr ? Json(option.words()) : Json(nullptr);
  json["sets"] = option.covers;
  json["label"] = option.label;
  json["takes"] = option.values;
  json["help"] = option.help;
  return json;
}

Json program_json(const sim::Program& p) {
  Json json = {{"name", p.name},       {"title", p.title},           {"passes", Json::array({"forward"})},
               {"summary", p.summary}, {"source", p.forward.source}, {"listing", p.forward.listing}};
  if (p.has_backward()) {
    json["passes"] = {"forward", "backward", "forward+backward"};
    json["backward_source"] = p.backward.source;
    json["backward_listing"] = p.backward.listing;
  }
  if (!p.variant_of.empty()) json["same_as"] = {{"algorithm", p.variant_of}, {"tiling", sim::name_of(p.rule)}};
  return json;
}

}  // namespace

sim::OptionValue default_of(const sim::ScenarioOption& option) {
  static const sim::Scenario scenario;
  return option.asked ? option.asked(scenario) : sim::OptionValue();
}

Json options_json() {
  Json list = Json::array();
  for (const sim::ScenarioOption& option : sim::scenario_options()) list.push_back(option_json(option));
  return {{"schema", 1}, {"options", list}};
}

Json device_json(const sim::DeviceSpec& device) {
  Json json = {{"name", device.name}, {"title", device.title}, {"architecture", device.architecture}};
  for (const sim::Provenance& p : device.provenance) {
    const bool is_text = p.unit == "text";
    json["fields"][p.field] = {{"value", is_text ? Json(p.value) : Json(std::stoll(p.value))},
                               {"unit", p.unit},
                               {"kind", p.kind},
                               {"source", p.source}};
  }
  return json;
}

Json algorithms_json() {
  Json list = Json::array();
  for (const sim::Program& program : sim::built_in_programs()) list.push_back(program_json(program));
  for (const sim::Program& program : sim::variants()) list.push_back(program_json(program));
  return {{"schema", 1}, {"algorithms", list}};
}

Json derivation_json(const sim::Derivation& d) {
  Json terms = Json::array();
  for (const sim::DerivationTerm& term : d.terms) {
    terms.push_back({{"where", term.where},
                     {"what", term.what.text()},
                     {"each", term.each},
                     {"times", term.times},
                     {"total", term.total()}});
  }
  Json formula = Json::array();
  for (const sim::Sentence& line : d.formula) formula.push_back(line.text());
  return {{"schema", 1},        {"path", d.path},
          {"unit", d.unit},     {"value", Json::accept(d.value) ? Json::parse(d.value) : Json(d.value)},
          {"formula", formula}, {"terms", terms}};
}

}  // namespace report
