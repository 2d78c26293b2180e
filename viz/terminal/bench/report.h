// The measurements of `bench` for one scenario, next to the predictions.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kernels/bench/bench.h"
#include "kernels/bench/ceilings.h"
#include "kernels/measurements/recording.h"
#include "sim/model/simulation.h"

namespace terminal {

/// A scenario with its results.
struct BenchRow {
  sim::Simulation program;
  std::string kernel;
  bench::Measured measured;
  std::string gone = {};  ///< reason why there are no results; "" if there are
  bool failed = false;    ///< its kernels ended in an error: nothing runs on the device any more
  bool ok() const { return !failed && measured.samples.ok(); }
};

/// One timing of a row.
struct BenchTime {
  const BenchRow* row = nullptr;
  measurements::Caches caches = measurements::Caches::any;
  const bench::Timing* timing = nullptr;

  double tflops() const;      ///< TFLOP/s of sim::attention_flops
  double gigabytes() const;   ///< GB/s of the simulated HBM traffic
  double prediction() const;  ///< predicted / measured - 1
};
std::vector<BenchTime> times_of(const BenchRow& row);

/// All results of one start of `bench`. The head of the recording names the device.
struct BenchReport {
  measurements::Recording head;
  bench::Ceiling matmul, copy;
  std::vector<BenchRow> rows;
  bool predicted = false;  ///< the card has a device table
  std::vector<std::string> notes() const;
};

/// The report as a recording: ceilings, times, counters.
measurements::Recording recording_of(const BenchReport& report);

std::string bench_table(const BenchReport& report);
nlohmann::ordered_json bench_json(const BenchReport& report);

}  // namespace terminal
