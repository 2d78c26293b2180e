// Closed forms of FlashAttention-2 under a pattern: those of flash2, whose sums over live tiles are those of the
// pattern, and the pattern itself, a byte for each tile and query head in each pass.
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

constexpr TrafficRule pattern_read{Tensor::mask_blocks, form::read, form::matrix, "B H Tr Tc"};

KernelForm with_pattern(KernelForm form) {
  form.traffic.push_back(pattern_read);
  return form;
}

KernelForm flash2_block_sparse_forward_form(const Problem& p) { return with_pattern(form::flash2_forward(p)); }

KernelForm flash2_block_sparse_backward_form(const Problem& p) { return with_pattern(form::flash2_backward(p)); }

}  // namespace

std::span<const NamedForm> flash2_block_sparse_forms() {
  static constexpr NamedForm forms[] = {{"flash2_block_sparse_forward", flash2_block_sparse_forward_form},
                                        {"flash2_block_sparse_backward_prepare", form::flash2_backward_prepare},
                                        {"flash2_block_sparse_backward", flash2_block_sparse_backward_form},
                                        {"flash2_block_sparse_backward_finish", form::flash2_backward_finish}};
  return forms;
}

}  // namespace sim
