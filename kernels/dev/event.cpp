#include "kernels/dev/event.h"

#include <chrono>

namespace dev {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Event::Event(Device& device) : device_(&device) {
  if (device.flavour() == Flavour::cuda) {
    mark_ = cuda_mark(device.stream());
  } else {
    mark_ = std::make_shared<Clock::time_point>(Clock::now());  // launches have ended when they return
  }
}

double Event::microseconds_since(const Event& earlier) const {
  sim::require(device_ == earlier.device_, "event: the two are of different devices");
  if (device_->flavour() == Flavour::cuda) return cuda_microseconds(earlier.mark_.get(), mark_.get());
  const auto time = [](const Event& event) { return *static_cast<const Clock::time_point*>(event.mark_.get()); };
  return std::chrono::duration<double, std::micro>(time(*this) - time(earlier)).count();
}

bool Event::reached() const { return device_->flavour() != Flavour::cuda || cuda_reached(mark_.get()); }

}  // namespace dev
