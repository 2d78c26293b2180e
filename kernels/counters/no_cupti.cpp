// Builds without CUPTI.
#include "kernels/counters/counters.h"
#include "kernels/counters/host.h"

namespace counters {
namespace {

Unavailable missing() {
  return {Unavailable::Kind::no_cupti,
          "this build has none: install the CUDA toolkit 13 with CUPTI and build again, without sanitizers"};
}

class NoCounters final : public Counters {
  Reading read(std::int64_t, const std::function<void(const AroundLaunch&)>&) override {
    return {{}, missing().what()};
  }
};

}  // namespace

std::string why_no_cupti() { return missing().what(); }
Host::Host(const std::string&, const std::vector<std::string>&) { throw missing(); }
std::vector<double> Host::values(const std::vector<std::uint8_t>&, std::size_t) const { throw missing(); }
std::unique_ptr<Counters> open() { return std::make_unique<NoCounters>(); }

}  // namespace counters
