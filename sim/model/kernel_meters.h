// Meters of one kernel of a plan: compulsory traffic, HBM traffic after L2, occupancy, predicted time.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/machine/occupancy.h"
#include "sim/model/kernel_time.h"
#include "sim/programs/plan.h"
#include "sim/trace/trace.h"

namespace sim {

/// Parts of tensors that queries see: rows of keys that some query sees, rows of queries that see a key. Matrices of
/// scores have no hidden part: programs that store them store all of it.
class SeenBytes {
 public:
  SeenBytes(const Shape& shape, const Hbm& hbm, const std::vector<KeySection>& sections);
  Bytes of(Tensor tensor) const;  ///< over the batch

 private:
  const Shape& shape_;
  const Hbm& hbm_;
  const std::vector<KeySection>& sections_;
  std::int64_t keys_, queries_;
};

struct KernelMeters {
  std::string name;
  Totals totals;       ///< tile traffic and work
  Flops folded_flops;  ///< part of the work: the scaling of S, folded into the exponentials' multiply-add
  /// The least HBM traffic: what some query sees of each input, read once, and what the kernel writes of each output,
  /// written once; reads of its own output do not count. Rows of keys that no query sees and rows of queries that see
  /// nothing are left out of inputs; outputs have them, as zeros.
  std::map<Tensor, Traffic> compulsory_by_tensor;
  Traffic compulsory;             ///< over tensors
  std::map<Tensor, Traffic> hbm;  ///< after L2, see sim/model/hbm_traffic.h
  bool hbm_counted = true;        ///< false if the device's caches have no model; `hbm` is then empty
  std::int64_t ctas = 0;
  CtaNeeds needs;  ///< resources of one CTA
  std::int64_t ctas_per_sm = 1;
  double iterations = 1;                 ///< average iterations of a CTA's innermost loop
  std::vector<double> class_iterations;  ///< iterations of each class of a ragged batch
  double waves = 0;                      ///< CTAs / (SMs x CTAs per SM)
  double stretch = 1;                    ///< HbmTraffic::stretch
  Reuse reuse;                           ///< HbmTraffic::reuse
  std::optional<HbmRange> hbm_range;     ///< set by add_range() if it is wide
  KernelTime time;
  double least_microseconds = 0, most_microseconds = 0;  ///< at both ends of hbm_range, else those of `time`
  Bytes hbm_total() const;
  KernelDemand demand() const {
    return {totals.total.total(), hbm_total(), ctas_per_sm, iterations, class_iterations, stretch};
  }
};

/// Reads every meter of one counted kernel, for all heads; K and V count once per KV head in the compulsory traffic.
/// In each direction compulsory traffic <= HBM traffic <= tile traffic.
KernelMeters measure(const Plan& plan, const Launch& launch, const Trace& trace);

/// Returns the compulsory traffic of a launch, whose counted events are `trace`, by tensor.
std::map<Tensor, Traffic> compulsory_of(const Plan& plan, const Launch& launch, const Trace& trace);

/// Adds the range of HBM traffic and time, if it is wide: hbm_range() in hbm_traffic.h. Cost: up to six times that of
/// measure(). `trace`: the counted events of the launch.
void add_range(const Plan& plan, const Launch& launch, const Trace& trace, KernelMeters& kernel);

}  // namespace sim
