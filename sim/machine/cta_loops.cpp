// The loops of a CTA: every iteration in a replay, one representative per kind of iteration while counting.
#include <algorithm>

#include "sim/machine/cta.h"

namespace sim {

Loop::Loop(Role& role, std::vector<Iteration> iterations, Over over, Line line)
    : role_(role), iterations_(std::move(iterations)), over_(over), before_(role.in), head_before_(role.head) {
  role_.in.line = line.number;
  ++role_.depth;
  // Loops over queries and heads run inside an iteration, on the cut's rows and head.
  if ((over == Over::keys || over == Over::chunks) && role.counter.open()) {
    counter_ = &role.counter;
    count_iterations();
  }
}

/// Drops the iterations that the cut does not select.
void Loop::count_iterations() {
  const Interval wanted = counter_->wanted(static_cast<std::int64_t>(iterations_.size()));
  first_iteration_ = counter_->now() + 1 + wanted.begin;
  last_iteration_ = counter_->now() + static_cast<std::int64_t>(iterations_.size());
  iterations_.erase(iterations_.begin() + static_cast<std::ptrdiff_t>(wanted.end), iterations_.end());
  iterations_.erase(iterations_.begin(), iterations_.begin() + static_cast<std::ptrdiff_t>(wanted.begin));
}

Loop::Iterator Loop::ended(Iterator at) {
  if (counter_ != nullptr && at.at == iterations_.size()) counter_->leave(last_iteration_);
  return at;
}

Loop::~Loop() {
  if (counter_ != nullptr) counter_->close();
  role_.in = before_;
  role_.in.number = static_cast<std::int32_t>(role_.counter.now());
  role_.head = head_before_;
  --role_.depth;
}

Block Loop::Iterator::operator*() const {
  const Iteration& iteration = loop->iterations_[at];
  if (loop->counter_ != nullptr) loop->counter_->enter(loop->first_iteration_ + static_cast<std::int64_t>(at));
  loop->role_.in.times = iteration.times;
  loop->role_.in.number = static_cast<std::int32_t>(loop->role_.counter.now());
  if (loop->over_ == Over::heads) loop->role_.head = static_cast<std::int32_t>(iteration.block.index());
  Block block = iteration.block;
  block.in = loop->role_.in;
  return block;
}

Origin Cta::loop_origin() const {
  constexpr Origin origins[] = {Origin::loop0, Origin::loop1, Origin::loop2};
  require(role_->depth < 3, "a program nests more than three loops");
  return origins[role_->depth];
}

namespace {

/// Blocks of the first and last iterations of a loop, `most` in total: masks are at its ends. 0: every block.
std::vector<Interval> ends_of(const std::vector<Interval>& pieces, std::size_t most, bool down = false) {
  std::int64_t all = 0, before = 0;
  for (const Interval piece : pieces) all += piece.size();
  const auto few = static_cast<std::int64_t>(most), at_end = down ? few - few / 2 : few / 2;
  if (few == 0 || all <= few) return pieces;
  std::vector<Interval> ends;
  const auto add = [&](Interval part) {
    if (!part.empty()) ends.push_back(part);
  };
  for (const Interval piece : pieces) {  // iterations before, before + 1 ... of the loop
    const std::int64_t past_first = piece.begin + few - at_end - before, last = piece.begin + all - at_end - before;
    add(overlap(piece, {piece.begin, past_first}));
    add(overlap(piece, {std::max(piece.begin, last), piece.end}));
    before += piece.size();
  }
  return ends;
}

/// The pieces of a visit within `wanted`.
std::vector<Interval> pieces_of(const Visit& visit, Interval wanted) {
  std::vector<Interval> pieces;
  visit.each_piece([&](Interval piece) { pieces.push_back(overlap(piece, wanted)); });
  return pieces;
}

}  // namespace

/// Blocks of an axis that a loop may take.
Interval Cta::wanted(const Blocking& blocking, Over over) const {
  const Cut* const cut = setup_.cut;
  return cut != nullptr && over == Over::queries ? blocking.touching(cut->queries) : Interval{0, blocking.count()};
}

template <class VisitOf>
std::vector<Iteration> Cta::iterations(const Block& outer, const Blocking& blocking, Over over, VisitOf visit_of) {
  const Origin origin = loop_origin();
  if (setup_.mode == Mode::count) {
    if (outer.others > 0 && visit_of(outer.index()).live.empty()) return {};  // represents blocks that see nothing
    KindCounter counter(blocking, origin);
    for (std::int64_t index = outer.members.begin; index < outer.members.end; ++index) counter.add(visit_of(index));
    return counter.iterations(role_->in.times / outer.stands_for());
  }
  std::vector<Iteration> iterations;
  const Visit visit = visit_of(outer.index());
  const std::vector<Interval> live = pieces_of(visit, wanted(blocking, over));
  const std::size_t most = setup_.most_iterations[static_cast<std::size_t>(role_->depth)];
  for (const Interval ends : ends_of(live, most, visit.down)) {
    for (std::int64_t index = ends.begin; index < ends.end; ++index) {
      iterations.push_back({make_block(blocking, index, origin), role_->in.times});
      iterations.back().block.masked = !visit.full.contains({index, index + 1});
      iterations.back().block.last = visit.last.contains({index, index + 1});
    }
  }
  if (visit.down) std::reverse(iterations.begin(), iterations.end());
  return iterations;
}

/// Starts a loop; a counted run records it in its trace.
Loop Cta::loop(std::vector<Iteration> iterations, Over over, Line line, BlockOrder order) {
  const auto same = [&](const CountedLoop& met) { return met.line == line.number && met.over == over; };
  if (setup_.mode == Mode::count && std::none_of(trace_.loops.begin(), trace_.loops.end(), same))
    trace_.loops.push_back({line.number, role_->in.line, over, order, role_->id});
  return {*role_, std::move(iterations), over, line};
}

bool Cta::live(const Block& i) const {
  const Shape& shape = *setup_.shape;
  return shape.mask.blocks ? !visit_keys(shape, tiles(), i.index()).live.empty()
                           : !shape.live_keys(i.elements()).empty();
}
bool Cta::live(const Block& i, const Block& s) const {
  return !visit_split(*setup_.shape, tiles(), i.index(), s.index()).live.empty();
}
bool Cta::seen(const Block& j) const {
  const Shape& shape = *setup_.shape;
  return shape.mask.blocks ? !visit_queries(shape, tiles(), j.index()).live.empty()
                           : !shape.live_queries(j.elements()).empty();
}

Loop Cta::key_blocks(const Block& i, Line line) { return key_blocks(i, BlockOrder::up, line); }

Loop Cta::key_blocks_down(const Block& i, Line line) { return key_blocks(i, BlockOrder::down, line); }

/// Wave of the CTA that has row block `row` of this head.
std::int64_t Cta::wave_of(std::int64_t row) const {
  if (setup_.in_flight == 0) return 0;
  return (setup_.head * Blocking{setup_.shape->seqlen_q, setup_.br}.count() + row) / setup_.in_flight;
}

Loop Cta::key_blocks(const Block& i, BlockOrder order, Line line) {
  const auto visit_of = [&](std::int64_t index) {
    Visit visit = visit_keys(*setup_.shape, tiles(), index);
    visit.down = goes_down(order, wave_of(index));
    return ending(visit);
  };
  return loop(iterations(i, {setup_.shape->seqlen_k, setup_.bc}, Over::keys, visit_of), Over::keys, line, order);
}

/// Iterations of all CTAs of a group, part by part: every row block of the group sees its own keys.
std::vector<Iteration> Cta::split_iterations(const Block& i, const Block& s, const Blocking& blocking) {
  KindCounter counter(blocking, loop_origin());
  if (!live(i, s)) return {};
  std::int64_t ctas = 0;
  for (std::int64_t index = i.members.begin; index < i.members.end; ++index) {
    counter.add_pieces(visit_keys(*setup_.shape, tiles(), index), setup_.key_blocks);
    ctas = checked_add(ctas, live_splits(*setup_.shape, tiles(), index).size());
  }
  return counter.iterations(role_->in.times / ctas);
}

Loop Cta::key_blocks(const Block& i, const Block& s, Line line) {
  const Blocking blocking{setup_.shape->seqlen_k, setup_.bc};
  if (setup_.mode == Mode::count) return loop(split_iterations(i, s, blocking), Over::keys, line);
  return loop(
      iterations(i, blocking, Over::keys,
                 [&](std::int64_t index) { return ending(visit_split(*setup_.shape, tiles(), index, s.index())); }),
      Over::keys, line);
}

Loop Cta::query_blocks(const Block& j, Line line) {
  const Blocking blocking{setup_.shape->seqlen_q, setup_.br};
  return loop(iterations(j, blocking, Over::queries,
                         [this](std::int64_t index) { return ending(visit_queries(*setup_.shape, tiles(), index)); }),
              Over::queries, line);
}

Loop Cta::query_visits(const Block& j, Line line) {
  const Shape& shape = *setup_.shape;
  const Blocking queries{shape.seqlen_q, setup_.br}, keys{shape.seqlen_k, setup_.bc};
  const auto visit_of = [&](std::int64_t index) {
    Visit visit = visit_queries(shape, tiles(), index);
    const bool more = index + 1 < keys.count();
    const Interval later = more ? visit_queries(shape, tiles(), index + 1).live : Interval{};
    // The keys of a row never move back from one row to the next: the rows that are visited for the last time come
    // first.
    visit.last = {visit.live.begin, later.empty() ? visit.live.end : later.begin};
    return visit;
  };
  return loop(iterations(j, queries, Over::queries, visit_of), Over::queries, line);
}

std::vector<Iteration> Cta::equal_iterations(const Blocking& blocking, const Visit& visit) {
  if (setup_.mode == Mode::replay)
    return iterations(setup_.row, blocking, Over::keys, [&](std::int64_t) { return visit; });
  std::vector<Iteration> iterations;
  for (const Block& group : equal_blocks(blocking, visit, loop_origin()))
    iterations.push_back({group, checked_multiply(role_->in.times, group.members.size())});
  return iterations;
}

/// A loop over the same blocks of keys for all rows; a tile is masked if a row does not see all of it. A CTA of a head
/// may have a loop over rows inside, so iterations represent sets of blocks, each of which sees other rows. A CTA of a
/// row block has masked tiles of its own.
Loop Cta::blocks_of_keys(Interval blocks, Line line) {
  const Shape& shape = *setup_.shape;
  const Blocking keys{shape.seqlen_k, setup_.bc}, rows{shape.seqlen_q, setup_.br};
  const auto visit_of = [&](Interval queries) {
    return ending({blocks, shape.mask.blocks ? Interval{} : keys.inside(shape.full_keys(queries))});
  };
  const bool of_rows = setup_.row.axis.origin == Origin::cta && setup_.key_blocks == 0 && !shape.mask.blocks;
  if (!of_rows) return loop(equal_iterations(keys, visit_of({0, shape.seqlen_q})), Over::keys, line);
  const auto visit_of_block = [&](std::int64_t index) { return visit_of(rows.elements(index)); };
  return loop(iterations(setup_.row, keys, Over::keys, visit_of_block), Over::keys, line);
}

Loop Cta::key_blocks(Line line) { return setup_.all_keys ? all_key_blocks(line) : live_key_blocks(line); }

Loop Cta::live_key_blocks(Line line) {
  const Blocking keys{setup_.shape->seqlen_k, setup_.bc};
  return blocks_of_keys(keys.touching(setup_.shape->live_keys({0, setup_.shape->seqlen_q})), line);
}

Loop Cta::all_key_blocks(Line line) {
  return blocks_of_keys({0, Blocking{setup_.shape->seqlen_k, setup_.bc}.count()}, line);
}

Loop Cta::query_heads(Line line) {
  const Cut* const cut = setup_.cut;
  const Interval heads = cut == nullptr ? Interval{0, setup_.group} : Interval{cut->head, cut->head + 1};
  return loop(equal_iterations({setup_.group, 1}, {heads, heads, {setup_.group - 1, setup_.group}}), Over::heads, line);
}

Loop Cta::chunks(std::int64_t extent, std::int64_t size, Line line) {
  const Blocking blocking{extent, size};
  const Block once = make_block({1, 1}, 0, Origin::whole);
  const Interval all{0, blocking.count()};
  return loop(iterations(once, blocking, Over::chunks,
                         [&](std::int64_t) {
                           return ending({all, all});
                         }),
              Over::chunks, line);
}

}  // namespace sim
