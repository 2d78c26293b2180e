// The verbs of score steps: softcap, ALiBi and formulas of the user's own.
#include <cmath>

#include "sim/machine/cta.h"
#include "sim/machine/tile_math.h"

namespace sim {

/// Modifies the values of a tile. Hidden pairs are modified as well, as kernels do: only visible ones must be finite.
void Cta::modify_values(AnyTile& S, RegTile* G, const Block& i, const Block& j) const {
  const ScoreSteps& steps = *setup_.score_steps;
  const std::int64_t head = setup_.head + role_->head;
  for (std::int64_t query = i.elements().begin; query < i.elements().end; ++query) {
    const std::int64_t first = (query - i.elements().begin) * S.cols.size;
    float* const row = S.values.data() + first;
    const std::vector<float> before(row, row + S.cols.size);
    steps.modify(head, query, j.elements(), row, G == nullptr ? nullptr : G->values.data() + first);
    for (const Interval seen : setup_.shape->visible_parts(query, j.elements())) {
      for (std::int64_t key = seen.begin; key < seen.end; ++key) {
        const float was = before[static_cast<std::size_t>(key - j.elements().begin)],
                    is = row[key - j.elements().begin];
        require(std::isfinite(is) || !std::isfinite(was), "score: is ", is, " where s = ", was, " at ",
                steps.place(head, query, key), ": every score that a query sees must be finite");
      }
    }
  }
}

Event Cta::modified(const AnyTile& S, const ScoreCost& cost, Line line) const {
  Event event = worked(Verb::modify, cost.tanhs + cost.exps > 0 ? Engine::exp : Engine::fp32, S, line);
  event.other_flops = product(cost.operations, S.elements());
  event.exps = product(cost.exps, S.elements());
  event.tanhs = product(cost.tanhs, S.elements());
  return event;
}

void Cta::modify(AnyTile& S, const Block& i, const Block& j, Line line) {
  if (setup_.score_steps == nullptr) return;  // as recorded bodies call it, which do not ask first
  const Event event = modified(S, setup_.score_steps->cost(), line);
  if (values()) modify_values(S, nullptr, i, j);
  S.event = issue(event, {S.event}, S.values, S.cols.size);
}

RegTile Cta::modify_with_slopes(AnyTile& S, const Block& i, const Block& j, Line line) {
  if (!setup_.score_steps->has_slope()) {
    modify(S, i, j, line);
    return {};
  }
  RegTile G(space_, Tensor::G, S.rows, S.cols, line);
  ScoreCost cost = setup_.score_steps->cost();
  cost += setup_.score_steps->slope_cost();
  if (values()) {
    G.values.resize(S.values.size());
    modify_values(S, &G, i, j);
  }
  S.event = G.event = issue(modified(S, cost, line), {S.event}, S.values, S.cols.size);
  return G;
}

void Cta::multiply(AnyTile& dS, RegTile G, Line line) {
  Event event = worked(Verb::multiply, Engine::fp32, dS, line);
  event.other_flops = dS.elements();
  if (values()) {
    math::multiply(G.values, dS.values);
    dS.values.swap(G.values);
  }
  dS.event = issue(event, {dS.event, G.event}, dS.values, dS.cols.size);
}

/// Slopes of ALiBi or sinks, as rows of their tensor hold them.
std::vector<float> Cta::of_heads(Tensor name, const Axis& rows) const {
  const std::int64_t head = setup_.head + role_->head;
  std::vector<float> numbers;
  for (std::int64_t row = rows.begin; row < rows.begin + rows.size; ++row)
    numbers.push_back(name == Tensor::sinks ? setup_.sinks->of(head, row)
                                            : static_cast<float>(setup_.score_steps->slope_of(head, row)));
  return numbers;
}

}  // namespace sim
