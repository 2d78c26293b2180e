// What a card says of itself while it works: the clock of its SMs and its power.
#pragma once
#include <memory>
#include <optional>
#include <string>

namespace bench {

/// A reading; nothing where the driver does not say.
struct Sensed {
  std::optional<double> sm_mhz, watts;
};

class Sensors {
 public:
  virtual ~Sensors() = default;
  virtual Sensed read() = 0;                 ///< takes some 10 us
  virtual std::string driver() const = 0;    ///< its version, or "unknown"
  virtual std::string why_none() const = 0;  ///< why nothing can be read; "" where it can
};

/// The sensors of the card at a PCI address, through NVML, the driver's library; never null: where there are none they
/// say why. Power is the driver's own mean, over up to a second on some cards.
/// `library` is another in tests.
std::unique_ptr<Sensors> open_sensors(const std::string& bus, const char* library = "libnvidia-ml.so.1");

}  // namespace bench
