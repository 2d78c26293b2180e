// Reads Nsight Compute's measurements of a program's launches: its CSV export, in either layout.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/profile/unit.h"

namespace profile {

/// Limits in bytes: file size, and length of a cell (names of templates are long).
inline constexpr std::int64_t longest_profile = std::int64_t{1} << 26, longest_cell = std::int64_t{1} << 16;

/// One launch of a kernel, with its readings of the metrics that kernels/profile/metric.h knows.
struct Launch {
  std::string id, kernel;  ///< as in the file
  std::string capability;  ///< compute capability of the GPU, as "9.0"; "" if the file lacks it
  std::int64_t line = 0;   ///< line where it begins, from 1
  std::map<std::string, std::optional<Reading>, std::less<>> readings;  ///< null: "n/a"
  std::string grid{}, block{};                                          ///< as in the file; "" if it lacks them
};

struct Profile {
  std::string origin;                ///< a file name, for messages
  std::vector<Launch> launches;      ///< in file order; at least one
  std::vector<std::string> unknown;  ///< metrics that no quantity uses, in file order
};

/// Reads `ncu --csv`, of the page "raw" (a row per launch, a column per metric, units in the row below the header) or
/// "details" (a row per launch and metric, rows of rules between them), in the locale of the machine that wrote it.
/// Skips output of the profiler and the program: lines before the header, and later ones that are not part of the
/// table. Throws sim::Error with file, line and column: no header, no launches, a truncated row, a launch or a metric
/// twice with different contents, numbers of two locales, a known metric whose number or unit is invalid or ambiguous.
/// O(size of the text).
Profile parse_profile(std::string_view text, const std::string& origin);

/// Selects launches by their ID, or by a part of the kernel's name; all if no choice is given. Throws sim::Error for a
/// choice that fits no launch, naming some available ones.
std::vector<const Launch*> choose_launches(const Profile& profile, const std::vector<std::string>& choices);

}  // namespace profile
