#include "kernels/profile/table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/profile/command.h"
#include "kernels/profile/profile.h"
#include "sim/base/check.h"
#include "sim/base/csv.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace profile {
namespace {

// Lines of a file, without the profiler's own messages.

/// Iterates over the lines of a text. Skips those that begin with "==PROF==", "==WARNING==" and the like, also inside a
/// cell of several lines.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next();
  std::string_view line() const { return line_; }  ///< without its end
  std::int64_t number() const { return number_; }  ///< from 1

 private:
  std::string_view rest_, line_;
  std::int64_t number_ = 0;
};

bool is_of_profiler(std::string_view line) {
  if (!line.starts_with("==")) return false;
  const std::size_t end = line.find("==", 2);
  return end != std::string_view::npos && end > 2 &&
         std::all_of(line.begin() + 2, line.begin() + static_cast<std::ptrdiff_t>(end),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); });
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      byte(0xE0 | code >> 12);
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
    }
    byte(0x80 | (code >> 6 & 0x3F));
  }
  byte(0x80 | (code & 0x3F));
}

/// Decodes UTF-16, two bytes per unit, low or high byte first; two units for code points beyond 2^16.
std::string from_utf16(std::string_view text, bool low_first) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]), second = static_cast<unsigned char>(text[at + 1]);
    return static_cast<std::uint32_t>(low_first ? first | second << 8 : second | first << 8);
  };
  std::string out;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    std::uint32_t code = unit(at);
    if (code >= 0xD800 && code < 0xDC00 && at + 3 < text.size() && unit(at + 2) >= 0xDC00 && unit(at + 2) < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (unit(at + 2) - 0xDC00);
      at += 2;
    }
    append_utf8(out, code);
  }
  return out;
}

/// Converts the file to UTF-8 without a byte order mark: PowerShell writes UTF-16.
std::string in_utf8(std::string_view text) {
  if (text.starts_with("\xFF\xFE")) return from_utf16(text.substr(2), true);
  if (text.starts_with("\xFE\xFF")) return from_utf16(text.substr(2), false);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return std::string(text);
}

bool Lines::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    while (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    if (!is_of_profiler(line_)) return true;
  }
  return false;
}

// Tables.

bool is_header(std::string_view line) { return line.starts_with("\"ID\",") || line.starts_with("ID,"); }

/// Rejects files that users mistake for a CSV.
void refuse_other_formats(std::string_view text, const std::string& origin) {
  sim::require(!text.empty(), origin, ": is empty: expected a CSV of Nsight Compute");
  sim::require(!text.starts_with("NVR"), origin, ": is a report of Nsight Compute, not text: write its CSV with ",
               export_command(origin));
  sim::require(!text.starts_with("SQLite format 3"), origin, times_of_systems);
}

/// True if a line of the text begins with `start`.
bool has_line(std::string_view text, const std::string& start) {
  return text.starts_with(start) || text.find("\n" + start) != std::string_view::npos;
}

/// Rejects tables of Nsight Systems, and those of Nsight Compute that a spreadsheet has written again.
void refuse_other_tables(std::string_view text, const std::string& origin) {
  using Separator = std::pair<const char*, const char*>;
  for (const auto& [separator, name] : {Separator{";", "semicolons"}, {"\t", "tabs"}, {"|", "bars"}}) {
    const bool found = has_line(text, sim::text("ID", separator)) || has_line(text, sim::text("\"ID\"", separator));
    sim::require(!found, origin, ": its cells are separated by ", name,
                 ", not by commas, as a spreadsheet writes them: ",
                 "take the file as ncu has written it, or the CSV of its report: ", export_command("profile.ncu-rep"));
  }
  for (const char* words : {"Time (", "Time(%)", "Duration (", "NVTX Range", "CorrId"})
    sim::require(text.find(words) == std::string_view::npos, origin, times_of_systems);
}

[[noreturn]] void complain_no_header(std::string_view text, const std::string& origin) {
  const auto has = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
  if (has("\"Invocations\"") && has("\"Kernel Name\""))
    throw sim::Error(origin, ": is a summary over launches, whose median is not in it: record without --print-summary");
  if (has("No kernels were profiled"))
    throw sim::Error(origin,
                     ": reports that no kernel was profiled: check --kernel-name, --launch-skip and "
                     "--profile-from-start of the command that wrote it");
  refuse_other_tables(text, origin);
  throw sim::Error(origin, ": no line begins with \"ID\", so it is not a CSV file of Nsight Compute",
                   has("ERR_NVGPUCTRPERM") ? "; it contains ERR_NVGPUCTRPERM: counters need permission on that machine"
                                           : "; flashscope counters --ncu prints the command that records one");
}

