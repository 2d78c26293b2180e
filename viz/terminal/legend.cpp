#include "viz/terminal/legend.h"

#include <algorithm>
#include <array>

#include "sim/base/text.h"
#include "sim/machine/device_fields.h"
#include "sim/model/compiled_kernels.h"
#include "sim/report/numbers.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

struct Bound {
  std::string_view name, meaning;
};
constexpr std::array<Bound, 13> bounds_of_time = {{
    {"hbm", "bandwidth of device memory"},
    {"l2", "bandwidth between L2 and the SMs"},
    {"latency", "how long a copy is on its way, where no other work hides it"},
    {"tensor", "the tensor cores: matrix products"},
    {"fp32", "the FP32 pipe: arithmetic outside matrix products, and fp32 products"},
    {"exp", "the unit that computes exponentials"},
    {"smem", "the port of shared memory: operands of matrix products"},
    {"issue", "the issue slots of an SM: instructions rather than bytes or FLOPs"},
    {"barrier", "phases of a CTA that wait for one another"},
    {"turn", "turns of warpgroups on the tensor cores"},
    {"stage", "stages of a ring that are not full yet, or not free yet"},
    {"launch", "the start of kernels and CTAs"},
    {"tail", "SMs that are done and wait for the last CTAs"},
}};

/// "--batch 4 --heads 32", without what stays as it is.
std::string options_text(const sim::BatchAndHeads& sizes, const sim::Shape& now) {
  std::string text;
  if (sizes.batch != now.batch) text += sim::text(" --batch ", sizes.batch);
  if (sizes.heads != now.heads) text += sim::text(" --heads ", sizes.heads);
  return text.substr(1);
}

}  // namespace

std::string sms_text(const sim::BusySms& sms) { return sim::text(sms.busy, " of ", sms.all); }

std::string few_sms_line(const std::vector<sim::Simulation>& runs, bool sizes_from_files) {
  const auto sms_of = [](const sim::Simulation& s) { return sim::busy_sms(s); };
  const bool few = std::any_of(runs.begin(), runs.end(), [&](const auto& s) { return sms_of(s).few(); });
  if (!few) return "";
  std::string text = runs.size() == 1 ? sms_text(sms_of(runs.front())) + " SMs get work" : "Few SMs get work";
  text += ", the rest of the card is idle";
  if (sizes_from_files) return text + ": more heads or batch entries would fill it.\n";
  const auto filling = sim::batch_that_fills(runs);
  if (!filling) return text + ".\n";
  return text + ": " + options_text(*filling, runs.front().plan.scenario.shape) + " would fill it.\n";
}

std::string_view bound_meaning(std::string_view bound_by) {
  for (const Bound& bound : bounds_of_time) {
    if (bound.name == bound_by) return bound.meaning;
  }
  return "";
}

std::string bound_legend(const std::vector<std::string>& bounds) {
  std::string text;
  for (const Bound& bound : bounds_of_time) {
    if (std::find(bounds.begin(), bounds.end(), bound.name) == bounds.end()) continue;
    text += sim::text(text.empty() ? "Bound by " : "; ", bound.name, ": ", bound.meaning);
  }
  return text.empty() ? "" : text + ".\n";
}

std::string unknown_error_line() {
  return as_typed("Error unknown: no published times of such a run are near; see flashscope validate.\n");
}

std::string clock_line(const std::set<std::int64_t>& clocks) {
  std::vector<std::string> words;
  for (const std::int64_t hz : clocks) words.push_back(sim::megahertz(hz));
  if (words.empty()) return "";
  return sim::text("Times are at ", sim::joined(words), ", the clock", words.size() == 1 ? "" : "s", " of the SMs.\n");
}

std::string kernel_line(const std::vector<sim::Simulation>& runs) {
  std::vector<std::pair<std::string, std::vector<std::string>>> kernels;  // each with the algorithms timed as it
  for (const sim::Simulation& s : runs) {
    const std::string kernel = sim::timed_kernel(s.plan);
    auto found = std::find_if(kernels.begin(), kernels.end(), [&](const auto& of) { return of.first == kernel; });
    if (found == kernels.end()) found = kernels.insert(kernels.end(), {kernel, {}});
    if (std::find(found->second.begin(), found->second.end(), s.plan.scenario.algorithm) == found->second.end())
      found->second.push_back(s.plan.scenario.algorithm);
  }
  std::string line;
  for (const auto& [kernel, algorithms] : kernels)
    line += sim::text(line.empty() ? "Times are of these kernels: " : "; ", sim::joined(algorithms), ": ", kernel);
  return line + ".\n";
}

std::string framework_line(const std::vector<sim::Simulation>& runs) {
  for (const sim::Simulation& s : runs) {
    const auto& launches = s.plan.launches;
    if (std::none_of(launches.begin(), launches.end(), [](const sim::Launch& l) { return l.unfused; })) continue;
    const sim::DeviceSpec& gpu = *s.plan.scenario.gpu;
    const double part = sim::framework_efficiency(s.plan.scenario);
    const std::string origin = gpu.framework_hbm_percent > 0 ? "as its table says (framework_hbm_percent)"
                                                             : sim::text("fitted on ", sim::fitted_on,
                                                                         ", whatever the GPU (framework_efficiency)");
    return sim::text("Kernels of standard attention are taken to reach ", report::percent(part),
                     " of the HBM's bandwidth, ", origin, ".\n");
  }
  return "";
}

std::string time_legend(const std::vector<sim::Simulation>& runs) {
  if (!has_time(*runs.front().plan.scenario.gpu)) return "";
  std::vector<std::string> bounds;
  std::set<std::int64_t> clocks;
  for (const sim::Simulation& s : runs) {
    bounds.push_back(s.bound_by);
    clocks.insert(s.longest_kernel().time.clock_hz);
  }
  const bool known =
      std::all_of(runs.begin(), runs.end(), [](const auto& s) { return s.accuracy.error_percent.has_value(); });
  return clock_line(clocks) + kernel_line(runs) + framework_line(runs) + bound_legend(bounds) +
         (known ? "" : unknown_error_line());
}

}  // namespace terminal
