// Times are whole ticks and bytes whole numbers, so processors whose libraries and compilers round differently agree on
// the order of events.
#include "sim/model/grid_walk.h"

#include <Random123/philox.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>

#include "sim/base/box_muller.h"
#include "sim/model/reuse_distance.h"

namespace sim {
namespace {

constexpr std::int64_t wanted_accesses = 50'000, most_accesses = 130'000;
constexpr std::int64_t fewest_items = 12;  ///< that a thinned axis keeps
constexpr double fewest_steps_held = 24;   ///< thinned steps of a CTA for which the L2 has space
constexpr double idle_demand = 0.3;        ///< part of the bandwidth below which no CTA waits for HBM

double real(std::int64_t n) { return static_cast<double>(n); }
std::size_t index(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Normal numbers by CTA and access. A CTA that waits changes none of them, so two walks differ by the waits alone.
class Noise {
 public:
  explicit Noise(std::uint32_t seed) {
    NormalPairs pairs;
    for (std::size_t n = 0; n < numbers_.size(); ++n) {
      const std::size_t of_batch = n % (2 * NormalPairs::count);
      if (of_batch == 0) draw(pairs, seed, static_cast<std::uint32_t>(n));
      numbers_[n] =
          of_batch < NormalPairs::count ? pairs.cosines[of_batch] : pairs.sines[of_batch - NormalPairs::count];
    }
  }
  double of(std::int64_t cta, std::size_t access) const {
    std::uint64_t hash = static_cast<std::uint64_t>(cta) * 0x9E3779B97F4A7C15U + access * 0xD1B54A32D192ED03U;
    hash = (hash ^ hash >> 32U) * 0xD6E8FEB86659FD93U;
    return numbers_[hash >> 51U];
  }

 private:
  static void draw(NormalPairs& pairs, std::uint32_t seed, std::uint32_t first) {
    for (std::size_t n = 0; n < NormalPairs::count; n += 2) {
      const auto words = r123::Philox4x32()({{first + static_cast<std::uint32_t>(n), 0, 0, 2}}, {{seed, 0}});
      for (std::size_t half = 0; half < 2; ++half) {
        pairs.radius_words[n + half] = words[2 * half];
        pairs.angle_words[n + half] = words[2 * half + 1];
      }
    }
    pairs.make();
  }
  std::array<float, 8192> numbers_;  // 2^13: see of()
};

/// Bytes moved, those of them that moved for the first time, and those that reached HBM.
struct Sums {
  double moved = 0, first = 0, missed = 0;
};

/// An axis of which one item in `thinned` is accessed.
struct ThinAxis {
  ThinAxis(const NestAxis& axis, std::int64_t most_thinned)
      // Odd, because CTAs that begin an even number of blocks apart would all reach the accessed items at once.
      : thinned(std::max<std::int64_t>(1, (std::min(most_thinned, axis.items / fewest_items) - 1) | 1)) {
    const auto whole = [](double bytes) { return std::max<std::int64_t>(1, std::llround(bytes)); };
    items = (axis.items - thinned / 2 + thinned - 1) / thinned;
    short_items = thinned == 1 ? axis.short_items : 0;
    item_bytes = whole(thinned == 1 ? axis.item_bytes : axis.bytes() / real(items));
    short_bytes = whole(axis.short_bytes);
  }
  std::int64_t bytes_of(std::int64_t item) const { return item < items - short_items ? item_bytes : short_bytes; }

  std::int64_t thinned, items = 0, short_items = 0, item_bytes = 0, short_bytes = 0;
  std::int32_t first = -1;  ///< number of its first item; -1: its items have none
};

/// An access that a CTA makes at the begin of a step.
struct Planned {
  std::int64_t step = 0, bytes = 0;
  std::int32_t use = 0, thinned = 1;
  std::int32_t item = -1;  ///< -1: it has no number, as it is never accessed again
};

/// State of the items: the LRU order, what is dirty, and when HBM delivers.
struct Items {
  struct State {
    double dirty = 0;          ///< part of the item that was written since it was last loaded
    std::int64_t ready = 0;    ///< tick at which the last miss arrives
    std::int32_t writer = -1;  ///< bundle that was last written, 2 n + late; -1: never written
  };
  ReuseDistance distances;
  std::vector<State> states;

  /// Returns the reuse distance, -1 at a first access.
  std::int64_t touch(const Planned& planned) {
    if (planned.item >= 0) return distances.touch(planned.item);
    distances.pass(planned.bytes);
    return -1;
  }

  void add(ThinAxis& axis) {
    axis.first = distances.add(axis.items - axis.short_items, axis.item_bytes);
    distances.add(axis.short_items, axis.short_bytes);
    states.resize(distances.items());
  }
};

/// A slot of an SM, and the CTA in it.
struct Slot {
  std::size_t sm = 0;
  std::int64_t cta = 0;
  std::vector<Planned> plan;  ///< in the order of steps
  std::size_t next = 0;       ///< in the plan
  std::int64_t steps = 0;
  std::size_t late = 0;  ///< 1: its CTA represents others as well
  std::int64_t own = 0;  ///< ticks of the CTA without its waits
};

/// The next event of each slot, and which comes first: a tournament, in which only the slot that changes plays again.
class Events {
 public:
  struct Event {
    std::int64_t time = std::numeric_limits<std::int64_t>::max(), cta = 0;
    bool before(const Event& other) const { return time != other.time ? time < other.time : cta < other.cta; }
  };

  explicit Events(std::size_t slots) : slots_(std::bit_ceil(std::max<std::size_t>(2, slots))), events_(slots_) {
    winners_.resize(slots_);
    for (std::size_t n = slots_ - 1; n > 0; --n) play(n);
  }
  bool none() const { return events_[first()].time == Event().time; }
  std::size_t first() const { return winners_[1]; }
  const Event& of(std::size_t slot) const { return events_[slot]; }
  void set(std::size_t slot, const Event& event) {
    events_[slot] = event;
    for (std::size_t n = (slots_ + slot) / 2; n > 0; n /= 2) play(n);
  }

 private:
  std::uint32_t winner(std::size_t n) const {
    return n < slots_ ? winners_[n] : static_cast<std::uint32_t>(n - slots_);
  }
  void play(std::size_t n) {
    const std::uint32_t a = winner(2 * n), b = winner(2 * n + 1);
    winners_[n] = events_[b].before(events_[a]) ? b : a;
  }

  std::size_t slots_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> winners_;  ///< winner of game n; its players won games 2 n and 2 n + 1, or are slots
};

class GridWalk {
 public:
  GridWalk(const GridNest& nest, const WalkPace& pace, const WalkChip& chip, const WalkOptions& options,
           const Noise& noise);
  void run();
  void add_to(Walked& walked) const;
  double cycles() const { return real(std::max(end_, hbm_)) / real(ticks_per_cycle); }

  /// Cycles of the same CTAs on the same slots, if none of them waits for HBM.
  double own_cycles() const;

 private:
  void begin_cta(std::size_t number, std::int64_t time);
  void make_plan(Slot& slot);
  void add_walk(const NestWalk& walk, const ThinAxis& axis, std::vector<Planned>& plan) const;
  void advance(std::size_t number, std::int64_t time);
  void end_cta(std::size_t number, std::int64_t time);
  void schedule(std::size_t number, std::int64_t time, std::int64_t not_before, std::int64_t steps);
  std::int64_t access(const Planned& planned, std::size_t late, std::int64_t time, double others_missing);
  double bytes_of_step(const Slot& slot) const;
  std::int64_t deliver(const Planned& planned, double missed, double others, std::int64_t time);
  double write(const Planned& planned, std::size_t late, double missing);
  double part_missing(double distance) const {
    return std::clamp((distance / capacity_ - begins_) / (whole_ - begins_), 0.0, 1.0);
  }
  /// Steps that have ended when a CTA requests the tiles of a step: it is one step ahead, but for the first one.
  static std::int64_t requested(std::int64_t step) { return std::max<std::int64_t>(0, step - 1); }
  bool lockstep() const { return options_.rule == WalkRule::lockstep; }
  std::int64_t ticks(double bytes) const { return std::llround(bytes * ticks_per_byte_); }

  /// Parts of a bundle's bytes that a use reads, reads again and writes, and that any use writes.
  struct Parts {
    double reads = 0, rereads = 0, writes = 0, written = 0;
  };

  const GridNest& nest_;
  const WalkPace pace_;
  const WalkOptions options_;
  const double capacity_, begins_, whole_, ticks_per_byte_;
  const std::int64_t latency_, startup_;
  std::vector<double> slowdown_;  ///< of r CTAs on an SM
  std::int64_t thinned_ = 1;
  Items items_;
  std::vector<ThinAxis> axes_;
  std::vector<Parts> parts_;                                   ///< by use
  std::vector<std::array<Sums, 2>> reads_, rereads_, writes_;  ///< by use, by use, by bundle; of early and late CTAs
  DistanceHistogram distances_;
  std::vector<Slot> slots_;
  std::vector<std::int64_t> active_;  ///< CTAs on each SM
  Events events_{0};
  std::vector<std::int64_t> own_ticks_;  ///< ticks without waits of each CTA that has ended
  std::int64_t next_cta_ = 0, running_ = 0;
  std::int64_t hbm_ = 0, end_ = 0;  ///< ticks: HBM is free again; the last event
  const Noise& noise_;
  CtaWalks walks_;
  std::vector<ThinAxis> own_;      ///< axes of the CTA that begins
  std::vector<int> walks_of_own_;  ///< number of walks of each of these axes
};

/// Bytes of a bundle's parts, as a part of all.
double part_of(const Bundle& bundle, unsigned parts) {
  double bytes = 0;
  for (std::size_t n = 0; n < bundle.parts.size(); ++n) bytes += (parts >> n & 1U) != 0 ? bundle.parts[n].bytes : 0;
  return bytes / bundle.bytes();
}

std::int64_t thinned_by(const GridNest& nest, const WalkChip& chip, const WalkOptions& options) {
  if (options.thinned) return *options.thinned;
  const double held = chip.capacity / real(nest.parts()) / std::max(1.0, nest.step_bytes()) / fewest_steps_held;
  const std::int64_t most = held < 1e9 ? static_cast<std::int64_t>(held) : 1'000'000'000;
  return std::max(
      {std::int64_t{1}, std::min(ceil_div(nest.accesses(), wanted_accesses), most), nest.accesses() / most_accesses});
}

/// Slowdowns on the chip's SMs, or on slots that each stand for several.
std::vector<double> slowdowns(const GridNest& nest, const SmSlots& slots) {
  return nest.parts() * nest.stacked() == 1 ? slots.slowdown : std::vector<double>{slots.slowdown.back()};
}

GridWalk::GridWalk(const GridNest& nest, const WalkPace& pace, const WalkChip& chip, const WalkOptions& options,
                   const Noise& noise)
    : nest_(nest),
      pace_(pace),
      options_(options),
      capacity_(chip.capacity / real(nest.parts())),
      begins_(chip.begins),
      whole_(chip.whole),
      ticks_per_byte_(real(ticks_per_cycle) * real(nest.parts()) / chip.hbm_bytes_per_cycle),
      latency_(nearest_tick(chip.hbm_latency).count()),
      startup_(lockstep() ? 0 : nearest_tick(pace.startup).count()),
      slowdown_(slowdowns(nest, chip.slots)),
      thinned_(thinned_by(nest, chip, options)),
      reads_(nest.uses().size()),
      rereads_(nest.uses().size()),
      writes_(index(nest.bundles())),
      noise_(noise) {
  const std::int64_t sms = std::max<std::int64_t>(
      1, nest.parts() * nest.stacked() == 1 ? chip.slots.sm_count : chip.slots.count() / nest.parts() / nest.stacked());
  const std::int64_t slots = std::min(nest.ctas(), checked_multiply(sms, std::ssize(slowdown_)));
  active_.resize(index(std::min(sms, slots)));
  slots_.resize(index(slots));
  events_ = Events(slots_.size());
  own_ticks_.resize(index(nest.ctas()));
  for (std::size_t n = 0; n < slots_.size(); ++n) slots_[n].sm = n % active_.size();
  for (const NestUse& use : nest.uses())
    parts_.push_back({part_of(*use.bundle, use.use.move.reads), part_of(*use.bundle, use.use.rereads),
                      part_of(*use.bundle, use.use.move.writes), part_of(*use.bundle, use.written)});
}

void GridWalk::run() {
  for (const NestAxis& axis : nest_.axes()) {
    axes_.emplace_back(axis, thinned_);
    items_.add(axes_.back());
  }
  for (const Slot& slot : slots_) ++active_[slot.sm];
  for (std::size_t n = 0; n < slots_.size(); ++n) begin_cta(n, 0);
  while (!events_.none()) {
    const std::size_t slot = events_.first();
    end_ = events_.of(slot).time;
    advance(slot, end_);
  }
  for (std::size_t item = 0; item < items_.states.size(); ++item) {
    const Items::State& state = items_.states[item];
    if (state.writer >= 0)
      writes_[index(state.writer / 2)][index(state.writer % 2)].missed +=
          state.dirty * real(items_.distances.bytes(static_cast<std::int32_t>(item)));
  }
}

void GridWalk::begin_cta(std::size_t number, std::int64_t time) {
  Slot& slot = slots_[number];
  slot.cta = next_cta_++;
  ++running_;
  nest_.walks_of(slot.cta, walks_);
  slot.next = 0;
  slot.steps = walks_.steps;
  slot.late = walks_.late ? 1 : 0;
  slot.own = startup_;
  slot.plan.clear();
  make_plan(slot);
  if (!slot.plan.empty() && slot.plan[0].step == 0) {
    events_.set(number, {time, slot.cta});
  } else {
    schedule(number, time + startup_, 0, requested(slot.plan.empty() ? slot.steps + 1 : slot.plan[0].step));
  }
}

void GridWalk::make_plan(Slot& slot) {
  own_.clear();
  for (const NestAxis& axis : walks_.own) own_.emplace_back(axis, thinned_);
  walks_of_own_.assign(own_.size(), 0);
  for (const NestWalk& walk : walks_.walks)
    if (walk.own) ++walks_of_own_[index(walk.axis)];
  for (const NestWalk& walk : walks_.walks) {
    const std::size_t axis = index(walk.axis);
    if (walk.own && walks_of_own_[axis] > 1 && own_[axis].first < 0) items_.add(own_[axis]);
    add_walk(walk, walk.own ? own_[axis] : axes_[axis], slot.plan);
  }
  const auto earlier = [](const Planned& a, const Planned& b) { return a.step < b.step; };
  if (!std::is_sorted(slot.plan.begin(), slot.plan.end(), earlier))
    std::stable_sort(slot.plan.begin(), slot.plan.end(), earlier);
}

void GridWalk::add_walk(const NestWalk& walk, const ThinAxis& axis, std::vector<Planned>& plan) const {
  const std::int64_t every = axis.thinned, taken = every / 2;
  const std::int64_t rest = (walk.down ? walk.from - taken : taken - walk.from) % every;
  for (std::int64_t k = rest < 0 ? rest + every : rest; k < walk.count; k += every) {
    const std::int64_t item = (walk.down ? walk.from - k : walk.from + k) / every;
    plan.push_back({walk.first_step + k, axis.bytes_of(item), walk.use, static_cast<std::int32_t>(every),
                    axis.first < 0 ? -1 : axis.first + static_cast<std::int32_t>(item)});
  }
}

/// Makes the accesses of a step; then the CTA steps on to its next accesses, or to its end.
void GridWalk::advance(std::size_t number, std::int64_t time) {
  Slot& slot = slots_[number];
  if (slot.next == slot.plan.size()) return end_cta(number, time);
  const std::int64_t step = slot.plan[slot.next].step;
  const double others_missing = nest_.stacked() > 1 ? part_missing(bytes_of_step(slot)) : 0;
  std::int64_t arrival = 0;
  for (; slot.next < slot.plan.size() && slot.plan[slot.next].step == step; ++slot.next)
    arrival = std::max(arrival, access(slot.plan[slot.next], slot.late, time, others_missing));
  const std::int64_t then = slot.next < slot.plan.size() ? slot.plan[slot.next].step : slot.steps + 1;
  const std::int64_t ahead = requested(then) - requested(step);
  if (step > 0) return schedule(number, time, arrival, ahead);
  schedule(number, std::max(time + startup_, arrival), 0, ahead);
}

/// Bytes that a CTA accesses in its next step: after so many another one of its stack accesses the same tiles.
double GridWalk::bytes_of_step(const Slot& slot) const {
  double bytes = 0;
  for (std::size_t n = slot.next; n < slot.plan.size() && slot.plan[n].step == slot.plan[slot.next].step; ++n)
    bytes += real(slot.plan[n].bytes) / real(slot.plan[n].thinned);
  return bytes;
}

void GridWalk::end_cta(std::size_t number, std::int64_t time) {
  --running_;
  events_.set(number, {});
  own_ticks_[index(slots_[number].cta)] = slots_[number].own;
  if (lockstep()) {
    for (std::size_t n = 0; running_ == static_cast<std::int64_t>(n) && n < slots_.size(); ++n) {
      if (next_cta_ < nest_.ctas()) begin_cta(n, time);
    }
  } else if (next_cta_ < nest_.ctas()) {
    begin_cta(number, time);
  } else {
    --active_[slots_[number].sm];
  }
}

void GridWalk::schedule(std::size_t number, std::int64_t time, std::int64_t not_before, std::int64_t steps) {
  Slot& slot = slots_[number];
  double cycles = real(steps);
  if (!lockstep()) {
    const double alone = real(steps) * slowdown_[index(std::max<std::int64_t>(1, active_[slot.sm]) - 1)];
    const double noise =
        steps > 0 && options_.noise > 0 ? options_.noise * std::sqrt(alone) * noise_.of(slot.cta, slot.next) : 0;
    cycles = pace_.step * std::max(0.0, alone + noise);
  }
  const std::int64_t own = nearest_tick(cycles).count();
  slot.own += own;
  events_.set(number, {std::max(time + own, not_before), slot.cta});
}

/// Makes an access; returns the time when its tile is in shared memory. `others_missing`: what misses of the same
/// access of the other CTAs of the stack.
std::int64_t GridWalk::access(const Planned& planned, std::size_t late, std::int64_t time, double others_missing) {
  const Parts& parts = parts_[index(planned.use)];
  const NestUse& use = nest_.uses()[index(planned.use)];
  const std::int64_t distance = items_.touch(planned);
  const double bytes = real(planned.bytes), missing = distance < 0 ? 1 : part_missing(real(distance)),
               of_others = use.alone ? 0 : bytes * real(nest_.stacked() - 1) * others_missing;
  Sums& reads = reads_[index(planned.use)][late];
  reads.moved += bytes * real(nest_.stacked());
  reads.missed += bytes * missing + of_others;
  if (distance < 0) {
    reads.first += bytes;
    distances_.first += bytes * parts.reads;
  } else {
    distances_.bytes[DistanceHistogram::bin(distance)] += bytes * parts.reads;
  }
  if (use.use.rereads != 0) {
    rereads_[index(planned.use)][late].moved += bytes * real(nest_.stacked());
    rereads_[index(planned.use)][late].missed += bytes * part_missing(use.use.between);
  }
  const double written_back = write(planned, late, missing);
  if (options_.rule != WalkRule::coupled) return 0;
  const double written = use.alone ? bytes * parts.writes : written_back * parts.written;
  return deliver(planned, (bytes * missing + of_others) * parts.reads, written, time);
}

/// Counts the bytes that an access writes, and returns those that it writes back.
double GridWalk::write(const Planned& planned, std::size_t late, double missing) {
  const NestUse& use = nest_.uses()[index(planned.use)];
  if (use.written == 0) return 0;
  const double bytes = real(planned.bytes);
  Sums& writes = writes_[index(use.bundle_number)][late];
  if (planned.item < 0) {
    if (use.use.move.writes == 0) return 0;
    writes.first += bytes;
    writes.missed += bytes;
    return 0;
  }
  Items::State& item = items_.states[index(planned.item)];
  const double back = item.dirty * missing * bytes;
  writes.missed += back;
  item.dirty *= 1 - missing;
  if (use.use.move.writes == 0) return back;
  if (item.writer < 0) writes.first += bytes;
  item.dirty = 1;
  item.writer = 2 * use.bundle_number + static_cast<std::int32_t>(late);
  return back;
}

/// Lets HBM deliver what missed, after other requests; returns the time when the access has its tile. No CTA waits for
/// what is written.
std::int64_t GridWalk::deliver(const Planned& planned, double missed, double written, std::int64_t time) {
  std::int64_t of_no_item = 0;
  std::int64_t& ready = planned.item < 0 ? of_no_item : items_.states[index(planned.item)].ready;
  if (missed + written > 0) {
    const std::int64_t begin = std::max(hbm_, time), load = ticks(missed + written);
    hbm_ = begin + load;
    if (missed > 0) ready = std::max(ready, begin + load / planned.thinned + latency_);
  }
  if (missed > 0) return std::max(hbm_, ready);
  return parts_[index(planned.use)].reads > 0 ? ready : 0;
}

double GridWalk::own_cycles() const {
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> free_at;
  for (std::size_t n = 0; n < slots_.size(); ++n) free_at.push(0);
  std::int64_t end = 0;
  for (const std::int64_t own : own_ticks_) {
    const std::int64_t begin = free_at.top();
    free_at.pop();
    free_at.push(begin + own);
    end = std::max(end, begin + own);
  }
  return real(end) / real(ticks_per_cycle);
}

void GridWalk::add_to(Walked& walked) const {
  const auto add = [](L2Bytes& to, const Sums& sums, double by) {
    to.moved += sums.moved * by;
    to.first += sums.first * by;
    to.missed += sums.missed * by;
  };
  std::vector<bool> counted(writes_.size(), false);
  for (std::size_t n = 0; n < nest_.uses().size(); ++n) {
    const NestUse& use = nest_.uses()[n];
    const std::size_t bundle = index(use.bundle_number);
    for (std::size_t late = 0; late < 2; ++late) {
      const double times = late == 0 ? 1 : 1 + nest_.ctas_after(use.of_class);
      for (std::size_t part = 0; part < use.bundle->parts.size(); ++part) {
        const auto tensor = static_cast<std::size_t>(use.bundle->parts[part].tensor);
        const double by = times * use.bundle->parts[part].bytes / use.bundle->bytes();
        const auto in = [part](unsigned parts) { return (parts >> part & 1U) != 0; };
        if (in(use.use.move.reads)) add(walked.tally.read[tensor], reads_[n][late], by);
        if (in(use.use.rereads)) add(walked.tally.read[tensor], rereads_[n][late], by);
        if (in(use.use.move.writes)) walked.tally.written[tensor].moved += reads_[n][late].moved * by;
        if (in(use.written) && !counted[bundle]) add(walked.tally.written[tensor], writes_[bundle][late], by);
      }
      walked.hbm_bytes += reads_[n][late].missed * parts_[n].reads + rereads_[n][late].missed * parts_[n].rereads;
      if (!counted[bundle]) walked.hbm_bytes += writes_[bundle][late].missed * parts_[n].written;
    }
    counted[bundle] = true;
  }
  walked.distances = distances_;
  walked.thinned = thinned_;
  walked.cycles = cycles();
}

}  // namespace

Walked walk_grid(const GridNest& nest, const WalkPace& pace, const WalkChip& chip, const WalkOptions& options) {
  Walked walked;
  const Noise noise(options.seed);
  GridWalk walk(nest, pace, chip, options, noise);
  walk.run();
  walk.add_to(walked);
  const double busy = walked.hbm_bytes * real(nest.parts()) / chip.hbm_bytes_per_cycle;
  walked.own_cycles = walked.cycles;
  if (options.rule == WalkRule::coupled && busy > idle_demand * walked.cycles)
    walked.own_cycles = std::min(walked.cycles, walk.own_cycles());
  walked.demand = busy / walked.own_cycles;
  return walked;
}

double DistanceHistogram::middle(std::size_t bin) {
  return std::ldexp(8.5 + static_cast<double>(bin % 8), static_cast<int>(bin / 8));
}

std::size_t DistanceHistogram::bin(std::int64_t distance) {
  const auto bits = static_cast<std::uint64_t>(std::max<std::int64_t>(8, distance));
  const auto octave = static_cast<std::size_t>(std::bit_width(bits)) - 4;
  return std::min(bins - 1, 8 * octave + static_cast<std::size_t>(bits >> octave) - 8);
}

}  // namespace sim
