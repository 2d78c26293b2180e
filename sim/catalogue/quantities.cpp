#include "sim/catalogue/quantities.h"

#include <algorithm>
#include <iterator>

#include "sim/base/check.h"
#include "sim/catalogue/options.h"

namespace sim {
namespace {

constexpr bool counter = true, column = true, no_counter = false, no_column = false;
constexpr std::string_view in_kibibytes = "KiB", as_share = "share", as_error = "error";

// clang-format off
constexpr RunQuantity table[] = {
    {"tile_traffic.total.read_bytes", "bytes", "SRAM",
     "into SMEM and registers, every tile load; what the papers call HBM accesses",
     "l1tex__m_xbar2l1tex_read_bytes.sum", counter, column, {}, {"read", "  read"}, {"tile-traffic", "tile traffic"}},
    {"tile_traffic.total.write_bytes", "bytes", "SRAM",
     "out of the SM, every tile store", "lts__t_sectors_srcunit_tex_op_write.sum", counter, column, {}, {"written", "  written"}},
    {"tile_traffic.matrix.read_bytes", "bytes", "SRAM",
     "the part that moves Q, K, V, O, S, P, their gradients and masks", {}, counter},
    {"tile_traffic.matrix.write_bytes", "bytes", "SRAM", "the same, written"},
    {"tile_traffic.statistics.read_bytes", "bytes", "SRAM",
     "the part that moves m, l, L, D (fp32, one per query row)", {}, counter},
    {"tile_traffic.statistics.write_bytes", "bytes", "SRAM", "the same, written"},
    {"tile_traffic.initialisation.write_bytes", "bytes", "SRAM", "zeroing of O, l, m, dQ, dK, dV, dQ_acc", {}, counter},
    {"tile_traffic.initialisation.read_bytes", "bytes", "SRAM", "none: nothing is read to start values"},
    {"tile_traffic.by_tensor.T.read_bytes", "bytes", "SRAM", "the part of tensor T, as Q", {}, counter},
    {"tile_traffic.by_tensor.T.write_bytes", "bytes", "SRAM", "the same, written"},
    {"tile_traffic.by_line.N.read_bytes", "bytes", "SRAM", "the part of one listing line, the Nth from 0", {}, counter},
    {"tile_traffic.by_line.N.write_bytes", "bytes", "SRAM", "the same, written"},
    {"tile_traffic.by_line.N.line", "1", "-", "its line number in the listing, from 1"},
    {"tile_traffic.atomic_bytes", "bytes", "SRAM",
     "added to HBM by reductions; the total counts them as read and written, a GPU's SM gets nothing back",
     "lts__t_sectors_srcunit_tex_op_red.sum", counter},
    {"hbm_traffic.read_bytes", "bytes", "HBM", "what L2 does not serve", "dram__bytes_read.sum", counter, column,
     {}, {}, {"hbm-traffic", "HBM traffic after L2", "HBM traffic"}},
    {"hbm_traffic.write_bytes", "bytes", "HBM", "what reaches device memory", "dram__bytes_write.sum", counter, column},
    {"hbm_traffic.by_tensor.T.read_bytes", "bytes", "HBM", "the part of tensor T, as Q"},
    {"hbm_traffic.by_tensor.T.write_bytes", "bytes", "HBM", "the same, written"},
    {"hbm_traffic.by_tensor.T.l2_hit_rate", "1", "L2",
     "the part of tensor T's tile traffic that L2 serves", "lts__t_sector_hit_rate.pct, of all tensors", counter, no_column, as_share},
    {"hbm_traffic.again_bytes", "bytes", "L2",
     "tile bytes read that the kernel has read before; --why has them by reuse distance"},
    {"hbm_traffic.low", "bytes", "HBM", "the least of both ways together, where nobody can know: CTAs drift apart less or more"},
    {"hbm_traffic.high", "bytes", "HBM", "the most of it"},
    {"hbm_traffic.in_step", "bytes", "HBM", "the same if CTAs kept in step"},
    {"hbm_traffic.compulsory_bytes", "bytes", "HBM",
     "the least HBM traffic: per kernel, what queries see of inputs read once, and outputs written once", {}, counter, column,
     {}, {"compulsory", "compulsory traffic"}},
    {"hbm_traffic.compulsory_read_bytes", "bytes", "HBM", "the part that is read", {}, counter},
    {"hbm_traffic.compulsory_write_bytes", "bytes", "HBM", "the part that is written", {}, counter},
    {"links.l2.bytes", "bytes", "L2", "between L2 and the SMs, both ways: the tile traffic", {}, counter},
    {"links.l2.percent_of_peak", "%", "L2", "the same, of what L2 could move in the predicted time", {}, counter},
    {"links.hbm.bytes", "bytes", "HBM", "between HBM and L2, both ways: the HBM traffic", {}, counter},
    {"links.hbm.percent_of_peak", "%", "HBM", "the same, of what HBM could move in the predicted time", {}, counter},
    {"links.kernels.N.l2.percent_of_peak", "%", "L2", "while one kernel runs, the Nth from 0"},
    {"links.kernels.N.hbm.percent_of_peak", "%", "HBM", "while one kernel runs, the Nth from 0"},
    {"memory.peak_hbm_bytes", "bytes", "HBM", "most bytes of live tensors", {}, counter, column,
     {}, {"peak-memory", "peak HBM memory", "peak memory"}},
    {"memory.extra_hbm_bytes", "bytes", "HBM",
     "at the peak, beyond Q, K, V, O and their gradients", {}, counter, column, {}, {"extra-memory", "  beyond Q, K, V, O"}},
    {"memory.kv_cache.layers", "1", "-", "layers of the model; all other quantities are of one"},
    {"memory.kv_cache.bytes_per_token", "bytes", "HBM", "K and V of a token in all layers"},
    {"memory.kv_cache.bytes_per_sequence", "bytes", "HBM",
     "K and V of a sequence in all layers; one with a window keeps its last keys"},
    {"memory.kv_cache.bytes", "bytes", "HBM", "of the batch; weights and activations are left out", {}, no_counter, no_column,
     {}, {"kv-cache", "KV cache, all layers"}},
    {"memory.kv_cache.sequences_that_fit", "1", "HBM", "into the HBM of the device, were there nothing else"},
    {"pages.size", "tokens", "HBM", "of K and V in a page; all of pages is absent if they are in one piece"},
    {"pages.blocks", "pages", "HBM", "of one layer in memory, each once"},
    {"pages.blocks_unshared", "pages", "HBM", "the same, if each sequence had its own"},
    {"pages.copies", "pages", "HBM", "copied whole before a sequence wrote to one that others hold"},
    {"pages.copied_bytes", "bytes", "HBM", "of one layer, read, and as many written, by those copies: in no other number"},
    {"pages.filled_share", "1", "HBM", "of the slots of all pages, those that hold a token", {}, no_counter, no_column, as_share},
    {"pages.logical_share", "1", "HBM", "tokens of all sequences by slots: above 1 if sequences share pages"},
    {"pages.page_rounding_bytes", "bytes", "HBM", "of K and V that reading last pages to their ends would add; in no other number"},
    {"pages.sequences_that_fit.W", "1", "HBM", "of this length, beside the weights: paged, or reserved in way W"},
    {"pages.tokens_per_second.W", "tokens/s", "GPU", "that so many sequences decode, with the weights read once a step"},
    {"memory.published.bytes", "bytes", "HBM", "figure of a paper for the same run"},
    {"memory.peak_sram_bytes", "bytes", "SMEM",
     "most bytes of tiles of one CTA", "launch__shared_mem_per_block", counter, column, in_kibibytes},
    {"memory.sram_capacity_bytes", "bytes", "SMEM", "of one CTA", {}, no_counter, no_column, in_kibibytes},
    {"work.matmul_flops", "FLOP", "SM",
     "matrix products, 2 per multiply-add, masked elements of live tiles included",
     "sm__ops_path_tensor_*.sum", counter, column, {}, {"matrix-flops", "matrix FLOPs"}},
    {"work.other_flops", "FLOP", "SM",
     "scale, max, subtract, sum, rescale, divide: per element of a tile", {}, counter, column, {}, {"other-flops", "other FLOPs"}},
    {"work.exp_count", "exponentials", "SM",
     "exp per element of a tile", "smsp__inst_executed_pipe_xu.sum", counter, column, {}, {"exponentials", "exponentials"}},
    {"work.tanh_count", "tanh", "SM", "tanh of softcap or of a formula, per element of a tile; absent without them",
     {}, counter, no_column, {}, {"tanh", "tanh"}},
    {"time.microseconds", "microseconds", "GPU",
     "predicted, sum over kernels", "gpu__time_duration.sum", counter, column, {}, {"time", "predicted time"}},
    {"time.low", "microseconds", "GPU", "with the HBM traffic of hbm_traffic.low or hbm_traffic.high, the shorter"},
    {"time.high", "microseconds", "GPU", "the longer"},
    {"time.cycles", "cycles", "GPU", "the same in cycles of an SM"},
    {"time.clock_hz", "Hz", "GPU",
     "the clock of the SMs that the time is of, while the longest kernel runs", {}, no_counter, column},
    {"time.error_percent", "%", "GPU",
     "mean error of predicted times of such runs against published ones", {}, no_counter, column},
    {"time.sms_busy", "SMs", "GPU",
     "that get a CTA of the longest kernel, min(CTAs, SMs); time.sms is how many there are", {}, counter, column},
    {"time.sms", "SMs", "GPU", "of the device", {}, no_counter, column},
    {"time.budget.C", "microseconds", "GPU",
     "the part of the predicted time that goes to cause C, as issue", {}, counter},
    {"time.kernels.N.microseconds", "microseconds", "GPU", "of one kernel, the Nth from 0"},
    {"time.kernels.N.clock_hz", "Hz", "GPU", "the clock of the SMs while it runs"},
    {"time.kernels.N.waves", "waves", "GPU", "CTAs / (SMs x CTAs per SM)"},
    {"time.kernels.N.sms_busy", "SMs", "GPU", "that get a CTA of the kernel"},
    {"time.kernels.N.budget.C", "microseconds", "GPU", "the part of its time that goes to cause C"},
    {"steps.count", "1", "-", "decoding steps, which all other quantities are sums over; memory is that of the last one"},
    {"steps.first.keys", "keys", "-", "that the first step attends to"},
    {"steps.first.microseconds", "microseconds", "GPU", "predicted, of the first step"},
    {"steps.first.tile_bytes", "bytes", "SRAM", "tile traffic of the first step"},
    {"steps.first.hbm_bytes", "bytes", "HBM", "HBM traffic of the first step"},
    {"steps.last.keys", "keys", "-", "that the last step attends to"},
    {"steps.last.microseconds", "microseconds", "GPU", "predicted, of the last step"},
    {"steps.last.tile_bytes", "bytes", "SRAM", "tile traffic of the last step"},
    {"steps.last.hbm_bytes", "bytes", "HBM", "HBM traffic of the last step"},
    {"gpus.steps", "1", "-", "computations of a GPU that shares its sequences; all other numbers are sums over them, of the slowest GPU of each; all of gpus is absent on one"},
    {"gpus.sent_bytes", "bytes", "link", "that each GPU sends to others"},
    {"gpus.held_bytes", "bytes", "HBM", "most bytes of K and V that a GPU holds at once"},
    {"gpus.pairs_slowest", "pairs", "-", "visible pairs of a query and a key that the slowest GPU computes, all heads"},
    {"gpus.balance", "1", "-", "visible pairs of all GPUs by those that they would compute if each were the slowest", {}, no_counter, no_column, as_share},
    {"gpus.elements_slowest", "elements", "-", "of live tiles that the slowest GPU computes, masked ones included, all heads"},
    {"gpus.merged_bytes", "bytes", "HBM", "of O and L in fp32, read and written, by merging the results of steps: in no other number"},
    {"gpus.exposed_microseconds", "microseconds", "GPU", "of transfers between GPUs that no computation hides"},
    {"stalls.kernels.N.microseconds", "microseconds", "SM", "of one CTA of the Nth kernel, the one with the most iterations of its head; stalls.kernels.N.cta names it", {}, counter},
    {"stalls.kernels.N.events", "events", "SM", "of that CTA as it is replayed"},
    {"stalls.kernels.N.E.work", "microseconds", "SM", "that engine E works for the CTA, as tensor", {}, counter},
    {"stalls.kernels.N.E.work_percent", "%", "SM", "the same, of the time of the CTA"},
    {"stalls.kernels.N.E.waiting", "microseconds", "SM", "that events of engine E wait, in sum", {}, counter},
    {"stalls.kernels.N.E.waiting_percent", "%", "SM", "the same, of the time of the CTA"},
    {"stalls.kernels.N.E.waits.C", "microseconds", "SM", "the part of the waits that goes to cause C, as barrier", {}, counter},
    {"stalls.kernels.N.E.idle", "microseconds", "SM", "that engine E is idle while others work", {}, counter},
    {"stalls.kernels.N.E.idle_percent", "%", "SM", "the same, of the time of the CTA"},
    {"banks.A.plain", "wavefronts", "SMEM", "passes of access A of a warp, as ldmatrix, to a tile as wide as a head whose rows are contiguous", {}, counter},
    {"banks.A.padded", "wavefronts", "SMEM", "the same with 16 bytes after each row", {}, counter},
    {"banks.A.swizzled", "wavefronts", "SMEM", "the same with chunks of 16 bytes permuted within their row, as in the kernels", {}, counter},
    {"banks.A.least", "wavefronts", "SMEM", "the same without bank conflicts"},
    {"banks.padding_bytes", "bytes", "SMEM", "that padding adds to a tile of K"},
    {"check.max_abs_error", "1", "-",
     "largest |value - reference| of O and the gradients, reference in double precision", {}, counter, no_column, as_error},
    {"check.max_rel_error", "1", "-", "the same, relative to the largest |reference|",
     {}, no_counter, no_column, as_error},
    {"check.by_tensor.T.max_abs_error", "1", "-", "of one output", {}, no_counter, no_column, as_error},
    {"check.by_tensor.T.max_rel_error", "1", "-", "of one output, relative to its largest |reference|",
     {}, no_counter, no_column, as_error},
    {"values.rmse", "1", "-", "root mean square error of O in e4m3, against double precision on the inputs before they were quantised",
     {}, no_counter, no_column, as_error},
    {"kernels.N.br", "rows", "-", "of one block"},
    {"kernels.N.bc", "columns", "-", "of one step"},
    {"kernels.N.ctas", "CTAs", "GPU", "of the grid"},
    {"kernels.N.resident_ctas", "CTAs", "GPU", "on the chip at a time; all there are of a persistent grid"},
    {"kernels.N.threads", "threads", "SM", "of one CTA"},
    {"kernels.N.smem_bytes", "bytes", "SMEM", "most bytes of tiles of one CTA", {}, no_counter, no_column, in_kibibytes},
    {"kernels.N.occupancy.ctas_per_sm", "CTAs", "SM", "that fit on an SM at a time; kernels.N.occupancy.limit names what keeps another one off", {}, counter},
    {"kernels.N.occupancy.smem", "CTAs", "SM", "that fit in shared memory"},
    {"kernels.N.occupancy.registers", "CTAs", "SM", "that fit in registers"},
    {"kernels.N.occupancy.threads", "CTAs", "SM", "that threads allow"},
    {"kernels.N.occupancy.cta_slots", "CTAs", "SM", "that the SM takes in any case"},
    {"kernels.N.intensity.tile", "FLOP/B", "SRAM", "matrix FLOPs per byte of tile traffic; other FLOPs of a kernel without any"},
    {"kernels.N.intensity.hbm", "FLOP/B", "HBM", "matrix FLOPs per byte of HBM traffic; other FLOPs of a kernel without any"},
    {"scenario.O", "", "-", "given, or derived"},
    {"schema", "1", "-", "the version of this JSON"},
};
// clang-format on

std::string_view take_part(std::string_view& path) {
  const std::size_t end = std::min(path.find('.'), path.size());
  const std::string_view part = path.substr(0, end);
  path.remove_prefix(std::min(end + 1, path.size()));
  return part;
}

bool stands_for(std::string_view place, std::string_view part) {
  if (place == part) return true;
  if (place == "N") return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  return place == "T" || place == "A" || place == "C" || place == "E" || place == "O" || place == "W";
}

bool is_of(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    if (!stands_for(take_part(pattern), take_part(path))) return false;
  }
  return pattern.empty() && path.empty();
}

}  // namespace

std::span<const RunQuantity> quantities() { return table; }

const RunQuantity* find_quantity(std::string_view path) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const RunQuantity& row) { return is_of(row.path, path); });
  return found == std::end(table) ? nullptr : found;
}

const RunQuantity* quantity_of_metric(std::string_view metric) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const RunQuantity& row) { return row.metric == metric; });
  return metric.empty() || found == std::end(table) ? nullptr : found;
}

std::string_view unit_of_quantity(std::string_view path) {
  const RunQuantity* row = find_quantity(path);
  require(row != nullptr, "quantities: no row has the path ", path);
  return row->unit.empty() ? option_called(path.substr(path.rfind('.') + 1)).number.unit : row->unit;
}

std::string_view short_unit(std::string_view unit) { return unit == "microseconds" ? "us" : unit; }

}  // namespace sim
