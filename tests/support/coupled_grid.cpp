#include "tests/support/coupled_grid.h"

#include <algorithm>
#include <queue>
#include <random>

namespace coupled_grid {
namespace {

/// Sums over prefixes of a changing sequence (Fenwick 1994).
class PrefixSums {
 public:
  explicit PrefixSums(std::size_t size) : sums_(size + 1, 0) {}
  void add(std::size_t at, double value) {
    for (++at; at < sums_.size(); at += at & (0 - at)) sums_[at] += value;
  }
  double before(std::size_t past) const {
    double sum = 0;
    for (; past > 0; past -= past & (0 - past)) sum += sums_[past];
    return sum;
  }

 private:
  std::vector<double> sums_;
};

/// Reuse distances: the accesses in order, each with its item's bytes as long as it is the item's last one.
class Distances {
 public:
  explicit Distances(const std::vector<double>& bytes)
      : bytes_(bytes),
        last_(bytes.size(), none),
        moments_(std::max<std::size_t>(1 << 20, 4 * bytes.size())),
        sums_(moments_) {}

  /// Returns the distance to the last access; below 0 at the first.
  double access(std::size_t item) {
    if (now_ == moments_) forget_times();
    double distance = -1;
    if (last_[item] != none) {
      distance = held_ - sums_.before(last_[item] + 1) + bytes_[item];
      sums_.add(last_[item], -bytes_[item]);
      held_ -= bytes_[item];
    }
    last_[item] = now_;
    sums_.add(now_++, bytes_[item]);
    held_ += bytes_[item];
    return distance;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  /// Numbers the last accesses again, in their order.
  void forget_times() {
    std::vector<std::size_t> items;
    for (std::size_t item = 0; item < last_.size(); ++item) {
      if (last_[item] != none) items.push_back(item);
    }
    std::sort(items.begin(), items.end(), [&](std::size_t a, std::size_t b) { return last_[a] < last_[b]; });
    sums_ = PrefixSums(moments_);
    now_ = 0;
    for (const std::size_t item : items) {
      last_[item] = now_;
      sums_.add(now_++, bytes_[item]);
    }
  }

  const std::vector<double>& bytes_;
  std::vector<std::size_t> last_;
  std::size_t moments_, now_ = 0;
  PrefixSums sums_;
  double held_ = 0;
};

/// Bytes that one access moves between HBM and L2.
struct Cost {
  double missed = 0, written_back = 0;
};

/// The L2 and its traffic.
class Cache {
 public:
  Cache(const Grid& grid, const Chip& chip) : chip_(chip), bytes_(bytes_of(grid, first_)), distances_(bytes_) {
    dirty_.assign(bytes_.size(), 0);
    ready.assign(bytes_.size(), 0);
  }

  std::size_t item_of(const Grid& grid, const Cta& cta, const Access& access) const {
    const Axis& axis = grid.axes[static_cast<std::size_t>(access.axis)];
    const auto head = static_cast<std::size_t>(axis.per_kv_head ? cta.kv_head : cta.head);
    return first_[static_cast<std::size_t>(access.axis)] + head * axis.item_bytes.size() +
           static_cast<std::size_t>(access.item);
  }

  Cost access(std::size_t item, const Access& access) {
    const double distance = distances_.access(item), part = distance < 0 ? 1 : missing(distance);
    const double bytes = bytes_[item];
    Cost cost{access.reads ? part * bytes : 0, distance < 0 ? 0 : dirty_[item] * part * bytes};
    dirty_[item] = access.writes ? 1 : dirty_[item] * (1 - part);
    ++outcome.accesses;
    outcome.tile += bytes * (access.reads + access.writes);
    outcome.read += cost.missed;
    outcome.written += cost.written_back;
    return cost;
  }
  double bytes_of_item(std::size_t item) const { return bytes_[item]; }

  double dirty_bytes() const {
    double sum = 0;
    for (std::size_t item = 0; item < bytes_.size(); ++item) sum += dirty_[item] * bytes_[item];
    return sum;
  }

  std::vector<double> ready;  ///< time at which HBM has delivered an item
  Outcome outcome;

 private:
  static std::vector<double> bytes_of(const Grid& grid, std::vector<std::size_t>& first) {
    std::int32_t heads = 0, kv_heads = 0;
    for (const Cta& cta : grid.ctas) {
      heads = std::max(heads, cta.head + 1);
      kv_heads = std::max(kv_heads, cta.kv_head + 1);
    }
    std::vector<double> bytes;
    for (const Axis& axis : grid.axes) {
      first.push_back(bytes.size());
      for (std::int32_t head = 0; head < (axis.per_kv_head ? kv_heads : heads); ++head)
        bytes.insert(bytes.end(), axis.item_bytes.begin(), axis.item_bytes.end());
    }
    return bytes;
  }

  double missing(double distance) const {
    if (chip_.whole <= chip_.begins) return distance > chip_.capacity * chip_.begins ? 1 : 0;
    return std::clamp((distance / chip_.capacity - chip_.begins) / (chip_.whole - chip_.begins), 0.0, 1.0);
  }

  const Chip& chip_;
  std::vector<std::size_t> first_;  ///< item of each axis
  std::vector<double> bytes_;
  Distances distances_;
  std::vector<double> dirty_;
};

/// A server that takes requests in order.
struct Queue {
  double free_at = 0;
  double take(double now, double time) { return free_at = std::max(free_at, now) + time; }
};

class Machine {
 public:
  Machine(const Grid& grid, const Chip& chip, const Rules& rules)
      : grid_(grid),
        chip_(chip),
        rules_(rules),
        cache_(grid, chip),
        running_(grid.ctas.size()),
        compute_(static_cast<std::size_t>(chip.sms)),
        port_(static_cast<std::size_t>(chip.sms)),
        random_(rules.seed) {}

