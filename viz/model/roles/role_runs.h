// One CTA by each schedule of its program, for a view that shows them under one playhead.
#pragma once
#include "viz/model/roles/role_listing.h"
#include "viz/model/roles/role_trace.h"
#include "viz/model/subject.h"
#include "viz/model/task.h"

namespace explorer {

/// One CTA by one schedule.
struct RoleRun {
  std::string schedule;                     ///< value of the option: "ping-pong"; empty where there is none
  std::shared_ptr<const sim::Trace> trace;  ///< null until it is replayed
  RoleTrace roles;
  sim::Sentence error;      ///< why it is impossible; else empty
  double tensor_share = 0;  ///< FLOPs of its products, of what the tensor cores do at their peak in that time
  std::optional<std::pair<double, double>> published;  ///< speeds in TFLOP/s, the least and the most
  bool ready() const { return trace != nullptr; }
};

/// The CTA of a replay by every schedule, one in each slice: from the plainest to the last, in the reverse order of the
/// option's values. The scenario's own is ready at once.
class RoleRuns : public Task {
 public:
  RoleRuns(std::shared_ptr<const Run> run, std::shared_ptr<const Replay> replay);
  bool advance() override;

  const std::vector<RoleRun>& runs() const { return runs_; }
  std::size_t shown_index() const { return shown_; }
  /// The run by the scenario's own schedule. Its roles are empty where the program has none.
  const RoleRun& shown() const { return runs_[shown_]; }
  /// The listing of each role; `source`: with lines that are not equations.
  const std::vector<RoleColumn>& columns(bool source) const { return source ? source_ : equations_; }

 private:
  sim::Scenario scenario_of(std::size_t n) const;
  void add_replay(std::size_t n);

  std::shared_ptr<const Run> run_;
  std::shared_ptr<const Replay> replay_;
  std::vector<RoleRun> runs_;
  std::vector<RoleColumn> equations_, source_;
  std::size_t shown_ = 0, next_ = 0;
};

}  // namespace explorer
