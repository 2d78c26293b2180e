// Maps metrics of Nsight Compute to quantities of a program. Names are those that CUPTI's Host API lists for TU104,
// GA100, GA102, GH100, GB100 and GB202; the tensor-core and DRAM metrics differ between chips. Inaccuracies:
// kernels/profile/cause.cpp lists what each metric counts beyond the quantity.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/profile/unit.h"

namespace profile {

/// A metric and the factor of its reading. An optional one is added if the file has it.
struct Term {
  const char* metric;
  Unit unit;
  double factor = 1;
  bool optional = false;
};

/// One way to compute a quantity: the sum of its terms, or for a share the first of two divided by the second.
using Source = std::vector<Term>;

/// Combines the launches of a pass into one number. A share and a quotient are of sums; with one term they are valid
/// for a single launch only.
enum class Grouping { sum, largest, share, quotient };

/// A quantity of the program that metrics measure. `expectation`: largest expected difference, as a fraction of the
/// simulated number; empty if none is claimed.
struct Quantity {
  std::string_view path, unit;
  std::optional<double> expectation;
  Grouping grouping;
  std::vector<Source> sources;  ///< best first
  bool beside = false;          ///< reported if the file has it, not missed otherwise
};

/// Quantities by name.
namespace path {
inline constexpr std::string_view tile_reads = "tile_traffic.total.read_bytes",
                                  tile_writes = "tile_traffic.total.write_bytes", hbm_reads = "hbm_traffic.read_bytes",
                                  hbm_writes = "hbm_traffic.write_bytes", l2_hits = "hbm_traffic.l2_read_hit_rate",
                                  shared_memory = "memory.peak_sram_bytes", matmul = "work.matmul_flops",
                                  exponentials = "work.exp_count", time = "time.microseconds",
                                  hbm_bytes = "hbm_traffic.bytes", hbm_rate = "hbm_traffic.bytes_per_second",
                                  hbm_share = "hbm_traffic.share_of_peak", clock = "clock_mhz";
}  // namespace path

/// All compared quantities, in the order of reports.
const std::vector<Quantity>& quantities();

/// Also recorded: the SMs' clock is this divided by the time.
inline constexpr const char* cycles_metric = "sm__cycles_elapsed.max";

/// Returns the unit of a metric of any source; empty for unknown metrics.
std::optional<Unit> unit_of(std::string_view metric);

/// True for a label of the details page that denotes two metrics and is a share of an unknown peak.
bool is_share_of_peak(std::string_view metric, std::string_view unit_text);

/// "lts__t_sectors_op_write.sum x 32 B + lts__t_sectors_op_red.sum x 32 B"; "... / ..." for a share.
std::string name_of(const Source& source, Grouping grouping);

}  // namespace profile
