// A recorded program equals the built-in program it was modelled on: in all numbers, values and windows.
#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/model/compiled_kernels.h"
#include "sim/model/simulation.h"
#include "sim/programs/row_window.h"
#include "sim/report/run_json.h"
#include "tests/recorded/load.h"
#include "tests/support/random_scenario.h"
#include "tests/support/typed_scenario.h"

namespace {

using Json = nlohmann::ordered_json;

/// True if a recorded program may differ at this path: name, options of the other program, lines, known time and memory
/// of the other.
bool may_differ(const std::string& path) {
  for (const char* part : {"/scenario/algorithm", "/scenario/chunk", "/memory/published", "/tile_traffic/by_line"}) {
    if (path.starts_with(part)) return true;
  }
  return path == "/time/error_percent" || path.starts_with("/time/validated");
}

/// The numbers and texts of a run by path.
Json leaves(const sim::Scenario& scenario) {
  Json flat = report::to_json(sim::simulate(scenario)).flatten();
  Json kept = Json::object();
  for (const auto& [path, value] : flat.items()) {
    if (!may_differ(path)) kept[path] = value;
  }
  return kept;
}

std::string refusal_of(const sim::Scenario& scenario) {
  try {
    leaves(scenario);
  } catch (const sim::Error& error) {
    return error.what();
  }
  return "";
}

sim::Scenario as(sim::Scenario scenario, const std::string& algorithm) {
  scenario.pass = sim::Pass::forward;
  return with_algorithm(std::move(scenario), algorithm);
}

/// Replaces the recorded program's name in warnings.
void replace_name(Json& numbers, const sim::RecordedCopy& recorded_copy) {
  for (auto& [path, value] : numbers.items()) {
    if (!path.starts_with("/warnings") || !value.is_string()) continue;
    std::string text = value;
    if (const std::size_t at = text.find(recorded_copy.recorded); at != std::string::npos)
      value = text.replace(at, recorded_copy.recorded.size(), recorded_copy.built_in);
  }
}

/// True for counts of a program, which do not depend on how many CTAs an SM has.
bool is_count(const std::string& path) { return path.starts_with("/tile_traffic") || path.starts_with("/work"); }

/// Compares all numbers. A recorded program with the loops of a built-in one has its compiled kernels. Where only the
/// built-in one has them, or kernels for a larger head dimension, only counts are equal, and all numbers on a B200 with
/// the head dimension of the kernel.
void check_equal(const sim::Scenario& scenario, const sim::RecordedCopy& recorded_copy) {
  const sim::Scenario recorded = as(scenario, recorded_copy.recorded), built_in = as(scenario, recorded_copy.built_in);
  INFO(describe(built_in) << " on " << scenario.gpu->name);
  const std::string wrong = refusal_of(built_in);
  const std::string refused = refusal_of(recorded);
  INFO(refused);
  REQUIRE(refused.empty() == wrong.empty());
  if (!wrong.empty()) return;
  const sim::Plan plan = sim::make_plan(built_in), own = sim::make_plan(recorded);
  const bool wider = plan.problem.kernel_dims != own.problem.kernel_dims;
  const bool compiled = wider || sim::is_compiled(plan) != sim::is_compiled(own);
  if (compiled) {
    sim::Scenario elsewhere = scenario;
    elsewhere.gpu = sim::built_in_gpu("b200");
    elsewhere.shape.head_dim = plan.problem.kernel_dims.qk;
    check_equal(elsewhere, recorded_copy);
  }
  Json found = leaves(recorded);
  const Json want = leaves(built_in);
  replace_name(found, recorded_copy);
  CHECK(found.size() > 60);
  for (const auto& [path, value] : want.items()) {
    if (compiled && !is_count(path)) continue;
    INFO(path);
    REQUIRE(found.contains(path));
    REQUIRE(found[path] == value);
  }
  if (!compiled) REQUIRE(found.size() == want.size());
}

sim::Scenario named_case(const std::string& name) {
  sim::Scenario s;
  s.shape = {4, 32, 32, 2048, 2048, 64, {}};
  if (name == "causal") s.shape.mask.causal = true;
  if (name == "window") s.shape.mask = {true, 0, 700};
  if (name == "grouped") s.shape.kv_heads = 8;
  if (name == "dropout") s.dropout = 0.1;
  if (name == "padding") s.shape.mask.padding = 300;
  if (name == "ragged") s.shape.seqlen_q = s.shape.seqlen_k = 1999;
  if (name == "fp32") s.dtype = sim::Dtype::fp32;
  if (name == "dead rows") {
    s.shape.seqlen_k = 700;
    s.shape.mask.causal = true;
  }
  if (name == "long") {
    s.shape.seqlen_q = s.shape.seqlen_k = 131072;
    s.shape.mask.causal = true;
  }
  return s;
}

}  // namespace

