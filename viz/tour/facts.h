// The numbers that a text speaks of, by name, from runs: formulas over what `simulate --format json` prints.
//
//   tile_traffic.total                          of the main run, read and written bytes together
//   standard hbm_traffic.read_bytes             of another run: its name comes first
//   1 - work.matmul_flops / all work.matmul_flops
//   gpu.sm_count, roofs.hbm_ridge               of the device: the fields of its file, and its roofs
//
// Operators stand between spaces: "head-dim" is a name.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/simulation.h"

namespace tour {

class Facts {
 public:
  /// The main run has the empty name.
  void add(std::string name, const sim::Simulation& simulation);

  /// Throws sim::Error for a name or formula that means nothing.
  double value(std::string_view formula) const;

  /// "FORMULA" or "FORMULA | UNIT" as people read it, with its unit. Units are the functions of sim/report/numbers.h
  /// (bytes, percent, flop_rate, ...) and `number`: three digits that count. Without one the name decides.
  std::string text(std::string_view formula) const;

  /// A text with the formulas in its braces replaced. Braces within a script (_{ij}, ^{-2}) are left alone.
  std::string filled(std::string_view text) const;

  /// Whether "FORMULA < FORMULA" is true; also > and =, which is exact. Throws sim::Error for other texts.
  bool holds(std::string_view claim) const;

 private:
  struct Run {
    std::string name;
    nlohmann::ordered_json quantities;
  };
  const nlohmann::ordered_json* find(std::string_view name) const;

  std::vector<Run> runs_;
};

}  // namespace tour
