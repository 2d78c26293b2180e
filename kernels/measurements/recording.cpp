#include "kernels/measurements/recording.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "kernels/measurements/metrics.h"
#include "sim/base/check.h"
#include "sim/base/csv.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"

namespace measurements {
namespace {

const std::vector<std::string> caches_names = {"cold", "warm", ""};

/// Columns after those of the scenario.
enum Column : std::size_t { caches, quantity, unit, value, low, high, runs, sm_mhz, watts };
const std::vector<std::string> figure_columns = {"caches", "quantity", "unit",   "value", "low",
                                                 "high",   "runs",     "sm_mhz", "watts"};

std::vector<std::string> all_columns() {
  std::vector<std::string> names = {"kernel"};
  names.insert(names.end(), scenario_columns().begin(), scenario_columns().end());
  names.insert(names.end(), figure_columns.begin(), figure_columns.end());
  return names;
}

/// Number of last scenario columns that earlier recordings lack: none of their scenarios had such a value.
constexpr std::ptrdiff_t later_columns = 10;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Adds the later columns that a table lacks, empty. Throws Error for a column that is not in the format.
void complete_columns(sim::CsvTable& table) {
  const std::vector<std::string> all = all_columns();
  for (const std::string& name : table.columns) {
    sim::require(contains(all, name), table.origin, ":1: ", sim::unknown_name_message("column", name, all));
  }
  const auto end = all.begin() + std::ssize(scenario_columns()) + 1;
  for (auto name = end - later_columns; name != end; ++name) {
    const std::ptrdiff_t at = name - all.begin();
    if (contains(table.columns, *name) || at > std::ssize(table.columns)) continue;
    table.columns.insert(table.columns.begin() + at, *name);
    for (sim::CsvTable::Row& row : table.rows) row.cells.insert(row.cells.begin() + at, "");
  }
}

std::size_t index_of(Column column) { return 1 + scenario_columns().size() + column; }

/// A key of the head and its target. The first ones are required.
struct Key {
  std::string_view name;
  std::string Recording::*value;
  bool required;
};
constexpr Key keys[] = {{"device", &Recording::device, true}, {"gpu", &Recording::gpu, false},
                        {"driver", &Recording::driver, true}, {"software", &Recording::software, false},
                        {"date", &Recording::date, true},     {"command", &Recording::command, true},
                        {"commit", &Recording::commit, true}};
constexpr std::string_view title = "# FlashScope recording 1";
constexpr std::size_t longest_value = 2000;

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

void read_key(Recording& recording, std::string_view line, const std::string& where) {
  const std::size_t colon = line.find(": ");
  sim::require(line.substr(0, 2) == "# " && colon != std::string_view::npos && line.size() <= longest_value, where,
               "expected \"# key: value\"");
  const bool printable =
      std::none_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
  sim::require(printable, where, "a control character: only printable text is allowed");
  const std::string_view name = line.substr(2, colon - 2);
  const auto key = std::find_if(std::begin(keys), std::end(keys), [&](const Key& k) { return k.name == name; });
  if (key == std::end(keys)) {
    std::vector<std::string> allowed;
    for (const Key& k : keys) allowed.emplace_back(k.name);
    throw sim::Error(where, sim::unknown_name_message("key", std::string(name.substr(0, 100)), allowed));
  }
  const std::string_view value = line.substr(colon + 2);
  sim::require((recording.*key->value).empty(), where, name, " is given more than once");
  recording.*key->value = value;
}

/// Reads the lines before the table; returns their number.
std::int64_t read_head(Recording& recording, std::string_view& text) {
  sim::require(take_line(text) == title, recording.origin, ":1: is not a recording: expected \"", title, "\"");
  std::int64_t lines = 1;
  while (!text.empty() && text[0] == '#') {
    ++lines;
    read_key(recording, take_line(text), sim::text(recording.origin, ":", lines, ": "));
  }
  for (const Key& key : keys) {
    sim::require(!key.required || !(recording.*key.value).empty(), recording.origin, ": has no \"# ", key.name,
                 ": ...\"");
  }
  return lines;
}

/// Parses a number as C writes it, finite and from 0 to the largest 64-bit count.
double number(const std::string& where, const std::string& word) {
  const bool plain =
      !word.empty() && word.size() <= 30 && word.find_first_not_of("0123456789.e+-") == std::string::npos;
  constexpr double most = 1e18;
  char* end = nullptr;
  const double number = plain ? std::strtod(word.c_str(), &end) : -1;
  sim::require(plain && *end == '\0' && number >= 0 && number <= most, where, "\"", word.substr(0, 100),
               "\" is not a number from 0 to ", most);
  return number;
}

std::optional<double> optional_number(const std::string& where, const std::string& word) {
  return word.empty() ? std::nullopt : std::optional<double>(number(where, word));
}

sim::OptionValues options_in(const sim::CsvTable::Row& row, const std::string& where) {
  sim::OptionValues options;
  for (std::size_t c = 0; c < scenario_columns().size(); ++c) {
    if (!row.cells[c + 1].empty()) options[scenario_columns()[c]] = row.cells[c + 1];
  }
  const auto pattern = options.find("pattern");
  sim::require(pattern == options.end() || !sim::names_picture(pattern->second), where,
               "pattern: a recording cannot hold a picture");
  const auto lengths = options.find("seqlens");
  sim::require(lengths == options.end() || !sim::names_sequence_file(lengths->second), where,
               "seqlens: a recording holds the lengths themselves, not the name of a file");
  return options;
}

/// Resolves options for a GPU; empty for a ceiling, or if the GPU has no table.
std::optional<sim::Scenario> resolved(const sim::OptionValues& options, const std::string& gpu,
                                      const std::string& where) {
  if (options.count("algorithm") == 0) return std::nullopt;
  try {
    sim::OptionValues all = options;
    const auto find = [](const std::string& name) { return sim::built_in_gpu(name); };
    if (!gpu.empty()) all["gpu"] = gpu;
    const sim::Scenario scenario = sim::scenario_from(all, find);
    return gpu.empty() ? std::nullopt : std::optional<sim::Scenario>(scenario);
  } catch (const sim::Error& error) {
    throw sim::Error(where, error);
  }
}

/// Required unit of a quantity; "" if any name is accepted.
std::string_view unit_of(std::string_view quantity) {
  if (quantity == time_quantity) return "us";
  if (quantity == matmul_quantity) return "TFLOP/s";
  if (quantity == copy_quantity) return "GB/s";
  for (const measurements::Metric& metric : measurements::metrics()) {
    if (quantity == metric.name) return metric.unit;
  }
  return "";
}

Figure read_figure(const sim::CsvTable& table, const sim::CsvTable::Row& row, const std::string& gpu) {
  const auto cell = [&](Column c) -> const std::string& { return row.cells[index_of(c)]; };
  const auto where = [&](Column c) { return table.place(row, index_of(c)); };
  Figure f;
  f.line = row.line;
  f.kernel = row.cells[0];
  sim::require(!f.kernel.empty(), table.place(row, 0), "is empty: expected what ran");
  const std::string line = sim::text(table.origin, ":", row.line, ": ");
  f.options = options_in(row, line);
  f.scenario = resolved(f.options, gpu, line);
  const auto state = std::find(caches_names.begin(), caches_names.end(), cell(caches));
  sim::require(state != caches_names.end(), where(caches), "\"", cell(caches).substr(0, 100),
               "\" is unknown: allowed are cold, warm and nothing");
  f.caches = static_cast<Caches>(state - caches_names.begin());
  f.quantity = cell(quantity);
  f.unit = cell(unit);
  sim::require(!f.quantity.empty(), where(quantity), "is empty: expected time or the name of a counter");
  const std::string_view expected = unit_of(f.quantity);
  sim::require(expected.empty() || f.unit == expected, where(unit), "\"", f.unit.substr(0, 100),
               "\" is not the unit of ", f.quantity, ", which is ", expected);
  f.value = number(where(value), cell(value));
  sim::require(f.quantity != time_quantity || f.value > 0, where(value), "is 0: a time takes longer");
  f.low = number(where(low), cell(low));
  f.high = number(where(high), cell(high));
  sim::require(f.low <= f.value && f.value <= f.high, where(value), "is not between low and high");
  f.runs = sim::parse_whole_number(where(runs), cell(runs), 1, 1'000'000'000);
  f.sm_mhz = optional_number(where(sm_mhz), cell(sm_mhz));
  sim::require(f.sm_mhz.value_or(0) <= 10'000, where(sm_mhz), "is above 10000 MHz");
  f.watts = optional_number(where(watts), cell(watts));
  return f;
}

std::string number_text(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

std::string row_text(const Figure& f) {
  std::vector<std::string> cells = {f.kernel};
  for (const std::string& name : scenario_columns()) {
    const auto found = f.options.find(name);
    cells.push_back(found == f.options.end() ? "" : found->second);
  }
  const auto optional = [](const std::optional<double>& n) { return n ? number_text(*n) : ""; };
  const std::string last[] = {std::string(name_of(f.caches)),
                              f.quantity,
                              f.unit,
                              number_text(f.value),
                              number_text(f.low),
                              number_text(f.high),
                              sim::text(f.runs),
                              optional(f.sm_mhz),
                              optional(f.watts)};
  cells.insert(cells.end(), std::begin(last), std::end(last));
  std::string row;
  for (const std::string& cell : cells) row += (&cell == cells.data() ? "" : ",") + sim::csv_field(cell);
  return row + "\n";
}

}  // namespace

std::string_view name_of(Caches caches) { return caches_names.at(static_cast<std::size_t>(caches)); }

const std::vector<std::string>& scenario_columns() {
  static const std::vector<std::string> names = {
      "algorithm", "pass",   "batch",   "heads",   "kv-heads", "seqlen-q",  "seqlen-k", "head-dim", "dtype",
      "causal",    "window", "padding", "dropout", "br",       "bc",        "splits",   "pattern",  "seqlens",
      "issue",     "prefix", "softcap", "alibi",   "sink",     "page-size", "partition"};
  return names;
}

sim::OptionValues options_of(const sim::Scenario& s) {
  sim::OptionValues options;
  for (const std::string& name : scenario_columns()) {
    const sim::ScenarioOption& option = sim::option_called(name);
    const std::string text = is_reported(option, s) ? sim::text_of(option.asked(s)) : "";
    if (!text.empty()) options[name] = text;
  }
  return options;
}

Recording parse_recording(std::string_view text, const std::string& origin) {
  Recording recording{.origin = origin};
  const std::int64_t head = read_head(recording, text);
  sim::CsvTable table = sim::parse_csv(text, origin);
  complete_columns(table);
  for (sim::CsvTable::Row& row : table.rows) row.line += head;
  table.expect_columns(all_columns());
  for (const sim::CsvTable::Row& row : table.rows) recording.figures.push_back(read_figure(table, row, recording.gpu));
  return recording;
}

std::string to_text(const Recording& recording) {
  std::string text = std::string(title) + "\n";
  for (const Key& key : keys) {
    const std::string& value = recording.*key.value;
    if (!value.empty()) text += sim::text("# ", key.name, ": ", value, "\n");
  }
  text += sim::joined(all_columns(), ",") + "\n";
  for (const Figure& figure : recording.figures) text += row_text(figure);
  return text;
}

}  // namespace measurements