TEST_CASE("recorded programs have the numbers of the built-in ones: masks, dropout, grouped heads, dtypes, devices") {
  sim::load_all_recorded();
  for (const sim::RecordedCopy& recorded_copy : sim::recorded_copies) {
    for (const char* name :
         {"dense", "causal", "window", "grouped", "dropout", "padding", "ragged", "fp32", "dead rows", "long"}) {
      for (const char* gpu : {"h100-sxm", "a100-sxm-80gb", "t4", "rtx-4090"}) {
        sim::Scenario s = named_case(name);
        s.gpu = sim::built_in_gpu(gpu);
        check_equal(s, recorded_copy);
      }
    }
  }
}

TEST_CASE("a recorded program with the loops of flash2 is timed as its compiled kernel, another one is not") {
  sim::load_all_recorded();
  const auto loop_of = [](const char* name) { return sim::find_program(name)->main_loop; };
  CHECK(loop_of("my-flash2") == "flash2_mma");
  for (const char* name : {"my-flash1", "my-rabe-staats", "my-standard"}) CHECK(loop_of(name).empty());
  std::string text = sim::recorded_text("my-flash2");
  const std::string name = "my-flash2", other = "my-other2";
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
    text.replace(at, name.size(), other);
  CHECK(sim::parse_program(text, "renamed.fscope")->main_loop == "flash2_mma");
  sim::Scenario s = as(named_case("dense"), "my-flash2");
  const double own = sim::simulate(s).microseconds;
  CHECK(own == sim::simulate(as(s, "flash2")).microseconds);
  CHECK(sim::timed_kernel(sim::make_plan(s)) == "your program as written, instructions as compiled");
  CHECK(sim::timed_kernel(sim::make_plan(as(s, "my-flash1"))) ==
        "your program as written, instructions by a general rule");
}

TEST_CASE("recorded programs have the numbers of the built-in ones: typical user scenarios, N to 131072", "[repeats]") {
  sim::load_all_recorded();
  sim::Dice dice(40);
  for (int n = 0; n < 60; ++n) {
    for (const sim::RecordedCopy& recorded_copy : sim::recorded_copies) {
      sim::Scenario s =
          sim::typed_scenario(dice, recorded_copy.built_in, dice.one_in(2) ? "h100-sxm" : "a100-sxm-40gb");
      if (dice.one_in(3)) s.shape.kv_heads = 1;
      if (dice.one_in(3)) s.dropout = 0.1;
      if (dice.one_in(3)) s.shape.mask.window = dice.between(0, 4096);
      if (dice.one_in(3)) s.shape.mask.padding = dice.between(0, s.shape.seqlen_k);
      if (dice.one_in(3)) s.dtype = sim::Dtype::fp32;
      check_equal(s, recorded_copy);
    }
  }
}

TEST_CASE("recorded programs have the numbers of the built-in ones: ragged scenarios, given tiles", "[repeats]") {
  sim::load_all_recorded();
  sim::Dice dice(41);
  for (int n = 0; n < 150; ++n) {
    sim::Scenario s = sim::random_scenario(dice, {300, 80, 64, 2, 4});
    s.pattern = {};
    s.own.clear();
    for (const sim::RecordedCopy& recorded_copy : sim::recorded_copies) check_equal(s, recorded_copy);
  }
}

