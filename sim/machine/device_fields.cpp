#include "sim/machine/device_fields.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
constexpr std::int64_t giga = 1'000'000'000, tera = 1000 * giga;

/// Two fields of which the first is never larger than the second.
struct Order {
  std::string_view lesser, greater;
};

constexpr Order orders[] = {
    {"clock_hz", "highest_clock_hz"},
    {"wgmma_clock_hz", "highest_clock_hz"},
    {"smem_bytes_per_cta", "smem_bytes_per_sm"},
    {"smem_bytes_per_sm", "l1_smem_bytes_per_sm"},
    {"l2_effective_bytes", "l2_bytes"},
    {"l2_bytes", "hbm_bytes"},
    {"hbm_bytes_per_second", "l2_bytes_per_second"},
    {"hbm_measured_bytes_per_second", "hbm_bytes_per_second"},
    {"smem_latency_cycles", "l2_latency_cycles"},
    {"l2_latency_cycles", "l2_far_latency_cycles"},
    {"l2_far_latency_cycles", "hbm_latency_cycles"},
    {"mma_flops_per_clock_fp16", "tensor_flops_per_clock_fp16"},
    {"exps_per_clock", "fp32_flops_per_clock"},
    {"ctas_per_sm", "threads_per_sm"},
};

/// A ratio of several fields that is similar on all GPUs.
struct Balance {
  const char *name, *formula, *unit;
  double (*value)(const DeviceSpec&);
  double min, max;
};

double real(std::int64_t n) { return static_cast<double>(n); }

double sm_clocks(const DeviceSpec& d) { return real(d.sm_count) * real(d.clock_hz); }

constexpr Balance balances[] = {
    {"machine balance", "tensor_flops_per_clock_fp16 x sm_count x clock_hz / hbm_bytes_per_second", "FLOP/B",
     [](const DeviceSpec& d) {
       return real(d.tensor_flops_per_clock_fp16) * sm_clocks(d) / real(d.hbm_bytes_per_second);
     },
     4, 4000},
    {"L2 rate of an SM", "l2_bytes_per_second / (sm_count x clock_hz)", "B/clk",
     [](const DeviceSpec& d) { return real(d.l2_bytes_per_second) / sm_clocks(d); }, 2, 256},
    {"measured part of the HBM rate", "hbm_measured_bytes_per_second / hbm_bytes_per_second", "of 1",
     [](const DeviceSpec& d) { return real(d.hbm_measured_bytes_per_second) / real(d.hbm_bytes_per_second); }, 0.25, 1},
    {"mma's part of the tensor rate", "mma_flops_per_clock_fp16 / tensor_flops_per_clock_fp16", "of 1",
     [](const DeviceSpec& d) { return real(d.mma_flops_per_clock_fp16) / real(d.tensor_flops_per_clock_fp16); }, 0.1,
     1},
};

std::int64_t number(const DeviceSpec& device, std::string_view name) { return device.*find_device_field(name)->member; }

}  // namespace

