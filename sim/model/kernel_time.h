// The predicted time of one kernel: the schedule of an SM, the grid over all of them, and what they share.
//
// Inaccuracies: every SM gets an equal part of the L2's and the HBM's bandwidth all the time, also in a last wave that
// leaves most SMs idle, so that a few tiles more may take a little less (tests/sim/time_laws_test.cpp); short tiles at
// an edge take as long as whole ones, as they do in kernels that pad; the launch is that of a kernel in a busy stream.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/machine/sm_schedule.h"
#include "sim/machine/waves.h"
#include "sim/programs/run.h"

namespace sim {

/// What a kernel asks of the chip.
struct KernelDemand {
  Bytes tile, hbm;                            ///< across all SRAM boundaries; between L2 and HBM
  std::int64_t residents = 1;                 ///< CTAs that fit on an SM
  double iterations = 1;                      ///< of the innermost loop of a CTA, on average
  std::vector<double> class_iterations = {};  ///< the same of each class of a ragged batch
};

/// What one SM works under while the kernel runs: what reaches it through its port, and how many CTAs share it.
struct SmLoad {
  SmPort port;
  int residents = 1;
};
SmLoad sm_load(const Plan& plan, const Launch& launch, const KernelDemand& demand);

struct KernelTime {
  double microseconds = 0;                                ///< launch included
  std::int64_t clock_hz = 0;                              ///< of the SMs while the kernel runs
  Budget budget;                                          ///< microseconds by cause, average over the CTAs' slots
  std::string bound_by;                                   ///< where most of the budget goes: see resource_of
  std::int64_t sms_busy = 0;                              ///< SMs that get a CTA: min(CTAs, SMs)
  std::vector<std::pair<std::string, double>> resources;  ///< microseconds of each alone at its full rate: the roofline
};

/// Predicts the kernel of a plan; time and budget are not numbers where has_time() is false of the GPU. Cost: about 0.1
/// ms. Errors: those that `flashscope validate` publishes.
KernelTime predict(const Plan& plan, const Launch& launch, const KernelDemand& demand);

/// The grid that predict() schedules, for a picture.
struct GridInTime {
  std::int64_t ctas = 0;                  ///< as they run: those of the program times `shares`
  std::int64_t shares = 1;                ///< CTAs that share what one does in the program
  std::int64_t sms = 1;                   ///< of the device
  std::int64_t ctas_per_sm = 1;           ///< that run side by side
  Waves waves;                            ///< begins with the first CTA: the kernel's launch is not in it
  std::vector<std::size_t> classes = {};  ///< of a ragged batch: which class each run in `waves` is of
};

/// Keeps at most `residencies` of them. Cost and errors: those of predict().
GridInTime grid_in_time(const Plan& plan, const Launch& launch, const KernelDemand& demand, std::int64_t residencies);

}  // namespace sim
