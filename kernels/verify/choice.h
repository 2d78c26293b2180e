// Which kernels verify a scenario, and what kernels do not take: everything is refused before the first launch.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/catalog.h"
#include "sim/programs/scenario.h"

namespace kernels {

/// The families of kernels in the catalogue of a flavour, each once, such as flash2 and flash2_mma.
std::vector<std::string> kernel_names(dev::Flavour flavour);

/// The family that runs a plan: the one asked for; else the algorithm's kernels on tensor cores in fp16 and bf16, where
/// it has them, and those of its own name otherwise. Throws Error when the algorithm or its tiling has no kernel, when
/// the name is unknown, when the family was not compiled for the tiles, when its tiles do not fit in the shared memory
/// that a CTA may take of the card, in bytes, and when it lacks a twin of one of the plan's kernels. Plain kernels say
/// at their launch what they take.
std::string choose_kernel(const sim::Plan& plan, const std::optional<std::string>& asked, dev::Flavour flavour,
                          std::int64_t smem_of_card = dev::any_smem);

/// Throws Error where kernels cannot run the plan: d is a multiple of 8, and every size, every index inside a head and
/// every grid fits in 31 bits.
void check_sizes(const sim::Plan& plan);

}  // namespace kernels
