// Values of tile traffic and HBM traffic.
#include <optional>

#include "sim/catalogue/run_values.h"
#include "sim/machine/device_fields.h"
#include "sim/model/closed_form.h"
#include "sim/model/hbm_traffic.h"

namespace sim {
namespace {

using Filter = std::function<bool(const TrafficTerm&)>;

std::vector<Sentence> traffic_formula(const Simulation& s, const Filter& filter) {
  std::vector<Sentence> lines;
  std::vector<TrafficTerm> terms = closed_form_traffic(s.plan);
  std::erase_if(terms, [&](const TrafficTerm& term) { return !filter(term); });
  for (const TrafficTerm& term : terms) {
    lines.emplace_back(
        term.direction == Direction::read ? /*say*/ "{} {} read: {} = {}" : /*say*/ "{} {} write: {} = {}", term.kernel,
        name_of(term.tensor), equation_of(term), term.bytes.count());
  }
  explain_symbols(lines, terms);
  if (!has_closed_forms(s.plan)) lines.push_back(no_closed_form);
  return lines;
}

std::int64_t along(const Traffic& traffic, Direction direction) {
  return (direction == Direction::read ? traffic.read : traffic.written).count();
}

/// Adds read and written bytes; explain(direction) gives their derivation, and is kept.
template <class Explain>
void add_both(RunValues& values, const std::string& path, const Traffic& traffic, const Explain& explain) {
  constexpr std::pair<const char*, Direction> both[] = {{".read_bytes", Direction::read},
                                                        {".write_bytes", Direction::write}};
  for (const auto& [leaf, direction] : both) {
    values.number(path + leaf, along(traffic, direction),
                  [explain, direction = direction] { return explain(direction); });
  }
}

/// Selects traffic by tensor and bucket.
using Match = std::function<bool(Tensor, Bucket)>;

Explanation explain_traffic(const Simulation& s, Direction direction, const Match& match) {
  return {
      traffic_formula(s, [&](const TrafficTerm& t) { return t.direction == direction && match(t.tensor, t.bucket); }),
      event_terms(s, [&](const Event& e) {
        return e.moves(direction) && match(e.tensor, e.bucket) ? e.bytes : std::int64_t{0};
      })};
}

void add_part(const Simulation& s, RunValues& values, const std::string& path, const Traffic& traffic,
              const Match& match) {
  add_both(values, path, traffic, [&s, match](Direction way) { return explain_traffic(s, way, match); });
}

void add_line(const Simulation& s, RunValues& values, std::size_t number) {
  const LineTraffic& line = s.lines[number];
  const std::string path = text("tile_traffic.by_line.", number), place = text(line.kernel, ":", line.line);
  values.text(path + ".kernel", line.kernel);
  values.number(path + ".line", static_cast<std::int64_t>(line.line), [&line] {
    return Explanation{{{/*say*/ "the line of the listing of {}: {}", line.kernel, line.code}}};
  });
  values.text(path + ".text", line.text);
  add_both(values, path, line.traffic, [&s, place](Direction way) {
    Explanation e{{}, explain_traffic(s, way, [](Tensor, Bucket) { return true; }).terms};
    std::erase_if(e.terms, [&](const DerivationTerm& t) { return t.where != place; });
    return e;
  });
}

Explanation explain_atomics(const Simulation& s) {
  const char* rule =
      s.totals.atomic.count() == 0 ? /*say*/ "no kernel has atomics" : /*say*/
          "bytes added to HBM by reductions; the papers count them as read and as written, on hardware nothing "
          "returns to the SM";
  return {{rule}, event_terms(s, [](const Event& e) { return e.verb == Verb::atomic_add ? e.bytes : 0; })};
}

/// Explains compulsory traffic, or its part that one direction has.
Explanation explain_compulsory(const Simulation& s, std::optional<Direction> only) {
  std::vector<DerivationTerm> parts;
  for (const KernelMeters& kernel : s.kernels) {
    const auto add = [&](Direction direction, const char* words) {
      if (only && *only != direction) return;
      for (const auto& [name, least] : kernel.compulsory_by_tensor) {
        if (along(least, direction) > 0)
          parts.push_back({kernel.name, {words, name_of(name)}, along(least, direction), 1});
      }
    };
    add(Direction::read, /*say*/ "{} read once");
    add(Direction::write, /*say*/ "{} written once");
  }
  return {{/*say*/ "per kernel: what queries see of every input read once, every output written once"}, parts};
}

/// Says between which bounds HBM traffic is, and what would decide.
Sentence doubt_of(const RunRange& range) {
  return {/*say*/
          "how far CTAs drift apart is not known: {} to {} bytes, {} if they kept in step; the counters {} of the "
          "kernels on a GPU decide",
          range.low.count(), range.high.count(), range.in_step.count(), "dram__bytes_read.sum, dram__bytes_write.sum"};
}

/// Explains the HBM traffic of one tensor, or of all.
Explanation explain_hbm(const Simulation& s, Direction direction, Tensor only) {
  std::vector<DerivationTerm> parts;
  for (const KernelMeters& kernel : s.kernels) {
    for (const auto& [name, traffic] : kernel.hbm) {
      if (along(traffic, direction) == 0 || (only != Tensor::none && name != only)) continue;
      parts.push_back({kernel.name, std::string(name_of(name)), along(traffic, direction), 1});
    }
  }
  Explanation e{{{/*say*/ "per kernel and tensor: each byte once, and again when more than {} MiB of L2 were touched "
                          "since; a write when its bytes leave L2",
                  static_cast<double>(s.plan.l2) / (1 << 20)}},
                parts};
  if (s.range) e.formula.push_back(doubt_of(*s.range));
  return e;
}

Explanation explain_end(const RunRange& range) {
  return {{{/*say*/ "HBM traffic as noise of CTAs, and whether they keep in step, move it"}, doubt_of(range)}};
}

/// The histogram of reuse distances: bytes read again, summed over kernels, by the part of the L2 accessed in between.
Explanation explain_again(const Simulation& s) {
  Explanation e{
      {{/*say*/ "bytes that were read before in the kernel, by the bytes accessed since, of {} MiB that the L2 "
                "holds: up to 0.8 of it they hit, from 1.22 on they miss, in between in part",
        static_cast<double>(s.plan.l2) / (1 << 20)}},
      {}};
  for (std::size_t n = 0; n < Reuse::ends.size(); ++n) {
    Bytes bytes;
    for (const KernelMeters& kernel : s.kernels) bytes += kernel.reuse.bytes[n];
    const bool last = n + 1 == Reuse::ends.size();
    if (last) {
      e.terms.push_back({"L2", {/*say*/ "more than {} of the L2", Reuse::ends[n - 1]}, bytes.count(), 1});
    } else {
      e.terms.push_back({"L2", {/*say*/ "up to {} of the L2", Reuse::ends[n]}, bytes.count(), 1});
    }
  }
  return e;
}

void add_hbm_part(const Simulation& s, RunValues& values, const std::string& path, const Traffic& traffic,
                  Tensor only) {
  add_both(values, path, traffic, [&s, only](Direction way) { return explain_hbm(s, way, only); });
}

}  // namespace

void add_tile_traffic(const Simulation& s, RunValues& values) {
  const std::string path = "tile_traffic.";
  for (const Bucket bucket : {Bucket::matrix, Bucket::statistics, Bucket::initialisation}) {
    add_part(s, values, path + std::string(name_of(bucket)), s.totals.bucket(bucket),
             [bucket](Tensor, Bucket b) { return b == bucket; });
  }
  add_part(s, values, path + "total", s.totals.total, [](Tensor, Bucket) { return true; });
  for (const auto& [name, traffic] : s.totals.by_tensor) {
    add_part(s, values, text(path, "by_tensor.", name_of(name)), traffic,
             [name = name](Tensor t, Bucket) { return t == name; });
  }
  for (std::size_t n = 0; n < s.lines.size(); ++n) add_line(s, values, n);
  values.number(path + "atomic_bytes", s.totals.atomic.count(), [&s] { return explain_atomics(s); });
}

void add_hbm_traffic(const Simulation& s, RunValues& values) {
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  if (!counts_hbm_traffic(gpu)) values.text("hbm_traffic.missing", unmodelled_caches(gpu));
  add_hbm_part(s, values, "hbm_traffic", s.hbm, Tensor::none);
  for (const auto& [name, left] : s.hbm_by_tensor) {
    const std::string path = text("hbm_traffic.by_tensor.", name_of(name));
    add_hbm_part(s, values, path, left, name);
    const Traffic tile = s.totals.tensor(name);
    values.number(path + ".l2_hit_rate", l2_hit_rate(tile, left), [tile, left = left] {
      return Explanation{
          {{/*say*/ "1 - HBM bytes read / tile bytes read = 1 - {} / {}", left.read.count(), tile.read.count()}}};
    });
  }
  if (counts_hbm_traffic(gpu) && s.plan.l2 > 0) {
    Bytes again;
    for (const KernelMeters& kernel : s.kernels) again += kernel.reuse.total();
    values.number("hbm_traffic.again_bytes", again.count(), [&s] { return explain_again(s); });
  }
  if (s.range) {
    const auto why = [&s] { return explain_end(*s.range); };
    values.number("hbm_traffic.low", s.range->low.count(), why);
    values.number("hbm_traffic.high", s.range->high.count(), why);
    values.number("hbm_traffic.in_step", s.range->in_step.count(), why);
  }
  const auto add_compulsory = [&](const char* path, Bytes least, std::optional<Direction> only) {
    values.number(path, least.count(), [&s, only] { return explain_compulsory(s, only); });
  };
  add_compulsory("hbm_traffic.compulsory_bytes", s.compulsory.total(), {});
  add_compulsory("hbm_traffic.compulsory_read_bytes", s.compulsory.read, Direction::read);
  add_compulsory("hbm_traffic.compulsory_write_bytes", s.compulsory.written, Direction::write);
}

}  // namespace sim
