#include "viz/terminal/bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/measurements/metrics.h"
#include "sim/base/printable.h"
#include "sim/model/busy_sms.h"
#include "sim/model/published.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

using measurements::Caches;
using measurements::Figure;

Figure figure_of(const bench::Series& series, std::string quantity, std::string unit) {
  Figure figure;
  figure.quantity = std::move(quantity);
  figure.unit = std::move(unit);
  figure.value = series.median, figure.low = series.low, figure.high = series.high;
  figure.runs = series.runs;
  return figure;
}

void add_ceiling(std::vector<Figure>& figures, const bench::Ceiling& ceiling, std::string_view quantity,
                 const char* unit, const char* kernel, std::string_view dtype) {
  if (!ceiling.rate) return;
  Figure figure = figure_of(*ceiling.rate, std::string(quantity), unit);
  figure.kernel = kernel;
  figure.sm_mhz = ceiling.sensed.sm_mhz;
  figure.watts = ceiling.sensed.watts;
  if (!dtype.empty()) figure.options["dtype"] = dtype;
  figures.push_back(std::move(figure));
}

void add_times(std::vector<Figure>& figures, const BenchRow& row, const sim::OptionValues& options) {
  for (const BenchTime& time : times_of(row)) {
    Figure figure = figure_of(time.timing->microseconds, std::string(measurements::time_quantity), "us");
    figure.kernel = row.kernel;
    figure.options = options;
    figure.caches = time.caches;
    figure.sm_mhz = time.timing->sensed.sm_mhz;
    figure.watts = time.timing->sensed.watts;
    figures.push_back(std::move(figure));
  }
}

/// Adds the hardware counters, read once, after a run of other buffers.
void add_counters(std::vector<Figure>& figures, const BenchRow& row, const sim::OptionValues& options) {
  if (!row.measured.counters) return;
  for (const measurements::Metric& metric : measurements::metrics()) {
    const auto found = row.measured.counters->values.find(metric.name);
    if (found == row.measured.counters->values.end()) continue;
    Figure figure = figure_of({found->second, found->second, found->second, 1}, metric.name, metric.unit);
    figure.kernel = row.kernel;
    figure.options = options;
    figure.caches = Caches::cold;
    figures.push_back(std::move(figure));
  }
}

/// Share of the formula's pairs of one class that masks other than the causal one leave visible; 1 if none is set, so
/// that dense and causal rates are comparable with published ones.
double visible_share(const sim::Plan& of_class) {
  const sim::Shape& s = of_class.problem.shape;
  if (s.mask == sim::Mask{.causal = s.mask.causal}) return 1;
  double pairs = 0;
  for (std::int64_t query = 0; query < s.seqlen_q; ++query) {
    for (const sim::Interval seen : s.visible_parts(query, {0, s.seqlen_k})) pairs += static_cast<double>(seen.size());
  }
  const double all = static_cast<double>(s.seqlen_q) * static_cast<double>(s.seqlen_k);
  return pairs / all * (of_class.scenario.shape.mask.causal ? 2 : 1);  // the formula halves causal pairs
}

}  // namespace

double BenchTime::tflops() const {
  double flops = 0;
  for (const sim::Plan& c : sim::classes_of(row->program.plan))
    flops += sim::attention_flops(c.scenario) * visible_share(c);
  return flops / timing->microseconds.median / 1e6;
}
double BenchTime::gigabytes() const {
  const sim::Traffic& hbm = row->program.hbm;
  return static_cast<double>(hbm.read.count() + hbm.written.count()) / timing->microseconds.median / 1e3;
}
double BenchTime::prediction() const { return row->program.microseconds / timing->microseconds.median - 1; }

std::vector<BenchTime> times_of(const BenchRow& row) {
  std::vector<BenchTime> times;
  if (row.measured.cold) times.push_back({&row, Caches::cold, &*row.measured.cold});
  if (row.measured.warm) times.push_back({&row, Caches::warm, &*row.measured.warm});
  return times;
}

