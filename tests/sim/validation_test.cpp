// Predicted against published times: errors by group, fitted and held-out points, ratios.
#include "sim/model/validation.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "sim/base/check.h"
#include "sim/model/fit.h"
#include "sim/model/ratio_check.h"
#include "sim/model/simulation.h"

using namespace sim;

namespace {

PublishedPoint point(const std::string& algorithm, std::int64_t n, double milliseconds,
                     Standing standing = Standing::ratio) {
  PublishedPoint p;
  p.group = "g";
  p.options = {{"algorithm", algorithm}, {"seqlen", std::to_string(n)}, {"gpu", "a100-sxm-80gb"}};
  p.scenario = scenario_from(p.options, [](const std::string& name) { return built_in_gpu(name); });
  p.quantity = Published::milliseconds;
  p.value = milliseconds;
  p.standing = standing;
  return p;
}

Prediction prediction(const PublishedPoint& p, double predicted) {
  return {&p, published_microseconds(p).value_or(p.value), predicted, "hbm", ""};
}

}  // namespace

TEST_CASE("an error is predicted over published time minus one, also for published TFLOP/s") {
  PublishedPoint p = point("flash2", 1024, 2);
  CHECK(prediction(p, 2200).error() == Approx(0.1));
  p.quantity = Published::tflops;
  p.value = attention_flops(p.scenario) / (2000 * 1e6);
  CHECK(prediction(p, 2200).error() == Approx(0.1));
}

TEST_CASE("a prediction is the time of simulate with the given constants") {
  const PublishedPoint p = point("flash2", 1024, 2);
  const Prediction made = prediction_of(p, {});
  CHECK(made.made());
  CHECK(made.published == 2000);
  CHECK(made.predicted == simulate(p.scenario).microseconds);
  PublishedPoint unknown = p;
  unknown.variant = "nothing-like-it";
  CHECK(!prediction_of(unknown, {}).made());
  CHECK(prediction_of(unknown, {}).skipped.find("nothing-like-it") != std::string::npos);
}

TEST_CASE("a summary has the mean absolute error, the mean error, and the worst") {
  const PublishedPoint p = point("flash2", 1024, 1);
  const std::vector<Prediction> all = {prediction(p, 1100), prediction(p, 700), prediction(p, 1300)};
  Prediction skipped = all[0];
  skipped.skipped = "because";
  const ErrorSummary s = summary_of({&all[0], &all[1], &all[2], &skipped});
  CHECK(s.points == 3);
  CHECK(s.skipped == 1);
  CHECK(s.mean_error == Approx(0.7 / 3));
  CHECK(s.bias == Approx(0.1 / 3));
  CHECK(std::abs(s.worst->error()) == Approx(0.3));
  CHECK(s.no_point == &skipped);
  CHECK(summary_of({}).points == 0);
}

TEST_CASE("a speed-up is predicted as the time of standard attention over the time of the algorithm") {
  PublishedPoint p = point("flash2", 1024, 1);
  p.quantity = Published::speedup;
  p.value = 3;
  PublishedPoint standard = point("standard", 1024, 1);
  const Prediction made = prediction_of(p, {});
  CHECK(made.published == 3);
  CHECK(made.predicted == Approx(simulate(standard.scenario).microseconds / simulate(p.scenario).microseconds));
}

TEST_CASE("ratios are taken to the next shorter length and to standard attention only") {
  const std::vector<PublishedPoint> points = {point("flash2", 4096, 16), point("flash2", 1024, 1),
                                              point("standard", 1024, 4), point("standard", 4096, 100)};
  const std::vector<Prediction> made = {prediction(points[0], 20'000), prediction(points[1], 2'000),
                                        prediction(points[2], 4'000), prediction(points[3], 50'000)};
  const auto checks = ratio_checks({&made[0], &made[1], &made[2], &made[3]});
  REQUIRE(checks.size() == 4);
  CHECK(checks[0].point == &points[0]);  // flash2: 4096 to 1024
  CHECK(checks[0].between_lengths);
  CHECK(checks[0].published == Approx(16));
  CHECK(checks[0].predicted == Approx(10));
  CHECK(checks[1].published == Approx(25));  // standard: 4096 to 1024
  CHECK(checks[2].point == &points[0]);      // standard to flash2 at 4096
  CHECK(!checks[2].between_lengths);
  CHECK(checks[2].published == Approx(100.0 / 16));
  CHECK(checks[2].predicted == Approx(2.5));
  CHECK(checks[3].published == Approx(4));
}

TEST_CASE("points of the fitted GPU are fitted, all others held out, and every scored point is in exactly one group",
          "[repeats]") {
  const Validation validation = validate();
  std::int64_t scored = 0;
  for (const PublishedPoint& p : published_points()) {
    if (p.standing == Standing::score) ++scored;
    CHECK(validation.fitted(p) == (p.standing == Standing::score && p.scenario.gpu->name == "a100-sxm-80gb"));
  }
  const ErrorSummary fitted = validation.all_of(true), held_out = validation.all_of(false);
  CHECK(fitted.points + fitted.skipped + held_out.points + held_out.skipped == scored);
  CHECK(fitted.points >= 44);
  CHECK(held_out.points >= 59);
  std::int64_t in_groups = 0;
  for (const GroupErrors& row : validation.groups()) in_groups += row.errors.points;
  CHECK(in_groups == fitted.points + held_out.points);
}

TEST_CASE("contradicted numbers and ratios never count in an error", "[repeats]") {
  const Validation validation = validate();
  std::set<std::string> groups;
  for (const GroupErrors& row : validation.groups()) groups.insert(row.group);
  CHECK(groups.count("fa1-paper-tables-9-20") == 0);
  CHECK(groups.count("fa2-log-hopper") == 0);
  for (const Prediction* p : validation.with(Standing::contradicted)) CHECK(!p->point->note.empty());
  for (const RatioErrors& row : ratio_errors(validation)) {
    CHECK(row.ratios > 0);
    CHECK(groups.count(row.group) == 0);
  }
}

TEST_CASE("the validation of one group has only its points") {
  const Validation validation = validate({.group = "fa3-paper-h100"});
  CHECK(validation.predictions.size() == 33);
  for (const Prediction& p : validation.predictions) CHECK(p.point->group == "fa3-paper-h100");
  CHECK_THROWS_WITH(validate({.group = "fa3-paper"}), Catch::Contains("did you mean \"fa3-paper-h100\"?"));
}

TEST_CASE("a fit on the points of a GPU does not make its error larger", "[repeats]") {
  std::vector<const PublishedPoint*> points;
  double before = 0;
  for (const PublishedPoint& p : published_points()) {
    const Prediction made = prediction_of(p, {});
    if (p.group != "fa2-blogs-a100" || !made.made()) continue;
    points.push_back(&p);
    before += std::abs(std::log(made.predicted / made.published));
  }
  CHECK(fit_constants(points, {}).log_error <= before / static_cast<double>(points.size()) + 1e-12);
}
