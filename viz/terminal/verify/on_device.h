// A command that needs a device.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

/// What the command `run` returns; a device that is missing becomes a capability that is.
int on_device(int (*run)(const Arguments&), const Arguments& arguments);

/// Scenarios that name no GPU are planned for the card: for its device table `gpu`, or, where that is empty, for the
/// shared memory that a CTA of it may take, in bytes, where it is less than that of the default GPU.
void plan_for_card(sim::OptionValues& scenario, const std::string& gpu, std::int64_t smem);

}  // namespace terminal
