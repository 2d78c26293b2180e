#include "sim/model/derivation.h"

#include <functional>

#include "sim/base/nearest.h"
#include "sim/model/closed_form.h"

namespace sim {
namespace {

using Amount = std::function<std::int64_t(const Event&)>;
using Filter = std::function<bool(const TrafficTerm&)>;

/// The events that have an amount, grouped by kernel, line and amount, with the listing line.
std::vector<DerivationTerm> event_terms(const Simulation& s, const Amount& amount) {
  std::map<std::pair<std::string, std::int64_t>, DerivationTerm> groups;
  std::vector<std::pair<std::string, std::int64_t>> order;
  for (const Trace& trace : s.traces) {
    for (const Event& event : trace.events) {
      const std::int64_t each = amount(event);
      if (each == 0) continue;
      const std::pair key{text(trace.kernel, ":", event.line), each};
      auto [entry, fresh] = groups.try_emplace(key);
      if (fresh) {
        order.push_back(key);
        entry->second = {key.first, listing_line(trace.listing, event.line), each, 0};
      }
      entry->second.times = checked_add(entry->second.times, event.times);
    }
  }
  std::vector<DerivationTerm> terms;
  for (const auto& key : order) terms.push_back(groups.at(key));
  return terms;
}

std::string with_values(const std::string& equation, const std::vector<std::pair<std::string, std::int64_t>>& values) {
  std::string where;
  for (const auto& [symbol, value] : values)
    where += (where.empty() ? "" : ", ") + symbol + " = " + std::to_string(value);
  return equation + "   with " + where;
}

std::vector<std::string> traffic_formula(const Simulation& s, const Filter& filter) {
  std::vector<std::string> lines;
  for (const TrafficTerm& term : closed_form_traffic(s.plan)) {
    if (!filter(term)) continue;
    lines.push_back(text(term.kernel, " ", name_of(term.tensor),
                         term.direction == Direction::read ? " read: " : " write: ",
                         with_values(term.equation, term.values), " = ", term.bytes.count()));
  }
  return lines;
}

std::vector<std::string> work_formula(const Simulation& s, const std::string& quantity) {
  std::vector<std::string> lines;
  for (const WorkTerm& term : closed_form_work(s.plan)) {
    if (term.quantity == quantity) {
      lines.push_back(
          text(term.kernel, " ", term.what, ": ", with_values(term.equation, term.values), " = ", term.count));
    }
  }
  return lines;
}

Direction direction_of(const std::string& leaf) { return leaf == "read_bytes" ? Direction::read : Direction::write; }

std::int64_t along(const Traffic& traffic, const std::string& leaf) {
  return (direction_of(leaf) == Direction::read ? traffic.read : traffic.written).count();
}

/// All derivations by path, made on demand.
using Maker = std::function<Derivation()>;
using Index = std::vector<std::pair<std::string, Maker>>;

Derivation of_bytes(std::int64_t value, std::vector<std::string> formula, std::vector<DerivationTerm> terms) {
  return {"", "bytes", std::to_string(value), std::move(formula), std::move(terms)};
}

Derivation of_traffic(const Simulation& s, std::int64_t value, Direction direction,
                      const std::function<bool(Tensor, Bucket)>& match) {
  return of_bytes(
      value,
      traffic_formula(s, [&](const TrafficTerm& t) { return t.direction == direction && match(t.tensor, t.bucket); }),
      event_terms(s, [&](const Event& e) {
        return e.direction == direction && match(e.tensor, e.bucket) ? e.bytes : std::int64_t{0};
      }));
}

void add_tile_traffic(const Simulation& s, Index& index) {
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
    for (const auto& [key, traffic] : s.totals.by_line) {
      index.emplace_back(text("tile_traffic.by_line.", number++, ".", leaf), [&s, leaf, direction, key = key,
                                                                              traffic = traffic] {
        Derivation d = of_traffic(s, along(traffic, leaf), direction, [](Tensor, Bucket) { return true; });
        std::erase_if(d.terms, [&](const DerivationTerm& t) { return t.where != text(key.first, ":", key.second); });
        d.formula.clear();
        return d;
      });
    }
  }
  index.emplace_back("tile_traffic.atomic_bytes", [] { return of_bytes(0, {"a forward pass has no atomics"}, {}); });
}

void add_hbm_traffic(const Simulation& s, Index& index) {
  const std::string rule =
      "per kernel and tensor: bytes once if the reused tensors of the heads in flight fit in the L2, "
      "else reads = max(once, tile reads / CTAs that share a tile), writes = tile writes";
  const auto terms = [&s](const std::string& leaf, Tensor only) {
    std::vector<DerivationTerm> parts;
    for (const KernelMeters& kernel : s.kernels) {
      for (const auto& [name, traffic] : kernel.hbm) {
        if (along(traffic, leaf) == 0 || (only != Tensor::none && name != only)) continue;
        parts.push_back({kernel.time.name, std::string(name_of(name)), along(traffic, leaf), 1});
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
  index.emplace_back("hbm_traffic.compulsory_bytes", [&s] {
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
  });
}

void add_memory(const Simulation& s, Index& index) {
  const auto live = [&s] {
    LiveTensors peak;
    for (const LiveTensors& entry : memory_over_time(s.plan)) {
      if (entry.bytes > peak.bytes) peak = entry;
    }
    return peak;
  };
  const auto terms = [&s, live](bool extra) {
    std::vector<DerivationTerm> parts;
    for (const Tensor name : live().tensors) {
      const bool owned = name == Tensor::Q || name == Tensor::K || name == Tensor::V || name == Tensor::O;
      if (extra && owned) continue;
      parts.push_back({live().kernel, std::string(name_of(name)),
                       s.plan.problem.hbm[name].total_bytes(s.plan.problem.shape).count(), 1});
    }
    return parts;
  };
  index.emplace_back("memory.peak_hbm_bytes", [&s, terms] {
    return of_bytes(s.memory.peak_hbm.count(), {"maximum over kernels of the live tensors"}, terms(false));
  });
  index.emplace_back("memory.extra_hbm_bytes", [&s, terms] {
    return of_bytes(s.memory.extra_hbm.count(), {"peak_hbm_bytes without Q, K, V and O"}, terms(true));
  });
  index.emplace_back("memory.peak_sram_bytes", [&s] {
    std::vector<std::string> kernels;
    for (const Trace& trace : s.traces) kernels.push_back(text(trace.kernel, ": ", trace.peak_smem.count()));
    return of_bytes(s.memory.peak_sram.count(), kernels, {});
  });
  index.emplace_back("memory.sram_capacity_bytes", [&s] {
    const bool paper = s.plan.capacity.paper;
    return of_bytes(s.memory.sram_capacity.count(),
                    {text(s.plan.scenario.sram ? "--sram"
                          : paper              ? "l1_smem_bytes_per_sm"
                                               : "smem_bytes_per_cta",
                          " of ", s.plan.scenario.gpu->name)},
                    {});
  });
}

void add_work(const Simulation& s, Index& index) {
  const auto add = [&](const std::string& quantity, const std::string& unit, std::int64_t value,
                       std::int64_t Event::*member) {
    index.emplace_back("work." + quantity, [&s, quantity, unit, value, member] {
      return Derivation{"", unit, std::to_string(value), work_formula(s, quantity),
                        event_terms(s, [=](const Event& e) { return e.*member; })};
    });
  };
  add("matmul_flops", "FLOP", s.totals.matmul_flops.count(), &Event::matmul_flops);
  add("other_flops", "FLOP", s.totals.other_flops.count(), &Event::other_flops);
  add("exp_count", "exponentials", s.totals.exps.count(), &Event::exps);
}

Derivation of_time(const std::string& unit, double value, const std::vector<const KernelMeters*>& kernels) {
  std::vector<std::string> lines = {"roofline: per kernel the slowest resource at its full rate, plus the launch"};
  for (const KernelMeters* kernel : kernels) {
    for (const auto& [resource, microseconds] : kernel->time.resources) {
      lines.push_back(text(kernel->time.name, ": ", resource, " ", microseconds, " us"));
    }
  }
  return {"", unit, text(value), lines, {}};
}

void add_time(const Simulation& s, Index& index) {
  std::vector<const KernelMeters*> all;
  for (const KernelMeters& kernel : s.kernels) all.push_back(&kernel);
  index.emplace_back("time.microseconds", [&s, all] { return of_time("microseconds", s.microseconds, all); });
  index.emplace_back("time.cycles", [&s, all] {
    const double clock = static_cast<double>(s.plan.scenario.gpu->clock_hz);
    Derivation d = of_time("cycles", s.microseconds * 1e-6 * clock, all);
    d.formula.insert(d.formula.begin(), text("time.microseconds x clock of ", clock * 1e-6, " MHz"));
    return d;
  });
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    index.emplace_back(text("time.kernels.", k, ".microseconds"),
                       [&s, k] { return of_time("microseconds", s.kernels[k].time.microseconds, {&s.kernels[k]}); });
  }
}

void add_kernels(const Simulation& s, Index& index) {
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const std::string path = text("kernels.", k, ".");
    index.emplace_back(path + "ctas", [&s, k] {
      std::vector<DerivationTerm> parts;
      const Grid grid = make_grid(s.plan.problem.shape, s.plan.launches[k].grid);
      for (const Run& run : grid.runs) {
        parts.push_back({s.plan.launches[k].name,
                         text("CTAs of ", run.key.rows, " x ", run.key.cols, " with ", run.key.full_tiles, " full and ",
                              run.key.masked_tiles, " masked tiles, per head"),
                         run.count, grid.repeats});
      }
      return Derivation{"", "CTAs", text(grid.ctas()), {"per head, times batch x heads"}, parts};
    });
    index.emplace_back(path + "smem_bytes", [&s, k] {
      return of_bytes(s.traces[k].peak_smem.count(), {"most bytes of SMEM tiles that one CTA holds at a time"}, {});
    });
  }
  if (!s.check) return;
  const std::string rule =
      "values of all heads against attention in double precision; relative to the largest |reference|";
  index.emplace_back("check.max_abs_error", [&s, rule] {
    return Derivation{"", "1", text(s.check->max_abs_error), {rule}, {}};
  });
  index.emplace_back("check.max_rel_error", [&s, rule] {
    return Derivation{"", "1", text(s.check->max_rel_error), {rule}, {}};
  });
}

Index make_index(const Simulation& s) {
  Index index;
  add_tile_traffic(s, index);
  add_hbm_traffic(s, index);
  add_memory(s, index);
  add_work(s, index);
  add_time(s, index);
  add_kernels(s, index);
  return index;
}

}  // namespace

Derivation derive(const Simulation& simulation, const std::string& path) {
  const Index index = make_index(simulation);
  for (const auto& [name, make] : index) {
    if (name != path) continue;
    Derivation derivation = make();
    derivation.path = path;
    return derivation;
  }
  throw Error(unknown_name_message("quantity", path, derivation_paths(simulation)));
}

std::vector<std::string> derivation_paths(const Simulation& simulation) {
  std::vector<std::string> paths;
  for (const auto& [name, make] : make_index(simulation)) paths.push_back(name);
  return paths;
}

}  // namespace sim
