#include "viz/terminal/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/catalogue/run_values.h"
#include "sim/catalogue/typed_values.h"
#include "sim/machine/device_fields.h"
#include "sim/model/roofline.h"
#include "sim/report/common_unit.h"
#include "sim/report/numbers.h"
#include "sim/trace/tensors.h"
#include "viz/draw/chart.h"
#include "viz/draw/svg_paper.h"
#include "viz/results/table_numbers.h"
#include "viz/terminal/document.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/request.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

using S = const sim::Simulation&;
using RunsValues = std::vector<std::vector<sim::PathValue>>;

/// A row of text, or of numbers that are not in the JSON.
struct WordRow {
  const char *name, *title;
  std::string (*text)(S);
};
constexpr WordRow word_rows[] = {
    {"tiles", "tiles", [](S s) { return tile_text(s.plan); }},
    {"kernels", "kernels", [](S s) { return std::to_string(s.traces.size()); }},
    {"bound-by", "bound by", [](S s) { return s.bound_by.empty() ? "-" : s.bound_by; }},
    {"error-of-time", "error of time",
     [](S s) { return std::isnan(s.microseconds) ? "-" : accuracy_cell(s.accuracy); }},
    {"sms-busy", "SMs busy", [](S s) { return sms_text(sim::busy_sms(s)); }},
    {"error", "largest error", [](S s) { return s.check ? report::error(s.check->worst().max_abs_error) : "-"; }},
};

std::vector<std::string> word_names() {
  std::vector<std::string> names;
  for (const WordRow& row : word_rows) names.emplace_back(row.name);
  return names;
}

/// Names of the default rows; omits those without meaning for these runs.
std::string usual_columns(const std::vector<sim::Simulation>& runs) {
  std::string list = "tiles,kernels";
  const bool has_cache = runs.front().plan.scenario.layers.has_value();
  const bool has_tanh = std::any_of(runs.begin(), runs.end(), [](S s) { return s.plan.problem.modified(); });
  for (const results::TableNumber& number : results::table_numbers()) {
    const bool absent = (number.name == "kv-cache" && !has_cache) || (number.name == "tanh" && !has_tanh);
    if (!absent) list += "," + number.name;
  }
  list += ",bound-by,error-of-time";
  if (std::any_of(runs.begin(), runs.end(), [](S s) { return sim::busy_sms(s).few(); })) list += ",sms-busy";
  return list + (runs.front().check ? ",error" : "");
}

ComparisonRow word_row(const std::string& name, const std::vector<sim::Simulation>& runs) {
  const auto* const found =
      std::find_if(std::begin(word_rows), std::end(word_rows), [&](const WordRow& row) { return row.name == name; });
  ComparisonRow row{found->title};
  const auto& check = runs.front().check;
  if (name == "error" && check && check->by_tensor.size() == 1) row.title = "error of O";
  for (const sim::Simulation& s : runs) row.values.push_back(found->text(s));
  row.ratios.resize(runs.size());
  return row;
}

/// False for shares and the like, which are ratios themselves.
bool has_ratio(const std::string& unit) { return unit != "share" && unit != "%" && unit != "ratio"; }

/// Row of a number. Sums have bytes as their unit; for counts the title names it.
ComparisonRow number_row(const results::TableNumber& number, const RunsValues& runs) {
  ComparisonRow row{number.title};
  row.brief = number.brief;
  row.unit = number.unit();
  for (const auto& run : runs) {
    const nlohmann::ordered_json cell = results::number_in(run, number.path);
    row.numbers.push_back(cell.is_number() ? std::optional(cell.get<double>()) : std::nullopt);
    const auto value = row.numbers.back(), first = row.numbers.front();
    const bool compared = row.numbers.size() > 1 && value && first && *first > 0 && has_ratio(row.unit);
    row.values.push_back(value ? number.text(*value) : "-");
    row.ratios.push_back(compared ? report::ratio(*value / *first) : std::string());
  }
  return row;
}

}  // namespace