namespace {

const std::map<std::string, std::string, std::less<>> step_choices[] = {
    {{"softcap", "30"}},
    {{"alibi", "1"}},
    {{"softcap", "7"}, {"alibi", "1"}, {"score", "s*2;s+0.01*s^3"}},
    {{"score", "s-slope*(q-k)^2;log(s*s+1)"}}};

std::string with_score(const std::string& score) {
  std::string text = sim::recorded_text("my-scores");
  const std::string before = "file = ";
  return text.insert(text.find(before), "score = \"" + score + "\"\n");
}

}  // namespace

TEST_CASE("a recorded program with the verb modify has the numbers of flash2 with softcap, ALiBi and formulas") {
  sim::load_all_recorded();
  const sim::RecordedCopy scores = {"my-scores", "flash2"};
  for (const auto& steps : step_choices) {
    for (const char* name : {"dense", "causal", "window", "grouped", "dropout", "ragged", "fp32", "dead rows"}) {
      sim::Scenario s = named_case(name);
      s.score_steps = steps;
      check_equal(s, scores);
    }
  }
  sim::Dice dice(44);
  for (int n = 0; n < 30; ++n) {
    sim::Scenario s = sim::random_scenario(dice, {300, 80, 64, 2, 4});
    s.pattern = {};
    s.own.clear();
    s.score_steps = step_choices[dice.between(0, 3)];
    check_equal(s, scores);
  }
}

TEST_CASE("a recorded program with the verb modify computes the values of flash2 with score steps bit for bit") {
  sim::load_all_recorded();
  sim::Dice dice(45);
  for (int n = 0; n < 40; ++n) {
    sim::Scenario s = sim::random_scenario(dice, {150, 40, 48, 2, 2});
    s.pattern = {};
    s.own.clear();
    s.score_steps = step_choices[dice.between(0, 3)];
    const sim::Scenario built_in = as(s, "flash2");
    INFO(describe(built_in));
    if (!refusal_of(built_in).empty()) continue;
    const auto inputs = sim::draw_inputs(s.shape, s.dtype, 7);
    const sim::AttentionOutputs want = sim::compute(make_plan(built_in), inputs),
                                found = sim::compute(make_plan(as(s, "my-scores")), inputs);
    REQUIRE(std::memcmp(found.o.data(), want.o.data(), 4 * want.o.size()) == 0);
    REQUIRE(std::memcmp(found.log_sum_exp.data(), want.log_sum_exp.data(), 4 * want.log_sum_exp.size()) == 0);
  }
}

TEST_CASE("a recorded program's own formulas run before those of the options, and are timed as flash2 with them") {
  sim::load_all_recorded();
  load_program(sim::parse_program(with_score("30*tanh(s/30);s+1"), "scores.fscope"));
  sim::Scenario s = as(named_case("causal"), "my-scores");
  CHECK(sim::program_of(s)->main_loop == "flash2_mma");
  CHECK(sim::program_of(s)->summary == "recorded from scores.py: flash2_forward; score 30*tanh(s/30); s+1");
  s.score_steps = {{"softcap", "5"}};
  CHECK(score_formulas(s) == std::vector<std::string>{"30*tanh(s/30)", "s+1", "5*tanh(s/5)"});
  sim::Scenario other = named_case("causal");
  other.score_steps = {{"score", "30*tanh(s/30);s+1;5*tanh(s/5)"}};
  const sim::Simulation own = sim::simulate(s), built_in = sim::simulate(as(other, "flash2"));
  CHECK(own.microseconds == built_in.microseconds);
  CHECK(own.totals.tanhs == built_in.totals.tanhs);
  CHECK(own.totals.other_flops == built_in.totals.other_flops);
  CHECK(score_formulas(as(s, "flash2")) == std::vector<std::string>{"5*tanh(s/5)"});
  sim::load_recorded("my-scores");
}

