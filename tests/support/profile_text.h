// Files in the format of Nsight Compute, with synthetic numbers: no GPU was measured.
#pragma once
#include <string>
#include <vector>

namespace profile_text {

struct Cell {
  std::string metric, unit, value;
};

/// Measured figures of one launch.
struct Launch {
  std::string id, kernel;
  std::vector<Cell> cells;
};

inline std::string line(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += (text.empty() ? "\"" : ",\"") + cell + "\"";
  return text + "\n";
}

inline const std::vector<std::string> identity = {"ID",      "Process ID", "Process Name", "Host Name", "Kernel Name",
                                                  "Context", "Stream",     "Block Size",   "Grid Size", "Device",
                                                  "CC"};

inline std::vector<std::string> identity_of(const Launch& launch) {
  return {launch.id, "77", "app", "host", launch.kernel, "1", "7", "(128, 1, 1)", "(8, 1, 1)", "0", "9.0"};
}

inline std::vector<std::string> with(std::vector<std::string> cells, const std::vector<std::string>& more) {
  cells.insert(cells.end(), more.begin(), more.end());
  return cells;
}

/// One row per launch; all launches have the metrics of the first.
inline std::string raw(const std::vector<Launch>& launches) {
  std::vector<std::string> names, units;
  for (const Cell& cell : launches.front().cells) {
    names.push_back(cell.metric);
    units.push_back(cell.unit);
  }
  std::string text = line(with(identity, names)) + line(with(std::vector<std::string>(identity.size()), units));
  for (const Launch& launch : launches) {
    std::vector<std::string> values;
    for (const Cell& cell : launch.cells) values.push_back(cell.value);
    text += line(with(identity_of(launch), values));
  }
  return text;
}

/// One row per launch and metric.
inline std::string details(const std::vector<Launch>& launches) {
  std::string text = line(with(identity, {"Section Name", "Metric Name", "Metric Unit", "Metric Value"}));
  for (const Launch& launch : launches) {
    for (const Cell& cell : launch.cells)
      text += line(with(identity_of(launch), {"Command line profiler metrics", cell.metric, cell.unit, cell.value}));
  }
  return text;
}

}  // namespace profile_text
