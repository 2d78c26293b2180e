// Changes of the numbers of a scenario, requested by fields, sliders and keys.
#pragma once
#include "viz/model/model.h"

namespace explorer {

/// True if an option is locked: while a lesson's goal is tried, all but those that the goal names are.
bool is_locked(const Model& model, std::string_view option);
/// Sets an option to a number; an empty text resets it. An option that covers several replaces them. `drags`: many
/// changes in a row are one step of undo.
void change_number(Model& model, std::string_view option, const std::string& text, bool drags);

inline constexpr std::int64_t least_sram = 8192, sram_step = 1024;  ///< bytes, for sliders
/// Edits that double or halve the number of keys, N, within 16 to 2^20.
Edits scaled_keys(const Model& model, bool more);
/// Edits that change a CTA's SRAM by 8 KiB, up to the device's limit.
Edits stepped_sram(const Model& model, bool more);

}  // namespace explorer
