// The event loop of a schedule (sm_schedule.cpp), and the sharing of the pipes at each of its steps (sm_pipes.cpp).
#pragma once
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sim/machine/sm_slot.h"

namespace sim {

/// The CTAs of an SM while their schedule is made.
class Sm {
 public:
  /// Work of the slots. Without moments each slot runs one CTA.
  struct Program {
    const std::vector<Task>& tasks;
    std::span<const TraceBarrier> barriers = {};
    std::span<const TraceRole> roles = {};
    std::span<const std::size_t> moments = {};
    std::int64_t rounds = 1;
  };
  Sm(const Program& program, const SmPort& port, int residents);
  SmRun run();
  std::vector<SmTally> tallies();

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  // Tasks of a lane.
  void start(std::size_t slot);
  Arrival copy(Lane& lane, std::size_t task);
  void end_of_task(Lane& lane);
  void proceed(Lane& lane);
  bool pass(Lane& lane, std::size_t n);
  bool pass_work(Lane& lane, std::size_t n);
  bool arrived(Lane& lane, const Arrival& copy);
  void wait(Lane& lane, double until, Cause cause);
  void finish(Lane& lane);
  void act(Lane& lane);
  void step();
  SmTally tally() const;

  // Roles.
  bool may_go_on(const Lane& lane, const Task& task) const;
  std::int64_t phase_in_round(const Lane& lane, const Task& task) const;
  void block(Lane& lane, const Task& task);
  void issue_product(Lane& lane, std::size_t n);
  void issue_copy(const Lane& lane, std::size_t n);
  Arrival last_store(const Lane& lane) const;
  void end_copies();
  void arrive(std::size_t slot, std::int16_t barrier);
  void end_products(Lane& lane);
  void arrive_in_time(std::size_t slot);
  void resume_blocked();
  [[noreturn]] void report_deadlock() const;
  std::string text_of_wait(const Lane& lane) const;
  void average_over_roles(SmRun& run) const;

  // Pipes.
  void sort_working();
  void share_pipes();
  void share_port(double& free);
  void share_tensor(std::array<double, pipe_count>& free);
  double next_event();
  double next_of(Lane& lane);
  void spend(Lane& lane, double dt);
  void spend_products(Lane& lane, double dt);
  bool is_active(const Lane& lane) const { return !lane.products.empty() && lane.products.front().ready <= now_; }

  std::span<Lane> lanes_of(std::size_t slot) { return std::span(lanes_).subspan(slot * roles_, roles_); }
  const std::vector<std::int32_t>& order(const Lane& lane) const { return order_[lane.role]; }
  std::size_t task_at(const Lane& lane) const { return static_cast<std::size_t>(order(lane)[lane.at]); }
  /// The task that a lane works on or waits for; at its end, its last one.
  std::size_t task_now(const Lane& lane) const {
    const auto& tasks = order(lane);
    return static_cast<std::size_t>(tasks[std::min(lane.at, tasks.size() - 1)]);
  }
  bool shown(const Lane& lane) const { return lane.slot == 0 && slots_[0].first && lane.round == 0; }

  const Program program_;
  const std::vector<Task>& tasks_;
  const SmPort& port_;
  Copies copies_;
  bool has_roles_;     ///< lanes wait at barriers and issue their copies; else one lane, whose copies run ahead
  std::size_t roles_;  ///< lanes of a CTA
  std::vector<std::vector<std::int32_t>> order_;  ///< tasks of each role, in program order
  std::vector<std::int64_t> phases_;              ///< phases of each barrier in a round
  std::vector<Slot> slots_;
  std::vector<Lane> lanes_;  ///< lanes of the first slot, then of the next
  std::vector<Lane*> working_;
  double now_ = 0, port_free_ = 0;
  std::deque<CopyUnderWay> under_way_;  ///< copies of roles, the oldest first
  double copy_rate_ = 1;                ///< rate of the oldest: 1 if products leave it enough of the shared-memory port
  double ends_ = 0;                     ///< sum of the ends of all slots
  std::size_t done_ = 0;                ///< slots that have ended
  std::size_t ended_ = 0;               ///< tasks of the first slot that have ended
  ResourceCycles spent_{};              ///< cycles of all slots; of the port as far as it is booked
  std::vector<SmTally> taken_;          ///< tallies taken at the first of the moments
  CtaRecord record_;
};

}  // namespace sim
