// The equations of one kernel, in the symbols of closed_form.h, and the table of kernels that have them.
#pragma once
#include <string_view>
#include <vector>

#include "sim/programs/program.h"

namespace sim {

struct TrafficRule {
  Tensor tensor;
  Direction direction;
  Bucket bucket;
  std::string_view equation;
};

struct WorkRule {
  std::string_view quantity, what, equation;
};

struct KernelForm {
  std::vector<TrafficRule> traffic;
  std::vector<WorkRule> work;
};

/// The form with one more item of work when there is dropout.
inline KernelForm with_dropout(const Problem& p, KernelForm form, WorkRule work) {
  if (p.dropout.any()) form.work.push_back(work);
  return form;
}

/// The equations of the kernel with this name. Throws Error when there are none.
KernelForm form_of_kernel(std::string_view kernel, const Problem& p);

KernelForm qk_gemm_form(const Problem& p);
KernelForm mask_form(const Problem& p);
KernelForm softmax_form(const Problem& p);
KernelForm dropout_form(const Problem& p);
KernelForm pv_gemm_form(const Problem& p);
KernelForm dv_gemm_form(const Problem& p);
KernelForm dp_gemm_form(const Problem& p);
KernelForm dropout_backward_form(const Problem& p);
KernelForm softmax_backward_form(const Problem& p);
KernelForm dq_gemm_form(const Problem& p);
KernelForm dk_gemm_form(const Problem& p);
KernelForm memory_efficient_forward_form(const Problem& p);
KernelForm memory_efficient_dv_form(const Problem& p);
KernelForm memory_efficient_d_form(const Problem& p);
KernelForm memory_efficient_dq_form(const Problem& p);
KernelForm memory_efficient_dk_form(const Problem& p);
KernelForm flash1_forward_form(const Problem& p);
KernelForm flash1_backward_form(const Problem& p);
KernelForm flash1_released_forward_form(const Problem& p);
KernelForm flash1_released_backward_form(const Problem& p);
KernelForm flash2_forward_form(const Problem& p);
KernelForm flash2_backward_prepare_form(const Problem& p);
KernelForm flash2_backward_form(const Problem& p);
KernelForm flash2_backward_finish_form(const Problem& p);

}  // namespace sim
