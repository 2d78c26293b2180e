// The loops of a CTA: every iteration in a replay, one representative per kind of iteration while counting.
#include "sim/machine/cta.h"

namespace sim {

Loop::Loop(Role& role, std::vector<Step> steps) : role_(role), steps_(std::move(steps)), times_before_(role.times) {}

Loop::~Loop() { role_.times = times_before_; }

Block Loop::Iterator::operator*() const {
  const Step& step = loop->steps_[at];
  loop->role_.times = step.times;
  return step.block;
}

template <class VisitOf>
std::vector<Step> Cta::steps(const Block& outer, const Blocking& blocking, VisitOf visit_of) {
  const Origin origin = outer.axis.origin == Origin::loop0 ? Origin::loop1 : Origin::loop0;
  if (setup_.mode == Mode::count) {
    KindCounter counter(blocking, origin);
    for (std::int64_t index = outer.members.begin; index < outer.members.end; ++index) counter.add(visit_of(index));
    return counter.steps(role_->times / outer.members.size());
  }
  std::vector<Step> steps;
  const Visit visit = visit_of(outer.index());
  for (std::int64_t index = visit.live.begin; index < visit.live.end; ++index) {
    steps.push_back({make_block(blocking, index, origin), role_->times});
    steps.back().block.masked = !visit.full.contains({index, index + 1});
  }
  return steps;
}

bool Cta::live(const Block& i) const { return !setup_.shape->live_keys(i.elements()).empty(); }

Loop Cta::key_blocks(const Block& i) {
  const Blocking blocking{setup_.shape->seqlen_k, setup_.bc};
  return {*role_, steps(i, blocking, [this](std::int64_t index) { return visit_keys(*setup_.shape, tiles(), index); })};
}

Loop Cta::query_blocks(const Block& j) {
  const Blocking blocking{setup_.shape->seqlen_q, setup_.br};
  return {*role_,
          steps(j, blocking, [this](std::int64_t index) { return visit_queries(*setup_.shape, tiles(), index); })};
}

Loop Cta::live_key_blocks() {
  const Blocking blocking{setup_.shape->seqlen_k, setup_.bc};
  const Interval live = blocking.touching(setup_.shape->live_keys({0, setup_.shape->seqlen_q}));
  std::vector<Step> steps;
  if (setup_.mode == Mode::count) {
    for (const Block& group : equal_blocks(blocking, live, Origin::loop0)) {
      steps.push_back({group, checked_multiply(role_->times, group.members.size())});
    }
  } else {
    for (std::int64_t index = live.begin; index < live.end; ++index) {
      steps.push_back({make_block(blocking, index, Origin::loop0), role_->times});
    }
  }
  return {*role_, std::move(steps)};
}

Loop Cta::chunks(std::int64_t extent, std::int64_t size) {
  const Blocking blocking{extent, size};
  const Block once = make_block({1, 1}, 0, Origin::whole);
  return {*role_, steps(once, blocking, [&](std::int64_t) {
            return Visit{{0, blocking.count()}, {0, blocking.count()}};
          })};
}

}  // namespace sim
