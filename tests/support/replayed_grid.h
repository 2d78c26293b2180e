// A kernel of a plan as the brute force of a grid takes it: every access of its replayed CTAs, in the order of issue.
#pragma once
#include <map>
#include <tuple>

#include "tests/support/coupled_grid.h"
#include "tests/support/cta_accesses.h"

namespace sim {

class ReplayedGrid {
 public:
  ReplayedGrid(const Plan& plan, const Launch& launch) : plan_(plan), by_kv_(launch.grid.by_kv_head()) {
    CtasInOrder all = ctas_in_order(plan, launch);
    if (plan.scenario.issue == IssueOrder::longest) {
      std::map<std::size_t, std::size_t> longest;  // steps of a CTA of each class: its entries follow each other
      for (const CtasInOrder::Cta& cta : all.ctas)
        longest[cta.of_class] = std::max(longest[cta.of_class], all.of_block[cta.block].size());
      const auto steps = [&](const CtasInOrder::Cta& cta) {
        return launch.longest_first ? longest[cta.of_class] : all.of_block[cta.block].size();
      };
      std::stable_sort(all.ctas.begin(), all.ctas.end(),
                       [&](const CtasInOrder::Cta& a, const CtasInOrder::Cta& b) { return steps(a) > steps(b); });
    }
    std::vector<std::size_t> class_of(all.of_block.size());
    for (const CtasInOrder::Cta& cta : all.ctas) class_of[cta.block] = cta.of_class;
    for (std::size_t block = 0; block < all.of_block.size(); ++block) add_script(all.of_block[block], class_of[block]);
    const std::int64_t group = plan.problem.shape.heads / plan.problem.shape.kv_heads;
    for (const CtasInOrder::Cta& cta : all.ctas)
      grid_.ctas.push_back({static_cast<std::int32_t>(cta.block), static_cast<std::int32_t>(cta.head),
                            static_cast<std::int32_t>(by_kv_ ? cta.head : cta.head / group)});
  }
  const coupled_grid::Grid& grid() const { return grid_; }

 private:
  void add_script(const std::vector<TileAccesses>& iterations, std::size_t of_class) {
    coupled_grid::Script script;
    for (const TileAccesses& iteration : iterations) {
      std::vector<coupled_grid::Access> step;
      for (const TileAccess& tile : iteration) step.push_back(access(tile, of_class));
      script.step(step);
    }
    grid_.scripts.push_back(std::move(script));
  }

  coupled_grid::Access access(const TileAccess& tile, std::size_t of_class) {
    const bool per_kv = by_kv_ || plan_.problem.hbm[tile.tensor].per_kv_head();
    const auto found = axes_.emplace(std::pair(of_class, tile.tensor), static_cast<std::int32_t>(grid_.axes.size()));
    if (found.second) grid_.axes.push_back({per_kv, {}});
    const std::int32_t axis = found.first->second;
    std::vector<std::int64_t>& bytes = grid_.axes[static_cast<std::size_t>(axis)].item_bytes;
    const auto item =
        items_.emplace(std::tuple(axis, tile.head, tile.row, tile.col), static_cast<std::int32_t>(bytes.size()));
    if (item.second) bytes.push_back(tile.bytes);
    return {axis, item.first->second, tile.reads, tile.writes};
  }

  const Plan& plan_;
  bool by_kv_;
  coupled_grid::Grid grid_;
  std::map<std::pair<std::size_t, Tensor>, std::int32_t> axes_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::int64_t, std::int64_t>, std::int32_t> items_;
};

}  // namespace sim
