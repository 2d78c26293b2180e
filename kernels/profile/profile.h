// What Nsight Compute measured of a program's launches: its CSV export, in either of its layouts.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/profile/unit.h"

namespace profile {

/// The largest file that is read, and its longest cell (names of templates are long), in bytes.
inline constexpr std::int64_t longest_profile = std::int64_t{1} << 26, longest_cell = std::int64_t{1} << 16;

/// One launch of a kernel, with what the file says of the metrics that kernels/profile/metric.h knows.
struct Launch {
  std::string id, kernel;  ///< as in the file
  std::string capability;  ///< of the GPU, as "9.0"; "" where the file does not say it
  std::int64_t line = 0;   ///< where it begins, from 1
  std::map<std::string, std::optional<Reading>, std::less<>> readings;  ///< nothing: "n/a"
  std::string grid{}, block{};  ///< as in the file; "" where it does not say them
};

struct Profile {
  std::string origin;                ///< a file name, for messages
  std::vector<Launch> launches;      ///< in the order of the file; at least one
  std::vector<std::string> unknown;  ///< metrics that no quantity takes, in the order of the file
};

/// Reads `ncu --csv`, of the page "raw" (a row per launch, a column per metric, units in the row below the header) or
/// "details" (a row per launch and metric, rows of rules between them), in the locale of the machine that wrote it.
/// Lines before the header, and later ones that are not part of the table, are what the profiler and the program
/// printed and are skipped. Throws sim::Error with file, line and column: no header, no launches, a row cut short, a
/// launch or a metric twice with different contents, numbers of two locales, a known metric whose number or unit cannot
/// be read or whose number could be two. O(size of the text).
Profile parse_profile(std::string_view text, const std::string& origin);

/// The launches that a choice names: by their ID, or by a part of the kernel's name; all where none is given. Throws
/// sim::Error for a choice that fits no launch, naming some that are there.
std::vector<const Launch*> choose_launches(const Profile& profile, const std::vector<std::string>& choices);

}  // namespace profile
