// Every field of every built-in device, set to every kind of value that device_fields rejects.
#include "sim/machine/device_fields.h"

#include <algorithm>

#include "tests/support/device_file.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using device_file::built_in;
using device_file::refusal;
using device_file::with_field;
using device_file::with_value;

/// The parser's error on a built-in device with another value of one field.
std::string refusal_of(const std::string& name, const DeviceField& field, std::int64_t value) {
  return refusal(with_value(field.name, std::to_string(value), field.unit, built_in(name)));
}

/// Checks that the message names the field, the value and the allowed range.
void check_not_plausible(const std::string& message, const DeviceField& field, std::int64_t value) {
  CHECK_THAT(message, Contains(text(field.name, ": value ", value, " is not plausible: allowed are ", field.min, " to ",
                                    field.max, " ", field.unit)));
}

template <class Check>
void for_every_field(Check check) {
  for (const std::string& name : device_names()) {
    for (const DeviceField& field : device_fields()) {
      INFO(name << " " << field.name);
      if (device(name).*field.member == 0 && !has_time(device(name))) continue;
      check(name, field, device(name).*field.member);
    }
  }
}

TEST_CASE("no range of a device field spans a factor of 1000") {
  for (const DeviceField& field : device_fields()) {
    INFO(field.name);
    CHECK(0 < field.min);
    CHECK(field.min < field.max);
    CHECK(field.max < 1000 * field.min);
  }
}

TEST_CASE("a device may lack only fields that another field replaces, and fields that only its time needs") {
  for_every_field([](const std::string& name, const DeviceField& field, std::int64_t) {
    if (*field.otherwise != '\0') {
      const DeviceSpec without = parse_device(with_field(field.name, "", built_in(name)), "x.toml");
      const bool stays_zero = field.otherwise == std::string_view(field.name);
      CHECK(without.*field.member == (stays_zero ? 0 : without.*find_device_field(field.otherwise)->member));
      CHECK(missing_fields(without) == missing_fields(device(name)));
      return;
    }
    if (device(name).*field.member == 0) return;
    if (*field.in_time != '\0') {
      const DeviceSpec without = parse_device(with_field(field.name, "", built_in(name)), "x.toml");
      CHECK(without.*field.member == 0);
      CHECK_FALSE(has_time(without));
      const std::vector<std::string> missing = missing_fields(without);
      CHECK(std::count(missing.begin(), missing.end(), field.name) == 1);
      return;
    }
    CHECK_THAT(refusal(with_field(field.name, "", built_in(name))),
               StartsWith(text("x.toml: ", field.name, " is missing: add ", field.name, " = { value = ...")));
  });
}

TEST_CASE("no field of a device is negative or zero") {
  for_every_field([](const std::string& name, const DeviceField& field, std::int64_t value) {
    for (const std::int64_t wrong : {-value, std::int64_t{-1}, std::int64_t{0}}) {
      check_not_plausible(refusal_of(name, field, wrong), field, wrong);
    }
  });
}

TEST_CASE("no field of a device is off by a factor of 1000 either way") {
  for_every_field([](const std::string& name, const DeviceField& field, std::int64_t value) {
    check_not_plausible(refusal_of(name, field, value * 1000), field, value * 1000);
    check_not_plausible(refusal_of(name, field, value / 1000), field, value / 1000);
  });
}

TEST_CASE("a range of a device field is closed: its ends pass, one beyond does not") {
  for (const DeviceField& field : device_fields()) {
    INFO(field.name);
    for (const std::int64_t edge : {field.min, field.max}) {
      CHECK_THAT(refusal_of("toy", field, edge), !Contains("value"));  // it may contradict another field
    }
    check_not_plausible(refusal_of("toy", field, field.min - 1), field, field.min - 1);
    check_not_plausible(refusal_of("toy", field, field.max + 1), field, field.max + 1);
  }
}

TEST_CASE("every field of a device reads its own line and no other") {
  const DeviceSpec& toy = device("toy");
  for (const DeviceField& field : device_fields()) {
    INFO(field.name);
    const auto own = [&](const Provenance& p) { return p.field == field.name; };
    const auto line = std::find_if(toy.provenance.begin(), toy.provenance.end(), own);
    if (line == toy.provenance.end() && *field.otherwise != '\0') continue;  // the toy has none
    REQUIRE(line != toy.provenance.end());
    CHECK(line->value == std::to_string(toy.*field.member));
    CHECK(line->unit == field.unit);
  }
}

