// Panels that share a tab bar: on narrow screens all of Tab, for compared runs the first three.
#pragma once
#include <array>

#include "viz/panels/view.h"

namespace explorer {

inline ui::Tab layout_tab(Tab tab) {
  static_assert(static_cast<int>(Tab::softmax) == static_cast<int>(ui::Tab::softmax), "both have the same order");
  static_assert(static_cast<int>(Tab::counters) + 1 == ui::tabs);
  return static_cast<ui::Tab>(tab);
}

/// Titles in the order of Tab.
inline std::array<std::string_view, ui::tabs> tab_titles(const View& view) {
  return {view.say("Matrix"), view.say("Memory"), view.say("Code"), view.say("Softmax"), view.say("Counters")};
}

}  // namespace explorer
