#include "sim/programs/ragged.h"

#include <algorithm>

namespace sim {

Scenario with_sizes(Scenario s) {
  if (s.sequences == nullptr) {
    require(s.issue == IssueOrder::file, "issue: ", name_of(s.issue),
            " is an order of the lines of --seqlens: give them as well");
    return s;
  }
  require(!s.pattern.any(), "seqlens: a pattern has the blocks of one length: leave out --pattern");
  require(s.inputs == InputRule::drawn, "seqlens: inputs that are not drawn have one length: leave out --inputs");
  const SequenceSizes sizes = sizes_of(*s.sequences);
  s.shape.batch = sizes.entries;
  s.shape.seqlen_q = sizes.most_queries;
  s.shape.seqlen_k = sizes.most_keys;
  for (const SequenceClass& c : *s.sequences) shape_of(s, c).check();
  return s;
}

Shape shape_of(const Scenario& s, const SequenceClass& c) {
  Shape shape = s.shape;
  shape.batch = c.count;
  shape.seqlen_q = c.seqlen_q;
  shape.seqlen_k = c.seqlen_k;
  return shape;
}

void check_class_blocks(const SequenceClasses& classes, const Tiling& tiling) {
  std::int64_t rows = 0, cols = 0;
  for (const SequenceClass& c : classes) {
    rows = checked_add(rows, ceil_div(c.seqlen_q, tiling.br));
    cols = checked_add(cols, ceil_div(c.seqlen_k, tiling.bc));
  }
  require(std::max(rows, cols) <= most_blocks, "seqlens: one entry of each line makes ", rows, " blocks of ", tiling.br,
          " queries and ", cols, " of ", tiling.bc, " keys, more than ", most_blocks,
          ": join lines or use larger tiles");
}

PlaceInClass place_in_class(const Plan& plan, const CtaPlace& place) {
  CtaPlace inside = place;
  for (const Plan& c : classes_of(plan)) {
    if (plan.classes == nullptr || inside.batch < c.problem.shape.batch) return {c, inside};
    inside.batch -= c.problem.shape.batch;
  }
  throw Error("replay: batch ", place.batch, " is outside ", plan.problem.shape.batch, " batch entries");
}

namespace {

/// Numbers of rows of all heads of a shape.
struct HeadRows {
  std::int64_t queries = 0, keys = 0;
};

HeadRows rows_of(const Shape& s) {
  return {product(s.batch, s.heads, s.seqlen_q), product(s.batch, s.kv_heads, s.seqlen_k)};
}

}  // namespace

HeadInClass head_in_class(const Plan& plan, std::int64_t head) {
  const std::int64_t all = checked_multiply(plan.problem.shape.batch, plan.problem.shape.heads);
  require(head >= 0 && head < all, "head: ", head, " is not a query head from 0 to ", all - 1);
  HeadInClass at{plan, head};
  for (const Plan& c : classes_of(plan)) {
    const Shape& shape = c.problem.shape;
    const std::int64_t heads = checked_multiply(shape.batch, shape.heads);
    if (at.head < heads) return {c, at.head, at.queries_before, at.keys_before};
    at.head -= heads;
    at.queries_before += rows_of(shape).queries;
    at.keys_before += rows_of(shape).keys;
  }
  throw Error("head: the classes of a batch have fewer heads than the batch");
}

AttentionInputs inputs_of_class(const Plan& plan, const AttentionInputs& all, const Plan& of_class) {
  HeadRows before;
  for (const Plan* c = classes_of(plan).data(); c != &of_class; ++c) {
    before.queries += rows_of(c->problem.shape).queries;
    before.keys += rows_of(c->problem.shape).keys;
  }
  const Shape& shape = of_class.problem.shape;
  const auto part = [&](const std::vector<float>& values, std::int64_t first, std::int64_t count, std::int64_t cols) {
    if (values.empty()) return values;
    const auto begin = values.begin() + first * cols;
    return std::vector<float>(begin, begin + count * cols);
  };
  const auto [d, dv] = shape.head_dims();
  const HeadRows own = rows_of(shape);
  return {part(all.q, before.queries, own.queries, d), part(all.k, before.keys, own.keys, d),
          part(all.v, before.keys, own.keys, dv), part(all.d_o, before.queries, own.queries, dv)};
}

void require_alike(const Scenario& s, std::string_view what) {
  require(s.steps == 0, what, ": follows one step of --steps alone: leave it out, and give the keys of that step by ",
          "--seqlen-k");
  require(s.sequences == nullptr, what,
          ": does not follow the batch entries of --seqlens, which differ in length: give ",
          "one --seqlen, or use simulate, compare, sweep or tune");
}

std::span<const Plan> classes_of(const Plan& plan) {
  return plan.classes == nullptr ? std::span(&plan, 1) : std::span<const Plan>(*plan.classes);
}

std::span<const Plan> classes_of(const Plan& plan, const Launch& launch) {
  return launch.pieces == nullptr ? classes_of(plan) : std::span<const Plan>(*launch.pieces);
}

const Launch& launch_of(const Plan& of_class, const Launch& launch) {
  for (const auto* launches : {&of_class.launches, &of_class.before}) {
    for (const Launch& other : *launches) {
      if (other.name == launch.name) return other;
    }
  }
  return launch;
}

Launch of_all_rows(Launch launch) {
  launch.pieces = nullptr;
  return launch;
}

std::vector<Grid> segments_of(const Plan& plan, const Launch& launch) {
  std::vector<Grid> segments;
  for (const Plan& c : classes_of(plan, launch))
    segments.push_back(make_grid(c.problem.shape, launch_of(c, launch).grid));
  return segments;
}

Bytes total_bytes(const Plan& plan, Tensor tensor) {
  Bytes bytes;
  for (const Plan& c : classes_of(plan)) {
    HbmTensor stored = c.problem.hbm[tensor];
    stored.rows = stored.stored_rows();
    if (stored.shared_rows > 0)
      stored.shared_rows = shared_rows(c.problem.key_sections, c.problem.shape.batch, stored.pages->rows);
    bytes += stored.total_bytes(c.problem.shape);
  }
  return bytes;
}

}  // namespace sim
