// Every number that the explorer shows and can explain: those of the simulation, those of standard attention for the
// same scenario, and the ratios of both.
#pragma once
#include "sim/catalogue/derivation.h"
#include "viz/model/run.h"

namespace explorer {

/// HBM traffic of a run in bytes; NaN if the model does not cover the device's caches.
struct HbmBytes {
  double read, written;
  double all() const { return read + written; }
};
HbmBytes hbm_bytes_of(const sim::Simulation& simulation);

/// Prefix of the names of numbers of standard attention for the same scenario.
inline constexpr std::string_view of_standard = "standard.";

/// A number computed from those of the simulation.
struct DerivedNumber {
  std::string_view path, unit, written;  ///< the latter two as in sim::RunQuantity; a ratio is written as one
  bool against_standard;                 ///< needs Run::standard
  double (*value)(const Run&);
  std::vector<sim::Sentence> (*formula)(const Run&);
};

/// The numbers that this run has, of tile_traffic.bytes, hbm_traffic.bytes, hbm_traffic.l2_hit_rate,
/// hbm_traffic.intensity, tile_traffic.ratio, hbm_traffic.ratio, memory.ratio, time.ratio, memory.sram_share; ratios
/// are to standard attention.
std::vector<const DerivedNumber*> derived_numbers(const Run& run);
/// The value of a derived number. Throws sim::Error if this run does not have the path.
double derived_value(const Run& run, std::string_view path);

/// Unit in which the number at a path is written: report::written_unit plus the rows of this file.
std::string_view written_unit(std::string_view path);

/// The derivation of any number. Throws sim::Error that names the wrong part of the path. About 0.2 ms.
sim::Derivation explain(const Run& run, const std::string& path);

/// Every path that explain() accepts: the simulation's, then the derived ones, then those of standard attention.
std::vector<std::string> explained_paths(const Run& run);

}  // namespace explorer
