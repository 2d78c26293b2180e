#include "viz/model/explained.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/machine/device_fields.h"
#include "sim/model/hbm_traffic.h"
#include "sim/model/roofline.h"
#include "sim/report/quantities.h"

namespace explorer {
namespace {

using Formula = std::vector<sim::Sentence>;

std::int64_t tile_bytes(const sim::Simulation& s) { return s.totals.total.total().count(); }
double hbm_bytes(const sim::Simulation& s) { return hbm_bytes_of(s).all(); }

double quotient(double part, double whole) { return whole == 0 ? 0 : part / whole; }

template <class Quantity>
double ratio(const Run& run, Quantity quantity) {
  return quotient(static_cast<double>(quantity(run.simulation)), static_cast<double>(quantity(*run.standard)));
}

template <class Quantity>
Formula ratio_formula(const Run& run, std::string_view name, Quantity quantity) {
  return {{/*say*/ "{} / {} of standard attention = {} / {}", name, name, quantity(run.simulation),
           quantity(*run.standard)}};
}

Formula bytes_formula(const sim::Traffic& traffic) {
  return {{/*say*/ "bytes read + bytes written = {} + {}", traffic.read.count(), traffic.written.count()}};
}

double hit_rate(const Run& run) {
  if (std::isnan(hbm_bytes(run.simulation))) return hbm_bytes(run.simulation);
  return sim::l2_hit_rate(run.simulation.totals.total, run.simulation.hbm);
}
Formula hit_rate_formula(const Run& run) {
  return {{/*say*/ "1 - HBM bytes read / tile bytes read = 1 - {} / {}", run.simulation.hbm.read.count(),
           run.simulation.totals.total.read.count()}};
}

double intensity(const Run& run) { return sim::roofline(run.simulation).back().hbm_intensity(); }
Formula intensity_formula(const Run& run) {
  const sim::RooflinePoint all = sim::roofline(run.simulation).back();
  return {{/*say*/ "matrix FLOPs / {} = {} / {}", "HBM traffic", all.rated().count(), all.hbm.count()}};
}

std::int64_t peak_bytes(const sim::Simulation& s) { return s.memory.peak_hbm.count(); }
double microseconds(const sim::Simulation& s) { return s.microseconds; }

double sram_share(const Run& run) {
  const sim::MemoryMeter& memory = run.simulation.memory;
  return quotient(static_cast<double>(memory.peak_sram.count()), static_cast<double>(memory.sram_capacity.count()));
}
Formula sram_share_formula(const Run& run) {
  const sim::MemoryMeter& memory = run.simulation.memory;
  return {{/*say*/ "SMEM of a CTA / its capacity = {} / {}", memory.peak_sram.count(), memory.sram_capacity.count()}};
}

constexpr std::array<DerivedNumber, 9> all_derived = {{
    {"tile_traffic.bytes", "bytes", "", false,
     [](const Run& run) { return static_cast<double>(tile_bytes(run.simulation)); },
     [](const Run& run) { return bytes_formula(run.simulation.totals.total); }},
    {"hbm_traffic.bytes", "bytes", "", false, [](const Run& run) { return hbm_bytes(run.simulation); },
     [](const Run& run) { return bytes_formula(run.simulation.hbm); }},
    {"hbm_traffic.l2_hit_rate", "1", "share", false, hit_rate, hit_rate_formula},
    {"hbm_traffic.intensity", "FLOP/B", "", false, intensity, intensity_formula},
    {"memory.sram_share", "1", "", false, sram_share, sram_share_formula},
    {"tile_traffic.ratio", "1", "ratio", true, [](const Run& run) { return ratio(run, tile_bytes); },
     [](const Run& run) { return ratio_formula(run, "tile traffic", tile_bytes); }},
    {"hbm_traffic.ratio", "1", "ratio", true, [](const Run& run) { return ratio(run, hbm_bytes); },
     [](const Run& run) { return ratio_formula(run, "HBM traffic", hbm_bytes); }},
    {"memory.ratio", "1", "ratio", true, [](const Run& run) { return ratio(run, peak_bytes); },
     [](const Run& run) { return ratio_formula(run, /*say*/ "peak HBM memory", peak_bytes); }},
    {"time.ratio", "1", "ratio", true, [](const Run& run) { return ratio(run, microseconds); },
     [](const Run& run) { return ratio_formula(run, "predicted time", microseconds); }},
}};

bool is_there(const DerivedNumber& number, const Run& run) {
  return !number.against_standard || run.standard != nullptr;
}

const DerivedNumber* find_derived(std::string_view path) {
  const auto found = std::find_if(all_derived.begin(), all_derived.end(),
                                  [&](const DerivedNumber& number) { return number.path == path; });
  return found == all_derived.end() ? nullptr : &*found;
}

const DerivedNumber* find_derived(const Run& run, std::string_view path) {
  const DerivedNumber* number = find_derived(path);
  return number != nullptr && is_there(*number, run) ? number : nullptr;
}

/// Bytes are written as whole numbers.
std::string value_text(const DerivedNumber& number, const Run& run) {
  const double value = number.value(run);
  if (std::isnan(value)) return "-";
  return number.unit == "bytes" ? sim::text(static_cast<std::int64_t>(value)) : sim::text(value);
}

}  // namespace

HbmBytes hbm_bytes_of(const sim::Simulation& simulation) {
  if (!sim::counts_hbm_traffic(*simulation.plan.scenario.gpu)) return {std::nan(""), std::nan("")};
  return {static_cast<double>(simulation.hbm.read.count()), static_cast<double>(simulation.hbm.written.count())};
}

std::vector<const DerivedNumber*> derived_numbers(const Run& run) {
  std::vector<const DerivedNumber*> numbers;
  for (const DerivedNumber& number : all_derived) {
    if (is_there(number, run)) numbers.push_back(&number);
  }
  return numbers;
}

double derived_value(const Run& run, std::string_view path) {
  const DerivedNumber* number = find_derived(run, path);
  if (number == nullptr) throw sim::Error(sim::unknown_name_message("quantity", path, explained_paths(run)));
  return number->value(run);
}

std::string_view written_unit(std::string_view path) {
  if (path.starts_with(of_standard)) path.remove_prefix(of_standard.size());
  const DerivedNumber* number = find_derived(path);
  if (number == nullptr) return report::written_unit(path);
  return number->written.empty() ? number->unit : number->written;
}

sim::Derivation explain(const Run& run, const std::string& path) {
  if (const DerivedNumber* number = find_derived(run, path))
    return {path, std::string(number->unit), value_text(*number, run), number->formula(run), {}};
  if (run.standard != nullptr && path.starts_with(of_standard)) {
    sim::Derivation derivation = sim::derive(*run.standard, path.substr(of_standard.size()));
    derivation.path = path;
    return derivation;
  }
  return sim::derive(run.simulation, path);
}

std::vector<std::string> explained_paths(const Run& run) {
  std::vector<std::string> paths = sim::derivation_paths(run.simulation);
  for (const DerivedNumber* number : derived_numbers(run)) paths.emplace_back(number->path);
  if (run.standard == nullptr) return paths;
  for (const std::string& path : sim::derivation_paths(*run.standard)) paths.push_back(std::string(of_standard) + path);
  return paths;
}

}  // namespace explorer
