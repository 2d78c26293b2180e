// Wrapper for commands that need a device.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

/// Returns the result of `run`; converts a missing device to MissingCapability.
int on_device(int (*run)(const Arguments&), const Arguments& arguments);

/// Plans scenarios that name no GPU for the card: with its device table `gpu`, or, if that is empty, with the shared
/// memory limit of its CTAs in bytes, if less than that of the default GPU.
void plan_for_card(sim::OptionValues& scenario, const std::string& gpu, std::int64_t smem);

}  // namespace terminal
