// "Did you mean": the nearest of the allowed names, for error messages.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/sentence.h"

namespace sim {

/// Returns the allowed name that begins with `name`, else the one with the smallest edit distance (Levenshtein),
/// ignoring case; the first on a tie; "" if none is near (more than a third of the letters differ).
std::string nearest_name(std::string_view name, const std::vector<std::string>& allowed);

/// Returns the nearest names, closest first, at most `count`; names that contain `name` precede names that only
/// resemble it.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& allowed,
                                       std::size_t count);

/// `unknown GPU "h100": did you mean "h100-sxm"? known: toy, t4, ...`
Sentence unknown_name_message(const Sentence& what, std::string_view name, const std::vector<std::string>& allowed);

/// Error text without the list of known names, for long lists: `unknown quantity "sms": did you mean "time.sms",
/// "time.sms_busy" or "tile"?`
Sentence unlisted_name_message(const Sentence& what, std::string_view name, const std::vector<std::string>& allowed);

}  // namespace sim
