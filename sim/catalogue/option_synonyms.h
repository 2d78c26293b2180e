// Names that other programs, papers and configs have for options: one table.
#pragma once
#include <string>
#include <string_view>

namespace sim {

/// Option that another name of the field means, and its value if the name implies one: "num-heads" is heads, "bf16" is
/// dtype with the value bf16. Both are empty if there is none.
struct KnownAs {
  std::string option, value;
};

/// Looks up a name in any case, with _ or -, and dashes before it: "num_heads", "-N", "--batch-size".
KnownAs known_as(std::string_view typed);

/// Returns what to give instead of a name that several options set: "hidden-size is heads x head-dim: give ..."; "" for
/// others.
std::string why_no_option(std::string_view typed);

}  // namespace sim
