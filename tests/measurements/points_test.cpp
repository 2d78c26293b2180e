// Recorded times as points of `validate`: what is scored, fitted and left out; and the table of errors, which they are
// part of. The numbers of these recordings are drawn up.
#include "kernels/measurements/points.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "kernels/measurements/recorded.h"
#include "sim/base/embedded.h"
#include "sim/model/accuracy.h"
#include "sim/model/ratio_check.h"
#include "sim/model/simulation.h"
#include "sim/model/tile_choice.h"
#include "sim/model/validation.h"
#include "tests/measurements/example.h"

using namespace measurements;
using sim::Standing;

namespace {

/// The example with other rows.
Recording recording_of(const std::vector<std::string>& rows, const std::string& origin = "h200.csv") {
  const std::string example = example_recording;
  std::string text = example.substr(0, example.find("flash2_mma"));
  for (const std::string& row : rows) text += row + "\n";
  return parse_recording(text, origin);
}

/// n / 10 us; `work` is algorithm,pass.
std::string row(const std::string& kernel, const std::string& work, int n = 256, const std::string& dtype = "fp16",
                const std::string& caches = "cold") {
  return sim::text(kernel, ",", work, ",1,2,2,", n, ",", n, ",64,", dtype, ",1,,0,0,,,,,,,,,,,,,", caches, ",time,us,",
                   n / 10, ",1,9999,30,,");
}

/// A time of flash2_mma with tiles of its own.
std::string tiled_row(int br, int bc, int n = 4096, int microseconds = 256) {
  return sim::text("flash2_mma,flash2,forward,4,16,16,", n, ",", n, ",64,fp16,1,,0,0,", br, ",", bc,
                   ",,,,,,,,,,,cold,time,us,", microseconds, ",1,9999,30,,");
}

sim::PublishedPoint only_point(const std::string& text) {
  const RecordedPoints made = points_of({recording_of({text})});
  REQUIRE(made.points.size() == 1);
  return made.points[0];
}

Standing standing(const std::string& text) { return only_point(text).standing; }

}  // namespace

#if !defined(__EMSCRIPTEN__)  // the page takes only some of the recordings along, and the table of all
TEST_CASE("the table of errors inside the program is what the model gives today", "[repeats]") {
  // After a change of the model or a new recording: flashscope validate --update in the source folder, and build again.
  const RecordedPoints recorded = points_of(recordings());
  sim::ValidationChoice choice;
  choice.recorded = recorded.points;
  CHECK(std::string(sim::embedded_text("model/accuracy_table.csv")) ==
        sim::accuracy_csv(sim::accuracy_rows(sim::validate(choice))));
}

TEST_CASE("recorded times of flash2's kernels on the H100 and the H200 are met, and their best tiles found") {
  const RecordedPoints recorded = points_of(recordings());
  sim::Validation validation;
  for (const sim::PublishedPoint& p : recorded.points) {
    if (p.kernel == "flash2_mma") validation.predictions.push_back(sim::prediction_of(p, {}));
  }
  for (const std::string gpu : {"h100-sxm", "h200"}) {
    const auto mean_error = [&](const std::string& list, auto counts) {
      std::vector<const sim::Prediction*> chosen;
      for (const sim::Prediction& p : validation.predictions) {
        const sim::PublishedPoint& point = *p.point;
        if (point.scenario.gpu->name == gpu && point.group.ends_with(list) && counts(point.scenario))
          chosen.push_back(&p);
      }
      CHECK(chosen.size() >= 8);
      return sim::summary_of(chosen).mean_error;
    };
    const auto all = [](const sim::Scenario&) { return true; };
    const auto wide_forward = [](const sim::Scenario& s) {
      return s.pass == sim::Pass::forward && s.shape.head_dim == 128;
    };
    INFO(gpu);
    CHECK(mean_error(gpu == "h200" ? "0716-tiles" : "0709-tiles", all) < 0.08);
    CHECK(mean_error("-bench", all) < 0.04);
    CHECK(mean_error("-bench", wide_forward) < 0.06);
    CHECK(mean_error("-bench", [](const sim::Scenario& s) { return s.shape.seqlen_q == 512; }) < 0.06);
  }
  std::int64_t choices = 0, good = 0;
  for (const sim::TileChoices& group : sim::tile_choices(validation)) {
    if (group.group.ends_with("-ladder-tiles")) continue;
    choices += static_cast<std::int64_t>(group.choices.size());
    good += group.good();
  }
  CHECK(choices >= 20);
  CHECK(10 * good >= 9 * choices);
}
#endif

TEST_CASE("a recorded time is predicted at the clock that the SMs had") {
  std::string text = row("flash2_mma", "flash2,forward");
  CHECK_FALSE(only_point(text).clock_mhz);
  text.replace(text.size() - 1, 1, "990.4,");  // sm_mhz, before watts
  const sim::PublishedPoint p = only_point(text);
  CHECK(p.clock_mhz == 990);
  CHECK(sim::scenario_of(p).gpu->clock_hz == 990'000'000);
  CHECK(sim::simulate(sim::scenario_of(p)).microseconds > sim::simulate(p.scenario).microseconds);
}

