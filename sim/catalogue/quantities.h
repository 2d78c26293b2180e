// The quantities of a run, a row for each kind: where the JSON has it, its unit, and where on the machine it is
// counted. Their values and how they come about: run_values.
#pragma once
#include <span>
#include <string_view>

namespace sim {

struct RunQuantity {
  std::string_view path;  ///< in the JSON; T stands for a tensor, N for a number from 0, C for a cause, O for an option
  std::string_view unit;  ///< "" where the row of an option has it
  std::string_view level;  ///< "SRAM", "L2", "HBM", "SMEM", "SM", "GPU"; "-" for none
  std::string_view meaning;
  std::string_view metric = {};   ///< of a GPU that counts it: a counter's name, or words where it is no plain sum
  bool counter = false;           ///< `flashscope counters` lists it; of two directions one stands for both
  bool column = false;            ///< of the tables of `compare` and `sweep`
  std::string_view written = {};  ///< for people, where the unit does not say how: "KiB", "share" or "error"
};

/// In the order of `flashscope counters`.
std::span<const RunQuantity> quantities();

/// The row of a path such as "hbm_traffic.by_tensor.Q.read_bytes"; null for none.
const RunQuantity* find_quantity(std::string_view path);

/// The row that a counter of a GPU stands beside; null for none.
const RunQuantity* quantity_of_metric(std::string_view metric);

/// The unit of a number of a run; Error for a path that is in no row.
std::string_view unit_of_quantity(std::string_view path);

/// As counters and tables write a unit: "us" for microseconds.
std::string_view short_unit(std::string_view unit);

}  // namespace sim
