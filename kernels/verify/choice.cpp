#include "kernels/verify/choice.h"

#include <algorithm>
#include <limits>

#include "kernels/measurements/recorded.h"
#include "kernels/verify/ragged.h"
#include "kernels/verify/run.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"

namespace kernels {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

/// Families that have a matching kernel for every launch of the plan.
std::vector<std::string> complete_kernels(const sim::Plan& plan, dev::Flavour flavour) {
  std::vector<std::string> complete;
  for (const std::string& name : kernel_names(flavour)) {
    const auto has = [&](const sim::Launch& launch) { return find_kernel(flavour, name, launch.name) != nullptr; };
    if (std::all_of(plan.launches.begin(), plan.launches.end(), has) &&
        std::all_of(plan.before.begin(), plan.before.end(), has))
      complete.push_back(name);
  }
  return complete;
}

/// True if some family has a kernel for the plan's first launch.
bool has_kernels(const sim::Plan& plan, dev::Flavour flavour) {
  const std::vector<MatchingKernel>& all = matching_kernels(flavour);
  return std::any_of(all.begin(), all.end(),
                     [&](const MatchingKernel& matching) { return matching.launch == plan.launches[0].name; });
}

void check_kernels(const sim::Plan& plan, std::string_view kernel, dev::Flavour flavour) {
  for (const auto* launches : {&plan.before, &plan.launches}) {
    for (const sim::Launch& launch : *launches) {
      if (find_kernel(flavour, kernel, launch.name) != nullptr) continue;
      const std::vector<std::string> others = complete_kernels(plan, flavour);
      throw sim::Error("kernel: ", kernel, " has no kernel for ", launch.name,
                       others.empty() ? "" : "; there are --kernel " + sim::joined(others),
                       " (each kernel of a program needs a matching kernel)");
    }
  }
}

/// Families with a kernel of which `has` is true.
template <class Has>
std::vector<std::string_view> kernels_with(dev::Flavour flavour, Has has) {
  std::vector<std::string_view> names;
  for (const MatchingKernel& matching : matching_kernels(flavour)) {
    if (has(matching) && (names.empty() || names.back() != matching.kernel)) names.push_back(matching.kernel);
  }
  return names;
}

/// Throws Error that names softcap, ALiBi or sinks if no kernel of the family takes them.
void check_modified(const sim::Scenario& s, std::string_view kernel, dev::Flavour flavour) {
  if (s.score_steps.empty() && s.sinks == nullptr) return;
  const std::string option = s.score_steps.empty() ? "sink" : s.score_steps.begin()->first;
  const auto with = kernels_with(flavour, [](const MatchingKernel& matching) { return matching.modifies; });
  sim::require(std::find(with.begin(), with.end(), kernel) != with.end(), option, ": the kernels ", kernel,
               " take none; those that do are ", sim::joined(with));
}

void check_ragged(const sim::Plan& plan, std::string_view kernel, dev::Flavour flavour) {
  if (plan.classes == nullptr) return;
  const auto takes = [&](const sim::Launch& launch) {
    return find_kernel(flavour, kernel, launch.name)->takes_lengths();
  };
  const auto with = kernels_with(flavour, [](const MatchingKernel& matching) { return matching.takes_lengths(); });
  sim::require(std::all_of(plan.launches.begin(), plan.launches.end(), takes) &&
                   std::all_of(plan.before.begin(), plan.before.end(), takes),
               "seqlens: the kernels ", kernel, " take batch entries of one length; those that take others are ",
               sim::joined(with));
}

void check_paged(const sim::Plan& plan, std::string_view kernel, dev::Flavour flavour, std::int64_t smem_of_card) {
  if (!plan.problem.paged()) return;
  const auto takes = [&](const sim::Launch& launch) {
    return !launch.reads(sim::Tensor::K) || find_kernel(flavour, kernel, launch.name)->run_paged != nullptr;
  };
  const auto with = kernels_with(flavour, [](const MatchingKernel& matching) { return matching.run_paged != nullptr; });
  sim::require(std::all_of(plan.launches.begin(), plan.launches.end(), takes), "page-size: the kernels ", kernel,
               " read K and V in one piece; those that take pages are ", sim::joined(with));
  sim::require(plan.problem.key_sections.empty(),
               "samples, shared-prefix: kernels run with the pages of each sequence alone: leave them out");
  for (const sim::Launch& launch : plan.launches) {
    const MatchingKernel* matching = find_kernel(flavour, kernel, launch.name);
    if (matching->check_paged != nullptr)
      matching->check_paged(arguments_of(plan, launch, smem_of_card),
                            static_cast<std::int32_t>(plan.problem.pages->rows));
  }
}

/// Checks that indices of a head's rows and elements, and of N x N matrices if stored, fit in 31 bits.
void check_indices(const sim::Plan& plan) {
  for (const auto* launches : {&plan.before, &plan.launches}) {
    for (const sim::Launch& launch : *launches) {
      for (const auto* tensors : {&launch.inputs, &launch.outputs, &launch.scratch}) {
        for (const sim::Tensor name : *tensors) {
          const sim::HbmTensor& tensor = plan.problem.hbm[name];
          sim::require(tensor.elements() <= largest, "seqlen: a head of ", sim::name_of(name), " has ", tensor.rows,
                       " x ", tensor.cols, " elements, kernels take at most ", largest);
        }
      }
      std::int64_t ctas = 0;
      for (const sim::Grid& segment : sim::segments_of(plan, launch)) ctas = sim::checked_add(ctas, segment.ctas());
      sim::require(ctas <= largest, "heads: ", launch.name, " needs a grid of ", ctas, " blocks, kernels take at most ",
                   largest);
    }
  }
}

/// Checks that the table of a ragged batch, and the strides between rows of a tile, fit in 31 bits.
void check_packed(const sim::Plan& plan) {
  const auto classes = std::ssize(*plan.classes);
  sim::require(classes <= most_ragged_classes, "seqlens: ", classes, " lines are more than the ", most_ragged_classes,
               " that kernels take: join those of equal lengths");
  std::int64_t queries = 0, keys = 0;
  for (const sim::Plan& c : *plan.classes) {
    const sim::Shape& shape = c.problem.shape;
    queries = sim::checked_add(queries, sim::checked_multiply(shape.batch, shape.seqlen_q));
    keys = sim::checked_add(keys, sim::checked_multiply(shape.batch, shape.seqlen_k));
  }
  sim::require(std::max(queries, keys) <= largest, "seqlens: ", std::max(queries, keys), " rows are more than the ",
               largest, " that kernels take");
  const sim::Problem& p = plan.problem;
  const std::int64_t step = sim::product(std::max(p.tiling.br, p.tiling.bc), p.shape.heads, p.shape.head_dim);
  sim::require(step <= largest, "heads: the packed rows of a tile span ", step, " elements, kernels take at most ",
               largest);
}

/// Checks masks and score steps, and the tile and head dimension against those that tensor-core kernels are compiled
/// for.
void check_tiles(const sim::Plan& plan, std::string_view kernel, dev::Flavour flavour, std::int64_t smem_of_card) {
  for (const auto* launches : {&plan.before, &plan.launches}) {
    for (const sim::Launch& launch : *launches) {
      const MatchingKernel* matching = find_kernel(flavour, kernel, launch.name);
      const Arguments arguments = arguments_of(plan, launch, smem_of_card);
      if (matching->check == nullptr) continue;
      try {
        matching->check(arguments);
      } catch (const sim::Error& refusal) {
        if (find_kernel(flavour, plan.code->name, launch.name) == nullptr) throw sim::Error("kernel: ", refusal);
        throw sim::Error("kernel: ", refusal, "; or --kernel ", plan.code->name);
      }
    }
  }
}

/// Checks the options of flash3 that its kernel has one value of.
void check_flash3(const sim::Scenario& s, std::string_view kernel) {
  if (kernel != "flash3_wgmma") return;
  const auto given = [&](const char* option, std::int64_t otherwise) {
    const auto found = s.own.find(option);
    return found == s.own.end() ? otherwise : found->second;
  };
  sim::require(given("schedule", 0) == 0, "schedule: ", kernel, " overlaps softmax with products: leave it out");
  sim::require(given("stages", 2) == 2, "stages: ", kernel, " has 2: leave it out");
  sim::require(s.dtype != sim::Dtype::e4m3, "dtype: ", kernel, " has fp16 and bf16, not e4m3");
}

}  // namespace

