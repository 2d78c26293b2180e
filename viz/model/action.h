// All actions that have a key: one table for the keyboard, the help and the command palette.
#pragma once
#include <span>

#include "viz/model/model.h"

namespace explorer {

struct Action {
  std::string_view name;  ///< stable: "step-back"
  /// The keys, separated by spaces: a typed character ("?", "B" for b and B), or a named key (Space, Left, Right, Up,
  /// Down, Home, End, Escape) with optional Shift+ or Ctrl+. Empty: in the palette only.
  std::string_view keys;
  std::string_view sentence;           ///< English, for words::say
  Edits (*edits)(const Model& model);  ///< edits that do it
};

/// All actions, in the order of the help.
std::span<const Action> actions();
/// The action of a name. Throws sim::Error if there is none.
const Action& action(std::string_view name);

}  // namespace explorer