measurements::Recording recording_of(const BenchReport& report) {
  measurements::Recording recording = report.head;
  const std::string_view dtype =
      report.rows.empty() ? std::string_view() : name_of(report.rows.front().program.plan.scenario.dtype);
  add_ceiling(recording.figures, report.matmul, measurements::matmul_quantity, "TFLOP/s", "cublas", dtype);
  add_ceiling(recording.figures, report.copy, measurements::copy_quantity, "GB/s", "copy", "");
  for (const BenchRow& row : report.rows) {
    const sim::OptionValues options = measurements::options_of(row.program.plan.scenario);
    add_times(recording.figures, row, options);
    add_counters(recording.figures, row, options);
  }
  return recording;
}

namespace {

// Output of `bench`: the table for people, and JSON.

using Json = nlohmann::ordered_json;

std::string signed_percent(double part) { return fmt::format("{:+.1f} %", 100 * part); }
std::string part_of(double rate, const bench::Ceiling& ceiling) {
  return ceiling.rate ? report::percent(rate / ceiling.rate->median) : "-";
}
std::string whole(const std::optional<double>& number) { return number ? fmt::format("{:.0f}", *number) : "-"; }

/// Half the interquartile range, relative to the median.
double spread_of(const bench::Series& s) { return (s.high - s.low) / 2 / s.median; }

std::string values_cell(const bench::Samples& samples) {
  for (const bench::SampledTensor& each : samples.tensors) {
    if (!each.ok()) return sim::text("FAILS: ", name_of(each.tensor));
  }
  const bool compared = std::any_of(samples.tensors.begin(), samples.tensors.end(),
                                    [](const bench::SampledTensor& each) { return each.samples > 0; });
  return compared ? "ok" : "written";
}

std::vector<std::string> cells_of(const BenchTime& time, const BenchReport& report) {
  const sim::Scenario& s = time.row->program.plan.scenario;
  const bench::Timing& timing = *time.timing;
  return {std::string(name_of(s.pass)),
          shape_text(s),
          time.row->kernel,
          std::string(name_of(time.caches)),
          report::microseconds(timing.microseconds.median),
          fmt::format("± {:.1f} %", 100 * spread_of(timing.microseconds)),
          fmt::format("{:.1f}", time.tflops()),
          part_of(time.tflops(), report.matmul),
          fmt::format("{:.0f}", time.gigabytes()),
          part_of(time.gigabytes(), report.copy),
          report.predicted ? report::microseconds(time.row->program.microseconds) : "-",
          report.predicted && !std::isnan(time.prediction()) ? signed_percent(time.prediction()) : "-",
          whole(timing.sensed.sm_mhz),
          whole(timing.sensed.watts),
          values_cell(time.row->measured.samples)};
}

std::string ceiling_line(const char* what, const char* unit, const bench::Ceiling& ceiling) {
  if (!ceiling.rate) return "";
  return fmt::format("{}: {:.1f} {} ({:.1f} to {:.1f})\n", what, ceiling.rate->median, unit, ceiling.rate->low,
                     ceiling.rate->high);
}

/// "O: error 2e-3, allowed 1e-3; 5 elements never written"
std::string failure_of(const bench::SampledTensor& t) {
  std::string text = std::string(name_of(t.tensor)) + ":";
  if (!t.within()) text += " error " + report::error(t.error) + ", allowed " + report::error(t.allowed);
  if (t.unwritten > 0) text += sim::text(" ", report::thousands(t.unwritten), " elements were never written");
  return text;
}

Json finite_json(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }
Json rate_json(const bench::Ceiling& ceiling) { return ceiling.rate ? Json(ceiling.rate->median) : Json(nullptr); }
Json number_json(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json time_json(const BenchTime& time, const BenchReport& report) {
  const bench::Series& us = time.timing->microseconds;
  Json json = {{"caches", name_of(time.caches)},
               {"microseconds", {{"median", us.median}, {"low", us.low}, {"high", us.high}, {"runs", us.runs}}},
               {"tflops", time.tflops()},
               {"hbm_gigabytes_per_second", time.gigabytes()},
               {"sm_mhz", number_json(time.timing->sensed.sm_mhz)},
               {"watts", number_json(time.timing->sensed.watts)}};
  json["prediction_error"] = report.predicted ? Json(time.prediction()) : Json(nullptr);
  return json;
}

Json row_json(const BenchRow& row, const BenchReport& report) {
  Json json = {{"scenario", report::scenario_json(row.program.plan)}, {"kernel", row.kernel}};
  json["times"] = Json::array();
  for (const BenchTime& time : times_of(row)) json["times"].push_back(time_json(time, report));
  json["predicted_microseconds"] = report.predicted ? Json(row.program.microseconds) : Json(nullptr);
  json["sms_busy"] = sim::busy_sms(row.program).busy;
  json["sms"] = sim::busy_sms(row.program).all;
  json["counters"] = row.measured.counters ? Json(row.measured.counters->values) : Json(nullptr);
  json["values"] = Json::array();
  for (const bench::SampledTensor& t : row.measured.samples.tensors) {
    json["values"].push_back({{"tensor", name_of(t.tensor)},
                              {"unwritten", t.unwritten},
                              {"compared", t.samples},
                              {"error", finite_json(t.error)},
                              {"allowed", finite_json(t.allowed)}});
  }
  json["ok"] = row.ok();
  return json;
}

void add_once(std::vector<std::string>& notes, std::string note) {
  if (!note.empty() && std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
}

}  // namespace

std::vector<std::string> BenchReport::notes() const {
  std::vector<std::string> notes;
  add_once(notes, matmul.why_none);
  add_once(notes, copy.why_none);
  for (const BenchRow& row : rows) {
    const std::string where = row.kernel + " " + std::string(name_of(row.program.plan.scenario.pass)) + ", " +
                              shape_text(row.program.plan.scenario) + ": ";
    if (!row.gone.empty()) add_once(notes, where + row.gone);
    if (!row.measured.note.empty()) add_once(notes, where + row.measured.note);
    for (const bench::SampledTensor& t : row.measured.samples.tensors) {
      if (!t.ok()) add_once(notes, where + failure_of(t));
    }
    add_once(notes, row.measured.samples.left_out);
    if (row.measured.counters) add_once(notes, row.measured.counters->reason);
  }
  return notes;
}

std::string bench_table(const BenchReport& report) {
  std::string text = report.head.device + (report.head.driver == "unknown" ? "" : ", driver " + report.head.driver) +
                     (report.head.software.empty() ? "" : ", " + report.head.software) + "\n";
  text += ceiling_line("matmul ceiling", "TFLOP/s", report.matmul) + ceiling_line("copy ceiling", "GB/s", report.copy);
  report::Table table({"pass", "scenario", "kernel", "L2", "time", "spread", "TFLOP/s", "of matmul", "GB/s", "of copy",
                       "predicted", "error", "SM MHz", "W", "values"});
  for (const BenchRow& row : report.rows) {
    for (const BenchTime& time : times_of(row)) table.row(cells_of(time, report));
  }
  text += "\n" + table.text() +
          "\ntime: median of a run; spread: half the distance of the quartiles. L2 cold: rotating buffers, together "
          "larger than the L2.\nTFLOP/s: 4 N^2 d H B forward, half of that with causal, its visible part under a "
          "window, padding or a pattern, 2.5 times as many backward. GB/s: the simulated HBM traffic over the "
          "time.\nvalues: samples against attention in double precision; every element was written.\n";
  for (const std::string& note : report.notes()) text += sim::printable("note: " + note) + "\n";
  return text;
}

nlohmann::ordered_json bench_json(const BenchReport& report) {
  const measurements::Recording& head = report.head;
  Json json = {{"schema", 1},
               {"device", head.device},
               {"gpu", head.gpu.empty() ? Json(nullptr) : Json(head.gpu)},
               {"driver", head.driver},
               {"software", head.software},
               {"date", head.date},
               {"commit", head.commit},
               {"matmul_tflops", rate_json(report.matmul)},
               {"copy_gigabytes_per_second", rate_json(report.copy)}};
  json["rows"] = Json::array();
  for (const BenchRow& row : report.rows) json["rows"].push_back(row_json(row, report));
  json["notes"] = report.notes();
  json["ok"] = std::all_of(report.rows.begin(), report.rows.end(), [](const BenchRow& row) { return row.ok(); });
  return json;
}

}  // namespace terminal
