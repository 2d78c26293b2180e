// Keys that sequences share: samples of a prompt, a common prefix. Each sequence reads them; memory and the L2 have
// them once. The brute force makes every access of every CTA, by the physical pages that the allocator gives.
#include <catch2/catch.hpp>
#include <map>

#include "sim/programs/drawn_rows.h"
#include "tests/support/drawn_grids.h"
#include "tests/support/kernel_traffic.h"
#include "tests/support/page_tables.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

Scenario decode(const char* algorithm, std::int64_t batch, std::int64_t heads, std::int64_t kv_heads,
                std::int64_t keys) {
  Scenario s;
  name_algorithm(s, algorithm);
  s.shape = {batch, heads, kv_heads, 1, keys, 128};
  s.page_size = 16;
  return s;
}

PageDemand demand_of(const Scenario& s) {
  return {s.shape.batch, s.samples, s.shape.seqlen_k, 0, s.shared_prefix, *s.page_size};
}

/// A kernel as its CTAs access it, K and V by physical page; tables are left out.
class GridOfPages {
 public:
  GridOfPages(const Plan& plan, const Launch& launch) : plan_(plan), page_(plan.problem.pages->rows) {
    const PageDemand demand = demand_of(plan.scenario);
    PagePool pool(page_, drawn_pages(demand.blocks(), plan.scenario.seed));
    tables_ = sequences_of(demand, pool);
    const CtasInOrder all = ctas_in_order(plan, launch);
    const Shape& shape = plan.problem.shape;
    std::map<std::pair<std::size_t, std::int64_t>, std::int32_t> scripts;
    for (const CtasInOrder::Cta& cta : all.ctas) {
      const std::int64_t entry = cta.head / shape.heads;
      const auto made = scripts.emplace(std::pair(cta.block, entry), static_cast<std::int32_t>(scripts.size()));
      if (made.second) grid_.scripts.push_back(script_of(all.of_block[cta.block], entry));
      grid_.ctas.push_back({made.first->second, static_cast<std::int32_t>(cta.head),
                            static_cast<std::int32_t>(shape.kv_head_of(cta.head % shape.heads))});
    }
  }
  const coupled_grid::Grid& grid() const { return grid_; }

 private:
  coupled_grid::Script script_of(const std::vector<TileAccesses>& iterations, std::int64_t entry) {
    coupled_grid::Script script;
    for (const TileAccesses& iteration : iterations) {
      std::vector<coupled_grid::Access> step;
      for (const TileAccess& tile : iteration) add(tile, entry, step);
      if (!step.empty()) script.step(step);
    }
    return script;
  }

  void add(const TileAccess& tile, std::int64_t entry, std::vector<coupled_grid::Access>& step) {
    if (is_table(tile.tensor)) return;
    const HbmTensor& tensor = plan_.problem.hbm[tile.tensor];
    const std::int64_t row_bytes = tensor.cols * size_of(tensor.dtype);
    if (!tensor.per_kv_head()) return step.push_back(access(tile, tile.row, tile.col, tile.bytes));
    for (std::int64_t row = tile.row; row < tile.row + tile.bytes / row_bytes; row += page_) {
      const std::int32_t page = tables_[static_cast<std::size_t>(entry)].pages[static_cast<std::size_t>(row / page_)];
      step.push_back(access(tile, page, 0, std::min(page_, tensor.rows - row) * row_bytes));
    }
  }

  coupled_grid::Access access(const TileAccess& tile, std::int64_t row, std::int64_t col, std::int64_t item_bytes) {
    const auto axis = axes_.emplace(tile.tensor, static_cast<std::int32_t>(grid_.axes.size()));
    if (axis.second) grid_.axes.push_back({plan_.problem.hbm[tile.tensor].per_kv_head(), {}});
    std::vector<std::int64_t>& bytes = grid_.axes[static_cast<std::size_t>(axis.first->second)].item_bytes;
    const auto item = items_.emplace(std::tuple(tile.tensor, row, col), static_cast<std::int32_t>(bytes.size()));
    if (item.second) bytes.push_back(item_bytes);
    return {axis.first->second, item.first->second, tile.reads, tile.writes};
  }

  const Plan& plan_;
  std::int64_t page_;
  std::vector<PagedSequence> tables_;
  coupled_grid::Grid grid_;
  std::map<Tensor, std::int32_t> axes_;
  std::map<std::tuple<Tensor, std::int64_t, std::int64_t>, std::int32_t> items_;
};

struct Both {
  double walked = 0, exact = 0;
  double demand = 0;  ///< of the grid at its own pace, as a part of the bandwidth
};

