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

/// Sections of the page details repeat a metric, at times in another unit and so rounded in another way.
bool same(const std::optional<Reading>& a, const std::optional<Reading>& b) {
  if (!a || !b) return !a && !b;
  return std::abs(a->value - b->value) <= a->rounding + b->rounding;
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
        details_(table.find("Metric Name").has_value()) {
    profile_.origin = table.origin;
  }

  Profile read() {
    if (details_)
      read_details();
    else
      read_raw();
    sim::require(!profile_.launches.empty(), table_.origin, ": has a header but no launches");
    return std::move(profile_);
  }

 private:
  void read_raw() {
    const TableRow* units = nullptr;
    for (const TableRow& row : table_.rows) {
      if (row.cells[id_].empty()) {
        sim::require(units == nullptr && profile_.launches.empty(), table_.place(row),
                     "a launch without an ID: only the row of units, below the header, has none");
        units = &row;
        continue;
      }
      Launch& launch = launch_of(row);
      sim::require(launch.line == row.line, table_.place(row), "launch ", quoted(launch.id),
                   " is there twice, first in line ", launch.line);
      for (std::size_t c = 0; c < table_.columns.size(); ++c) {
        if (c == id_ || c == kernel_) continue;
        add(row, launch, table_.columns[c], units == nullptr ? "" : units->cells[c], row.cells[c]);
      }
    }
  }

  void read_details() {
    const std::size_t name = table_.column("Metric Name"), unit = table_.column("Metric Unit"),
                      value = table_.column("Metric Value");
    for (const TableRow& row : table_.rows) {
      Launch& launch = launch_of(row);
      if (!row.cells[name].empty())  // a rule's advice has none
        add(row, launch, row.cells[name], row.cells[unit], row.cells[value]);
    }
  }

  /// The launch of a row, new where its ID is new. Processes count their launches each on its own.
  Launch& launch_of(const TableRow& row) {
    const std::string &id = row.cells[id_], &kernel = row.cells[kernel_];
    sim::require(!id.empty(), table_.place(row), "ID: is empty: expected the number of a launch");
    const auto [place, added] =
        places_.try_emplace({process_ ? row.cells[*process_] : "", id}, profile_.launches.size());
    if (added) profile_.launches.push_back({id, kernel, capability_ ? row.cells[*capability_] : "", row.line, {}});
    Launch& launch = profile_.launches[place->second];
    sim::require(launch.kernel == kernel, table_.place(row), "launch ", quoted(id), " is of ", quoted(kernel),
                 ", in line ", launch.line, " of ", quoted(launch.kernel));
    return launch;
  }

  void add(const TableRow& row, Launch& launch, const std::string& metric, const std::string& unit_text,
           const std::string& cell) {
    const std::optional<Unit> unit = unit_of(metric);
    if (!unit) return note_unknown(metric);
    try {
      const std::optional<Reading> reading = parse_reading(cell, unit_text, *unit);
      const auto [known, added] = launch.readings.try_emplace(metric, reading);
      sim::require(added || same(known->second, reading), "launch ", quoted(launch.id),
                   " has it twice, with different numbers");
    } catch (const sim::Error& error) {
      throw sim::Error(sim::text(table_.place(row), metric, ": ", error.what()));
    }
  }

  /// Columns that say which launch it is are no metrics. Those of the page raw have two underscores in their names.
  void note_unknown(const std::string& metric) {
    const bool is_metric = details_ || metric.find("__") != std::string::npos;
    if (is_metric && unknown_.insert(metric).second) profile_.unknown.push_back(metric);
  }

  const ProfileTable& table_;
  std::size_t id_, kernel_;
  std::optional<std::size_t> process_, capability_;
  bool details_;  ///< the page; else raw
  Profile profile_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  ///< of launches, by process and ID
  std::set<std::string> unknown_;
};

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

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
