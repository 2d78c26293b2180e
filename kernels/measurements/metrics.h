// Table of the hardware counters: their names, their factors to the program's units, the quantities they measure. Names
// are those of CUPTI and Nsight Compute, equal on every chip of the list; a test asks CUPTI for each pair.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace measurements {

/// A hardware metric and the quantity of the program that it measures.
struct Metric {
  const char* name;
  const char* unit;      ///< unit of the metric
  double factor;         ///< value x factor is in `our_unit`
  const char* our_unit;  ///< bytes, us, exponentials, or the metric's own
  const char* meaning;
  double tolerance;  ///< allowed difference, as a fraction of the simulated number
  const char* more;  ///< reason why the hardware may count more than the program; "" if none is known
  const char* less;
  const char* quantity = "";  ///< path in sim/catalogue/quantities; "" if none matches
};

/// Metrics that a run on a GPU reads.
const std::vector<Metric>& metrics();
const std::vector<std::string>& metric_names();

/// True if it is compared with the predicted time.
bool is_time(const Metric& metric);

/// The metric of a quantity, or null.
const Metric* metric_beside(std::string_view quantity);

/// "lts__t_sectors_srcunit_tex_op_write.sum x 32 B"; for a quantity that only Nsight Compute measures, its name there;
/// "" for others.
std::string metric_text(std::string_view quantity);

/// CUPTI's name of a chip, and cards that have it.
struct Chip {
  const char *name, *cards;
};
const std::vector<Chip>& chips();

}  // namespace measurements