TEST_CASE("a part of a device larger than the whole is refused with both values") {
  const auto toy_with = [](const char* field, std::int64_t value, const char* unit) {
    return refusal(with_value(field, std::to_string(value), unit));
  };
  CHECK(toy_with("smem_bytes_per_cta", 16'385, "B") ==
        "x.toml: smem_bytes_per_cta = 16385 contradicts smem_bytes_per_sm = 16384: it must not be larger");
  CHECK_THAT(toy_with("l1_smem_bytes_per_sm", 16'383, "B"), Contains("contradicts l1_smem_bytes_per_sm = 16383"));
  CHECK_THAT(toy_with("l2_effective_bytes", 1'048'577, "B"), Contains("contradicts l2_bytes = 1048576"));
  CHECK_THAT(toy_with("hbm_measured_bytes_per_second", 64'000'000'001, "B/s"),
             Contains("contradicts hbm_bytes_per_second = 64000000000"));
  CHECK_THAT(toy_with("mma_flops_per_clock_fp16", 513, "FLOP/clk"),
             Contains("contradicts tensor_flops_per_clock_fp16 = 512"));
  CHECK_THAT(toy_with("exps_per_clock", 33, "exp/clk"), Contains("contradicts fp32_flops_per_clock = 32"));
}

TEST_CASE("a memory of a device that is farther away is neither faster nor nearer in time") {
  const auto toy_with = [](const char* field, std::int64_t value, const char* unit) {
    return refusal(with_value(field, std::to_string(value), unit));
  };
  CHECK_THAT(toy_with("hbm_bytes_per_second", 256'000'000'001, "B/s"),
             Contains("contradicts l2_bytes_per_second = 256000000000"));
  CHECK(toy_with("hbm_bytes_per_second", 256'000'000'000, "B/s") == "accepted");
  CHECK_THAT(toy_with("smem_latency_cycles", 201, "cycles"), Contains("contradicts l2_latency_cycles = 200"));
  CHECK_THAT(toy_with("l2_latency_cycles", 201, "cycles"), Contains("contradicts l2_far_latency_cycles = 200"));
  CHECK_THAT(toy_with("l2_far_latency_cycles", 401, "cycles"), Contains("contradicts hbm_latency_cycles = 400"));
  CHECK(toy_with("l2_far_latency_cycles", 400, "cycles") == "accepted");
}

TEST_CASE("rates of a device that no GPU combines are refused with the formula and the range") {
  const auto a100_with = [](const char* field, std::int64_t value, const char* unit) {
    return refusal(with_value(field, std::to_string(value), unit, built_in("a100-sxm-40gb")));
  };
  // 40 GB/s are a plausible rate, but not next to 312 TFLOP/s
  const std::string slow = with_value("hbm_measured_bytes_per_second", "40000000000", "B/s", built_in("a100-sxm-40gb"));
  CHECK(refusal(with_value("hbm_bytes_per_second", "40000000000", "B/s", slow)) ==
        "x.toml: machine balance 7796.74 FLOP/B (tensor_flops_per_clock_fp16 x sm_count x clock_hz / "
        "hbm_bytes_per_second) is not plausible: allowed are 4 to 4000");
  CHECK_THAT(a100_with("l2_bytes_per_second", 50'000'000'000'000, "B/s"),
             StartsWith("x.toml: L2 rate of an SM 328.343 B/clk"));
  CHECK_THAT(a100_with("hbm_measured_bytes_per_second", 155'500'000'000, "B/s"),
             StartsWith("x.toml: measured part of the HBM rate 0.1 of 1"));
  CHECK_THAT(a100_with("mma_flops_per_clock_fp16", 128, "FLOP/clk"),
             StartsWith("x.toml: mma's part of the tensor rate 0.0625 of 1"));
}

TEST_CASE("mma.sync reaches the tensor rate of devices before Hopper and 62.9 % on Hopper") {
  for (const char* name : {"t4", "rtx-3090", "a100-sxm-40gb", "a100-sxm-80gb"}) {
    CHECK(device(name).mma_flops_per_clock_fp16 == device(name).tensor_flops_per_clock_fp16);
  }
  for (const char* name : {"h100-sxm", "h200"}) {
    const double part = static_cast<double>(device(name).mma_flops_per_clock_fp16) / 4096;
    CHECK(part == Approx(0.629).epsilon(0.001));
  }
}

}  // namespace
}  // namespace sim
