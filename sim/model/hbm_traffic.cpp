#include "sim/model/hbm_traffic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/trace/tensors.h"

namespace sim {
namespace {

/// once + (tile - once) x the share of the repeated bytes that misses.
Bytes left_over(Bytes tile, Bytes once, const L2Bytes& sampled) {
  once = std::min(once, tile);
  const double repeated = sampled.moved - sampled.first;
  if (repeated <= 0) return once;
  const double share = std::clamp((sampled.missed - sampled.first) / repeated, 0.0, 1.0);
  return once + Bytes(std::llround(static_cast<double>((tile - once).count()) * share));
}

/// True if a matrix that all heads share has left the L2 when the next head comes: after all that a head moves.
bool leaves_between_heads(const LaunchAccesses& of_class, Tensor tensor, std::int64_t capacity) {
  const Shape& shape = of_class.problem.shape;
  const std::int64_t heads = checked_multiply(shape.batch, shape.heads);
  return facts_of(tensor).owner == Owner::everyone && of_class.totals.total.total().count() / heads > capacity;
}

/// Adds what a walk leaves of the traffic of a class.
void add_left(const LaunchAccesses& of_class, const L2Tally& tally, std::int64_t capacity,
              std::map<Tensor, Traffic>& left) {
  for (const auto& [tensor, moved] : of_class.totals.by_tensor) {
    const auto at = static_cast<std::size_t>(tensor);
    const TouchedOnce& once = of_class.pattern.once[at];
    if (leaves_between_heads(of_class, tensor, capacity)) {
      left[tensor] += moved;
      continue;
    }
    left[tensor] +=
        {left_over(moved.read, once.read, tally.read[at]), left_over(moved.written, once.written, tally.written[at])};
  }
}

}  // namespace

LaunchAccesses::LaunchAccesses(const Problem& of, const Launch& one, const Trace& counted)
    : problem(of), launch(one), pattern(access_pattern(of, one, counted)) {
  add_to(totals, counted);
}

Bytes Reuse::total() const { return std::accumulate(bytes.begin(), bytes.end(), Bytes()); }

HbmDemand HbmTraffic::demand() const {
  Bytes bytes;
  for (const auto& [tensor, moved] : by_tensor) bytes += moved.total();
  return {bytes, stretch};
}

namespace {

/// The walks of one kernel, which differ in their options.
class KernelWalks {
 public:
  KernelWalks(const Plan& plan, const Launch& launch, const std::vector<LaunchAccesses>& classes, const GridPace& pace,
              std::int64_t capacity)
      : classes_(classes),
        pace_(pace.pace),
        chip_(pace.chip),
        capacity_(capacity),
        nest_(plan, launch, patterns_of(classes), chip_.slots.count()) {
    chip_.capacity = static_cast<double>(capacity);
  }

  Walked walk(const WalkOptions& options) const { return walk_grid(nest_, pace_, chip_, options); }

  HbmTraffic traffic_of(const Walked& walked) const {
    HbmTraffic hbm;
    for (const LaunchAccesses& of_class : classes_) add_left(of_class, walked.tally, capacity_, hbm.by_tensor);
    hbm.stretch = walked.cycles / walked.own_cycles;
    hbm.reuse = reuse_of(walked);
    return hbm;
  }

  /// Bytes of L2 that the sample has.
  double held() const { return chip_.capacity / static_cast<double>(nest_.parts()); }

  HbmDemand demand_of(WalkRule rule, double noise) const {
    WalkOptions options;
    options.rule = rule;
    options.noise = noise;
    return traffic_of(walk(options)).demand();
  }

 private:
  /// The bytes that are read again, in the same proportion as those of the walk.
  Reuse reuse_of(const Walked& walked) const {
    Reuse reuse;
    std::array<double, Reuse::ends.size()> sampled{};
    for (std::size_t n = 0; n < DistanceHistogram::bins; ++n) {
      const double part = DistanceHistogram::middle(n) / held();
      const auto end = std::lower_bound(Reuse::ends.begin(), Reuse::ends.end(), part);
      sampled[static_cast<std::size_t>(end - Reuse::ends.begin())] += walked.distances.bytes[n];
    }
    const double all = std::accumulate(sampled.begin(), sampled.end(), 0.0);
    Bytes again;
    for (const LaunchAccesses& of_class : classes_) {
      for (const auto& [tensor, moved] : of_class.totals.by_tensor)
        again += moved.read - std::min(moved.read, of_class.pattern.once[static_cast<std::size_t>(tensor)].read);
    }
    double before = 0;
    for (std::size_t n = 0; all > 0 && n < sampled.size(); ++n) {  // rounded so that the sum is exact
      const auto up_to = [&](double bytes) {
        return Bytes(std::llround(bytes / all * static_cast<double>(again.count())));
      };
      reuse.bytes[n] = up_to(before + sampled[n]) - up_to(before);
      before += sampled[n];
    }
    return reuse;
  }