TEST_CASE("a recorded time is a point with its file, card, kernel and scenario") {
  const sim::PublishedPoint p = only_point(row("flash2_mma", "flash2,forward"));
  CHECK(p.group == "h200");
  CHECK(p.source == "Example H200, driver 1.2.3, 2026-01-02 (h200.csv)");
  CHECK(p.software == "CUDA 13.0");
  CHECK(p.kernel == "flash2_mma");
  CHECK(p.recorded());
  CHECK(sim::published_microseconds(p) == Approx(25));
  CHECK(sim::description_of(p) == "flash2 by flash2_mma forward, batch 1, heads 2, N 256, d 64, causal on h200");
  CHECK(same_work(sim::scenario_of(p), p.scenario));
  std::vector<std::string> names, published;
  for (const auto& option : p.options) names.push_back(option.first);
  for (const auto& option : sim::published_points()[0].options) published.push_back(option.first);
  CHECK(names == published);  // a CSV of points has one header
}

TEST_CASE("a time with dropout is left out if flash2_mma was recorded before its dropout changed") {
  std::string with_dropout = row("flash2_mma", "flash2,forward");
  with_dropout.replace(with_dropout.find(",1,,0,0,"), 8, ",1,,0,0.1,");
  Recording recording = recording_of({with_dropout});
  CHECK(points_of({recording}).points.empty());
  CHECK(points_of({recording}).left_out.at("h200") == 1);
  recording.date = "2026-11-28T00:00:00Z";
  CHECK(points_of({recording}).points.size() == 1);
}

TEST_CASE("a time is scored where the model describes what ran") {
  CHECK(standing(row("flash2_mma", "flash2,forward")) == Standing::score);
  CHECK(standing(row("pytorch-flash", "flash2,backward", 256, "bf16")) == Standing::score);
  CHECK(standing(row("pytorch-math", "standard,forward")) == Standing::score);
  CHECK(standing(row("flash2", "flash2,forward")) == Standing::ratio);
  CHECK(standing(row("flash2", "flash2,forward", 256, "fp32")) == Standing::ratio);
  CHECK(standing(row("standard", "standard,forward")) == Standing::ratio);
  CHECK(standing(row("pytorch-cudnn", "flash2,forward")) == Standing::ratio);
  CHECK(standing(row("pytorch-math", "standard,forward", 256, "fp32")) == Standing::ratio);
}

TEST_CASE("times with warm caches, counters and ceilings do not become points") {
  const RecordedPoints made = points_of({parse_recording(example_recording, "folder/h200.csv")});
  REQUIRE(made.points.size() == 1);
  CHECK(made.points[0].group == "h200");
  CHECK(made.points[0].value == Approx(0.0205));
  CHECK(made.left_out.empty());
}

TEST_CASE("scenarios that no published point has are left out and counted") {
  const std::string plain = row("flash2_mma", "flash2,forward");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = plain;
    return text.replace(text.find(from), from.size(), to);
  };
  std::string not_scored = with(",0,0,,,,,,,,,,,", ",0,0,64,64,,,,,,,,,");
  not_scored.erase(std::string("flash2").size(), std::string("_mma").size());
  const RecordedPoints made =
      points_of({recording_of({plain, with(",256,256,", ",256,512,"), with(",1,,0", ",1,99,0"), not_scored})});
  CHECK(made.points.size() == 1);
  CHECK(made.left_out.begin()->second == 3);
}

TEST_CASE("scored times of tiles set by hand form a separate group, and are predicted with their tiles") {
  const RecordedPoints made =
      points_of({recording_of({row("flash2_mma", "flash2,forward", 4096), tiled_row(128, 128), tiled_row(64, 64)})});
  REQUIRE(made.points.size() == 3);
  CHECK(made.points[0].group == "h200");
  const sim::PublishedPoint &large = made.points[1], &small = made.points[2];
  CHECK(small.group == "h200-tiles");
  CHECK(small.standing == Standing::score);
  CHECK(large.for_fit);
  CHECK_FALSE(small.for_fit);
  CHECK(sim::scenario_of(small).br == 64);
  CHECK(sim::description_of(small).ends_with(", causal, tiles 64 x 64 on h200"));
  CHECK(small.options == large.options);  // a CSV of points has one header
  CHECK(sim::simulate(sim::scenario_of(small)).microseconds > sim::simulate(sim::scenario_of(large)).microseconds);
}

