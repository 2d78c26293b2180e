// Values of shared memory's banks: wavefronts of the accesses that tensor-core kernels make to tiles of the head
// dimension, by layout of the tile.
#include "sim/catalogue/run_values.h"
#include "sim/machine/warp_access.h"

namespace sim {
namespace {

struct BankAccess {
  std::string_view key, words;
  WarpAccess (*of)(SmemLayout, int columns);
};
constexpr BankAccess accesses[] = {
    {"ldmatrix", /*say*/ "a warp's ldmatrix of a 16 x 16 block, 16 bytes a lane",
     [](SmemLayout layout, int columns) { return matrix_load(layout, columns, Quarters::columns_first); }},
    {"copy", /*say*/ "a warp's cp.async of whole rows, 16 bytes a lane", row_copy},
    {"store", /*say*/ "a warp's store of 8 x 8 sums, 4 bytes a lane", sum_store}};

struct NamedLayout {
  std::string_view key, words;
  SmemLayout layout;
};
constexpr NamedLayout layouts[] = {
    {"plain", /*say*/ "rows are contiguous", SmemLayout::plain},
    {"padded", /*say*/ "16 bytes follow each row", SmemLayout::padded},
    {"swizzled", /*say*/ "chunks of 16 bytes are permuted within their row, as in the kernels", SmemLayout::swizzled}};

}  // namespace

void add_banks(const Simulation& s, RunValues& values) {
  const Problem& problem = s.plan.problem;
  const auto columns = static_cast<int>(problem.shape.head_dim);
  if (!has_bank_tiles(size_of(problem.dtype), columns)) {
    values.text("banks", {});
    return;
  }
  for (const BankAccess& access : accesses) {
    const std::string path = text("banks.", access.key, ".");
    for (const NamedLayout& layout : layouts) {
      values.number(path + std::string(layout.key), wavefronts(access.of(layout.layout, columns)).taken, [=] {
        return Explanation{{access.words, layout.words}};
      });
    }
    values.number(path + "least", wavefronts(access.of(SmemLayout::swizzled, columns)).ideal, [=] {
      return Explanation{{access.words, /*say*/ "without bank conflicts: 128 bytes a pass"}};
    });
  }
  const std::int64_t rows = problem.tiling.bc;
  values.number("banks.padding_bytes", rows * chunk_bytes, [rows] {
    return Explanation{{{/*say*/ "{} rows of a tile of K, 16 bytes each", rows}}};
  });
}

}  // namespace sim
