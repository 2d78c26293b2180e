#include "viz/terminal/bench/report.h"

#include "kernels/measurements/metrics.h"
#include "sim/model/published.h"

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

/// Share of the formula's pairs of one class that a window, padding or a pattern leaves visible; 1 if none is set, so
/// that dense and causal rates are comparable with published ones.
double visible_share(const sim::Plan& of_class) {
  const sim::Shape& s = of_class.problem.shape;
  if (!s.mask.window && s.mask.padding == 0 && !s.mask.blocks) return 1;
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

}  // namespace terminal
