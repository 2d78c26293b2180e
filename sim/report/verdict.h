// Verdict of a kernel against its program as rows, and the one table of them that the terminal and Python show. The
// explorer, which has a column for each device, writes the numbers alike.
#pragma once
#include <algorithm>
#include <cmath>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/numbers.h"

namespace report {

/// One quantity, simulated and measured. `quantity` is its path in the JSON of simulate, or error.X, sectors.X.read,
/// sectors.X.write, wavefronts, memory.peak, races, time, run.
struct VerdictRow {
  std::string quantity, unit;
  double simulated = 0, measured = 0;
  double tolerance = 0;  ///< allowed difference
  bool ok = true;
  std::string cause = {};  ///< cause of the difference, as text; "" if there is nothing to explain
  bool missing = false;    ///< not measured, for this cause; `measured` is then 0 and meaningless
  bool recorded = false;   ///< not measured in this run but recorded on a GPU, as the cause tells
  double difference() const { return measured - simulated; }
  /// True if a passing row is outside its tolerance: a prediction may be off without failing.
  bool is_outside() const { return ok && !missing && std::abs(difference()) > tolerance; }
};

struct Verdict {
  std::string device;
  std::vector<VerdictRow> rows;
  bool ok() const {
    return std::all_of(rows.begin(), rows.end(), [](const VerdictRow& row) { return row.ok; });
  }
};

/// Returns a number of the row of a quantity: a time with one decimal, an error as "1.2e-04", a count as "12,288".
std::string verdict_number(std::string_view quantity, double value);

/// Returns the table of a verdict; the column of causes is left out if no row has one.
Table verdict_table(const std::vector<VerdictRow>& rows);

/// Returns the contract's object: `{"device", "ok", "rows": [{"quantity", "unit", "simulated", "measured",
/// "difference", "tolerance", "ok", "cause"}]}`. Counts are whole numbers; an infinite error is null, and so are
/// measured and difference of a row that could not be measured.
nlohmann::ordered_json verdict_json(const Verdict& verdict);

/// Returns the rows of such an object, in which a null number is infinite unless the row was not measured.
std::vector<VerdictRow> verdict_rows(const nlohmann::ordered_json& rows);

}  // namespace report
