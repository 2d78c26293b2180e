// Reuse in kernels whose CTAs take a whole head, or all query heads of a KV head, with a loop over queries inside a
// loop over keys. All row blocks are revisited in every iteration of the outer loop. CTAs of different heads do the
// same at the same time on their own data: one group represents them, with items as large as all of theirs together.
//
// Example: FlashAttention-1, two heads in flight, four blocks of queries, two of keys. Q_i takes 512 bytes, O_i with
// l_i and m_i 640, K_j with V_j 1,024. One group of two copies does, in twice these bytes:
//
//   first                 O0 O1 O2 O3                              zeros
//   outer iteration 0     KV0  Q0 O0  Q1 O1  Q2 O2  Q3 O3
//   outer iteration 1     KV1  Q0 O0  Q1 O1  Q2 O2  Q3 O3          each O_i is read and written
//
// Between two visits of a row block, all four row blocks and a block of keys are accessed: a reuse distance of 2 x (4 x
// 1,152 + 1,024) = 11,264 bytes. An L2 of that size loads Q from HBM once, and never O, which was made there; one of
// 4,096 bytes loads both twice. The more heads are in flight, the more L2 is needed.
//
// Cost: O(row blocks x key blocks) of one group, with blocks joined until access_budget suffices.
#include <algorithm>

#include "sim/model/l2_reuse.h"

namespace sim {
namespace {

/// CTAs of a wave: `ctas` of each of `copies` KV heads. A KV head whose CTAs are in two waves is a group of its own.
struct NestedGroup {
  std::int64_t unit = 0, copies = 1, ctas = 1;
  std::vector<std::int32_t> items;  ///< first item of each bundle
};

/// Joined row blocks, and the number of their rows that see a block of keys, or joined ones on average.
struct JoinedRows {
  std::int64_t at = 0;
  double rows = 0;
};

class NestedReuse {
 public:
  explicit NestedReuse(const L2Scene& scene);
  std::int64_t most_ctas() const { return most_waves_ * scene_.in_flight; }  ///< CTAs that the budget allows
  const L2Tally& run(std::int64_t ctas);

 private:
  std::int64_t looped_heads() const { return scene_.grid.by_kv_head() ? heads_per_kv_head_ : 1; }
  std::int64_t heads_of_unit() const { return scene_.grid.by_kv_head() ? 1 : heads_per_kv_head_; }
  Interval joined(const Blocking& axis, std::int64_t by, std::int64_t at) const;
  std::vector<JoinedRows> inner(std::int64_t outer) const;
  bool keeps_pattern() const;
  void choose_size();
  std::vector<NestedGroup> wave(std::int64_t first, std::int64_t past) const;
  void give_items(std::vector<NestedGroup>& groups);
  void fill();
  void fill_block(const Stage& stage, const NestedGroup& group, std::int64_t at);
  void outer_iteration(std::int64_t outer);
  void inner_iteration(const NestedGroup& group, std::int64_t at, double elements);
  void share(const NestedGroup& group, std::int64_t outer, std::size_t from, std::size_t to);
  void touch(const BundleUse& use, const NestedGroup& group, std::int64_t at, double elements);
  double bytes_of_iteration() const;
  bool is_keys(const BundleUse& use) const {
    return scene_.pattern.scopes[static_cast<std::size_t>(use.bundle)] == Scope::keys;
  }

