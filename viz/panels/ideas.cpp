#include "viz/panels/ideas.h"

#include <algorithm>

#include "sim/model/roofline.h"
#include "sim/report/numbers.h"
#include "viz/model/wall.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/scenario/number.h"

namespace explorer {
namespace {

using Facts = const FirstFacts&;

std::string time_text(Facts facts, FactRun run) { return number_text("time.microseconds", facts[run].microseconds); }
std::string hbm_text(Facts facts, FactRun run) { return report::bytes(facts[run].hbm.total().count()); }

std::string part_of_time(const sim::Simulation& run, sim::Cause cause) {
  return part_text(run.budget[cause] / run.budget.total());
}

double times_slower(Facts facts, FactRun slow, FactRun fast) {
  return facts[slow].microseconds / facts[fast].microseconds;
}

IdeaValues bounds_values(const View& view, Facts facts) {
  return {std::string(resource_name(view, facts[FactRun::standard].bound_by)),
          std::string(resource_name(view, facts[FactRun::flash2].bound_by))};
}

IdeaValues waits_values(const View&, Facts facts) {
  return {part_of_time(facts[FactRun::standard], sim::Cause::bandwidth)};
}

IdeaValues fits_values(const View&, Facts facts) {
  const WallRun standard = wall_of(facts[FactRun::long_standard]), flash2 = wall_of(facts[FactRun::long_flash2]);
  return {report::thousands(standard.devices()),
          part_text(static_cast<double>(flash2.peak) / static_cast<double>(flash2.capacity))};
}

IdeaValues tiles_values(const View&, Facts facts) {
  const sim::Tiling& own = facts[FactRun::flash2].plan.problem.tiling;
  return {sim::text(own.br, " × ", own.bc), time_text(facts, FactRun::flash2), time_text(facts, FactRun::small_tiles)};
}

IdeaValues slower_values(const View&, Facts facts) {
  return {times_text(times_slower(facts, FactRun::small_tiles, FactRun::flash2)) + " x"};
}

IdeaValues occupancy_values(const View&, Facts facts) {
  return {sim::text(facts[FactRun::flash2].longest_kernel().ctas_per_sm)};
}

IdeaValues ridge_values(const View&, Facts facts) {
  const sim::Scenario& scenario = facts[FactRun::flash2].plan.scenario;
  return {report::intensity(sim::roofs_of(*scenario.gpu, scenario.dtype).hbm_ridge())};
}

IdeaValues waves_values(const View&, Facts facts) {
  return {fmt::format("{:.2f}", facts[FactRun::flash2].longest_kernel().waves)};
}

IdeaValues tail_values(const View&, Facts facts) { return {part_of_time(facts[FactRun::flash2], sim::Cause::tail)}; }

IdeaValues causal_values(const View&, Facts facts) {
  return {time_text(facts, FactRun::causal), time_text(facts, FactRun::flash2)};
}

IdeaValues decoding_values(const View&, Facts facts) { return {time_text(facts, FactRun::decoding)}; }

IdeaValues race_values(const View&, Facts facts) {
  return {times_text(times_slower(facts, FactRun::standard, FactRun::flash2)) + " x"};
}

IdeaValues sms_values(const View&, Facts facts) {
  return {sim::text(facts[FactRun::flash2].plan.scenario.gpu->sm_count)};
}

IdeaValues tile_bytes_values(const View&, Facts facts) {
  return {report::bytes(facts[FactRun::flash2].totals.total.total().count())};
}

IdeaValues hbm_bytes_values(const View&, Facts facts) {
  return {hbm_text(facts, FactRun::flash2), hbm_text(facts, FactRun::standard)};
}

IdeaValues compulsory_values(const View&, Facts facts) {
  return {report::bytes(facts[FactRun::flash2].compulsory.total().count())};
}

IdeaValues error_values(const View&, Facts facts) {
  const std::optional<double> error = facts[FactRun::flash2].accuracy.error_percent;
  return {error ? fmt::format("{:.1f} %", *error) : "?", time_text(facts, FactRun::flash2)};
}

// clang-format off
constexpr Idea all_ideas[] = {
    {/*say*/ "rescale", "rescaling shrink old sums correction",
     /*say*/ "why old sums shrink: a larger score arrives, and P x α",
     "inputs=text:mouse&cta=0,3,3,0&time=2550&center=microscope&without-alpha=1", nullptr},
    {/*say*/ "alpha", "α factor beta β exp",
     /*say*/ "α = exp(m − m′): the factor for sums made with the old maximum",
     "inputs=text:mouse&cta=0,3,3,0&time=2550&center=microscope", nullptr},
    {/*say*/ "bound", "bound by limit limits bottleneck resource issue",
     /*say*/ "limits: {} (standard), {} (Flash-2)",
     "batch=4&heads=32&seqlen=2048&center=engineer", bounds_values},
    {/*say*/ "export", "save share download picture table file png csv json pdf",
     /*say*/ "a picture; the share button has tables, traces, the link",
     "save-png", nullptr},
    {/*say*/ "svg", "chart vector export paper figure plot",
     /*say*/ "a chart for paper: flashscope sweep --format svg",
     "batch=4&heads=32&seqlen=2048&center=plots", nullptr},
    {/*say*/ "mp4", "film video movie gif export animation",
     /*say*/ "this race as a film: flashscope screenshot race.mp4",
     "batch=4&heads=32&seqlen=2048&algorithm=standard&compare=flash1,flash2&play=run", nullptr},
    {/*say*/ "trace", "event perfetto timeline steps",
     /*say*/ "each step of a CTA with its time: load, product, store",
     "batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=14000", nullptr},
    {/*say*/ "why slow", "slow time waits bandwidth cause budget memory",
     /*say*/ "{} of standard's time waits for bandwidth",
     "batch=4&heads=32&seqlen=2048&algorithm=standard&kernel=1&center=engineer", waits_values},
    {/*say*/ "what fits", "fits fit memory capacity wall out oom gpus large",
     /*say*/ "N 131,072: standard {} GPUs, Flash-2 {} of one",
     "batch=4&heads=32&seqlen=131072&center=wall", fits_values},
    {/*say*/ "tiles", "tile block br bc best size tune",
     /*say*/ "{}: {}; 64 × 64: {}",
     "batch=4&heads=32&seqlen=2048&center=tiles&tiles=time", tiles_values},
    {/*say*/ "exact", "same answer correct approximate error why",
     /*say*/ "the sums are repaired by α: no term is left out",
     "inputs=text:mouse&cta=0,3,3,0&time=2550&center=microscope", nullptr},
    {/*say*/ "why is mine slower", "slower mine measured compare two runs",
     /*say*/ "64 × 64 tiles: {} slower; or type your time",
     "batch=4&heads=32&seqlen=2048&compare=flash2+br:64+bc:64&center=engineer", slower_values},
    {/*say*/ "occupancy", "ctas per sm resident registers slots limit",
     /*say*/ "CTAs of Flash-2 that run on an SM at once: {}",
     "batch=4&heads=32&seqlen=2048&center=engineer", occupancy_values},
    {/*say*/ "bank conflict", "banks bank conflicts wavefront swizzle padding smem 32",
     /*say*/ "plain rows hit one of the 32 banks; swizzled rows use all",
     "batch=4&heads=32&seqlen=2048&center=engineer&banks=plain", nullptr},
    {/*say*/ "ridge", "roofline arithmetic intensity flop byte peak",
     /*say*/ "{} on this GPU: with less, HBM is the limit",
     "batch=4&heads=32&seqlen=2048&center=roofline", ridge_values},
    {/*say*/ "wave", "waves quantization grid slots fill",
     /*say*/ "the CTAs of Flash-2 fill the GPU {} times",
     "batch=4&heads=32&seqlen=2048&timeline=grid", waves_values},
    {/*say*/ "tail", "idle sms end last imbalance",
     /*say*/ "idle SMs at the end: {} of the time of Flash-2",
     "batch=4&heads=32&seqlen=2048&timeline=grid&time=1e9", tail_values},
    {/*say*/ "online softmax", "softmax running maximum sum one pass streaming",
     /*say*/ "m and l go along; when m grows, l and O shrink by α",
     "inputs=text:mouse&cta=0,3,3,0&time=2550&center=microscope", nullptr},
    {/*say*/ "varlen", "ragged lengths packing padding seqlens batch cu_seqlens",
     /*say*/ "texts of several lengths: what padding costs",
     "seqlens=1%20128%20128,1%20512%20512,1%201024%201024,1%202048%202048&heads=32", nullptr},
    {/*say*/ "causal", "mask triangle future skip decoder masking",
     /*say*/ "half of S is skipped: {} instead of {}",
     "batch=4&heads=32&seqlen=2048&causal=1&cta=0,0,11,0&time=14000", causal_values},
    {/*say*/ "decode", "decoding kv cache token generate generation inference split",
     /*say*/ "one query, 65,536 keys: {}, all SMs share the keys",
     "batch=4&heads=32&algorithm=flash-decoding&seqlen-q=1&seqlen-k=65536", decoding_values},
    {/*say*/ "page", "paged pages kv cache vllm block table pagedattention prefix samples",
     /*say*/ "K and V of past tokens in pages; a table says where each lies",
     "algorithm=paged-attention&heads=8&seqlen-q=1&seqlen-k=500&steps=128&samples=4&page-size=16&center=pages", nullptr},
    {/*say*/ "race", "speed faster compare film play run",
     /*say*/ "three runs on one clock: Flash-2 ends {} sooner",
     "batch=4&heads=32&seqlen=2048&algorithm=standard&compare=flash1,flash2&play=run", race_values},
    {/*say*/ "pipeline", "roles warpgroup producer consumer flash3 wgmma tma hopper ping pong",
     /*say*/ "one warpgroup copies, the others compute and take turns",
     "algorithm=flash3&head-dim=128&batch=4&heads=32&seqlen=2048&center=roles", nullptr},
    {/*say*/ "backward", "gradient gradients training dq dk dv do",
     /*say*/ "gradients: S is computed again, not read",
     "batch=4&heads=32&seqlen=2048&pass=backward", nullptr},
    {/*say*/ "Q, K, V, O", "q k v o queries keys values output tensors",
     /*say*/ "queries, keys, values, output: N rows of d numbers a head",
     "batch=4&heads=32&seqlen=2048", nullptr},
    {/*say*/ "N, d", "n nq nk d tokens sequence length head dim dimension",
     /*say*/ "tokens, and numbers for each: S has N x N scores",
     "batch=4&heads=32&seqlen=2048&center=wall", nullptr},
    {/*say*/ "dQ, dK, dV, dO", "dq dk dv do gradient loss",
     /*say*/ "the gradient of the loss with respect to Q, K, V, O",
     "batch=4&heads=32&seqlen=2048&pass=backward", nullptr},
    {/*say*/ "D", "rowsum do o backward",
     /*say*/ "one number per query, which the backward pass subtracts",
     "batch=4&heads=32&seqlen=2048&pass=backward", nullptr},
    {/*say*/ "dQ\\_acc", "dq_acc acc atomics atomic add fp32",
     /*say*/ "dQ in fp32, to which CTAs add by atomics",
     "batch=4&heads=32&seqlen=2048&pass=backward&tab=code", nullptr},
    {/*say*/ "dropout", "z mask keep probability",
     /*say*/ "Z is 1 / (1 − p) for a kept score, else 0",
     "batch=4&heads=32&seqlen=2048&dropout=0.1", nullptr},
    {/*say*/ "S, P", "s p scores probabilities exp matrix",
     /*say*/ "S = Q K^T scaled; P = exp(S − m), never in HBM with Flash-2",
     "batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=14000", nullptr},
    {/*say*/ "m, l, L", "m l log statistics row maximum sum lse logsumexp",
     /*say*/ "row maximum, row sum, and m + log l for the backward pass",
     "inputs=text:mouse&cta=0,3,3,0&time=2550&center=microscope", nullptr},
    {/*say*/ "SM", "sm sms streaming multiprocessor processor core",
     /*say*/ "one of {} processors, with its own shared memory",
     "batch=4&heads=32&seqlen=2048&timeline=grid", sms_values},
    {/*say*/ "HBM, L2, SMEM, registers", "hbm l2 smem registers sram shared memory levels cache bandwidth",
     /*say*/ "the levels of memory, from far to near",
     "batch=4&heads=32&seqlen=2048&tab=memory", nullptr},
    {/*say*/ "CTA", "cta thread block threads cooperative",
     /*say*/ "a block of threads: works alone on one SM, on one tile of rows",
     "batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=14000", nullptr},
    {/*say*/ "warp, warpgroup", "warp warpgroup 32 threads lanes four",
     /*say*/ "32 threads that issue together; four such warps",
     "algorithm=flash3&head-dim=128&batch=4&heads=32&seqlen=2048&center=roles", nullptr},
    {/*say*/ "tensor cores, MUFU", "tensor cores mufu exp units pipe pipes fp32",
     /*say*/ "the units for products, and for exponentials",
     "batch=4&heads=32&seqlen=2048&center=engineer", nullptr},
    {/*say*/ "sector, wavefront", "sector wavefront sectors 32 bytes coalesced",
     /*say*/ "32 bytes of HBM at once; one pass through the banks",
     "batch=4&heads=32&seqlen=2048&center=verification", nullptr},
    {/*say*/ "live, masked, skipped", "live masked skipped visible tile tiles pattern",
     /*say*/ "tiles with a visible pair, hidden ones too, or none",
     "batch=4&heads=32&seqlen=2048&causal=1&cta=0,0,11,0&time=14000", nullptr},
    {/*say*/ "Br, Bc, Tr, Tc", "br bc tr tc rows columns blocks",
     /*say*/ "rows of a block of queries and of keys; how many blocks",
     "batch=4&heads=32&seqlen=2048&center=tiles", nullptr},
    {/*say*/ "tiling", "tiling rule paper kernels sram m",
     /*say*/ "the rule for sizes of tiles: of kernels, or of the papers",
     "batch=4&heads=32&seqlen=2048&options=1", nullptr},
    {/*say*/ "released", "released released-1 official code 2022",
     /*say*/ "FlashAttention-1 as its code runs, unlike the paper",
     "batch=4&heads=32&seqlen=2048&algorithm=flash1-released", nullptr},
    {/*say*/ "scenario", "scenario options input sizes settings",
     /*say*/ "what a run is made of: algorithm, sizes, mask, type, GPU, tiles",
     "batch=4&heads=32&seqlen=2048&options=1", nullptr},
    {/*say*/ "program, kernel, launch", "program kernel launch function grid algorithm",
     /*say*/ "an algorithm; one function on the GPU; one start of it",
     "batch=4&heads=32&seqlen=2048&algorithm=standard&tab=code", nullptr},
    {/*say*/ "listing", "listing code source lines equations c++",
     /*say*/ "the source of the run, with each line's effect",
     "batch=4&heads=32&seqlen=2048&tab=code&source=1", nullptr},
    {/*say*/ "tile traffic", "tile traffic bytes meters moved",
     /*say*/ "bytes in and out of the SMs: {} in Flash-2",
     "batch=4&heads=32&seqlen=2048&select=tile_traffic.bytes", tile_bytes_values},
    {/*say*/ "HBM traffic", "hbm traffic bytes dram memory",
     /*say*/ "bytes that the L2 does not serve: {}, standard {}",
     "batch=4&heads=32&seqlen=2048&select=hbm_traffic.bytes", hbm_bytes_values},
    {/*say*/ "bucket", "bucket matrix statistics initialisation parts",
     /*say*/ "a part of tile traffic: matrices, statistics, first zeros",
     "batch=4&heads=32&seqlen=2048&select=tile_traffic.bytes", nullptr},
    {/*say*/ "compulsory traffic", "compulsory traffic least minimum lower bound",
     /*say*/ "the least HBM traffic, all read and written once: {}",
     "batch=4&heads=32&seqlen=2048&select=hbm_traffic.bytes", compulsory_values},
    {/*say*/ "fitted, held out", "fitted held out constants calibration validated",
     /*say*/ "published times that set constants; times never seen",
     "batch=4&heads=32&seqlen=2048&select=time.microseconds", nullptr},
    {/*say*/ "error of time", "error of time accuracy prediction predicted trust",
     /*say*/ "± {} of {}: mean error against published times",
     "batch=4&heads=32&seqlen=2048&select=time.microseconds", error_values},
    {/*say*/ "matching kernel", "matching kernel cuda family verify",
     /*say*/ "the CUDA kernel that runs the same program on a GPU",
     "batch=4&heads=32&seqlen=2048&center=verification", nullptr},
    {/*say*/ "emulated device", "emulated device emulator cpu records",
     /*say*/ "runs CUDA kernels on the CPU, and records each access",
     "batch=4&heads=32&seqlen=2048&center=verification", nullptr},
    {/*say*/ "verdict", "verdict verification check comparison equal",
     /*say*/ "program against kernel, number by number",
     "batch=4&heads=32&seqlen=2048&center=verification", nullptr},
    {/*say*/ "data race", "race races barrier hazard two threads address",
     /*say*/ "two threads at one address of shared memory, and no barrier",
     "batch=4&heads=32&seqlen=2048&center=verification", nullptr},
    {/*say*/ "recording", "recording recordings measured gpu figures",
     /*say*/ "figures measured on a GPU, with their conditions",
     "batch=4&heads=32&seqlen=2048&center=verification", nullptr},
};
// clang-format on

}  // namespace

std::span<const Idea> ideas() { return all_ideas; }

const Idea& idea(std::string_view label) {
  const auto found =
      std::find_if(std::begin(all_ideas), std::end(all_ideas), [&](const Idea& one) { return one.label == label; });
  sim::require(found != std::end(all_ideas), "ideas: none is called \"", label, "\"");
  return *found;
}

std::string answer_of(const View& view, const Idea& idea) {
  if (idea.values == nullptr) return std::string(view.say(idea.answer));
  const FirstFacts& facts = first_facts(view.model);
  if (!facts.ready()) return "…";
  const IdeaValues values = idea.values(view, facts);
  return view.say(idea.answer, values[0], values[1], values[2]);
}

Edit edit_of(const Idea& idea) {
  if (idea.is_action()) return Act{std::string(idea.link)};
  return Follow{std::string(idea.link)};
}

}  // namespace explorer
