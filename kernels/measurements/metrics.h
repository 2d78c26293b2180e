// The table of the hardware's counters: their names, what they are in the program's units, what each stands beside.
// Names are those of CUPTI and Nsight Compute, the same on every chip of the list; a test asks CUPTI for each pair.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace measurements {

/// A metric of the hardware and the quantity of the program that it measures.
struct Metric {
  const char* name;
  const char* unit;      ///< of the metric
  double factor;         ///< value x factor is in `our_unit`
  const char* our_unit;  ///< bytes, us, exponentials, or the metric's own
  const char* meaning;
  double tolerance;  ///< of the difference, as a part of what was simulated
  const char* more;  ///< what may make the hardware count more than the program, "" where nothing is known
  const char* less;
  const char* quantity = "";  ///< of sim/catalogue/quantities that has it beside it; "" for none
};

/// What is read in a run on a GPU.
const std::vector<Metric>& metrics();
const std::vector<std::string>& metric_names();

/// Whether it stands beside the predicted time.
bool is_time(const Metric& metric);

/// The metric beside a quantity, or null.
const Metric* metric_beside(std::string_view quantity);

/// "lts__t_sectors_srcunit_tex_op_write.sum x 32 B"; for the quantities that only Nsight Compute measures its name for
/// them, for the others "".
std::string metric_text(std::string_view quantity);

/// A chip as CUPTI calls it, and cards that have it.
struct Chip {
  const char *name, *cards;
};
const std::vector<Chip>& chips();

}  // namespace measurements
