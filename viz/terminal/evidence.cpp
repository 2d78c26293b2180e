#include "viz/terminal/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/measurements/points.h"
#include "kernels/measurements/recorded.h"
#include "sim/catalogue/run_values.h"
#include "sim/model/validation.h"
#include "sim/programs/programs.h"
#include "sim/report/numbers.h"

namespace terminal {
namespace {

using measurements::Figure;
using measurements::Recording;

/// FlashScope's family of tensor-core kernels that PyTorch has counterparts of.
const std::string_view ours = sim::programs::flash2.half_kernel;

/// Shortest sequence that is compared: for shorter ones PyTorch's launch overhead matters.
constexpr std::int64_t shortest = 2048;

struct Counted {
  std::string_view quantity;
  Span Evidence::*span;
};
constexpr Counted counted[] = {{"tile_traffic.total.read_bytes", &Evidence::l2_read},
                               {"tile_traffic.total.write_bytes", &Evidence::l2_written},
                               {"tile_traffic.atomic_bytes", &Evidence::l2_added},
                               {"hbm_traffic.read_bytes", &Evidence::hbm_read},
                               {"hbm_traffic.write_bytes", &Evidence::hbm_written}};

/// The program's number that corresponds to a counter: bytes added in L2 have a hardware counter of their own.
double counted_beside(const std::vector<sim::PathValue>& values, std::string_view quantity) {
  const double all = sim::number_at(values, std::string(quantity));
  return quantity.starts_with("tile_traffic.total") ? all - sim::number_at(values, "tile_traffic.atomic_bytes") : all;
}

bool is_cold_time(const Figure& figure) {
  return figure.quantity == measurements::time_quantity && figure.caches == measurements::Caches::cold &&
         figure.scenario.has_value();
}

/// Adds the ratio of bytes counted by the GPU to the program's, for each scenario of our kernels with counters.
void add_bytes(const std::vector<Recording>& recordings, const Recording& recording, Evidence& evidence) {
  for (const Figure& figure : recording.figures) {
    const bool first = figure.quantity == "l1tex__m_xbar2l1tex_read_bytes.sum" &&
                       figure.caches != measurements::Caches::warm;  // a single counter of each scenario
    if (figure.kernel != ours || !first || !figure.scenario) continue;
    const sim::Simulation run = sim::simulate(*figure.scenario);
    const std::vector<sim::PathValue> values = sim::values_of(run);
    const auto figures = measurements::recorded_of(recordings, *figure.scenario, ours);
    for (const measurements::Beside& beside : measurements::beside_program(figures)) {
      for (const Counted& row : counted) {
        if (row.quantity != beside.metric->quantity) continue;
        const double program = counted_beside(values, row.quantity);
        if (program > 0) (evidence.*row.span).add(beside.value / program);
      }
    }
  }
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

/// "at most 0.01 % off (4 scenarios)".
std::string off(const Span& span) {
  if (span.count == 0) return "not recorded";
  const double most = std::max(std::abs(span.least - 1), std::abs(span.most - 1));
  return fmt::format("at most {:.2g} % off ({} scenarios)", std::max(0.01, 100 * most), span.count);
}

/// "1.06 to 1.20 x (18 scenarios)".
std::string range(const Span& span) {
  if (span.count == 0) return "not recorded";
  return fmt::format("{:.2f} to {:.2f} x ({} scenarios)", span.least, span.most, span.count);
}

/// Adds the errors of held-out predicted times of one kind; nothing if there are few.
void add_held_out(report::Table& table, const sim::Validation& validation, sim::Pass pass,
                  const std::string& algorithm) {
  constexpr std::int64_t few = 10;
  std::vector<const sim::Prediction*> kind;
  for (const sim::Prediction* p : validation.with(sim::Standing::score)) {
    const sim::Scenario& scenario = p->point->scenario;
    if (scenario.pass == pass && scenario.algorithm == algorithm && !validation.fitted(*p->point)) kind.push_back(p);
  }
  const sim::ErrorSummary summary = sim::summary_of(kind);
  if (summary.points < few) return;
  table.row({sim::text(algorithm, ", ", sim::name_of(pass)), std::to_string(summary.points),
             report::percent(summary.mean_error), fmt::format("{:+.1f} %", 100 * summary.bias)});
}

}  // namespace

void Span::add(double ratio) {
  least = count == 0 ? ratio : std::min(least, ratio);
  most = count == 0 ? ratio : std::max(most, ratio);
  ++count;
}

std::vector<Evidence> evidence_of(const std::vector<Recording>& recordings) {
  std::vector<Evidence> all;
  for (const Recording& recording : recordings) {
    if (recording.gpu.empty()) continue;
    auto found = std::find_if(all.begin(), all.end(), [&](const Evidence& e) { return e.gpu == recording.gpu; });
    if (found == all.end())
      found = all.insert(
          all.end(),
          {recording.device, recording.gpu, recording.date.substr(0, 10), {}, {}, {}, {}, {}, {}, {}, {}, {}});
    add_bytes(recordings, recording, *found);
    for (const Figure& figure : recording.figures) {
      if (is_cold_time(figure)) add_speed(recordings, figure, *found);
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
  constexpr Row rows[] = {{"bytes read from L2", &Evidence::l2_read, off},
                          {"bytes written to L2", &Evidence::l2_written, off},
                          {"bytes added in L2", &Evidence::l2_added, off},
                          {"bytes read from HBM", &Evidence::hbm_read, off},
                          {"bytes written to HBM", &Evidence::hbm_written, off},
                          {"forward, PyTorch's flash", &Evidence::flash_forward, range},
                          {"backward, PyTorch's flash", &Evidence::flash_backward, range},
                          {"forward, cuDNN", &Evidence::cudnn_forward, range},
                          {"backward, cuDNN", &Evidence::cudnn_backward, range}};
  const std::vector<Evidence> all = evidence_of(recordings);
  std::vector<std::string> header = {"measured"};
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
  for (const std::string& algorithm : sim::program_names()) {
    for (const sim::Pass pass : {sim::Pass::forward, sim::Pass::backward, sim::Pass::forward_backward})
      add_held_out(predicted, validation, pass, algorithm);
  }
  return {
      {"", measured},
      {"Bytes: counters of the GPU against the program, our kernels on tensor cores. Speed: the other kernel's time\n"
       "over ours, cold caches, N from 2,048 on; below 1 the other one is faster.\n"},
      {"", predicted}};
}

}  // namespace terminal
