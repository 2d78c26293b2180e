// Maps a card to its device table.
#pragma once
#include <string>
#include <string_view>

namespace kernels {

/// Name of the device table (sim/machine/devices) of a card, by the name that its driver reports; "" if there is none.
std::string gpu_called(std::string_view card_name);

}  // namespace kernels
