// Derivations of tile traffic and HBM traffic.
#include "sim/model/closed_form.h"
#include "sim/model/derivation_index.h"
#include "sim/model/hbm_traffic.h"

namespace sim {
namespace {

using Filter = std::function<bool(const TrafficTerm&)>;

std::vector<std::string> traffic_formula(const Simulation& s, const Filter& filter) {
  std::vector<std::string> lines;
  std::vector<TrafficTerm> terms = closed_form_traffic(s.plan);
  std::erase_if(terms, [&](const TrafficTerm& term) { return !filter(term); });
  for (const TrafficTerm& term : terms) {
    lines.push_back(text(term.kernel, " ", name_of(term.tensor),
                         term.direction == Direction::read ? " read: " : " write: ",
                         with_values(term.equation, term.values), " = ", term.bytes.count()));
  }
  explain_symbols(lines, terms);
  return lines;
}

Direction direction_of(const std::string& leaf) { return leaf == "read_bytes" ? Direction::read : Direction::write; }

/// Does an event move bytes in this direction? A reduction moves them in both.
bool moves(const Event& event, Direction direction) {
  return event.direction == direction || event.direction == Direction::both;
}

std::int64_t along(const Traffic& traffic, const std::string& leaf) {
  return (direction_of(leaf) == Direction::read ? traffic.read : traffic.written).count();
}

Derivation of_traffic(const Simulation& s, std::int64_t value, Direction direction,
                      const std::function<bool(Tensor, Bucket)>& match) {
  return of_bytes(
      value,
      traffic_formula(s, [&](const TrafficTerm& t) { return t.direction == direction && match(t.tensor, t.bucket); }),
      event_terms(s, [&](const Event& e) {
        return moves(e, direction) && match(e.tensor, e.bucket) ? e.bytes : std::int64_t{0};
      }));
}

Derivation derive_compulsory_bytes(const Simulation& s) {
  std::vector<DerivationTerm> parts;
  for (const Launch& launch : s.plan.launches) {
    const auto add = [&](const std::vector<Tensor>& names, const char* how) {
      for (const Tensor name : names) {
        const Bytes all = s.plan.problem.hbm[name].total_bytes(s.plan.problem.shape);
        parts.push_back({launch.name, text(name_of(name), how), all.count(), 1});
      }
    };
    add(launch.inputs, " read once");
    add(launch.outputs, " written once");
  }
  return of_bytes(s.compulsory.total().count(), {"per kernel: every input read once, every output written once"},
                  parts);
}

}  // namespace

void add_tile_traffic(const Simulation& s, DerivationIndex& index) {
  for (const std::string leaf : {"read_bytes", "write_bytes"}) {
    const Direction direction = direction_of(leaf);
    for (const Bucket bucket : {Bucket::matrix, Bucket::statistics, Bucket::initialisation}) {
      index.emplace_back(text("tile_traffic.", name_of(bucket), ".", leaf), [&s, leaf, direction, bucket] {
        return of_traffic(s, along(s.totals.bucket(bucket), leaf), direction,
                          [=](Tensor, Bucket b) { return b == bucket; });
      });
    }
    index.emplace_back("tile_traffic.total." + leaf, [&s, leaf, direction] {
      return of_traffic(s, along(s.totals.total, leaf), direction, [](Tensor, Bucket) { return true; });
    });
    for (const auto& [name, traffic] : s.totals.by_tensor) {
      index.emplace_back(text("tile_traffic.by_tensor.", name_of(name), ".", leaf), [&s, leaf, direction, name = name] {
        return of_traffic(s, along(s.totals.tensor(name), leaf), direction,
                          [=](Tensor t, Bucket) { return t == name; });
      });
    }
    std::size_t number = 0;
    for (const LineTraffic& line : s.lines) {
      index.emplace_back(text("tile_traffic.by_line.", number++, ".", leaf), [&s, &line, leaf, direction] {
        Derivation d = of_traffic(s, along(line.traffic, leaf), direction, [](Tensor, Bucket) { return true; });
        std::erase_if(d.terms, [&](const DerivationTerm& t) { return t.where != text(line.kernel, ":", line.line); });
        d.formula.clear();
        return d;
      });
    }
  }
  index.emplace_back("tile_traffic.atomic_bytes", [&s] {
    const std::string rule =
        s.totals.atomic.count() == 0
            ? "no kernel has atomics"
            : "bytes added to HBM by reductions; the papers count them as read and as written, on hardware nothing "
              "returns to the SM";
    return of_bytes(s.totals.atomic.count(), {rule},
                    event_terms(s, [](const Event& e) { return e.verb == Verb::atomic_add ? e.bytes : 0; }));
  });
}

void add_hbm_traffic(const Simulation& s, DerivationIndex& index) {
  const std::string rule = text("per kernel and tensor: each byte once, and again when more than ", s.plan.l2,
                                " bytes of L2 were touched since; a write when its bytes leave L2");
  const auto terms = [&s](const std::string& leaf, Tensor only) {
    std::vector<DerivationTerm> parts;
    for (const KernelMeters& kernel : s.kernels) {
      for (const auto& [name, traffic] : kernel.hbm) {
        if (along(traffic, leaf) == 0 || (only != Tensor::none && name != only)) continue;
        parts.push_back({kernel.name, std::string(name_of(name)), along(traffic, leaf), 1});
      }
    }
    return parts;
  };
  for (const std::string leaf : {"read_bytes", "write_bytes"}) {
    index.emplace_back("hbm_traffic." + leaf, [&s, leaf, rule, terms] {
      return of_bytes(along(s.hbm, leaf), {rule}, terms(leaf, Tensor::none));
    });
    for (const auto& [name, traffic] : s.hbm_by_tensor) {
      index.emplace_back(text("hbm_traffic.by_tensor.", name_of(name), ".", leaf),
                         [leaf, rule, terms, name = name, traffic = traffic] {
                           return of_bytes(along(traffic, leaf), {rule}, terms(leaf, name));
                         });
    }
  }
  for (const auto& [name, left] : s.hbm_by_tensor) {
    index.emplace_back(text("hbm_traffic.by_tensor.", name_of(name), ".l2_hit_rate"), [&s, name = name, left = left] {
      const Traffic tile = s.totals.tensor(name);
      const std::string formula =
          text("1 - HBM traffic / tile traffic = 1 - ", left.total().count(), " / ", tile.total().count());
      return Derivation{"", "1", text(l2_hit_rate(tile, left)), {formula}, {}};
    });
  }
  index.emplace_back("hbm_traffic.compulsory_bytes", [&s] { return derive_compulsory_bytes(s); });
}

}  // namespace sim
