// The loops of a CTA: every iteration in a replay, one representative per kind of iteration while counting.
#include "sim/machine/cta.h"

namespace sim {

Loop::Loop(Role& role, TurnCounter& turns, std::vector<Step> steps, Over over)
    : role_(role), steps_(std::move(steps)), over_(over), times_before_(role.times), head_before_(role.head) {
  ++role_.depth;
  // Of queries and heads a cut takes those of few rows: they are inside of a turn.
  if ((over == Over::keys || over == Over::chunks) && turns.open()) {
    turns_ = &turns;
    count_turns();
  }
}

/// Leaves out what is not wanted.
void Loop::count_turns() {
  const Interval wanted = turns_->wanted(static_cast<std::int64_t>(steps_.size()));
  first_turn_ = turns_->now() + 1 + wanted.begin;
  last_turn_ = turns_->now() + static_cast<std::int64_t>(steps_.size());
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(wanted.end), steps_.end());
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(wanted.begin));
}

Loop::Iterator Loop::ended(Iterator at) {
  if (turns_ != nullptr && at.at == steps_.size()) turns_->leave(last_turn_);
  return at;
}

Loop::~Loop() {
  if (turns_ != nullptr) turns_->close();
  role_.times = times_before_;
  role_.head = head_before_;
  --role_.depth;
}

Block Loop::Iterator::operator*() const {
  const Step& step = loop->steps_[at];
  if (loop->turns_ != nullptr) loop->turns_->enter(loop->first_turn_ + static_cast<std::int64_t>(at));
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

/// The blocks of an axis that a loop may take.
Interval Cta::wanted(const Blocking& blocking, Over over) const {
  const Cut* const cut = setup_.cut;
  return cut != nullptr && over == Over::queries ? blocking.touching(cut->queries) : Interval{0, blocking.count()};
}

template <class VisitOf>
std::vector<Step> Cta::steps(const Block& outer, const Blocking& blocking, Over over, VisitOf visit_of) {
  const Origin origin = loop_origin();
  if (setup_.mode == Mode::count) {
    KindCounter counter(blocking, origin);
    for (std::int64_t index = outer.members.begin; index < outer.members.end; ++index) counter.add(visit_of(index));
    return counter.steps(role_->times / outer.members.size());
  }
  std::vector<Step> steps;
  const Visit visit = visit_of(outer.index());
  const Interval live = overlap(visit.live, wanted(blocking, over));
  for (const Interval turns : ends_of(live, setup_.most_turns[static_cast<std::size_t>(role_->depth)])) {
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
  return loop(
      steps(i, blocking, Over::keys, [this](std::int64_t index) { return visit_keys(*setup_.shape, tiles(), index); }),
      Over::keys);
}

Loop Cta::query_blocks(const Block& j) {
  const Blocking blocking{setup_.shape->seqlen_q, setup_.br};
  return loop(steps(j, blocking, Over::queries,
                    [this](std::int64_t index) { return visit_queries(*setup_.shape, tiles(), index); }),
              Over::queries);
}

Loop Cta::query_visits(const Block& j) {
  const Shape& shape = *setup_.shape;
  const Blocking queries{shape.seqlen_q, setup_.br}, keys{shape.seqlen_k, setup_.bc};
  const auto visit_of = [&](std::int64_t index) {
    Visit visit = visit_queries(shape, tiles(), index);
    const bool more = index + 1 < keys.count();
    const Interval later = more ? visit_queries(shape, tiles(), index + 1).live : Interval{};
    // What a row sees never moves back from one row to the next: the rows that leave come first.
    visit.last = {visit.live.begin, later.empty() ? visit.live.end : later.begin};
    return visit;
  };
  return loop(steps(j, queries, Over::queries, visit_of), Over::queries);
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
  return loop(equal_steps(blocking, blocking.touching(setup_.shape->live_keys({0, setup_.shape->seqlen_q}))),
              Over::keys);
}

Loop Cta::query_heads() {
  const Cut* const cut = setup_.cut;
  const Interval heads = cut == nullptr ? Interval{0, setup_.group} : Interval{cut->head, cut->head + 1};
  return loop(equal_steps({setup_.group, 1}, heads), Over::heads);
}

Loop Cta::chunks(std::int64_t extent, std::int64_t size) {
  const Blocking blocking{extent, size};
  const Block once = make_block({1, 1}, 0, Origin::whole);
  const Interval all{0, blocking.count()};
  return loop(steps(once, blocking, Over::chunks, [&](std::int64_t) { return Visit{all, all}; }), Over::chunks);
}

}  // namespace sim
