#include "viz/terminal/validation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/model/fitted_times.h"
#include "sim/model/ratio_check.h"
#include "sim/model/tile_choice.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/results/validation_json.h"
#include "viz/terminal/command.h"
#include "viz/terminal/legend.h"

namespace terminal {
namespace {

/// "forward, N 4096, d 64, causal": what differs within a group.
std::string configuration(const sim::PublishedPoint& point) {
  const sim::Scenario& s = point.scenario;
  std::string out = sim::text(sim::name_of(s.pass), ", N ", s.shape.seqlen_k, ", d ", s.shape.head_dim);
  if (s.shape.mask.causal) out += ", causal";
  if (s.shape.mask.padding > 0) out += ", padding";
  if (s.dropout > 0) out += ", dropout";
  if (s.br && s.bc) out += sim::text(", ", *s.br, " x ", *s.bc);
  return out;
}

std::string total_line(const char* what, const sim::ErrorSummary& errors) {
  if (errors.points == 0) return sim::text(what, ": no points\n");
  return sim::text(what, ": ", errors.points, " points, mean |error| ", report::percent(errors.mean_error), ", bias ",
                   signed_percent(errors.bias), ", worst ", signed_percent(errors.worst->error()), ": ",
                   sim::description_of(*errors.worst->point), "\n");
}

/// Use of a point or of a group of points.
std::string role_of(sim::Standing standing, bool fitted) {
  if (standing == sim::Standing::ratio) return "ratio only";
  if (standing != sim::Standing::score) return std::string(sim::name_of(standing));
  return fitted ? "fitted" : "held out";
}

/// Held-out points by whose times they are, and by GPU.
std::string held_out_table(const sim::Validation& validation) {
  const std::vector<sim::HeldOutErrors> rows = validation.held_out();
  if (rows.empty()) return "";
  report::Table table({"held out, times", "GPU", "points", "mean |error|", "bias", "worst"});
  for (const sim::HeldOutErrors& row : rows) {
    table.row({row.recorded ? "held out, recorded with FlashScope" : "held out, published by others",
               row.gpu.empty() ? "all" : row.gpu, std::to_string(row.errors.points),
               report::percent(row.errors.mean_error), signed_percent(row.errors.bias),
               signed_percent(row.errors.worst->error())});
  }
  return "\n" + table.text();
}

/// The clocks at which the points were predicted.
std::string clock_lines(const sim::Validation& validation) {
  std::int64_t points[2] = {}, with_clock[2] = {};
  for (const sim::Prediction& p : validation.predictions) {
    if (!p.made()) continue;
    ++points[p.point->recorded()];
    with_clock[p.point->recorded()] += p.point->clock_mhz ? 1 : 0;
  }
  std::string out;
  if (points[1] > 0) {
    out += sim::text("clock: ", with_clock[1], " of ", points[1],
                     " recorded points are predicted at the clock of the SMs that was measured in their run\n");
  }
  if (points[0] > 0) {
    out +=
        sim::text("clock: ", with_clock[0], " of ", points[0],
                  " published points at the clock that their source states, the others at that of the GPU's table\n");
  }
  return out;
}

/// Roles of points that are not scored, and why only ratios of some count: a line for each reason.
std::string not_scored_lines(const sim::Validation& validation) {
  std::string out;
  for (const auto& [standing, meaning] :
       {std::pair{sim::Standing::fit, "constants of their algorithm alone were fitted to them"},
        {sim::Standing::shown, "the model does not describe them, or the source is hard to read"},
        {sim::Standing::contradicted, "other sources contradict them"}}) {
    const std::int64_t points = sim::summary_of(validation.with(standing)).points;
    if (points > 0) out += sim::text("  ", points, " points ", role_of(standing, false), ": ", meaning, "\n");
  }
  for (const auto& [why, same] : sim::grouped(validation.with(sim::Standing::ratio), sim::why_ratio_only)) {
    const sim::ErrorSummary errors = sim::summary_of(same);
    if (errors.points == 0) continue;
    out += sim::text("  ", errors.points, " points ", role_of(sim::Standing::ratio, false), ", mean |error| ",
                     report::percent(errors.mean_error), ": ", why, "\n");
  }
  return out.empty() ? "" : "\nnot scored:\n" + out;
}

bool any_recorded(const sim::Validation& validation) { return !validation.choice.recorded.empty(); }

/// A line for each recording to half of which constants were fitted.
std::string fitted_halves(const sim::Validation& validation) {
  std::string out;
  if (!validation.choice.fitted_to_recorded) return out;
  for (const sim::GroupErrors& row : validation.groups()) {
    const auto in_group = [&](const sim::PublishedPoint& p) { return p.group == row.group; };
    const auto& recorded = validation.choice.recorded;
    const sim::FittedTimes* times = sim::fitted_times(row.group, row.algorithm);
    const bool whole = times != nullptr && !times->by_fit;
    const std::string points =
        whole ? sim::text("the recorded points of ", row.algorithm, " in ") : "every other recorded point of ";
    const std::string line = sim::text("fitted: ", points, row.group, ".csv\n");
    const bool is_recorded = std::any_of(recorded.begin(), recorded.end(), in_group);
    if (row.fitted && is_recorded && out.find(line) == std::string::npos) out += line;
  }
  return out;
}

std::string ratio_table(const sim::Validation& validation) {
  const std::vector<sim::RatioErrors> rows = sim::ratio_errors(validation);
  if (rows.empty()) return "";
  report::Table table({"ratios of times", "GPU", "algorithm", "of", "ratios", "mean |error|", "bias", "worst", "at"});
  for (const sim::RatioErrors& row : rows) {
    const char* const of = row.between_lengths                                  ? "N to the next shorter N"
                           : row.worst.point->quantity == sim::Published::share ? "P x one GPU to P GPUs"
                                                                                : "standard to it";
    table.row({row.group, row.gpu, row.algorithm, of, std::to_string(row.ratios), report::percent(row.mean_error),
               signed_percent(row.bias), signed_percent(row.worst.error()),
               fmt::format("{} ({:.2f}, published {:.2f})", configuration(*row.worst.point), row.worst.predicted,
                           row.worst.published)});
  }
  return "\n" + table.text();
}

/// Cost of taking the tiles that are predicted fastest, a line for each group of recorded tiles.
std::string tile_table(const sim::Validation& validation) {
  const std::vector<sim::TileChoices> groups = sim::tile_choices(validation);
  if (groups.empty()) return "";
  report::Table table({"tiles predicted fastest", "GPU", "algorithm", "choices", "good", "mean cost", "worst", "at"});
  for (const sim::TileChoices& group : groups) {
    const sim::TileChoice& worst = group.worst();
    table.row({group.group, group.gpu, group.algorithm, std::to_string(group.choices.size()),
               std::to_string(group.good()), report::percent(group.mean_cost()), signed_percent(worst.cost()),
               sim::text(configuration(*worst.predicted->point), ", fastest ", *worst.fastest->point->scenario.br,
                         " x ", *worst.fastest->point->scenario.bc)});
  }
  return sim::text("\n", table.text(),
                   "\nCost: how much slower the tiles predicted fastest are than the fastest recorded. ",
                   "Good: at most ", report::percent(sim::good_choice), ".\n");
}

std::string in_unit(const sim::Prediction& p, double value) {
  return is_factor(p.point->quantity) ? report::ratio(value) : report::microseconds(value);
}

/// One line per number, and under the last one of the same note the note.
std::string contradicted_lines(const sim::Validation& validation) {
  const std::vector<const sim::Prediction*> all = validation.with(sim::Standing::contradicted);
  std::string out = all.empty() ? "" : "\ncontradicted by other sources, not counted:\n";
  for (std::size_t n = 0; n < all.size(); ++n) {
    const sim::Prediction& p = *all[n];
    out += sim::text("  ", sim::description_of(*p.point), ": published ", in_unit(p, p.published), ", predicted ",
                     p.made() ? sim::text(in_unit(p, p.predicted), ", ", signed_percent(p.error())) : "-", "\n");
    const bool last = n + 1 == all.size() || all[n + 1]->point->note != p.point->note;
    if (last) out += "    " + p.point->note + "\n";
  }
  return out;
}

/// One line per group and reason.
std::string skipped_lines(const sim::Validation& validation) {
  std::vector<std::pair<std::string, std::int64_t>> counts;
  for (const sim::Prediction& p : validation.predictions) {
    if (p.made()) continue;
    const std::string reason = sim::text(p.point->group, ", ", p.point->scenario.algorithm,
                                         p.point->variant.empty() ? "" : " ", p.point->variant, ": ", p.skipped);
    const auto found =
        std::find_if(counts.begin(), counts.end(), [&](const auto& entry) { return entry.first == reason; });
    if (found == counts.end()) {
      counts.emplace_back(reason, 1);
    } else {
      ++found->second;
    }
  }
  std::string out = counts.empty() ? "" : "\nskipped:\n";
  for (const auto& [reason, count] : counts) out += sim::text("  ", count, " of ", reason, "\n");
  return out;
}

std::string points_table(const sim::Validation& validation) {
  report::Table table({"group", "point", "published", "predicted", "error", "bound by", "used as", "note"});
  for (const sim::Prediction& p : validation.predictions) {
    table.row({p.point->group, sim::description_of(*p.point), in_unit(p, p.published),
               p.made() ? in_unit(p, p.predicted) : "-", p.made() ? signed_percent(p.error()) : "-",
               p.made() ? p.bound_by : "skipped", role_of(p.point->standing, validation.fitted(*p.point)),
               p.point->note});
  }
  std::vector<std::string> bounds;
  for (const sim::Prediction& p : validation.predictions) bounds.push_back(p.bound_by);
  return "\n" + table.text() + "\n" + bound_legend(bounds);
}

}  // namespace

std::string signed_percent(double fraction) { return fmt::format("{:+.1f} %", 100 * fraction); }

std::string accuracy_cell(const sim::Accuracy& accuracy) {
  return accuracy.error_percent ? fmt::format("± {:.1f} %", *accuracy.error_percent) : "unknown";
}

std::string accuracy_text(const sim::Accuracy& accuracy) {
  if (!accuracy.validated)
    return as_typed(
        "not validated: " + (accuracy.known.empty() ? "no published times of its kind are near" : accuracy.known) +
        ", see flashscope validate");
  return fmt::format("{}, the mean error against {}", accuracy_cell(accuracy), accuracy.where);
}

std::string error_table(const sim::Validation& validation) {
  report::Table table({"group", "GPU", "algorithm", "points", "role", "mean |error|", "bias", "worst", "at"});
  std::vector<sim::GroupErrors> rows = validation.groups();
  const std::vector<sim::GroupErrors> others = validation.not_scored();
  rows.insert(rows.end(), others.begin(), others.end());
  for (const sim::GroupErrors& row : rows) {
    if (row.errors.points == 0) continue;
    table.row({row.group, row.gpu, row.algorithm, std::to_string(row.errors.points), role_of(row.standing, row.fitted),
               report::percent(row.errors.mean_error), signed_percent(row.errors.bias),
               signed_percent(row.errors.worst->error()), configuration(*row.errors.worst->point)});
  }
  return sim::text("predicted / published ", any_recorded(validation) ? "or recorded " : "",
                   "- 1 of times; the constants of the model are fitted on ", validation.choice.fitted_on,
                   validation.choice.fitted_to_recorded
                       ? ""
                       : sim::text("; those of compiled main loops on recordings of an ", sim::compiled_fitted_on),
                   "\n\n", table.text(), "\n", total_line("fitted", validation.all_of(true)),
                   total_line("held out", validation.all_of(false)), fitted_halves(validation),
                   held_out_table(validation), "\n", clock_lines(validation), not_scored_lines(validation));
}

std::string validation_table(const sim::Validation& validation, bool points) {
  return error_table(validation) + tile_table(validation) + ratio_table(validation) + contradicted_lines(validation) +
         skipped_lines(validation) + (points ? points_table(validation) : "");
}

std::string fit_table(const sim::Fit& fit, const sim::TimingConstants& before) {
  report::Table table({"constant", "before", "fitted", "from", "to", "unit", "meaning"});
  for (const sim::FittedConstant& c : sim::fitted_constants()) {
    const auto number = [](double value) { return fmt::format("{:.4g}", value); };
    table.row({std::string(c.name), number(before.*c.value), number(fit.constants.*c.value), number(c.low),
               number(c.high), std::string(c.unit), std::string(c.meaning)});
  }
  return table.text() + fmt::format("\nmean |log(predicted / published)| of the fit: {:.4f}, after {} evaluations\n\n",
                                    fit.log_error, report::thousands(fit.evaluations));
}

namespace {

// Predicted against published times as CSV.

using Json = nlohmann::ordered_json;

/// Adds the fields of an object as cells; nested objects are flattened in order.
void add_cells(const Json& json, const std::string& prefix, std::string& names, std::string& cells) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_object()) {
      add_cells(value, prefix + name + ".", names, cells);
      continue;
    }
    names += (names.empty() ? "" : ",") + prefix + name;
    cells += (names == prefix + name ? "" : ",") + report::csv_cell(value);
  }
}

}  // namespace

std::string validation_csv(const sim::Validation& validation, bool points) {
  Json rows = results::validation_json(validation, std::nullopt, points)[points ? "points" : "groups"];
  std::string out;
  for (Json& row : rows) {
    row.erase("worst");
    std::string names, cells;
    add_cells(row, "", names, cells);
    if (out.empty()) out = names + "\n";
    out += cells + "\n";
  }
  return out;
}

}  // namespace terminal