/// Bytes between HBM and L2 of the first kernel, by the walk and by the brute force, without tables.
Both bytes_of(const Plan& plan, coupled_grid::Chip chip) {
  const Launch& launch = plan.launches[0];
  const GridOfPages pages(plan, launch);
  const std::vector<LaunchAccesses> accesses = accesses_of(plan, launch);
  const coupled_grid::Outcome free = run(pages.grid(), chip, {coupled_grid::Pace::free, 0.05});
  const WalkInputs inputs = walk_inputs(pages.grid(), chip, free.tile);
  Both both;
  both.demand = free.hbm_bytes() / chip.hbm / free.cycles;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    both.exact += run(pages.grid(), chip, {coupled_grid::Pace::coupled, 0.05, seed}).hbm_bytes() / 3;
    WalkOptions options;
    options.seed = 10 + seed;
    ByTensor hbm = hbm_traffic(plan, launch, accesses, {inputs.pace, inputs.chip},
                               static_cast<std::int64_t>(chip.capacity), options)
                       .by_tensor;
    hbm.erase(Tensor::block_table);
    both.walked += static_cast<double>(sum_of(hbm).total().count()) / 3;
  }
  return both;
}

/// Scenarios that share keys in one way or two, on a chip whose L2 holds a part of what they share.
Plan drawn_sharing(Dice& dice, coupled_grid::Chip& chip) {
  const char* const algorithms[] = {"flash2", "paged-attention", "flash-decoding"};
  const char* const algorithm = algorithms[dice.between(0, 2)];
  const std::int64_t batch = dice.between(1, 4), kv_heads = dice.one_in(2) ? 8 : 2, keys = dice.between(300, 6000);
  Scenario s = decode(algorithm, batch, 8, kv_heads, keys);
  s.page_size = dice.one_in(2) ? 16 : 64;
  if (dice.one_in(3) && s.algorithm != "paged-attention") s.shape.seqlen_q = 130;
  s.samples = dice.one_in(4) ? 1 : std::vector<std::int64_t>{2, 3, 7, 12}[static_cast<std::size_t>(dice.between(0, 3))];
  if (s.samples == 1 || dice.one_in(3)) s.shared_prefix = dice.between(1, s.shape.seqlen_k);
  s.seed = 5;
  chip.sms = static_cast<std::int32_t>(dice.between(4, 24));
  chip.hbm = chip.sms * static_cast<double>(dice.between(10, 40));
  const double entry = static_cast<double>(s.shape.seqlen_k * s.shape.kv_heads * 512);
  chip.capacity = entry * static_cast<double>(dice.between(3, 15)) / 10;
  return make_plan(s);
}

TEST_CASE("sequences that share pages move the HBM bytes of a brute force by physical page within 5 percent") {
  Dice dice(11);
  double sum = 0;
  int unsaturated = 0, beyond = 0, reread = 0;
  for (int n = 0; n < 80; ++n) {
    coupled_grid::Chip chip;
    const Plan plan = drawn_sharing(dice, chip);
    const Both both = bytes_of(plan, chip);
    const double error = std::abs(both.walked / both.exact - 1);
    INFO(describe(plan.scenario) << ", samples " << plan.scenario.samples << ", prefix " << plan.scenario.shared_prefix
                                 << ": demand " << both.demand << ", error " << 100 * error << " %");
    if (both.demand > 0.7) continue;  // such a grid may go either of two ways
    const bool sure = plan.scenario.shape.seqlen_q == 1 && both.demand < 0.5;
    CHECK(error <= 0.12);  // with many queries as without sharing
    beyond += sure && error > 0.05 ? 1 : 0;
    sum += error;
    ++unsaturated;
    reread += both.exact > 1.1 * static_cast<double>(2 * total_bytes(plan, Tensor::K).count()) ? 1 : 0;
  }
  CHECK(sum / unsaturated <= 0.01);
  CHECK(beyond <= 1);
  CHECK(unsaturated >= 50);
  CHECK(reread >= 20);  // the L2 does not hold all that is shared
}

TEST_CASE("samples read the keys of their prompt each, memory and an endless L2 have them once") {
  Scenario s = decode("flash-decoding", 1, 2, 2, 4096);
  s.samples = 32;
  s.l2 = std::int64_t{1} << 40;
  const Simulation run = simulate(s);
  const Traffic tile = run.totals.by_tensor.at(Tensor::K), hbm = run.kernels[0].hbm.at(Tensor::K);
  CHECK(tile.read == Bytes(67'108'864));
  CHECK(hbm.read == Bytes(2'097'152));
  CHECK(total_bytes(run.plan, Tensor::K) == Bytes(2'097'152));
  CHECK(1 - double(hbm.read.count()) / double(tile.read.count()) == Approx(0.96875));
}

