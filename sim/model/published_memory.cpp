#include "sim/model/published_memory.h"

namespace sim {
namespace {

PublishedMemory pytorch(std::int64_t one_matrix, std::int64_t one_square) {
  return {Bytes(checked_add(product(4, one_square), product(10, one_matrix))),
          "4 N^2 B H e + 10 N d B H e",
          "Dao et al. 2022, Table 21, PyTorch",
          {"4 matrices of N x N against P, dP and dS here: autograd also keeps the scores before the softmax",
           "10 matrices of N x d against Q, K, V, O and their gradients here: two more as temporaries"}};
}

PublishedMemory flash_attention(const Shape& s, std::int64_t one_matrix, bool released) {
  const bool temporary = s.seqlen_q > 256;
  const std::int64_t statistics = product(2, s.seqlen_q, 4, s.batch, s.heads);
  return {Bytes(checked_add(product(temporary ? 13 : 11, one_matrix), statistics)),
          "(11 + 2 [N > 256]) N d B H e + 8 N B H",
          "Dao et al. 2022, Table 21, FlashAttention",
          {"11 matrices of N x d against Q, K, V, O and their gradients here: Q, K, V packed into one tensor once more",
           released ? "beyond 256 keys an fp32 temporary of N x d, as here"
                    : "beyond 256 keys an fp32 temporary of N x d, which the released code uses for O and dQ; "
                      "Algorithms 1 and 4 round them to the dtype in place",
           "two fp32 numbers per row, as here"}};
}

}  // namespace

std::optional<PublishedMemory> published_memory(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  const Shape& s = scenario.shape;
  const bool measured = scenario.pass == Pass::forward_backward && size_of(scenario.dtype) == 2 &&
                        s.seqlen_q == s.seqlen_k && s.heads == s.kv_heads && !s.mask.any() && scenario.dropout == 0;
  if (!measured) return std::nullopt;
  const std::int64_t one_matrix = plan.problem.hbm.Q.total_bytes(s).count();
  if (plan.program->name == "standard") return pytorch(one_matrix, plan.problem.hbm.P.total_bytes(s).count());
  if (plan.program->name == "flash1") return flash_attention(s, one_matrix, scenario.tiling == TilingRule::released);
  return std::nullopt;
}

}  // namespace sim