std::string time_note(const std::vector<sim::Simulation>& runs) {
  const sim::DeviceSpec& gpu = *runs.front().plan.scenario.gpu;
  const std::string no_traffic = counts_hbm_traffic(gpu) ? "" : sim::why_no_hbm_traffic(gpu) + "; ";
  if (std::string words = no_traffic + (has_time(gpu) ? "" : sim::why_no_time(gpu)); !words.empty()) {
    words[0] = 'N';  // capital N of "no"
    return words;
  }
  return "Times are predicted; their error is the mean against published times of the kind";
}

std::vector<std::string> comparison_words() { return word_names(); }

Comparison compare_runs(const std::vector<sim::Simulation>& runs, const std::string& columns) {
  const sim::Simulation& first = runs.front();
  Comparison result;
  result.title = sim::text(sim::name_of(first.plan.scenario.pass), ": ", shape_text(first.plan.scenario), "; ",
                           first.plan.scenario.gpu->title);
  RunsValues values;
  for (const sim::Simulation& s : runs) {
    result.algorithms.push_back(s.plan.scenario.algorithm);
    values.push_back(sim::values_of(s));
  }
  const std::vector<results::TableNumber> chosen =
      results::chosen_numbers(columns.empty() ? usual_columns(runs) : columns, word_names());
  results::require_numbers(chosen, values);
  for (const results::TableNumber& number : chosen)
    result.rows.push_back(number.path.empty() ? word_row(number.name, runs) : number_row(number, values));
  result.roofs = roofs_text(first);
  if (columns.empty()) result.roofline = roofline_rows(runs);
  return result;
}

std::string roofline_table(const std::vector<sim::Simulation>& runs) {
  const Comparison comparison = compare_runs(runs);
  std::vector<std::string> header = {"roofline"};
  header.insert(header.end(), comparison.algorithms.begin(), comparison.algorithms.end());
  report::Table table(header);
  for (const ComparisonRow& row : comparison.roofline) {
    std::vector<std::string> cells = {row.title};
    cells.insert(cells.end(), row.values.begin(), row.values.end());
    table.row(cells);
  }
  return sim::text(table.text(), "\n", comparison.roofs,
                   "\nOf peak: of what the pipes can do of the same mix of products and other FLOPs.\n");
}

std::string comparison_table(const std::vector<sim::Simulation>& runs, bool sizes_from_files,
                             const std::string& columns) {
  const Comparison comparison = compare_runs(runs, columns);
  std::vector<std::string> header = {""};
  for (const std::string& name : comparison.algorithms) {
    header.push_back(name);
    if (header.size() > 2) header.emplace_back();  // column of the ratio to the first
  }
  report::Table table(header);
  for (const ComparisonRow& row : comparison.rows) {
    std::vector<std::string> cells = {row.title};
    for (std::size_t n = 0; n < row.values.size(); ++n) {
      cells.push_back(row.values[n]);
      if (n > 0) cells.push_back(row.ratios[n]);
    }
    table.row(cells);
  }
  return sim::text(comparison.title, "\n\n", table.text(), "\n\"x\": ratio to ", comparison.algorithms.front(), ". ",
                   time_note(runs), ".\n", time_legend(runs), few_sms_line(runs, sizes_from_files));
}

