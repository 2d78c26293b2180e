// Every number that the explorer shows and can explain: those of the simulation, those of standard attention beside it,
// and the ratios of both.
#pragma once
#include "sim/catalogue/derivation.h"
#include "viz/model/run.h"

namespace explorer {

/// Bytes of the HBM traffic of a run; not a number where the model has no place for the device's caches.
struct HbmBytes {
  double read, written;
  double all() const { return read + written; }
};
HbmBytes hbm_bytes_of(const sim::Simulation& simulation);

/// Names of numbers of the same scenario with standard attention begin with it.
inline constexpr std::string_view of_standard = "standard.";

/// A number that is computed from those of the simulation.
struct DerivedNumber {
  std::string_view path, unit, written;  ///< the latter two as in sim::RunQuantity; a ratio is written as one
  bool against_standard;                 ///< needs Run::standard
  double (*value)(const Run&);
  std::vector<sim::Sentence> (*formula)(const Run&);
};

/// tile_traffic.bytes, hbm_traffic.bytes, hbm_traffic.l2_hit_rate, hbm_traffic.intensity, tile_traffic.ratio,
/// hbm_traffic.ratio, memory.ratio, time.ratio, memory.sram_share; ratios are those to standard
/// attention. Those that this run has.
std::vector<const DerivedNumber*> derived_numbers(const Run& run);
/// The value of one of them; throws sim::Error for a path that this run does not have.
double derived_value(const Run& run, std::string_view path);

/// How a number of any of these paths is written: report::written_unit with the rows of this file.
std::string_view written_unit(std::string_view path);

/// The derivation of any number. Throws sim::Error that names the wrong part of the path. Some 0.2 ms.
sim::Derivation explain(const Run& run, const std::string& path);

/// Every path that explain() takes: the simulation's, then the derived ones, then those of standard attention.
std::vector<std::string> explained_paths(const Run& run);

}  // namespace explorer
