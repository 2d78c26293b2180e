// Numbers in tables of runs, by short names: "hbm-traffic" is "HBM traffic after L2", hbm_traffic in JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/catalogue/run_values.h"

namespace results {

/// A number of each run, or the sum of bytes read and written at a path.
struct TableNumber {
  std::string name, title, path;
  std::string brief = title;  ///< short title: "HBM traffic"

  /// Unit of the numbers, as report::text_in takes it.
  std::string unit() const;

  /// Returns a value in this unit; of exponentials, which the title names, the count alone.
  std::string text(double value) const;
};

/// Numbers that have a short name (sim/catalogue/quantities.h), in the order of tables.
const std::vector<TableNumber>& table_numbers();

/// The default columns of CSV: exact_quantities() by their paths.
std::vector<TableNumber> exact_numbers();

/// Reads a list such as "hbm-traffic,time.budget.issue": short names, or paths of JSON. Throws Error for an unknown or
/// repeated one. `more`: further names that the caller accepts, returned unchanged. `what`: the term used in errors.
std::vector<TableNumber> chosen_numbers(const std::string& list, const std::vector<std::string>& more = {},
                                        std::string_view what = "column");

/// The value of a run at the path of a TableNumber; null if it has none, for example for a tensor that the run lacks.
nlohmann::ordered_json number_in(const std::vector<sim::PathValue>& run, const std::string& path);

/// Throws Error for a number that no run has, such as the bytes of a tensor that none of them moves.
void require_numbers(const std::vector<TableNumber>& numbers, const std::vector<std::vector<sim::PathValue>>& runs);

/// Names of the available columns, for the help of an option.
std::string column_help(const std::vector<std::string>& more);

}  // namespace results