namespace {

// The comparison as a table for documents: Markdown and LaTeX.

constexpr const char* few_columns = "tile-traffic,hbm-traffic,peak-memory,time,error-of-time";

/// Text of a cell: "3.77 GB (0.32 x)".
std::string cell(const ComparisonRow& row, std::size_t run) {
  return row.values[run] + (row.ratios[run].empty() ? "" : " (" + row.ratios[run] + ")");
}

std::string markdown_rows(const std::vector<ComparisonRow>& rows) {
  std::string out;
  for (const ComparisonRow& row : rows) {
    out += "| " + markdown(dashed(row.title)) + " |";
    for (std::size_t run = 0; run < row.values.size(); ++run) out += " " + markdown(cell(row, run)) + " |";
    out += "\n";
  }
  return out;
}

/// "0.32 x" with a mathematical multiplication sign.
std::string latex_ratio(const std::string& ratio) {
  return ratio.empty() ? "" : ratio.substr(0, ratio.find(' ')) + "$\\times$";
}

/// A LaTeX row: numbers in the unit named in its title, and their ratios in a row below.
std::string latex_row(const ComparisonRow& row) {
  std::vector<double> numbers;
  for (const auto& number : row.numbers) numbers.push_back(number.value_or(0));
  const report::CommonUnit unit = report::common_unit(row.unit, numbers);
  std::string out = latex_head(dashed(row.brief), row.numbers.empty() ? report::CommonUnit() : unit);
  std::string ratios;
  for (std::size_t run = 0; run < row.values.size(); ++run) {
    const bool in_unit = !row.numbers.empty() && row.numbers[run];
    out += " & " + latex(in_unit ? unit.text(*row.numbers[run]) : row.values[run]);
    ratios += " & " + latex_ratio(row.ratios[run]);
  }
  const bool any = std::any_of(row.ratios.begin(), row.ratios.end(), [](const auto& ratio) { return !ratio.empty(); });
  return out + " \\\\\n" + (any ? "\\quad ratio" + ratios + " \\\\\n" : "");
}

std::string latex_rows(const std::vector<ComparisonRow>& rows) {
  std::string out;
  for (const ComparisonRow& row : rows) out += latex_row(row);
  return out;
}

}  // namespace

std::string comparison_markdown(const std::vector<sim::Simulation>& runs, const std::string& columns) {
  const Comparison comparison = compare_runs(runs, columns);
  std::string out = markdown(comparison.title) + "\n\n|", rule = "\n|---|";
  out += " |";
  for (const std::string& name : comparison.algorithms) {
    out += " " + markdown(name) + " |";
    rule += "---:|";
  }
  out += rule + "\n";
  out += markdown_rows(comparison.rows) + markdown_rows(comparison.roofline);
  return out + "\nx: ratio to " + markdown(comparison.algorithms.front()) + ". " + markdown(time_note(runs)) +
         ".\nRoofline: " + markdown(comparison.roofs) + ".\n";
}

std::string comparison_latex(const std::vector<sim::Simulation>& runs, const std::string& command,
                             const std::string& columns) {
  const Comparison comparison = compare_runs(runs, columns.empty() ? few_columns : columns);
  std::string out = latex_comment(comparison.title) + latex_comment("made by: " + command) +
                    latex_comment("needs \\usepackage{booktabs}; ratio: to " + comparison.algorithms.front() + "; " +
                                  time_note(runs)) +
                    "\\noindent{\\setlength{\\tabcolsep}{3pt}%\n\\begin{tabular}{@{}l" +
                    std::string(comparison.algorithms.size(), 'r') + "@{}}\n\\toprule\n";
  for (const std::string& name : comparison.algorithms) out += " & " + latex(name);
  out += " \\\\\n\\midrule\n";
  out += latex_rows(comparison.rows);
  return out + "\\bottomrule\n\\end{tabular}}\n";
}

namespace {

// Section "roofline" of a comparison: each run as a whole, and its longest kernel.

using Points = std::vector<sim::RooflinePoint>;  ///< one per run

sim::Roofs roofs_of(const sim::Simulation& s) { return sim::roofs_of(s.plan); }

/// Adds the rows of one part: a heading, then its numbers.
void add_rows(std::vector<ComparisonRow>& rows, ComparisonRow heading, const Points& points, const sim::Roofs& roofs) {
  rows.push_back(std::move(heading));
  const auto row = [&](const char* title, auto text) {
    ComparisonRow cells{title, {}, std::vector<std::string>(points.size())};
    for (const sim::RooflinePoint& point : points) cells.values.push_back(text(point));
    rows.push_back(std::move(cells));
  };
  using P = const sim::RooflinePoint&;
  row("  intensity, tile traffic", [](P p) { return report::intensity(p.tile_intensity()); });
  row("  intensity, HBM traffic", [](P p) { return report::intensity(p.hbm_intensity()); });
  row("  attainable", [&](P p) { return report::flop_rate(p.attainable(roofs)); });
  row("  achieved", [](P p) { return report::flop_rate(p.achieved()); });
  row("  achieved, of peak", [&](P p) { return report::percent(p.achieved() / p.peak(roofs)); });
}

const sim::RooflinePoint& longest(const Points& kernels) {
  return *std::max_element(kernels.begin(), kernels.end() - 1,
                           [](const auto& a, const auto& b) { return a.microseconds < b.microseconds; });
}

}  // namespace

