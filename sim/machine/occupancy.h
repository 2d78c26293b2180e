// How many CTAs of a kernel share one SM.
#pragma once
#include <string_view>

#include "sim/base/units.h"
#include "sim/machine/device_spec.h"

namespace sim {

/// What one CTA takes of its SM.
struct CtaNeeds {
  Bytes smem, registers;
  std::int64_t threads = 128;
};

/// CTAs that fit on one SM at a time, at least 1: the smallest of what SMEM, registers, threads and CTA slots allow.
/// Inaccuracy: registers are those of the tiles; addresses and loop counters come on top in a real kernel.
std::int64_t ctas_per_sm(const DeviceSpec& device, const CtaNeeds& needs);

/// Which of them is the smallest: "SMEM", "registers", "threads" or "CTA slots"; the first of several.
std::string_view occupancy_limit(const DeviceSpec& device, const CtaNeeds& needs);

}  // namespace sim
