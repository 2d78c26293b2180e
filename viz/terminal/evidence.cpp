#include "viz/terminal/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/measurements/metrics.h"
#include "kernels/measurements/points.h"
#include "kernels/measurements/recorded.h"
#include "sim/base/printable.h"
#include "sim/catalogue/run_values.h"
#include "sim/machine/device_override.h"
#include "sim/model/validation.h"
#include "sim/programs/programs.h"
#include "sim/report/numbers.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

using measurements::Figure;
using measurements::Recording;

/// FlashScope's family of tensor-core kernels that PyTorch has counterparts of.
const std::string_view ours = sim::programs::flash2.half_kernel;

/// Shortest sequence that is compared: for shorter ones PyTorch's launch overhead matters.
constexpr std::int64_t shortest = 2048;

struct Kind {
  const char* title;
  std::string_view quantity;
};
/// By Bytes.
constexpr std::array<Kind, byte_kinds> kinds = {{{"read from L2", "tile_traffic.total.read_bytes"},
                                                 {"written to L2", "tile_traffic.total.write_bytes"},
                                                 {"added in L2", "tile_traffic.atomic_bytes"},
                                                 {"read from HBM", "hbm_traffic.read_bytes"},
                                                 {"written to HBM", "hbm_traffic.write_bytes"}}};

/// The program's number that corresponds to a counter: bytes added in L2 have a hardware counter of their own.
double counted_beside(const std::vector<sim::PathValue>& values, std::string_view quantity) {
  const double all = sim::number_at(values, std::string(quantity));
  return quantity.starts_with("tile_traffic.total") ? all - sim::number_at(values, "tile_traffic.atomic_bytes") : all;
}

bool is_cold_time(const Figure& figure) {
  return figure.quantity == measurements::time_quantity && figure.caches == measurements::Caches::cold &&
         figure.scenario.has_value();
}

/// The kind of bytes that a figure counts, if its metric is of one.
std::optional<std::size_t> kind_of(const Figure& figure, double& bytes) {
  if (!figure.scenario || figure.caches == measurements::Caches::warm) return std::nullopt;
  for (std::size_t n = 0; n < byte_kinds; ++n) {
    const measurements::Metric& metric = *measurements::metric_beside(kinds[n].quantity);
    if (figure.quantity != metric.name) continue;
    bytes = figure.value * metric.factor;
    return n;
  }
  return std::nullopt;
}

/// Adds the bytes that a GPU counted, next to the program's; figures of one run are neighbours.
void add_bytes(const Recording& recording, Evidence& evidence) {
  const Figure* run = nullptr;
  std::vector<sim::PathValue> values;
  for (const Figure& figure : recording.figures) {
    double measured = 0;
    const std::optional<std::size_t> kind = kind_of(figure, measured);
    if (!kind) continue;
    if (run == nullptr || run->kernel != figure.kernel || run->options != figure.options) {
      run = &figure;
      values = sim::values_of(sim::simulate(*figure.scenario));
      evidence.runs.push_back({figure.kernel, *figure.scenario, {}});
    }
    const Counted counted = {counted_beside(values, kinds[*kind].quantity), measured};
    if (counted.predicted > 0 || measured > 0) evidence.runs.back().bytes[*kind] = counted;
  }
}

/// Adds the time of a plain kernel over the predicted one, at the recorded clock.
void add_plain(const Figure& figure, Evidence& evidence) {
  if (!measurements::is_plain(*figure.scenario, figure.kernel)) return;
  sim::Scenario scenario = *figure.scenario;
  if (figure.sm_mhz && *figure.sm_mhz >= 1)
    scenario.gpu = sim::at_clock(*scenario.gpu, std::llround(*figure.sm_mhz) * 1'000'000);
  evidence.plain.add(figure.value / sim::simulate(scenario).microseconds);
}

/// Adds the ratio of a rival's time to ours for equal work, cold; nothing if ours was not timed.
void add_speed(const std::vector<Recording>& recordings, const Figure& rival, Evidence& evidence) {
  const bool flash = rival.kernel == "pytorch-flash", forward = rival.scenario->pass == sim::Pass::forward;
  if (!flash && rival.kernel != "pytorch-cudnn") return;
  if (rival.scenario->shape.seqlen_q < shortest || rival.scenario->pass == sim::Pass::forward_backward) return;
  for (const measurements::Recorded& mine : measurements::recorded_of(recordings, *rival.scenario, ours)) {
    if (!is_cold_time(*mine.figure)) continue;
    Span& span = flash ? (forward ? evidence.flash_forward : evidence.flash_backward)
                       : (forward ? evidence.cudnn_forward : evidence.cudnn_backward);
    span.add(rival.value / mine.figure->value);
  }
}

