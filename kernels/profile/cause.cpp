#include "kernels/profile/cause.h"

#include <cmath>
#include <iomanip>

#include "sim/base/check.h"

namespace profile {
namespace {

constexpr const char* unexplained = "unexplained";
constexpr double same = 0.01;        // relative difference below which numbers count as equal
constexpr double same_clock = 0.02;  // for clocks, which drift

bool close(double a, double b, double part = same) { return std::abs(a - b) <= part * std::abs(b); }

std::string decimals(double value, int places) {
  sim::TextStream out;
  out << std::fixed << std::setprecision(places) << value;
  return out.str();
}

std::string megabytes(double bytes) { return decimals(bytes / 1e6, 1) + " MB"; }

/// True if launches with other names or grids each do the whole work, as a warm-up with other settings.
bool is_repetition(const Row& row, const KernelComparison& part, const Kernels& kernels) {
  const double times = static_cast<double>(part.launches()) / static_cast<double>(kernels.count());
  const bool added = row.quantity != path::l2_hits && row.quantity != path::shared_memory &&
                     row.quantity != path::clock && row.quantity != path::hbm_rate && row.quantity != path::hbm_share;
  return times > 1 && added && close(*row.measured, times * row.simulated, row.expectation.value_or(same));
}

/// Explains fewer bytes beyond the L1s than tiles hold, by loads that go through an L1.
std::string l1_cause(const Row& row) {
  if (*row.measured >= row.simulated) return unexplained;
  return "an L1 can have served the rest: plain loads go through it, cp.async.cg and TMA do not";
}

/// One kernel with a CTA per row block reads Q once, and K and V once per row block: the measured number reveals the
/// size of row blocks.
std::string tile_read_cause(const Row& row, const Kernels& kernels) {
  const sim::Plan& plan = kernels.program.plan;
  const bool per_row_block = plan.launches.size() == 1 && plan.launches[0].grid.of_rows();
  if (!per_row_block || plan.code->row_at_a_time) return l1_cause(row);
  const sim::Totals& totals = kernels.program.totals;
  const double again =
      static_cast<double>((totals.tensor(sim::Tensor::K).read + totals.tensor(sim::Tensor::V).read).count());
  const double once = row.simulated - again;
  const std::int64_t br = plan.problem.tiling.br;
  for (const int n : {2, 4, 8, 16}) {  // tile sizes are powers of two
    if (br % n == 0 && close(*row.measured, once + n * again))
      return sim::text("as if K and V were read ", n, " times as often: row blocks of ", br / n, " rows, not ", br);
    if (close(*row.measured, once + again / n))
      return sim::text("as if K and V were read 1/", n, " as often: row blocks of ", n * br, " rows, not ", br,
                       ", or loads that CTAs share");
  }
  return l1_cause(row);
}

std::string tile_write_cause(const Row& row, const Kernels& kernels) {
  const Moved moved = moved_by(kernels);
  const bool of_l2 = row.metric.starts_with("lts__");
  if (of_l2 && moved.reductions > 0 && row.metric.find("_op_red") == std::string::npos)
    return sim::text("the program's ", megabytes(moved.reductions),
                     " of reductions are another metric: add --metrics lts__t_sectors_srcunit_tex_op_red.sum");
  return unexplained;
}

std::string hbm_read_cause(const Row& row, const KernelComparison& part, const Kernels& kernels) {
  const double inputs = moved_by(kernels).input_bytes;
  if (*row.measured < inputs)
    return "less than the " + megabytes(inputs) +
           " of the inputs: a part of them was in L2 before the launch, or is not read";
  for (const Row& other : part.rows) {
    if (other.quantity == path::tile_reads && !other.within()) return "unexplained; the reads of tiles differ as well";
  }
  return unexplained;
}

std::string hbm_write_cause(const Row& row, const Kernels& kernels) {
  const double l2 = static_cast<double>(kernels.program.plan.scenario.gpu->l2_bytes);
  if (*row.measured < row.simulated && row.simulated - *row.measured <= l2)
    return "L2, of " + megabytes(l2) + ", can hold the rest of the results when the counter stops";
  return unexplained;
}

/// Compares with the products of all tiles, masked ones included, in the forward pass.
std::string matmul_cause(const Row& row, const Kernels& kernels) {
  const sim::Plan& plan = kernels.program.plan;
  const sim::Shape& shape = plan.problem.shape;
  const double all = 4.0 * static_cast<double>(shape.batch) * static_cast<double>(shape.heads) *
                     static_cast<double>(shape.seqlen_q) * static_cast<double>(shape.seqlen_k) *
                     static_cast<double>(shape.head_dim);
  const bool skips = kernels.count() == kernels.program.kernels.size() && !plan.has_backward() && row.simulated < all;
  if (skips && close(*row.measured, all)) return "as if no masked tile were skipped";
  const bool short_tiles = shape.seqlen_q % plan.problem.tiling.br != 0 || shape.seqlen_k % plan.problem.tiling.bc != 0;
  if (*row.measured > row.simulated && short_tiles)
    return "tensor cores multiply the padding of short tiles as well, the program counts none";
  return unexplained;
}

std::string exponential_cause(const Row& row) {
  return *row.measured > row.simulated ? "the XU pipe also converts and divides: more than the exponentials"
                                       : "exponentials that other pipes compute, or of elements that are skipped";
}

std::string shared_memory_cause(const Row& row, const Kernels& kernels) {
  const sim::DeviceSpec& gpu = *kernels.program.plan.scenario.gpu;
  const double reserved = static_cast<double>(gpu.smem_bytes_per_sm - gpu.smem_bytes_per_cta);
  const bool with_reserved = row.metric == "launch__shared_mem_per_block";
  if (with_reserved && std::abs(row.difference() - reserved) <= row.rounding)
    return "the metric holds what the driver reserves as well";
  if (*row.measured < row.simulated && row.metric.find("ynamic") != std::string::npos &&
      row.metric.find("tatic") == std::string::npos)
    return "the static part is not in the file: add --metrics launch__shared_mem_per_block_static";
  return unexplained;
}

/// Clock in MHz; 0 if the file lacks it.
double clock_megahertz(const KernelComparison& part) {
  for (const Row& row : part.rows) {
    if (row.quantity == path::clock) return row.measured.value_or(0);
  }
  return 0;
}

std::string time_cause(const Row& row, const KernelComparison& part, const Kernels& kernels) {
  const double clock = clock_megahertz(part),
               assumed = static_cast<double>(kernels.program.plan.scenario.gpu->clock_hz) * 1e-6;
  const bool slower = clock<assumed, longer = row.difference()> 0;
  if (clock <= 0 || close(clock, assumed, same_clock) || slower != longer) return unexplained;
  const bool explains = close(*row.measured * clock / assumed, row.simulated, row.expectation.value_or(same));
  return std::string(explains ? "" : "in part: ") + "the SMs ran at " + decimals(clock, 0) +
         " MHz, the prediction takes " + decimals(assumed, 0) +
         " MHz (ncu holds the base clock unless --clock-control none)";
}

bool needs_cause(const Row& row) {
  if (row.expectation) return !row.within();
  return std::abs(row.difference()) > std::max(same * row.simulated, row.rounding);
}

}  // namespace

std::string cause_of(const Row& row, const KernelComparison& part, const Kernels& kernels) {
  if (!needs_cause(row)) return "";
  if (is_repetition(row, part, kernels))
    return sim::text(part.launches(), " launches are summed: --launch chooses some");
  if (row.quantity == path::time) return time_cause(row, part, kernels);
  if (row.quantity == path::shared_memory) return shared_memory_cause(row, kernels);
  if (row.quantity == path::l2_hits) return "see the reads of tiles and from HBM";
  if (row.quantity == path::clock) return "ncu holds the base clock unless --clock-control none, see time.microseconds";
  if (row.quantity == path::hbm_rate || row.quantity == path::hbm_share)
    return "bytes divided by time: see the rows of both";
  if (row.quantity == path::hbm_bytes) return unexplained;
  if (part.launches() != kernels.count()) return unexplained;  // the causes below assume one launch per kernel
  if (row.quantity == path::tile_reads) return tile_read_cause(row, kernels);
  if (row.quantity == path::tile_writes) return tile_write_cause(row, kernels);
  if (row.quantity == path::hbm_reads) return hbm_read_cause(row, part, kernels);
  if (row.quantity == path::hbm_writes) return hbm_write_cause(row, kernels);
  if (row.quantity == path::matmul) return matmul_cause(row, kernels);
  return exponential_cause(row);
}

}  // namespace profile