TEST_CASE("recorded programs compute the values of the built-in ones bit for bit") {
  sim::load_all_recorded();
  sim::Dice dice(42);
  for (int n = 0; n < 40; ++n) {
    sim::Scenario s = sim::random_scenario(dice, {150, 40, 48, 2, 2});
    s.pattern = {};
    s.own.clear();
    for (const sim::RecordedCopy& recorded_copy : sim::recorded_copies) {
      const sim::Scenario built_in = as(s, recorded_copy.built_in);
      INFO(describe(built_in));
      if (!refusal_of(built_in).empty()) continue;
      const auto inputs = sim::draw_inputs(s.shape, s.dtype, 7);
      const sim::AttentionOutputs want = sim::compute(make_plan(built_in), inputs),
                                  found = sim::compute(make_plan(as(s, recorded_copy.recorded)), inputs);
      REQUIRE(found.o.size() == want.o.size());
      REQUIRE(std::memcmp(found.o.data(), want.o.data(), 4 * want.o.size()) == 0);
      REQUIRE(found.log_sum_exp.size() == want.log_sum_exp.size());
      REQUIRE(std::memcmp(found.log_sum_exp.data(), want.log_sum_exp.data(), 4 * want.log_sum_exp.size()) == 0);
    }
  }
}

TEST_CASE("recorded programs are counted as in a walk over every tile") {
  sim::load_all_recorded();
  sim::Dice dice(43);
  for (int n = 0; n < 20; ++n) {
    sim::Scenario s = sim::random_scenario(dice, {120, 40, 32, 2, 3});
    s.pattern = {};
    s.own.clear();
    for (const sim::RecordedCopy& recorded_copy : sim::recorded_copies) {
      const sim::Scenario recorded = as(s, recorded_copy.recorded);
      INFO(describe(recorded));
      if (!refusal_of(recorded).empty()) continue;
      const sim::Plan plan = make_plan(recorded);
      sim::Totals counted;
      for (const sim::Trace& trace : count(plan)) add_to(counted, trace);
      const sim::Totals walked = count_by_brute_force(plan);
      CHECK(counted.total.read == walked.total.read);
      CHECK(counted.total.written == walked.total.written);
      CHECK(counted.matmul_flops.count() == walked.matmul_flops.count());
      CHECK(counted.exps.count() == walked.exps.count());
    }
  }
}

namespace {

/// Runs every CTA of the rows, `at_once` iterations at a time.
void run(sim::RowWindow& window, const sim::Plan& plan, const sim::Launch& launch, std::int64_t at_once) {
  const sim::GridAxes axes = sim::grid_axes(plan.problem.shape, launch.grid);
  const sim::Interval rows = axes.rows.touching(window.queries());
  for (std::int64_t i = rows.begin; i < rows.end; ++i) {
    for (std::int64_t j = 0; j < axes.cols.count(); ++j) {
      sim::Keyframe at;
      for (bool more = true; more;) {
        const std::int64_t until = std::max<std::int64_t>(1, at.iteration) + at_once;
        sim::CtaPart part = window.resume(launch, axes.row(i), axes.col(j), std::move(at), until);
        more = !part.finished;
        at = std::move(part.next);
      }
    }
  }
}

}  // namespace

TEST_CASE("rows of a recorded program run alone, a few iterations at a time, equal those of the whole run") {
  sim::load_all_recorded();
  for (const sim::RecordedCopy& recorded_copy : sim::recorded_copies) {
    sim::Scenario scenario;
    scenario.shape = {2, 2, 1, 96, 200, 16, {true, 8, {}}};
    scenario.bc = 32;
    scenario.seed = 3;
    const sim::Plan plan = make_plan(as(scenario, recorded_copy.recorded));
    const auto inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
    const std::vector<float> want = sim::compute(plan, inputs).o;
    for (const std::int64_t at_once : {1, 2, 1000}) {
      for (const sim::Interval queries : {sim::Interval{0, 1}, {17, 60}, {64, 96}}) {
        INFO(recorded_copy.recorded << " queries from " << queries.begin << ", " << at_once);
        sim::RowWindow window(plan, 3, queries, std::make_shared<sim::DrawnInputs>(plan, 3));
        for (const sim::Launch& launch : plan.launches) run(window, plan, launch, at_once);
        const auto found = window.stored(sim::Tensor::O);
        REQUIRE(found.size() == static_cast<std::size_t>(queries.size() * 16));
        CHECK(std::memcmp(found.data(), want.data() + (3 * 96 + queries.begin) * 16, 4 * found.size()) == 0);
      }
    }
  }
}
