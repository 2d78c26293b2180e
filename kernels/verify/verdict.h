// Whether a kernel did what its program says: values, bytes, sectors, passes through shared memory, memory, races.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/counters/counters.h"
#include "kernels/dev/device.h"
#include "sim/model/simulation.h"

namespace kernels {

/// One quantity of both. `quantity` is its path in the JSON of simulate, or error.X, sectors.X.read, sectors.X.write,
/// wavefronts, memory.peak, races, time, run.
struct VerdictRow {
  std::string quantity, unit;
  double simulated = 0, measured = 0;
  double tolerance = 0;  ///< of the difference
  bool ok = true;
  std::string cause = {};  ///< of the difference in words; "" where there is nothing to say
  bool missing = false;    ///< nothing was measured, for the cause; `measured` is 0 and says nothing
  bool recorded = false;   ///< not of this run: recorded on a GPU, as the cause says
  double difference() const { return measured - simulated; }
};

struct Verdict {
  std::string device;
  std::vector<VerdictRow> rows;
  bool ok() const;
};

/// The errors of one result against the reference in double: of the program, the largest that the numerics rule lets
/// pass (sim/model/numerics_rule.h), and of the kernel.
/// Of all heads they are those of the one that fails, else of the one that comes closest to its bound.
struct ValueErrors {
  std::string tensor;
  double program = 0, allowed = 0, kernel = 0;
  std::string nonfinite = {};  ///< which values are not finite, or what has no bound: then the result is wrong
  std::string note = {};       ///< what is to be known of the bound
};

/// What a run of the kernels showed.
struct Measurement {
  std::string kernel;  ///< its family
  std::vector<ValueErrors> errors;
  std::vector<dev::LaunchReport> reports;  ///< one per launch, where `traced`
  bool traced = false;                     ///< bytes, sectors, wavefronts and races were counted
  std::int64_t most_passes = 1;            ///< through shared memory that the kernels claim for one without conflicts
  std::int64_t peak_bytes = 0;
  std::optional<double> microseconds;         ///< on a GPU
  std::optional<counters::Reading> counters;  ///< of the hardware, or why there are none, where they were asked for
};

/// Passes through shared memory that a compiler adds to `ideal` ones. The emulated device puts lanes together by the
/// order of the code: built by clang 14, a warp stays apart for some instructions of a short last block (d 96, Nq 65,
/// Nk 30: 0.23 %, the most that was seen), so 0.25 %; built by g++ it never does, so 0.
std::int64_t passes_apart(std::int64_t ideal);

/// The rows of a run:
/// - error.X: the program's error beside the kernel's; both must be at most the tolerance.
/// - tile_traffic.by_tensor.X.read_bytes, write_bytes, tile_traffic.total and atomic_bytes: equal to the byte.
/// - sectors.X.read, write: `simulated` is ceil(bytes / 32), the least possible; equal where all blocks of the tensor
///   begin and end with a sector, else `tolerance` leads to a sector for each element, the most.
/// - wavefronts: `simulated` is the number without bank conflicts; up to as many times that as the kernels claim, and
///   passes_apart().
/// - memory.peak: bytes in use on the device, without rounding; equal.
/// - races: none.
/// - time: predicted and measured; never fails, since it is a prediction. `tolerance` is its published error, or the
///   prediction itself where nothing near was published.
/// - What the hardware counted (counter_rows.h), where it was asked.
Verdict compare(const sim::Simulation& program, const Measurement& kernel);

/// The row "time" of a measured time in microseconds.
VerdictRow time_row(const sim::Simulation& program, double measured);

/// Keeps, of each quantity, the row that failed, else the one with the larger measurement. `other` is a later run of
/// the same scenario; the cause of a row that it makes fail begins with `label`.
void keep_worst(Verdict& verdict, const Verdict& other, const std::string& label);

}  // namespace kernels
