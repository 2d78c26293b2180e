#include <numeric>

#include "sim/programs/flash3/flash3_backward.h"

namespace sim::flash3_backward {
namespace {

constexpr std::int64_t stages_of_q = 2;
constexpr std::int64_t slices_of_dq = 2;  // in which atomics add it: whole, it would not fit into the registers

std::vector<int> first_numbers(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// Stages of dO, and of dS: shared memory has space for two up to d 128.
std::int64_t stages_of_do(const Problem& p) { return owns_keys(p) ? 2 : 1; }

Axis keys_of_tile(const Problem& p) { return {0, 0, p.tiling.bc}; }
Axis rows_of_tile(const Problem& p) { return {0, 0, p.tiling.br}; }

std::vector<SmemTile> places(Cta& cta, Tensor tensor, const Problem& p, std::int64_t number, Line line) {
  std::vector<SmemTile> tiles;
  for (std::int64_t n = 0; n < number; ++n)
    tiles.emplace_back(cta.space(), tensor, rows_of_tile(p), keys_of_tile(p), line);
  return tiles;
}

/// All columns of a tile of dQ, dK or dV.
Block all_columns(const Problem& p) {
  Block all;
  all.axis = {0, 0, p.shape.head_dim, Origin::whole};
  return all;
}

/// True if consumers divide the rows of dQ, 64 each; else its columns.
bool divides_rows(const Problem& p) { return p.tiling.br == wgmma_rows * consumers(p); }

/// Each consumer's part of dQ on its way out.
std::vector<Ring> rings_of_dq(Cta& cta, const Problem& p, Line line) {
  std::vector<Ring> rings;
  const int parts = consumers(p);
  const bool rows = divides_rows(p);
  for (int w = 0; has_writer(p) && w < parts; ++w)
    rings.emplace_back(cta, Tensor::dQ_acc, rows ? wgmma_rows : p.tiling.br,
                       rows ? p.shape.head_dim : part_of(all_columns(p), p.kernel_dims.qk / parts, w).size(), 1, 1,
                       line);
  return rings;
}

}  // namespace

int consumers(const Problem& p) {
  if (owns_keys(p)) return static_cast<int>(ceil_div(p.tiling.bc, wgmma_rows));
  return has_writer(p) ? 3 : 2;
}

Statistics::Statistics(Cta& cta, Tensor tensor, const Problem& p, Line line)
    : tiles_(static_cast<std::size_t>(stages_of_q)) {
  const Axis rows{0, 0, checked_multiply(ceil_div(p.tiling.br, wgmma_rows), wgmma_rows)};
  for (std::int64_t n = 0; n < stages_of_q; ++n) space_.emplace_back(cta.space(), tensor, rows, Axis{0, 0, 1}, line);
}

Shared::Shared(Cta& cta, const Problem& problem, Line line)
    : p(problem),
      consumers(flash3_backward::consumers(problem)),
      parts(first_numbers(consumers)),
      K(cta, Tensor::K, p.tiling.bc, p.shape.head_dim, 1, consumers, line),
      V(cta, Tensor::V, p.tiling.bc, p.shape.head_dim, 1, consumers, line),
      Q(cta, Tensor::Q, p.tiling.br, p.shape.head_dim, stages_of_q, consumers, line, 2),
      dO(cta, Tensor::dO, p.tiling.br, p.shape.head_dim, stages_of_do(p), consumers, line, 2),
      L(cta, Tensor::L, p, line),
      D(cta, Tensor::D, p, line),
      P(places(cta, Tensor::P, p, owns_keys(p) ? 0 : 1, line)),
      dS(places(cta, Tensor::dS, p, stages_of_do(p), line)),
      dQ(rings_of_dq(cta, p, line)),
      put_p(cta, BarrierKind::turn, "P", consumers),
      put_ds(cta, BarrierKind::turn, "dS", consumers) {}

Block Shared::keys(const Block& j, int w) const { return part_of(j, p.tiling.bc / consumers, w); }

Block Shared::rows_of_dk(const Block& j, int w) const { return owns_keys(p) ? keys(j, w) : j; }

Block Shared::cols_of_dk(int w) const {
  return owns_keys(p) ? all_columns(p) : part_of(all_columns(p), p.kernel_dims.qk / consumers, w);
}

Block Shared::rows_of_dq(const Block& i, int w) const { return divides_rows(p) ? warpgroup_rows(i, w) : i; }

Block Shared::cols_of_dq(int w, int slice) const {
  if (divides_rows(p)) return all_columns(p);
  const std::int64_t slices = has_writer(p) ? 1 : slices_of_dq, width = p.kernel_dims.qk / consumers / slices;
  return part_of(all_columns(p), width, slices * w + slice);
}

void run(Cta& cta, const Problem& p, Shared& s, Warpgroup (*producer)(Cta&, const Problem&, Shared&),
         Warpgroup (*writer)(Cta&, const Problem&, Shared&),
         Warpgroup (*consumer)(Cta&, const Problem&, Shared&, int w)) {
  constexpr std::int64_t warp = 32;
  const bool three = s.consumers == 3, writes = has_writer(p);
  const std::int64_t few = three ? 32 : 24, many = three ? 160 : 240;  // what setmaxnreg gives in the released code
  std::vector<RoleRun> roles;
  // One warp of the producer's warpgroup copies, another one writes dQ; the others are idle.
  roles.push_back({"producer", few, producer(cta, p, s), warpgroup_threads - (writes ? warp : 0)});
  if (writes) roles.push_back({"dQ writer", few, writer(cta, p, s), warp});
  for (int w = 0; w < s.consumers; ++w) roles.push_back({text("consumer ", w + 1), many, consumer(cta, p, s, w)});
  run_roles(cta, std::move(roles));
}

}  // namespace sim::flash3_backward
