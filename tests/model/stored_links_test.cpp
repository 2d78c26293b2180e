// Results of links in the explorer: the link it copies, its errors, the position. Stored in
// tests/golden/outputs/links.txt, where each link follows "$ "; FLASHSCOPE_UPDATE_GOLDEN rewrites the results.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "viz/model/model.h"

namespace {

const std::string path = std::string(FLASHSCOPE_SOURCE) + "/tests/golden/outputs/links.txt";

std::string followed(const std::string& link) {
  explorer::Model model(sim::built_in_gpu);
  model.follow(link);
  return "$ " + link + "\n" + model.to_json().dump(2) + "\n\n";
}

}  // namespace

TEST_CASE("each stored link leads to its stored state") {
  std::ifstream in(path, std::ios::binary);
  std::string now;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("$ ", 0) != 0) continue;
    INFO("after " << line << " in " << path);
    const std::string text = followed(line.substr(2));
    now += text;
    if (std::getenv("FLASHSCOPE_UPDATE_GOLDEN") != nullptr) continue;
    std::string before = line + "\n";
    while (std::getline(in, line) && !line.empty()) before += line + "\n";
    CHECK(before + "\n" == text);
  }
  CHECK(!now.empty());
  if (std::getenv("FLASHSCOPE_UPDATE_GOLDEN") == nullptr) return;
  in.close();
  std::ofstream(path, std::ios::binary) << now;
  FAIL_CHECK("wrote " << path << ": look at the difference, then run again without FLASHSCOPE_UPDATE_GOLDEN");
}
