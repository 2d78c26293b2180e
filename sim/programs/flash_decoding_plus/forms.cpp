// Closed forms of FlashDecoding++. Sources: the conventions of counting; Hong et al. 2024, section 3.
#include "sim/programs/kernel_form.h"

namespace sim {

std::span<const NamedForm> flash_decoding_forms();  // sim/programs/flash_decoding/forms.cpp

namespace {

using namespace form;

constexpr WorkRule unified_softmax{"other_flops", /*say*/ "scale, range, subtraction, sum", "4 B H A"};

/// Bytes of flash-decoding with a single part. Neither alpha nor a maximum.
KernelForm flash_decoding_plus_form(const Problem& p) {
  KernelForm form = flash2_forward(p);
  form.work = {products, unified_softmax, {"other_flops", "O / l", "B H Nq dv"}, exponentials};
  return with_dropout(p, std::move(form), dropout);
}

/// Bytes of flash-decoding's parts, with l_part in the place of L_part; parts are not divided by l.
KernelForm flash_decoding_plus_split_form(const Problem& p) {
  return with_dropout(p,
                      {{{Tensor::Q, read, matrix, "B H Pq d e"},
                        {Tensor::K, read, matrix, "B H Ak d e"},
                        {Tensor::V, read, matrix, "B H Ak dv e"},
                        {Tensor::O_part, write, matrix, "4 B H Ns Nq dv"},
                        {Tensor::l_part, write, statistics, "4 B H Ns Nq"}},
                       {products, unified_softmax, exponentials}},
                      dropout);
}

KernelForm flash_decoding_plus_combine_form(const Problem&) {
  return {{{Tensor::O_part, read, matrix, "4 B H Ns Nq dv"},
           {Tensor::l_part, read, statistics, "4 B H Ns Nq"},
           {Tensor::O, write, matrix, "B H Nq dv e"},
           {Tensor::L, write, statistics, "4 B H Nq"}},
          {{"other_flops", /*say*/ "O + O_is", "B H Ns Nq dv"}, {"other_flops", "O / l", "B H Nq dv"}}};
}

}  // namespace

/// Its own kernels, and flash-decoding's, which compute row blocks again.
std::span<const NamedForm> flash_decoding_plus_forms() {
  static const std::vector<NamedForm> forms = [] {
    std::vector<NamedForm> all = {{"flash_decoding_plus_split", flash_decoding_plus_split_form, "4 B H Ts Ns"},
                                  {"flash_decoding_plus", flash_decoding_plus_form, "4 B H Ts"},
                                  {"flash_decoding_plus_combine", flash_decoding_plus_combine_form}};
    const auto synchronised = flash_decoding_forms();
    all.insert(all.end(), synchronised.begin(), synchronised.end());
    return all;
  }();
  return forms;
}

}  // namespace sim
