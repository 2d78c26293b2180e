#include "sim/model/ratio_check.h"

#include <algorithm>
#include <cmath>

#include "sim/programs/programs.h"

namespace sim {
namespace {

/// Returns the options of a point without the named ones: a key for points that differ only in those.
OptionValues without(const PublishedPoint& p, std::initializer_list<const char*> names) {
  OptionValues options = expanded(p.options);
  for (const char* name : names) options.erase(name);
  options["group"] = p.group;
  options["kernel"] = p.kernel;
  options["quantity"] = name_of(p.quantity);
  return options;
}
OptionValues series_of(const PublishedPoint& p) { return without(p, {"seqlen-q", "seqlen-k", "batch"}); }
OptionValues problem_of(const PublishedPoint& p) { return without(p, {"algorithm"}); }

void add_lengths(const std::vector<const Prediction*>& predictions, std::vector<RatioCheck>& checks) {
  for (auto& [name, series] : grouped(predictions, series_of)) {
    std::stable_sort(series.begin(), series.end(), [](const Prediction* a, const Prediction* b) {
      return a->point->scenario.shape.seqlen_q < b->point->scenario.shape.seqlen_q;
    });
    for (std::size_t n = 1; n < series.size(); ++n) {
      const Prediction &longer = *series[n], &shorter = *series[n - 1];
      checks.push_back(
          {longer.point, true, longer.published / shorter.published, longer.predicted / shorter.predicted});
    }
  }
}

void add_algorithms(const std::vector<const Prediction*>& predictions, std::vector<RatioCheck>& checks) {
  for (const auto& [name, same] : grouped(predictions, problem_of)) {
    const auto standard = std::find_if(same.begin(), same.end(), [](const Prediction* p) {
      return p->point->scenario.algorithm == programs::standard.name;
    });
    for (const Prediction* p : same) {
      if (standard == same.end() || p == *standard) continue;
      checks.push_back({p->point, false, (*standard)->published / p->published, (*standard)->predicted / p->predicted});
    }
  }
}

}  // namespace

std::vector<RatioCheck> ratio_checks(const std::vector<const Prediction*>& predictions) {
  std::vector<const Prediction*> times;
  std::vector<RatioCheck> checks;
  for (const Prediction* p : predictions) {
    if (!p->made()) continue;
    if (is_factor(p->point->quantity)) {
      checks.push_back({p->point, false, p->published, p->predicted});
    } else {
      times.push_back(p);
    }
  }
  add_lengths(times, checks);
  add_algorithms(times, checks);
  return checks;
}

std::vector<RatioErrors> ratio_errors(const Validation& validation) {
  std::vector<RatioErrors> rows;
  for (const RatioCheck& check : ratio_checks(validation.with(Standing::ratio))) {
    const PublishedPoint& p = *check.point;
    auto row = std::find_if(rows.begin(), rows.end(), [&](const RatioErrors& r) {
      return r.group == p.group && r.gpu == p.scenario.gpu->name && r.algorithm == p.scenario.algorithm &&
             r.between_lengths == check.between_lengths;
    });
    if (row == rows.end()) {
      row = rows.insert(rows.end(), {p.group, p.scenario.gpu->name, p.scenario.algorithm, check.between_lengths});
    }
    ++row->ratios;
    row->mean_error += std::abs(check.error());
    row->bias += check.error();
    if (row->worst.point == nullptr || std::abs(check.error()) > std::abs(row->worst.error())) row->worst = check;
  }
  for (RatioErrors& row : rows) {
    row.mean_error /= static_cast<double>(row.ratios);
    row.bias /= static_cast<double>(row.ratios);
  }
  return rows;
}

std::string why_ratio_only(const PublishedPoint& point) {
  if (point.quantity == Published::speedup) return "a speed-up over standard attention was published, not a time";
  if (point.group == "fa1-paper-tables-9-20")  // its notes do not say it
    return "per FLOP the times are far longer than in table 7 of the same paper, of the same kernel and GPU";
  return point.note;
}

}  // namespace sim
