// Kernels of paged-attention: values, bytes, any schedule, lengths, page sizes and dtypes, and what is refused.
#include "kernels/verify/choice.h"
#include "kernels/verify/pages.h"
#include "sim/programs/paged_attention/tensors.h"
#include "tests/support/ragged_kernels.h"

namespace {

constexpr const char* name = "paged-attention";

/// Sequences of the given lengths, each with a query.
sim::Scenario paged(const std::vector<std::pair<std::int64_t, std::int64_t>>& lengths, std::int64_t heads,
                    std::int64_t kv_heads, std::int64_t d, std::int64_t page, std::int64_t partition) {
  sim::Scenario s;
  s.algorithm = name;
  s.shape = {.heads = heads, .kv_heads = kv_heads, .seqlen_q = 1, .head_dim = d};
  s.page_size = page;
  s.own["partition"] = partition;
  s.seed = 7;
  if (lengths.size() > 1) {
    auto classes = std::make_shared<sim::SequenceClasses>();
    for (const auto& [count, keys] : lengths) classes->push_back({count, 1, keys});
    s.sequences = classes;
    return s;
  }
  s.shape.batch = lengths.front().first;
  s.shape.seqlen_k = lengths.front().second;
  return s;
}

std::int64_t read_bytes(const sim::Scenario& s, const char* tensor) {
  const sim::Plan plan = sim::make_plan(s);
  emulator::EmulatedDevice device({.traced = true});
  std::int64_t bytes = 0;
  for (const dev::LaunchReport& report : kernels::run(device, plan, name, sim::inputs_of(s)).reports) {
    const auto found = report.tensors.find(tensor);
    if (found != report.tensors.end()) bytes += found->second.read_bytes;
  }
  return bytes;
}

}  // namespace

TEST_CASE("the kernels of paged-attention agree with the program on values and on every byte") {
  CHECK(ragged_kernels::wrong(name, paged({{2, 100}}, 4, 2, 64, 16, 0)) == "");
  CHECK(ragged_kernels::wrong(name, paged({{2, 100}}, 4, 2, 64, 16, 32)) == "");
  CHECK(ragged_kernels::wrong(name, paged({{1, 40}}, 2, 1, 128, 8, 64)) == "");  // a single part is copied
  CHECK(ragged_kernels::wrong(name, paged({{1, 1}}, 1, 1, 64, 16, 0)) == "");
}

TEST_CASE("a CTA of paged-attention reads the number of each page twice, 4 bytes each") {
  CHECK(read_bytes(paged({{4, 628}}, 8, 8, 64, 16, 0), "block_table") == 10240);
  CHECK(read_bytes(paged({{4, 628}}, 8, 8, 64, 16, 512), "block_table") == 10240);
  CHECK(read_bytes(paged({{2, 100}, {1, 513}, {1, 2000}}, 32, 32, 16, 16, 512), "block_table") == 44032);
  CHECK(read_bytes(paged({{2, 100}, {1, 513}, {1, 2000}}, 32, 32, 16, 16, 512), "m_part") == 768);
}

TEST_CASE("paged-attention takes sequences of different lengths, each with its own pages and parts") {
  for (const std::int64_t partition : {0, 32}) {
    sim::Scenario s = paged({{2, 20}, {1, 101}, {3, 33}}, 4, 2, 32, 16, partition);
    CHECK(ragged_kernels::wrong(name, s) == "");
    s.issue = sim::IssueOrder::longest;
    CHECK(ragged_kernels::wrong(name, s) == "");
  }
}

TEST_CASE("paged-attention takes pages of any size, head dimensions from 8 to 256 and every type") {
  for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16, sim::Dtype::fp32}) {
    for (const auto& [page, d] : {std::pair{1, 8}, {3, 40}, {8, 64}, {32, 96}, {100, 256}}) {
      sim::Scenario s = paged({{1, 77}}, 2, 1, d, page, 0);
      s.dtype = dtype;
      INFO("pages of " << page << ", d " << d);
      CHECK(ragged_kernels::wrong(name, s) == "");
    }
  }
}

TEST_CASE("paged-attention computes and moves the same in 20 orders of threads", "[repeats]") {
  CHECK(ragged_kernels::wrong(name, paged({{1, 60}, {2, 21}}, 2, 1, 32, 8, 16), 20) == "");
  CHECK(ragged_kernels::wrong(name, paged({{1, 90}}, 2, 2, 64, 16, 0), 20) == "");
}

TEST_CASE("each sequence has pages of its own, and slots after its last key are NaN") {
  const sim::Scenario s = paged({{2, 5}, {1, 9}}, 1, 1, 8, 4, 0);
  const sim::Plan plan = sim::make_plan(s);
  std::vector<std::int32_t> table = kernels::block_table(plan);
  CHECK(table.size() == 7);
  const auto second = table.begin() + 2, third = table.begin() + 4;
  CHECK(std::is_permutation(table.begin(), second, std::vector<std::int32_t>{0, 1}.begin()));
  CHECK(std::is_permutation(second, third, std::vector<std::int32_t>{2, 3}.begin()));
  CHECK(std::is_permutation(third, table.end(), std::vector<std::int32_t>{4, 5, 6}.begin()));
  const std::vector<float> pool = kernels::pool(plan, sim::Tensor::K, std::vector<float>(19 * 8, 1.0f));
  CHECK(std::count_if(pool.begin(), pool.end(), [](float x) { return x == 1.0f; }) == 19 * 8);
  CHECK(std::count_if(pool.begin(), pool.end(), [](float x) { return std::isnan(x); }) == 9 * 8);
}

TEST_CASE("kernels without pages, and heads that are too wide, are refused by name") {
  const auto choose = [](sim::Scenario s, const char* algorithm) {
    s.algorithm = algorithm;
    s.own.clear();
    return kernels::choose_kernel(sim::make_plan(s), {}, dev::Flavour::traced);
  };
  sim::Scenario s = paged({{1, 256}}, 2, 2, 64, 16, 0);
  CHECK(choose(s, name) == name);
  CHECK_THROWS_WITH(choose(s, "flash2"), Catch::StartsWith("page-size: the kernels flash2_mma read K and V in one "
                                                           "piece; those that take pages are "));
  s.samples = 2;
  CHECK_THROWS_WITH(choose(s, name), Catch::StartsWith("samples, shared-prefix: kernels run with the pages of each "));
  CHECK_THROWS_WITH(ragged_kernels::wrong(name, paged({{1, 20}}, 1, 1, 264, 16, 0)),
                    "head-dim: the kernels of paged-attention take at most 256, not 264");
}
