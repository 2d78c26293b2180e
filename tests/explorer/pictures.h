// Pictures for visual inspection: with FLASHSCOPE_PICTURES=folder, tests write what they drew there.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

#include "viz/explorer/headless.h"

inline void keep(const explorer::Headless& window, const std::string& name) {
  if (const char* folder = std::getenv("FLASHSCOPE_PICTURES")) {
    std::filesystem::create_directories(folder);
    window.driver.screenshot(std::filesystem::path(folder) / (name + ".png"));
  }
}
