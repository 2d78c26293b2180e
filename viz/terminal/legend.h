// The lines below a table that explain its contents: how many SMs work, what bounds a time, why an error is unknown.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sim/model/busy_sms.h"

namespace terminal {

/// "8 of 132"
std::string sms_text(const sim::BusySms& sms);

/// Advice if few SMs get work in one of the runs: "8 of 132 SMs get work, the rest of the card is idle: --heads
/// 32 would fill it." and a newline; "" if the card is busy. `sizes_from_files`: no option changes batch and heads.
/// Cost: some simulations if few do.
std::string few_sms_line(const std::vector<sim::Simulation>& runs, bool sizes_from_files = false);

/// "issue" -> "the issue slots of an SM: instructions rather than bytes or FLOPs".
std::string_view bound_meaning(std::string_view bound_by);

/// "Bound by hbm: bandwidth of device memory; issue: ..." of the words in a table, each once, and a newline.
std::string bound_legend(const std::vector<std::string>& bounds);

/// Why errors are unknown, and a newline.
std::string unknown_error_line();

/// "Times are at 1830 MHz, the clock of the SMs." of the clocks in a table, each once, and a newline; "" without any.
std::string clock_line(const std::set<std::int64_t>& clocks);

/// Whose kernels the times of runs are of, and a newline: "Times are of these kernels: flash2: FlashScope's flash2_mma,
/// instructions as compiled.".
std::string kernel_line(const std::vector<sim::Simulation>& runs);

/// Part of the HBM's bandwidth that unfused kernels are taken to reach, where there are some, and a newline.
std::string framework_line(const std::vector<sim::Simulation>& runs);

/// All of these lines for a table of runs; that of errors where one is unknown.
std::string time_legend(const std::vector<sim::Simulation>& runs);

/// A note on kernels that predicted times do not describe.
inline constexpr const char* plain_kernels_note =
    "predicted times are of kernels that reach the rates of the device; the plain kernels that teach (in fp32 all) do "
    "not, for bank conflicts and what they hold in shared memory: flashscope evidence prints how much longer they took";

}  // namespace terminal
