// Why a machine cannot run the kernels, in one line that says what to do; "" where it can.
#pragma once
#include <cstdint>
#include <string>

namespace dev {

/// Versions as CUDA has them, 13000 for 13.0; `driver` 0: there is none. A runtime runs on drivers of its major
/// version.
std::string driver_refusal(int driver, int runtime);

/// A card of compute capability major.minor.
std::string card_refusal(const std::string& name, int major, int minor);

/// A launch that asks for more shared memory of a CTA than the card has, in bytes.
std::string smem_refusal(const std::string& kernel, std::int64_t bytes, std::int64_t of_card);

}  // namespace dev
