// Waits for the long computations of a window, and reads what it then shows.
#pragma once
#include <string>
#include <vector>

#include "viz/explorer/headless.h"

/// Runs until nothing is left to compute and everything is drawn.
inline void finish(explorer::Headless& window) {
  window.driver.settle();  // effects of the last input
  window.finish();
}

/// Returns the text that the window shows under a name; "" if there is none.
inline std::string shown(const explorer::Headless& window, const std::string& name) {
  const auto& all = window.driver.screen.state.shown;
  const auto found = all.find(name);
  return found == all.end() ? "" : found->second;
}

/// Returns every text of a frame drawn after all computations.
inline std::vector<std::string> drawn_texts(explorer::Headless& window) {
  finish(window);
  window.driver.screen.texts.emplace();
  window.driver.frame();
  std::vector<std::string> texts;
  for (const ui::DrawnText& text : *window.driver.screen.texts) texts.push_back(text.text);
  return texts;
}
