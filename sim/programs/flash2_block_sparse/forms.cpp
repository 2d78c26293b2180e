// Closed forms of FlashAttention-2 under a pattern: those of flash2, whose sums over live tiles are those of the
// pattern, and the pattern itself, a byte for each tile and query head in each pass.
#include "sim/programs/kernel_form.h"

namespace sim {

std::span<const NamedForm> flash2_forms();

namespace {

constexpr TrafficRule pattern_read{Tensor::mask_blocks, form::read, form::matrix, "B H Tr Tc"};

/// The form of a kernel of flash2.
KernelForm of_flash2(std::string_view kernel, const Problem& p) {
  for (const NamedForm& named : flash2_forms()) {
    if (named.kernel == kernel) return named.form(p);
  }
  throw Error(text("closed form: flash2 has no kernel ", kernel));
}

KernelForm flash2_block_sparse_forward_form(const Problem& p) {
  KernelForm form = form::flash2_forward(p);
  form.traffic.push_back(pattern_read);
  return form;
}

KernelForm flash2_block_sparse_prepare_form(const Problem& p) { return of_flash2("flash2_backward_prepare", p); }

KernelForm flash2_block_sparse_backward_form(const Problem& p) {
  KernelForm form = of_flash2("flash2_backward", p);
  form.traffic.push_back(pattern_read);
  return form;
}

KernelForm flash2_block_sparse_finish_form(const Problem& p) { return of_flash2("flash2_backward_finish", p); }

}  // namespace

std::span<const NamedForm> flash2_block_sparse_forms() {
  static constexpr NamedForm forms[] = {{"flash2_block_sparse_forward", flash2_block_sparse_forward_form},
                                        {"flash2_block_sparse_backward_prepare", flash2_block_sparse_prepare_form},
                                        {"flash2_block_sparse_backward", flash2_block_sparse_backward_form},
                                        {"flash2_block_sparse_backward_finish", flash2_block_sparse_finish_form}};
  return forms;
}

}  // namespace sim
