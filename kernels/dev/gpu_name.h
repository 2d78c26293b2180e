// Which device table a card is.
#pragma once
#include <string>
#include <string_view>

namespace kernels {

/// The device table (sim/machine/devices) of a card, by the name that its driver gives it; "" where there is none.
std::string gpu_called(std::string_view card_name);

}  // namespace kernels
