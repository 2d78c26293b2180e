// How many CTAs of a kernel share one SM.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "sim/base/units.h"
#include "sim/machine/device_spec.h"

namespace sim {

/// What one CTA takes of its SM.
struct CtaNeeds {
  Bytes smem, registers;
  std::int64_t threads = 128;
};

/// One thing that could keep another CTA off the SM: how much the SM has, and how much one CTA takes of it.
struct OccupancyLimit {
  std::string_view key;   ///< in the JSON: "smem"
  std::string_view what;  ///< "SMEM", "registers", "threads" or "CTA slots"
  std::int64_t sm, cta;   ///< bytes; threads; CTAs
  std::int64_t ctas() const { return sm / std::max<std::int64_t>(cta, 1); }
};

/// All four. Inaccuracy: where no compiled kernel is known (sim/model/compiled_kernels.h), registers are those of the
/// tiles; addresses and loop counters come on top in a real kernel.
std::array<OccupancyLimit, 4> occupancy_limits(const DeviceSpec& device, const CtaNeeds& needs);

/// CTAs that fit on one SM at a time, at least 1: what the smallest of the limits allows.
std::int64_t ctas_per_sm(const DeviceSpec& device, const CtaNeeds& needs);

/// The smallest limit's name; the first of several.
std::string_view occupancy_limit(const DeviceSpec& device, const CtaNeeds& needs);

}  // namespace sim
