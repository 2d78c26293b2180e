#include "kernels/measurements/metrics.h"

#include <algorithm>

#include "sim/catalogue/quantities.h"

namespace measurements {
namespace {

constexpr double sector = 32;        // bytes
constexpr double lanes = 32;         // lanes of a warp, one exponential each
constexpr double nanosecond = 1e-3;  // us
// Tolerances: exact counts, counts that caches reduce, no claim.
constexpr double of_count = 0.01, of_cache = 0.05, unclaimed = 1;

constexpr const char* of_quantity = "";  // placeholder for the unit, filled in by beside_quantities

std::string unit_text(const Metric& metric) {
  if (metric.factor == sector && std::string_view(metric.our_unit) == "bytes") return " x 32 B";
  return metric.factor == lanes ? " x 32" : "";
}

/// Fills in the catalogue quantity that each metric measures, and its unit.
std::vector<Metric> beside_quantities(std::vector<Metric> table) {
  for (Metric& metric : table) {
    const sim::RunQuantity* quantity = sim::quantity_of_metric(metric.name);
    if (quantity == nullptr) continue;
    metric.quantity = quantity->path.data();  // points to a literal, as does the unit
    metric.our_unit = sim::short_unit(quantity->unit).data();
  }
  return table;
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> table = beside_quantities({
      {"l1tex__m_xbar2l1tex_read_bytes.sum", "byte", 1, of_quantity, "bytes that L2 sent to the SMs", of_count,
       "sectors of which a tile uses only a part are sent whole",
       "an L1 served what its SM had loaded before: plain kernels load through it"},
      // Not lts__t_sectors_op_write: it counts all units, and if L2 has two halves (GA100, GH100, GB100) one of them is
      // the link between the halves.
      {"lts__t_sectors_srcunit_tex_op_write.sum", "sector", sector, of_quantity, "sectors that the SMs wrote", of_count,
       "sectors of which a store fills only a part count whole", ""},
      {"lts__t_sectors_srcunit_tex_op_red.sum", "sector", sector, of_quantity, "sectors that the SMs added to",
       of_count, "sectors of which an addition changes only a part count whole", ""},
      {"dram__bytes_read.sum", "byte", 1, of_quantity, "bytes read from device memory", of_cache,
       "L2 kept less than the model assumes",
       "L2 kept more than the model assumes, or still held what was copied to the device before"},
      {"dram__bytes_write.sum", "byte", 1, of_quantity, "bytes written to device memory", of_cache,
       "L2 wrote back data that did not fit, or data left in it before", "the last of the output is still in L2"},
      {"gpu__time_duration.sum", "ns", nanosecond, of_quantity, "time of the kernels, launch included", unclaimed, "",
       ""},
      {"smsp__inst_executed_pipe_xu.sum", "instruction", lanes, of_quantity,
       "instructions of the units that make exponentials", unclaimed,
       "these units also make reciprocals, logarithms and conversions, and a warp counts as 32 lanes",
       "exponentials that other units make"},
      {"lts__t_sectors_op_read.sum", "sector", 1, "sectors", "sectors read in L2, by all units", unclaimed, "", ""},
      {"lts__t_sectors_op_read_lookup_hit.sum", "sector", 1, "sectors", "those of them that L2 held", unclaimed, "",
       ""},
      {"lts__t_sectors_op_write.sum", "sector", 1, "sectors", "sectors written in L2, by all units", unclaimed, "", ""},
      {"sm__cycles_elapsed.max", "cycle", 1, "cycles", "cycles of the SM that took longest", unclaimed, "", ""},
      {"sm__pipe_tensor_cycles_active.sum", "cycle", 1, "cycles", "cycles of busy tensor cores, all SMs", unclaimed, "",
       ""},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "wavefront", 1, "wavefronts", "passes through shared memory",
       unclaimed, "", ""},
  });
  return table;
}

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all_names;
    for (const Metric& metric : metrics()) all_names.emplace_back(metric.name);
    return all_names;
  }();
  return names;
}

bool is_time(const Metric& metric) { return std::string_view(metric.quantity) == "time.microseconds"; }

const Metric* metric_beside(std::string_view quantity) {
  if (quantity.empty()) return nullptr;
  const std::vector<Metric>& table = metrics();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Metric& metric) { return metric.quantity == quantity; });
  return found == table.end() ? nullptr : &*found;
}

std::string metric_text(std::string_view quantity) {
  if (const Metric* metric = metric_beside(quantity)) return metric->name + unit_text(*metric);
  const sim::RunQuantity* known = sim::find_quantity(quantity);
  return known == nullptr || known->path != quantity ? "" : std::string(known->metric);
}

const std::vector<Chip>& chips() {
  static const std::vector<Chip> table = {
      {"TU104", "T4"}, {"GA100", "A100"}, {"GA102", "RTX 3090"}, {"GH100", "H100, H200"}, {"GB100", "B200"}};
  return table;
}

}  // namespace measurements
