// Everything that can be done with a key: one table for the keyboard, the help and the command palette.
#pragma once
#include <span>

#include "viz/model/view_model.h"

namespace explorer {

struct Action {
  std::string_view name;  ///< stable: "step-back"
  /// The keys, separated by spaces: what is typed ("B" for b and B, "?"), or a named key (Space, Left, Right, Up, Down,
  /// Home, End, Escape) with Shift+ or Ctrl+ before it. Empty: in the palette only.
  std::string_view keys;
  std::string_view sentence;  ///< English, for words::say
  void (*run)(ViewModel& model);
};

/// In the order of the help.
std::span<const Action> actions();
/// Throws sim::Error when there is none of that name.
const Action& action(std::string_view name);

}  // namespace explorer