const DeviceField* find_device_field(std::string_view name) {
  const auto& fields = device_fields();
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const DeviceField& f) { return f.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

const std::vector<DeviceField>& device_fields() {
  using D = DeviceSpec;
  static const std::vector<DeviceField> fields = {
      {"sm_count", &D::sm_count, "SM", 1, 999},
      {"clock_hz", &D::clock_hz, "Hz", giga / 10, 10 * giga},
      {"highest_clock_hz", &D::highest_clock_hz, "Hz", giga / 10, 10 * giga, "clock_hz"},
      {"wgmma_clock_hz", &D::wgmma_clock_hz, "Hz", giga / 10, 10 * giga, "clock_hz"},
      {"hbm_bytes", &D::hbm_bytes, "B", GiB / 2, 499 * GiB},
      {"hbm_bytes_per_second", &D::hbm_bytes_per_second, "B/s", 32 * giga, 30 * tera},
      {"hbm_measured_bytes_per_second", &D::hbm_measured_bytes_per_second, "B/s", 32 * giga, 30 * tera, "",
       "HBM while a kernel runs", 1740 * giga},
      {"framework_hbm_percent", &D::framework_hbm_percent, "%", 10, 100, "framework_hbm_percent"},
      {"hbm_latency_cycles", &D::hbm_latency_cycles, "cycles", 50, 10'000, "", "a load that L2 misses", 560},
      {"l2_bytes", &D::l2_bytes, "B", MiB / 2, 499 * MiB},
      {"l2_effective_bytes", &D::l2_effective_bytes, "B", MiB / 2, 499 * MiB},
      {"l2_bytes_per_second", &D::l2_bytes_per_second, "B/s", 64 * giga, 60 * tera, "",
       "L2 while a kernel runs, and its roof", 5000 * giga},
      {"l2_latency_cycles", &D::l2_latency_cycles, "cycles", 10, 5000, "", "a load that L2 serves", 220},
      {"l2_far_latency_cycles", &D::l2_far_latency_cycles, "cycles", 10, 5000, "", "a load from the other partition",
       420},
      {"l1_smem_bytes_per_sm", &D::l1_smem_bytes_per_sm, "B", 4 * KiB, 2 * MiB},
      {"smem_bytes_per_sm", &D::smem_bytes_per_sm, "B", 4 * KiB, 2 * MiB},
      {"smem_bytes_per_cta", &D::smem_bytes_per_cta, "B", 4 * KiB, 2 * MiB},
      {"smem_bytes_per_clock", &D::smem_bytes_per_clock, "B/clk", 8, 4096, "", "operands of products", 128},
      {"smem_latency_cycles", &D::smem_latency_cycles, "cycles", 1, 500, "", "the start of a product", 29},
      {"register_bytes_per_sm", &D::register_bytes_per_sm, "B", 16 * KiB, 4 * MiB},
      {"threads_per_sm", &D::threads_per_sm, "threads", 32, 16'384},
      {"ctas_per_sm", &D::ctas_per_sm, "CTAs", 1, 256},
      {"cta_turnover_cycles", &D::cta_turnover_cycles, "cycles", 20, 10'000, "", "one CTA after another", 1200},
      {"instructions_per_clock", &D::instructions_per_clock, "instr/clk", 1, 32, "", "issue of every instruction", 4},
      {"tensor_flops_per_clock_fp16", &D::tensor_flops_per_clock_fp16, "FLOP/clk", 128, 65'536},
      {"mma_flops_per_clock_fp16", &D::mma_flops_per_clock_fp16, "FLOP/clk", 128, 65'536, "", "products by mma.sync",
       2048},
      {"mma_latency_cycles", &D::mma_latency_cycles, "cycles", 2, 500, "", "the end of a product", 33},
      {"fp32_flops_per_clock", &D::fp32_flops_per_clock, "FLOP/clk", 8, 4096},
      {"exps_per_clock", &D::exps_per_clock, "exp/clk", 1, 512, "", "exponentials", 16},
      {"exp_latency_cycles", &D::exp_latency_cycles, "cycles", 2, 500, "", "one exponential", 19},
      {"launch_nanoseconds", &D::launch_nanoseconds, "ns", 100, 50'000, "", "the start of a kernel", 2500},
      {"link_bytes_per_second", &D::link_bytes_per_second, "B/s", 8 * giga, 4 * tera, "link_bytes_per_second"},
      {"link_latency_nanoseconds", &D::link_latency_nanoseconds, "ns", 100, 50'000, "link_latency_nanoseconds"},
  };
  return fields;
}

std::string unmodelled_caches(const DeviceSpec& device) {
  for (const Provenance& p : device.provenance) {
    if (p.field == unmodelled_caches_field) return p.value;
  }
  return "";
}

std::vector<std::string> missing_fields(const DeviceSpec& device) {
  std::vector<std::string> missing;
  for (const DeviceField& field : device_fields()) {
    if (!field.holds_in(device)) missing.emplace_back(field.name);
  }
  return missing;
}

bool counts_hbm_traffic(const DeviceSpec& device) { return device.l2_bytes != 0 && device.l2_effective_bytes != 0; }

bool has_time(const DeviceSpec& device) {
  const auto& fields = device_fields();
  return std::all_of(fields.begin(), fields.end(), [&](const DeviceField& f) { return f.holds_in(device); });
}

std::string megahertz(std::int64_t hz) { return text(static_cast<double>(hz) * 1e-6, " MHz"); }

double known_number(const DeviceSpec& device, std::int64_t DeviceSpec::*member) {
  return device.*member == 0 ? std::numeric_limits<double>::quiet_NaN() : real(device.*member);
}

double replay_number(const DeviceSpec& device, std::int64_t DeviceSpec::*member) {
  if (device.*member != 0) return real(device.*member);
  const auto& fields = device_fields();
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const DeviceField& f) { return f.member == member; });
  return real(found->stand_in);
}

std::string why_no_time(const DeviceSpec& device) {
  const std::string caches = unmodelled_caches(device);
  if (!caches.empty())
    return text("no time is predicted: ", device.name, " has ", caches, ", for which there is no model");
  const std::vector<std::string> missing = missing_fields(device);
  if (missing.empty()) return "";
  return text("no time is predicted: ", device.name, " has no ", joined(missing), "; give ",
              missing.size() == 1 ? "it" : "them", " in a FILE.toml, or as --gpu ", device.name, ":", missing.front(),
              "=...");
}

std::string why_no_hbm_traffic(const DeviceSpec& device) {
  return text("no HBM traffic is counted: ", device.name, " has ", unmodelled_caches(device),
              ", for which there is no model");
}

void check_together(const DeviceSpec& device, const std::string& origin) {
  for (const Order& order : orders) {
    const std::int64_t lesser = number(device, order.lesser), greater = number(device, order.greater);
    if (lesser == 0 || greater == 0) continue;  // absent
    require(lesser <= greater, origin, ": ", order.lesser, " = ", lesser, " contradicts ", order.greater, " = ",
            greater, ": it must not be larger");
  }
  for (const Balance& balance : balances) {
    const double value = balance.value(device);
    if (value == 0) continue;  // a field is absent
    require(balance.min <= value && value <= balance.max, origin, ": ", balance.name, " ", value, " ", balance.unit,
            " (", balance.formula, ") is not plausible: allowed are ", balance.min, " to ", balance.max);
  }
}

}  // namespace sim
