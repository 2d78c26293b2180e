// Closed forms of FlashAttention-3: those of flash2, whose bytes and operations it has with other tiles, in both
// passes. Source: Shah et al. 2024, section 3. In e4m3 elements of Q, K and V have one byte, those of O two, and scales
// are added: one for each row block and for each tile of K and of V, or three for each CTA.
#include "sim/programs/kernel_form.h"

namespace sim {
namespace {

KernelForm flash3_forward(const Problem& p) {
  KernelForm form = form::flash2_forward(p);
  if (!p.fp8()) return form;
  for (TrafficRule& rule : form.traffic) {
    if (rule.tensor == Tensor::O) rule.equation = "2 B H Nq dv";
  }
  const bool of_tiles = p.own("fp8-scales") == 0;  // block
  const std::string_view of_keys = of_tiles ? "4 B H Tl" : "4 B H Tr";
  form.traffic.push_back({Tensor::q_scale, Direction::read, Bucket::matrix, "4 B H Tr"});
  form.traffic.push_back({Tensor::k_scale, Direction::read, Bucket::matrix, of_keys});
  form.traffic.push_back({Tensor::v_scale, Direction::read, Bucket::matrix, of_keys});
  form.work.push_back({"other_flops", /*say*/ "scales of Q and K", "B H A"});
  return form;
}

}  // namespace

std::span<const NamedForm> flash3_forms() {
  static constexpr NamedForm forms[] = {{"flash3_forward", flash3_forward, "4 B H Ts"},
                                        {"flash3_backward", form::flash2_backward, "4 B H Tc", 1, true}};
  return forms;
}

}  // namespace sim
