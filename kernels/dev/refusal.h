// Reasons why a machine cannot run the kernels, in one line with the remedy; "" if it can.
#pragma once
#include <cstdint>
#include <string>

namespace dev {

/// Rejects a missing or old driver. Versions are CUDA's, 13000 for 13.0; `driver` is 0 if there is none. A runtime runs
/// on drivers of its major version.
std::string driver_refusal(int driver, int runtime);

/// Rejects a card of compute capability major.minor that is too old.
std::string card_refusal(const std::string& name, int major, int minor);

/// Rejects a launch that needs more shared memory per CTA than the card has, in bytes.
std::string smem_refusal(const std::string& kernel, std::int64_t bytes, std::int64_t of_card);

}  // namespace dev