TEST_CASE("the tiles that are predicted fastest cost what they took over the fastest recorded") {
  // 128 x 128 is predicted fastest.
  const RecordedPoints made = points_of(
      {recording_of({tiled_row(64, 64, 4096, 100), tiled_row(128, 128, 4096, 108), tiled_row(64, 32, 4096, 120),
                     tiled_row(64, 64, 8192, 300), tiled_row(128, 128, 8192, 200), tiled_row(64, 64, 2048, 50)},
                    "a-tiles.csv")});
  sim::Validation validation;
  for (const sim::PublishedPoint& p : made.points) validation.predictions.push_back(sim::prediction_of(p, {}));
  const std::vector<sim::TileChoices> choices = sim::tile_choices(validation);
  REQUIRE(choices.size() == 1);
  const sim::TileChoices& of_file = choices[0];
  CHECK(of_file.group == "a-tiles");
  REQUIRE(of_file.choices.size() == 2);  // one tile alone leaves no choice
  CHECK(of_file.choices[0].tiles.size() == 3);
  CHECK(of_file.choices[0].cost() == Approx(0.08));
  CHECK(of_file.choices[0].predicted->point->scenario.br == 128);
  CHECK(of_file.choices[0].fastest->point->scenario.br == 64);
  CHECK(of_file.choices[1].cost() == 0);
  CHECK(of_file.good() == 1);
  CHECK(of_file.mean_cost() == Approx(0.04));
  CHECK(&of_file.worst() == &of_file.choices[0]);
  CHECK(sim::tile_choices({}).empty());
}

TEST_CASE("of two recordings of one name the later counts, and a published name is refused") {
  const Recording first = recording_of({row("flash2_mma", "flash2,forward", 512)}, "a/h200.csv");
  const Recording second = recording_of({row("flash2_mma", "flash2,forward", 1024)}, "b/h200.csv");
  const RecordedPoints made = points_of({first, second});
  REQUIRE(made.points.size() == 1);
  CHECK(made.points[0].scenario.shape.seqlen_q == 1024);
  CHECK_THROWS_WITH(points_of({recording_of({}, "x/fa2-paper-a100.csv")}),
                    Catch::Contains("x/fa2-paper-a100.csv: fa2-paper-a100 is the name of a table"));
}

TEST_CASE("a fit may see every other scored point of a recording, and the rest is held out") {
  const RecordedPoints made =
      points_of({recording_of({row("flash2_mma", "flash2,forward", 256), row("flash2", "flash2,forward", 256),
                               row("flash2_mma", "flash2,forward", 512), row("flash2_mma", "flash2,forward", 1024)})});
  sim::Validation validation;
  validation.choice.fitted_on = "h200";
  validation.choice.recorded = made.points;
  for (const sim::PublishedPoint& p : made.points) CHECK_FALSE(validation.fitted(p));  // by the constants in the code
  validation.choice.fitted_to_recorded = true;
  std::vector<std::int64_t> fitted;
  for (const sim::PublishedPoint& p : made.points) {
    if (validation.fitted(p)) fitted.push_back(p.scenario.shape.seqlen_q);
  }
  CHECK(fitted == std::vector<std::int64_t>{256, 1024});
}

TEST_CASE("recorded points form a separate group, with a row for fitted points and one for the rest") {
  const RecordedPoints made =
      points_of({recording_of({row("flash2_mma", "flash2,forward", 256), row("flash2_mma", "flash2,forward", 512)})});
  sim::ValidationChoice choice;
  choice.group = "h200";
  choice.fitted_on = "h200";
  choice.recorded = made.points;
  choice.fitted_to_recorded = true;
  const sim::Validation validation = sim::validate(choice);
  REQUIRE(validation.groups().size() == 2);
  for (const sim::GroupErrors& each : validation.groups()) {
    CHECK(each.group == "h200");
    CHECK(each.errors.points == 1);
  }
  CHECK(validation.groups()[0].fitted != validation.groups()[1].fitted);
  choice.group = "h201";
  CHECK_THROWS_WITH(sim::validate(choice), Catch::Contains("did you mean \"h200\"?"));
}

TEST_CASE("the table of errors marks recorded rows, and has separate rows for heads that share K and V") {
  std::string grouped_heads = row("flash2_mma", "flash2,forward", 4096);
  grouped_heads.replace(grouped_heads.find(",1,2,2,"), 7, ",1,2,1,");
  const RecordedPoints made = points_of({recording_of({row("flash2_mma", "flash2,forward", 512), grouped_heads})});
  sim::ValidationChoice choice;
  choice.group = "h200";
  choice.recorded = made.points;
  const std::vector<sim::AccuracyRow> rows = sim::accuracy_rows(sim::validate(choice));
  REQUIRE(rows.size() == 2);
  for (const bool shared : {false, true}) {
    CHECK(rows[shared].recorded);
    CHECK(rows[shared].shared == shared);
    CHECK(rows[shared].longest == (shared ? 4096 : 512));
    CHECK(rows[shared].points == 1);
  }
}

TEST_CASE("ratios are taken between lengths of one kernel, never between two") {
  const RecordedPoints made =
      points_of({recording_of({row("flash2", "flash2,forward", 256), row("pytorch-cudnn", "flash2,forward", 512),
                               row("flash2", "flash2,forward", 1024), row("standard", "standard,forward", 1024)})});
  std::vector<sim::Prediction> predictions;
  for (const sim::PublishedPoint& p : made.points) predictions.push_back(sim::prediction_of(p, {}));
  std::vector<const sim::Prediction*> pointers;
  for (const sim::Prediction& p : predictions) pointers.push_back(&p);
  const std::vector<sim::RatioCheck> checks = sim::ratio_checks(pointers);
  REQUIRE(checks.size() == 1);
  CHECK(checks[0].between_lengths);
  CHECK(checks[0].point->kernel == "flash2");
}
