#include "kernels/counters/reason.h"

namespace counters {
namespace {

// Values of CUptiResult; cupti.cpp compares them with the header if there is one.
constexpr int hardware_busy = 26, insufficient_privileges = 35, virtual_privileges = 40;

}  // namespace

Unavailable refusal(const std::string& function, int result, const std::string& name) {
  using enum Unavailable::Kind;
  if (result == insufficient_privileges || result == virtual_privileges)
    return {no_permission,
            "need administrator rights on this system (ERR_NVGPUCTRPERM): run as root, or load the driver with "
            "NVreg_RestrictProfilingToAdminUsers=0 (see kernels/counters/README.md)"};
  if (result == hardware_busy) return {refused, "are in use by another profiler: end it and run again"};
  return {refused, sim::text("CUPTI refuses them: ", function, " gives ", name, " (", result, ")")};
}

}  // namespace counters