  L2Scene scene_;
  std::int64_t heads_per_kv_head_;
  Blocking rows_, keys_;
  Interval live_keys_;
  std::int64_t join_rows_ = 1, join_keys_ = 1;
  std::int64_t most_waves_ = 1;
  std::int64_t most_groups_ = 1;  ///< groups of whole KV heads per wave, as the budget allows
  std::size_t inner_stage_ = 0;   ///< stage of the inner loop
  std::vector<NestedGroup> groups_;
  L2 l2_;
};

NestedReuse::NestedReuse(const L2Scene& scene)
    : scene_(scene),
      heads_per_kv_head_(scene.shape.heads / scene.shape.kv_heads),
      rows_{scene.shape.seqlen_q, scene.grid.br},
      keys_{scene.shape.seqlen_k, scene.grid.bc},
      l2_(0, {}) {
  live_keys_ = scene.grid.all_keys ? Interval{0, keys_.count()}
                                   : keys_.touching(scene.shape.live_keys({0, scene.shape.seqlen_q}));
  const std::vector<Stage>& stages = scene.pattern.stages;
  inner_stage_ = static_cast<std::size_t>(
      std::max_element(stages.begin(), stages.end(), [](const Stage& a, const Stage& b) { return a.depth < b.depth; }) -
      stages.begin());
  choose_size();
}

/// Returns the elements of `by` blocks that are joined.
Interval NestedReuse::joined(const Blocking& axis, std::int64_t by, std::int64_t at) const {
  return {at * by * axis.size, std::min(axis.extent, (at + 1) * by * axis.size)};
}

/// Returns the rows that see some block of the joined keys; under a pattern, the average over those blocks.
std::vector<JoinedRows> NestedReuse::inner(std::int64_t outer) const {
  std::vector<JoinedRows> met;
  const auto add = [&](Interval blocks, double part) {
    if (blocks.empty()) return;
    const Interval rows{rows_.elements(blocks.begin).begin, rows_.elements(blocks.end - 1).end};
    for (std::int64_t at = blocks.begin / join_rows_; at < ceil_div(blocks.end, join_rows_); ++at) {
      auto place = std::find_if(met.rbegin(), met.rend(), [&](const JoinedRows& made) { return made.at <= at; });
      if (place == met.rend() || place->at != at)
        place = std::make_reverse_iterator(met.insert(place.base(), {at, 0}) + 1);
      place->rows += part * static_cast<double>(overlap(rows, joined(rows_, join_rows_, at)).size());
    }
  };
  if (!scene_.shape.mask.blocks) {
    add(rows_.touching(scene_.shape.live_queries(joined(keys_, join_keys_, outer))), 1);
    return met;
  }
  const Interval keys = overlap(live_keys_, {outer * join_keys_, (outer + 1) * join_keys_});
  for (std::int64_t j = keys.begin; j < keys.end; ++j) {
    visit_queries(scene_.shape, scene_.grid, j).each_piece([&](Interval piece) {
      add(piece, 1 / static_cast<double>(keys.size()));
    });
  }
  return met;
}

/// True if blocks are not joined, because joined ones would hide which of them a pattern leaves.
bool NestedReuse::keeps_pattern() const {
  std::int64_t visits = 0;
  for (std::int64_t j = 0; j < live_keys_.end && scene_.shape.mask.blocks; ++j)
    visits += visit_queries(scene_.shape, scene_.grid, j).count() + 1;
  return scene_.shape.mask.blocks && visits <= 4 * access_budget / looped_heads();
}

void NestedReuse::choose_size() {
  const auto iterations = [&] {
    return checked_multiply(ceil_div(rows_.count(), join_rows_), ceil_div(live_keys_.size(), join_keys_));
  };
  const bool joins = !keeps_pattern();
  while (joins && iterations() * looped_heads() > access_budget && iterations() > 256) {
    const bool more_rows = ceil_div(rows_.count(), join_rows_) >= ceil_div(live_keys_.size(), join_keys_);
    (more_rows ? join_rows_ : join_keys_) *= 2;
  }
  if (scene_.grid.by_kv_head())
    heads_per_kv_head_ = std::min(
        heads_per_kv_head_, std::max<std::int64_t>(1, 16 * access_budget / std::max<std::int64_t>(1, iterations())));
  const std::int64_t accesses = 2 * std::max<std::int64_t>(1, iterations() * looped_heads());
  most_waves_ = std::max<std::int64_t>(1, 2 * access_budget / accesses);
}

const L2Tally& NestedReuse::run(std::int64_t ctas) {
  most_groups_ = std::max<std::int64_t>(1, most_waves_ / ceil_div(ctas, scene_.in_flight));
  groups_.clear();
  l2_ = L2(scene_.capacity, scene_.pattern.bundles);
  for (std::int64_t first = 0; first < ctas; first += scene_.in_flight) {
    std::vector<NestedGroup> groups = wave(first, std::min(ctas, first + scene_.in_flight));
    give_items(groups);
    groups_ = std::move(groups);
    fill();
    if (live_keys_.empty()) continue;
    for (std::int64_t at = live_keys_.begin / join_keys_; at < ceil_div(live_keys_.end, join_keys_); ++at) {
      outer_iteration(at);
    }
  }
  return l2_.tally();
}

std::vector<NestedGroup> NestedReuse::wave(std::int64_t first, std::int64_t past) const {
  const std::int64_t each = heads_of_unit(), size = ceil_div(ceil_div(past - first, each), most_groups_);
  const bool one_by_one = past - first <= most_groups_;
  std::vector<NestedGroup> groups;
  while (first < past) {
    const std::int64_t unit = first / each, end = one_by_one ? first + 1 : std::min(past, (unit + 1) * each);
    const std::int64_t whole = first % each == 0 && !one_by_one ? std::min(size, (past - first) / each) : 0;
    if (whole > 0) {
      groups.push_back({unit, whole, each, {}});
      first += whole * each;
    } else {
      groups.push_back({unit, 1, end - first, {}});
      first = end;
    }
  }
  return groups;
}

/// Adds items, except for keys of a KV head that the previous group, possibly of the previous wave, began.
void NestedReuse::give_items(std::vector<NestedGroup>& groups) {
  const std::int64_t iterations = ceil_div(keys_.count(), join_keys_), rows = ceil_div(rows_.count(), join_rows_);
  const NestedGroup* before = groups_.empty() ? nullptr : &groups_.back();
  for (NestedGroup& group : groups) {
    for (std::size_t n = 0; n < scene_.pattern.bundles.size(); ++n) {
      const bool keys = scene_.pattern.scopes[n] == Scope::keys;
      if (keys && before != nullptr && before->unit == group.unit) {
        group.items.push_back(before->items[n]);
      } else {
        group.items.push_back(l2_.add(static_cast<int>(n), keys ? iterations : rows * looped_heads()));
      }
    }
    before = &group;
  }
}

void NestedReuse::touch(const BundleUse& use, const NestedGroup& group, std::int64_t at, double elements) {
  if (elements <= 0) return;
  const std::int64_t copies = group.copies * (is_keys(use) ? 1 : group.ctas);
  l2_.touch(group.items[static_cast<std::size_t>(use.bundle)] + static_cast<std::int32_t>(at),
            elements * static_cast<double>(copies), use.move);
}

/// Accesses whole tensors outside the loops, block by block.
void NestedReuse::fill() {
  const std::int64_t blocks = std::max(ceil_div(rows_.count(), join_rows_), ceil_div(keys_.count(), join_keys_));
  for (std::int64_t at = 0; at < blocks; ++at) {
    for (const NestedGroup& group : groups_) {
      for (const Stage& stage : scene_.pattern.stages) {
        if (!stage.loop()) fill_block(stage, group, at);
      }
    }
  }
}

void NestedReuse::fill_block(const Stage& stage, const NestedGroup& group, std::int64_t at) {
  for (const BundleUse& use : stage.uses) {
    const Blocking& axis = is_keys(use) ? keys_ : rows_;
    const std::int64_t by = is_keys(use) ? join_keys_ : join_rows_, blocks = ceil_div(axis.count(), by);
    const std::int64_t heads = is_keys(use) ? 1 : looped_heads();
    for (std::int64_t head = 0; head < heads && at < blocks; ++head) {
      touch(use, group, head * blocks + at, static_cast<double>(joined(axis, by, at).size()));
    }
  }
}

/// Runs one block of keys, or several joined ones: all but the first of them count as the second one.
void NestedReuse::outer_iteration(std::int64_t outer) {
  const std::vector<JoinedRows> blocks = inner(outer);
  const std::int64_t same = overlap(live_keys_, {outer * join_keys_, (outer + 1) * join_keys_}).size() - 1;
  if (blocks.empty() && scene_.grid.all_keys) {  // only its keys
    l2_.weigh(1 + static_cast<double>(same));
    for (const NestedGroup& group : groups_) share(group, outer, 0, scene_.pattern.stages.size());
    l2_.weigh(1);
  }
  const auto size = static_cast<std::int64_t>(blocks.size());
  const std::int64_t iterations = size * looped_heads();
  for (std::int64_t iteration = 0; iteration < iterations * (same > 0 ? 2 : 1); ++iteration) {
    l2_.weigh(iteration < iterations ? 1 : static_cast<double>(same));
    const auto& [at, elements] = blocks[static_cast<std::size_t>(iteration % size)];
    const std::int64_t head = iteration % iterations / size;
    for (const NestedGroup& group : groups_) {
      if (iteration == 0) share(group, outer, 0, inner_stage_);
      inner_iteration(group, head * ceil_div(rows_.count(), join_rows_) + at, elements);
      if (iteration + 1 == iterations) share(group, outer, inner_stage_ + 1, scene_.pattern.stages.size());
    }
  }
  l2_.weigh(1);
}

void NestedReuse::inner_iteration(const NestedGroup& group, std::int64_t at, double elements) {
  const std::vector<BundleUse>& uses = scene_.pattern.stages[inner_stage_].uses;
  for (const BundleUse& use : uses) touch(use, group, at, elements);
  for (const BundleUse& use : uses) {
    if (use.returns) l2_.refresh(group.items[static_cast<std::size_t>(use.bundle)] + static_cast<std::int32_t>(at));
  }
}

/// Accesses of a group to a block of keys in the stages [from, to).
void NestedReuse::share(const NestedGroup& group, std::int64_t outer, std::size_t from, std::size_t to) {
  const Interval live{keys_.elements(live_keys_.begin).begin, keys_.elements(live_keys_.end - 1).end};
  const auto elements = static_cast<double>(overlap(joined(keys_, join_keys_, outer), live).size());
  for (std::size_t n = from; n < to; ++n) {
    if (scene_.pattern.stages[n].depth != 0) continue;
    for (const BundleUse& use : scene_.pattern.stages[n].uses) {
      touch(use, group, outer, elements);
      if (group.ctas == 1) continue;
      l2_.repeat(group.items[static_cast<std::size_t>(use.bundle)] + static_cast<std::int32_t>(outer),
                 elements * static_cast<double>(group.copies), use.move, static_cast<double>(group.ctas - 1),
                 bytes_of_iteration());
    }
  }
}

/// Bytes that one CTA accesses in the first iteration of a block of keys.
double NestedReuse::bytes_of_iteration() const {
  double sum = 0;
  for (const Stage& stage : scene_.pattern.stages) {
    for (const BundleUse& use : stage.uses) {
      const Blocking& axis = is_keys(use) ? keys_ : rows_;
      const double bytes = scene_.pattern.bundles[static_cast<std::size_t>(use.bundle)].bytes();
      if (stage.loop()) sum += bytes * static_cast<double>(std::min(axis.size, axis.extent));
    }
  }
  return sum;
}

}  // namespace

L2Tally reuse_in_nested(const L2Scene& scene) {
  NestedReuse reuse(scene);
  const std::int64_t ctas = scene.grid.repeats(scene.shape), most = reuse.most_ctas();
  if (ctas <= most) return reuse.run(ctas);
  const L2Tally full = reuse.run(most);  // full waves are equal; the last may be smaller
  const std::int64_t rest = ctas % scene.in_flight;
  const L2Tally last = rest > 0 ? reuse.run(rest) : L2Tally{};
  return last.plus(full, static_cast<double>(ctas - rest) / static_cast<double>(most));
}

}  // namespace sim
