// Closed forms of Flash-Decoding. Sources: the conventions of counting; Dao 2023, Algorithm 1, for each part.
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

using namespace form;

/// Without reads of V if it is the first columns of K.
KernelForm reading_k_alone(const Problem& p, KernelForm form) {
  if (p.kv_shared()) std::erase_if(form.traffic, [](const TrafficRule& rule) { return rule.tensor == Tensor::V; });
  return form;
}

KernelForm flash_decoding_form(const Problem& p) { return reading_k_alone(p, flash2_forward(p)); }

/// flash2 over each part of the keys: Q once per part that it sees; every part writes O and L, also empty ones.
KernelForm flash_decoding_split_form(const Problem& p) {
  return reading_k_alone(p, with_dropout(p,
                                         {{{Tensor::Q, read, matrix, "B H Pq d e"},
                                           {Tensor::K, read, matrix, "B H Ak d e"},
                                           {Tensor::V, read, matrix, "B H Ak dv e"},
                                           {Tensor::O_part, write, matrix, "4 B H Ns Nq dv"},
                                           {Tensor::L_part, write, statistics, "4 B H Ns Nq"}},
                                          {products,
                                           softmax,
                                           {"other_flops", /*say*/ "alpha O", "B H Aq dv"},
                                           {"other_flops", "O / l", "B H Ns Nq dv"},
                                           exponentials}},
                                         dropout));
}

KernelForm flash_decoding_combine_form(const Problem&) {
  return {{{Tensor::O_part, read, matrix, "4 B H Ns Nq dv"},
           {Tensor::L_part, read, statistics, "4 B H Ns Nq"},
           {Tensor::O, write, matrix, "B H Nq dv e"},
           {Tensor::L, write, statistics, "4 B H Nq"}},
          {{"other_flops", /*say*/ "O + beta / l O_is", "3 B H Ns Nq dv"}}};
}

}  // namespace

std::span<const NamedForm> flash_decoding_forms() {
  static constexpr NamedForm forms[] = {{"flash_decoding_split", flash_decoding_split_form, "4 B H Ts Ns"},
                                        {"flash_decoding", flash_decoding_form, "4 B H Ts"},
                                        {"flash_decoding_combine", flash_decoding_combine_form}};
  return forms;
}

}  // namespace sim
