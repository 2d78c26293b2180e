// Predicted time of one kernel: the schedule of an SM, the grid over all SMs, and the bandwidth that they share. CTAs
// that queue for HBM together (grid_walk.h) stretch the schedule that they have without waits for HBM; the longer of
// both times counts.
//
// Inaccuracies: before the tail all CTAs in flight get an equal part of the L2's and the HBM's bandwidth, so that what
// a CTA leaves while it computes is used only by its neighbours on the SM; short tiles at an edge take as long as whole
// ones, as they do in kernels that pad; the launch is that of a kernel in a busy stream, without all of the fixed cost
// of short kernels: seven of 13 recorded cold decodes on an H100 take 10 to 13 us more than their bytes at full
// bandwidth, of which the model has 7 to 9.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/machine/sm_schedule.h"
#include "sim/machine/waves.h"
#include "sim/model/hbm_traffic.h"
#include "sim/programs/run.h"

namespace sim {

/// Part of the HBM's peak bandwidth that unfused kernels reach: the device's, if it was measured there, else the
/// constant that was fitted on another GPU, TimingConstants::framework_efficiency.
double framework_efficiency(const Scenario& scenario);

/// Demand of a kernel on the chip.
struct KernelDemand {
  Bytes tile, hbm;                            ///< tile: across all SRAM boundaries; hbm: between L2 and HBM
  std::int64_t residents = 1;                 ///< CTAs that fit on an SM
  double iterations = 1;                      ///< average iterations of a CTA's innermost loop
  std::vector<double> class_iterations = {};  ///< iterations of each class of a ragged batch
  double stretch = 1;                         ///< HbmTraffic::stretch
};

/// Returns the pace of a kernel's CTAs whatever its HBM traffic. Of a GPU without known times, CTAs make a step a
/// cycle, and no CTA waits for HBM. Inaccuracy: CTAs that share a head's work as the released flash1 does count as one,
/// which holds its slot for the time of all.
GridPace grid_pace(const Plan& plan, const Launch& launch, KernelDemand demand);

/// Conditions of one SM while the kernel runs: the rate of its port, and the number of CTAs that share it.
struct SmLoad {
  SmPort port;
  int residents = 1;
};
SmLoad sm_load(const Plan& plan, const Launch& launch, const KernelDemand& demand);

struct KernelTime {
  double microseconds = 0;                                ///< launch included
  std::int64_t clock_hz = 0;                              ///< clock of the SMs while the kernel runs
  Budget budget;                                          ///< microseconds by cause, average over the CTAs' slots
  std::string bound_by;                                   ///< resource with most of the budget: see resource_of
  std::int64_t sms_busy = 0;                              ///< SMs that get a CTA: min(CTAs, SMs)
  std::vector<std::pair<std::string, double>> resources;  ///< microseconds of each alone at full rate: the roofline
};

/// Predicts the time of a kernel of a plan; time and budget are NaN if has_time() is false for the GPU. Cost: about 0.1
/// ms. Errors: those that `flashscope validate` publishes.
KernelTime predict(const Plan& plan, const Launch& launch, const KernelDemand& demand);

/// The grid that predict() schedules, for a picture; its CTAs together take the predicted time.
struct GridInTime {
  std::int64_t ctas = 0;                  ///< CTAs as they run: those of the program times `shares`
  std::int64_t shares = 1;                ///< CTAs that share the work of one CTA of the program
  std::int64_t sms = 1;                   ///< SMs of the device
  std::int64_t ctas_per_sm = 1;           ///< CTAs that run concurrently on an SM
  Waves waves;                            ///< begins with the first CTA, without the kernel launch
  std::vector<std::size_t> classes = {};  ///< for a ragged batch, the class of each run in `waves`
};

/// Returns the grid with at most `residencies` residencies. Cost and errors: those of predict().
GridInTime grid_in_time(const Plan& plan, const Launch& launch, const KernelDemand& demand, std::int64_t residencies);

}  // namespace sim
