// The card that `bench` runs on.
#pragma once
#include <memory>
#include <string>

#include "kernels/bench/sensors.h"
#include "kernels/counters/counters.h"
#include "kernels/dev/device.h"
#include "kernels/measurements/recording.h"
#include "viz/terminal/arguments.h"

namespace terminal {

struct BenchDevice {
  std::unique_ptr<dev::Device> device;
  std::unique_ptr<bench::Sensors> sensors;
  std::unique_ptr<counters::Counters> counters;  ///< null if they were not requested
  std::string gpu;  ///< the device table of the card, or the one that --gpu names; "" if there is none
  bool emulated() const { return device->flavour() != dev::Flavour::cuda; }
};

/// Opens the device that --device names. Throws dev::DeviceError of kind missing.
BenchDevice open_bench_device(const Arguments& arguments);

/// Warnings of what the device lacks, on stderr.
void warn_of(const BenchDevice& bench);

/// The head of a recording that begins now. `commit`: of the source tree.
measurements::Recording recording_head(const Arguments& arguments, const BenchDevice& bench, std::string_view commit);

}  // namespace terminal
