// The option --clock, and the clocks of a device that times are of.
#include <catch2/catch.hpp>

#include "sim/catalogue/run_values.h"
#include "sim/catalogue/typed_values.h"
#include "sim/machine/device_override.h"
#include "sim/model/simulation.h"

using namespace sim;
using Catch::Contains;

namespace {

std::shared_ptr<const DeviceSpec> find(const std::string& name) { return built_in_gpu(name); }

Scenario scenario(OptionValues values) {
  values.insert({{"batch", "8"}, {"heads", "16"}});
  return scenario_from(values, find);
}

Simulation run(OptionValues values) { return simulate(scenario(std::move(values))); }

std::string refusal(const std::string& clock) {
  try {
    scenario({{"clock", exact_value("clock", clock)}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool is_reported(const Scenario& s, std::string_view option) { return sim::is_reported(option_called(option), s); }

}  // namespace

TEST_CASE("a locked clock keeps the rates of L2 and HBM per second, unlike the field clock_hz") {
  const DeviceSpec& table = device("h100-sxm");
  const auto locked = at_clock(table, 1'200'000'000);
  const auto other = gpu_from("h100-sxm:clock_hz=1.2G", find);
  CHECK(locked->clock_hz == 1'200'000'000);
  CHECK(locked->wgmma_clock_hz == locked->clock_hz);
  CHECK(locked->l2_bytes_per_second == table.l2_bytes_per_second);
  CHECK(locked->hbm_bytes_per_second == table.hbm_bytes_per_second);
  CHECK(other->l2_bytes_per_second < table.l2_bytes_per_second);
  CHECK(locked->name == table.name);
  CHECK(locked->title == table.title + " at 1200 MHz");
  CHECK(at_clock(table, 2'000'000'000)->highest_clock_hz == 2'000'000'000);
  CHECK_THAT(scaled_fields(*at_clock(table, 2'000'000'000)).front(), Contains("its table knows none above 1980 MHz"));
  CHECK_FALSE(locked->built_in);
}

TEST_CASE("the clock of wgmma is clock_hz where no file names one, and scales with it") {
  CHECK(device("a100-sxm-40gb").wgmma_clock_hz == device("a100-sxm-40gb").clock_hz);
  CHECK(device("h100-sxm").wgmma_clock_hz < device("h100-sxm").clock_hz);
  const auto slow = gpu_from("h100-sxm:clock_hz=915M", find), plain = gpu_from("a100-sxm-40gb:clock_hz=1G", find);
  CHECK(2 * slow->wgmma_clock_hz == device("h100-sxm").wgmma_clock_hz);
  CHECK(plain->wgmma_clock_hz == plain->clock_hz);
  CHECK(gpu_from("h100-sxm:wgmma_clock_hz=1.4G", find)->clock_hz == device("h100-sxm").clock_hz);
  CHECK_THROWS_WITH(gpu_from("h100-sxm:wgmma_clock_hz=2.5G", find), Contains("contradicts highest_clock_hz"));
}

TEST_CASE("a device with other SMs or tensor cores has no clock of wgmma unless it is given") {
  for (const char* other :
       {"h100-sxm:sm_count=114", "h100-sxm:tensor_flops_per_clock_fp16=2048", "h100-pcie:sm_count=60"}) {
    INFO(other);
    const auto gpu = gpu_from(other, find);
    CHECK(gpu->wgmma_clock_hz == gpu->clock_hz);
    CHECK(gpu_from(std::string(other) + ":wgmma_clock_hz=1.2G", find)->wgmma_clock_hz == 1'200'000'000);
    const std::vector<std::string> warnings =
        simulate(scenario({{"algorithm", "flash3"}, {"gpu", other}, {"seqlen", "1024"}})).warnings;
    CHECK(std::count(warnings.begin(), warnings.end(),
                     text("clock: ", gpu->name, " has no wgmma_clock_hz: times are at its clock_hz, ",
                          megahertz(gpu->clock_hz))) == 1);
  }
  CHECK(gpu_from("h100-sxm:hbm_bytes_per_second=3T", find)->wgmma_clock_hz == device("h100-sxm").wgmma_clock_hz);
  CHECK(gpu_from("h100-sxm:sm_count=132", find)->wgmma_clock_hz == device("h100-sxm").wgmma_clock_hz);
}

TEST_CASE("every Hopper card has a clock of wgmma, and the card of 350 W is slower than the one of 700 W") {
  const auto time_on = [](const std::string& gpu) {
    const Simulation s =
        simulate(scenario({{"algorithm", "flash3"}, {"gpu", gpu}, {"heads", "64"}, {"seqlen", "4096"}}));
    CHECK(s.warnings.empty());
    return s.microseconds;
  };
  for (const std::string& name : device_names()) {
    if (device(name).architecture == "sm_90") CHECK(time_on(name) >= 0.999 * time_on("h100-sxm"));
  }
  CHECK(time_on("h100-pcie") > 1.4 * time_on("h100-sxm"));  // 114 SMs at 1.0 GHz after 132 at 1.4: 1.62
}

TEST_CASE("the option clock takes Hz with suffixes of powers of 1,000, and refuses 0 and what is not plausible") {
  CHECK(scenario({{"clock", exact_value("clock", "1.29G")}}).gpu->clock_hz == 1'290'000'000);
  CHECK(exact_value("clock", "1290M") == "1290000000");
  CHECK(exact_value("clock", "1290000000") == "1290000000");
  for (const char* typed : {"0", "1290", "20G", "-1", "fast", ""})
    CHECK_THAT(refusal(typed), Contains("clock: \"" + std::string(typed) + "\" is not a clock in Hz from 100M to 10G"));
}

TEST_CASE("the clock counts over the device whatever the order in which they are given, and is reported only then") {
  const Scenario s = scenario({{"clock", "1200000000"}, {"gpu", "a100-sxm-40gb"}});
  CHECK(s.gpu->name == "a100-sxm-40gb");
  CHECK(s.gpu->clock_hz == 1'200'000'000);
  CHECK(is_reported(s, "clock"));
  CHECK_FALSE(is_reported(scenario({}), "clock"));
}

TEST_CASE("a time is of the clock that the run names, and the clock of the table changes no number") {
  const Simulation table = run({}), same = run({{"clock", "1830000000"}}), slow = run({{"clock", "915000000"}});
  CHECK(table.microseconds == same.microseconds);
  CHECK(table.longest_kernel().time.clock_hz == 1'830'000'000);
  CHECK(slow.longest_kernel().time.clock_hz == 915'000'000);
  CHECK(slow.microseconds > 1.5 * table.microseconds);
  CHECK(slow.microseconds < 2 * table.microseconds);  // L2 and the launch keep their speed
  CHECK(slow.totals == table.totals);
  CHECK(table.accuracy.validated);
  CHECK_FALSE(slow.accuracy.validated);
}

TEST_CASE("a run that HBM bounds is hardly slower at half the clock, and takes fewer cycles") {
  const Simulation table = run({{"algorithm", "standard"}}),
                   slow = run({{"algorithm", "standard"}, {"clock", "915000000"}});
  CHECK(slow.microseconds < 1.25 * table.microseconds);
  const auto values = values_of(slow);
  for (const std::string path : {"time.clock_hz", "time.kernels.0.clock_hz"}) {
    const auto found = std::find_if(values.begin(), values.end(), [&](const PathValue& v) { return v.path == path; });
    REQUIRE(found != values.end());
    CHECK(std::get<std::int64_t>(found->value) == 915'000'000);
  }
}
