// The hardware's counters as a verification sees them: something that has the launches repeated and says what it
// counted.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace counters {

/// Runs one launch to its end. Only what runs inside is counted, so copies and the filling of memory are not.
using AroundLaunch = std::function<void(const std::function<void()>& launch)>;

/// Values by the name of the metric, in the metric's unit, summed over the launches.
struct Reading {
  std::map<std::string, double> values;
  std::string reason;  ///< why there are none, in one line; "" where there are
};

class Counters {
 public:
  virtual ~Counters() = default;
  /// Calls `replay` once per pass of the hardware, at most a few times; it must run the same `launches` launches each
  /// time, from the same state, each through the function it is given. Throws nothing: what goes wrong is the reason.
  virtual Reading read(std::int64_t launches, const std::function<void(const AroundLaunch&)>& replay) = 0;
};

/// The counters of the GPU that is current on this thread. Never null: where there are none, the reading says why.
/// Inaccuracies: has not run on a GPU yet. Caches are not flushed and clocks not locked: what copies to the device
/// left in L2 is served or written back from there. The time has the launch and the wait for its end in it.
std::unique_ptr<Counters> open();

}  // namespace counters
