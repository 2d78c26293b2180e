// Closed forms of PagedAttention. Sources: the conventions of counting; vLLM, csrc/attention/attention_kernels.cuh.
#include "sim/programs/kernel_form.h"
#include "sim/programs/paged_attention/tensors.h"

namespace sim {
namespace {

using namespace form;

/// Form of what both versions do: they read every key for each query head, whose page is looked up for K and again for
/// V.
KernelForm paged_attention_form(std::string_view reads_of_q, std::string_view reads_of_lengths) {
  return {{{Tensor::Q, read, matrix, reads_of_q},
           {seq_lens, read, matrix, reads_of_lengths},
           {Tensor::block_table, read, matrix, "8 B H Pt"},
           {Tensor::K, read, matrix, "B H Nk d e"},
           {Tensor::V, read, matrix, "B H Nk d e"}},
          {{"matmul_flops", /*say*/ "q K^T and P V on the FP32 pipe", "4 B H Nk d"},
           {"other_flops", /*say*/ "scale, max, subtraction, sum, division", "5 B H Nk"},
           {"exp_count", "P", "B H Nk"}}};
}

KernelForm paged_attention_v1_form(const Problem&) {
  KernelForm form = paged_attention_form("B H d e", "4 B H");
  form.traffic.push_back({Tensor::O, write, matrix, "B H d e"});
  return form;
}

KernelForm paged_attention_v2_form(const Problem&) {
  KernelForm form = paged_attention_form("B H Ns d e", "4 B H Ns");
  form.traffic.push_back({O_part16, write, matrix, "B H Ns d e"});
  form.traffic.push_back({Tensor::m_part, write, statistics, "4 B H Ns"});
  form.traffic.push_back({Tensor::l_part, write, statistics, "4 B H Ns"});
  return form;
}

/// A single part is copied: its statistics are not read.
KernelForm paged_attention_reduce_form(const Problem&) {
  return {{{seq_lens, read, matrix, "4 B H"},
           {O_part16, read, matrix, "B H Ns d e"},
           {Tensor::m_part, read, statistics, "4 B H Nm"},
           {Tensor::l_part, read, statistics, "4 B H Nm"},
           {Tensor::O, write, matrix, "B H d e"}},
          {{"other_flops", /*say*/ "O + beta O_is", "2 B H Nm d"}}};
}

}  // namespace

std::span<const NamedForm> paged_attention_forms() {
  static constexpr NamedForm forms[] = {{"paged_attention_v1", paged_attention_v1_form},
                                        {"paged_attention_v2", paged_attention_v2_form},
                                        {"paged_attention_reduce", paged_attention_reduce_form}};
  return forms;
}

}  // namespace sim
