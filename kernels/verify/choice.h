// Selects the kernels that verify a scenario, and rejects what kernels cannot run before the first launch.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/kernel_list.h"
#include "sim/programs/plan.h"

namespace kernels {

/// Families of kernels in the catalogue of a flavour, each once, such as flash2 and flash2_mma.
std::vector<std::string> kernel_names(dev::Flavour flavour);

/// Returns the family that runs a plan: the requested one; else, in fp16 and bf16, the algorithm's kernels on tensor
/// cores if there are any, otherwise those of its own name. Throws Error if the algorithm or its tiling has no kernel,
/// if the name is unknown, if the family was not compiled for the tiles, if its tiles do not fit in the shared memory
/// of a CTA of the card, in bytes, and if it lacks a kernel for one of the plan's launches. Plain kernels check their
/// limits at launch.
std::string choose_kernel(const sim::Plan& plan, const std::optional<std::string>& asked, dev::Flavour flavour,
                          std::int64_t smem_of_card = dev::any_smem);

/// Throws Error if kernels cannot run the plan: d must be a multiple of 8, and every size, every index inside a head
/// and every grid must fit in 31 bits.
void check_sizes(const sim::Plan& plan);

}  // namespace kernels
