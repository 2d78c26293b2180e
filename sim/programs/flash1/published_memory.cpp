// Memory of the FlashAttention-1 code, as its paper measured it.
#include "sim/programs/published_memory.h"

#include "sim/programs/plan.h"

namespace sim {
namespace {

PublishedMemory flash_attention(const Plan& plan, bool released) {
  const Shape& s = plan.problem.shape;
  const std::int64_t one_matrix = plan.problem.hbm.Q.total_bytes(s).count();
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

PublishedMemory flash1_memory(const Plan& plan) { return flash_attention(plan, false); }
PublishedMemory flash1_released_memory(const Plan& plan) { return flash_attention(plan, true); }

}  // namespace sim
