#include "kernels/profile/profile.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "kernels/profile/metric.h"
#include "kernels/profile/table.h"
#include "sim/base/check.h"

namespace profile {
namespace {

/// Sections of the details page repeat a metric, at times in another unit and so with different rounding.
bool same(const std::optional<Reading>& a, const std::optional<Reading>& b) {
  if (!a || !b) return !a && !b;
  return std::abs(a->value - b->value) <= a->rounding + b->rounding;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Fills a profile from a table of either layout.
class ProfileReader {
 public:
  explicit ProfileReader(const ProfileTable& table)
      : table_(table),
        id_(table.column("ID")),
        kernel_(table.column("Kernel Name")),
        process_(table.find("Process ID")),
        capability_(table.find("CC")),
        grid_(table.find("Grid Size")),
        block_(table.find("Block Size")),
        details_(table.find("Metric Name").has_value()) {
    profile_.origin = table.origin;
    find_columns();
  }

  Profile read() {
    for_each_cell([this](const TableRow& row, const Cell& cell) { learn(row, cell); });
    if (!details_) check_raw_rows();
    for (const TableRow& row : table_.rows) {
      if (&row != units_) launch_of(row);
    }
    for_each_cell([this](const TableRow& row, const Cell& cell) { add(row, launch_of(row), cell); });
    sim::require(!profile_.launches.empty(), table_.origin, ": has a header but no launches");
    return std::move(profile_);
  }

 private:
  struct Cell {
    const std::string &metric, &unit, &value;
  };

  /// Calls visit(row, cell) for each cell that holds a metric's value.
  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    static const std::string no_unit;
    for (const TableRow& row : table_.rows) {
      if (&row == units_) continue;
      if (details_) {  // advice of a rule has no metric
        const Cell cell{row.cells[name_], row.cells[unit_], row.cells[value_]};
        if (!cell.metric.empty()) visit(row, cell);
        continue;
      }
      for (std::size_t c = 0; c < table_.columns.size(); ++c) {
        if (is_metric_[c])
          visit(row, Cell{table_.columns[c], units_ == nullptr ? no_unit : units_->cells[c], row.cells[c]});
      }
    }
  }

  /// Finds the columns. On the raw page, metrics have two underscores in their names, or are known names. The remaining
  /// columns identify the launch.
  void find_columns() {
    if (details_) {
      name_ = table_.column("Metric Name");
      unit_ = table_.column("Metric Unit");
      value_ = table_.column("Metric Value");
      return;
    }
    for (const std::string& column : table_.columns)
      is_metric_.push_back(column.find("__") != std::string::npos || unit_of(column).has_value());
    if (!table_.rows.empty() && table_.rows.front().cells[id_].empty()) units_ = &table_.rows.front();
  }

  void check_raw_rows() const {
    std::map<std::pair<std::string, std::string>, std::int64_t> first;
    for (const TableRow& row : table_.rows) {
      if (&row == units_) continue;
      const std::string& id = row.cells[id_];
      sim::require(!id.empty(), table_.place(row),
                   "a launch without an ID: only the row of units, below the header, has none");
      const auto [place, added] = first.try_emplace({process_of(row), id}, row.line);
      sim::require(added, table_.place(row), "launch ", quoted(id), " occurs twice, first in line ", place->second);
    }
  }

  std::string process_of(const TableRow& row) const { return process_ ? row.cells[*process_] : ""; }

  /// Skips device properties, which are texts of the driver.
  void learn(const TableRow& row, const Cell& cell) {
    if (cell.metric.starts_with("device__")) return;
    if (style_.learn(cell.value, is_count(cell.metric, cell.unit))) return;
    throw sim::Error(table_.place(row), cell.metric, ": ", quoted(cell.value),
                     " has a point or a comma that means something else than in the numbers above it: record "
                     "the file again with LC_ALL=C in front of ncu");
  }

  /// The launch of a row, added if its ID is new. Each process numbers its launches separately.
  Launch& launch_of(const TableRow& row) {
    const std::string &id = row.cells[id_], &kernel = row.cells[kernel_];
    sim::require(!id.empty(), table_.place(row), "ID: is empty: expected the number of a launch");
    sim::require(is_number(id), table_.place(row), "ID: ", quoted(id), " is not the number of a launch");
    const auto [place, added] = places_.try_emplace({process_of(row), id}, profile_.launches.size());
    if (added) {
      const auto text = [&](const std::optional<std::size_t>& column) { return column ? row.cells[*column] : ""; };
      profile_.launches.push_back({id, kernel, text(capability_), row.line, {}, text(grid_), text(block_)});
    }
    Launch& launch = profile_.launches[place->second];
    sim::require(launch.kernel == kernel, table_.place(row), "launch ", quoted(id), " is of ", quoted(kernel),
                 ", in line ", launch.line, " of ", quoted(launch.kernel));
    return launch;
  }

  void add(const TableRow& row, Launch& launch, const Cell& cell) {
    note_shape(launch, cell);
    const std::optional<Unit> unit = is_share_of_peak(cell.metric, cell.unit) ? std::nullopt : unit_of(cell.metric);
    if (!unit) return note_unknown(cell.metric);
    try {
      const std::optional<Reading> reading = parse_reading(cell.value, cell.unit, *unit, style_);
      const auto [known, added] = launch.readings.try_emplace(cell.metric, reading);
      sim::require(added || same(known->second, reading), "launch ", quoted(launch.id),
                   " has it twice, with different numbers");
    } catch (const sim::Error& error) {
      throw sim::Error(table_.place(row), cell.metric, ": ", error);
    }
  }

  /// Takes grid and block from metrics: files of older versions have no columns for them.
  void note_shape(Launch& launch, const Cell& cell) const {
    if (!grid_ && (cell.metric == "launch__grid_size" || cell.metric == "Grid Size")) launch.grid = cell.value;
    if (!block_ && (cell.metric == "launch__block_size" || cell.metric == "Block Size")) launch.block = cell.value;
  }

  void note_unknown(const std::string& metric) {
    if (unknown_.insert(metric).second) profile_.unknown.push_back(metric);
  }

  const ProfileTable& table_;
  std::size_t id_, kernel_, name_ = 0, unit_ = 0, value_ = 0;
  std::optional<std::size_t> process_, capability_, grid_, block_;
  bool details_;                     ///< layout: the details page, else raw
  std::vector<bool> is_metric_;      ///< by column, on the raw page
  const TableRow* units_ = nullptr;  ///< on the raw page
  NumberStyle style_;
  Profile profile_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  ///< index of a launch, by process and ID
  std::set<std::string> unknown_;
};

bool fits(const Launch& launch, const std::string& choice) {
  return is_number(choice) ? launch.id == choice : launch.kernel.find(choice) != std::string::npos;
}

std::string some_names(const Profile& profile) {
  constexpr std::size_t most = 5;
  std::string names;
  for (std::size_t n = 0; n < std::min(most, profile.launches.size()); ++n) {
    const Launch& launch = profile.launches[n];
    names += sim::text(n == 0 ? "" : ", ", quoted(launch.id), " ", quoted(launch.kernel));
  }
  return names + (profile.launches.size() > most ? ", ..." : "");
}

}  // namespace

Profile parse_profile(std::string_view text, const std::string& origin) {
  const ProfileTable table = parse_table(text, origin);
  return ProfileReader(table).read();
}

std::vector<const Launch*> choose_launches(const Profile& profile, const std::vector<std::string>& choices) {
  for (const std::string& choice : choices) {
    const bool any = !choice.empty() && std::any_of(profile.launches.begin(), profile.launches.end(),
                                                    [&](const Launch& launch) { return fits(launch, choice); });
    sim::require(any, "launch: ", quoted(choice), " fits no launch of ", profile.origin, ", which has ",
                 some_names(profile));
  }
  std::vector<const Launch*> chosen;
  for (const Launch& launch : profile.launches) {
    const bool taken = choices.empty() || std::any_of(choices.begin(), choices.end(),
                                                      [&](const std::string& choice) { return fits(launch, choice); });
    if (taken) chosen.push_back(&launch);
  }
  return chosen;
}

}  // namespace profile