std::vector<std::string> kernel_names(dev::Flavour flavour) {
  std::vector<std::string> names;
  for (const MatchingKernel& matching : matching_kernels(flavour)) {
    if (std::find(names.begin(), names.end(), matching.kernel) == names.end()) names.emplace_back(matching.kernel);
  }
  return names;
}

std::string choose_kernel(const sim::Plan& plan, const std::optional<std::string>& asked, dev::Flavour flavour,
                          std::int64_t smem_of_card) {
  const std::vector<std::string> names = kernel_names(flavour);
  const sim::Scenario& s = plan.scenario;
  sim::require(!sim::is_released(s.tiling), "tiling: ", sim::name_of(s.tiling),
               " has no kernel; there are kernels for --tiling kernel and paper");
  sim::require(!s.pattern.any() || plan.code->pattern != sim::PatternUse::as_mask, "pattern: the kernels of ",
               s.algorithm, " take none: leave it out");
  const auto [d, dv] = plan.scenario.shape.head_dims();
  sim::require(d == dv, "head-dim-v: kernels have one head dim, not ", d, " and ", dv, ": leave it out");
  sim::require(!s.shape.kv_shared, "kv-shared: kernels load V apart from K: leave it out");
  sim::require(s.gpus == 1, "gpus: kernels run on one GPU: leave it out");
  sim::require(s.steps == 0, "steps: kernels run one step: leave it out, and give the keys of that step by --seqlen-k");
  sim::require(plan.problem.own("keys") == 0, "keys: only up has kernels; those of ", s.algorithm,
               " take their key blocks upwards: leave it out");
  if (asked && std::find(names.begin(), names.end(), *asked) == names.end())
    throw sim::Error(sim::unknown_name_message("kernel", *asked, names));
  std::string kernel = asked ? *asked : measurements::default_kernel(s);
  sim::require(asked || has_kernels(plan, flavour), "algorithm: ", plan.code->name, " has no kernel; kernels are ",
               sim::joined(names));
  check_flash3(s, kernel);
  check_modified(s, kernel, flavour);
  check_kernels(plan, kernel, flavour);
  check_ragged(plan, kernel, flavour);
  check_paged(plan, kernel, flavour, smem_of_card);
  check_tiles(plan, kernel, flavour, smem_of_card);
  return kernel;
}

void check_sizes(const sim::Plan& plan) {
  const sim::Shape& shape = plan.problem.shape;
  sim::require(shape.head_dim % 8 == 0, "head-dim: ", shape.head_dim, " is not a multiple of 8, as kernels need it");
  const std::pair<const char*, std::int64_t> sizes[] = {{"batch", shape.batch},
                                                        {"heads", shape.heads},
                                                        {"seqlen-q", shape.seqlen_q},
                                                        {"seqlen-k", shape.seqlen_k},
                                                        {"head-dim", shape.head_dim},
                                                        {"padding", shape.mask.padding},
                                                        {"window", shape.mask.window.value_or(0)}};
  for (const auto& [name, size] : sizes)
    sim::require(size <= largest, name, ": ", size, " is more than the ", largest, " that kernels take");
  check_indices(plan);
  if (plan.classes != nullptr) check_packed(plan);
}

}  // namespace kernels
