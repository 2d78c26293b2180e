// Command lines of Nsight Compute that write the files read here.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace profile {

/// Kernels to record, and the program that launches them.
struct Recorded {
  std::string kernel;                ///< part of its name, or a regular expression; "" for all kernels
  std::int64_t skip = 0, count = 5;  ///< launches of this kernel: skipped first, then recorded
  bool from_start = true;            ///< false: profile from where the program starts the profiler
  std::vector<std::string> program;  ///< with its arguments; empty for a placeholder
};

/// Returns the command line that records every quantity, except that of tensor cores, whose metric depends on the chip.
std::string ncu_command(const Recorded& recorded = {});

/// Returns the command that writes the CSV of a report: "ncu --import k.ncu-rep --csv ... > k.csv".
std::string export_command(const std::string& report);

/// End of the error for a file of Nsight Systems.
inline constexpr const char* times_of_systems =
    ": is of Nsight Systems, which has times and no counters: flashscope simulate --measured TIME explains a time; "
    "counters are recorded by the command that flashscope counters --ncu prints";

/// Throws sim::Error with export_command() if the name is that of a report, which is not text.
void refuse_report(const std::string& path);

}  // namespace profile
