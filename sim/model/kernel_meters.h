// What one kernel of a plan does to the chip: compulsory traffic, HBM traffic after L2, occupancy, roofline time.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sim/programs/scenario.h"
#include "sim/trace/trace.h"

namespace sim {

/// The least time of one kernel: the slowest of its resources, each at its full rate, plus the launch.
/// Inaccuracies: no latency, no dependencies between engines, no tail; SMs without a CTA are idle.
struct KernelTime {
  double microseconds = 0;
  std::string bound_by;                                   ///< hbm, l2, tensor, fp32, exp or launch
  std::vector<std::pair<std::string, double>> resources;  ///< microseconds of each resource on its own
};

struct KernelMeters {
  std::string name;
  Totals totals;                  ///< tile traffic and work
  Traffic compulsory;             ///< inputs read once, outputs written once; own output read back does not count
  std::map<Tensor, Traffic> hbm;  ///< after L2, see sim/model/hbm_traffic.h
  std::int64_t ctas = 0;
  std::int64_t ctas_per_sm = 1;
  double waves = 0;  ///< CTAs / (SMs x CTAs per SM)
  KernelTime time;
};

/// Reads every meter of one counted kernel. All heads; K and V count once per KV head in the compulsory traffic.
KernelMeters measure(const Plan& plan, const Launch& launch, const Trace& trace);

}  // namespace sim
