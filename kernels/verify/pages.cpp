#include "kernels/verify/pages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/check.h"
#include "sim/programs/paged_attention/paged_attention.h"
#include "sim/programs/paged_attention/tensors.h"

namespace kernels {
namespace {

std::int32_t small_number(std::int64_t number) { return static_cast<std::int32_t>(number); }

/// Calls f(index in its class, Nk) for each batch entry.
template <class F>
void each_sequence(const sim::Plan& plan, F f) {
  for (const sim::Plan& c : sim::classes_of(plan)) {
    for (std::int64_t entry = 0; entry < c.problem.shape.batch; ++entry) f(entry, c.problem.shape.seqlen_k);
  }
}

}  // namespace

PagedBatch paged_batch(const sim::Plan& plan, const Tensors& tensors) {
  const auto numbers = [&](sim::Tensor tensor) {
    return tensors.has(tensor) ? static_cast<const std::int32_t*>(tensors.at(tensor)) : nullptr;
  };
  PagedBatch batch{numbers(sim::Tensor::block_table), numbers(sim::seq_lens)};
  batch.page_rows = small_number(plan.problem.pages->rows);
  if (plan.problem.parts > 0) batch.part_keys = small_number(sim::keys_of_paged_part(plan.problem));
  for (const sim::Plan& c : sim::classes_of(plan)) {
    sim::require(batch.count < most_ragged_classes, "seqlens: more lines than the ", most_ragged_classes,
                 " that kernels take");
    const sim::Shape& shape = c.problem.shape;
    batch.classes[batch.count++] = {small_number(shape.batch), small_number(shape.seqlen_k)};
  }
  return batch;
}

std::vector<std::int32_t> block_table(const sim::Plan& plan) {
  constexpr std::int64_t largest_page = std::numeric_limits<std::int32_t>::max();
  const std::int64_t rows = plan.problem.pages->rows;
  std::vector<std::int32_t> table;
  each_sequence(plan, [&](std::int64_t entry, std::int64_t keys) {
    const auto first = static_cast<std::int64_t>(table.size()), pages = sim::ceil_div(keys, rows);
    sim::require(first + pages <= largest_page, "page-size: ", first + pages, " pages are more than the ", largest_page,
                 " that kernels take: use larger pages");
    for (const std::int32_t page : sim::drawn_page_table(rows, pages, plan.scenario.seed, entry).page)
      table.push_back(small_number(first + page));
  });
  return table;
}

std::vector<std::int32_t> sequence_lengths(const sim::Plan& plan) {
  std::vector<std::int32_t> lengths;
  each_sequence(plan, [&](std::int64_t, std::int64_t keys) { lengths.push_back(small_number(keys)); });
  return lengths;
}

bool is_paged(const sim::Plan& plan, sim::Tensor tensor) {
  return plan.problem.paged() && (tensor == sim::Tensor::K || tensor == sim::Tensor::V);
}

std::vector<float> pool(const sim::Plan& plan, sim::Tensor tensor, const std::vector<float>& values) {
  const std::int64_t rows = plan.problem.pages->rows, cols = plan.problem.hbm[tensor].cols;
  const std::int64_t heads = plan.problem.shape.kv_heads;
  const std::vector<std::int32_t> table = block_table(plan);
  std::vector<float> pages(table.size() * static_cast<std::size_t>(heads * rows * cols), std::nanf(""));
  auto from = values.begin();
  auto numbers = table.begin();
  each_sequence(plan, [&](std::int64_t, std::int64_t keys) {
    for (std::int64_t head = 0; head < heads; ++head) {
      for (std::int64_t key = 0; key < keys; ++key, from += cols) {
        const std::int64_t page = numbers[key / rows];
        std::copy_n(from, cols, pages.begin() + ((page * heads + head) * rows + key % rows) * cols);
      }
    }
    numbers += sim::ceil_div(keys, rows);
  });
  return pages;
}

}  // namespace kernels
