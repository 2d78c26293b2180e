// The table of hardware counters against CUPTI, which knows the metrics of every chip without a GPU.
#include "kernels/counters/counters.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <set>

#include "kernels/counters/host.h"
#include "kernels/measurements/metrics.h"

using Catch::Contains;
using counters::Host;
using counters::Unavailable;

namespace {

/// True, with a warning that names the reason, if there is no CUPTI.
bool skipped() {
  const std::string why = counters::why_no_cupti();
  if (!why.empty()) WARN("skipped: " << why);
  return !why.empty();
}

using Names = std::vector<std::string>;

const Names& smallest_set() {
  static const Names names = {"gpu__time_duration.sum", "sm__cycles_elapsed.max", "dram__bytes_read.sum",
                              "dram__bytes_write.sum"};
  return names;
}

Names with(Names names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

/// The README of kernels/counters/, whose table of passes is checked against CUPTI.
std::string readme() {
  std::ifstream file(FLASHSCOPE_KERNELS "/counters/README.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The kind of error that constructing a Host throws.
Unavailable::Kind refusal_of(const std::string& chip, const std::vector<std::string>& metrics,
                             const std::string& words) {
  try {
    const Host host(chip, metrics);
  } catch (const Unavailable& error) {
    CHECK_THAT(error.what(), Catch::StartsWith("counters: ") && Contains(words) && !Contains("\n"));
    return error.kind;
  }
  FAIL("accepted: " << chip);
  return {};
}

}  // namespace

TEST_CASE("every chip has every metric of the table") {
  if (skipped()) return;
  for (const measurements::Chip& chip : measurements::chips()) {
    for (const std::string& metric : measurements::metric_names()) {
      INFO(chip.name << " " << metric);
      CHECK(Host(chip.name, {metric}).passes() >= 1);
    }
  }
}

TEST_CASE("time, cycles and bytes of device memory take one pass on every chip, with sectors of L2 two") {
  if (skipped()) return;
  const Names sectors = with(smallest_set(), {"lts__t_sectors_op_read.sum", "lts__t_sectors_op_read_lookup_hit.sum",
                                              "lts__t_sectors_op_write.sum"});
  const Names instructions =
      with(sectors, {"l1tex__m_xbar2l1tex_read_bytes.sum", "smsp__inst_executed_pipe_xu.sum",
                     "sm__pipe_tensor_cycles_active.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"});
  for (const measurements::Chip& chip : measurements::chips()) {
    INFO(chip.name);
    CHECK(Host(chip.name, smallest_set()).passes() == 1);
    CHECK(Host(chip.name, sectors).passes() == 2);
    CHECK(Host(chip.name, instructions).passes() == 2);
  }
}

TEST_CASE("the README of the counters has the number of passes of the whole table for each chip") {
  if (skipped()) return;
  for (const measurements::Chip& chip : measurements::chips()) {
    const Host all(chip.name, measurements::metric_names());
    CHECK(!all.config().empty());
    CHECK_THAT(readme(), Contains(sim::text("| ", chip.name, " | ", chip.cards, " | 1 | ", all.passes(), " |\n")));
  }
}

TEST_CASE("the README of the counters names every metric of the table") {
  for (const std::string& metric : measurements::metric_names()) CHECK_THAT(readme(), Contains("`" + metric + "`"));
}

TEST_CASE("a metric that a chip does not have is refused by its name") {
  if (skipped()) return;
  using enum Unavailable::Kind;
  CHECK(refusal_of("GH100", {"gpu__time_duration.sum", "dram__bytes_eaten.sum"}, "no metric dram__bytes_eaten.sum") ==
        unknown_metric);
  const char* only_hopper = "sm__inst_executed_pipe_tensor_op_gmma.sum";
  CHECK(Host("GH100", {only_hopper}).passes() == 1);
  CHECK(refusal_of("GA100", {only_hopper}, "GA100 has no metric") == unknown_metric);
}

TEST_CASE("a chip that CUPTI does not know is refused by its name") {
  if (skipped()) return;
  using enum Unavailable::Kind;
  CHECK(refusal_of("GZ999", measurements::metric_names(), "chip GZ999") == unknown_chip);
  CHECK(refusal_of("", measurements::metric_names(), "does not know") == unknown_chip);
}

TEST_CASE("every metric is listed once, and for at most one quantity") {
  std::set<std::string> names, quantities;
  for (const measurements::Metric& metric : measurements::metrics()) {
    INFO(metric.name);
    CHECK(names.insert(metric.name).second);
    CHECK((std::string(metric.quantity).empty() || quantities.insert(metric.quantity).second));
    CHECK(metric.factor > 0);
    CHECK(metric.tolerance > 0);
  }
  CHECK(measurements::metric_names().size() == names.size());
}

TEST_CASE("a metric is printed with its factor, and an unknown quantity as empty text") {
  CHECK(measurements::metric_text("tile_traffic.total.write_bytes") ==
        "lts__t_sectors_srcunit_tex_op_write.sum x 32 B");
  CHECK(measurements::metric_text("hbm_traffic.read_bytes") == "dram__bytes_read.sum");
  CHECK(measurements::metric_text("work.exp_count") == "smsp__inst_executed_pipe_xu.sum x 32");
  CHECK(measurements::metric_text("memory.peak_hbm_bytes").empty());
  CHECK(measurements::metric_text("").empty());
  CHECK(measurements::metric_beside("") == nullptr);
}

TEST_CASE("a missing permission is reported with how to get it, other refusals with the function and its result") {
  using enum Unavailable::Kind;
  for (const int result : {35, 40}) {
    const Unavailable permission = counters::refusal("cuptiRangeProfilerStart", result, "CUPTI_ERROR_X");
    CHECK(permission.kind == no_permission);
    CHECK_THAT(permission.what(), Contains("ERR_NVGPUCTRPERM") && Contains("NVreg_RestrictProfilingToAdminUsers=0"));
  }
  CHECK_THAT(counters::refusal("f", 26, "CUPTI_ERROR_HARDWARE_BUSY").what(), Contains("another profiler"));
  const Unavailable other = counters::refusal("cuptiRangeProfilerEnable", 999, "CUPTI_ERROR_UNKNOWN");
  CHECK(other.kind == refused);
  CHECK_THAT(other.what(), Contains("cuptiRangeProfilerEnable gives CUPTI_ERROR_UNKNOWN (999)"));
}

TEST_CASE("without an open GPU the counters give a reason and run nothing") {
  bool ran = false;
  const counters::Reading reading = counters::open()->read(1, [&](const counters::AroundLaunch&) { ran = true; });
  CHECK(reading.values.empty());
  CHECK_THAT(reading.reason, Catch::StartsWith("counters: ") && !Contains("\n"));
  CHECK_FALSE(ran);
}
