// Counters of a GPU: launches in ranges, repeated until every pass has run.
#include <exception>

#include "kernels/counters/counters.h"
#include "kernels/counters/session.h"
#include "kernels/measurements/metrics.h"

namespace counters {
namespace {

class GpuCounters final : public Counters {
 public:
  Reading read(std::int64_t launches, const std::function<void(const AroundLaunch&)>& replay) override {
    try {
      return measured(launches, replay);
    } catch (const std::exception& error) {
      return {{}, error.what()};
    }
  }

 private:
  /// Runs one pass over all launches; one numbered range each, since a kernel may occur twice.
  static bool pass(CounterSession& session, const std::function<void(const AroundLaunch&)>& replay) {
    std::int64_t launch_number = 0;
    session.begin_pass();
    replay([&](const std::function<void()>& launch) {
      session.begin_range(std::to_string(launch_number++));
      launch();
      session.end_range();
    });
    return session.end_pass();
  }

  static Reading measured(std::int64_t launches, const std::function<void(const AroundLaunch&)>& replay) {
    CounterSession session(measurements::metric_names(), static_cast<std::size_t>(launches));
    bool done = false;
    for (std::int64_t n = 0; n < session.passes() && !done; ++n) done = pass(session, replay);
    if (!done) throw Unavailable(Unavailable::Kind::refused, "CUPTI requests more passes than it announced");
    Reading reading;
    const std::vector<std::vector<double>> ranges = session.values();
    if (static_cast<std::int64_t>(ranges.size()) != launches)
      throw Unavailable(Unavailable::Kind::refused,
                        sim::text("CUPTI counted ", ranges.size(), " kernels, ", launches, " ran"));
    for (const std::vector<double>& range : ranges) {
      for (std::size_t k = 0; k < range.size(); ++k) reading.values[measurements::metric_names()[k]] += range[k];
    }
    return reading;
  }
};

}  // namespace

std::unique_ptr<Counters> open() { return std::make_unique<GpuCounters>(); }

}  // namespace counters
