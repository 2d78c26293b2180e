// The listing panel, through the window. With FLASHSCOPE_PICTURES=folder its pictures are written there.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "sim/model/derivation.h"
#include "viz/explorer/headless.h"

namespace {

using explorer::Headless;
using explorer::Size;

void keep(const Headless& window, const std::string& name) {
  if (const char* folder = std::getenv("FLASHSCOPE_PICTURES")) {
    std::filesystem::create_directories(folder);
    window.driver.screenshot(std::filesystem::path(folder) / ("listing-" + name + ".png"));
  }
}

const std::string target = "#seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000";

/// The events of the line that the playhead's event stands on, by a search over all of them.
int line_at(const explorer::Subject& subject) {
  const auto& events = subject.replay->trace.events;
  return events[static_cast<std::size_t>(subject.replay->index.current(subject.time))].line;
}

std::string line_probe(int line) { return "line/" + std::to_string(line); }

}  // namespace

TEST_CASE("the listing shows every algorithm and pass, in both themes and languages") {
  for (const std::string algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    for (const std::string pass : {"forward", "backward"}) {
      const std::string link = "#algorithm=" + algorithm + "&pass=" + pass + "&seqlen=512&causal=1&time=9000";
      const Headless dark(link, {});
      keep(dark, algorithm + "-" + pass);
      CHECK(dark.driver.shows(line_probe(line_at(dark.explorer.model.subject(0)))));
    }
  }
  const Headless zh(target + "&theme=light&lang=zh", {}), source(target + "&source=1", {});
  keep(zh, "zh-light");
  keep(source, "source");
  const bool differ = zh.driver.picture() != source.driver.picture();
  CHECK(differ);
}
