// Sources of the numbers of a scenario, as BibTeX.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/programs/scenario.h"
#include "viz/terminal/arguments.h"

namespace terminal {

/// Cites FlashScope itself, then the papers of the scenarios' programs, the published times that give their errors, and
/// the models of their GPUs, each once.
std::string cited(const std::vector<sim::Scenario>& scenarios);

/// Cites all published times, or those of one group.
std::string cited_published(const std::optional<std::string>& group);

/// The option --cite of a command.
CommandOption cite_option();

}  // namespace terminal
