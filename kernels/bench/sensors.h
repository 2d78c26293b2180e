// Sensors of a card at work: the clock of its SMs and its power.
#pragma once
#include <memory>
#include <optional>
#include <string>

namespace bench {

/// A reading; empty if the driver does not report it.
struct Sensed {
  std::optional<double> sm_mhz, watts;
};

class Sensors {
 public:
  virtual ~Sensors() = default;
  virtual Sensed read() = 0;                 ///< takes some 10 us
  virtual std::string driver() const = 0;    ///< driver version, or "unknown"
  virtual std::string why_none() const = 0;  ///< reason why nothing can be read; "" if it can
};

/// Opens the sensors of the card at a PCI address, through NVML, the driver's library; never null: without sensors,
/// why_none() gives the reason. Power is the driver's own mean, over up to a second on some cards.
/// Tests pass another `library`.
std::unique_ptr<Sensors> open_sensors(const std::string& bus, const char* library = "libnvidia-ml.so.1");

}  // namespace bench
