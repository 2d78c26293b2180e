// Verdict of a kernel against its program: values, bytes, sectors, passes through shared memory, memory, races.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/counters/counters.h"
#include "kernels/dev/device.h"
#include "sim/model/simulation.h"
#include "sim/report/verdict.h"

namespace kernels {

using report::Verdict;
using report::VerdictRow;

/// Errors of one output against the reference in double: of the program, the bound of the numerics rule
/// (sim/model/numerics_rule.h), and of the kernel.
/// Taken from the head that fails, else from the one closest to its bound.
struct ValueErrors {
  std::string tensor;
  double program = 0, allowed = 0, kernel = 0;
  std::string nonfinite = {};  ///< non-finite values, or a missing bound: the output is then wrong
  std::string note = {};       ///< remark on the bound
};

/// Measurements of a run of the kernels.
struct Measurement {
  std::string kernel;  ///< its family
  std::vector<ValueErrors> errors;
  std::vector<dev::LaunchReport> reports;  ///< one per launch, if `traced`
  bool traced = false;                     ///< bytes, sectors, wavefronts and races were counted
  std::int64_t most_passes = 1;  ///< claimed maximum of passes through shared memory per pass without conflicts
  std::int64_t peak_bytes = 0;
  std::optional<double> microseconds;         ///< on a GPU
  std::optional<counters::Reading> counters;  ///< hardware counters, or why there are none; empty if not requested
};

/// Passes through shared memory that a compiler adds to `ideal` ones. The emulated device merges lanes by the order of
/// the code: built by clang 14, a warp stays diverged for some instructions of a short last block (d 96, Nq 65, Nk 30:
/// 0.23 %, the largest seen), so 0.25 %; built by g++ it never does, so 0.
std::int64_t passes_apart(std::int64_t ideal);

/// Compares a run with its program in rows:
/// - error.X: errors of the program and the kernel; both must be at most the tolerance.
/// - tile_traffic.by_tensor.X.read_bytes, write_bytes, tile_traffic.total and atomic_bytes: equal to the byte.
/// - sectors.X.read, write: `simulated` is ceil(bytes / 32), the minimum; equal if all blocks of the tensor
///   begin and end with a sector, else `tolerance` allows up to a sector per element, the maximum.
/// - wavefronts: `simulated` is the number without bank conflicts; allows the multiple that the kernels claim, plus
///   passes_apart().
/// - memory.peak: bytes in use on the device, without rounding; equal.
/// - races: none.
/// - time: predicted and measured; never fails, since it is a prediction. `tolerance` is its published error, or the
///   prediction itself if nothing similar was published.
/// - Hardware counters (counter_rows.h), if requested.
Verdict compare(const sim::Simulation& program, const Measurement& kernel);

/// Row "time" of a measured time in microseconds. The cause tells if `kernel` is a plain one.
VerdictRow time_row(const sim::Simulation& program, double measured, std::string_view kernel);

/// Keeps, for each quantity, the row that failed, else the one with the larger measurement. `other` is a later run of
/// the scenario; the cause of a row that it makes fail begins with `label`.
void keep_worst(Verdict& verdict, const Verdict& other, const std::string& label);

}  // namespace kernels
