// A recorded program in the explorer: the panels equal the built-in program's, with the Python source as the listing.
#include <catch2/catch.hpp>

#include "tests/explorer/pictures.h"
#include "tests/recorded/load.h"
#include "viz/model/listing/listing.h"

namespace {

using Equations = std::vector<std::pair<std::string, std::string>>;

/// Returns equations and shapes of the lines that move or compute.
Equations equations_of(const std::string& algorithm, bool causal, double dropout) {
  sim::Scenario s;
  s.algorithm = algorithm;
  s.shape.mask.causal = causal;
  s.dropout = dropout;
  const sim::Simulation simulation = sim::simulate(s);
  Equations equations;
  for (std::size_t kernel = 0; kernel < simulation.traces.size(); ++kernel) {
    for (const explorer::ListingLine& line : explorer::make_listing(simulation, kernel).lines) {
      if (line.work) equations.emplace_back(line.equation, line.shape);
    }
  }
  return equations;
}

/// Returns the number of pixels in a rectangle that differ.
int differing(const platform::Picture& one, const platform::Picture& other, ui::Rect place) {
  int pixels = 0;
  for (int y = static_cast<int>(place.y); y < static_cast<int>(place.bottom()); ++y) {
    for (int x = static_cast<int>(place.x); x < static_cast<int>(place.right()); ++x)
      pixels += one.at(x, y) != other.at(x, y);
  }
  return pixels;
}

void check_same_panels(const std::string& link, const sim::RecordedCopy& recorded_copy) {
  const explorer::Size size{1600, 1000, 1};
  explorer::Headless built_in(link + "&algorithm=" + recorded_copy.built_in, size),
      recorded(link + "&algorithm=" + recorded_copy.recorded, size);
  built_in.finish();
  recorded.finish();
  const platform::Picture want = built_in.driver.picture(), found = recorded.driver.picture();
  const ui::Layout l = ui::make_layout(1600, 1000, 1, ui::Tab::matrix);
  INFO(link << " " << recorded_copy.recorded);
  for (const auto& [name, place] : {std::pair("memory", l.memory), std::pair("matrix", l.matrix),
                                    std::pair("softmax", l.softmax), std::pair("timeline", l.timeline)}) {
    INFO(name);
    CHECK(differing(want, found, place) == 0);
  }
  if (link.find("center=") == std::string::npos) CHECK(differing(want, found, l.code) > 100);
}

}  // namespace

TEST_CASE("the equations of a Python source equal those of the C++ one, for each line with an effect") {
  sim::load_all_recorded();
  for (const sim::RecordedCopy& recorded_copy : sim::recorded_copies) {
    for (const bool causal : {false, true}) {
      for (const double dropout : {0.0, 0.1}) {
        INFO(recorded_copy.recorded << causal << dropout);
        CHECK(equations_of(recorded_copy.recorded, causal, dropout) ==
              equations_of(recorded_copy.built_in, causal, dropout));
      }
    }
  }
}

TEST_CASE("panels of a recorded program equal the built-in one's except for listing and names") {
  sim::load_all_recorded();  // on a B200: flash2 has compiled kernels on the others, whose times are not a recording's
  check_same_panels("gpu=b200&batch=4&heads=32&seqlen=2048&causal=1&cta=0,0,6,0&time=9000", sim::recorded_copies[0]);
  check_same_panels("gpu=b200&seqlen=1024&time=4000", sim::recorded_copies[1]);
  check_same_panels("gpu=b200&seqlen=1024&kernel=1&time=2000", sim::recorded_copies[2]);
  check_same_panels("gpu=b200&seqlen=512&kernel=1&time=1000", sim::recorded_copies[3]);
  check_same_panels("gpu=b200&batch=4&heads=32&seqlen=2048&center=engineer", sim::recorded_copies[0]);
}

TEST_CASE("a reopened file replaces the program of the same name") {
  explorer::Headless window("seqlen=512", {1600, 1000, 1});
  explorer::Model& model = window.explorer.model;
  std::string text = sim::recorded_text("my-flash2");
  model.open_program(text, "mine.fscope");
  CHECK(model.state.options.at("algorithm") == "my-flash2");
  CHECK(model.world.subject(0).simulation().plan.launches[0].name == "flash2_forward");
  for (std::size_t at = text.find("flash2_forward\"\ngrid"); at != std::string::npos;
       at = text.find("flash2_forward\"\ngrid"))
    text.replace(at, 14, "another_name");
  model.open_program(text, "mine.fscope");
  CHECK(model.world.subject(0).simulation().plan.launches[0].name == "another_name");
  CHECK_THROWS_WITH(model.open_program("fscope = 3", "mine.fscope"), Catch::Contains("mine.fscope: fscope = 3"));
  CHECK(model.world.subject(0).simulation().plan.launches[0].name == "another_name");
  window.finish();
}
