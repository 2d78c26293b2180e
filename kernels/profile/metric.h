// Which metrics of Nsight Compute give which quantity of a program. Names as CUPTI's Host API lists them for TU104,
// GA100, GA102, GH100, GB100 and GB202; the tensor-core and DRAM metrics differ between chips. Inaccuracies: what each
// metric counts beyond the quantity is said in kernels/profile/cause.cpp.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/profile/unit.h"

namespace profile {

/// A metric, and what its reading is multiplied by. An optional one is added where the file has it.
struct Term {
  const char* metric;
  Unit unit;
  double factor = 1;
  bool optional = false;
};

/// One way to a quantity: the sum of its terms, or for a share the first of two divided by the second.
using Source = std::vector<Term>;

/// How the launches of a pass make one number. A share and a quotient are of sums; with one term they hold for a single
/// launch only.
enum class Grouping { sum, largest, share, quotient };

/// A quantity of the program that metrics measure. `expectation`: the difference that is expected at most, as a part of
/// the simulated number; nothing where none is claimed.
struct Quantity {
  std::string_view path, unit;
  std::optional<double> expectation;
  Grouping grouping;
  std::vector<Source> sources;  ///< the best first
  bool beside = false;          ///< said where the file has it, and not missed where not
};

/// The quantities by name.
namespace path {
inline constexpr std::string_view tile_reads = "tile_traffic.total.read_bytes",
                                  tile_writes = "tile_traffic.total.write_bytes", hbm_reads = "hbm_traffic.read_bytes",
                                  hbm_writes = "hbm_traffic.write_bytes", l2_hits = "hbm_traffic.l2_read_hit_rate",
                                  shared_memory = "memory.peak_sram_bytes", matmul = "work.matmul_flops",
                                  exponentials = "work.exp_count", time = "time.microseconds",
                                  hbm_bytes = "hbm_traffic.bytes", hbm_rate = "hbm_traffic.bytes_per_second",
                                  hbm_share = "hbm_traffic.share_of_peak", clock = "clock_mhz";
}  // namespace path

/// Every quantity that is compared, in the order of reports.
const std::vector<Quantity>& quantities();

/// Recorded as well: the SMs' clock is this divided by the time.
inline constexpr const char* cycles_metric = "sm__cycles_elapsed.max";

/// The unit of a metric of any source; nothing for a metric that none names.
std::optional<Unit> unit_of(std::string_view metric);

/// True for a label of the page details that stands for two metrics, where it is a share of a peak: which peak it is,
/// is not said.
bool is_share_of_peak(std::string_view metric, std::string_view unit_text);

/// "lts__t_sectors_op_write.sum x 32 B + lts__t_sectors_op_red.sum x 32 B"; of a share "... / ...".
std::string name_of(const Source& source, Grouping grouping);

}  // namespace profile
