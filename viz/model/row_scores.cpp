#include "viz/model/row_scores.h"

#include <algorithm>

#include "viz/model/listing/equation.h"
#include "viz/model/tiles/tile_stage.h"
#include "viz/model/values/head_values.h"

namespace explorer {
namespace {

/// The visit of the row's current tile; null if the CTA in view has none.
const Visit* visit_of_tile(const Subject& subject, const ShownRow& row) {
  const std::int64_t block = row.query / std::max<std::int64_t>(1, subject.launch().grid.br);
  std::size_t left = row.moment.tile - std::min(row.moment.tile, row.moment.first);
  for (const Visit& visit : subject.replay->index.visits()) {
    if (visit.row == block && visit.head == 0 && left-- == 0) return &visit;
  }
  return nullptr;
}

std::vector<float> row_of_layer(const TileLayers& layers, const TileLayer& layer, std::int64_t query) {
  const auto keys = static_cast<std::size_t>(layers.keys.size());
  const auto first = layer.values.begin() + (query - layers.queries.begin) * layers.keys.size();
  return {first, first + static_cast<std::ptrdiff_t>(keys)};
}

/// Adds a strip for each formula of the score steps; the last one has the program's own values.
void add_steps(std::vector<ScoreStrip>& strips, const ScoreStrip& whole, const sim::ScoreSteps& steps,
               std::int64_t head, std::int64_t query, sim::Interval keys) {
  std::vector<float> scores = strips.empty() ? whole.values : strips.back().values;
  for (std::size_t n = 0; n < steps.steps().size(); ++n) {
    const sim::ScoreSteps step = steps.only(n);
    const sim::ScoreCost cost = step.cost();
    step.modify<float>(head, query, keys, scores.data(), nullptr);
    ScoreStrip strip = whole;
    strip.formula = steps.steps()[n].source();
    if (n + 1 < steps.steps().size()) strip.values = scores;
    strip.other_flops = static_cast<double>(cost.operations);
    strip.exps = static_cast<double>(cost.exps);
    strip.tanhs = static_cast<double>(cost.tanhs);
    strips.push_back(std::move(strip));
  }
}

}  // namespace

ScoreStrips score_strips(const Model& model, const ShownRow& row) {
  ScoreStrips strips;
  const Subject& subject = model.world.subject(0);
  const Visit* const visit = visit_of_tile(subject, row);
  if (visit == nullptr) return strips;
  Subject there = subject;
  there.time = visit->begin;
  const TileMatrix matrix(there);
  const TileLayers* const layers = layers_seen(model, 0, matrix);
  strips.computing = layers == nullptr;
  if (layers == nullptr || !layers->queries.contains({row.query, row.query + 1})) return strips;
  strips.keys = layers->keys;
  const std::string_view listing = subject.replay->trace.listing;
  for (std::size_t n = 0; n < layers->loaded; ++n)
    strips.all.push_back({.tensor = layers->all[n].tensor,
                          .verb = layers->all[n].verb,
                          .equation = label_of(layers->all[n].tensor),
                          .formula = {},
                          .values = row_of_layer(*layers, layers->all[n], row.query),
                          .done = true});
  std::size_t layer = layers->loaded;
  for (const sim::Event* event : makers_of(*subject.replay, *visit)) {
    const bool of_row = row.query >= event->rows.begin && row.query < event->rows.begin + event->rows.size;
    if (!of_row || layer == layers->all.size()) continue;
    const TileLayer& made = layers->all[layer++];
    const auto scores = static_cast<double>(event->rows.size * event->cols.size);
    const ScoreStrip strip{made.tensor,
                           made.verb,
                           equation_markup(equation_of(listing, event->line)),
                           {},
                           row_of_layer(*layers, made, row.query),
                           event->end <= subject.time,
                           static_cast<double>(event->matmul_flops) / scores,
                           static_cast<double>(event->other_flops) / scores,
                           static_cast<double>(event->exps) / scores,
                           static_cast<double>(event->tanhs) / scores};
    const auto& steps = subject.problem().score_steps;
    if (made.verb == sim::Verb::modify && steps != nullptr)
      add_steps(strips.all, strip, *steps, row.head, row.query, strips.keys);
    else
      strips.all.push_back(strip);
  }
  return strips;
}

}  // namespace explorer
