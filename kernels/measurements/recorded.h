// The recordings that are part of FlashScope, and what they say of a scenario.
#pragma once
#include <vector>

#include "kernels/measurements/metrics.h"
#include "kernels/measurements/recording.h"

namespace measurements {

/// Every embedded recording, read once, in the order of index.txt. Empty until a GPU was measured.
const std::vector<Recording>& recordings();

/// A figure and where it stands.
struct Recorded {
  const Recording* recording = nullptr;
  const Figure* figure = nullptr;
};

/// Whether two scenarios ask for the same work: algorithm, its own options, pass, shape or lengths of a ragged batch,
/// mask, pattern, dtype, dropout and tiles. GPU, scale, inputs and seed may differ.
bool same_work(const sim::Scenario& a, const sim::Scenario& b);

/// The family of our kernels that runs a scenario where none is asked for: in fp16 and bf16 the one on tensor cores,
/// as flash2_mma for flash2, else that of the algorithm's own name.
std::string default_kernel(const sim::Scenario& scenario);

/// The figures of a kernel at this work on this scenario's GPU, a built-in one; of several recordings of a figure the
/// last. Pointers into `from`.
std::vector<Recorded> recorded_of(const std::vector<Recording>& from, const sim::Scenario& scenario,
                                  std::string_view kernel);

/// The GPUs on which a kernel was measured at this work, each once: where to look when the above is empty.
std::vector<std::string> gpus_with(const std::vector<Recording>& from, const sim::Scenario& scenario,
                                   std::string_view kernel);

/// A figure that stands beside a quantity of the program.
struct Beside {
  const measurements::Metric* metric = nullptr;  ///< whose `quantity` it is
  Recorded recorded;
  double value = 0;  ///< in the metric's `our_unit`
};

/// Of the figures of one kernel at one work those that stand beside the program, at most one for each quantity: with
/// cold caches, else where caches have no meaning, else with warm ones. A time between events is taken before the
/// hardware's own.
std::vector<Beside> beside_program(const std::vector<Recorded>& figures);

/// "NVIDIA H200, driver 580.65, 2026-11-22 (h200.csv)"
std::string label_of(const Recording& recording);

/// The same with the state of the caches: "NVIDIA H200, driver 580.65, 2026-11-22 (h200.csv), cold caches"
std::string label_of(const Recorded& recorded);

}  // namespace measurements
