// Devices that lack fields: without time, or without HBM traffic; every other number is unchanged.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/catalogue/derivation.h"
#include "sim/catalogue/run_values.h"
#include "sim/machine/device_fields.h"
#include "sim/machine/device_override.h"
#include "sim/model/measured.h"
#include "sim/model/replayed_timeline.h"
#include "sim/model/roofline.h"
#include "tests/support/device_file.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;
using device_file::built_in;
using device_file::with_field;
using Values = std::vector<PathValue>;

std::vector<std::string> optional_fields() {
  std::vector<std::string> names;
  for (const DeviceField& field : device_fields()) {
    if (*field.in_time != '\0') names.emplace_back(field.name);
  }
  return names;
}

std::shared_ptr<const DeviceSpec> without(const std::string& name, const std::vector<std::string>& fields) {
  std::string file = built_in(name);
  for (const std::string& field : fields) file = with_field(field, "", file);
  return std::make_shared<const DeviceSpec>(parse_device(file, "x.toml"));
}

std::vector<std::shared_ptr<const DeviceSpec>> devices_without_some() {
  std::vector<std::shared_ptr<const DeviceSpec>> all;
  for (const std::string& field : optional_fields()) all.push_back(without("h100-sxm", {field}));
  all.push_back(without("h100-sxm", optional_fields()));
  return all;
}

bool is_timed(const std::string& path) {
  return path.starts_with("time.") || path.starts_with("stalls.") || path.ends_with("percent_of_peak");
}

/// Returns the values of a run except times and warnings.
std::map<std::string, RunValue> untimed(const Simulation& s) {
  std::map<std::string, RunValue> all;
  for (const PathValue& value : values_of(s)) {
    if (!is_timed(value.path) && value.path != "warnings") all.emplace(value.path, value.value);
  }
  return all;
}

Scenario scenario_of(const char* algorithm, Pass pass, std::int64_t n = 500) {
  Scenario s;
  name_algorithm(s, algorithm);
  s.pass = pass;
  s.shape.heads = 4;
  s.shape.kv_heads = s.named->kv_shared == SharedKv::always ? 1 : 4;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  if (s.named->tile_pages > 0) s.shape.seqlen_q = 1;
  s.shape.head_dim = 64;
  s.shape.mask.causal = true;
  return s;
}

std::vector<Scenario> every_program() {
  std::vector<Scenario> all;
  for (const Program& program : built_in_programs()) {
    for (const Pass pass : {Pass::forward, Pass::backward, Pass::forward_backward}) {
      if (pass == Pass::forward || program.has_backward()) all.push_back(scenario_of(program.name.data(), pass));
    }
  }
  return all;
}

void check_without_time(const Simulation& s) {
  for (const PathValue& value : values_of(s)) {
    if (!is_timed(value.path)) continue;
    INFO(value.path);
    const bool kept = value.path.ends_with(".name") || value.path.ends_with(".cta") ||
                      value.path.ends_with(".events") || value.path == "time.missing";
    CHECK(std::holds_alternative<std::monostate>(value.value) != kept);
  }
}

TEST_CASE("a device without fields of the timing model has every number except times") {
  for (const Scenario& scenario : every_program()) {
    INFO(scenario.algorithm << " " << name_of(scenario.pass));
    const auto before = untimed(simulate(scenario));
    for (const auto& gpu : devices_without_some()) {
      Scenario other = scenario;
      other.gpu = gpu;
      const Simulation s = simulate(other);
      INFO(joined(missing_fields(*gpu)));
      CHECK(untimed(s) == before);
      check_without_time(s);
    }
  }
}

/// True for numbers of HBM traffic: without times no CTA waits for HBM, so CTAs drift apart in another way.
bool is_behind_l2(const std::string& path) {
  const bool of_hbm = path.find("hbm") != std::string::npos || path.find("l2_hit") != std::string::npos;
  return of_hbm && path.find("compulsory") == std::string::npos && !path.starts_with("memory.");
}

TEST_CASE("random scenarios count the same on a device without any field of the timing model") {
  Dice dice(41);
  const auto gpu = without("h100-sxm", optional_fields());
  for (int round = 0; round < 60; ++round) {
    Scenario scenario = random_scenario(dice, {2000, 128, 128, 3, 8});
    scenario.gpu = built_in_gpu("h100-sxm");
    Scenario other = scenario;
    other.gpu = gpu;
    INFO(scenario.algorithm);
    auto with = untimed(simulate(scenario)), without = untimed(simulate(other));
    std::erase_if(with, [](auto& value) { return is_behind_l2(value.first); });
    std::erase_if(without, [](auto& value) { return is_behind_l2(value.first); });
    for (const auto& [path, value] : with) {
      INFO(path);
      CHECK(without.at(path) == value);
    }
    CHECK(with.size() == without.size());
  }
}

TEST_CASE("time.missing lists the fields that a device lacks, and an error names the options that supply them") {
  Scenario scenario = scenario_of("flash2", Pass::forward);
  scenario.gpu = without("h100-sxm", {"exps_per_clock", "launch_nanoseconds"});
  const Simulation s = simulate(scenario);
  const Values values = values_of(s);
  const auto missing = std::find_if(values.begin(), values.end(), [](auto& v) { return v.path == "time.missing"; });
  REQUIRE(missing != values.end());
  CHECK(missing->value == RunValue(std::vector<std::string>{"exps_per_clock", "launch_nanoseconds"}));
  const std::string why =
      "no time is predicted: h100-sxm has no exps_per_clock, launch_nanoseconds; give them in a FILE.toml, or as --gpu "
      "h100-sxm:exps_per_clock=...";
  CHECK(std::find(s.warnings.begin(), s.warnings.end(), why) != s.warnings.end());
  CHECK_THROWS_WITH(derive(s, "time.microseconds"), "time.microseconds: " + why);
  CHECK_THROWS_WITH(derive(s, "links.hbm.percent_of_peak"), Contains(why));
  CHECK_THROWS_WITH(replay_timeline(s.plan, std::nullopt), "trace: " + why);
  CHECK(std::isnan(s.microseconds));
  CHECK(derive(s, "hbm_traffic").value == derive(simulate(scenario_of("flash2", Pass::forward)), "hbm_traffic").value);
}

