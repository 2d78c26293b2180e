// Quantities of a step's run that its questions ask for: every player hides them until they are answered.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lessons/lesson.h"
#include "lessons/page.h"
#include "lessons/scene.h"

namespace lessons {

/// Paths of quantities of the step's own run, each once: "here.alpha.0", "tile_traffic.by_tensor.K".
using Quantities = std::vector<std::string>;

/// True if a path is one of the quantities, contains one, or is a part of one.
bool is_among(const Quantities& quantities, std::string_view path);

/// Returns the quantities that give away the answer of a question: the only one that its formula reads, counts of a
/// meter whose sum it is, the subjects of a choice's claims, and values on the chip that equal the answer. Not the
/// operands from which it is computed, not what a goal changes.
Quantities asked_quantities(const Lesson& lesson, const Step& step, const Question& question, const Scene& scene);

/// A question of a later step, and the values on the chip of an earlier step that give away its answer.
struct AskedLater {
  const Step* step;
  const Question* question;
  Quantities quantities;
};

/// Returns the questions of the steps after the one at index `number` whose answers the values on its chip contain: of
/// the same run and CTA. `page` is the step's text with its formulas: what it states or asks itself is left out. Costs
/// the scenes of the later steps.
std::vector<AskedLater> asked_later(const Lesson& lesson, std::size_t number, const Page& page, const Scene& scene);

/// True if a run has so few values on a chip that the players show all of them.
bool has_few_values(const sim::Problem& problem);

}  // namespace lessons
