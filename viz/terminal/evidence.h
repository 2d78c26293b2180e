// Measurements on GPUs beside what the program says of the same scenarios: bytes, speed, predicted times.
#pragma once
#include <string>
#include <vector>

#include "kernels/measurements/recording.h"
#include "viz/terminal/document.h"

namespace terminal {

/// The least and the most of some ratios.
struct Span {
  double least = 0, most = 0;
  std::size_t count = 0;
  void add(double ratio);
};

/// Findings of the recordings of one GPU on one day.
struct Evidence {
  std::string device, gpu, date;
  Span l2_read, l2_written, l2_added, hbm_read, hbm_written;          ///< counted by the GPU / by the program
  Span flash_forward, flash_backward, cudnn_forward, cudnn_backward;  ///< time of PyTorch's kernel / of ours
};

/// An entry for each GPU, in the order in which it was recorded. Simulates every scenario with counters.
std::vector<Evidence> evidence_of(const std::vector<measurements::Recording>& recordings);

/// A table of it, and one of the errors of predicted times that no constant was fitted to.
Document evidence_document(const std::vector<measurements::Recording>& recordings);

}  // namespace terminal
