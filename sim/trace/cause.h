// Causes of a CTA's time: its work, or its wait.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace sim {

/// Causes in the order of reports: work, named by its slowest pipe; waits for pipes that neighbours hold; other waits.
// clang-format off
enum class Cause : std::uint8_t {
  tensor, fp32, exp, smem, issue,
  tensor_busy, fp32_busy, exp_busy, smem_busy, issue_busy,
  data,       ///< a copy's latency
  bandwidth,  ///< a copy's wait for the port and its transfer
  barrier,    ///< pipes drain and warps synchronise between dependent phases
  turn,       ///< a warpgroup's turn on the tensor cores, which another one passes to it
  stage,      ///< a ring's stage: until it is full, or empty again
  link,       ///< bytes from another GPU: the part of a transfer that no computing hides
  launch,     ///< launch of the kernel, or of a CTA in the slot of the previous one
  tail        ///< no CTA left for this slot
};
// clang-format on
inline constexpr int cause_count = 18;
inline constexpr std::array<Cause, cause_count> all_causes = [] {
  std::array<Cause, cause_count> all{};
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = static_cast<Cause>(c);
  return all;
}();
std::string_view name_of(Cause cause);

constexpr bool is_work(Cause cause) { return cause <= Cause::issue; }

/// The name of a cause in paths and keys: "issue_busy".
std::string key_of(Cause cause);

/// Returns the meaning of a cause, as text for reports.
std::string_view meaning_of(Cause cause);

/// An interval in which a CTA waits before an event. Spans of work and of waits cover the CTA's time without a gap.
struct WaitSpan {
  Cycles begin, end;
  Cause cause = Cause::data;
  std::int32_t event = -1;    ///< event that waits
  std::int32_t awaited = -1;  ///< the copy that it waits for; -1 for causes other than data and bandwidth
  friend bool operator==(const WaitSpan&, const WaitSpan&) = default;
};

/// The part of an event's span of work that neighbours on the SM took from it.
struct Delay {
  std::int32_t event = -1;
  Cause cause = Cause::issue_busy;
  Cycles time;
};

/// Time by cause: cycles of a CTA, or microseconds of a kernel.
struct Budget {
  std::array<double, cause_count> time{};
  double& operator[](Cause cause) { return time[static_cast<std::size_t>(cause)]; }
  double operator[](Cause cause) const { return time[static_cast<std::size_t>(cause)]; }
  double total() const;
  Budget& add(const Budget& other, double times = 1);
};

}  // namespace sim
