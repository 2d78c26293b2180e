// Chart of predicted over published and recorded times, a mark for each.
#include <set>

#include "sim/report/numbers.h"
#include "viz/terminal/sweep/chart.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

/// True for a time; a speed-up is a ratio.
bool is_time(const sim::Prediction& p) { return p.made() && p.point->quantity != sim::Published::speedup; }

ScatterPoint scatter_point(const sim::Prediction& p) {
  return {p.published, p.predicted,
          sim::text(p.point->group, ": ", sim::description_of(*p.point), ": ", report::microseconds(p.published),
                    ", predicted ", report::microseconds(p.predicted), ", ", signed_percent(p.error()))};
}

/// "held out, published by others: 105 times, mean |error| 11.7 %".
ScatterKind scatter_kind(const std::string& name, const std::vector<const sim::Prediction*>& predictions) {
  const sim::ErrorSummary errors = sim::summary_of(predictions);
  ScatterKind kind{sim::text(name, ": ", errors.points, " times, mean |error| ", report::percent(errors.mean_error)),
                   {}};
  for (const sim::Prediction* p : predictions) kind.points.push_back(scatter_point(*p));
  return kind;
}

std::string subtitle_of(const sim::Validation& validation) {
  std::set<std::string> gpus;
  std::int64_t ratios = 0;
  for (const sim::Prediction& p : validation.predictions) {
    if (is_time(p)) gpus.insert(p.point->scenario.gpu->name);
    ratios += p.made() && !is_time(p) ? 1 : 0;
  }
  std::string list;
  for (const std::string& gpu : gpus) list += (list.empty() ? "" : ", ") + gpu;
  return sim::text("Attention kernels on ", list,
                   ratios == 0 ? "" : sim::text(", without ", ratios, " published speed-ups"), ".");
}

}  // namespace

std::string validation_svg(const sim::Validation& validation) {
  std::vector<const sim::Prediction*> others, fitted, recorded, published;
  for (const sim::Prediction& p : validation.predictions) {
    if (!is_time(p)) continue;
    const bool scored = p.point->standing == sim::Standing::score;
    auto& kind = !scored ? others : validation.fitted(*p.point) ? fitted : p.point->recorded() ? recorded : published;
    kind.push_back(&p);
  }
  sim::require(!others.empty() || !fitted.empty() || !recorded.empty() || !published.empty(),
               "group: ", validation.choice.group.value_or("all"),
               " has no time that can be predicted: nothing to draw");
  return scatter_svg({"Predicted against measured times",
                      subtitle_of(validation),
                      "published or recorded time",
                      "Predicted time",
                      "microseconds",
                      {scatter_kind("not scored", others), scatter_kind("fitted", fitted),
                       scatter_kind("held out, recorded with FlashScope", recorded),
                       scatter_kind("held out, published by others", published)}});
}

}  // namespace terminal
