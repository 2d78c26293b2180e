// The recordings that are part of FlashScope, and what they say of a scenario.
#pragma once
#include <memory>
#include <vector>

#include "kernels/measurements/recording.h"

namespace measurements {

/// Every embedded recording, read once, in the order of kernels/measurements/CMakeLists.txt. Empty until a GPU was
/// measured.
const std::vector<Recording>& recordings();

/// A figure and where it stands.
struct Recorded {
  const Recording* recording = nullptr;
  const Figure* figure = nullptr;
};

/// Whether two scenarios ask for the same work: algorithm, pass, shape, mask, dtype, dropout and tiles. GPU, scale and
/// seed may differ.
bool same_work(const sim::Scenario& a, const sim::Scenario& b);

/// The figures of a kernel at this work on this scenario's GPU; of several recordings of a figure the last. Pointers
/// into `from`.
std::vector<Recorded> recorded_of(const std::vector<Recording>& from, const sim::Scenario& scenario,
                                  std::string_view kernel);

/// The GPUs on which a kernel was measured at this work, each once: where to look when the above is empty.
std::vector<std::string> gpus_with(const std::vector<Recording>& from, const sim::Scenario& scenario,
                                   std::string_view kernel);

/// "NVIDIA H200, driver 580.65, 2026-11-22 (h200.csv)"
std::string label_of(const Recording& recording);

}  // namespace measurements
