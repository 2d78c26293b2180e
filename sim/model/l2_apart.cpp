// Reuse in kernels whose CTAs are each at a different block in the same iteration: keys that are walked downwards under
// a mask. A CTA begins at its last visible block, and reaches a block some iterations after the CTA below it.
//
// Example: a causal mask, blocks of queries as large as those of keys, four CTAs in flight. The block of keys that each
// reads:
//
//   iteration        0   1   2   3
//   row block 0      0
//   row block 1      1   0
//   row block 2      2   1   0
//   row block 3      3   2   1   0     four blocks are read in iteration 0, and by the next CTA in the next iteration
//
// Upwards all four would read block 0 first. Here an L2 that holds fewer than four blocks serves nothing.
//
// No access represents another, so every one is simulated (l2_sampling.cpp selects blocks and iterations). An LRU of
// numbered accesses makes each one cheap: a block stores its last access, an access the bytes not accessed since, and
// the L2 evicts the oldest accesses. Cost: O(1) amortised for each access, some 3 ns.
#include <algorithm>
#include <utility>

#include "sim/model/l2_waves.h"

namespace sim {
namespace {

/// A CTA of the wave.
struct ApartCta {
  std::int64_t items;       ///< item number of block 0 of its KV head
  std::int64_t iterations;  ///< iterations of its loop
  std::int64_t begin;       ///< block of the last iteration, if no pattern leaves gaps
  double rows;
  const LoopRange* range;
};

/// An LRU of numbered accesses.
struct AccessStack {
  float* held = nullptr;  ///< bytes of each access that were not accessed since
  std::int32_t base = 0;  ///< number of the first access in `held`
  std::int32_t next = 0, oldest = 0;
  double used = 0, capacity = 0;

  /// Accesses bytes that are not in L2.
  void bring(double bytes) {
    of(next) = static_cast<float>(bytes);
    used += static_cast<double>(of(next++));
    while (used > capacity && oldest < next) used -= static_cast<double>(of(oldest++));
  }
  void forget() {
    oldest = next;
    used = 0;
  }
  bool holds(std::int32_t access) const { return access >= oldest; }
  /// Accesses the bytes that the access `before` left in L2.
  void move(std::int32_t before) { of(next++) = std::exchange(of(before), 0.0F); }
  float& of(std::int32_t access) const { return held[access - base]; }
};

class ApartReuse {
 public:
  explicit ApartReuse(const L2Waves& waves);
  L2Tally run();

 private:
  void run_wave(std::int64_t number);
  void find_wave(std::int64_t number);
  void make_room(std::int64_t accesses);
  void take_turns(const std::vector<ApartCta>& ctas, std::int64_t iteration);
  void iterate(const ApartCta& cta, std::int64_t iteration, AccessStack& l2, L2Bytes& sum);
  void touch(std::int64_t item, double elements, AccessStack& l2, L2Bytes& sum);
  double at_end(const ApartCta& cta) const { return part_ * after_.row * cta.rows; }

