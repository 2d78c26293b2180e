#include "viz/results/validation_json.h"

#include <nlohmann/json.hpp>

#include "kernels/measurements/points.h"
#include "kernels/measurements/recorded.h"
#include "sim/model/ratio_check.h"
#include "sim/model/tile_choice.h"

namespace results {
namespace {

using Json = nlohmann::ordered_json;

Json prediction_json(const sim::Validation& validation, const sim::Prediction& p) {
  const sim::PublishedPoint& point = *p.point;
  Json options = Json::object();
  for (const auto& [name, value] : point.options) {
    const bool number = value.find_first_not_of("0123456789.") == std::string::npos;
    options[name] = number ? Json::parse(value) : Json(value);
  }
  const Json nothing = nullptr;
  return {{"group", point.group},
          {"source", point.source},
          {"software", point.software},
          {"kernel", point.kernel},
          {"variant", point.variant},
          {"clock_mhz", point.clock_mhz ? Json(*point.clock_mhz) : nothing},
          {"scenario", options},
          {"br", point.scenario.br ? Json(*point.scenario.br) : nothing},
          {"bc", point.scenario.bc ? Json(*point.scenario.bc) : nothing},
          {"quantity", sim::name_of(point.quantity)},
          {"value", point.value},
          {"standing", sim::name_of(point.standing)},
          {"fitted", validation.fitted(point)},
          {"unit", is_factor(point.quantity) ? "ratio" : "us"},
          {"published", p.published},
          {"predicted", p.made() ? Json(p.predicted) : nothing},
          {"error_percent", p.made() ? Json(100 * p.error()) : nothing},
          {"bound_by", p.made() ? Json(p.bound_by) : nothing},
          {"skipped", p.made() ? nothing : Json(p.skipped)},
          {"note", point.note}};
}

Json errors_json(const sim::Validation& validation, const sim::ErrorSummary& errors) {
  const bool any = errors.points > 0;
  return {{"points", errors.points},
          {"skipped", errors.skipped},
          {"mean_error_percent", any ? Json(100 * errors.mean_error) : Json(nullptr)},
          {"bias_percent", any ? Json(100 * errors.bias) : Json(nullptr)},
          {"worst", any ? prediction_json(validation, *errors.worst) : Json(nullptr)},
          {"skipped_because", errors.no_point ? Json(errors.no_point->skipped) : Json(nullptr)}};
}

Json groups_json(const sim::Validation& validation) {
  Json list = Json::array();
  for (const sim::GroupErrors& row : validation.groups()) {
    Json json = {{"group", row.group}, {"gpu", row.gpu}, {"algorithm", row.algorithm}, {"fitted", row.fitted}};
    json.update(errors_json(validation, row.errors));
    list.push_back(json);
  }
  return list;
}

Json held_out_json(const sim::Validation& validation) {
  Json list = Json::array();
  for (const sim::HeldOutErrors& row : validation.held_out()) {
    Json json = {{"recorded", row.recorded}, {"gpu", row.gpu.empty() ? Json(nullptr) : Json(row.gpu)}};
    json.update(errors_json(validation, row.errors));
    list.push_back(json);
  }
  return list;
}

Json not_scored_json(const sim::Validation& validation) {
  Json list = Json::array();
  for (const sim::GroupErrors& row : validation.not_scored()) {
    Json json = {
        {"group", row.group}, {"gpu", row.gpu}, {"algorithm", row.algorithm}, {"standing", sim::name_of(row.standing)}};
    json.update(errors_json(validation, row.errors));
    list.push_back(json);
  }
  return list;
}

Json ratios_json(const sim::Validation& validation) {
  Json list = Json::array();
  for (const sim::RatioErrors& row : sim::ratio_errors(validation)) {
    list.push_back({{"group", row.group},
                    {"gpu", row.gpu},
                    {"algorithm", row.algorithm},
                    {"of", row.between_lengths                                  ? "lengths"
                           : row.worst.point->quantity == sim::Published::share ? "GPUs"
                                                                                : "algorithms"},
                    {"ratios", row.ratios},
                    {"mean_error_percent", 100 * row.mean_error},
                    {"bias_percent", 100 * row.bias},
                    {"worst",
                     {{"point", sim::description_of(*row.worst.point)},
                      {"published", row.worst.published},
                      {"predicted", row.worst.predicted}}}});
  }
  return list;
}

/// Cost of taking the tiles that are predicted fastest.
Json choices_json(const sim::Validation& validation) {
  const auto tiles_of = [](const sim::Prediction& p) {
    return Json{{"br", *p.point->scenario.br}, {"bc", *p.point->scenario.bc}, {"recorded_us", p.published}};
  };
  Json list = Json::array();
  for (const sim::TileChoices& group : sim::tile_choices(validation)) {
    Json choices = Json::array();
    for (const sim::TileChoice& choice : group.choices) {
      choices.push_back({{"point", sim::description_of(*choice.predicted->point)},
                         {"predicted_fastest", tiles_of(*choice.predicted)},
                         {"fastest", tiles_of(*choice.fastest)},
                         {"cost_percent", 100 * choice.cost()}});
    }
    list.push_back({{"group", group.group},
                    {"gpu", group.gpu},
                    {"algorithm", group.algorithm},
                    {"good", group.good()},
                    {"mean_cost_percent", 100 * group.mean_cost()},
                    {"choices", choices}});
  }
  return list;
}

Json constants_json(const sim::TimingConstants& constants) {
  Json json = Json::object();
  for (const sim::FittedConstant& c : sim::fitted_constants()) json[std::string(c.name)] = constants.*c.value;
  return json;
}

}  // namespace

Json validation_json(const sim::Validation& validation, const std::optional<sim::Fit>& fit, bool points) {
  Json json = {{"schema", 1},
               {"fitted_on", validation.choice.fitted_on},
               {"constants", constants_json(validation.choice.constants)},
               {"fit", nullptr},
               {"groups", groups_json(validation)},
               {"fitted", errors_json(validation, validation.all_of(true))},
               {"held_out", errors_json(validation, validation.all_of(false))},
               {"held_out_by", held_out_json(validation)},
               {"not_scored", not_scored_json(validation)},
               {"tile_choices", choices_json(validation)},
               {"ratios", ratios_json(validation)}};
  if (fit) json["fit"] = {{"log_error", fit->log_error}, {"evaluations", fit->evaluations}};
  json["contradicted"] = Json::array();
  for (const sim::Prediction* p : validation.with(sim::Standing::contradicted)) {
    json["contradicted"].push_back(prediction_json(validation, *p));
  }
  if (!points) return json;
  json["points"] = Json::array();
  for (const sim::Prediction& p : validation.predictions) {
    json["points"].push_back(prediction_json(validation, p));
  }
  return json;
}

Json validate_all(const std::optional<std::string>& group, bool points) {
  const measurements::RecordedPoints recorded = measurements::points_of(measurements::recordings());
  sim::ValidationChoice choice;
  choice.group = group;
  choice.recorded = recorded.points;
  return validation_json(sim::validate(choice), std::nullopt, points);
}

}  // namespace results
