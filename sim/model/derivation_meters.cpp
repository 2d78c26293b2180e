// Derivations of memory, work, time, kernels and the check of values.
#include "sim/model/busy_sms.h"
#include "sim/model/closed_form.h"
#include "sim/model/derivation_index.h"
#include "sim/model/published_memory.h"
#include "sim/model/roofline.h"

namespace sim {
namespace {

std::vector<std::string> work_formula(const Simulation& s, const std::string& quantity) {
  std::vector<std::string> lines;
  std::vector<WorkTerm> terms = closed_form_work(s.plan);
  std::erase_if(terms, [&](const WorkTerm& term) { return term.quantity != quantity; });
  for (const WorkTerm& term : terms) {
    lines.push_back(
        text(term.kernel, " ", term.what, ": ", with_values(term.equation, term.values), " = ", term.count));
  }
  explain_symbols(lines, terms);
  return lines;
}

/// What a kernel spends its time on, and what each resource would need alone.
void explain_time(const KernelMeters& kernel, std::vector<std::string>& lines) {
  lines.push_back(text(kernel.name, ": ", kernel.time.microseconds, " us, of which"));
  for (const Cause cause : all_causes) {
    const double time = kernel.time.budget[cause];
    if (time > 0) lines.push_back(text("  ", name_of(cause), " ", time, " us: ", meaning_of(cause)));
  }
  std::string bounds;
  for (const auto& [resource, microseconds] : kernel.time.resources) {
    bounds += text(bounds.empty() ? "" : ", ", resource, " ", microseconds, " us");
  }
  lines.push_back("  lower bound, each resource alone at its full rate: " + bounds);
}

Derivation of_time(const std::string& unit, double value, const std::vector<const KernelMeters*>& kernels) {
  std::vector<std::string> lines = {"predicted: the schedule of one SM, and the grid over all of them"};
  for (const KernelMeters* kernel : kernels) explain_time(*kernel, lines);
  return {"", unit, text(value), lines, {}};
}

/// One cause of a budget; `parts` are the kernels that it is summed over.
Derivation of_cause(Cause cause, double value, const std::vector<const KernelMeters*>& parts) {
  std::vector<std::string> lines = {text(name_of(cause), ": ", meaning_of(cause))};
  for (const KernelMeters* kernel : parts) {
    const double all = kernel->time.microseconds, part = kernel->time.budget[cause];
    lines.push_back(text(kernel->name, ": ", part, " us of ", all, " us"));
  }
  return {"", "microseconds", text(value), lines, {}};
}

void add_budget(const std::string& path, const Budget& budget, const std::vector<const KernelMeters*>& kernels,
                DerivationIndex& index) {
  for (const Cause cause : all_causes) {
    index.emplace_back(path + key_of(cause), [=] { return of_cause(cause, budget[cause], kernels); });
  }
}

void add_published_memory(const Simulation& s, DerivationIndex& index) {
  const auto published = published_memory(s.plan);
  if (!published) return;
  index.emplace_back("memory.published.bytes", [published] {
    std::vector<std::string> lines = {published->equation + " (" + published->source + ")"};
    lines.insert(lines.end(), published->differences.begin(), published->differences.end());
    return of_bytes(published->bytes.count(), lines, {});
  });
}

}  // namespace

void add_memory(const Simulation& s, DerivationIndex& index) {
  const auto terms = [&s](bool extra) {
    const LiveTensors peak = memory_peak(s.plan);
    std::vector<DerivationTerm> parts;
    for (const Tensor name : peak.tensors) {
      if (extra && owned_by_caller(name)) continue;
      parts.push_back({peak.kernel, std::string(name_of(name)),
                       s.plan.problem.hbm[name].total_bytes(s.plan.problem.shape).count(), 1});
    }
    return parts;
  };
  index.emplace_back("memory.peak_hbm_bytes", [&s, terms] {
    return of_bytes(s.memory.peak_hbm.count(), {"maximum over kernels of the live tensors"}, terms(false));
  });
  index.emplace_back("memory.extra_hbm_bytes", [&s, terms] {
    return of_bytes(s.memory.extra_hbm.count(),
                    {"at the peak, without Q, K, V, O and their gradients, which are the caller's"}, terms(true));
  });
  add_published_memory(s, index);
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

void add_work(const Simulation& s, DerivationIndex& index) {
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

namespace {

/// Of one kernel, and whose it is.
Derivation of_busy_sms(const Simulation& s, const KernelMeters& kernel, const char* whose) {
  const BusySms sms = busy_sms(s, kernel);
  return {"",
          "SMs",
          text(sms.busy),
          {text(kernel.name, whose, ": SMs that get a CTA, min(CTAs, SMs) of ", sms.all,
                sms.few() ? " SMs; the rest stands idle, more batch entries or heads would fill it" : " SMs")},
          {}};
}

void add_busy_sms(const Simulation& s, DerivationIndex& index) {
  index.emplace_back("time.sms_busy",
                     [&s] { return of_busy_sms(s, s.longest_kernel(), ", the kernel that takes longest"); });
  index.emplace_back("time.sms", [&s] {
    const DeviceSpec& gpu = *s.plan.scenario.gpu;
    return Derivation{"", "SMs", text(gpu.sm_count), {"sm_count of " + gpu.name}, {}};
  });
  for (std::size_t k = 0; k < s.kernels.size(); ++k)
    index.emplace_back(text("time.kernels.", k, ".sms_busy"), [&s, k] { return of_busy_sms(s, s.kernels[k], ""); });
}

}  // namespace

void add_time(const Simulation& s, DerivationIndex& index) {
  std::vector<const KernelMeters*> all;
  for (const KernelMeters& kernel : s.kernels) all.push_back(&kernel);
  index.emplace_back("time.microseconds", [&s, all] { return of_time("microseconds", s.microseconds, all); });
  index.emplace_back("time.cycles", [&s, all] {
    const double clock = static_cast<double>(s.plan.scenario.gpu->clock_hz);
    Derivation d = of_time("cycles", s.microseconds * 1e-6 * clock, all);
    d.formula.insert(d.formula.begin(), text("time.microseconds x clock of ", clock * 1e-6, " MHz"));
    return d;
  });
  add_busy_sms(s, index);
  add_budget("time.budget.", s.budget, all, index);
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    add_budget(text("time.kernels.", k, ".budget."), s.kernels[k].time.budget, {&s.kernels[k]}, index);
    index.emplace_back(text("time.kernels.", k, ".microseconds"),
                       [&s, k] { return of_time("microseconds", s.kernels[k].time.microseconds, {&s.kernels[k]}); });
    index.emplace_back(text("time.kernels.", k, ".waves"), [&s, k] {
      const KernelMeters& kernel = s.kernels[k];
      const std::string formula = text("CTAs / (SMs x CTAs per SM) = ", kernel.ctas, " / (",
                                       s.plan.scenario.gpu->sm_count, " x ", kernel.ctas_per_sm, ")");
      return Derivation{"", "waves", text(kernel.waves), {formula}, {}};
    });
  }
}

namespace {

void add_check(const ValueChecks& checks, DerivationIndex& index) {
  const auto add = [&](const std::string& path, const ValueCheck& check, const std::string& rule) {
    index.emplace_back(path + ".max_abs_error", [=] {
      return Derivation{"", "1", text(check.max_abs_error), {rule}, {}};
    });
    index.emplace_back(path + ".max_rel_error", [=] {
      return Derivation{"", "1", text(check.max_rel_error), {rule}, {}};
    });
  };
  const std::string rule =
      "values of all heads against attention in double precision; relative to the largest |reference|";
  add("check", checks.worst(), "the largest error of " + rule);
  for (const auto& [name, check] : checks.by_tensor) add(text("check.by_tensor.", name_of(name)), check, rule);
}

}  // namespace

namespace {

void add_intensities(const Simulation& s, std::size_t k, DerivationIndex& index) {
  const auto add = [&](const char* leaf, const char* traffic, double (RooflinePoint::*intensity)() const,
                       Bytes RooflinePoint::*bytes) {
    index.emplace_back(text("kernels.", k, ".intensity.", leaf), [=, &s] {
      const RooflinePoint p = roofline_point(s.kernels[k]);
      const std::string formula = text("(matrix FLOPs + other FLOPs) / ", traffic, " = (", p.matrix.count(), " + ",
                                       p.other.count(), ") / ", (p.*bytes).count());
      return Derivation{"", "FLOP/B", text((p.*intensity)()), {formula}, {}};
    });
  };
  add("tile", "tile traffic", &RooflinePoint::tile_intensity, &RooflinePoint::tile);
  add("hbm", "HBM traffic", &RooflinePoint::hbm_intensity, &RooflinePoint::hbm);
}

}  // namespace

void add_kernels(const Simulation& s, DerivationIndex& index) {
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const std::string path = text("kernels.", k, ".");
    const auto add_choice = [&](const char* leaf, const char* unit, std::int64_t value, const char* why) {
      index.emplace_back(path + leaf, [=] { return Derivation{"", unit, text(value), {why}, {}}; });
    };
    add_choice("br", "rows", s.plan.launches[k].grid.br, "rows of one block: --br, or the tiling rule");
    add_choice("bc", "columns", s.plan.launches[k].grid.bc,
               "columns of one step: --bc, the tiling rule, or a slice of a GEMM");
    add_choice("threads", "threads", s.plan.launches[k].threads, "threads of one CTA, as the program launches it");
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
    add_intensities(s, k, index);
    index.emplace_back(path + "smem_bytes", [&s, k] {
      return of_bytes(s.traces[k].peak_smem.count(), {"most bytes of SMEM tiles that one CTA holds at a time"}, {});
    });
  }
  if (!s.check) return;
  add_check(*s.check, index);
}

}  // namespace sim
