// The number of CTAs of a kernel that share one SM.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "sim/base/units.h"
#include "sim/machine/device_spec.h"

namespace sim {

/// Resources of the SM that one CTA takes.
struct CtaNeeds {
  Bytes smem, registers;
  std::int64_t threads = 128;
};

/// A resource that could keep another CTA off the SM: the amount of the SM, and the amount that one CTA takes.
struct OccupancyLimit {
  std::string_view key;   ///< key in the JSON: "smem"
  std::string_view what;  ///< "SMEM", "registers", "threads" or "CTA slots"
  std::int64_t sm, cta;   ///< bytes; threads; CTAs
  std::int64_t ctas() const { return sm / std::max<std::int64_t>(cta, 1); }
};

/// Returns all four limits. Inaccuracy: if no compiled kernel is known (sim/model/compiled_kernels.h), registers are
/// those of the tiles; a real kernel needs more for addresses and loop counters.
std::array<OccupancyLimit, 4> occupancy_limits(const DeviceSpec& device, const CtaNeeds& needs);

/// CTAs that fit on one SM at a time, at least 1: the smallest limit's number.
std::int64_t ctas_per_sm(const DeviceSpec& device, const CtaNeeds& needs);

/// The smallest limit's name; the first of several.
std::string_view occupancy_limit(const DeviceSpec& device, const CtaNeeds& needs);

}  // namespace sim
