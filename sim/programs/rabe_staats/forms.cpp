// Closed forms of attention after Rabe and Staats. Source: Dao et al. 2022, appendix B.5.
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

using namespace form;

/// K and V once, Q once per chunk that it sees; each chunk writes a copy of O and of its statistics.
KernelForm rabe_staats_chunk_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::K, read, matrix, "B Hk Ck d e"},
                        {Tensor::V, read, matrix, "B Hk Ck dv e"},
                        {Tensor::Q, read, matrix, "B H Aq d e"},
                        {Tensor::O_part, write, matrix, "4 B H Aq dv"},
                        {Tensor::m_part, write, statistics, "4 B H Aq"},
                        {Tensor::l_part, write, statistics, "4 B H Aq"}},
                       {products, softmax, exponentials}},
                      dropout);
}

KernelForm rabe_staats_combine_form(const Problem&) {
  return {{{Tensor::O_part, read, matrix, "4 B H Aq dv"},
           {Tensor::m_part, read, statistics, "4 B H Aq"},
           {Tensor::l_part, read, statistics, "4 B H Aq"},
           {Tensor::O, write, matrix, "B H Nq dv e"},
           {Tensor::L, write, statistics, "4 B H Nq"}},
          {{"other_flops", /*say*/ "alpha l O + beta O_ij, divided by l'", "3 B H Aq dv"}}};
}

/// Backward traffic of flash2; P V is recomputed with the scores, so there are 12 instead of 10.
KernelForm rabe_staats_backward_form(const Problem& p) {
  return with_dropout(
      p,
      {flash2_backward(p).traffic,
       {{"matmul_flops", /*say*/ "Q K^T and P V again, P^T dO, dO V^T, dS K and dS^T Q", "6 B H A (d+dv)"},
        softmax,
        {"other_flops", /*say*/ "alpha P; dS = P o (dP - D)", "3 B H A"},
        {"other_flops", /*say*/ "scale of dK", "B Hk Nk d"},
        exponentials}},
      {"other_flops", /*say*/ "dropout of P and dP, alpha P_d", "3 B H A"});
}

}  // namespace

std::span<const NamedForm> rabe_staats_forms() {
  static constexpr NamedForm forms[] = {{"rabe_staats_chunk", rabe_staats_chunk_form, "4 B H Tc"},
                                        {"rabe_staats_combine", rabe_staats_combine_form},
                                        {"rabe_staats_backward", rabe_staats_backward_form, "4 B H Tc", 1, true}};
  return forms;
}

}  // namespace sim
