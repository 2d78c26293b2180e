// Times are whole ticks and bytes whole numbers, so processors whose libraries and compilers round differently agree on
// the order of events.
#include "sim/model/grid_walk.h"

#include <Random123/philox.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <queue>

#include "sim/base/box_muller.h"
#include "sim/model/reuse_distance.h"

namespace sim {
namespace {

constexpr std::int64_t wanted_accesses = 50'000, most_accesses = 130'000;
constexpr std::int64_t fewest_items = 12;  ///< that a thinned axis keeps
constexpr double fewest_steps_held = 24;   ///< thinned steps of a CTA for which the L2 has space

double real(std::int64_t n) { return static_cast<double>(n); }
std::size_t index(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Normal numbers, a batch at a time.
class Noise {
 public:
  explicit Noise(std::uint32_t seed) : seed_(seed) {}
  double next() {
    if (at_ == 2 * NormalPairs::count) draw();
    const std::size_t n = at_++;
    return n < NormalPairs::count ? pairs_.cosines[n] : pairs_.sines[n - NormalPairs::count];
  }

 private:
  void draw() {
    for (std::size_t n = 0; n < NormalPairs::count; n += 2) {
      const auto words = r123::Philox4x32()({{drawn_++, 0, 0, 2}}, {{seed_, 0}});
      for (std::size_t half = 0; half < 2; ++half) {
        pairs_.radius_words[n + half] = words[2 * half];
        pairs_.angle_words[n + half] = words[2 * half + 1];
      }
    }
    pairs_.make();
    at_ = 0;
  }
  std::uint32_t seed_, drawn_ = 0;
  std::size_t at_ = 2 * NormalPairs::count;
  NormalPairs pairs_;
};

/// Bytes moved, those of them that moved for the first time, and those that reached HBM.
struct Sums {
  double moved = 0, first = 0, missed = 0;
};

/// An axis of which one item in `thinned` is accessed.
struct ThinAxis {
  std::int32_t first = -1;  ///< number of its first item; -1: it has none yet
  std::int64_t thinned = 1;
};

/// State of the items: the LRU order, what is dirty, and when HBM delivers.
struct Items {
  ReuseDistance distances;
  std::vector<double> dirty;             ///< part of an item that was written since it was last loaded
  std::vector<std::int64_t> ready;       ///< tick at which the last miss arrives
  std::vector<std::int32_t> writer;      ///< bundle that was last written, 2 n + late; -1: never written
  std::vector<std::int32_t> stands_for;  ///< number of items of its axis

  ThinAxis add(const NestAxis& axis, std::int64_t thinned) {
    // Odd, because CTAs that begin an even number of blocks apart would all reach the accessed items at once.
    thinned = std::max<std::int64_t>(1, (std::min(thinned, axis.items / fewest_items) - 1) | 1);
    const std::int64_t kept = (axis.items - thinned / 2 + thinned - 1) / thinned;
    const auto whole = [](double bytes) { return std::max<std::int64_t>(1, std::llround(bytes)); };
    const std::int64_t of_size = thinned == 1 ? axis.items - axis.short_items : kept;
    const double each = thinned == 1 ? axis.item_bytes : axis.bytes() / real(kept);
    const ThinAxis thin{distances.add(of_size, whole(each)), thinned};
    if (thinned == 1) distances.add(axis.short_items, whole(axis.short_bytes));
    dirty.resize(distances.items(), 0);
    ready.resize(distances.items(), 0);
    writer.resize(distances.items(), -1);
    stands_for.resize(distances.items(), static_cast<std::int32_t>(thinned));
    return thin;
  }
};

/// An access that a CTA makes at the begin of a step.
struct Planned {
  std::int64_t step = 0;
  std::int32_t item = 0, use = 0;
};

/// A slot of an SM, and the CTA in it.
struct Slot {
  std::size_t sm = 0;
  std::int64_t cta = 0;
  std::vector<Planned> plan;  ///< in the order of steps
  std::size_t next = 0;       ///< in the plan
  std::int64_t steps = 0;
  std::size_t late = 0;  ///< 1: its CTA represents others as well
};

struct Event {
  std::int64_t time = 0, cta = 0;
  std::size_t slot = 0;
  friend bool operator>(const Event& a, const Event& b) { return a.time != b.time ? a.time > b.time : a.cta > b.cta; }
};

class GridWalk {
 public:
  GridWalk(const GridNest& nest, const WalkPace& pace, const WalkChip& chip, const WalkOptions& options);
  void run();
  void add_to(Walked& walked) const;
  double cycles() const { return real(std::max(end_, hbm_)) / real(ticks_per_cycle); }

  /// Walks the CTAs without accesses: their own pace.
  void leave_accesses_out() { accesses_ = false; }

 private:
  void begin_cta(std::size_t number, std::int64_t time);
  void make_plan(Slot& slot);
  void add_walk(const NestWalk& walk, const ThinAxis& axis, std::vector<Planned>& plan) const;
  void advance(const Event& event);
  void end_cta(std::size_t number, std::int64_t time);
  void schedule(std::size_t number, std::int64_t time, std::int64_t not_before, std::int64_t steps);
  std::int64_t access(const Planned& planned, std::size_t late, std::int64_t time);
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
  bool accesses_ = true;
  Items items_;
  std::vector<ThinAxis> axes_;
  std::vector<Parts> parts_;                                   ///< by use
  std::vector<std::array<Sums, 2>> reads_, rereads_, writes_;  ///< by use, by use, by bundle; of early and late CTAs
  DistanceHistogram distances_;
  std::vector<Slot> slots_;
  std::vector<std::int64_t> active_;  ///< CTAs on each SM
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t next_cta_ = 0, running_ = 0;
  std::int64_t hbm_ = 0, end_ = 0;  ///< ticks: HBM is free again; the last event
  Noise noise_;
  CtaWalks walks_;
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

GridWalk::GridWalk(const GridNest& nest, const WalkPace& pace, const WalkChip& chip, const WalkOptions& options)
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
      noise_(options.seed) {
  const std::int64_t sms = std::max<std::int64_t>(
      1, nest.parts() * nest.stacked() == 1 ? chip.slots.sm_count : chip.slots.count() / nest.parts() / nest.stacked());
  const std::int64_t slots = std::min(nest.ctas(), checked_multiply(sms, std::ssize(slowdown_)));
  active_.resize(index(std::min(sms, slots)));
  slots_.resize(index(slots));
  for (std::size_t n = 0; n < slots_.size(); ++n) slots_[n].sm = n % active_.size();
  for (const NestUse& use : nest.uses())
    parts_.push_back({part_of(*use.bundle, use.use.move.reads), part_of(*use.bundle, use.use.rereads),
                      part_of(*use.bundle, use.use.move.writes), part_of(*use.bundle, use.written)});
}

void GridWalk::run() {
  if (accesses_) {
    for (const NestAxis& axis : nest_.axes()) axes_.push_back(items_.add(axis, thinned_));
  }
  for (const Slot& slot : slots_) ++active_[slot.sm];
  for (std::size_t n = 0; n < slots_.size(); ++n) begin_cta(n, 0);
  while (!events_.empty()) {
    const Event event = events_.top();
    events_.pop();
    end_ = event.time;
    advance(event);
  }
  for (std::size_t item = 0; item < items_.dirty.size(); ++item) {
    const std::int32_t writer = items_.writer[item];
    if (writer >= 0)
      writes_[index(writer / 2)][index(writer % 2)].missed +=
          items_.dirty[item] * real(items_.distances.bytes(static_cast<std::int32_t>(item)));
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
  slot.plan.clear();
  if (accesses_) make_plan(slot);
  if (!slot.plan.empty() && slot.plan[0].step == 0) {
    events_.push({time, slot.cta, number});
  } else {
    schedule(number, time + startup_, 0, requested(slot.plan.empty() ? slot.steps + 1 : slot.plan[0].step));
  }
}

void GridWalk::make_plan(Slot& slot) {
  std::vector<ThinAxis> own(walks_.own.size());
  for (const NestWalk& walk : walks_.walks) {
    const std::size_t axis = index(walk.axis);
    if (walk.own && own[axis].first < 0) own[axis] = items_.add(walks_.own[axis], thinned_);
    add_walk(walk, walk.own ? own[axis] : axes_[axis], slot.plan);
  }
  const auto earlier = [](const Planned& a, const Planned& b) { return a.step < b.step; };
  if (!std::is_sorted(slot.plan.begin(), slot.plan.end(), earlier))
    std::stable_sort(slot.plan.begin(), slot.plan.end(), earlier);
}

void GridWalk::add_walk(const NestWalk& walk, const ThinAxis& axis, std::vector<Planned>& plan) const {
  const std::int64_t every = axis.thinned, taken = every / 2;
  const std::int64_t rest = (walk.down ? walk.from - taken : taken - walk.from) % every;
  for (std::int64_t k = rest < 0 ? rest + every : rest; k < walk.count; k += every) {
    const std::int64_t item = walk.down ? walk.from - k : walk.from + k;
    plan.push_back({walk.first_step + k, axis.first + static_cast<std::int32_t>(item / every), walk.use});
  }
}

/// Makes the accesses of a step; then the CTA steps on to its next accesses, or to its end.
void GridWalk::advance(const Event& event) {
  Slot& slot = slots_[event.slot];
  if (slot.next == slot.plan.size()) return end_cta(event.slot, event.time);
  const std::int64_t step = slot.plan[slot.next].step;
  std::int64_t arrival = 0;
  for (; slot.next < slot.plan.size() && slot.plan[slot.next].step == step; ++slot.next)
    arrival = std::max(arrival, access(slot.plan[slot.next], slot.late, event.time));
  const std::int64_t then = slot.next < slot.plan.size() ? slot.plan[slot.next].step : slot.steps + 1;
  const std::int64_t ahead = requested(then) - requested(step);
  if (step > 0) return schedule(event.slot, event.time, arrival, ahead);
  schedule(event.slot, std::max(event.time + startup_, arrival), 0, ahead);
}

void GridWalk::end_cta(std::size_t number, std::int64_t time) {
  --running_;
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
  const Slot& slot = slots_[number];
  double cycles = real(steps);
  if (!lockstep()) {
    const double alone = real(steps) * slowdown_[index(std::max<std::int64_t>(1, active_[slot.sm]) - 1)];
    const double noise = steps > 0 && options_.noise > 0 ? options_.noise * std::sqrt(alone) * noise_.next() : 0;
    cycles = pace_.step * std::max(0.0, alone + noise);
  }
  events_.push({std::max(time + nearest_tick(cycles).count(), not_before), slot.cta, number});
}

/// Makes an access; returns the time when its tile is in shared memory.
std::int64_t GridWalk::access(const Planned& planned, std::size_t late, std::int64_t time) {
  const Parts& parts = parts_[index(planned.use)];
  const NestUse& use = nest_.uses()[index(planned.use)];
  const std::int64_t distance = items_.distances.touch(planned.item);
  const double bytes = real(items_.distances.bytes(planned.item)),
               missing = distance < 0 ? 1 : part_missing(real(distance));
  Sums& reads = reads_[index(planned.use)][late];
  reads.moved += bytes * real(nest_.stacked());
  reads.missed += bytes * missing;
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
  return deliver(planned, bytes * missing * parts.reads, written, time);
}

/// Counts the bytes that an access writes, and returns those that it writes back.
double GridWalk::write(const Planned& planned, std::size_t late, double missing) {
  const NestUse& use = nest_.uses()[index(planned.use)];
  if (use.written == 0) return 0;
  const auto item = index(planned.item);
  const double bytes = real(items_.distances.bytes(planned.item)), back = items_.dirty[item] * missing * bytes;
  Sums& writes = writes_[index(use.bundle_number)][late];
  writes.missed += back;
  items_.dirty[item] *= 1 - missing;
  if (use.use.move.writes == 0) return back;
  if (items_.writer[item] < 0) writes.first += bytes;
  items_.dirty[item] = 1;
  items_.writer[item] = 2 * use.bundle_number + static_cast<std::int32_t>(late);
  return back;
}

/// Lets HBM deliver what missed, after other requests; returns the time when the access has its tile. No CTA waits for
/// what is written.
std::int64_t GridWalk::deliver(const Planned& planned, double missed, double written, std::int64_t time) {
  std::int64_t& ready = items_.ready[index(planned.item)];
  if (missed + written > 0) {
    const std::int64_t begin = std::max(hbm_, time), load = ticks(missed + written);
    hbm_ = begin + load;
    if (missed > 0) ready = std::max(ready, begin + load / items_.stands_for[index(planned.item)] + latency_);
  }
  if (missed > 0) return std::max(hbm_, ready);
  return parts_[index(planned.use)].reads > 0 ? ready : 0;
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
  GridWalk walk(nest, pace, chip, options);
  walk.run();
  walk.add_to(walked);
  WalkOptions free = options;
  if (free.rule == WalkRule::coupled) free.rule = WalkRule::free;
  GridWalk alone(nest, pace, chip, free);
  alone.leave_accesses_out();
  alone.run();
  walked.own_cycles = alone.cycles();
  walked.demand = walked.hbm_bytes * real(nest.parts()) / (chip.hbm_bytes_per_cycle * walked.own_cycles);
  return walked;
}

std::size_t DistanceHistogram::bin(std::int64_t distance) {
  const auto bits = static_cast<std::uint64_t>(std::max<std::int64_t>(8, distance));
  const auto octave = static_cast<std::size_t>(std::bit_width(bits)) - 4;
  return std::min(bins - 1, 8 * octave + static_cast<std::size_t>(bits >> octave) - 8);
}

}  // namespace sim
