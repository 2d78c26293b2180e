#include "kernels/bench/sensors.h"

#include "kernels/bench/library.h"
#include "sim/base/check.h"

namespace bench {
namespace {

/// Declarations of nvml.h, as far as they are used here; names and numbers are NVIDIA's and stable.
using Result = int;
using Card = void*;
constexpr Result success = 0;
constexpr int sm_clock = 1;
using Init = Result();
using DriverVersion = Result(char* version, unsigned length);
using CardAt = Result(const char* bus, Card* card);
using Clock = Result(Card card, int kind, unsigned* megahertz);
using Power = Result(Card card, unsigned* milliwatts);

class Nvml final : public Sensors {
 public:
  Nvml(const std::string& bus, const char* name)
      : library_({name}),
        clock_(library_.function<Clock>("nvmlDeviceGetClockInfo")),
        power_(library_.function<Power>("nvmlDeviceGetPowerUsage")) {
    check(library_.function<Init>("nvmlInit_v2")(), "nvmlInit_v2");
    char version[96] = "";
    check(library_.function<DriverVersion>("nvmlSystemGetDriverVersion")(version, sizeof version),
          "nvmlSystemGetDriverVersion");
    driver_ = version;
    check(library_.function<CardAt>("nvmlDeviceGetHandleByPciBusId_v2")(bus.c_str(), &card_),
          "nvmlDeviceGetHandleByPciBusId_v2");
  }

  Sensed read() override {
    Sensed now;
    unsigned value = 0;
    if (clock_(card_, sm_clock, &value) == success) now.sm_mhz = value;
    if (power_(card_, &value) == success) now.watts = value / 1000.0;
    return now;
  }
  std::string driver() const override { return driver_; }
  std::string why_none() const override { return ""; }

 private:
  static void check(Result result, const char* function) {
    sim::require(result == success, "the NVIDIA driver refuses ", function, " (", result, ")");
  }

  Library library_;
  Clock* clock_;
  Power* power_;
  Card card_ = nullptr;
  std::string driver_;
};

class NoSensors final : public Sensors {
 public:
  explicit NoSensors(std::string why) : why_(std::move(why)) {}
  Sensed read() override { return {}; }
  std::string driver() const override { return "unknown"; }
  std::string why_none() const override { return why_; }

 private:
  std::string why_;
};

}  // namespace

std::unique_ptr<Sensors> open_sensors(const std::string& bus, const char* library) {
  try {
    return std::make_unique<Nvml>(bus, library);
  } catch (const sim::Error& error) {
    return std::make_unique<NoSensors>(sim::text("clock and power: ", error.what()));
  }
}

}  // namespace bench
