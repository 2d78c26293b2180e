// The loops of a CTA: every iteration in a replay, one representative per kind of iteration while counting.
#include "sim/machine/cta.h"

namespace sim {

Loop::Loop(Role& role, std::vector<Step> steps, Over over)
    : role_(role), steps_(std::move(steps)), over_(over), times_before_(role.times), head_before_(role.head) {
  ++role_.depth;
}

Loop::~Loop() {
  role_.times = times_before_;
  role_.head = head_before_;
  --role_.depth;
}

Block Loop::Iterator::operator*() const {
  const Step& step = loop->steps_[at];
  loop->role_.times = step.times;
  if (loop->over_ == Over::heads) loop->role_.head = static_cast<std::int32_t>(step.block.index());
  return step.block;
}

Origin Cta::loop_origin() const {
  constexpr Origin origins[] = {Origin::loop0, Origin::loop1, Origin::loop2};
  require(role_->depth < 3, "a program nests more than three loops");
  return origins[role_->depth];
}

namespace {

/// The first and the last turns of a loop, `most` in all: masks lie at its ends. 0: every turn.
std::array<Interval, 2> ends_of(Interval turns, std::size_t most) {
  const auto few = static_cast<std::int64_t>(most);
  if (few == 0 || turns.size() <= few) return {turns, Interval{}};
  return {Interval{turns.begin, turns.begin + few - few / 2}, Interval{turns.end - few / 2, turns.end}};
}

}  // namespace

template <class VisitOf>
std::vector<Step> Cta::steps(const Block& outer, const Blocking& blocking, VisitOf visit_of) {
  const Origin origin = loop_origin();
  if (setup_.mode == Mode::count) {
    KindCounter counter(blocking, origin);
    for (std::int64_t index = outer.members.begin; index < outer.members.end; ++index) counter.add(visit_of(index));
    return counter.steps(role_->times / outer.members.size());
  }
  std::vector<Step> steps;
  const Visit visit = visit_of(outer.index());
  for (const Interval turns : ends_of(visit.live, setup_.most_turns[static_cast<std::size_t>(role_->depth)])) {
    for (std::int64_t index = turns.begin; index < turns.end; ++index) {
      steps.push_back({make_block(blocking, index, origin), role_->times});
      steps.back().block.masked = !visit.full.contains({index, index + 1});
      steps.back().block.last = visit.last.contains({index, index + 1});
    }
  }
  return steps;
}

bool Cta::live(const Block& i) const { return !setup_.shape->live_keys(i.elements()).empty(); }
bool Cta::seen(const Block& j) const { return !setup_.shape->live_queries(j.elements()).empty(); }

Loop Cta::key_blocks(const Block& i) {
  const Blocking blocking{setup_.shape->seqlen_k, setup_.bc};
  return {*role_, steps(i, blocking, [this](std::int64_t index) { return visit_keys(*setup_.shape, tiles(), index); })};
}

Loop Cta::query_blocks(const Block& j) {
  const Blocking blocking{setup_.shape->seqlen_q, setup_.br};
  return {*role_,
          steps(j, blocking, [this](std::int64_t index) { return visit_queries(*setup_.shape, tiles(), index); })};
}

Loop Cta::query_visits(const Block& j) {
  const Shape& shape = *setup_.shape;
  const Blocking queries{shape.seqlen_q, setup_.br}, keys{shape.seqlen_k, setup_.bc};
  return {*role_, steps(j, queries, [&](std::int64_t index) {
            Visit visit = visit_queries(shape, tiles(), index);
            const bool more = index + 1 < keys.count();
            const Interval later = more ? visit_queries(shape, tiles(), index + 1).live : Interval{};
            // What a row sees never moves back from one row to the next: the rows that leave come first.
            visit.last = {visit.live.begin, later.empty() ? visit.live.end : later.begin};
            return visit;
          })};
}

std::vector<Step> Cta::equal_steps(const Blocking& blocking, Interval indices) {
  std::vector<Step> steps;
  if (setup_.mode == Mode::count) {
    for (const Block& group : equal_blocks(blocking, indices, loop_origin())) {
      steps.push_back({group, checked_multiply(role_->times, group.members.size())});
    }
    return steps;
  }
  for (const Interval turns : ends_of(indices, setup_.most_turns[static_cast<std::size_t>(role_->depth)])) {
    for (std::int64_t index = turns.begin; index < turns.end; ++index) {
      steps.push_back({make_block(blocking, index, loop_origin()), role_->times});
    }
  }
  return steps;
}

Loop Cta::live_key_blocks() {
  const Blocking blocking{setup_.shape->seqlen_k, setup_.bc};
  return {*role_, equal_steps(blocking, blocking.touching(setup_.shape->live_keys({0, setup_.shape->seqlen_q})))};
}

Loop Cta::query_heads() { return {*role_, equal_steps({setup_.group, 1}, {0, setup_.group}), Loop::Over::heads}; }

Loop Cta::chunks(std::int64_t extent, std::int64_t size) {
  const Blocking blocking{extent, size};
  const Block once = make_block({1, 1}, 0, Origin::whole);
  return {*role_, steps(once, blocking, [&](std::int64_t) {
            return Visit{{0, blocking.count()}, {0, blocking.count()}};
          })};
}

}  // namespace sim
