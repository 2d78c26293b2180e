#include <algorithm>

#include "sim/base/check.h"
#include "sim/model/grid_nest.h"

namespace sim {
namespace {

bool of_loop(const Axis& axis) { return axis.origin >= Origin::loop0; }

bool in_two_loops(const Event& event) {
  return of_loop(event.rows) && of_loop(event.cols) && event.rows.origin != event.cols.origin;
}

std::string_view advice(bool of_head) {
  if (of_head)
    return "in a CTA of a head they are modelled for blocks of queries inside blocks of keys: process whole rows";
  return "in a CTA of a block they are modelled for loops one after another, not for cta.chunks() inside "
         "cta.key_blocks(): process whole rows in the outer loop, or give its blocks to separate CTAs";
}

/// Throws Error unless a loop from the last block to the first, in all waves or in odd ones, is the only loop of a CTA
/// of a row block, over keys that it reads: only that nest is modelled.
void check_order(const Launch& launch, const Trace& counted, const CountedLoop& loop) {
  const bool writes = std::any_of(counted.events.begin(), counted.events.end(), [&](const Event& event) {
    return event.loop == loop.line && event.moves(Direction::write) && event.rows.origin != Origin::cta;
  });
  const auto others = std::count_if(counted.loops.begin(), counted.loops.end(),
                                    [&](const CountedLoop& other) { return other.role == loop.role; });
  require(others == 1 && launch.grid.cuts_rows() && !writes, counted.listing.substr(counted.listing.rfind('/') + 1),
          ":", loop.line, ": ", launch.name,
          " takes blocks from the last to the first here, which has no known time and L2 hits ",
          writes ? "if the loop writes blocks of keys" : "next to other loops, or in a CTA of a head",
          ": take them from the first to the last");
}

}  // namespace

void check_nest(const Launch& launch, const Trace& counted) {
  const bool of_head = launch.grid.of_heads();
  for (const Event& event : counted.events) {
    const bool modelled = !in_two_loops(event) || (of_head && event.direction == Direction::none);
    require(modelled, counted.listing.substr(counted.listing.rfind('/') + 1), ":", event.line, ": ", launch.name,
            " takes ", name_of(event.tensor), " in a loop inside of another, which has no known time and L2 hits; ",
            advice(of_head));
  }
  for (const CountedLoop& loop : counted.loops) {
    if (loop.order != BlockOrder::up) check_order(launch, counted, loop);
  }
}

}  // namespace sim
