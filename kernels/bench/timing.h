// Times the kernels of a plan with marks in the device's stream.
#pragma once
#include <cstdint>
#include <vector>

#include "kernels/bench/buffers.h"
#include "kernels/bench/sensors.h"
#include "kernels/dev/event.h"

namespace bench {

/// Median and quartiles, which one slow run does not move.
struct Series {
  double median = 0, low = 0, high = 0;
  std::int64_t runs = 0;
};

/// Summarises at least one value; quantiles are interpolated linearly. O(n log n).
Series series_of(std::vector<double> values);

/// Returns the median of at least one value.
double median_of(std::vector<double> values);

/// Measuring effort: the number of runs that take `seconds`, at least 3 and at most `runs`.
struct Effort {
  std::int64_t runs = 50;
  double seconds = 0.5;
};
inline constexpr std::int64_t least_runs = 3, most_runs = 10000;

/// Times of single runs in microseconds, and medians of the sensor readings meanwhile.
struct Timing {
  Series microseconds;
  Sensed sensed;
};

/// Times the plan's kernels together, as one call of attention. Warms up first (3 runs and 50 ms at least), then
/// launches runs back to back. Rotates the first `sets` sets; a single set stays in the L2 as far as it fits. Throws
/// dev::DeviceError if a kernel fails.
/// Inaccuracies: includes the device's latency to start the next kernel, and the mark: some microseconds, noticeable in
/// short runs. On the emulated device it is the CPU's time, which tells nothing about a GPU.
Timing time_of(Buffers& buffers, std::size_t sets, const Effort& effort, Sensors& sensors);

/// Waits until the device has reached a mark; returns medians of the sensors meanwhile, read at least once.
Sensed sensed_until(const dev::Event& mark, Sensors& sensors);

}  // namespace bench
