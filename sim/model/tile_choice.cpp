#include "sim/model/tile_choice.h"

#include <algorithm>
#include <tuple>

namespace sim {
namespace {

std::vector<const Prediction*> with_tiles_by_hand(const Validation& validation) {
  std::vector<const Prediction*> found;
  for (const Prediction* p : validation.with(Standing::score)) {
    if (p->made() && p->point->scenario.br) found.push_back(p);
  }
  return found;
}

TileChoice choice_of(const std::vector<const Prediction*>& tiles) {
  const auto least = [&](double Prediction::*time) {
    return *std::min_element(tiles.begin(), tiles.end(), [&](auto* a, auto* b) { return a->*time < b->*time; });
  };
  return {tiles, least(&Prediction::predicted), least(&Prediction::published)};
}

}  // namespace

std::int64_t TileChoices::good() const {
  return std::count_if(choices.begin(), choices.end(), [](const TileChoice& c) { return c.cost() <= good_choice; });
}

double TileChoices::mean_cost() const {
  double sum = 0;
  for (const TileChoice& choice : choices) sum += choice.cost();
  return sum / static_cast<double>(choices.size());
}

const TileChoice& TileChoices::worst() const {
  return *std::max_element(choices.begin(), choices.end(),
                           [](const TileChoice& a, const TileChoice& b) { return a.cost() < b.cost(); });
}

std::vector<TileChoices> tile_choices(const Validation& validation) {
  const auto group_of = [](const PublishedPoint& p) {
    return std::tuple(p.group, p.scenario.gpu->name, p.scenario.algorithm);
  };
  const auto work_of_point = [](const PublishedPoint& p) { return std::pair(p.kernel, p.options); };
  std::vector<TileChoices> all;
  for (const auto& [key, points] : grouped(with_tiles_by_hand(validation), group_of)) {
    TileChoices of_group{std::get<0>(key), std::get<1>(key), std::get<2>(key), {}};
    for (const auto& [work, tiles] : grouped(points, work_of_point)) {
      if (tiles.size() > 1) of_group.choices.push_back(choice_of(tiles));
    }
    if (!of_group.choices.empty()) all.push_back(std::move(of_group));
  }
  return all;
}

}  // namespace sim
