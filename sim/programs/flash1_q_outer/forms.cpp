// Closed forms of FlashAttention-1 with an outer loop over Q: the traffic of flash2, without statistics.
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

using namespace form;

KernelForm flash1_q_outer_form(const Problem& p) {
  return with_dropout(
      p,
      {{{Tensor::Q, read, matrix, "B H Rq d e"},
        {Tensor::K, read, matrix, "B H Ak d e"},
        {Tensor::V, read, matrix, "B H Ak dv e"},
        {Tensor::O, write, matrix, "B H Nq dv e"}},
       {products, softmax, {"other_flops", /*say*/ "(alpha l O + beta P V) / l'", "3 B H Aq dv"}, exponentials}},
      dropout);
}

}  // namespace

std::span<const NamedForm> flash1_q_outer_forms() {
  static constexpr NamedForm forms[] = {{"flash1_q_outer", flash1_q_outer_form, "4 B H Ts"}};
  return forms;
}

}  // namespace sim
