// Traffic and work of a plan in a comparable form, for counts by different methods. Amounts of 0 have no entry.
#pragma once
#include <map>
#include <ostream>
#include <string>
#include <tuple>

#include "sim/model/closed_form.h"
#include "sim/programs/run.h"

namespace sim {

struct Ledger {
  using Moved = std::tuple<std::string, Tensor, Direction, Bucket>;  ///< kernel first
  using Work = std::pair<std::string, std::string>;                  ///< kernel, quantity
  std::map<Moved, std::int64_t> bytes;
  std::map<Work, std::int64_t> work;

  void move(const std::string& kernel, Tensor tensor, Direction direction, Bucket bucket, std::int64_t amount) {
    if (amount != 0) bytes[{kernel, tensor, direction, bucket}] += amount;
  }
  void compute(const std::string& kernel, const std::string& quantity, std::int64_t amount) {
    if (amount != 0) work[{kernel, quantity}] += amount;
  }
  friend bool operator==(const Ledger&, const Ledger&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Ledger& ledger) {
  for (const auto& [moved, bytes] : ledger.bytes) {
    const auto& [kernel, tensor, direction, bucket] = moved;
    out << '\n'
        << kernel << ' ' << name_of(tensor) << (direction == Direction::read ? " read " : " write ") << name_of(bucket)
        << ' ' << bytes;
  }
  for (const auto& [work, count] : ledger.work) out << '\n' << work.first << ' ' << work.second << ' ' << count;
  return out;
}

/// Returns the counts of the tile machine.
inline Ledger counted(const std::vector<Trace>& traces) {
  Ledger ledger;
  for (const Trace& trace : traces) {
    for (const Event& e : trace.events) {
      for (const Direction direction : {Direction::read, Direction::write}) {
        if (e.direction != direction && e.direction != Direction::both) continue;
        ledger.move(trace.kernel, e.tensor, direction, e.bucket, e.bytes * e.times);
      }
      ledger.compute(trace.kernel, "matmul_flops", e.matmul_flops * e.times);
      ledger.compute(trace.kernel, "other_flops", e.other_flops * e.times);
      ledger.compute(trace.kernel, "exp_count", e.exps * e.times);
      ledger.compute(trace.kernel, "tanh_count", e.tanhs * e.times);
    }
  }
  return ledger;
}

inline Ledger counted(const Plan& plan) { return counted(count(plan)); }

/// Returns the amounts of the closed forms.
inline Ledger closed_form(const Plan& plan) {
  Ledger ledger;
  for (const TrafficTerm& t : closed_form_traffic(plan)) {
    ledger.move(t.kernel, t.tensor, t.direction, t.bucket, t.bytes.count());
  }
  for (const WorkTerm& t : closed_form_work(plan)) ledger.compute(t.kernel, t.quantity, t.count);
  return ledger;
}

}  // namespace sim
