#include "viz/tour/steps.h"

namespace tour {
namespace {

/// Standard attention, and what it costs.
std::vector<Step> wall() {
  return {
      {"algorithm=standard&batch=4&heads=32&seqlen=2048&cta=0,0,6,9",
       "matrix",
       {},
       {"tile_traffic.by_tensor.S.write_bytes = 2 * scenario.batch * scenario.heads * scenario.seqlen ^ 2",
        "tile_traffic.by_tensor.S.write_bytes > 5 * (memory.peak_hbm_bytes - memory.extra_hbm_bytes)"}},
      {"algorithm=standard&batch=4&heads=32&seqlen=2048&kernel=1&cta=0,0,700,0&time=2500&tab=memory",
       "memory",
       {},
       {"tile_traffic.by_tensor.S.read_bytes = tile_traffic.by_tensor.S.write_bytes",
        "tile_traffic.by_tensor.P.read_bytes = tile_traffic.by_tensor.P.write_bytes",
        "memory.extra_hbm_bytes = tile_traffic.by_tensor.S.write_bytes + tile_traffic.by_tensor.P.write_bytes",
        "hbm_traffic > 20 * (memory.peak_hbm_bytes - memory.extra_hbm_bytes)"}},
      {"algorithm=standard&batch=4&heads=32&seqlen=2048&kernel=1&cta=0,0,700,0&time=2500&tab=counters",
       "roofline",
       {},
       {"roofs.hbm_intensity < 0.2 * roofs.hbm_ridge", "time.budget.bandwidth > 0.5 * time.microseconds"}},
  };
}

/// Tiles, the online softmax, and the two orders of the loops.
std::vector<Step> idea() {
  return {
      {"batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=9000&tab=memory",
       "memory",
       {{"standard", "algorithm=standard"}},
       {"memory.peak_sram_bytes < gpu.smem_bytes_per_cta", "4 * scenario.br * scenario.bc < gpu.register_bytes_per_sm",
        "gpu.smem_bytes_per_clock * gpu.sm_count * gpu.clock_hz > 5 * gpu.hbm_bytes_per_second",
        "memory.extra_hbm_bytes < 0.001 * standard memory.extra_hbm_bytes"}},
      {"batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=13000&tab=softmax",
       "softmax",
       {{"standard", "algorithm=standard"}},
       {"work.exp_count = standard work.exp_count", "work.matmul_flops = standard work.matmul_flops"}},
      {"algorithm=flash1&batch=4&heads=32&seqlen=2048&time=700000",
       "matrix",
       {{"standard", "algorithm=standard"}},
       {"hbm_traffic < 0.5 * standard hbm_traffic",
        "tile_traffic.by_tensor.K.read_bytes = memory.peak_hbm_bytes / 4 - memory.extra_hbm_bytes / 4",
        "tile_traffic.by_tensor.O.read_bytes = scenario.seqlen / scenario.bc * tile_traffic.by_tensor.K.read_bytes",
        "tile_traffic.by_tensor.O > 0.5 * tile_traffic.total - tile_traffic.by_tensor.Q"}},
      {"batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=20000",
       "matrix",
       {{"standard", "algorithm=standard"}, {"flash1", "algorithm=flash1"}},
       {"hbm_traffic < 0.1 * flash1 hbm_traffic", "hbm_traffic < 1.01 * hbm_traffic.compulsory_bytes",
        "tile_traffic.by_tensor.O.write_bytes = tile_traffic.by_tensor.Q.read_bytes",
        "tile_traffic.by_tensor.K.read_bytes = scenario.seqlen / scenario.br * tile_traffic.by_tensor.Q.read_bytes",
        "hbm_traffic.by_tensor.K.l2_hit_rate > 0.9", "time.microseconds < 0.5 * flash1 time.microseconds",
        "flash1 time.microseconds < 0.5 * standard time.microseconds"}},
  };
}

/// Masks, where the time goes, and what one can change.
std::vector<Step> rest() {
  return {
      {"batch=4&heads=32&seqlen=2048&causal=1&cta=0,0,9,0&time=20000",
       "matrix",
       {{"all", "causal=0"}},
       {"work.matmul_flops < 0.6 * all work.matmul_flops", "work.matmul_flops > 0.5 * all work.matmul_flops",
        "time.microseconds > 0.55 * all time.microseconds", "time.budget.tail > all time.budget.tail"}},
      {"batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=14000",
       "timeline",
       {{"standard", "algorithm=standard"}},
       {"time.budget.bandwidth < 0.05 * time.microseconds",
        "standard time.budget.bandwidth > 0.5 * standard time.microseconds", "roofs.hbm_intensity > roofs.hbm_ridge",
        "time.budget.exp + time.budget.issue + time.budget.issue_busy > 0.5 * time.microseconds"}},
      {"batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=14000&br=64",
       "controls",
       {{"large", "br=128"}},
       {"tile_traffic.by_tensor.K = 2 * large tile_traffic.by_tensor.K", "hbm_traffic = large hbm_traffic",
        "time.microseconds > 0.95 * large time.microseconds", "time.microseconds < 1.05 * large time.microseconds"}},
  };
}

}  // namespace

const std::vector<Step>& steps() {
  static const std::vector<Step> all = [] {
    std::vector<Step> joined;
    for (const auto& part : {wall(), idea(), rest()}) joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

}  // namespace tour