TEST_CASE(
    "version 2 of paged-attention issues a part of all sequences before the next, so the L2 serves shared pages") {
  Scenario s = decode("paged-attention", 1, 32, 8, 32768);
  s.samples = 256;
  const Simulation run = simulate(s);
  const Traffic tile = run.totals.by_tensor.at(Tensor::K), hbm = run.kernels[0].hbm.at(Tensor::K);
  CHECK(tile.read == Bytes(std::int64_t{256} * 32 * 32768 * 256));
  CHECK(total_bytes(run.plan, Tensor::K) == Bytes(8 * 32768 * 256));
  CHECK(hbm.read <= Bytes(2 * 8 * 32768 * 256));
}

TEST_CASE("sharing changes no tile traffic: n samples of a prompt read what n prompts read") {
  Dice dice(12);
  for (int n = 0; n < 60; ++n) {
    coupled_grid::Chip unused;
    const Scenario s = drawn_sharing(dice, unused).scenario;
    Scenario apart = with_entry_per_sample(s);
    INFO(describe(s) << ", samples " << s.samples << ", prefix " << s.shared_prefix);
    const Simulation shared = simulate(s), alone = simulate(apart);
    CHECK(shared.totals.by_tensor == alone.totals.by_tensor);
    CHECK(shared.totals.matmul_flops == alone.totals.matmul_flops);
    const PageDemand demand = demand_of(s);
    const std::int64_t page = *s.page_size * s.shape.kv_heads * 128 * 2;
    CHECK(total_bytes(shared.plan, Tensor::K) == Bytes(demand.blocks() * page));
    CHECK(total_bytes(alone.plan, Tensor::V) == Bytes(demand.blocks_unshared() * page));
    for (std::size_t k = 0; k < shared.kernels.size(); ++k) {
      for (const auto& [tensor, moved] : shared.kernels[k].hbm) {
        INFO(name_of(tensor));
        CHECK(moved.read <= shared.kernels[k].totals.by_tensor.at(tensor).read);
        CHECK(moved.read >= shared.kernels[k].compulsory_by_tensor.at(tensor).read);
      }
    }
  }
}

TEST_CASE("with an endless L2 the keys that entries share are read from HBM once, under a window too") {
  for (const std::int64_t window : {0, 700}) {
    Scenario s = decode("flash-decoding", 3, 8, 4, 2000);
    if (window > 0) s.shape.mask.window = window;
    s.samples = 4;
    s.shared_prefix = 1500;
    s.l2 = std::int64_t{1} << 40;
    const Simulation run = simulate(s);
    const std::int64_t first = window > 0 ? 2000 - 1 - window : 0, prefix = 1500 / 16 * 16;
    const std::int64_t rows = prefix - first + 3 * (2000 - prefix);
    Bytes least;
    for (const KernelMeters& kernel : run.kernels) {
      if (kernel.compulsory_by_tensor.count(Tensor::K) > 0) least += kernel.compulsory_by_tensor.at(Tensor::K).read;
    }
    CHECK(least == Bytes(rows * 4 * 256));
  }
}

TEST_CASE("sequences that share keys have their values, all others those of their own") {
  Scenario s = decode("flash-decoding", 2, 4, 2, 100);
  s.samples = 3;
  s.shared_prefix = 40;
  const Plan plan = make_plan(s);
  const AttentionInputs inputs = inputs_of(s);
  const auto row = [&](std::int64_t entry, std::int64_t key) {
    return std::vector<float>(inputs.k.begin() + ((entry * 2 + 1) * 100 + key) * 128,
                              inputs.k.begin() + ((entry * 2 + 1) * 100 + key + 1) * 128);
  };
  REQUIRE(std::ssize(inputs.k) == 6 * 2 * 100 * 128);
  CHECK(row(2, 31) == row(5, 31));  // two full pages of the prefix
  CHECK(row(0, 32) == row(2, 32));
  CHECK(row(0, 32) != row(3, 32));
  CHECK(row(3, 99) == row(4, 99));
  for (const std::int64_t entry : {0, 2, 4}) {
    DrawnRows rows(plan, entry * plan.problem.shape.heads + 1, DrawnTensor::K);
    for (const std::int64_t key : {0, 31, 32, 63, 64, 99})
      CHECK(std::equal(rows.row(key), rows.row(key) + 128, row(entry, key).begin()));
  }
  const AttentionOutputs outputs = compute(plan, inputs);
  CHECK(std::ssize(outputs.o) == 6 * 4 * 128);
}

}  // namespace
}  // namespace sim
