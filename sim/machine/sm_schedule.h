// The schedule of one SM: equal CTAs share its pipes and its port to the L2, each issues its tasks in program order.
// Overlap comes out of who needs which pipe when; nothing is fitted here.
//
// What shares a pipe: the task that began first takes what it needs, the next takes what is left (as a scheduler does
// that prefers the oldest warp). Copies queue at one port. Inaccuracies: the warps of a CTA run in step; pipes are
// fluid, so that instructions have no grain.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/check.h"
#include "sim/machine/sm_work.h"

namespace sim {

/// One event as the SM sees it.
struct Task {
  enum class Kind : std::uint8_t { work, copy_in, copy_out };
  Kind kind = Kind::work;
  SmWork work;
  double bytes = 0;         ///< of a copy
  double latency = 0;       ///< of work: from the end of what it depends on to its first instruction
  std::int32_t after = -1;  ///< of a copy in: the task whose end lets it be issued; -1: the CTA's start
  std::array<std::int32_t, 6> operands{-1, -1, -1, -1, -1, -1};  ///< tasks; copies among them must have arrived
};

/// How the chip serves one SM while all SMs are busy.
struct SmPort {
  double cycles_per_byte = 0;
  double latency = 0;   ///< cycles from the end of a copy's transfer to its arrival
  double turnover = 0;  ///< cycles from the end of a CTA to the first instruction of the next
};

/// What a CTA spends its time on, in the order of reports: work, as the pipe that it is slowest on; a wait for a pipe
/// that its neighbours hold; and waits for other reasons.
// clang-format off
enum class Cause : std::uint8_t {
  tensor, fp32, exp, smem, issue,
  tensor_busy, fp32_busy, exp_busy, smem_busy, issue_busy,
  data,       ///< a copy's latency
  bandwidth,  ///< a copy's turn at the port and its transfer
  barrier,    ///< pipes drain and warps meet between dependent phases
  launch,     ///< of the kernel, and of a CTA in the place of the one before
  tail        ///< no CTA left for this place
};
// clang-format on
inline constexpr int cause_count = 15;
std::string_view name_of(Cause cause);
constexpr Cause work_on(Pipe pipe) { return static_cast<Cause>(pipe); }
constexpr Cause busy(Pipe pipe) { return static_cast<Cause>(static_cast<int>(pipe) + pipe_count); }

/// Time by cause: cycles of a CTA, or microseconds of a kernel.
struct Budget {
  std::array<double, cause_count> time{};
  double& operator[](Cause cause) { return time[static_cast<std::size_t>(cause)]; }
  double operator[](Cause cause) const { return time[static_cast<std::size_t>(cause)]; }
  double total() const;
  Budget& add(const Budget& other, double times = 1);
};

/// A stretch of a CTA's time, in cycles since the SM began.
struct Span {
  double begin = 0, end = 0;
};

/// `residents` CTAs begin together, each followed by `rounds` - 1 more in its place.
struct SmRun {
  double cycles_per_cta =
      0;                    ///< of one place, turnover included: between the first and the last round if there are more
  Budget budget;            ///< of one CTA, adds up to cycles_per_cta
  std::vector<Span> spans;  ///< of the tasks of the first CTA of the first place
};
SmRun run_sm(const std::vector<Task>& tasks, const SmPort& port, int residents, int rounds);

}  // namespace sim
