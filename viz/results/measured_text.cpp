#include "viz/results/measured_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/measurements/points.h"
#include "kernels/measurements/recorded.h"
#include "sim/base/text.h"
#include "sim/model/published.h"
#include "sim/report/reached.h"

namespace results {
namespace {

using Json = nlohmann::ordered_json;

/// A kernel with a known time for a problem of the same kind.
struct Known {
  std::string words;
  double per_second = 0;  ///< rate in FLOPs per second as attention kernels are rated
};

/// True if a point is of the shape's kind: card, pass, mask and d of the scenario, and N within a factor of 2.
bool same_kind(const sim::PublishedPoint& point, const sim::Scenario& s) {
  const sim::Scenario& other = point.scenario;
  const std::int64_t n = other.shape.seqlen_k;
  return point.standing != sim::Standing::contradicted && !is_factor(point.quantity) &&
         other.gpu->name == s.gpu->name && other.pass == s.pass && other.shape.head_dims() == s.shape.head_dims() &&
         sim::mask_word(other.shape.mask) == sim::mask_word(s.shape.mask) && (other.dropout > 0) == (s.dropout > 0) &&
         size_of(other.dtype) == size_of(s.dtype) && n <= 2 * s.shape.seqlen_k && 2 * n >= s.shape.seqlen_k;
}

void add_reaching(const std::vector<sim::PublishedPoint>& points, const sim::Scenario& s, double wanted,
                  std::vector<Known>& known) {
  for (const sim::PublishedPoint& point : points) {
    const auto us = same_kind(point, s) ? sim::published_microseconds(point) : std::nullopt;
    const double rate = us ? sim::attention_flops(point.scenario) / *us * 1e6 : 0;
    if (rate < wanted || rate == 0) continue;
    const std::string clock = point.clock_mhz ? fmt::format(", {} MHz", *point.clock_mhz) : "";
    known.push_back(
        {fmt::format("{}: {} ({}{})", sim::description_of(point), report::flop_rate(rate), point.group, clock), rate});
  }
}

/// The three fastest kernels that reach the measured rate.
std::vector<Known> reached_by(const sim::Scenario& s, double microseconds) {
  std::vector<Known> known;
  const double wanted = sim::attention_flops(s) / microseconds * 1e6;
  add_reaching(sim::published_points(), s, wanted, known);
  static const measurements::RecordedPoints recorded = measurements::points_of(measurements::recordings());
  add_reaching(recorded.points, s, wanted, known);
  std::stable_sort(known.begin(), known.end(),
                   [](const Known& a, const Known& b) { return a.per_second > b.per_second; });
  if (known.size() > 3) known.resize(3);
  return known;
}

constexpr const char* next_step =
    "flashscope counters --ncu --kernel MY_KERNEL -- ./my_program   records what tells more; verify --import reads it";

}  // namespace

std::vector<std::optional<double>> measured_times(const std::string& text, std::size_t count) {
  std::vector<std::optional<double>> times;
  for (const std::string_view part : sim::split(text, ","))
    times.push_back(part == "-" ? std::nullopt : std::optional(sim::parse_time("measured", std::string(part))));
  sim::require(times.size() == count, "measured: ", times.size(), " times for ", count,
               count == 1 ? " run" : " algorithms: give one for each, - if there is none");
  return times;
}

std::string measured_text(const sim::Simulation& s, double microseconds) {
  const sim::Measured measured = sim::explain_measured(s, microseconds);
  std::string out = fmt::format("measured time {}, {}\n", report::exact_time(microseconds), s.plan.program->title);
  report::Table table({"bound", "reached", "peak", "share", "of what"});
  for (const sim::ReachedBound& bound : measured.bounds) {
    table.row({bound.name, report::rate(bound, bound.per_second), report::rate(bound, bound.peak),
               report::share(bound, measured.impossible), std::string(bound.what)});
  }
  out += table.text();
  for (const sim::Sentence& sentence : measured.says) out += "  " + sentence.text() + "\n";
  const std::vector<Known> known = reached_by(s.plan.scenario, microseconds);
  out += known.empty() ? "  no recorded or published kernel of this kind reaches it\n" : "  reached by:\n";
  for (const Known& one : known) out += "    " + one.words + "\n";
  return out + "  next: " + next_step + "\n";
}

nlohmann::ordered_json measured_json(const sim::Simulation& s, double microseconds) {
  const sim::Measured measured = sim::explain_measured(s, microseconds);
  Json bounds = Json::object(), says = Json::array(), known = Json::array();
  for (const sim::ReachedBound& bound : measured.bounds) {
    const bool beyond = measured.impossible && bound.percent() > 100;  // a share that no kernel has
    bounds[bound.name] = {{"per_second", bound.per_second},
                          {"peak", bound.peak},
                          {"unit", bound.unit},
                          {"percent", beyond ? Json(nullptr) : Json(bound.percent())}};
  }
  for (const sim::Sentence& sentence : measured.says) says.push_back(sentence.text());
  for (const Known& one : reached_by(s.plan.scenario, microseconds))
    known.push_back({{"kernel", one.words}, {"flops_per_second", one.per_second}});
  return {{"microseconds", microseconds}, {"bounds", bounds}, {"impossible", measured.impossible}, {"says", says},
          {"reached_by", known},          {"next", next_step}};
}

}  // namespace results
