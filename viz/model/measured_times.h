// Measured times of the runs: the key `measured` of a link, and its text field.
#pragma once
#include <optional>
#include <string>

#include "viz/model/look.h"

namespace explorer {

/// True if a link's text is valid: "2.6ms", or "2.6ms,-,4.1ms" in the order of the compared runs ("-": none).
bool is_measured_text(const std::string& text);

/// The time of a run as it was typed, with its unit; "" if there is none.
std::string measured_of(const Look& look, std::size_t run);
/// The time of a run in microseconds; empty if there is none.
std::optional<double> measured_microseconds(const Look& look, std::size_t run);

/// Sets the time of a run, "2.6ms", or removes it (""). False and no change if the text is not a time.
bool set_measured(Look& look, std::size_t run, const std::string& time);

}  // namespace explorer
