#include "sim/model/published.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/check.h"
#include "sim/base/csv.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/machine/device_override.h"
#include "sim/programs/program.h"

namespace published {
std::string_view embedded_text(std::string_view path);  // as sim/base/embedded.h, of the tables
}

namespace sim {
namespace {

/// The columns of a table, in order.
enum Column : std::size_t {
  group,
  source,
  gpu,
  clock_mhz,
  software,
  algorithm,
  variant,
  pass,
  batch,
  heads,
  kv_heads,
  seqlen,
  head_dim,
  dtype,
  causal,
  dropout,
  padding,
  quantity,
  value,
  standing,
  note
};
const std::vector<std::string> column_names = {"group",    "source",   "gpu",    "clock_mhz", "software", "algorithm",
                                               "variant",  "pass",     "batch",  "heads",     "kv_heads", "seqlen",
                                               "head_dim", "dtype",    "causal", "dropout",   "padding",  "quantity",
                                               "value",    "standing", "note"};
// After them, where rows differ:
const std::vector<std::string> last_columns = {"seqlen_q", "page_size", "partition", "schedule", "gpus", "parallel"};
const std::vector<std::string> standing_names = {"score", "fit", "shown", "ratio", "contradicted"};
const std::vector<std::string> quantity_names = {"tflops", "milliseconds", "speedup", "share"};

/// One of the allowed words, by its number.
std::size_t choice(const std::string& where, const std::string& word, const std::vector<std::string>& allowed) {
  const auto found = std::find(allowed.begin(), allowed.end(), word);
  if (found == allowed.end()) throw Error(where, unknown_name_message("word", word.substr(0, 100), allowed));
  return static_cast<std::size_t>(found - allowed.begin());
}

/// Digits with at most one point, positive and not absurd.
double positive_number(const std::string& where, const std::string& word) {
  constexpr double least = 1e-6, most = 1e9;
  const bool plain = !word.empty() && word.size() <= 20 && word.find_first_not_of("0123456789.") == std::string::npos &&
                     std::count(word.begin(), word.end(), '.') <= 1;
  const double number = plain ? std::strtod(word.c_str(), nullptr) : 0;
  require(number >= least && number <= most, where, "\"", word.substr(0, 100), "\" is not a decimal number from ",
          least, " to ", most);
  return number;
}

std::shared_ptr<const DeviceSpec> gpu_at(const std::string& name, std::optional<std::int64_t> megahertz) {
  if (!megahertz) return built_in_gpu(name);
  return at_clock(device(name), *megahertz * 1'000'000);
}

Scenario scenario_from_point(const OptionValues& options, std::optional<std::int64_t> megahertz) {
  return scenario_from(options, [&](const std::string& name) { return gpu_at(name, megahertz); });
}

void expect_columns_of(const CsvTable& table) {
  std::vector<std::string> names = column_names;
  for (std::size_t c = names.size(); c < table.columns.size(); ++c) {
    const bool known = std::find(last_columns.begin(), last_columns.end(), table.columns[c]) != last_columns.end();
    names.push_back(known ? table.columns[c] : last_columns.front());
  }
  table.expect_columns(names);
}

/// The scenario options of a row, named as on the command line: kv_heads is kv-heads there.
OptionValues options_of(const CsvTable& table, const CsvTable::Row& row) {
  OptionValues options;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::string name = table.columns[c];
    std::replace(name.begin(), name.end(), '_', '-');
    if (find_option(name) != nullptr) options[name] = row.cells[c];
  }
  return options;
}

/// True if published code has a tiling rule of that name.
bool is_variant(std::string_view name) {
  return std::any_of(variants().begin(), variants().end(),
                     [&](const Program& program) { return name_of(program.rule) == name; });
}

/// ", released and released-1"
std::string variant_list() {
  std::vector<std::string_view> names;
  for (const Program& program : variants()) {
    const std::string_view name = name_of(program.rule);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string list;
  for (const std::string_view& name : names) list += text(&name == &names.back() ? " and " : ", ", name);
  return list;
}

PublishedPoint read_point(const CsvTable& table, const CsvTable::Row& row) {
  const auto where = [&](Column c) { return table.place(row, c); };
  const auto cell = [&](Column c) -> const std::string& { return row.cells[c]; };
  PublishedPoint p{.group = cell(group), .source = cell(source), .software = cell(software), .variant = cell(variant)};
  require(!p.group.empty(), where(group), "is empty: expected a short name");
  require(!p.source.empty(), where(source), "is empty: expected paper, figure or table");
  require(p.variant.empty() || is_variant(p.variant), where(variant), "\"", p.variant.substr(0, 100),
          "\" is unknown: allowed are nothing", variant_list());
  if (!cell(clock_mhz).empty()) {
    p.clock_mhz = parse_whole_number(text(table.origin, ":", row.line, ": clock_mhz"), cell(clock_mhz), 1, 10'000);
  }
  p.options = options_of(table, row);
  try {
    p.scenario = scenario_from_point(p.options, std::nullopt);
  } catch (const Error& error) {
    throw Error(table.origin, ":", row.line, ": ", error);
  }
  p.quantity = static_cast<Published>(choice(where(quantity), cell(quantity), quantity_names));
  p.value = positive_number(where(value), cell(value));
  p.standing = static_cast<Standing>(choice(where(standing), cell(standing), standing_names));
  p.note = cell(note);
  require(p.standing != Standing::contradicted || !p.note.empty(), where(note),
          "is empty: a contradicted number names what contradicts it");
  require(!is_factor(p.quantity) || p.standing != Standing::score, where(standing), "a ", name_of(p.quantity),
          " is not scored: allowed are ratio and contradicted");
  return p;
}

}  // namespace

std::string_view name_of(Standing s) { return standing_names.at(static_cast<std::size_t>(s)); }
std::string_view name_of(Published q) { return quantity_names.at(static_cast<std::size_t>(q)); }

std::vector<PublishedPoint> parse_published(std::string_view csv, const std::string& origin) {
  const CsvTable table = parse_csv(csv, origin);
  expect_columns_of(table);
  std::vector<PublishedPoint> points;
  for (const CsvTable::Row& row : table.rows) points.push_back(read_point(table, row));
  const auto is_fit = [](const PublishedPoint& p) { return p.standing == Standing::fit; };
  const bool says_which = std::any_of(points.begin(), points.end(), is_fit);
  for (PublishedPoint& p : points) p.for_fit = says_which ? is_fit(p) : p.standing == Standing::score;
  return points;
}

const std::vector<std::string>& published_groups() {
  static const std::vector<std::string> names = {
      "fa2-paper-a100",        "fa3-paper-h100",       "fa3-h100-d64-dense",
      "fa3-h100-d64-causal",   "fa3-h100-d128-dense",  "fa3-h100-d128-causal",
      "fa3-h100-d256-dense",   "fa3-h100-d256-causal", "fa3-h100-d128-backward",
      "fa3-h100-fp8-dense",    "fa3-h100-fp8-causal",  "fa3-paper-schedules",
      "fa1-paper-table7",      "fa1-paper-figure2",    "fa2-blogs-a100",
      "fa2-blog-rtx-3090",     "fa2-log-b200",         "fa2-log-hopper",
      "fa2-log-rtx-a5000",     "fa2-logs-rtx-4090",    "fa2-log-l20",
      "fa2-log-h20",           "fa2-tritonbench-b200", "fa2-ring-attention",
      "fa2-log-a100-1200mhz",  "fa2-logs-rtx-5090",    "fa2-pytorch-l40s",
      "fa1-paper-tables-9-20", "fa1-speedups-a100",    "fa1-speedups-rtx-3090",
      "fa1-speedups-t4",       "flash-decoding-blog",  "paged-decode-h100",
      "paged-decode-b200",     "paged-decode-a100",    "paged-attention-a100",
      "several-gpus-h800"};
  return names;
}

std::string_view published_table(const std::string& name) {
  return published::embedded_text("model/published/" + name + ".csv");
}

const std::vector<PublishedPoint>& published_points() {
  static const std::vector<PublishedPoint> all = [] {
    std::vector<PublishedPoint> points;
    for (const std::string& name : published_groups()) {
      const std::string path = "model/published/" + name + ".csv";
      for (PublishedPoint& p : parse_published(published_table(name), path)) {
        require(p.group == name, path, ": group \"", p.group, "\" is not the name of the file");
        points.push_back(std::move(p));
      }
    }
    return points;
  }();
  return all;
}

std::string_view code_of(const PublishedPoint& point) {
  for (const Program& program : variants()) {
    if (program.variant_of == point.scenario.algorithm && name_of(program.rule) == point.variant) return program.name;
  }
  return point.scenario.algorithm;
}

Scenario scenario_of(const PublishedPoint& point) {
  OptionValues options = point.options;
  if (!point.variant.empty()) options["tiling"] = point.variant;
  Scenario scenario = scenario_from_point(options, point.clock_mhz);
  scenario.br = point.scenario.br;
  scenario.bc = point.scenario.bc;
  return scenario;
}

double attention_flops(const Scenario& s) {
  const auto size = [](std::int64_t n) { return static_cast<double>(n); };
  const auto [d, dv] = s.shape.head_dims();
  const double forward = s.pass == Pass::backward ? 0 : 2 * size(d + dv),
               backward = s.pass == Pass::forward ? 0 : 2 * size(3 * d + 2 * dv);
  double pairs = 0;
  const SequenceClasses alike = {{s.shape.batch, s.shape.seqlen_q, s.shape.seqlen_k}};
  for (const SequenceClass& c : s.sequences ? *s.sequences : alike)
    pairs += size(c.seqlen_q) * size(c.seqlen_k) * size(s.shape.heads) * size(c.count);
  return (forward + backward) * pairs / (s.shape.mask.causal ? 2 : 1);
}

std::optional<double> published_microseconds(const PublishedPoint& point) {
  if (is_factor(point.quantity)) return std::nullopt;
  return point.quantity == Published::milliseconds ? point.value * 1e3
                                                   : attention_flops(point.scenario) / (point.value * 1e6);
}

std::optional<std::pair<double, double>> published_speeds(const Scenario& s) {
  std::optional<std::pair<double, double>> speeds;
  for (const PublishedPoint& point : published_points()) {
    const Scenario& of = point.scenario;
    const bool same = point.quantity == Published::tflops && of.algorithm == s.algorithm &&
                      of.gpu->name == s.gpu->name && of.shape == s.shape && of.dtype == s.dtype && of.pass == s.pass &&
                      s.sequences == nullptr && own_value(of, "schedule") == own_value(s, "schedule");
    if (!same || !point.variant.empty() || point.standing == Standing::contradicted) continue;
    const auto [least, most] = speeds.value_or(std::pair(point.value, point.value));
    speeds = {std::min(least, point.value), std::max(most, point.value)};
  }
  return speeds;
}

std::string description_of(const PublishedPoint& point) {
  const Scenario& s = point.scenario;
  std::string out = text(s.algorithm, point.variant.empty() ? "" : " " + point.variant,
                         point.recorded() ? " by " + point.kernel : "", " ", name_of(s.pass), ", batch ", s.shape.batch,
                         ", heads ", s.shape.heads, ", N ", s.shape.seqlen_k, ", d ", s.shape.head_dim);
  if (s.shape.kv_heads != s.shape.heads) out += text(", KV heads ", s.shape.kv_heads);
  if (s.shape.seqlen_q != s.shape.seqlen_k) out += text(", queries ", s.shape.seqlen_q);
  if (s.dtype == Dtype::e4m3) out += ", e4m3";
  if (s.page_size) out += text(", pages of ", *s.page_size);
  if (const auto part = s.own.find("partition"); part != s.own.end())
    out += part->second == 0 ? ", one part" : text(", parts of ", part->second);
  if (s.shape.mask.causal) out += ", causal";
  if (s.shape.mask.padding > 0) out += text(", padding ", s.shape.mask.padding);
  if (s.dropout > 0) out += text(", dropout ", s.dropout);
  if (point.options.contains("schedule")) out += ", " + point.options.at("schedule");
  if (s.gpus > 1) out += text(", ", s.gpus, " GPUs, ", name_of(s.parallel));
  if (s.br && s.bc) out += text(", tiles ", *s.br, " x ", *s.bc);
  return out + " on " + s.gpu->name;
}

}  // namespace sim