/// "1.06 to 1.20 x (18 scenarios)".
std::string range(const Span& span) {
  if (span.count == 0) return "not recorded";
  return fmt::format("{:.2f} to {:.2f} x ({} scenarios)", span.least, span.most, span.count);
}

/// "34 to 411 x (37 times)".
std::string wide_range(const Span& span) {
  if (span.count == 0) return "not recorded";
  return fmt::format("{:.0f} to {:.0f} x ({} times)", span.least, span.most, span.count);
}

/// "+0.61 %"; "0.00 %" without a sign.
std::string error_text(double error) {
  const double hundredths = std::round(1e4 * error);
  return hundredths == 0 ? "0.00 %" : fmt::format("{:+.2f} %", hundredths / 100);
}

/// "flash1 forward, 12 x 16 heads, N 1,024": enough to find the run among those with counters.
std::string short_text(const CountedRun& run) {
  const sim::Shape& shape = run.scenario.shape;
  std::string text = sim::text(run.kernel, " ", sim::name_of(run.scenario.pass), ", ", shape.batch, " x ", shape.heads,
                               " heads, N ", report::thousands(shape.seqlen_k));
  if (shape.kv_heads != shape.heads) text += sim::text(", ", shape.kv_heads, " KV heads");
  if (run.scenario.pattern.any()) text += ", " + sim::text_of(run.scenario.pattern);
  return sim::printable(text);
}

/// Errors of each kind of bytes on each GPU.
report::Table byte_table(const std::vector<Evidence>& all) {
  report::Table table({"bytes", "GPU", "scenarios", "mean |error|", "bias", "worst", "at"});
  for (std::size_t kind = 0; kind < byte_kinds; ++kind) {
    for (const Evidence& one : all) {
      const ByteErrors errors = one.errors(static_cast<Bytes>(kind));
      if (errors.runs == 0) continue;
      table.row({kinds[kind].title, one.gpu, std::to_string(errors.runs), fmt::format("{:.2f} %", 100 * errors.mean),
                 error_text(errors.bias), error_text(errors.largest), short_text(*errors.worst)});
    }
  }
  return table;
}

/// Adds the errors of held-out predicted times of one kind, if there are any.
void add_held_out(report::Table& table, const sim::Validation& validation, sim::Pass pass,
                  const std::string& algorithm) {
  std::vector<const sim::Prediction*> kind;
  for (const sim::Prediction* p : validation.with(sim::Standing::score)) {
    if (p->point->scenario.pass == pass && sim::code_of(*p->point) == algorithm && !validation.fitted(*p->point))
      kind.push_back(p);
  }
  const sim::ErrorSummary summary = sim::summary_of(kind);
  if (summary.points == 0) return;
  table.row({sim::text(algorithm, ", ", sim::name_of(pass)), std::to_string(summary.points),
             report::percent(summary.mean_error), fmt::format("{:+.1f} %", 100 * summary.bias)});
}

}  // namespace

void Span::add(double ratio) {
  least = count == 0 ? ratio : std::min(least, ratio);
  most = count == 0 ? ratio : std::max(most, ratio);
  ++count;
}

ByteErrors Evidence::errors(Bytes kind) const {
  ByteErrors all;
  for (const CountedRun& run : runs) {
    const std::optional<Counted>& bytes = run.bytes[static_cast<std::size_t>(kind)];
    if (!bytes) continue;
    const double error = bytes->error();
    ++all.runs;
    all.mean += std::abs(error);
    all.bias += error;
    if (all.worst != nullptr && std::abs(error) <= std::abs(all.largest)) continue;
    all.largest = error;
    all.worst = &run;
  }
  all.mean /= static_cast<double>(std::max<std::size_t>(all.runs, 1));
  all.bias /= static_cast<double>(std::max<std::size_t>(all.runs, 1));
  return all;
}

