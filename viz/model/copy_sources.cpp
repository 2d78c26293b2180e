#include "viz/model/copy_sources.h"

#include <cmath>
#include <set>
#include <tuple>

#include "viz/model/tiles/hbm_strips.h"

namespace explorer {
namespace {

using sim::Event;
using sim::Origin;
using sim::Tensor;

/// Axes of a block over queries and keys; null if the tensor has no such axis.
struct BlockAxes {
  const sim::Axis *queries = nullptr, *keys = nullptr;
};

BlockAxes axes_of(const sim::HbmTensor& tensor, const Event& event) {
  if (tensor.per_kv_head()) return {nullptr, &event.rows};
  const bool both = is_score_matrix(tensor.name) || is_in_parts(tensor.name) || is_block_map(tensor.name);
  return {&event.rows, both ? &event.cols : nullptr};
}

/// Finds out if an earlier CTA touches the block of an event.
class EarlierTouch {
 public:
  EarlierTouch(const sim::Problem& problem, const sim::Launch& launch, sim::CtaPlace place)
      : problem_(problem), grid_(launch.grid), place_(place) {}

  bool exists(const Event& event) const {
    const sim::Shape& shape = problem_.shape;
    const sim::HbmTensor& tensor = problem_.hbm[event.tensor];
    const BlockAxes axes = axes_of(tensor, event);
    if (tensor.per_kv_head() && !grid_.by_kv_head() && place_.head % (shape.heads / shape.kv_heads) != 0) return true;
    return (grid_.cuts_rows() && !is_ctas(axes.queries) && place_.row > first_row(axes.keys)) ||
           (grid_.cuts_columns() && !is_ctas(axes.keys) && place_.col > first_column(axes.queries));
  }

 private:
  static bool is_ctas(const sim::Axis* axis) { return axis != nullptr && axis->origin == Origin::cta; }
  std::int64_t first_row(const sim::Axis* keys) const {
    if (keys == nullptr || !grid_.skips || keys->origin == Origin::whole) return 0;
    return sim::visit_queries(problem_.shape, grid_, keys->index).live.begin;
  }
  std::int64_t first_column(const sim::Axis* queries) const {
    if (queries == nullptr || !grid_.skips || queries->origin == Origin::whole) return 0;
    return sim::visit_keys(problem_.shape, grid_, queries->index).live.begin;
  }
  const sim::Problem& problem_;
  sim::GridShape grid_;
  sim::CtaPlace place_;
};

/// Selects a share of a sequence, evenly spread: for 0.25 every fourth element. `phase` 0..1 is the offset within the
/// stride, so that short sequences get their share on average.
class EvenShare {
 public:
  EvenShare(double share, double phase) : share_(share), sum_(phase) {}
  bool next() {
    const double before = std::floor(sum_);
    sum_ += share_;
    return std::floor(sum_) > before;
  }

 private:
  double share_, sum_;
};

/// Shares of the first and of the later touches that cross, for one tensor in one direction.
struct Shares {
  EvenShare first, later;
};

Shares shares_of(std::int64_t hbm, std::int64_t tile, std::int64_t all, double phase) {
  const auto once = static_cast<double>(std::min(all, tile));
  const double later = static_cast<double>(tile) - once, crossing = static_cast<double>(hbm);
  return {EvenShare(once > 0 ? std::min(1.0, crossing / once) : 0, phase),
          EvenShare(later > 0 ? std::max(0.0, crossing - once) / later : 0, phase)};
}

/// A phase per CTA, far from those of its neighbours: multiples of the golden ratio.
double phase_of(sim::CtaPlace place) {
  const double golden = 0.6180339887498949;
  const double iterations = static_cast<double>(place.batch + place.head + place.row + place.col) * golden;
  return iterations - std::floor(iterations);
}

class Crossings {
 public:
  Crossings(const sim::Plan& plan, const sim::KernelMeters& kernel, EarlierTouch earlier, double phase, bool reads)
      : earlier_(earlier) {
    for (const auto& [tensor, tile] : kernel.totals.by_tensor) {
      const auto hbm = kernel.hbm.find(tensor);
      const sim::Traffic left = hbm == kernel.hbm.end() ? sim::Traffic{} : hbm->second;
      shares_.emplace(tensor,
                      shares_of((reads ? left.read : left.written).count(), (reads ? tile.read : tile.written).count(),
                                plan.problem.hbm[tensor].total_bytes(plan.problem.shape).count(), phase));
    }
  }
  bool next(const Event& event) {
    Shares& shares = shares_.at(event.tensor);
    return touched_before(event) || earlier_.exists(event) ? shares.later.next() : shares.first.next();
  }

 private:
  /// True if this CTA has already touched the block, or the whole tensor at once.
  bool touched_before(const Event& event) {
    const auto block = std::tuple(event.tensor, event.head, event.rows.begin, event.cols.begin);
    const auto whole = std::tuple(event.tensor, event.head, std::int64_t{-1}, std::int64_t{-1});
    if (touched_.contains(whole)) return true;
    const bool is_whole = event.rows.origin == Origin::whole && event.cols.origin == Origin::whole;
    return !touched_.insert(is_whole ? whole : block).second;
  }
  EarlierTouch earlier_;
  std::map<Tensor, Shares> shares_;
  std::set<std::tuple<Tensor, std::int32_t, std::int64_t, std::int64_t>> touched_;
};

}  // namespace

CopySources::CopySources(const sim::Plan& plan, const sim::Launch& launch, const sim::KernelMeters& kernel,
                         sim::CtaPlace place, const sim::Trace& trace)
    : crossings_(trace.events.size()) {
  const EarlierTouch earlier(plan.problem, launch, place);
  const double phase = phase_of(place);
  Crossings reads(plan, kernel, earlier, phase, true), writes(plan, kernel, earlier, phase, false);
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const Event& event = trace.events[n];
    if (event.moves(sim::Direction::read) && reads.next(event)) crossings_[n] |= 1;
    if (event.moves(sim::Direction::write) && writes.next(event)) crossings_[n] |= 2;
  }
}

}  // namespace explorer