  Outcome run() {
    const std::size_t slots = static_cast<std::size_t>(chip_.sms) * static_cast<std::size_t>(chip_.ctas_per_sm);
    if (rules_.pace == Pace::lockstep) {
      run_in_waves(slots);
    } else {
      run_in_time(slots);
    }
    cache_.outcome.written += cache_.dirty_bytes();
    return cache_.outcome;
  }

 private:
  enum class Kind : std::uint8_t { request, arrived, ended };
  struct Event {
    double time;
    std::int64_t number;
    std::size_t cta;
    Kind kind;
    bool operator<(const Event& other) const {  // the first of a priority queue is the largest
      return time > other.time || (time == other.time && number > other.number);
    }
  };
  struct Running {
    std::size_t step = 0, sm = 0;
    double computed = 0;  ///< time at which the last step that began ends
  };

  const Script& script(std::size_t cta) const {
    return grid_.scripts[static_cast<std::size_t>(grid_.ctas[cta].script)];
  }

  template <class Visit>
  void each_access(std::size_t cta, std::size_t step, Visit visit) {
    const Script& of = script(cta);
    for (std::size_t n = step == 0 ? 0 : of.ends[step - 1]; n < of.ends[step]; ++n)
      visit(of.accesses[n], cache_.item_of(grid_, grid_.ctas[cta], of.accesses[n]));
  }

  void run_in_waves(std::size_t slots) {
    for (std::size_t first = 0; first < grid_.ctas.size(); first += slots) {
      const std::size_t past = std::min(grid_.ctas.size(), first + slots);
      bool running = true;
      for (std::size_t step = 0; running; ++step) {
        running = false;
        for (std::size_t cta = first; cta < past; ++cta) {
          if (step >= script(cta).ends.size()) continue;
          running = true;
          each_access(cta, step, [&](const Access& access, std::size_t item) { cache_.access(item, access); });
        }
      }
    }
  }

  void run_in_time(std::size_t slots) {
    for (; next_ < std::min(slots, grid_.ctas.size()); ++next_) {
      running_[next_].sm = next_ % static_cast<std::size_t>(chip_.sms);
      add(0, next_, Kind::request);
    }
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      cache_.outcome.cycles = std::max(cache_.outcome.cycles, event.time);
      if (event.kind == Kind::request) request(event);
      if (event.kind == Kind::arrived) compute(event);
      if (event.kind == Kind::ended && next_ < grid_.ctas.size()) {
        running_[next_].sm = running_[event.cta].sm;
        add(event.time, next_++, Kind::request);
      }
    }
    if (rules_.pace == Pace::free) return;
    Outcome& outcome = cache_.outcome;
    const double kept_too_long = std::max(0.0, cache_.dirty_bytes() - chip_.capacity);
    outcome.cycles = std::max({outcome.cycles, hbm_.free_at, (outcome.hbm_bytes() + kept_too_long) / chip_.hbm});
  }

  void add(double time, std::size_t cta, Kind kind) { events_.push({time, number_++, cta, kind}); }

  /// Requests the tiles of a CTA's next step.
  void request(const Event& event) {
    const bool limited = rules_.pace == Pace::coupled;
    double bytes = 0, written_back = 0, delivered = event.time;
    each_access(event.cta, running_[event.cta].step, [&](const Access& access, std::size_t item) {
      const Cost cost = cache_.access(item, access);
      bytes += cache_.bytes_of_item(item) * (access.reads + access.writes);
      written_back += cost.written_back;
      if (!access.reads || !limited) return;
      double& ready = cache_.ready[item];
      if (cost.missed > 0)
        ready = std::max(ready, hbm_.take(event.time, cost.missed / chip_.hbm) + chip_.hbm_latency - chip_.l2_latency);
      delivered = std::max(delivered, ready);
    });
    if (written_back > 0 && limited) hbm_.take(event.time, written_back / chip_.hbm);
    const Running& running = running_[event.cta];
    const double from_l2 = l2_.take(event.time, bytes / (chip_.l2_per_sm * chip_.sms));
    const double through_port = port_[running.sm].take(event.time, bytes / chip_.port);
    const double arrival = std::max({from_l2, through_port, delivered}) + chip_.l2_latency;
    add(std::max(arrival, running.computed), event.cta, Kind::arrived);
  }

  /// Computes a step, and requests the next one when it begins.
  void compute(const Event& event) {
    Running& running = running_[event.cta];
    Queue& units = compute_[running.sm];
    const double begin = std::max(event.time, units.free_at);
    running.computed = units.take(event.time, chip_.step_cycles * noise());
    const bool more = ++running.step < script(event.cta).ends.size();
    add(more ? begin : running.computed, event.cta, more ? Kind::request : Kind::ended);
  }

  /// Returns 1 + noise x a number that is normal but for its tails (Irwin-Hall), so that no library decides it.
  double noise() {
    if (rules_.noise == 0) return 1;
    double sum = -6;
    for (int n = 0; n < 12; ++n) sum += static_cast<double>(random_() >> 11) * 0x1p-53;
    return std::max(0.2, 1 + rules_.noise * sum);
  }

  const Grid& grid_;
  const Chip& chip_;
  const Rules& rules_;
  Cache cache_;
  std::vector<Running> running_;
  std::vector<Queue> compute_, port_;
  Queue l2_, hbm_;
  std::priority_queue<Event> events_;
  std::int64_t number_ = 0;
  std::size_t next_ = 0;
  std::mt19937_64 random_;
};

}  // namespace

Outcome run(const Grid& grid, const Chip& chip, const Rules& rules) { return Machine(grid, chip, rules).run(); }

}  // namespace coupled_grid
