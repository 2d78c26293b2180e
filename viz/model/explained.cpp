#include "viz/model/explained.h"

#include <array>

#include "sim/base/nearest.h"
#include "sim/model/hbm_traffic.h"

namespace explorer {
namespace {

using Formula = std::vector<std::string>;

std::int64_t tile_bytes(const sim::Simulation& s) { return s.totals.total.total().count(); }
std::int64_t hbm_bytes(const sim::Simulation& s) { return s.hbm.total().count(); }
std::int64_t flops(const sim::Simulation& s) { return s.totals.matmul_flops.count() + s.totals.other_flops.count(); }

double quotient(double part, double whole) { return whole == 0 ? 0 : part / whole; }

template <class Quantity>
double ratio(const Run& run, Quantity quantity) {
  return quotient(static_cast<double>(quantity(run.simulation)), static_cast<double>(quantity(*run.standard)));
}

template <class Quantity>
Formula ratio_formula(const Run& run, std::string_view name, Quantity quantity) {
  return {sim::text(name, " / ", name, " of standard attention = ", quantity(run.simulation), " / ",
                    quantity(*run.standard))};
}

Formula bytes_formula(const sim::Traffic& traffic) {
  return {sim::text("bytes read + bytes written = ", traffic.read.count(), " + ", traffic.written.count())};
}

double hit_rate(const Run& run) { return sim::l2_hit_rate(run.simulation.totals.total, run.simulation.hbm); }
Formula hit_rate_formula(const Run& run) {
  return {
      sim::text("1 - HBM traffic / tile traffic = 1 - ", hbm_bytes(run.simulation), " / ", tile_bytes(run.simulation))};
}

double intensity(const Run& run) {
  return quotient(static_cast<double>(flops(run.simulation)), static_cast<double>(hbm_bytes(run.simulation)));
}
Formula intensity_formula(const Run& run) {
  const sim::Totals& totals = run.simulation.totals;
  return {sim::text("(matrix FLOPs + other FLOPs) / HBM traffic = (", totals.matmul_flops.count(), " + ",
                    totals.other_flops.count(), ") / ", hbm_bytes(run.simulation))};
}

std::int64_t peak_bytes(const sim::Simulation& s) { return s.memory.peak_hbm.count(); }
double microseconds(const sim::Simulation& s) { return s.microseconds; }

double sram_share(const Run& run) {
  const sim::MemoryMeter& memory = run.simulation.memory;
  return quotient(static_cast<double>(memory.peak_sram.count()), static_cast<double>(memory.sram_capacity.count()));
}
Formula sram_share_formula(const Run& run) {
  const sim::MemoryMeter& memory = run.simulation.memory;
  return {sim::text("SMEM of a CTA / its capacity = ", memory.peak_sram.count(), " / ", memory.sram_capacity.count())};
}

constexpr std::array<DerivedNumber, 9> all_derived = {{
    {"tile_traffic.bytes", false, [](const Run& run) { return static_cast<double>(tile_bytes(run.simulation)); },
     [](const Run& run) { return bytes_formula(run.simulation.totals.total); }},
    {"hbm_traffic.bytes", false, [](const Run& run) { return static_cast<double>(hbm_bytes(run.simulation)); },
     [](const Run& run) { return bytes_formula(run.simulation.hbm); }},
    {"hbm_traffic.l2_hit_rate", false, hit_rate, hit_rate_formula},
    {"hbm_traffic.intensity", false, intensity, intensity_formula},
    {"memory.sram_share", false, sram_share, sram_share_formula},
    {"tile_traffic.ratio", true, [](const Run& run) { return ratio(run, tile_bytes); },
     [](const Run& run) { return ratio_formula(run, "tile traffic", tile_bytes); }},
    {"hbm_traffic.ratio", true, [](const Run& run) { return ratio(run, hbm_bytes); },
     [](const Run& run) { return ratio_formula(run, "HBM traffic", hbm_bytes); }},
    {"memory.ratio", true, [](const Run& run) { return ratio(run, peak_bytes); },
     [](const Run& run) { return ratio_formula(run, "peak HBM memory", peak_bytes); }},
    {"time.ratio", true, [](const Run& run) { return ratio(run, microseconds); },
     [](const Run& run) { return ratio_formula(run, "predicted time", microseconds); }},
}};

bool is_there(const DerivedNumber& number, const Run& run) {
  return !number.against_standard || run.standard != nullptr;
}

const DerivedNumber* find_derived(const Run& run, std::string_view path) {
  for (const DerivedNumber& number : all_derived) {
    if (number.path == path && is_there(number, run)) return &number;
  }
  return nullptr;
}

std::string unit_of(std::string_view path) {
  return path.ends_with("intensity") ? "FLOP/B" : path.ends_with("bytes") ? "bytes" : "1";
}

/// Bytes are written out: they are whole.
std::string value_text(const DerivedNumber& number, const Run& run) {
  const double value = number.value(run);
  return number.path.ends_with("bytes") ? sim::text(static_cast<std::int64_t>(value)) : sim::text(value);
}

}  // namespace

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

sim::Derivation explain(const Run& run, const std::string& path) {
  if (const DerivedNumber* number = find_derived(run, path))
    return {path, unit_of(path), value_text(*number, run), number->formula(run), {}};
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
