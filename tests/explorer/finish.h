// Waits for the long computations that a window shows, and reads what it shows then.
#pragma once
#include <string>
#include <vector>

#include "viz/explorer/headless.h"

/// Until there is nothing left to do and all of it is drawn.
inline void finish(explorer::Headless& window) {
  window.driver.settle();  // what the last input did
  window.finish();
}

/// Returns what the window shows under a name; "" for nothing.
inline std::string shown(const explorer::Headless& window, const std::string& name) {
  const auto& all = window.driver.screen.state.shown;
  const auto found = all.find(name);
  return found == all.end() ? "" : found->second;
}

/// Returns every text of a frame that is drawn when nothing is left to do.
inline std::vector<std::string> drawn_texts(explorer::Headless& window) {
  finish(window);
  window.driver.screen.texts.emplace();
  window.driver.frame();
  std::vector<std::string> texts;
  for (const ui::DrawnText& text : *window.driver.screen.texts) texts.push_back(text.text);
  return texts;
}
