// "Did you mean": the nearest of the allowed names, for error messages.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// The allowed name that begins with `name`, else the one with the smallest edit distance (Levenshtein) to it,
/// whatever the case of letters; the first one on a tie; "" if none is near: more than a third of the letters differ.
std::string nearest_name(std::string_view name, const std::vector<std::string>& allowed);

/// The first few near ones in that order; names that hold `name` come before those that only look like it.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& allowed,
                                       std::size_t count);

/// `unknown GPU "h100": did you mean "h100-sxm"? known: toy, t4, ...`
std::string unknown_name_message(std::string_view what, std::string_view name, const std::vector<std::string>& allowed);

/// The same where too many are known for a line: `unknown quantity "sms": did you mean "time.sms", "time.sms_busy" or
/// "tile"?`
std::string unlisted_name_message(std::string_view what, std::string_view name,
                                  const std::vector<std::string>& allowed);

}  // namespace sim
