// Checks the numbers that a window shows against those of the command line, by their paths.
#pragma once
#include <catch2/catch.hpp>

#include "sim/catalogue/run_values.h"
#include "viz/explorer/headless.h"
#include "viz/model/explained.h"
#include "viz/panels/scenario/number.h"

/// Returns the command line's number at the path of a probe: "number/standard.memory.peak_hbm_bytes@2/3".
inline double command_line_number(const explorer::Headless& window, std::string path) {
  std::size_t subject = 0;
  if (const std::size_t at = path.find('@'); at != std::string::npos) {
    subject = static_cast<std::size_t>(path[at + 1] - '1');
    path.resize(at);
  }
  if (const std::size_t at = path.find('/'); at != std::string::npos) path.resize(at);
  const explorer::Run& run = *window.explorer.model.world.subject(subject).run;
  for (const explorer::DerivedNumber* derived : explorer::derived_numbers(run)) {
    if (derived->path == path) return derived->value(run);
  }
  if (!path.starts_with(explorer::of_standard)) return sim::number_at(sim::values_of(run.simulation), path);
  return sim::number_at(sim::values_of(*run.standard), path.substr(explorer::of_standard.size()));
}

inline std::string path_of(const std::string& probe) {
  std::string path = probe.substr(std::string("number/").size());
  return path.substr(0, std::min(path.find('@'), path.find('/')));
}

/// Checks every number that is drawn under its path; there must be at least `least`.
inline void check_numbers(const explorer::Headless& window, std::size_t least) {
  std::size_t numbers = 0;
  for (const auto& [name, text] : window.driver.screen.state.shown) {
    if (!name.starts_with("number/")) continue;
    INFO(name << " is " << text);
    const double value = command_line_number(window, name.substr(7));
    CHECK_THAT(text, Catch::Contains(explorer::number_text(path_of(name), value)));
    ++numbers;
  }
  CHECK(numbers >= least);
}
