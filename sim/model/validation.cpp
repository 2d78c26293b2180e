#include "sim/model/validation.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/base/nearest.h"
#include "sim/model/fitted_times.h"
#include "sim/model/simulation.h"

namespace sim {
namespace {

double predicted_speedup(const Scenario& scenario, double microseconds) {
  return simulate(standard_of(scenario)).microseconds / microseconds;
}

/// Time of one GPU on its part of the tokens, times the number of GPUs, over the time of all.
double predicted_share(const Scenario& scenario, double microseconds) {
  Scenario one = scenario;
  one.gpus = 1;
  one.shape.seqlen_q = one.shape.seqlen_k = scenario.shape.seqlen_k / scenario.gpus;
  return static_cast<double>(scenario.gpus) * simulate(one).microseconds / microseconds;
}

/// The groups of a choice: published ones, then recorded ones.
std::vector<std::string> groups_of(const ValidationChoice& choice) {
  std::vector<std::string> names = published_groups();
  for (const PublishedPoint& p : choice.recorded) {
    if (std::find(names.begin(), names.end(), p.group) == names.end()) names.push_back(p.group);
  }
  return names;
}

/// A row without its points.
AccuracyRow kind_of(const PublishedPoint& p) {
  const Scenario& s = p.scenario;
  return {.group = p.group,
          .algorithm = s.algorithm,
          .variant = p.variant,
          .gpu = s.gpu->name,
          .pass = std::string(name_of(s.pass)),
          .mask = mask_word(s.shape.mask),
          .dropout = s.dropout > 0,
          .shared = s.shape.kv_heads < s.shape.heads,
          .recorded = p.recorded()};
}

std::vector<const Prediction*> plain_ones(const std::vector<const Prediction*>& predictions) {
  std::vector<const Prediction*> plain;
  for (const Prediction* p : predictions) {
    if (is_plain(p->point->scenario)) plain.push_back(p);
  }
  return plain;
}

void widen(AccuracyRow& row, const Shape& shape) {
  const auto [n, d] = std::pair(shape.seqlen_q, shape.head_dim);
  const std::int64_t rows = product(shape.batch, shape.heads, n);
  const bool first = row.longest == 0;
  row.shortest = first ? n : std::min(row.shortest, n);
  row.longest = std::max(row.longest, n);
  row.smallest_d = first ? d : std::min(row.smallest_d, d);
  row.largest_d = std::max(row.largest_d, d);
  row.least_rows = first ? rows : std::min(row.least_rows, rows);
}

}  // namespace

Prediction prediction_of(const PublishedPoint& point, const TimingConstants& constants) {
  Prediction prediction{.point = &point};
  const std::optional<double> published = published_microseconds(point);
  prediction.published = published.value_or(point.value);
  try {
    Scenario scenario = scenario_of(point);
    scenario.constants = constants;
    const Simulation s = simulate(scenario);
    prediction.predicted = published                            ? s.microseconds
                           : point.quantity == Published::share ? predicted_share(scenario, s.microseconds)
                                                                : predicted_speedup(scenario, s.microseconds);
    prediction.bound_by = s.bound_by;
  } catch (const Error& error) {
    prediction.skipped = error.what();
  }
  return prediction;
}

ErrorSummary summary_of(const std::vector<const Prediction*>& predictions) {
  ErrorSummary s;
  for (const Prediction* p : predictions) {
    if (!p->made()) {
      ++s.skipped;
      if (s.no_point == nullptr) s.no_point = p;
      continue;
    }
    ++s.points;
    s.mean_error += std::abs(p->error());
    s.bias += p->error();
    if (s.worst == nullptr || std::abs(p->error()) > std::abs(s.worst->error())) s.worst = p;
  }
  const double n = static_cast<double>(std::max<std::int64_t>(s.points, 1));
  s.mean_error /= n;
  s.bias /= n;
  return s;
}

bool Validation::fitted(const PublishedPoint& point) const {
  if (point.standing != Standing::score) return false;
  const FittedTimes* times = fitted_times(point.group, point.scenario.algorithm);
  if (times != nullptr && !(times->by_fit && choice.fitted_to_recorded)) return true;
  return point.scenario.gpu->name == choice.fitted_on && point.for_fit &&
         (!point.recorded() || choice.fitted_to_recorded);
}

std::vector<const Prediction*> Validation::with(Standing standing) const {
  std::vector<const Prediction*> found;
  for (const Prediction& p : predictions) {
    if (p.point->standing == standing) found.push_back(&p);
  }
  return found;
}

std::vector<GroupErrors> Validation::groups() const {
  std::vector<GroupErrors> rows;
  const auto key_of = [this](const PublishedPoint& p) {
    return std::tuple(p.group, p.scenario.gpu->name, std::string(code_of(p)), fitted(p));
  };
  for (const auto& [key, same] : grouped(with(Standing::score), key_of)) {
    const auto& [group, gpu, algorithm, seen] = key;
    rows.push_back({group, gpu, algorithm, seen, summary_of(same)});
  }
  return rows;
}

std::vector<GroupErrors> Validation::not_scored() const {
  std::vector<const Prediction*> others;
  for (const Prediction& p : predictions) {
    if (p.point->standing != Standing::score) others.push_back(&p);
  }
  const auto key_of = [](const PublishedPoint& p) {
    return std::tuple(p.group, p.scenario.gpu->name, std::string(code_of(p)), p.standing);
  };
  std::vector<GroupErrors> rows;
  for (const auto& [key, same] : grouped(others, key_of)) {
    const auto& [group, gpu, algorithm, standing] = key;
    rows.push_back({group, gpu, algorithm, false, summary_of(same), standing});
  }
  return rows;
}

std::vector<HeldOutErrors> Validation::held_out() const {
  std::vector<HeldOutErrors> rows;
  for (const bool recorded : {false, true}) {
    std::vector<const Prediction*> all;
    for (const Prediction* p : with(Standing::score)) {
      if (!fitted(*p->point) && p->point->recorded() == recorded && p->made()) all.push_back(p);
    }
    for (const auto& [gpu, same] : grouped(all, [](const PublishedPoint& p) { return p.scenario.gpu->name; }))
      rows.push_back({recorded, gpu, summary_of(same)});
    if (!all.empty()) rows.push_back({recorded, "", summary_of(all)});
  }
  return rows;
}

ErrorSummary Validation::all_of(bool fitted_points) const {
  std::vector<const Prediction*> chosen;
  for (const Prediction* p : with(Standing::score)) {
    if (fitted(*p->point) == fitted_points) chosen.push_back(p);
  }
  return summary_of(chosen);
}

Validation validate(const ValidationChoice& choice) {
  const std::vector<std::string> groups = groups_of(choice);
  if (choice.group && std::find(groups.begin(), groups.end(), *choice.group) == groups.end()) {
    throw Error(unknown_name_message("group", *choice.group, groups));
  }
  Validation validation{choice, {}};
  const auto predict = [&](const PublishedPoint& point) {
    if (choice.group && *choice.group != point.group) return;
    validation.predictions.push_back(prediction_of(point, choice.constants));
  };
  for (const PublishedPoint& point : published_points()) predict(point);
  for (const PublishedPoint& point : choice.recorded) predict(point);
  return validation;
}

std::vector<AccuracyRow> accuracy_rows(const Validation& validation) {
  std::vector<AccuracyRow> rows;
  const auto kind_and_width = [](const PublishedPoint& p) {
    return std::pair(kind_of(p), p.scenario.shape.head_dim > widest_common_d);
  };
  for (const auto& [key, same] : grouped(plain_ones(validation.with(Standing::score)), kind_and_width)) {
    const ErrorSummary errors = summary_of(same);
    if (errors.points == 0) continue;
    AccuracyRow row = key.first;
    row.points = errors.points;
    row.error_percent = 100 * errors.mean_error;
    row.bias_percent = 100 * errors.bias;
    for (const Prediction* p : same) {
      if (p->made()) widen(row, p->point->scenario.shape);
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace sim