  const L2Waves& waves_;
  std::size_t loop_;     ///< stage that is the loop
  double part_;          ///< simulated share of all blocks, hence of the L2 and of the accesses outside the loop
  double shared_bytes_;  ///< shared bytes of a row
  std::vector<ApartCta> wave_;
  std::vector<std::vector<ApartCta>> turns_;  ///< CTAs that access a simulated block in iteration 0, 1 ... of each n
  std::vector<std::pair<std::int64_t, std::size_t>> ends_;  ///< last iterations on skipped blocks, sorted
  std::int64_t longest_ = 1;                                ///< iterations of the longest CTA
  std::vector<std::int32_t> last_;                          ///< last access to each item
  std::int64_t last_block_;
  double width_, last_width_;       ///< keys of a block, and of the last block
  bool alone_;                      ///< a CTA accesses data of its own in the loop
  AloneBytes before_, in_, after_;  ///< bytes before, in and after the loop
  std::vector<float> held_;
  AccessStack l2_;
  L2Bytes sum_;
};

ApartReuse::ApartReuse(const L2Waves& waves)
    : waves_(waves),
      loop_(waves.loops()[0]),
      part_(1 / static_cast<double>(waves.thinned())),
      shared_bytes_(waves.shared_row()),
      last_(static_cast<std::size_t>(product(waves.units(), waves.streamed().count())), -1),
      before_(waves.alone_in(0, loop_)),
      in_(waves.alone_in(loop_, loop_ + 1)),
      after_(waves.alone_in(loop_ + 1, waves.scene().pattern.stages.size())) {
  const Blocking& keys = waves.streamed();
  last_block_ = keys.count() - 1;
  width_ = static_cast<double>(keys.size);
  last_width_ = static_cast<double>(keys.elements(last_block_).size());
  alone_ = in_.row + in_.entry > 0;
  l2_.capacity = waves.scene().capacity * part_;
}

L2Tally ApartReuse::run() {
  L2Bytes before;
  for (std::int64_t number = 0; number < waves_.waves(); ++number) {
    if (number == waves_.warm_up()) before = sum_;
    find_wave(number);
    run_wave(number);
  }
  const auto all = [&](double warm, double sum) { return warm + waves_.repeats() * (sum - warm); };
  const double moved = all(before.moved, sum_.moved), missed = all(before.missed, sum_.missed);
  const double first = all(before.first, sum_.first);
  return waves_.tally_of_shared({moved, waves_.first_part() > 0 ? waves_.first_part() * moved : first, missed});
}

void ApartReuse::run_wave(std::int64_t number) {
  const std::int64_t period = waves_.period(), counted = waves_.counted();
  std::size_t ended = 0;
  for (std::int64_t iteration = 0; iteration < longest_; ++iteration) {
    const std::int64_t until_next = period - 1 - (iteration + number * counted) % period;
    const bool begins = period == 1 || iteration < counted;
    if (!begins && until_next >= 2 * counted) {
      l2_.forget();
      continue;
    }
    const L2Bytes before = std::exchange(sum_, {});
    take_turns(iteration == 0 ? wave_ : turns_[static_cast<std::size_t>(iteration) % turns_.size()], iteration);
    const double weight = begins                 ? 1
                          : until_next < counted ? static_cast<double>(period) / static_cast<double>(counted)
                                                 : 0;
    sum_ = {before.moved + weight * sum_.moved, before.first + weight * sum_.first,
            before.missed + weight * sum_.missed};
    for (; ended < ends_.size() && ends_[ended].first <= iteration; ++ended)
      l2_.bring(at_end(wave_[ends_[ended].second]));
  }
}

void ApartReuse::find_wave(std::int64_t number) {
  const std::int64_t n = waves_.thinned();
  const Interval ctas = waves_.ctas_of_wave(number);
  wave_.clear();
  ends_.clear();
  longest_ = 1;
  std::int64_t accesses = 0;
  turns_.assign(waves_.gaps() ? 1 : static_cast<std::size_t>(n), {});
  for (std::int64_t cta = ctas.begin; cta < ctas.end; ++cta) {
    const auto [head, block] = waves_.place_of(cta);
    const LoopRange& range = waves_.range_of(block);
    const auto rows = static_cast<double>(waves_.rows({block, block + 1}));
    longest_ = std::max(longest_, range.iterations());
    if (range.iterations() > 0 && !waves_.takes(range.at(0))) ends_.push_back({range.iterations() - 1, wave_.size()});
    const std::int64_t turn = waves_.gaps() ? 0 : (range.end - 1 - n / 2 + n) % n;
    wave_.push_back(
        {head / waves_.heads_of_unit() * waves_.streamed().count(), range.iterations(), range.begin, rows, &range});
    if (range.iterations() > 1) turns_[static_cast<std::size_t>(turn)].push_back(wave_.back());
    accesses += 2 + (waves_.gaps() ? 2 * range.iterations() : 2 * ceil_div(range.iterations(), n) + 2);
  }
  make_room(accesses);
  std::sort(ends_.begin(), ends_.end());
}

/// Drops evicted accesses once they are half of those stored, so that each moves about once.
void ApartReuse::make_room(std::int64_t accesses) {
  const std::int32_t gone = l2_.oldest - l2_.base, kept = l2_.next - l2_.oldest;
  if (gone > kept) {
    std::copy(held_.begin() + gone, held_.begin() + gone + kept, held_.begin());
    l2_.base = l2_.oldest;
  }
  const auto wanted = static_cast<std::size_t>(l2_.next - l2_.base + accesses);
  if (wanted > held_.size()) held_.resize(wanted + wanted / 2);
  l2_.held = held_.data();
}

/// Runs an iteration of these CTAs one after the other, the first iteration with the stages before the loop. A CTA that
/// sees nothing only writes.
void ApartReuse::take_turns(const std::vector<ApartCta>& ctas, std::int64_t iteration) {
  AccessStack l2 = l2_;  // both in registers
  L2Bytes sum = sum_;
  for (const ApartCta& cta : ctas) {
    if (iteration == 0) l2.bring(cta.iterations == 0 ? at_end(cta) : part_ * before_.row * cta.rows);
    iterate(cta, iteration, l2, sum);
  }
  l2_ = l2;
  sum_ = sum;
}

void ApartReuse::iterate(const ApartCta& cta, std::int64_t iteration, AccessStack& l2, L2Bytes& sum) {
  const std::int64_t nth = cta.iterations - 1 - iteration;
  if (nth < 0) return;
  const std::int64_t at = waves_.gaps() ? cta.range->at(nth) : cta.begin + nth;
  if ((iteration == 0 || waves_.gaps()) && !waves_.takes(at)) return;
  const double width = at == last_block_ ? last_width_ : width_;
  touch(cta.items + at, width, l2, sum);
  if (alone_) l2.bring(cta.rows * (in_.row + in_.entry * width));
  if (nth == 0) l2.bring(at_end(cta));
}

void ApartReuse::touch(std::int64_t item, double elements, AccessStack& l2, L2Bytes& sum) {
  std::int32_t& last = last_[static_cast<std::size_t>(item)];
  const std::int32_t before = last;
  last = l2.next;
  sum.moved += elements;
  if (l2.holds(before)) return l2.move(before);
  sum.missed += elements;
  if (before < 0) sum.first += elements;
  l2.bring(elements * shared_bytes_);
}

}  // namespace

L2Tally reuse_apart(const L2Waves& waves) { return ApartReuse(waves).run(); }

}  // namespace sim
