// Recordings that are embedded in FlashScope, and their figures for a scenario.
#pragma once
#include <vector>

#include "kernels/measurements/metrics.h"
#include "kernels/measurements/recording.h"

namespace measurements {

/// All embedded recordings, read once, in the order of index.txt. Empty until a GPU was measured.
const std::vector<Recording>& recordings();

/// A figure and its recording.
struct Recorded {
  const Recording* recording = nullptr;
  const Figure* figure = nullptr;
};

/// True if two scenarios have equal work: algorithm, its own options, pass, shape or lengths of a ragged batch, mask,
/// pages, pattern, dtype, dropout and tiles. GPU, scale, inputs and seed may differ.
bool same_work(const sim::Scenario& a, const sim::Scenario& b);

/// Default family of our kernels for a scenario: in fp16 and bf16 the one on tensor cores, as flash2_mma for flash2,
/// else that of the algorithm's own name.
std::string default_kernel(const sim::Scenario& scenario);

/// True for a kernel of the algorithm's own name, plain code that reads like the listing. The predicted time is that of
/// a kernel as the papers' authors wrote it, which takes a small part of this one's.
bool is_plain(const sim::Scenario& scenario, std::string_view kernel);

/// Note on a recorded time of such a kernel, next to the predicted one.
inline constexpr std::string_view plain_time_note =
    "the predicted time is of a kernel as the papers' authors wrote it, this one is plain: see flashscope evidence";

/// Figures of a kernel for this work on this scenario's GPU, a built-in one; if several recordings have a figure, the
/// last. Pointers into `from`.
std::vector<Recorded> recorded_of(const std::vector<Recording>& from, const sim::Scenario& scenario,
                                  std::string_view kernel);

/// GPUs on which a kernel was measured for this work, each once: alternatives if recorded_of() is empty.
std::vector<std::string> gpus_with(const std::vector<Recording>& from, const sim::Scenario& scenario,
                                   std::string_view kernel);

/// A figure that is compared with a quantity of the program.
struct Beside {
  const measurements::Metric* metric = nullptr;  ///< metric that measures the quantity
  Recorded recorded;
  double value = 0;  ///< in the metric's `our_unit`
};

/// Selects the figures of one kernel and work to compare with the program, at most one per quantity: with cold caches,
/// else those to which caches do not apply, else with warm ones. A time between events takes precedence over the
/// hardware's own.
std::vector<Beside> beside_program(const std::vector<Recorded>& figures);

/// Label of a recording: "NVIDIA H200, driver 580.65, 2026-11-22 (h200.csv)".
std::string label_of(const Recording& recording);

/// Label with the state of the caches: "NVIDIA H200, driver 580.65, 2026-11-22 (h200.csv), cold caches".
std::string label_of(const Recorded& recorded);

}  // namespace measurements
