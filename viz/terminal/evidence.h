// Comparison of measurements on GPUs with the program's results: bytes, speed, predicted times.
#pragma once
#include <string>
#include <vector>

#include "kernels/measurements/recording.h"
#include "viz/terminal/document.h"

namespace terminal {

/// Range of some ratios.
struct Span {
  double least = 0, most = 0;
  std::size_t count = 0;
  void add(double ratio);
};

/// Results from the recordings of one GPU on one day.
struct Evidence {
  std::string device, gpu, date;
  Span l2_read, l2_written, l2_added, hbm_read, hbm_written;          ///< counted by the GPU / by the program
  Span flash_forward, flash_backward, cudnn_forward, cudnn_backward;  ///< time of PyTorch's kernel / of ours
};

/// One entry per GPU, in the order of recording. Simulates every scenario that has counters.
std::vector<Evidence> evidence_of(const std::vector<measurements::Recording>& recordings);

/// A table of evidence_of(), and one of the errors of held-out predicted times.
Document evidence_document(const std::vector<measurements::Recording>& recordings);

}  // namespace terminal
