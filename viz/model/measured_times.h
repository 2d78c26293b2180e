// Measured times of the runs: the key `measured` of a link, and the field of it that one types into.
#pragma once
#include <optional>
#include <string>

#include "viz/model/look.h"

namespace explorer {

/// True for the text of a link: "2.6ms", or "2.6ms,-,4.1ms" in the order of the runs that are compared, - for none.
bool is_measured_text(const std::string& text);

/// The time of a run as it was typed, with its unit; "" for none.
std::string measured_of(const Look& look, std::size_t run);
/// Converts it to microseconds.
std::optional<double> measured_microseconds(const Look& look, std::size_t run);

/// Gives a run its time, "2.6ms", or "" for none. False for what is no time: nothing changed.
bool set_measured(Look& look, std::size_t run, const std::string& time);

}  // namespace explorer
