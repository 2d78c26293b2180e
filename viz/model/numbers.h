// Changes of the numbers of a scenario, as fields, sliders and keys ask for them.
#pragma once
#include "viz/model/view_model.h"

namespace explorer {

/// While a lesson's goal is tried, all but the options that it names are locked.
bool is_locked(const ViewModel& model, std::string_view option);
/// Gives an option a number; an empty text takes it back. One that stands for several takes their place. `drags`: many
/// changes in a row are one step of undo.
void change_number(ViewModel& model, std::string_view option, const std::string& text, bool drags);

inline constexpr std::int64_t least_sram = 8192, sram_step = 1024;  ///< bytes, of sliders
/// Half or twice as many keys, N: from 16 to 2^20.
void scale_keys(ViewModel& model, bool more);
/// 8 KiB more or less SRAM for a CTA, up to what the device has.
void step_sram(ViewModel& model, bool more);

}  // namespace explorer
