// Comparison of measurements on GPUs with the program's results: bytes, speed, predicted times.
#pragma once
#include <array>
#include <optional>
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

/// A number of the program and the GPU's count of it.
struct Counted {
  double predicted = 0, measured = 0;
  double error() const { return predicted / measured - 1; }  ///< 0.1: predicted 10 % too many
};

/// Quantities of bytes that GPUs count.
enum class Bytes : std::uint8_t { l2_read, l2_written, l2_added, hbm_read, hbm_written };
inline constexpr std::size_t byte_kinds = 5;

/// One recorded scenario of one kernel, with counters.
struct CountedRun {
  std::string kernel;
  sim::Scenario scenario;
  std::array<std::optional<Counted>, byte_kinds> bytes;  ///< by Bytes; empty: not counted, or none on both sides
};

/// Errors of some runs in one quantity, predicted / measured - 1.
struct ByteErrors {
  std::size_t runs = 0;
  double mean = 0, bias = 0, largest = 0;  ///< mean |error|, mean error, the error with the largest |error|
  const CountedRun* worst = nullptr;       ///< its run; null without runs
};

/// Results from the recordings of one GPU.
struct Evidence {
  std::string device, gpu, date;                                      ///< day of the first recording
  std::vector<CountedRun> runs;                                       ///< every scenario of every kernel with counters
  Span flash_forward, flash_backward, cudnn_forward, cudnn_backward;  ///< time of PyTorch's kernel / of ours
  Span plain;                                                         ///< time of plain kernels / predicted time
  ByteErrors errors(Bytes kind) const;
};

/// One entry per GPU, in the order of recording. Simulates every scenario that has counters or plain kernels.
std::vector<Evidence> evidence_of(const std::vector<measurements::Recording>& recordings);

/// Tables of evidence_of(), and one of the errors of held-out predicted times.
Document evidence_document(const std::vector<measurements::Recording>& recordings);

/// A table with a row for each scenario that has counters, and the errors by kind of bytes.
Document counted_document(const std::vector<measurements::Recording>& recordings);

}  // namespace terminal
