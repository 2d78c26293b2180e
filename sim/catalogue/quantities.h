// The quantities of a run, one row for each kind: its JSON path, its unit, the level of the machine where it is
// counted, and its name and title in tables. run_values has their values and derivations.
#pragma once
#include <span>
#include <string_view>

namespace sim {

/// Name of a number in tables of runs.
struct TableName {
  std::string_view name = {};   ///< short, for --columns: "hbm-traffic"; "" if tables know the number by its path alone
  std::string_view title = {};  ///< "HBM traffic after L2"; one that begins with two blanks is a part of the one above
  std::string_view brief = title;  ///< short title: "HBM traffic"
};

struct RunQuantity {
  std::string_view path;   ///< JSON path; T is a tensor, N a number from 0, C a cause, O an option
  std::string_view unit;   ///< "" if an option's row defines it
  std::string_view level;  ///< "SRAM", "L2", "HBM", "SMEM", "SM", "GPU"; "-" if there is none
  std::string_view meaning;
  std::string_view metric = {};   ///< GPU counter of the quantity: its name, or a description if it is not a plain sum
  bool counter = false;           ///< listed by `flashscope counters`; one direction represents both
  bool column = false;            ///< a column of the tables of `compare` and `sweep`
  std::string_view written = {};  ///< format for people, if the unit does not determine it: "KiB", "share" or "error"
  TableName named = {};           ///< the number itself
  TableName sum = {};             ///< sum of bytes read and written; in the row of those read
};

/// All rows, in the order of `flashscope counters`.
std::span<const RunQuantity> quantities();

/// Returns the row of a path such as "hbm_traffic.by_tensor.Q.read_bytes"; null if there is none.
const RunQuantity* find_quantity(std::string_view path);

/// Returns the row that a GPU counter measures; null if there is none.
const RunQuantity* quantity_of_metric(std::string_view metric);

/// Returns the unit of a run's number; throws Error if no row has the path.
std::string_view unit_of_quantity(std::string_view path);

/// Returns a unit as counters and tables write it: "us" for microseconds.
std::string_view short_unit(std::string_view unit);

}  // namespace sim