  static std::vector<AccessPattern> patterns_of(const std::vector<LaunchAccesses>& classes) {
    std::vector<AccessPattern> patterns;
    for (const LaunchAccesses& of_class : classes) patterns.push_back(of_class.pattern);
    return patterns;
  }

  const std::vector<LaunchAccesses>& classes_;
  WalkPace pace_;
  WalkChip chip_;
  std::int64_t capacity_;
  GridNest nest_;
};

constexpr double little_noise = 0.02, much_noise = 0.33;
constexpr double saturated = 0.7;                       ///< demand at which a grid may go either of two ways
constexpr double near_begin = 0.4, near_end = 2.4;      ///< parts of the L2 that count as about as much as it holds
constexpr double moved_by_noise = 0.1, by_rule = 0.02;  ///< parts of the bytes

/// True if other noise can change what hits, or the order in which CTAs wait.
bool may_be_wide(const Walked& walked, double held) {
  double near = 0, all = walked.distances.first;
  const std::size_t begin = DistanceHistogram::bin(std::llround(near_begin * held)),
                    end = DistanceHistogram::bin(std::llround(near_end * held));
  for (std::size_t n = 0; n < DistanceHistogram::bins; ++n) {
    all += walked.distances.bytes[n];
    if (begin <= n && n <= end) near += walked.distances.bytes[n];
  }
  return near > by_rule * all || walked.demand > saturated;
}

bool differ(const HbmDemand& a, const HbmDemand& b, double part) {
  const auto x = static_cast<double>(a.bytes.count()), y = static_cast<double>(b.bytes.count());
  return std::abs(x - y) > part * y;
}

std::optional<HbmRange> range_of(const KernelWalks& walks, const Walked& walked, const HbmDemand& found) {
  const HbmDemand in_step = walks.demand_of(WalkRule::lockstep, 0);
  const HbmDemand little = walks.demand_of(WalkRule::coupled, little_noise),
                  much = walks.demand_of(WalkRule::coupled, much_noise);
  const bool by_noise = differ(little, found, moved_by_noise) || differ(much, found, moved_by_noise);
  const bool either_way = walked.demand > saturated && differ(in_step, found, by_rule) &&
                          differ(walks.demand_of(WalkRule::free, WalkOptions{}.noise), found, by_rule);
  if (!by_noise && !either_way) return {};
  const auto fewer = [](const HbmDemand& a, const HbmDemand& b) { return a.bytes < b.bytes; };
  const auto [low, high] = std::minmax({found, little, much, in_step}, fewer);
  return HbmRange{low, high, in_step.bytes};
}

}  // namespace

HbmTraffic hbm_traffic(const Plan& plan, const Launch& launch, const std::vector<LaunchAccesses>& classes,
                       const GridPace& pace, std::int64_t capacity, const WalkOptions& options) {
  const KernelWalks walks(plan, launch, classes, pace, capacity);
  return walks.traffic_of(walks.walk(options));
}

std::optional<HbmRange> hbm_range(const Plan& plan, const Launch& launch, const std::vector<LaunchAccesses>& classes,
                                  const GridPace& pace, std::int64_t capacity) {
  const KernelWalks walks(plan, launch, classes, pace, capacity);
  const Walked walked = walks.walk({});
  if (!may_be_wide(walked, walks.held())) return {};
  return range_of(walks, walked, walks.traffic_of(walked).demand());
}

double l2_hit_rate(const Traffic& tile, const Traffic& hbm) {
  const auto all = static_cast<double>(tile.read.count());
  return all > 0 ? 1 - static_cast<double>(hbm.read.count()) / all : 0;
}

}  // namespace sim