std::string roofs_text(const sim::Simulation& run) {
  const sim::Roofs roofs = roofs_of(run);
  return sim::text("peak ", report::flop_rate(roofs.matrix_peak), " in ", sim::name_of(product_dtype(run.plan)),
                   "; ridge at ",
                   std::isnan(roofs.l2) ? ""
                                        : sim::text(report::intensity(roofs.l2_ridge()), " of tile traffic (L2 ",
                                                    report::byte_rate(roofs.l2), ") and "),
                   report::intensity(roofs.hbm_ridge()), " of HBM traffic (", report::byte_rate(roofs.hbm), ")");
}

std::vector<ComparisonRow> roofline_rows(const std::vector<sim::Simulation>& runs) {
  Points wholes, kernels;
  ComparisonRow whole{"all kernels", {}, std::vector<std::string>(runs.size())};
  ComparisonRow kernel{"longest kernel", {}, std::vector<std::string>(runs.size())};
  for (const sim::Simulation& s : runs) {
    const Points points = sim::roofline(s);
    wholes.push_back(points.back());
    kernels.push_back(longest(points));
    whole.values.push_back(report::microseconds(s.microseconds));
    kernel.values.push_back(kernels.back().name);
  }
  std::vector<ComparisonRow> rows;
  add_rows(rows, std::move(whole), wholes, roofs_of(runs.front()));
  add_rows(rows, std::move(kernel), kernels, roofs_of(runs.front()));
  return rows;
}