std::vector<Evidence> evidence_of(const std::vector<Recording>& recordings) {
  std::vector<Evidence> all;
  for (const Recording& recording : recordings) {
    if (recording.gpu.empty()) continue;
    auto found = std::find_if(all.begin(), all.end(), [&](const Evidence& e) { return e.gpu == recording.gpu; });
    if (found == all.end()) {
      found = all.insert(all.end(), Evidence{});
      found->device = recording.device, found->gpu = recording.gpu, found->date = recording.date.substr(0, 10);
    }
    add_bytes(recording, *found);
    for (const Figure& figure : recording.figures) {
      if (!is_cold_time(figure)) continue;
      add_speed(recordings, figure, *found);
      add_plain(figure, *found);
    }
  }
  return all;
}

Document evidence_document(const std::vector<Recording>& recordings) {
  struct Row {
    const char* title;
    Span Evidence::*span;
    std::string (*text)(const Span&);
  };
  constexpr Row rows[] = {{"forward, PyTorch's flash", &Evidence::flash_forward, range},
                          {"backward, PyTorch's flash", &Evidence::flash_backward, range},
                          {"forward, cuDNN", &Evidence::cudnn_forward, range},
                          {"backward, cuDNN", &Evidence::cudnn_backward, range},
                          {"plain kernels, over predicted", &Evidence::plain, wide_range}};
  const std::vector<Evidence> all = evidence_of(recordings);
  std::vector<std::string> header = {"measured times"};
  for (const Evidence& one : all) header.push_back(one.device + ", " + one.date);
  report::Table measured(header);
  for (const Row& row : rows) {
    std::vector<std::string> cells = {row.title};
    for (const Evidence& one : all) cells.push_back(row.text(one.*row.span));
    measured.row(cells);
  }
  const measurements::RecordedPoints points = measurements::points_of(recordings);
  sim::ValidationChoice choice;
  choice.recorded = points.points;
  const sim::Validation validation = sim::validate(choice);
  report::Table predicted({"predicted, never fitted to", "published or recorded times", "mean error", "bias"});
  for (const std::string& algorithm : sim::all_program_names()) {
    for (const sim::Pass pass : {sim::Pass::forward, sim::Pass::backward, sim::Pass::forward_backward})
      add_held_out(predicted, validation, pass, algorithm);
  }
  return {
      {"Bytes: those of the program / those that the GPU counted - 1, in every scenario of every kernel with counters\n"
       "(--points lists them). L2 also counts what the plain backward kernels keep in local memory.\n"},
      {"", byte_table(all)},
      {"Times: that of the other kernel / that of ours, cold caches, N from 2,048 on; below 1 the other one is "
       "faster.\n"
       "Predicted times of standard, flash1 and plain flash2 are of kernels that reach the rates of the GPU. The "
       "plain\n"
       "kernels here, which teach, take longer: their time / the predicted one.\n"},
      {"", measured},
      {"", predicted}};
}

Document counted_document(const std::vector<Recording>& recordings) {
  report::Table table({"GPU", "kernel", "scenario", "L2 read", "L2 written", "L2 added", "HBM read", "program", "error",
                       "HBM written", "program", "error"});
  const auto error = [](const std::optional<Counted>& c) { return c ? error_text(c->error()) : "-"; };
  const std::vector<Evidence> all = evidence_of(recordings);
  for (const Evidence& one : all) {
    for (const CountedRun& run : one.runs) {
      std::vector<std::string> cells = {one.gpu, sim::printable(run.kernel),
                                        sim::text(sim::name_of(run.scenario.pass), ", ", shape_text(run.scenario))};
      for (std::size_t kind = 0; kind < byte_kinds; ++kind) {
        const std::optional<Counted>& bytes = run.bytes[kind];
        if (kinds[kind].quantity.starts_with("hbm")) {
          const auto cell = [&](double Counted::*of) {
            return bytes ? report::bytes(std::llround((*bytes).*of)) : "-";
          };
          cells.push_back(cell(&Counted::measured));
          cells.push_back(cell(&Counted::predicted));
        }
        cells.push_back(error(bytes));
      }
      table.row(cells);
    }
  }
  return {
      {"", table},
      {"Errors: bytes of the program / bytes that the GPU counted - 1. HBM read, HBM written: counted by the GPU.\n"},
      {"", byte_table(all)}};
}

}  // namespace terminal
