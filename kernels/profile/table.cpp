#include "kernels/profile/table.h"

#include <algorithm>

#include "kernels/profile/profile.h"
#include "sim/base/check.h"
#include "sim/base/csv.h"
#include "sim/base/printable.h"

namespace profile {
namespace {

/// Walks the lines of a text.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    return true;
  }
  std::string_view line() const { return line_; }
  std::int64_t number() const { return number_; }

 private:
  std::string_view rest_, line_;
  std::int64_t number_ = 0;
};

bool is_header(std::string_view line) { return line.starts_with("\"ID\",") || line.starts_with("ID,"); }

/// Files that people take for a CSV.
void refuse_other_formats(std::string_view text, const std::string& origin) {
  sim::require(!text.empty(), origin, ": is empty: expected a CSV of Nsight Compute");
  sim::require(!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF"), origin,
               ": is UTF-16: write it with ncu --log-file, or save it as UTF-8");
  sim::require(!text.starts_with("NVR"), origin,
               ": is a report: write its CSV with ncu --import FILE --csv --page raw --print-units base");
}

[[noreturn]] void complain_no_header(std::string_view text, const std::string& origin) {
  const bool forbidden = text.find("ERR_NVGPUCTRPERM") != std::string_view::npos;
  throw sim::Error(origin + ": no line begins with \"ID\", so it is no CSV of Nsight Compute" +
                   (forbidden ? "; it says ERR_NVGPUCTRPERM: counters need permission on that machine"
                              : "; flashscope counters --ncu prints the command that records one"));
}

/// Whether a line below the header belongs to the table, and not to what the profiler or the program printed. The
/// profiler quotes every cell.
bool is_row(std::string_view line, bool quoted_table) {
  if (line.empty() || line.starts_with("==")) return false;
  return !quoted_table || line.front() == '"';
}

void check_columns(const ProfileTable& table, std::int64_t line) {
  std::vector<std::string> names = table.columns;
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  sim::require(twice == names.end(), table.origin, ":", line, ": column ",
               quoted(twice == names.end() ? std::string_view() : *twice), " is there twice");
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Quoted& quoted) { return out << sim::quoted(quoted.text, 40); }

std::ostream& operator<<(std::ostream& out, const FileLine& place) {
  return out << place.origin << ":" << place.line << ": ";
}

std::optional<std::size_t> ProfileTable::find(std::string_view column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  return found == columns.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - columns.begin()));
}

std::size_t ProfileTable::column(std::string_view name) const {
  const auto found = find(name);
  sim::require(found.has_value(), origin, ": has no column \"", name, "\": expected a CSV of Nsight Compute, page ",
               "raw or details");
  return *found;
}

ProfileTable parse_table(std::string_view text, const std::string& origin) {
  sim::require(static_cast<std::int64_t>(text.size()) <= longest_profile, origin, ": has ", text.size(),
               " bytes, more than ", longest_profile);
  refuse_other_formats(text, origin);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  ProfileTable table;
  table.origin = origin;
  Lines lines(text);
  const auto cells = [&] {
    return sim::csv_cells(lines.line(), sim::text(origin, ":", lines.number(), ": "), longest_cell);
  };
  do {
    if (!lines.next()) complain_no_header(text, origin);
  } while (!is_header(lines.line()));
  const std::string header(lines.line());
  table.columns = cells();
  check_columns(table, lines.number());
  while (lines.next()) {
    if (!is_row(lines.line(), header.front() == '"') || lines.line() == header) continue;
    table.rows.push_back({lines.number(), cells()});
    sim::require(table.rows.back().cells.size() == table.columns.size(), origin, ":", lines.number(), ": has ",
                 table.rows.back().cells.size(), " cells, expected ", table.columns.size(), " as in the header");
  }
  return table;
}

}  // namespace profile