namespace {

// Chart of a comparison: a bar for each run.

/// Parts of a bar by tensor, in a fixed order so that bars compare part by part. Gradients have their tensor's colour,
/// lighter.
std::vector<draw::BarPart> tensor_parts() {
  using sim::Tensor;
  std::vector<draw::BarPart> parts;
  for (const Tensor tensor : {Tensor::Q, Tensor::K, Tensor::V, Tensor::S, Tensor::P, Tensor::O}) {
    const std::string_view name = sim::name_of(tensor);
    parts.push_back({std::string(name), {name, false}});
    parts.push_back({sim::text("d", name), {name, true}});
  }
  parts.push_back({"mask", {"mask", false}});
  parts.push_back({"statistics", {"stat", false}});
  return parts;
}

/// Legend text of a tensor; its stages share it.
std::string label_of(sim::Tensor tensor) {
  return sim::is_statistic(tensor) ? "statistics" : std::string(sim::stem_of(tensor));
}

void add(std::vector<draw::BarPart>& parts, sim::Tensor tensor, sim::Bytes bytes) {
  for (draw::BarPart& part : parts) {
    if (part.name == label_of(tensor)) part.amount += static_cast<double>(bytes.count());
  }
}

std::vector<draw::BarPart> traffic_parts(const std::map<sim::Tensor, sim::Traffic>& by_tensor) {
  std::vector<draw::BarPart> parts = tensor_parts();
  for (const auto& [tensor, traffic] : by_tensor) add(parts, tensor, traffic.total());
  return parts;
}

/// The tensors that are live at the peak.
std::vector<draw::BarPart> memory_parts(const sim::Simulation& s) {
  std::vector<draw::BarPart> parts = tensor_parts();
  for (const sim::Tensor tensor : sim::memory_peak(s.plan).tensors)
    add(parts, tensor, s.plan.problem.hbm[tensor].total_bytes(s.plan.problem.shape));
  return parts;
}

/// One part per kernel, in order. Time belongs to no tensor, so parts alternate between shades of grey.
std::vector<draw::BarPart> time_parts(const sim::Simulation& s) {
  std::vector<draw::BarPart> parts;
  for (const sim::KernelMeters& kernel : s.kernels)
    parts.push_back({kernel.name, {"stat", parts.size() % 2 == 1}, kernel.time.microseconds});
  return parts;
}

std::vector<draw::BarPart> parts_of(const sim::Simulation& s, Chart chart) {
  if (chart == Chart::tile_traffic) return traffic_parts(s.totals.by_tensor);
  if (chart == Chart::hbm_traffic) return traffic_parts(s.hbm_by_tensor);
  return chart == Chart::memory ? memory_parts(s) : time_parts(s);
}

std::string exact(double amount, Chart chart) {
  return chart == Chart::time ? report::microseconds(amount)
                              : report::thousands(static_cast<std::int64_t>(amount)) + " B";
}

/// Names of the kernels of a bar, from left to right, shortened to fit below it.
std::string kernel_names(const sim::Simulation& s) {
  constexpr std::size_t most = 86;
  std::string names;
  for (const sim::KernelMeters& kernel : s.kernels) names += (names.empty() ? "" : ", ") + kernel.name;
  return names.size() > most ? names.substr(0, most) + " ..." : names;
}

draw::Bar bar_of(const sim::Simulation& s, Chart chart) {
  draw::Bar bar{s.plan.scenario.algorithm, "", chart == Chart::time ? kernel_names(s) : "", parts_of(s, chart)};
  double total = 0;
  for (draw::BarPart& part : bar.parts) {
    part.tip = part.name + ": " + exact(part.amount, chart);
    total += part.amount;
  }
  bar.total = chart == Chart::time ? report::microseconds(total) : report::bytes(static_cast<std::int64_t>(total));
  return bar;
}

/// Names every tensor that occurs once: small parts have no name on them.
std::vector<draw::KeyEntry> key_of(const std::vector<draw::Bar>& bars, Chart chart) {
  std::vector<draw::KeyEntry> key;
  for (std::size_t n = 0; chart != Chart::time && n < bars.front().parts.size(); ++n) {
    const draw::BarPart& part = bars.front().parts[n];
    if (std::any_of(bars.begin(), bars.end(), [n](const draw::Bar& bar) { return bar.parts[n].amount > 0; }))
      key.push_back({part.name, draw::Shape::square, part.tone, 6});
  }
  return key;
}

constexpr std::array<const char*, 4> titles = {"Tile traffic by tensor: bytes that cross the SRAM boundary",
                                               "HBM traffic by tensor: bytes that the L2 does not serve",
                                               "Peak HBM memory: tensors that are live at the peak",
                                               "Predicted time, by kernel"};

}  // namespace

const std::vector<std::string>& chart_names() {
  static const std::vector<std::string> names = {"tile-traffic", "hbm-traffic", "memory", "time", "roofline"};
  return names;
}

std::string comparison_svg(const std::vector<sim::Simulation>& runs, Chart chart) {
  if (chart == Chart::roofline) return roofline_svg(runs);
  const sim::Scenario& scenario = runs.front().plan.scenario;
  sim::require(chart != Chart::time || has_time(*scenario.gpu), "chart: ", sim::why_no_time(*scenario.gpu));
  sim::require(chart != Chart::hbm_traffic || counts_hbm_traffic(*scenario.gpu),
               "chart: ", sim::why_no_hbm_traffic(*scenario.gpu));
  std::vector<draw::Bar> bars;
  for (const sim::Simulation& s : runs) bars.push_back(bar_of(s, chart));
  draw::SvgPaper paper(
      titles.at(static_cast<std::size_t>(chart)),
      sim::text(sim::name_of(scenario.pass), ": ", shape_text(scenario), ", on ", scenario.gpu->name, "."),
      118 + 56 * static_cast<float>(runs.size()));
  const draw::Rect place{150, 78, 540, 0};
  const float below = draw_bars(paper, place, bars);
  draw_key(paper, {place.x, below + 8}, paper.right, key_of(bars, chart));
  return paper.page();
}

}  // namespace terminal
