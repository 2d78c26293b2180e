// Sampling of kernels whose CTAs are each at a different block in the same iteration (l2_apart.cpp). A kernel of up to
// 2 million accesses is run whole. A larger one is sampled, in this order:
//
//   some heads       represent all: sixteen of them, or four times the number in flight
//   some iterations  if the L2 holds only the loads of a few of them: the last ones of each period, of which the first
//                    half warms up the L2 and the second half counts. The first iterations of a wave always count
//   some blocks      one of n neighbours, with 1 / n of the L2: the bytes between two accesses shrink in proportion. If
//                    the L2 holds few blocks, that would round too much, so iterations are sampled first
#include <algorithm>

#include "sim/model/l2_waves.h"

namespace sim {
namespace {

constexpr std::int64_t apart_budget = 2'000'000;  // accesses
constexpr std::int64_t fewest_units = 16, fewest_blocks = 64;
constexpr double few_turns = 3;

}  // namespace

AloneBytes L2Waves::alone_in(std::size_t from, std::size_t past) const {
  AloneBytes sum;
  for (std::size_t n = from; n < past; ++n) {
    for (const BundleUse& use : scene_.pattern.stages[n].uses) {
      const auto bundle = static_cast<std::size_t>(use.bundle);
      const Scope scope = scene_.pattern.scopes[bundle];
      if (!is_alone(scope)) continue;
      (scope == Scope::own_tile ? sum.entry : sum.row) += scene_.pattern.bundles[bundle].bytes();
    }
  }
  return sum;
}

double L2Waves::shared_row() const {
  double sum = 0;
  for (const BundleUse& use : scene_.pattern.stages[loops_[0]].uses) {
    const auto bundle = static_cast<std::size_t>(use.bundle);
    if (scene_.pattern.scopes[bundle] == Scope::keys) sum += scene_.pattern.bundles[bundle].bytes();
  }
  return sum;
}

L2Tally L2Waves::tally_of_shared(const L2Bytes& elements) const {
  L2Tally tally;
  for (const BundleUse& use : scene_.pattern.stages[loops_[0]].uses) {
    const auto bundle = static_cast<std::size_t>(use.bundle);
    if (scene_.pattern.scopes[bundle] != Scope::keys) continue;
    for (const Bundle::Part& part : scene_.pattern.bundles[bundle].parts)
      tally.read[static_cast<std::size_t>(part.tensor)] = {elements.moved * part.bytes, elements.first * part.bytes,
                                                           elements.missed * part.bytes};
  }
  return tally;
}

void L2Waves::thin_out() {
  const std::int64_t at_once = heads_first() ? units_in_flight() : scene_.in_flight;
  const std::int64_t wanted = std::min(units_, std::max(fewest_units, 4 * at_once));
  std::int64_t of_unit = 0;
  for (const LoopRange& range : ranges_) of_unit = checked_add(of_unit, range.iterations());
  of_unit = checked_multiply(of_unit, heads_of_unit());
  const std::int64_t surplus = ceil_div(checked_multiply(of_unit, wanted), apart_budget);
  if (surplus > 1 && heads_first() && leave_iterations_out(surplus)) {
    units_ = wanted;
    first_part_ = static_cast<double>(live_blocks()) / static_cast<double>(of_unit);
    return;
  }
  // Odd, because CTAs that begin an even number of blocks apart would all reach the simulated blocks at once.
  thinned_ = std::max<std::int64_t>(1, std::min(surplus, iterations() / fewest_blocks)) | 1;
  choose_units(apart_budget, of_unit / thinned_ + 2 * ctas_.count() * heads_of_unit());
}

/// Number of blocks that some CTA loops over.
std::int64_t L2Waves::live_blocks() const {
  Interval all{streamed_.count(), 0};
  for (const LoopRange& range : ranges_) {
    if (!range.live.empty()) all = {std::min(all.begin, range.live.begin), std::max(all.end, range.live.end)};
  }
  return all.size();
}

/// Runs `surplus` times fewer iterations if a few iterations suffice for the L2 to forget its contents; else returns
/// false.
bool L2Waves::leave_iterations_out(std::int64_t surplus) {
  const auto blocks = static_cast<double>(iterations()), times = static_cast<double>(surplus);
  const auto height = static_cast<double>(ctas_.size), width = static_cast<double>(streamed_.size);
  const double held = scene_.capacity / (shared_row() * width);  // blocks
  const double brought = static_cast<double>(scene_.in_flight) * std::min(1.0, height / width);
  const double apart = height / width;  // iterations from one CTA to the next
  const double warm_up = std::max(2 * held / brought, apart) + 3;
  if (4 * held > blocks || held > (few_turns + 2 * apart) * brought || 4 * warm_up * times > blocks) return false;
  counted_ = static_cast<std::int64_t>(warm_up);
  period_ = 2 * counted_ * surplus;
  return true;
}

}  // namespace sim
