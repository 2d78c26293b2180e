// Closed forms of FlashAttention-3: those of flash2, whose bytes and operations it has with other tiles. Source: Shah
// et al. 2024, section 3.
#include "sim/programs/kernel_form.h"

namespace sim {

std::span<const NamedForm> flash3_forms() {
  static constexpr NamedForm forms[] = {{"flash3_forward", form::flash2_forward, "4 B H Ts"}};
  return forms;
}

}  // namespace sim
