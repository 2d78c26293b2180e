// The star after a time that is an estimate, since no kernel is compiled for its tiles: as `tune` writes it.
#pragma once
#include "sim/model/compiled_kernels.h"
#include "viz/panels/view.h"

namespace explorer {

/// " *" after a predicted time of a plan if it is an estimate for the tiles, else "".
inline std::string_view star_of(const sim::Plan& plan) { return sim::is_compiled(plan) == false ? " *" : ""; }

/// Meaning of the star, in few words.
inline std::string_view star_words(const View& view) { return view.say("* estimated: no kernel has these tiles"); }

}  // namespace explorer
