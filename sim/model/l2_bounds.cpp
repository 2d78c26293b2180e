// Reuse of kernels whose CTAs are apart (l2_apart.cpp) without a simulation, where bounds on the reuse distances decide
// what hits. A piece is the CTAs of one wave that belong to a head, or, if blocks are outermost, to a KV head.
//
// Example: a causal mask, four CTAs in flight, blocks of queries as large as those of keys.
//
//   piece              blocks that it reads, from the last to the first
//   row blocks 0..3    3 2 1 0     in one wave, each block by the next CTA an iteration later
//   row blocks 4..7    7 ... 0     blocks 0 to 3 once more
//
// Within a piece a block is read again after at most as many blocks as lie between the first blocks of its CTAs (four
// here), and one step. From piece to piece, block j is read again after the blocks below it, by the first piece, and
// those above it, by the second: the blocks of the second piece together, whatever j. An L2 that holds them misses 8
// blocks in all, a smaller one of at least four blocks and what CTAs access alone misses 12.
//
// What lies between the bounds is undecided. The result is the mean of the least and of the most misses if they differ
// by at most undecided_part. Cost: O(CTAs).
#include <algorithm>

#include "sim/model/l2_waves.h"

namespace sim {
namespace {

constexpr double undecided_part = 0.01;  // of the elements that miss
constexpr std::int64_t turnovers = 4;    // heads that are run, of those in flight

/// Elements of shared blocks.
struct Misses {
  double moved = 0, first = 0, least = 0, most = 0;  ///< least and most: those that miss
  Misses plus(const Misses& other, double times) const {
    return {moved + times * other.moved, first + times * other.first, least + times * other.least,
            most + times * other.most};
  }
};

/// Smallest interval that contains both.
Interval hull(Interval a, Interval b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

/// CTAs of a wave that walk the same keys.
struct Piece {
  std::int64_t head = 0, unit = 0;
  Interval live;                             ///< blocks of all its CTAs
  std::int64_t low = 0, high = 0, last = 0;  ///< first block of its lowest, highest and last CTA
  std::int64_t gap = 0;                      ///< largest step between the first blocks of consecutive CTAs
  double accesses = 0;                       ///< elements, by all CTAs
  std::int64_t at_once() const { return high - low + 1 + gap; }
};

/// Blocks that a KV head accessed.
struct History {
  Interval ever, last;               ///< blocks of all pieces, and of the last one
  std::int64_t spread = 0, gap = 0;  ///< largest distances of first blocks in the last piece
  std::int64_t wave = -1, first_wave = -1;
};

/// Bytes of a wave that only one CTA accesses: before its loop and after it.
struct Alone {
  double before = 0, after = 0;
};

/// Least and largest number of bytes from an access to the next one to the same block, with the block itself.
struct Distance {
  double least = 0, most = 0;
};

class BoundedReuse {
 public:
  explicit BoundedReuse(const L2Waves& waves);
  std::optional<L2Tally> run();

 private:
  void run_wave(std::int64_t number);
  void find_pieces(std::int64_t number);
  void add(const BlockOfHead& place);
  void add_piece(const Piece& piece, std::int64_t number, bool shares);
  Interval beyond(const Piece& piece, Interval again, double shared, std::int64_t wider) const;
  bool follows(const Piece& piece, std::int64_t number) const;
  Distance between_pieces(std::int64_t number) const;
  double from_wave(const Piece& piece, std::int64_t number) const;
  double elements(Interval blocks) const;
  double bytes(Interval blocks) const { return elements(blocks) * shared_bytes_; }
  double bytes(std::int64_t blocks) const {
    return static_cast<double>(blocks * waves_.streamed().size) * shared_bytes_;
  }
  const History& history(const Piece& piece) const { return history_[static_cast<std::size_t>(piece.unit)]; }

  const L2Waves& waves_;
  double capacity_, shared_bytes_;  ///< shared_bytes_: of a row that CTAs share
  bool windowed_;
  std::vector<Piece> pieces_;
  std::vector<std::size_t> piece_of_unit_;
  std::vector<History> history_;
  std::vector<double> accessed_{0};  ///< bytes of the waves so far, those of each wave counted once
  double shared_in_last_wave_ = 0;   ///< bytes of all pieces
  Alone row_, alone_, last_alone_;   ///< bytes of a row, of this wave, and of the last one
  Distance between_;                 ///< shared bytes between pieces that follow, in this wave
  Misses sum_;
};

BoundedReuse::BoundedReuse(const L2Waves& waves)
    : waves_(waves),
      capacity_(waves.scene().capacity),
      shared_bytes_(waves.shared_row()),
      windowed_(waves.scene().shape.mask.window.has_value()),
      piece_of_unit_(static_cast<std::size_t>(waves.units())),
      history_(static_cast<std::size_t>(waves.units())),
      row_{waves.alone_in(0, waves.loops()[0]).row,
           waves.alone_in(waves.loops()[0] + 1, waves.scene().pattern.stages.size()).row} {}

std::optional<L2Tally> BoundedReuse::run() {
  Misses warm;
  for (std::int64_t number = 0; number < waves_.waves(); ++number) {
    if (number == waves_.warm_up()) warm = sum_;
    run_wave(number);
  }
  const Misses all = warm.plus(sum_.plus(warm, -1), waves_.repeats());
  if (all.most - all.least > undecided_part * all.least) return std::nullopt;
  return waves_.tally_of_shared({all.moved, all.first, (all.least + all.most) / 2});
}

void BoundedReuse::run_wave(std::int64_t number) {
  find_pieces(number);
  double at_once = alone_.before + alone_.after, accessed = 0;
  for (const Piece& piece : pieces_) {
    at_once += bytes(piece.at_once());
    accessed += bytes(piece.live);
  }
  accessed_.push_back(accessed_.back() + accessed + alone_.before + alone_.after);
  between_ = between_pieces(number);
  for (const Piece& piece : pieces_) add_piece(piece, number, at_once <= capacity_);
  shared_in_last_wave_ = accessed;
  last_alone_ = alone_;
}

void BoundedReuse::find_pieces(std::int64_t number) {
  pieces_.clear();
  double rows = 0;
  const Interval ctas = waves_.ctas_of_wave(number);
  for (std::int64_t cta = ctas.begin; cta < ctas.end; ++cta) {
    const BlockOfHead place = waves_.place_of(cta);
    rows += static_cast<double>(waves_.rows({place.block, place.block + 1}));
    if (waves_.range_of(place.block).iterations() > 0) add(place);
  }
  alone_ = {rows * row_.before, rows * row_.after};
}

void BoundedReuse::add(const BlockOfHead& place) {
  const LoopRange& range = waves_.range_of(place.block);
  const std::int64_t unit = place.head / waves_.heads_of_unit(), start = range.live.end - 1;
  std::size_t& at = piece_of_unit_[static_cast<std::size_t>(unit)];
  const bool continues =
      at < pieces_.size() && pieces_[at].unit == unit && (!waves_.heads_first() || pieces_[at].head == place.head);
  if (!continues) {
    at = pieces_.size();
    pieces_.push_back({place.head, unit, range.live, start, start, start, 0, 0});
  }
  Piece& piece = pieces_[at];
  piece.live = hull(piece.live, range.live);
  piece.low = std::min(piece.low, start);
  piece.high = std::max(piece.high, start);
  piece.gap = std::max(piece.gap, std::abs(start - piece.last));
  piece.last = start;
  piece.accesses += static_cast<double>(range.elements.size());
}

/// True if the KV head has one piece in this wave and one in the last, which contains what this one repeats, and all
/// pieces of the two waves are at about the same block.
bool BoundedReuse::follows(const Piece& piece, std::int64_t number) const {
  const History& before = history(piece);
  const bool alike = !waves_.heads_first() || (pieces_.size() == 1 && shared_in_last_wave_ == bytes(before.last));
  return alike && !windowed_ && before.wave == number - 1 && before.last.contains(overlap(piece.live, before.ever));
}

/// Shared bytes between accesses of pieces that follow: the blocks below, by the pieces of the last wave, and those
/// above, by the pieces of this one. Pieces of other KV heads are at most a step away.
Distance BoundedReuse::between_pieces(std::int64_t number) const {
  Distance shared{0, shared_in_last_wave_};
  for (const Piece& piece : pieces_) {
    const std::int64_t step = pieces_.size() > 1 ? 2 * (piece.gap + 1) : 0;
    const bool both = history(piece).wave == number - 1;
    if (both) shared.least += std::max(0.0, bytes(piece.live) - bytes(step));
    shared.most += bytes(piece.live) + (both ? bytes(step) - bytes(history(piece).last) : 0);
  }
  return shared;
}

/// Blocks of `again`, which a piece that follows repeats, whose distance is more than the L2 if `shared` of it are
/// shared bytes; `wider` by some blocks at each end that is not that of `again`. Of the lowest block no CTA of the last
/// wave writes its results after the last access to it, of the highest one no CTA of this wave reads its own rows
/// before the first; of blocks as far away as the CTAs' first blocks are apart all do.
Interval BoundedReuse::beyond(const Piece& piece, Interval again, double shared, std::int64_t wider) const {
  const double after = last_alone_.after, before = alone_.before, left = capacity_ - shared;
  if (after + before <= left) return {again.begin, again.begin};
  const auto part = [](double of, double all, std::int64_t blocks) {
    return static_cast<std::int64_t>(of / all * static_cast<double>(blocks));
  };
  Interval beyond = again;
  if (before <= left) beyond.begin += part(left - before, after, history(piece).spread) - wider;
  if (after <= left) beyond.end = piece.high + 1 - part(left - after, before, piece.high - piece.low) + wider;
  return overlap(beyond, again);
}

/// Adds the accesses of a piece. If it does not share, an access may miss although the piece made it before.
void BoundedReuse::add_piece(const Piece& piece, std::int64_t number, bool shares) {
  History& before = history_[static_cast<std::size_t>(piece.unit)];
  const Interval again = before.wave < 0 ? Interval{} : overlap(piece.live, before.ever);
  const double once = elements(piece.live), first = once - elements(again);
  Interval miss{again.begin, again.begin}, may_miss = again;
  if (follows(piece, number)) {
    const std::int64_t unsure = std::max(piece.gap, before.gap) + 1;
    miss = beyond(piece, again, between_.least, -unsure);
    may_miss = beyond(piece, again, between_.most, unsure);
  } else if (from_wave(piece, number) <= capacity_) {
    may_miss = miss;
  }
  sum_.moved += piece.accesses;
  sum_.first += first;
  sum_.least += first + elements(miss);
  sum_.most += first + elements(may_miss) + (shares ? 0 : piece.accesses - once);
  before.ever = before.wave < 0 ? piece.live : hull(before.ever, piece.live);
  before.last = piece.live;
  before.spread = piece.high - piece.low;
  before.gap = piece.gap;
  if (before.wave < 0) before.first_wave = number;
  before.wave = number;
}

/// Bytes accessed since the wave of the last access to blocks that the piece repeats, each counted once if that access
/// was in the last wave.
double BoundedReuse::from_wave(const Piece& piece, std::int64_t number) const {
  const History& before = history(piece);
  if (before.wave < 0) return 0;
  if (!before.last.contains(overlap(piece.live, before.ever)) || before.wave < number - 1)
    return accessed_.back() - accessed_[static_cast<std::size_t>(before.first_wave)];
  return accessed_.back() - accessed_[static_cast<std::size_t>(before.wave)] - bytes(before.last) - bytes(piece.live) +
         bytes(hull(before.last, piece.live));
}

double BoundedReuse::elements(Interval blocks) const {
  if (blocks.empty()) return 0;
  const Blocking& keys = waves_.streamed();
  return static_cast<double>(keys.elements(blocks.end - 1).end - keys.elements(blocks.begin).begin);
}

bool has_alone_in_loop(const L2Waves& waves) {
  const std::vector<BundleUse>& uses = waves.scene().pattern.stages[waves.loops()[0]].uses;
  return std::any_of(uses.begin(), uses.end(), [&](const BundleUse& use) {
    return waves.scene().pattern.scopes[static_cast<std::size_t>(use.bundle)] != Scope::keys;
  });
}

}  // namespace

std::optional<L2Tally> reuse_by_bounds(const L2Waves& waves) {
  if (waves.gaps() || has_alone_in_loop(waves)) return std::nullopt;
  L2Waves few = waves;
  few.take_units(turnovers * waves.units_in_flight());
  return BoundedReuse(few).run();
}

}  // namespace sim