TEST_CASE("a measured time is compared with the bounds that the device has") {
  Scenario scenario = scenario_of("flash2", Pass::forward, 4096);
  scenario.gpu = without("h100-sxm", optional_fields());
  const Measured measured = explain_measured(simulate(scenario), 500);
  REQUIRE(measured.bounds.size() == 2);
  CHECK(measured.bounds[0].name == "tensor");
  CHECK(measured.bounds[1].name == "hbm");
  CHECK_FALSE(measured.impossible);
  CHECK_THAT(measured.says.back().text(), Contains("no time is predicted"));
  CHECK(explain_measured(simulate(scenario), 1).impossible);
  scenario.gpu = built_in_gpu("mi300x");
  CHECK(explain_measured(simulate(scenario), 500).bounds.size() == 1);
}

TEST_CASE("an option gives a device the field that it lacks") {
  for (const std::string& field : optional_fields()) {
    INFO(field);
    const auto lacking = without("h100-sxm", {field});
    const auto whole = with_fields(lacking, {text(field, "=", device("h100-sxm").*find_device_field(field)->member)});
    CHECK(has_time(*whole));
    Scenario scenario = scenario_of("flash2", Pass::forward);
    const double before = simulate(scenario).microseconds;
    scenario.gpu = whole;
    CHECK(simulate(scenario).microseconds == before);
  }
  CHECK_FALSE(has_time(*with_fields(without("h100-sxm", optional_fields()), {"sm_count=114", "exps_per_clock=16"})));
}

TEST_CASE("a roofline has the roofs that a device has") {
  Scenario scenario = scenario_of("flash2", Pass::forward, 4096);
  const RooflinePoint before = roofline(simulate(scenario)).back();
  const Roofs whole = roofs_of(*scenario.gpu, Dtype::fp16);
  scenario.gpu = without("h100-sxm", optional_fields());
  const RooflinePoint point = roofline(simulate(scenario)).back();
  const Roofs roofs = roofs_of(*scenario.gpu, Dtype::fp16);
  CHECK(std::isnan(roofs.l2));
  CHECK(roofs.hbm == whole.hbm);
  CHECK(roofs.matrix_peak == whole.matrix_peak);
  CHECK(point.hbm_intensity() == before.hbm_intensity());
  CHECK(point.attainable(roofs) >= before.attainable(whole));
  CHECK(std::isnan(point.achieved()));
}

TEST_CASE("caches without a model leave HBM traffic and time unknown, and nothing else") {
  for (Scenario scenario : every_program()) {
    scenario.gpu = built_in_gpu("mi300x");
    if (!takes(scenario)) continue;
    INFO(scenario.algorithm << " " << name_of(scenario.pass));
    const Simulation s = simulate(scenario);
    check_without_time(s);
    for (const PathValue& value : values_of(s)) {
      INFO(value.path);
      const bool unknown = value.path == "hbm_traffic.read_bytes" || value.path == "hbm_traffic.write_bytes" ||
                           value.path == "links.hbm.bytes" || value.path.ends_with("intensity.hbm");
      if (!is_timed(value.path) && value.path.find("_bytes") != std::string::npos)
        CHECK(std::holds_alternative<std::monostate>(value.value) == unknown);
    }
    CHECK_THROWS_WITH(derive(s, "hbm_traffic.read_bytes"), Contains("Infinity Cache"));
    CHECK_THROWS_WITH(derive(s, "hbm_traffic"), Contains("Infinity Cache"));
    CHECK(derive(s, "hbm_traffic.compulsory_bytes").value != "0");
    CHECK(std::isnan(roofline(s).back().hbm_intensity()));
  }
}

TEST_CASE("caches without a model take no size, in a file, an option or a field") {
  Scenario scenario = scenario_of("flash2", Pass::forward);
  scenario.gpu = built_in_gpu("mi300x");
  scenario.l2 = 1 << 20;
  CHECK_THROWS_WITH(make_plan(scenario), Contains("l2: mi300x has an L2 of 4 MiB"));
  for (const char* field : {"l2_bytes=4Mi", "l2_effective_bytes=4Mi"})
    CHECK_THROWS_WITH(with_fields(built_in_gpu("mi300x"), {field}), Contains("which it does not describe"));
  const std::string caches = "unmodelled_caches = { value = \"two\", source = \"a test\" }\n";
  CHECK_THAT(device_file::refusal(caches + built_in("toy")), Contains("unmodelled_caches replaces l2_bytes"));
  CHECK_THAT(device_file::refusal("unmodelled_caches = 3\n" + built_in("mi300x").substr(0, 0)),
             Contains("name is missing"));
  CHECK_THAT(device_file::refusal(with_field("unmodelled_caches", "unmodelled_caches = 3", built_in("mi300x"))),
             Contains("unmodelled_caches must be a table"));
  CHECK_THAT(device_file::refusal(with_field("unmodelled_caches", "", built_in("mi300x"))),
             Contains("l2_bytes is missing: add l2_bytes ="));
}

}  // namespace
}  // namespace sim
