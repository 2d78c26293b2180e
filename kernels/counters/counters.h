// Interface to the hardware counters for verification: requests replays of the launches and returns the counts.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace counters {

/// Runs one launch to completion. Only work inside is counted, so copies and the filling of memory are not.
using AroundLaunch = std::function<void(const std::function<void()>& launch)>;

/// Values by metric name, in the metric's unit, summed over the launches.
struct Reading {
  std::map<std::string, double> values;
  std::string reason;  ///< reason why there are no values, in one line; "" if there are
};

class Counters {
 public:
  virtual ~Counters() = default;
  /// Calls `replay` once per pass of the hardware, at most a few times; it must run the same `launches` launches each
  /// time, from the same state, passing each to its argument. Throws nothing: an error becomes the reason.
  virtual Reading read(std::int64_t launches, const std::function<void(const AroundLaunch&)>& replay) = 0;
};

/// Opens the counters of the GPU that is current on this thread. Never null: if there are none, the reading gives the
/// reason. Inaccuracies: has not run on a GPU yet. Caches are not flushed and clocks not locked: data that copies to
/// the device left in L2 is served or written back from there. The time includes the launch and the wait for its end.
std::unique_ptr<Counters> open();

}  // namespace counters
