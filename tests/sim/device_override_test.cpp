// A changed copy of a built-in GPU: its canonical name, scaled fields, rejected fields, and the equivalent device file.
#include "sim/machine/device_override.h"

#include "sim/catalogue/options.h"
#include "sim/catalogue/run_values.h"
#include "sim/model/simulation.h"
#include "tests/support/device_file.h"
#include "tests/support/typed_scenario.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;

std::shared_ptr<const DeviceSpec> gpu(const std::string& text) { return gpu_from(text, built_in_gpu); }

std::string refusal(const std::string& text) {
  try {
    gpu(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("fields after a GPU's name replace those of its table") {
  const auto half = gpu("h100-sxm:sm_count=66:l2_bytes=25Mi:hbm_bytes_per_second=2.0T");
  CHECK(half->sm_count == 66);
  CHECK(half->l2_bytes == 25 << 20);
  CHECK(half->hbm_bytes_per_second == 2'000'000'000'000);
  CHECK(half->clock_hz == device("h100-sxm").clock_hz);
  CHECK_FALSE(half->built_in);
}

TEST_CASE("a field that a table leaves out can be given") {
  CHECK(device("rtx-4090").framework_hbm_percent == 0);
  const auto given = gpu("rtx-4090:framework_hbm_percent=80");
  CHECK(given->framework_hbm_percent == 80);
  CHECK(given->name == "rtx-4090:framework_hbm_percent=80");
  CHECK(has_time(*given));
}

TEST_CASE("the name of a changed GPU has whole numbers, in the order of device files") {
  CHECK(gpu("h100-sxm:l2_bytes=25Mi:sm_count=114")->name == "h100-sxm:sm_count=114:l2_bytes=26214400");
  const auto again = gpu("h100-sxm:sm_count=114:l2_bytes=26214400");
  CHECK(again->name == "h100-sxm:sm_count=114:l2_bytes=26214400");
}

TEST_CASE("a GPU whose fields have the values of its table is that of the table") {
  CHECK(gpu("h100-sxm:sm_count=132").get() == &device("h100-sxm"));
  CHECK(gpu("h100-sxm:sm_count=132:l2_bytes=50Mi").get() == &device("h100-sxm"));
  CHECK(gpu("h100-sxm:l2_bytes=50Mi:sm_count=114")->name == "h100-sxm:sm_count=114");
}

TEST_CASE("measured and estimated fields scale with the fields they depend on") {
  const DeviceSpec& table = device("a100-sxm-80gb");
  const auto changed = gpu("a100-sxm-80gb:sm_count=54:l2_bytes=20Mi:hbm_bytes_per_second=1T");
  const auto scaled = [](std::int64_t value, double now, std::int64_t before) {
    return std::llround(static_cast<double>(value) * now / static_cast<double>(before));
  };
  CHECK(changed->l2_bytes_per_second == scaled(table.l2_bytes_per_second, 54, table.sm_count));
  CHECK(changed->l2_effective_bytes == scaled(table.l2_effective_bytes, 20 << 20, table.l2_bytes));
  CHECK(changed->hbm_measured_bytes_per_second ==
        scaled(table.hbm_measured_bytes_per_second, 1e12, table.hbm_bytes_per_second));
  CHECK(scaled_fields(table).empty());
  CHECK_THAT(scaled_fields(*changed).front(), Contains("scaled with hbm_bytes_per_second of a100-sxm-80gb"));
}

TEST_CASE("a field that is given explicitly does not scale") {
  const auto changed = gpu("h100-sxm:sm_count=66:l2_bytes_per_second=8T");
  CHECK(changed->l2_bytes_per_second == 8'000'000'000'000);
  CHECK(scaled_fields(*changed).empty());
  const auto kept = gpu("h100-sxm:sm_count=66:l2_bytes_per_second=8.3T");  // the table's value, given explicitly
  CHECK(kept->l2_bytes_per_second == device("h100-sxm").l2_bytes_per_second);
}

TEST_CASE("wrong fields of a GPU are refused with what is allowed") {
  CHECK_THAT(refusal("h100-sxm:sm_counts=114"), Contains("did you mean \"sm_count\""));
  CHECK_THAT(refusal("h100-sxm:sm_count=114:sm_count=113"), Contains("sm_count is given twice"));
  CHECK_THAT(refusal("h100-sxm:sm_count=114:nonsense"), Contains("is not FIELD=VALUE"));
  CHECK_THAT(refusal("h100-sxm:sm_count=0"), Contains("allowed are 1 to 999 SM"));
  CHECK_THAT(refusal("h100-sxm:sm_count=1.5"), Contains("is not a whole number of SM"));
  CHECK_THAT(refusal("h100-sxm:l2_bytes=25Mbit"), Contains("is not a number of B"));
  CHECK_THAT(refusal("h100-sxm:l2_bytes="), Contains("is not a number of B"));
  CHECK_THAT(refusal("h100-sxm:l2_bytes=0x10"), Contains("is not a number of B"));
  CHECK_THAT(refusal("h100-sxm:l2_bytes=nan"), Contains("is not a number of B"));
  CHECK_THAT(refusal("h100-sxm:clock_hz=1.8"), Contains("is not plausible"));
  CHECK_THAT(refusal("h100-sxm:smem_bytes_per_sm=1Mi"), Contains("contradicts l1_smem_bytes_per_sm"));
  CHECK_THAT(refusal("h100-sxm:hbm_bytes_per_second=30T"), Contains("contradicts l2_bytes_per_second"));
  CHECK_THAT(refusal("h1000-sxm:sm_count=114"), Contains("GPU"));
}

TEST_CASE("a file's name may hold colons before its fields") {
  CHECK(split_device("C:\\cards\\mine.toml").name == "C:\\cards\\mine.toml");
  CHECK(split_device("C:\\cards\\mine.toml:sm_count=3").name == "C:\\cards\\mine.toml");
  CHECK(split_device("C:\\cards\\mine.toml:sm_count=3").fields == std::vector<std::string>{"sm_count=3"});
}

/// The device file equivalent to the changed card.
DeviceSpec written_by_hand(const DeviceSpec& changed, const std::string& base) {
  std::string file = device_file::built_in(base);
  for (const DeviceField& field : device_fields()) {
    if (changed.*field.member == 0) continue;  // not known
    file = device_file::with_value(field.name, std::to_string(changed.*field.member), field.unit, file);
  }
  return parse_device(file, "mine.toml");
}

bool is_name(const PathValue& value) { return value.path == "scenario.gpu" || value.path.starts_with("warnings"); }

TEST_CASE("a changed GPU equals the equivalent device file in every number") {
  const std::pair<std::string, std::string> cards[] = {{"h100-sxm", ":sm_count=114:hbm_bytes_per_second=2.0T"},
                                                       {"a100-sxm-40gb", ":l2_bytes=64Mi:clock_hz=1.2G"},
                                                       {"rtx-4090", ":smem_bytes_per_cta=64Ki:sm_count=64"}};
  Dice dice(41);
  for (const auto& [base, fields] : cards) {
    for (int n = 0; n < 10; ++n) {
      const char* algorithms[] = {"standard", "flash1", "flash2", "flash-decoding"};
      Scenario scenario = typed_scenario(dice, algorithms[dice.between(0, 3)], base.c_str());
      scenario.gpu = gpu(base + fields);
      Scenario by_hand = scenario;
      by_hand.gpu = std::make_shared<DeviceSpec>(written_by_hand(*scenario.gpu, base));
      const Simulation one = simulate(scenario), other = simulate(by_hand);
      const std::vector<PathValue> left = values_of(one), right = values_of(other);
      REQUIRE(left.size() == right.size());
      for (std::size_t v = 0; v < left.size(); ++v) {
        INFO(base << fields << " " << left[v].path);
        CHECK((is_name(left[v]) || left[v].value == right[v].value));
      }
    }
  }
}

}  // namespace
}  // namespace sim