/// Rejects duplicate column names, except those of NVTX ranges, which have a column each and may share a name.
void check_columns(const ProfileTable& table, std::int64_t line) {
  std::vector<std::string> names;
  std::copy_if(table.columns.begin(), table.columns.end(), std::back_inserter(names),
               [](const std::string& name) { return name.find(':') == std::string::npos && !name.empty(); });
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  sim::require(twice == names.end(), table.origin, ":", line, ": column ",
               quoted(twice == names.end() ? std::string_view() : *twice), " occurs twice");
}

/// Reads the header and the rows.
class TableReader {
 public:
  TableReader(std::string_view text, const std::string& origin) : text_(text), lines_(text) { table_.origin = origin; }

  ProfileTable read() {
    do {
      if (!lines_.next()) complain_no_header(text_, table_.origin);
    } while (!is_header(lines_.line()));
    const std::string header(lines_.line());
    quoted_ = header.front() == '"';
    table_.columns = cells();
    check_columns(table_, lines_.number());
    needed_ = cells_needed();
    while (lines_.next()) {
      if (lines_.line() == header) continue;
      sim::require(!is_header(lines_.line()), table_.origin, ":", lines_.number(),
                   ": a second table begins here, with other columns: give each its own file");
      if (is_row(lines_.line())) add_row();
    }
    return std::move(table_);
  }

 private:
  /// Number of cells a row needs: all on the raw page; on the details page those up to the metric's value.
  std::size_t cells_needed() const {
    std::size_t needed = 0;
    for (const char* column : {"ID", "Kernel Name", "Metric Name", "Metric Unit", "Metric Value"})
      needed = std::max(needed, table_.find(column).value_or(0) + 1);
    return table_.find("Metric Name") ? needed : table_.columns.size();
  }

  /// True if a line below the header belongs to the table: it begins with a launch number, or with an empty cell as the
  /// row of units does. The program's output is in the file as well, unless it is a log file.
  bool is_row(std::string_view line) const {
    const bool quote = line.starts_with('"');
    if (quoted_ && !quote) return false;
    std::size_t end = quote ? 1 : 0;
    while (end < line.size() && sim::is_digit(line[end])) ++end;
    if (line.substr(end).starts_with(quote ? "\"," : ",")) return true;
    std::size_t cells = 1;  // so that a row with a damaged number is not skipped
    for (std::size_t at = 0; quote && (at = line.find("\",\"", at)) != std::string_view::npos; at += 3) ++cells;
    return cells >= needed_;
  }

  void add_row() {
    TableRow row{lines_.number(), cells()};
    const std::size_t columns = table_.columns.size();
    while (row.cells.size() > columns && row.cells.back().empty()) row.cells.pop_back();
    sim::require(row.cells.size() >= needed_ && row.cells.size() <= columns, table_.place(row), "has ",
                 row.cells.size(), " cells, expected ", columns, " as in the header",
                 needed_ < columns ? ", or fewer after the metric's value" : "");
    row.cells.resize(columns);
    table_.rows.push_back(std::move(row));
  }

  /// Reads the cells of the row at the current line. Quoted cells may hold line ends, which become spaces, as do tabs.
  std::vector<std::string> cells() {
    const std::int64_t first = lines_.number();
    std::string row(lines_.line());
    bool open = std::count(row.begin(), row.end(), '"') % 2 != 0;
    while (open && row.size() <= longest_row && lines_.next()) {
      const std::string_view more = lines_.line();
      if (std::count(more.begin(), more.end(), '"') % 2 != 0) open = false;
      row.append(" ").append(more);
    }
    std::replace_if(
        row.begin(), row.end(), [](char c) { return c == '\t' || c == '\r'; }, ' ');
    const std::string_view trimmed = sim::trimmed(row);
    return sim::csv_cells(trimmed, sim::text(table_.origin, ":", first, ": "), longest_cell);
  }

  static constexpr std::size_t longest_row = std::size_t{1} << 20;

  std::string_view text_;
  Lines lines_;
  ProfileTable table_;
  std::size_t needed_ = 0;
  bool quoted_ = true;
};

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
  const std::string utf8 = in_utf8(text);
  return TableReader(utf8, origin).read();
}

}  // namespace profile
